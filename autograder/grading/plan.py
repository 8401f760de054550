"""What the instructor has decided on the units of a course: when they are due, what they weigh, when solutions open."""

import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.registry import units

NAME = "course.toml"
KNOWN = ("due", "weight", "solutions")


@dataclass(frozen=True)
class Plan:
    """The decisions on units; a unit may be in none of them.

    Attributes
    ----------
    due : dict
        By id of the unit, when it is due (UTC, without a zone, as nbgrader keeps it).
    weights : dict
        By id of the unit, its weight.
    solutions : dict
        By id of the unit, the time (with its zone) from which `solution` shows learners how the course does it.
    """

    due: dict[str, datetime] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    solutions: dict[str, datetime] = field(default_factory=dict)


def read_plan(root: str | Path) -> Plan:
    """Return the Plan in a course's file; an empty one where there is none.

    Raises
    ------
    ValueError
        If the file is no TOML, names an unknown unit, or says something else than two dates and a weight.
    """
    path = Path(root, NAME)
    if not path.is_file():
        return Plan()
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8")).get("units", {})
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    plan = Plan()
    known = [unit.id for unit in units()]
    for unit, fields in given.items():
        if unit not in known or not isinstance(fields, dict) or set(fields) - set(KNOWN):
            expected = f"[units.{known[0]}] or another unit, with nothing but {', '.join(KNOWN)}"
            raise ValueError(f"{path}: expected {expected}; found {unit}")
        if "due" in fields:
            plan.due[unit] = _time(path, unit, fields, "due").astimezone(UTC).replace(tzinfo=None)
        if "weight" in fields:
            plan.weights[unit] = _weight(path, unit, fields["weight"])
        if "solutions" in fields:
            plan.solutions[unit] = _time(path, unit, fields, "solutions")
    return plan


def _time(path, unit, fields, name):
    time = fields[name]
    if not isinstance(time, datetime) or time.tzinfo is None:
        raise ValueError(
            f"{path}: {name} of {unit} should be a time with its zone, such as 2026-12-04T23:59:00+01:00; found {time}"
        )
    return time


def _weight(path, unit, weight):
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not weight >= 0:
        raise ValueError(f"{path}: the weight of {unit} should be a number, 0 or more; found {weight}")
    return weight
