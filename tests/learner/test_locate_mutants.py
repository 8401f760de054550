"""No line is accused or cleared wrongly: right functions with one small change, and what is said of their lines."""

import itertools
import linecache
import random
import re
import time

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.execution.call import LocalRunner
from autograder.learner.locating.locate import locate
from autograder.registry import find, units
from tests.support.mutants import compiled, mutants
from tools.bank import specimens
from tools.diagnosis import accused, cleared
from transformer_kit import reference

SLOW = ("translate", "beam_search")  # whose claims take long
FAST = {"scaled_dot_product_attention": 16, "softmax_backward": 16, "layer_norm": 16}  # mutants of the reference
MANY, SECONDS = 60, 10.0  # for one exercise
MAX_FALSE = 0.02  # of what is said
MEMORY = 6 * 2**30  # bytes
KINDS = {
    "copied line", "copied name", "another name", "another field", "dropped term", "another sign", "exchanged",
    "dropped axis", "dropped keepdims", "dropped step", "exchanged arguments", "dropped index", "dropped sign",
    "another axis",
}  # fmt: skip


def right_functions(exercise):
    """Return the reference, and the right functions of the bank."""
    bank = (one.function for one in specimens(exercise.name) if not one.label)
    return [exercise.reference, *bank]


def mixed(functions, rng):
    """Yield mutants of functions, as they are written and step by step."""
    left = [mutants(function, rng, is_spread) for function in functions for is_spread in (False, True)]
    while left:
        one = rng.choice(left)
        if mutant := next(one, None):
            yield mutant
        else:
            left.remove(one)


def wrong_mutants(exercise, functions, count, seconds):
    """Yield some mutants that fail, each with the calls of the claims that do not hold."""
    until = time.process_time() + seconds
    for mutant in mixed(functions, random.Random(visible_seed(exercise))):
        if not count or time.process_time() > until:
            return
        runner = LocalRunner(mutant.function, exercise.signature)
        with np.errstate(all="ignore"):
            tried = attempts(exercise, runner, visible_seed(exercise))
        failing = tuple(trial for attempt in tried if attempt.has_failed for trial in attempt.trials)
        if failing:
            count -= 1
            yield mutant, failing


def is_true_of(mutant, text):
    """Return whether a text accuses the changed line, or none, and clears others only."""
    lines = [] if re.search(r"Line \d+ of your cell returns", text) else accused(text)
    return (not lines or mutant.line in lines) and mutant.line not in cleared(text)


def said_of(exercise, functions, count, seconds=SECONDS):
    """Return on how many mutants something was said, and what of that is false, in words."""
    said, false = 0, []
    for mutant, failing in wrong_mutants(exercise, functions, count, seconds):
        if text := locate(exercise, mutant.function, failing):
            said += 1
            code = "".join(linecache.getlines(mutant.function.__code__.co_filename))
            if not is_true_of(mutant, text):
                false.append(f"{text}\nIt is line {mutant.line}, which was {mutant.before!r}:\n{code}")
    return said, false


@pytest.fixture(autouse=True)
def memory_is_limited():
    """Whatever asks for more gets a MemoryError: some mutants build arrays that no machine holds."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture(autouse=True)
def lines_are_forgotten():
    yield
    for name in [name for name in linecache.cache if name.startswith("<mutant ")]:
        del linecache.cache[name]


@pytest.mark.parametrize(("name", "count"), FAST.items(), ids=FAST)
def test_statements_on_lines_hold_in_a_sample(name, count):
    exercise = find(name)
    said, false = said_of(exercise, [exercise.reference], count)
    assert said >= 2
    assert not false, "\n\n".join(false)


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(3)
@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id[:2])
def test_what_is_said_of_a_line_is_true(unit):
    """Some functions can be mended at two places; of these the text may name the one that was not changed."""
    said, false = 0, []
    for exercise in (exercise for exercise in unit.exercises if exercise.name not in SLOW):
        some_said, some_false = said_of(exercise, right_functions(exercise), MANY)
        said += some_said
        false += some_false
    assert said >= MANY / 6
    assert len(false) <= MAX_FALSE * said, "\n\n".join(false)


def test_a_mutant_differs_in_one_line():
    kinds = set()
    for name in ("softmax_backward", "alignment", "head_outputs", "causal_mask", "padding_mask", "cross_entropy"):
        for mutant in itertools.islice(mixed([getattr(reference, name)], random.Random(3)), 60):
            line = linecache.getline(mutant.function.__code__.co_filename, mutant.line).strip()
            assert line == mutant.now != mutant.before
            kinds.add(mutant.kind)
    assert kinds == KINDS


def test_a_spread_out_function_is_the_same():
    x = np.random.default_rng(3).normal(size=(2, 3, 5))
    first = next(mutants(reference.softmax, random.Random(3), is_spread=True))
    lines = linecache.getlines(first.function.__code__.co_filename)
    lines[first.line - 1] = lines[first.line - 1].replace(first.now, first.before)
    again = compiled("".join(lines), reference.softmax)
    assert np.array_equal(again(x), reference.softmax(x))
    assert sum("step_" in line for line in lines) > 3
