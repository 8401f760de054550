"""The judge's verdicts as they count in a class: with its points, and with the claims that it has given."""

from collections.abc import Iterable
from dataclasses import replace

from autograder.decisions.counted import exercise_of, given
from autograder.decisions.decided import Decisions
from autograder.grading.verdicts.record import Record
from autograder.registry import find
from autograder.specification import Exercise

DIGITS = 6  # behind the point, so that thirds of points add up
SCALED = {"points", "max_points"}  # of a claim


def counted(decisions: Decisions, records: Iterable[Record]) -> list[Record]:
    """Return the records that count in a class; those of exercises that are left out do not.

    Parameters
    ----------
    decisions : Decisions
    records : iterable of Record
        As the judge has made them.
    """
    return [_counted(decisions, one) for one in records if one.exercise not in decisions.of(one.unit).without]


def _counted(decisions, record):
    own, of_class = find(record.exercise), exercise_of(decisions, record.exercise, record.unit)
    names = {one.claim for one in given(decisions, own)}
    if names and record.points is not None:
        record = _with_claims(record, own, names)
    if own is of_class or record.points is None:
        return record
    share = of_class.points / own.points
    claims = [claim | {name: claim[name] * share for name in SCALED & claim.keys()} for claim in record.claims]
    points = round(record.points * share, DIGITS)
    return replace(record, points=points, max_points=of_class.points, claims=claims)


def _with_claims(record: Record, exercise: Exercise, names: set[str]) -> Record:
    """Return a record in which some claims hold, whether they did or not."""
    missing = names - {claim["name"] for claim in record.claims if claim["passed"]}
    worth = {claim.name: claim.points for claim in exercise.claims}
    given = sum(its for name, its in worth.items() if name in missing)
    points = min(exercise.points, (record.points or 0) + given)
    held = {name: {"passed": True, "status": "passed", "points": worth[name]} for name in missing}
    claims = [claim | held.get(claim["name"], {}) for claim in record.claims]
    if claims and all(claim["passed"] for claim in claims):
        return replace(record, points=exercise.points, claims=claims, status="correct", mistake=None, cause=None)
    return replace(record, points=points, claims=claims)
