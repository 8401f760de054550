"""Unit 03."""

from autograder.exercise import Unit

UNIT = Unit(id="03_masking", title="", minutes=60, exercises=())
