"""Unit 01."""

from autograder.exercise import Unit

UNIT = Unit(id="01_positional_encoding", title="", minutes=60, exercises=())
