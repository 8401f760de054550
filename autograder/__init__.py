"""Checks and grades the course's exercises."""

from autograder.bench.library import load
from autograder.check import check, predict

__all__ = ["check", "load", "predict"]
