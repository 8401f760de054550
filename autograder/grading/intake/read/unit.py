"""Which unit a notebook belongs to, judging by its content."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from autograder.grading.intake.read.cells import Cell

CHECK = "check-"  # before the name of an exercise, in the id of its check cell
DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)


def unit_in(cells: Iterable[Cell], units: Sequence) -> str:
    """Return the id of the unit whose cells or functions a notebook holds; empty if it holds none.

    `units` are those of the course, as `autograder.specification` has them.
    """
    owner = {name: unit.id for unit in units for name in _names(unit)}
    count: Counter[str] = Counter()
    for cell in cells:
        defined = DEFINED.findall(cell.source)
        count.update(owner[name] for name in {cell.grade_id, cell.id, *defined} if name in owner)
    (unit, _), *_ = count.most_common(1) or [("", 0)]
    return unit


def unit_against(cells: Iterable[Cell], units: Sequence, named: str) -> str:
    """Return the id of another unit than the one after which a notebook is named, where its cells clearly are of that.

    None of them is of the named unit then, and at least half of the other's exercises are there: by the ids of cells,
    or, where all ids are lost, by the functions.
    """
    cells = list(cells)
    by_ids = {name for cell in cells for name in (cell.grade_id, cell.id)}
    by_functions = {name for cell in cells for name in DEFINED.findall(cell.source)}
    for names_found in (by_ids, by_functions):
        counts = {unit.id: sum(not names_found.isdisjoint(names) for names in _by_exercise(unit)) for unit in units}
        if any(counts.values()):
            likeliest = max(units, key=lambda unit: counts[unit.id])
            is_clear = not counts[named] and 2 * counts[likeliest.id] >= len(likeliest.exercises)
            return likeliest.id if is_clear else ""
    return ""


def _by_exercise(unit):
    return [(exercise.name, f"{CHECK}{exercise.name}") for exercise in unit.exercises]


def _names(unit):
    for names in _by_exercise(unit):
        yield from names
    for question in unit.questions:
        yield f"answer-{question.id}"
