"""The units of a class: the course's, with the exercises that count in it, and with the points that they have there."""

from dataclasses import replace
from functools import cache

from autograder.decisions.decided import EVERYBODY, Adjustment, Decisions
from autograder.registry import find, find_unit, units
from autograder.specification import Exercise, Unit


@cache
def worth(exercise: Exercise, points: float) -> Exercise:
    """Return an exercise in which all claims together are worth so many points: the same one if they are already."""
    if points == exercise.points:
        return exercise
    share = points / exercise.points
    return replace(exercise, claims=[replace(claim, points=claim.points * share) for claim in exercise.claims])


def exercise_of(decisions: Decisions, name: str, unit: str) -> Exercise:
    """Return an exercise with the points that it has in a class."""
    exercise = find(name)
    return worth(exercise, decisions.of(unit).points.get(name, exercise.points))


def unit_of_class(decisions: Decisions, id: str) -> Unit:
    """Return a unit with the exercises that count in a class."""
    unit = find_unit(id)
    left = [exercise.name for exercise in unit.exercises if exercise.name not in decisions.of(id).without]
    exercises = tuple(exercise_of(decisions, name, id) for name in left)
    return unit if exercises == unit.exercises else replace(unit, exercises=exercises)


def units_of_class(decisions: Decisions) -> tuple[Unit, ...]:
    """Return all units of the course, in its order, each as it counts in a class."""
    return tuple(unit_of_class(decisions, unit.id) for unit in units())


def given(decisions: Decisions, exercise: Exercise, only: str = "") -> list[Adjustment]:
    """Return the claims of an exercise that count for everybody, or for all who have handed in.

    Parameters
    ----------
    decisions : Decisions
    exercise : Exercise
    only : str
        One of the two, where only that is meant.
    """
    its = (one for one in decisions.adjustments if one.exercise == exercise.name)
    return [one for one in its if not only or one.give == only]


def points_given(exercise: Exercise, claims: list[Adjustment]) -> float:
    """Return what some claims of an exercise are worth."""
    names = {one.claim for one in claims}
    return sum(claim.points for claim in exercise.claims if claim.name in names)


def given_to_absent(decisions: Decisions, exercise: Exercise) -> float:
    """Return the points of an exercise that everybody has, also who has handed in nothing."""
    return points_given(exercise, given(decisions, exercise, EVERYBODY))
