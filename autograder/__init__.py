"""Checks and grades the course's exercises."""

from typing import Any

from autograder.learner.check import check, predict
from autograder.learner.hints import hint, solution
from autograder.learner.load import load
from autograder.learner.progress import progress
from autograder.learner.tell_apart import tell_apart
from autograder.registry import tool

__all__ = ["check", "hint", "load", "predict", "progress", "solution", "tell_apart"]


def __getattr__(name: str) -> Any:
    """Return what the course adds to these names, when it is first asked for."""
    if name.startswith("_"):
        raise AttributeError(name)
    return tool(name)
