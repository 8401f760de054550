"""What the class has decided whose learner this is: its edition says so, or else the folder of the course."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from autograder.course import course_root
from autograder.decisions.decided import Decisions
from autograder.decisions.reading import read_decisions, read_file
from autograder.times import moment

FILE = "class.toml"  # in the package, of a learners' edition
OF_EDITION = """\
# What the class has decided that this edition of the course is for.
"""


@cache
def decided_here() -> Decisions:
    """Return the decisions of the class; none where there are none, or where they cannot be read."""
    own = Path(__file__).parent.parent / FILE
    try:
        return read_file(own) if own.is_file() else read_decisions(course_root())
    except (OSError, ValueError):  # it is the instructor who has to be told, and no learner's check may fail for it
        return Decisions()


def why_no_hints(unit: str, now: datetime | None = None) -> str:
    """Say why a unit's hints are closed; an empty text where they are open.

    Parameters
    ----------
    unit : str
        Id.
    now : datetime, optional
        With its zone; the present time when left out.
    """
    its = decided_here().of(unit)
    if its.exam or its.hints is False:
        return "In your class this unit has no hints and shows no solutions."
    if isinstance(its.hints, datetime) and (now or datetime.now(UTC)) < its.hints:
        return f"The hints of this unit open on {moment(its.hints)}, which is what your instructor has decided."
    return ""


def for_learners(decisions: Decisions) -> str:
    """Return the part of a class's decisions that learners may see, as the text of a file: nothing on any student."""
    lines = [OF_EDITION]
    for id, its in decisions.units.items():
        told = {
            "due": its.due and its.due.replace(tzinfo=UTC).astimezone(its.zone).isoformat(),
            "without": its.without and json.dumps(its.without),
            "points": its.points and f"{{ {', '.join(f'{name} = {its:g}' for name, its in its.points.items())} }}",
            "hints": its.hints is not True and (str(its.hints).replace(" ", "T") if its.hints else "false"),
            "exam": its.exam and "true",
        }
        lines += [f"\n[units.{id}]\n", *(f"{key} = {text}\n" for key, text in told.items() if text)]
    return "".join(lines)
