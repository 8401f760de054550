"""The grading is proved: every known mistake caught and named, every right style accepted."""

import inspect
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from autograder.check import check
from autograder.exercises import units
from autograder.feedback import as_text
from autograder.questions import Choice
from tests import proof
from tests.course import headings, notebook, solution_functions, tags

EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
UNITS = [pytest.param(unit, id=unit.id) for unit in units()]
CONTRACT = {  # points per unit
    "00_tokens_and_shapes": 10,
    "01_positional_encoding": 20,
    "02_scaled_dot_product_attention": 20,
    "03_masking": 20,
    "04_multi_head_attention": 20,
    "05_cross_attention": 20,
    "06_feed_forward": 20,
    "07_add_and_layer_norm": 20,
    "08_decoding": 20,
    "09_transformer": 40,
    "10_training": 20,
}


def styles_of(unit, exercise):
    return import_module(f"tests.styles.unit_{unit.id[:2]}").STYLES[exercise.name]


def proved(unit, exercise):
    solution = solution_functions(unit.id)[exercise.name]
    return proof.prove(exercise, unit.id, styles_of(unit, exercise), solution)


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_grading_is_sound(unit, exercise):
    """Mistakes lose points and are named as themselves; styles and the solution get all; the stub gets 0."""
    assert proved(unit, exercise).faults == []


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_bank_is_large_enough(unit, exercise):
    """At least five known mistakes and three right styles, each of them another function."""
    styles = styles_of(unit, exercise)
    assert len(exercise.mistakes) >= 5
    assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert len(set(styles)) == len(styles) >= 3
    assert exercise.reference not in styles


@pytest.mark.parametrize("unit", UNITS)
def test_points_are_those_of_the_contract(unit):
    """The points of a unit's claims add up to what the contract promises."""
    assert unit.points == CONTRACT[unit.id]


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_every_pointer_leads_somewhere(unit, exercise):
    """`where` is a heading of the unit's notebook, for the exercise and for every mistake."""
    places = {exercise.where, *(mistake.where for mistake in exercise.mistakes)}
    assert places <= headings(unit.id)


def random_like(array, rng):
    """Return random entries of an array's shape and kind."""
    if array.dtype.kind == "f":
        return rng.standard_normal(array.shape)
    return rng.integers(0, 2 if array.dtype == bool else 9, array.shape).astype(array.dtype)


FILLS = {  # functions of the right array and a random generator
    "zeros": lambda array, rng: np.zeros_like(array),
    "ones": lambda array, rng: np.ones_like(array),
    "NaN": lambda array, rng: np.full(array.shape, np.nan),
    "masked": lambda array, rng: np.ma.masked_all(array.shape, array.dtype),
    "random": random_like,
}
LUCKY = {("encode", "random"): 0.5, ("encoder_layer", "random"): 0.5}  # points that chance may earn: a quarter at most


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


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_worthless_functions_get_nothing(unit, exercise):
    """Returning None, the first argument, zeros, ones, NaN or masked entries earns no point.

    Random entries of the right shape earn none either, but for the exercises in LUCKY.
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


@pytest.mark.parametrize("unit", UNITS)
def test_a_mistake_costs_its_own_exercise_only(unit):
    """With one wrong function in the notebook every other exercise of the unit keeps all its points."""
    namespace = solution_functions(unit.id)
    for exercise in unit.exercises:
        right = namespace[exercise.name]
        others = [namespace[other.name] for other in unit.exercises if other is not exercise]
        for mistake in exercise.mistakes:
            namespace[exercise.name] = mistake.function
            scores = {function.__name__: check(function) for function in others}
            lost = [name for name, score in scores.items() if score.points < score.max_points]
            assert lost == [], f"{mistake.id} in {exercise.name}"
        namespace[exercise.name] = right


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_a_check_that_accepts_everything_is_caught(unit, exercise):
    """Meta-test: the proof fails for a specification whose claims cannot fail."""
    lax = replace(exercise, claims=tuple(replace(c, test=lambda call, rng: None) for c in exercise.claims))
    row = proof.prove(lax, unit.id, (), exercise.reference, seeds=(0,))
    assert row.caught == 0
    assert len(row.faults) >= len(exercise.mistakes)


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_every_claim_can_fail(unit, exercise):
    """Meta-test: each claim fails for at least one known mistake of its exercise."""
    for number, claim in enumerate(exercise.claims):
        alone = replace(exercise, claims=(claim,))
        wrong = [m.function for m in exercise.mistakes]
        assert any(proof.verdict(alone, f, number).points == 0 for f in wrong), claim.name


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


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_no_report_gives_the_code_away(unit, exercise):
    """No report on a known mistake holds a line of the reference or a formula."""
    secrets = code_lines(exercise.reference)
    assert secrets
    for mistake in exercise.mistakes:
        report = as_text(proof.verdict(exercise, mistake.function, 0))
        own = inspect.getsource(mistake.function)  # a report quotes the line that raised an error
        assert [line for line in secrets if line in report and line not in own] == []
        assert "$" not in report


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
