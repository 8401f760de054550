"""Claims and known mistakes stand in one place each: a decorated function, whose docstring has the words."""

import ast
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest

import autograder.exercises
from autograder.exercises.families import SKIPPED
from autograder.registry import find_unit, unit_of, units
from autograder.specification import Claim, Exercise, KnownMistakes, Mistake, Output

EXERCISES = [exercise for unit in units() for exercise in unit.exercises]
FOLDER = Path(autograder.exercises.__file__).parent


def double(x):
    return 2 * x


def doubling(**more):
    """Return an exercise that asks for the double."""
    return Exercise(double, "double x.", (Output("y"),), "Twice", **more)


def three_times(x):
    """It triples the input.
    Two is asked for,
    and three is more.

    It is `2 * x`.
    """
    return 3 * x


def without_docstring(x):
    return x


def without_reason(x):
    """It does nothing."""
    return x


def positive(call, rng):
    """agrees for
    positive numbers
    """


def test_a_mistake_is_what_its_function_says():
    mistakes = KnownMistakes()
    assert mistakes.add(where="Twice")(three_times) is three_times
    reason = "Two is asked for, and three is more. It is `2 * x`."
    assert mistakes == [Mistake("three-times", "It triples the input", three_times, reason, "Twice")]


def test_an_id_need_not_be_a_python_name():
    mistakes = KnownMistakes()
    mistakes.add(where="Twice", id="3-times")(three_times)
    assert [mistake.id for mistake in mistakes] == ["3-times"]


@pytest.mark.parametrize("function", [without_docstring, without_reason])
def test_a_mistake_without_its_words_is_refused(function):
    mistakes = KnownMistakes()
    with pytest.raises(ValueError, match=f"'{function.__name__.replace('_', '-')}' needs a docstring of two parts"):
        mistakes.add(where="Twice")(function)
    assert mistakes == []


def test_an_id_is_refused_the_second_time():
    mistakes = KnownMistakes()
    mistakes.add(where="Twice")(three_times)
    with pytest.raises(ValueError, match="two mistakes with the id 'three-times'"):
        mistakes.add(where="Twice")(three_times)
    assert len(mistakes) == 1


def test_a_claim_is_what_its_test_says():
    exercise = doubling()
    assert exercise.claim(1.5, example=False)(positive) is positive
    assert exercise.claims == [Claim("agrees for positive numbers", 1.5, positive, example=False)]
    assert exercise.points == 1.5


def test_a_claim_needs_words_of_its_own():
    exercise = doubling()
    with pytest.raises(ValueError, match="'without_docstring' needs a docstring"):
        exercise.claim(1)(without_docstring)
    exercise.claim(1)(positive)
    with pytest.raises(ValueError, match="double claims twice: agrees for positive numbers"):
        exercise.claim(1)(positive)
    assert len(exercise.claims) == 1


def test_the_lists_of_an_exercise_are_its_own():
    """What is added elsewhere, or later, changes no exercise."""
    mistakes = KnownMistakes()
    mistakes.add(where="Twice")(three_times)
    exercise, other = doubling(mistakes=mistakes), doubling()
    copy = replace(exercise, claims=[])
    mistakes.add(where="Twice", id="again")(three_times)
    copy.mistakes.add(where="Twice", id="and-again")(three_times)
    copy.claim(1)(positive)
    assert [len(e.mistakes) for e in (exercise, other, copy)] == [1, 0, 2]
    assert [len(e.claims) for e in (exercise, other, copy)] == [0, 0, 1]


def decorated(source):
    """Return the names of the claims' functions and the ids of the known mistakes that a file adds."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            names |= {_name(decorator, node.name) for decorator in node.decorator_list}
        elif isinstance(node, ast.Expr) and ast.unparse(node).startswith(("wrong(", "wrong.everywhere(")):
            names.add(node.value.args[0].value)
    return names - {None}


def taken(name, source):
    """Return the ids of the known mistakes that a file takes from another one of its unit, or adds in a loop."""
    namespace = vars(import_module(f"{autograder.exercises.__name__}.{name}"))
    recorder = Mock(exercise=getattr(namespace.get("wrong"), "exercise", None))
    for node in ast.parse(source).body:
        code = ast.unparse(node)
        if isinstance(node, ast.For) or code.startswith("take_"):
            exec(code, namespace | {"wrong": recorder})
    calls = *recorder.call_args_list, *recorder.everywhere.call_args_list
    return {call.args[0] for call in calls if call.args} - set(SKIPPED)


def _name(decorator, name):
    """Return the name of a claim, or the id of a known mistake, that a decorator adds."""
    match ast.unparse(decorator).split("(")[0].rpartition(".")[2]:
        case "claim":
            return name
        case "named":
            return decorator.args[0].value
        case "function":
            return name.replace("_", "-")


def held(exercises):
    """Return module and name of all that exercises hold, but for the mistakes of a family."""
    functions = [(c.test, c.test.__name__) for e in exercises for c in e.claims]
    functions += [(m.function, m.id) for e in exercises for m in e.mistakes if m.id not in SKIPPED]
    return sorted((function.__module__.split(".", 2)[2], name) for function, name in functions)


def written():
    """Return module and name of all claims and known mistakes that the files of the exercises add."""
    paths = {".".join(path.relative_to(FOLDER).with_suffix("").parts): path for path in FOLDER.glob("unit_*/*.py")}
    sources = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    return sorted((name, f) for name, source in sources.items() for f in (*decorated(source), *taken(name, source)))


def test_what_is_decorated_is_held_by_an_exercise():
    """No list of mistakes is forgotten, and none is held twice."""
    assert held(EXERCISES) == written()


def test_a_forgotten_list_is_found():
    """Meta-test: a known mistake that no exercise holds is a difference."""
    last = EXERCISES[-1]
    assert held([*EXERCISES[:-1], replace(last, mistakes=last.mistakes[:-1])]) != written()
    source = '@wrong.named("y")\ndef f(): 1\n@E.claim(1)\ndef g(): 1\n@cache\ndef h(): 1\nwrong("a-b", "x", "")'
    assert decorated(source) == {"y", "g", "a-b"}


def test_units_are_the_packages_in_their_order():
    folders = {path.parent.name for path in FOLDER.glob("unit_*/*.py")}
    assert [f"unit_{unit.id}" for unit in units()] == sorted(folders)


def test_a_unit_is_found_by_id_and_exercise():
    for unit in units():
        assert find_unit(unit.id) is unit
        assert all(unit_of(exercise) is unit for exercise in unit.exercises)
    with pytest.raises(LookupError, match=r"no unit named '03_maskin'\. Did you mean 03_masking"):
        find_unit("03_maskin")


def test_the_exercises_whose_answer_may_be_none():
    """What the reference may return is declared."""
    declared = {e.name for unit in units() for e in unit.exercises if any(r.may_be_none for r in e.returns)}
    assert declared == {"combine_masks", "first_leak"}
