"""Fill in what the text of a unit does not say by hand: the numbers of exercises, points and times."""

import re
from collections.abc import Iterable

from autograder.specification import Unit

PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")


def fill(text: str, unit: Unit, units: Iterable[Unit]) -> str:
    """Replace the placeholders in the source of a unit.

    Parameters
    ----------
    text : str
        ``{{softmax}}`` stands for the number of an exercise of any unit, ``{{points softmax}}`` for its points,
        ``{{points}}`` for the points of the unit, and ``{{time}}`` for its time.
    unit : Unit
    units : iterable of Unit
        All units of the course.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a placeholder has no meaning.
    """
    values = {"points": in_words(unit.points), "time": unit.time}
    for other in units:
        for exercise in other.exercises:
            values[exercise.name] = other.number_of(exercise)
            values[f"points {exercise.name}"] = in_words(exercise.points)

    def value(match):
        if match[1] not in values:
            raise ValueError(f"{match[0]} stands for nothing: expected the name of an exercise, points or time")
        return values[match[1]]

    return PLACEHOLDER.sub(value, text)


def in_words(points: float) -> str:
    """Return a number of points as a text says it."""
    return "1 point" if points == 1 else f"{points:g} points"
