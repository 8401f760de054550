"""Checks and grades the course's exercises."""

from autograder.check import check, predict
from autograder.library import load

__all__ = ["check", "load", "predict"]
