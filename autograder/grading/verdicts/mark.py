"""The mark of a submission that is committed: what a report needs of it, and what the next run compares."""

import contextlib
from collections.abc import Mapping
from typing import Any

from autograder.grading.intake.submission import Submission

OF_SUBMISSION = (
    "student",
    "unit",
    "origin",
    "code",
    "repairs",
    "unreadable",
    "timestamp",
    "notes",
    "dated",
    "together",
    "by",
    "bare",
    "absent",
)
NEEDED = {"student", "unit", "origin", "code", "repairs", "unreadable", "timestamp", "notes"}


def fields_of(submission: Submission) -> dict[str, Any]:
    """Return what a mark keeps of a Submission."""
    return {name: getattr(submission, name) for name in OF_SUBMISSION}


def submission_in(mark: Mapping[str, Any]) -> Submission:
    """Return the Submission of a mark, without its notebook."""
    known = mark["submission"].items()
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in known}
    return Submission(**fields, content=b"", notebook=None)


def is_mark(value: Any, student: str, unit: str) -> bool:
    """Return whether a value from a file is the mark of a submission: whole, of a known form, and that one's."""
    with contextlib.suppress(TypeError, KeyError, AttributeError):
        submission = submission_in(value)
        return (
            value["submission"].keys() >= NEEDED
            and (submission.student, submission.unit) == (student, unit)
            and isinstance(value["content"], str)
            and all(isinstance(value[name], dict) for name in ("keys", "scores"))
        )
    return False
