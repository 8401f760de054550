"""Checks and grades the course's exercises."""

from autograder.check import check, predict

__all__ = ["check", "predict"]
