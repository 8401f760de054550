"""Reads what was handed in, in a process that does nothing else: see `autograder.grading.intake.isolated`."""

import base64
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.read.cells import read
from autograder.grading.intake.read.unit import unit_against, unit_in
from autograder.grading.intake.skeleton import NoSkeleton, skeleton
from autograder.registry import units

FORKS = False  # nothing of what is read is run, and a fork takes longer than most notebooks


def prepare(unit: str = "", root: str = "") -> None:
    """Read the released notebook of a unit, once for all."""
    if unit:
        with contextlib.suppress(NoSkeleton):
            skeleton(unit, Path(root))


def perform(value: Sequence[Any]) -> tuple[Any, bool]:
    """Answer what is asked of some content; nothing is inherited that could be spoilt."""
    question, content, *fields = value
    return ANSWERS[question](base64.b64decode(content), *fields), True


def close() -> None:
    """Do nothing: there is no worker to stop."""


def _submission(content, fields):
    fields = (
        fields
        | {"root": Path(fields["root"])}
        | {name: tuple(fields[name]) for name in ("before", "notes", "together")}
    )
    submission = vars(HandedIn(content=content, **fields).take_in())
    return {name: value for name, value in submission.items() if name != "content"}


ANSWERS: dict[str, Callable[..., Any]] = {
    "submission": _submission,
    "unit": lambda content: unit_in(read(content).cells, units()),
    "another unit": lambda content, named: unit_against(read(content).cells, units(), named),
    "unreadable": lambda content: read(content).unreadable,
}
