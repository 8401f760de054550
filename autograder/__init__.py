"""Checks and grades the course's exercises."""

from autograder.learner.check import check, predict
from autograder.learner.hints import hint, solution
from autograder.learner.layers import compare_layers
from autograder.learner.load import load
from autograder.learner.progress import progress

__all__ = ["check", "compare_layers", "hint", "load", "predict", "progress", "solution"]
