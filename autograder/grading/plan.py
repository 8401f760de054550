"""What the instructor has decided on the units of a course: when they are due and how much they weigh."""

import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.exercises import units

NAME = "course.toml"
KNOWN = ("due", "weight")


@dataclass(frozen=True)
class Plan:
    """The decisions on units; a unit may be in neither.

    Attributes
    ----------
    due : dict
        By id of the unit, when it is due (UTC, without a zone, as nbgrader keeps it).
    weights : dict
        By id of the unit, its weight.
    """

    due: dict = field(default_factory=dict)
    weights: dict = field(default_factory=dict)


def read_plan(root):
    """Return the Plan in a course's file; an empty one where there is none.

    Raises
    ------
    ValueError
        If the file is no TOML, names an unknown unit, or says something else than a date and a weight.
    """
    path = Path(root, NAME)
    if not path.is_file():
        return Plan()
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8")).get("units", {})
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    due, weights, known = {}, {}, [unit.id for unit in units()]
    for unit, fields in given.items():
        if unit not in known or not isinstance(fields, dict) or set(fields) - set(KNOWN):
            raise ValueError(f"{path}: expected [units.{known[0]}] or another unit, with due and weight; found {unit}")
        if "due" in fields:
            due[unit] = _utc(path, unit, fields["due"])
        if "weight" in fields:
            weights[unit] = _weight(path, unit, fields["weight"])
    return Plan(due, weights)


def _utc(path, unit, due):
    if not isinstance(due, datetime) or due.tzinfo is None:
        raise ValueError(
            f"{path}: due of {unit} should be a time with its zone, such as 2026-12-04T23:59:00+01:00; found {due}"
        )
    return due.astimezone(UTC).replace(tzinfo=None)


def _weight(path, unit, weight):
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not weight >= 0:
        raise ValueError(f"{path}: the weight of {unit} should be a number, 0 or more; found {weight}")
    return weight
