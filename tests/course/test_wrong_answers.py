"""A known mistake is an edit of the reference, an expression in its place, or a function."""

import ast
import builtins
import dis
import inspect
import linecache

import numpy as np
import pytest

from autograder.execution.call import LocalRunner
from autograder.exercises.wrong import WrongAnswers
from autograder.registry import units
from autograder.specification import Exercise, Output
from transformer_kit import reference

LOGITS = np.array([0.5, 2.0, -1.0])
TEXT = """
    The logits are multiplied.
    A high temperature makes
    all of them alike."""
EDIT = {"logits / float(temperature)": "logits * float(temperature)"}


def exercise(right=reference.apply_temperature):
    return Exercise(right, "do it.", (Output("result"),), where="Temperature")


def only_mistake(change, right=reference.apply_temperature, **more):
    """Return the mistake that an edit or an expression makes of a reference."""
    made = exercise(right)
    wrong = WrongAnswers(made, globals())
    add = wrong.everywhere if more else wrong
    add("multiplied", change, TEXT, **more)
    return made.mistakes[0]


def twice(x):
    """It doubles.
    Nobody asked for that."""
    return 2 * x


def test_an_edit_has_the_code_of_the_reference():
    mistake = only_mistake(EDIT)
    assert (mistake.name, mistake.why) == ("The logits are multiplied", "A high temperature makes all of them alike.")
    assert np.array_equal(mistake.function(LOGITS, 3.0), reference.softmax(3 * LOGITS))
    assert np.array_equal(reference.apply_temperature(LOGITS, 3.0), reference.softmax(LOGITS / 3))
    assert (mistake.function.__name__, mistake.function.__module__) == ("multiplied", __name__)
    assert inspect.signature(mistake.function) == inspect.signature(reference.apply_temperature)


def test_an_expression_may_use_names_of_the_module():
    function = only_mistake("apply_temperature(twice(logits), temperature)").function
    assert np.array_equal(function(LOGITS, 3.0), reference.softmax(LOGITS * 2 / 3))


def test_two_texts_can_be_exchanged():
    exchange = {"as_float(Q)": "as_float(K)", "as_float(K)": "as_float(Q)"}
    function = only_mistake(exchange, reference.attention_scores).function
    assert np.array_equal(function(np.eye(2), np.eye(3, 2)), reference.attention_scores(np.eye(3, 2), np.eye(2)))


def test_a_small_slip_names_mistakes_and_claims():
    made = exercise()

    @made.claim(1)
    def values(call, rng):
        """is right"""

    wrong = WrongAnswers(made, globals())
    wrong("multiplied", EDIT, TEXT)
    wrong.small("multiplied", values)
    assert made.mistakes[0].costs == {values}
    for ids, test in (("divided", values), ("multiplied", twice)):
        with pytest.raises(ValueError, match=r"no mistakes or claims (divided|twice)"):
            wrong.small(ids, test)


def test_private_functions_of_the_reference_can_be_edited():
    function = only_mistake({"logits, -np.inf": "logits, 0.0"}, reference.top_k_filter).function
    assert function(LOGITS, 1).tolist() == [0, 2, 0]
    assert reference.top_k_filter(LOGITS, 1).tolist() == [-np.inf, 2, -np.inf]


def test_an_edit_can_be_made_everywhere():
    function = only_mistake({"axis=axis": "axis=0"}, reference.softmax, times=2).function
    assert np.array_equal(function(np.eye(2)[:, :1]), reference.softmax(np.eye(2)[:, :1], axis=0))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"no such words": "x"}, "<apply_temperature, multiplied>: 'no such words' stands 0 times"),
        ({"logits": "x"}, "'logits' stands [0-9]+ times in the reference, not 1"),
        ({"float(temperature)": "float(temperature)"}, "<apply_temperature, multiplied>: the edit changes nothing"),
        ({"logits / float": "1 / float", "/ float(temperature)": "* 2"}, "multiplied>: two edits overlap"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(edit, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(").replace(")", r"\)")):
        only_mistake(edit)


def test_an_error_is_known_by_its_line():
    wrong = only_mistake({"temperature < 0": "temperature < 5"}).function
    error = LocalRunner(wrong, inspect.signature(reference.apply_temperature))((LOGITS, 3.0), {}).error
    assert error.line.startswith("raise ValueError(")
    assert "temperature < 5" in inspect.getsource(wrong)


def test_a_function_has_an_id_and_a_heading():
    made = exercise()
    wrong = WrongAnswers(made, globals())
    assert wrong.function(twice) is twice
    wrong.at("Elsewhere")
    wrong.named("2-times")(twice)
    assert [(m.id, m.where) for m in made.mistakes] == [("twice", "Temperature"), ("2-times", "Elsewhere")]


def test_edits_and_expressions_use_no_undefined_name():
    """A name that is missing would only be an error when the function is called."""
    mistakes = [(e.name, mistake) for unit in units() for e in unit.exercises for mistake in e.mistakes]
    made = [(name, mistake) for name, mistake in mistakes if mistake.function.__code__.co_filename.startswith("<")]
    assert len(made) > 1000
    missing = {(name, mistake.id): unknown_names(mistake.function) for name, mistake in made}
    assert {place: names for place, names in missing.items() if names} == {}


def unknown_names(function):
    """Return the global names that a function, or one within it, uses and that are not there."""
    codes, used = [function.__code__], set()
    while codes:
        code = codes.pop()
        used |= {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
    return used - set(function.__globals__) - set(vars(builtins))


def test_no_edit_only_rewrites_the_right_answer():
    for exercise in (exercise for unit in units() for exercise in unit.exercises):
        module = ast.parse(inspect.getsource(inspect.getmodule(exercise.reference)))
        right = {without_docstring(part) for part in module.body if isinstance(part, ast.FunctionDef)}
        for mistake in exercise.mistakes:
            file = mistake.function.__code__.co_filename
            if file.startswith("<"):
                parts = ast.parse("".join(linecache.getlines(file))).body
                assert {without_docstring(part) for part in parts} - right, (exercise.name, mistake.id)


def without_docstring(function):
    """Return the tree of a function as a text, without its docstring."""
    statements = function.body[ast.get_docstring(function) is not None :]
    return ast.dump(ast.Module([*function.args.args, *statements], []))
