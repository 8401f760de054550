"""Checks and grades the course's exercises."""

from autograder.bench.hints import hint, solution
from autograder.bench.library import load
from autograder.bench.show import progress
from autograder.check import check, predict
from autograder.layers import compare_layers

__all__ = ["check", "compare_layers", "hint", "load", "predict", "progress", "solution"]
