"""Checks and grades the course's exercises."""

from autograder.check import check, predict
from autograder.layers import compare_layers
from autograder.library import load

__all__ = ["check", "compare_layers", "load", "predict"]
