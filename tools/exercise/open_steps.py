"""What an exercise still lacks, in the order in which one writes it."""

import ast
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.authoring.build import derive, differences
from autograder.registry import find_unit, units
from autograder.specification import Unit
from tools.bank import right_styles
from tools.course import POINTS
from tools.exercise.places import REFERENCE, Draft, places

MISTAKES, STYLES = 5, 4  # at least


class Step(NamedTuple):
    """Something that is open: the file and the line, and what is to be done there."""

    path: Path
    line: int
    what: str


def open_steps(draft: Draft) -> list[Step]:
    """Return what is open; what can only be seen in the whole is looked for when nothing else is open."""
    for look in (_missing, _to_do, _uncounted, _unlike, _unbuilt):
        steps = list(look(draft))
        if steps:
            return steps
    return []


def _missing(draft) -> Iterator[Step]:
    for place in places(draft):
        if not place.present:
            yield Step(place.path, 1, f"{place.what} is missing: make exercise ARGS={_arguments(draft)!r} writes it")


def _arguments(draft):
    return f"{draft.unit_id[:2]} {draft.name}"


def _to_do(draft) -> Iterator[Step]:
    mark = f"TODO {draft.name}: "
    for place in places(draft):
        for number, line in enumerate(draft.read(place.path).splitlines(), 1):
            if mark in line:
                yield Step(place.path, number, line.partition(mark)[2].rstrip('"\') |'))


def _uncounted(draft) -> Iterator[Step]:
    """Yield what the loaded course has too little or too much of."""
    try:
        unit = find_unit(draft.unit_id)
        exercise = next(exercise for exercise in unit.exercises if exercise.name == draft.name)
    except Exception as error:  # whatever is wrong in a file of the course
        last = traceback.extract_tb(error.__traceback__)[-1]
        yield Step(draft.specification, 1, f"the course does not load: {error!r}, {last.filename}, line {last.lineno}")
        return
    if len(exercise.mistakes) < MISTAKES:
        line = _line(draft, draft.specification, "wrong = ")
        yield Step(draft.specification, line, f"{len(exercise.mistakes)} mistakes; there have to be {MISTAKES} or more")
    if unit.points != POINTS[unit.id]:
        line = _line(draft, draft.specification, "@EXERCISE.claim")
        yield Step(draft.specification, line, _points(unit))
    try:
        styles = len(right_styles(draft.name))
    except Exception as error:
        yield Step(draft.bank, 1, f"the file cannot be read: {error}")
    else:
        if styles < STYLES:
            yield Step(draft.bank, 1, f"{styles} right functions in another style; there have to be {STYLES} or more")


def _points(unit: Unit):
    listed = ", ".join(f"{exercise.name} {exercise.points:g}" for exercise in unit.exercises)
    return f"the unit has {unit.points:g} points in place of {POINTS[unit.id]}; change claims ({listed})"


def _unlike(draft) -> Iterator[Step]:
    """Yield the solution if its arguments are not those of the reference."""
    module = REFERENCE / f"{draft.package}.py"
    wanted, given = (_signature(draft.read(path), draft.name) for path in (module, draft.text))
    if wanted != given:
        line = _line(draft, draft.text, f"def {draft.name}(")
        yield Step(draft.text, line, f"the function takes ({given}), and the reference ({wanted})")


def _signature(source, name):
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name]
    return ast.unparse(functions[0].args) if functions else ""


def _unbuilt(draft) -> Iterator[Step]:
    by_id = {unit.id: unit for unit in units()}
    number = draft.unit_id[:2]
    try:
        stale = differences(draft.root, derive(draft.root, by_id, [number]), complete=False)
    except ValueError as error:  # a source that breaks the rules
        yield Step(draft.text, _line(draft, draft.text, f'"{draft.name}"'), str(error))
        return
    for path, state in stale.items():
        yield Step(path, 1, f"{state}: make build ARGS={number}")


def _line(draft, path, words):
    lines = draft.read(path).splitlines()
    return next((number for number, line in enumerate(lines, 1) if words in line), 1)
