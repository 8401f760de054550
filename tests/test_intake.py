"""Every damaged notebook has its verdict, and where the functions are right the full points."""

import ast
import contextlib
import json
from functools import cache

import nbformat
import pytest

from autograder.exercises import units
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.skeleton import skeleton
from autograder.learner.check import check
from tests.support.course import ROOT
from tests.support.damaged_notebooks import FULL, KINDS, UNREADABLE, corpus

UNITS = {unit.id: unit for unit in units()}
TRIED = ("02_scaled_dot_product_attention", "05_cross_attention")


def taken_in(unit_id, content):
    return HandedIn("ann", unit_id, "ann.ipynb", "", content, ROOT).take_in()


@cache
def points(unit_id, code):
    """Run code as a worker does, statement by statement, and return the points of each function."""
    namespace = {"__name__": "submission"}
    for source in code:
        with contextlib.suppress(SyntaxError):
            for statement in ast.parse(source).body:
                with contextlib.suppress(Exception):
                    exec(compile(ast.Module([statement], []), "<cell>", "exec"), namespace)
    functions = {exercise.name: namespace.get(exercise.name) for exercise in UNITS[unit_id].exercises}
    return {name: float(check(function)) if callable(function) else 0 for name, function in functions.items()}


def released(notebook, unit_id):
    """Return the cells of a rebuilt notebook that were released, by id, each without what a student may write."""
    ids = [cell.id for cell in skeleton(unit_id, ROOT).cells]
    return [(c.id, c.cell_type, c.metadata) for c in notebook.cells if c.id in ids]


@pytest.mark.parametrize("unit_id", TRIED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_notebook_earns_what_its_functions_are_worth(unit_id, kind):
    content, expected = corpus(unit_id)[kind]
    submission = taken_in(unit_id, content)
    form = skeleton(unit_id, ROOT)
    assert submission.content is content
    assert released(submission.notebook, unit_id) == released(form, unit_id)
    nbformat.validate(submission.notebook)
    json.dumps(submission.notebook).encode()
    "".join(submission.code).encode()
    if expected == UNREADABLE:
        assert submission.unreadable.endswith(".")
        assert (submission.code, submission.notebook) == ((), form)
        return
    full = {exercise.name: exercise.points for exercise in UNITS[unit_id].exercises}
    assert not submission.unreadable
    assert points(unit_id, submission.code) == (full if expected == FULL else expected)
