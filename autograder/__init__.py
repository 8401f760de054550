"""Checks and grades the course's exercises."""

from autograder.bench.library import load
from autograder.bench.show import progress
from autograder.check import check, predict

__all__ = ["check", "load", "predict", "progress"]
