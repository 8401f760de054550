"""Which unit a notebook belongs to, judging by its content."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from autograder.grading.intake.read.cells import Cell


def unit_in(cells: Iterable[Cell], units: Sequence) -> str:
    """Return the id of the unit whose cells or functions a notebook holds; empty if it holds none.

    `units` are those of the course, as `autograder.specification` has them.
    """
    owner = {name: unit.id for unit in units for name in _names(unit)}
    count: Counter[str] = Counter()
    for cell in cells:
        defined = re.findall(r"^def (\w+)\(", cell.source, re.MULTILINE)
        count.update(owner[name] for name in {cell.grade_id, cell.id, *defined} if name in owner)
    (unit, _), *_ = count.most_common(1) or [("", 0)]
    return unit


def _names(unit):
    for exercise in unit.exercises:
        yield from (exercise.name, f"check-{exercise.name}")
    for question in unit.questions:
        yield f"answer-{question.id}"
