"""The grading is proved: every known mistake caught and named, every right style accepted."""

import functools
import inspect
import zlib
from dataclasses import replace

import numpy as np
import pytest

from autograder.execution.nested import leaves
from autograder.feedback.make_report import make_report
from autograder.feedback.text import as_text
from autograder.learner.check import check
from autograder.questions import Choice
from autograder.registry import find, unit_of, units
from tests.support.by_exercise import FEW, by_exercise, by_exercise_soon
from tests.support.rounded import points, rounded_to
from tools import proof
from tools.bank import right_styles
from tools.course import POINTS, headings, notebook, solution_functions, tags

UNITS = [pytest.param(unit, id=unit.id) for unit in units()]


def proved(exercise, seeds, mistakes):
    unit, styles = unit_of(exercise).id, right_styles(exercise.name)
    return proof.prove(exercise, unit, styles, solution_functions(unit)[exercise.name], seeds, mistakes)


@by_exercise_soon
def test_grading_is_sound(exercise, part_of):
    """Mistakes lose points and are named as themselves; styles and the solution get all; the stub gets 0."""
    assert proved(exercise, [proof.FIRST_SEED], part_of(exercise.mistakes, FEW)).faults == []


@pytest.mark.exhaustive
@by_exercise
def test_the_grading_of_every_mistake_is_sound(exercise, part_of):
    """The same for all mistakes, with other inputs; what is measured is what `docs/proof.md` says."""
    row = proved(exercise, part_of((*proof.OTHER_SEEDS, proof.FIRST_SEED), 1), exercise.mistakes)
    assert row.faults == []
    assert row == proof.promised(exercise, row.unit, right_styles(exercise.name))


@by_exercise
def test_bank_is_large_enough(exercise):
    """At least five known mistakes and three right styles, each of them another function."""
    styles = right_styles(exercise.name)
    assert len(exercise.mistakes) >= 5
    assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert len(set(styles)) == len(styles) >= 3
    assert exercise.reference not in styles


@pytest.mark.parametrize("unit", UNITS)
def test_points_are_those_of_the_contract(unit):
    """The points of a unit's claims add up to what the contract promises."""
    assert unit.points == POINTS[unit.id]


@by_exercise
def test_every_pointer_leads_somewhere(exercise):
    """`where` is a heading of the unit's notebook, for the exercise and for every mistake."""
    places = {exercise.where, *(mistake.where for mistake in exercise.mistakes)}
    assert places <= headings(unit_of(exercise).id)


def random_like(array, rng):
    """Return random entries of an array's shape and kind."""
    if array.dtype.kind == "f":
        return rng.standard_normal(array.shape)
    return rng.integers(0, 2 if array.dtype == bool else 9, array.shape).astype(array.dtype)


def distribution(array, rng):
    """Return positive numbers, always the same for one shape, whose sum along the last axis is 1."""
    return np.apply_along_axis(
        lambda row: row / row.sum(), -1, np.sqrt(1.0 + np.arange(array.size)).reshape(array.shape)
    )


def banded(array, rng):
    """Return numbers that depend on the distance from the diagonal of the last two axes, and have the sum 0."""
    n = array.shape[-1]
    distances = np.abs(np.subtract.outer(np.arange(array.shape[-2] if array.ndim > 1 else 1), np.arange(n)))
    return np.broadcast_to(n * (distances == 0) - 1.0, (*array.shape[:-1], n))


def with_axes(fill):
    """Return what fills an array of floats, and puts zeros where there is no axis or another kind of number."""
    return lambda array, rng: fill(array, rng) if array.ndim and array.dtype.kind == "f" else np.zeros_like(array)


FILLS = {  # functions of the right array and a random generator
    "zeros": lambda array, rng: np.zeros_like(array),
    "ones": lambda array, rng: np.ones_like(array),
    "NaN": lambda array, rng: np.full(array.shape, np.nan),
    "masked": lambda array, rng: np.ma.masked_all(array.shape, array.dtype),
    "infinity": lambda array, rng: np.full(array.shape, np.inf),
    "nearly zero": lambda array, rng: (1e-12 * np.arange(array.size)).reshape(array.shape),
    "one-hot": lambda array, rng: np.broadcast_to(np.eye(1, *array.shape[-1:], dtype=array.dtype)[0], array.shape),
    "identity": lambda array, rng: np.broadcast_to(np.eye(*array.shape[-2:], dtype=array.dtype), array.shape),
    "distribution": with_axes(distribution),
    "banded": with_axes(banded),
    "random": random_like,
}
LUCKY = {("encode", "random"): 0.5}  # points that chance may earn: a quarter at most


def filled(value, fill, rng):
    """Return a result of the same structure and shapes with other entries; None and numbers become a number."""
    if isinstance(value, tuple | list):
        parts = [filled(part, fill, rng) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, np.ndarray):
        return fill(value, rng)
    number = fill(np.asarray(0 if value is None else value), rng)
    return number if isinstance(number, np.ma.MaskedArray) else number.item()


def worthless(exercise, fill):
    """Return a function that knows the shape of the right result and nothing else; where an error is due, None."""
    rng = np.random.default_rng(7)

    def function(*args, **kwargs):
        try:
            return filled(exercise.reference(*args, **kwargs), fill, rng)
        except ValueError:
            return None

    return function


@pytest.mark.exhaustive
@pytest.mark.one_in(4)
@by_exercise
def test_worthless_functions_get_nothing(exercise):
    """Returning None, the first argument, or an array that has nothing right but its shape earns no point.

    Random entries earn none either, but for the exercises in LUCKY.
    """
    functions = {
        "None": lambda *args, **kwargs: None,
        "first argument": lambda *args, **kwargs: next(iter((*args, *kwargs.values())), None),
        **{name: worthless(exercise, fill) for name, fill in FILLS.items()},
    }
    for name, function in functions.items():
        allowed = LUCKY.get((exercise.name, name), 0)
        assert allowed <= exercise.points / 4
        assert proof.verdict(exercise, function, 0).points <= allowed, name


def noise_of_arguments(exercise):
    """Return a function whose results are noise of the right shape, and the same for the same numbers."""

    def function(*args, **kwargs):
        numbers = b"".join(np.asarray(leaf).tobytes() for leaf in leaves((args, kwargs)) if not callable(leaf))
        rng = np.random.default_rng(zlib.crc32(numbers))
        return filled(exercise.reference(*args, **kwargs), random_like, rng)

    return function


def one_more(X, *args, **kwargs):
    return X + 1


def noise_of_rows(X, *args, **kwargs):
    """Return noise that depends on the rows of the first argument, each for itself."""
    noise = [np.random.default_rng(zlib.crc32(row.tobytes())).standard_normal(row.shape) for row in X]
    return np.array(noise), None


@pytest.mark.parametrize(
    "name",
    ["encoder_layer", "decoder_layer", "cross_attention", "encode_source", "decode_target", "next_token_logits"],
)
def test_to_depend_on_the_arguments_is_worth_nothing(name):
    exercise = find(name)
    for function in (noise_of_arguments(exercise), one_more, noise_of_rows):
        assert points(exercise, function, functools.partial(rounded_to, None)) == 0


def never(name, calls):
    """Return a function of this name that must not be called; the calls that are made all the same go into a list."""

    def function(*args, **kwargs):
        calls.append(name)
        raise AssertionError(f"{name} was called")

    function.__name__ = name
    return function


@by_exercise_soon
def test_a_mistake_costs_its_own_exercise_only(exercise):
    """The check of this one never calls the unit's other functions, whatever they do: it has all its points."""
    unit, calls = unit_of(exercise), []
    namespace = solution_functions(unit.id)
    others = [other.name for other in unit.exercises if other is not exercise]
    namespace.update({name: never(name, calls) for name in others})
    score = check(namespace[exercise.name])
    assert score.points == score.max_points, score.report
    assert calls == []


def test_a_call_of_another_exercise_is_seen():
    """Meta-test: a later function that is not replaced is really called."""
    unit = units()[2]
    namespace, calls = solution_functions(unit.id), []
    namespace["softmax"] = never("softmax", calls)
    with pytest.raises(AssertionError, match="softmax was called"):
        namespace["scaled_dot_product_attention"](*(np.ones((2, 3)) for _ in range(3)))
    assert calls == ["softmax"]


@by_exercise
def test_a_check_that_accepts_everything_is_caught(exercise):
    """Meta-test: the proof fails for a specification whose claims cannot fail."""
    lax = replace(exercise, claims=tuple(replace(c, test=lambda call, rng: None) for c in exercise.claims))
    row = proof.prove(lax, unit_of(exercise).id, (), exercise.reference, seeds=(0,))
    assert row.caught == 0
    assert len(row.faults) >= len(exercise.mistakes)


@pytest.mark.exhaustive
@by_exercise
def test_every_claim_can_fail(exercise):
    """Meta-test: each claim fails for at least one known mistake of its exercise."""
    verdicts = [proof.verdict(exercise, mistake.function, proof.OTHER_SEEDS[0]) for mistake in exercise.mistakes]
    passed = [[result.passed for result in verdict.results] for verdict in verdicts]
    assert [claim.name for claim, by in zip(exercise.claims, zip(*passed, strict=True), strict=True) if all(by)] == []


def test_a_wrong_style_is_caught():
    """Meta-test: the proof reports a style that is not right."""
    unit, exercise = units()[1], units()[1].exercises[0]
    row = proof.prove(exercise, unit.id, (np.exp,), exercise.reference, seeds=(0,))
    assert row.accepted == 0
    assert "exp fails" in row.faults[-1]


def code_lines(function):
    """Return the lines of a function's body that say something: neither its docstring nor short ones."""
    source = inspect.getsource(function).split('"""')[-1]
    lines = {line.split("#")[0].strip() for line in source.splitlines()}
    return {line for line in lines if len(line) > 12 and not line.startswith(("def ", "raise ", 'f"'))}


def assert_reports_keep_the_code(exercise, mistakes, seed):
    """Require that no report on a known mistake holds a line of the reference or a formula."""
    secrets = code_lines(exercise.reference)
    assert secrets
    for mistake in mistakes:
        report = as_text(make_report(proof.verdict(exercise, mistake.function, seed)))
        own = inspect.getsource(mistake.function)  # a report quotes the line that raised an error
        assert [line for line in secrets if line in report and line not in own] == []
        assert "$" not in report


@by_exercise_soon
def test_a_report_does_not_give_the_code_away(exercise, part_of):
    assert_reports_keep_the_code(exercise, part_of(exercise.mistakes, FEW), proof.FIRST_SEED)


@pytest.mark.exhaustive
@by_exercise
def test_no_report_gives_the_code_away(exercise):
    assert_reports_keep_the_code(exercise, exercise.mistakes, proof.OTHER_SEEDS[0])


def test_names_are_unique_in_the_course():
    """No exercise and no question has the name of another one."""
    exercises = [exercise.name for unit in units() for exercise in unit.exercises]
    questions = [question.id for unit in units() for question in unit.questions]
    assert len(set(exercises)) == len(exercises)
    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize("unit", UNITS)
def test_questions_match_the_notebook(unit):
    """Every question is asked once, its letters are those of the text, and the solution answers it rightly."""
    cells = notebook(unit.id).cells
    ids = [tags(cell).get("grade_id", "") for cell in cells]
    asked = [id.removeprefix("answer-") for id in ids if id.startswith("answer-")]
    assert sorted(asked) == sorted(question.id for question in unit.questions)
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for question in unit.questions:
        cell = next(c for c in cells if tags(c).get("grade_id") == f"answer-{question.id}")
        namespace = {"np": np, "predict": lambda id, answer: answer}
        exec(cell.source, namespace)
        assert question.reply(namespace["answer"]).right is True
        if isinstance(question, Choice):
            assert all(f"**{letter}" in text for letter in question.replies)
