"""Every exercise has three hints, in the notebook and beside it, and a solution that can be shown after them."""

import ast
import builtins
import json

import pytest

from autograder.authoring.build import hints_folder
from autograder.authoring.hint_source import hints_in
from autograder.learner import hints
from autograder.registry import names, units
from autograder.sources import source_of
from tools.course import ROOT, notebook
from transformer_kit import reference


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_every_exercise_has_three_hints(unit):
    found = hints_in(notebook(unit.id))
    assert [*found] == [exercise.name for exercise in unit.exercises]
    assert json.loads((ROOT / hints_folder() / f"{unit.id}.json").read_text(encoding="utf-8")) == found
    for exercise in unit.exercises:
        assert [*hints.hints_of(exercise.name)] == found[exercise.name]
        assert all(shown["title"] and shown["text"] for shown in found[exercise.name])
    texts = "".join(cell.source for cell in notebook(unit.id).cells)
    in_line = texts.count('<details style="display:inline-block')
    assert in_line == texts.count("<summary>Hint") == 3 * len(unit.exercises)


@pytest.mark.parametrize("name", names())
def test_a_solution_stands_by_itself(name):
    """It can be run as it is; other exercises' functions are left to the learner."""
    source = source_of(name)
    tree = ast.parse(source)
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert defined & set(names()) == {name}
    namespace = {other: getattr(reference, other) for other in names() if other != name}
    exec(source, namespace)
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert set(namespace[name].__code__.co_names) <= {*namespace, *attributes, *dir(builtins)}
