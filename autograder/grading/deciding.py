"""What `course set` does."""

import argparse
from typing import Any

from autograder.course import PLAN, course_root
from autograder.decisions.setting import decided, set_decision
from autograder.grading import summary


def set_one(options: argparse.Namespace) -> int:
    """Set a decision of the class, or list what is set."""
    path = course_root() / PLAN
    if options.key:
        set_decision(path, options.key, options.value, options.remove)
    told = {"file": str(path), "set": options.key or "", "decided": decided(path)}
    summary.tell(options, told, _lines)
    return 0


def _lines(told: dict[str, Any]) -> list[str]:
    if told["set"]:
        return [f"Written: {told['file']}. `course report` brings all numbers of the class up to date."]
    return [f"{key} = {value}" for key, value in told["decided"].items()] or [f"{told['file']} sets nothing yet."]
