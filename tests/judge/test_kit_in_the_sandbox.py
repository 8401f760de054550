"""What a worker sees of the kit: all that functions need, nothing more, and words where something is not there."""

import ast
import os
import subprocess
import sys
import types

import numpy as np
import pytest

from autograder.judge import kit, view
from autograder.judge.worker.absent import USES, Absent
from autograder.registry import units
from tests.support import needs
from tests.support.judging import cells, exercise, unit, verdict
from tools.course import notebook

UNITS = [pytest.param(unit, id=unit.id) for unit in units()]
SOME = [pytest.param(u, id=u.id, marks=() if u.id[:2] == "09" else pytest.mark.exhaustive) for u in units()]
ALWAYS = {
    *("transformer_kit", "transformer_kit.unimplemented", "transformer_kit.time_limit", "transformer_kit.parameters"),
    *(f"transformer_kit.parameters.{name}" for name in ("cache", "containers", "initial", "modern", "tree")),
    *("transformer_kit.reference", "transformer_kit.reference.floats"),
}
# From unit 09 on: what `translate` calls to read a sentence and to write one, and what these two need.
WRITING = {
    f"transformer_kit.corpus.{name}"
    for name in ("clock", "morphology", "names", "numbers", "sentences", "tables", "text", "vocabulary", "words")
}
FUNCTIONS_OF_WRITING = {
    *("prepare_sentence", "written_sentence", "words_of", "normalise", "spanish_text"),
    *("in_words", "english_number", "plural_in_english", "rows"),
}


@pytest.mark.parametrize("unit", UNITS)
def test_a_worker_has_only_what_functions_need(unit):
    whole, parts = kit.needs(unit)
    earlier = {f"transformer_kit.reference.unit_{known.id}" for known in units() if known.id < unit.id}
    assert whole | set(parts) == ALWAYS | earlier | (WRITING if unit.id >= "09" else set())
    texts = [kit.part_of(kit.modules()[module], names) for module, names in parts.items() if module in WRITING]
    statements = [statement for text in texts for statement in ast.parse(text).body]
    functions = {statement.name for statement in statements if isinstance(statement, ast.FunctionDef)}
    assert {name for name in functions if name[0] != "_"} == (FUNCTIONS_OF_WRITING if unit.id >= "09" else set())


@pytest.mark.parametrize("unit", UNITS)
def test_what_the_solutions_need_of_the_kit_exists(unit):
    code = [cell.source for cell in notebook(unit.id).cells if cell.cell_type == "code"]
    statements = [statement for source in code for statement in ast.parse(source).body]
    names = {exercise.name for exercise in unit.exercises}
    functions = [s for s in statements if isinstance(s, ast.FunctionDef) and s.name in names]
    assert len(functions) == len(names)
    whole, parts = kit.needs(unit)
    for module, name in kit.imported([*(s for s in statements if isinstance(s, ast.ImportFrom)), *functions]):
        assert module in whole or name in parts[module]


def imports_of(unit):
    """Return all that the released cells of a unit import of the kit, one statement a line."""
    code = [cell.source for cell in notebook(unit.id, "notebooks").cells if cell.cell_type == "code"]
    nodes = [node for source in code for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return "\n".join(ast.unparse(node) for node in nodes if node.module.startswith("transformer_kit"))


def run(folder, code):
    """Run code that sees the view of a worker; return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-B", "-c", code]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


ODD_IMPORTS = """
import transformer_kit.plots.heatmaps as maps
from transformer_kit import corpus, experiments, numerical, parameters, reference, skip_if_unimplemented
from transformer_kit.corpus import vocabulary
from transformer_kit.parameters import tree
from transformer_kit.plots import *
from transformer_kit.reference import *
from transformer_kit.reference import chat_prompt, unit_13_since_2017 as unit_13

def annotated(model: corpus.Sentence | None = None, other: "int" = maps): return model

with skip_if_unimplemented():
    set_in_a_block = parameters.SIZES
assert set_in_a_block and callable(tree.named_arrays)
assert sorted(reference.__all__) == earlier
for use in (chat_prompt, unit_13.chat_prompt, corpus.translations, numerical.numerical_gradient, maps.heatmap):
    try:
        use(1)
    except RuntimeError as error:
        print(str(error).partition(" is not there")[0])
"""


@pytest.mark.parametrize("unit", SOME)
def test_every_import_of_a_notebook_works(tmp_path, unit):
    """Also those of what is not there."""
    folder = view.build(tmp_path / "view", unit)
    assert "transformer_kit" in imports_of(unit)
    earlier = sorted(exercise.name for known in units() if known.id < unit.id for exercise in known.exercises)
    told = run(folder, f"{imports_of(unit)}\n{earlier = }\n{ODD_IMPORTS}").split()
    module = "transformer_kit.reference.unit_13_since_2017.chat_prompt"
    others = ["corpus.translations", "numerical.numerical_gradient", "plots.heatmaps.heatmap"]
    assert told == [module, module, *(f"transformer_kit.{name}" for name in others)]


OPERATIONS = [
    lambda x: x(1, b=2),
    lambda x: x.weights(1),
    lambda x: x[0],
    lambda x: [*x],
    len,
    bool,
    float,
    lambda x: x == 3,
    lambda x: x < 3,
    lambda x: 2 * x,
    lambda x: x - 2.5,
    lambda x: np.ones((2, 3)) @ x,
    lambda x: np.ones(3) / x,
    lambda x: np.exp(x),
    lambda x: np.asarray(x),
    lambda x: -x.W_Q,
    lambda x: 3 in x,
    lambda x: isinstance(3, x),
    lambda x: [10, 20][x],
    lambda x: types.new_class("Own", (x,)),
    lambda x: x.table.__setitem__(0, 1),
]


@pytest.mark.parametrize("number", range(len(OPERATIONS)))
def test_whoever_uses_what_is_not_there_is_told(number):
    with pytest.raises(RuntimeError, match=r"transformer_kit\.examples\.CATS.* is not there while a notebook is"):
        OPERATIONS[number](Absent("transformer_kit.examples.CATS"))


def test_what_is_not_there_can_be_passed_on():
    absent = Absent("transformer_kit.examples.CATS")
    assert (absent | None) is (None | absent) is absent
    assert len({absent, absent}) == 1
    assert absent.X.__name__ == "transformer_kit.examples.CATS.X"
    assert not hasattr(absent, "__array_interface__")
    assert len(USES) == len(set(USES))


OWN = """
from transformer_kit.dictionary.definitions import states, TEMPERATURE
from transformer_kit.plots import heatmap
from transformer_kit.trained.dictionary import load_dictionary, Dictionary
model = load_dictionary()
T = 2 * TEMPERATURE
with skip_if_unimplemented():
    n_heads = 2
    heatmap(model.embedding)

def tried(model: Dictionary | None = load_dictionary, temperature=TEMPERATURE):
    return states(np.zeros(3), model)
"""
USER = """
def next_token_logits(token_ids, model):
    return tried(model)
"""


@needs.linux
def test_an_own_cell_that_explores_costs_nothing(worker):
    """Neither what it takes from the kit nor how; what uses that is told so, and costs its own exercise only."""
    eleventh = unit(11)
    first, *solutions = cells(eleventh)
    for name, own, points in (("head_outputs", OWN, 1), ("next_token_logits", OWN, 1), ("next_token_logits", USER, 0)):
        found = exercise(eleventh, name)
        sources = [first, OWN, *solutions, *[own] * (own is not OWN)]
        result = verdict(worker, eleventh, found, sources)
        assert result.points == points * found.points
    assert "transformer_kit.dictionary.definitions.states is not there while" in result.results[0].message
