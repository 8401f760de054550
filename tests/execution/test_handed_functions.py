"""Functions that claims hand over take what is declared of them, in a notebook and in the judge's process alike."""

from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.handed import MAX_NUMBERS, Handed, Numbers, Undeclared, handed_over
from autograder.registry import find, units
from autograder.specification import Exercise, Output
from tests.support import needs
from tests.support.judging import cells, exercise, summary, unit, verdict
from transformer_kit import reference

EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
tanh = Handed("activation", np.tanh, (Numbers(),))
model = Handed("model", lambda prefixes: prefixes / 2, (Numbers("iu", axes=2, name="prefixes"),))
X = np.array([[0.5, -1.0]])


@pytest.mark.parametrize("given", [X, X.astype(np.float16), X.astype(">f8"), X.tolist(), 0.5, np.float32(2), 3, [X, X]])
def test_numbers_are_taken_in_any_form(given):
    np.testing.assert_array_equal(tanh(given), np.tanh(np.asarray(given)))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        ((X, X), {}),
        ((X, np.zeros((1, 2))), {}),
        ((X,), {"where": False}),
        ((X,), {"out": np.zeros((1, 2))}),
        ((X,), {"dtype": object}),
        ((X,), {"self": X}),
        ((), {"array_1": X}),
    ],
)
def test_nothing_else_is_taken(args, kwargs):
    with pytest.raises(TypeError, match=r"^activation is called as activation\(array_1, /\): "):
        tanh(*args, **kwargs)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, "x", 1j, 10**30, [[1], [1, 2]], ["x"], [None], np.tanh, X > 0, X.astype(object)),
        *(X.astype(complex), X.astype("M8[s]"), np.array(["x"]), np.ma.masked_array(X), X.view(np.matrix)),
    ],
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError, match="expected an array of integers or floating-point numbers, got"):
        tanh(value)


def test_extended_precision_is_refused_where_it_is_extended():
    extended = X.astype(np.longdouble)
    if extended.dtype.itemsize == 8:
        assert tanh(extended).dtype == np.float64
    else:
        with pytest.raises(TypeError, match="got something else"):
            tanh(extended)


@pytest.mark.parametrize(
    "many", [np.ones(MAX_NUMBERS + 1), np.ones((0, 1 << 26)), np.broadcast_to(1.0, (1 << 20,) * 2)]
)
def test_too_many_numbers_are_refused(many):
    itself = []
    itself.append(itself)
    for value in (many, [many], itself):
        with pytest.raises(ValueError, match="more than 4096 numbers"):
            tanh(value)


def test_contract_names_are_accepted_and_axes_count():
    prefixes = np.array([[0, 2], [0, 4]])
    for result in (model(prefixes), model(prefixes=prefixes), model(prefixes.tolist())):
        np.testing.assert_array_equal(result, [[0, 1], [0, 2]])
    with pytest.raises(TypeError, match="expected an array of integers with 2 axes, got an array of shape"):
        model(prefixes[0])
    with pytest.raises(TypeError, match="dtype float64"):
        model(prefixes / 2)


def test_a_result_is_new_or_a_view():
    inner = np.arange(3.0)
    back = Handed("back", lambda x: inner, (Numbers(),))(X)
    assert not np.shares_memory(back, inner)
    view = Handed("view", lambda x: x[::-1], (Numbers(),))(X)
    assert np.shares_memory(view, X)
    with pytest.raises(TypeError, match="has no numbers for"):
        Handed("odd", lambda x: x.astype(object), (Numbers(),))(X)


def test_every_function_is_wrapped_and_nothing_else_is():
    args, kwargs = handed_over((X, np.tanh), {"g": np.cos, "n": 2}, ["x", "f", "g", "n"], {"f": (), "g": ()})
    assert args[0] is X
    assert kwargs["n"] == 2
    assert all(isinstance(function, Handed) for function in (args[1], kwargs["g"]))
    assert handed_over((X, X, X), {}, ["masks"], {})[0] == (X, X, X)
    with pytest.raises(Undeclared, match="argument f"):
        handed_over((X, np.tanh), {}, ["x", "f"], {"g": ()})


def test_an_undeclared_callback_stops_the_evaluation():
    """It is the specification's fault, and costs nobody a point."""
    careless = Exercise(lambda x, f: f(x), asks="", returns=(Output("output"),), where="")

    @careless.claim(1)
    def claimed(call, rng):
        """hands over what it likes"""
        call.agrees(X, np.tanh)

    with pytest.raises(Undeclared):
        evaluate(careless, LocalRunner(lambda x, f: f(x), signature(careless.reference)))


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_what_is_declared_is_a_parameter(unit, exercise):
    assert set(exercise.hands) <= set(signature(exercise.reference).parameters)


MISUSED = {
    "position_wise_ffn": (
        "X, params, activation=relu",
        *("activation(X @ params.W_1, where=False)", "activation(hidden=X)", "activation(X, X)", "activation('x')"),
        *("activation(np.ones(5000))", "activation(X > 0)", "activation(print)", "activation(None)"),
    ),
    "pre_norm": ("X, sublayer, gamma, beta, eps=1e-5", "sublayer(X, eps)", "sublayer(X=X)", "sublayer({})"),
    "greedy_decode": (
        "next_log_probs, bos_id, eos_id, max_len",
        *("next_log_probs([bos_id])", "next_log_probs(np.array([[0.5]]))", "next_log_probs(ids=[[bos_id]])"),
    ),
}


@needs.linux
@pytest.mark.parametrize("name", MISUSED)
def test_a_notebook_refuses_in_the_same_words(worker, name):
    """Points and messages are those of a judge."""
    number = {"position_wise_ffn": 6, "pre_norm": 7, "greedy_decode": 8}[name]
    parameters, *calls = MISUSED[name]
    for call in calls:
        source = f"def {name}({parameters}):\n    return {call}"
        module = {"np": np, "relu": reference.relu}
        exec(compile(source, "<cell>", "exec"), module)
        local = evaluate(find(name), LocalRunner(module[name], signature(find(name).reference)))
        remote = verdict(worker, unit(number), exercise(unit(number), name), [*cells(unit(number)), source])
        messages = [[result.message.split(" at line")[0] for result in one.results] for one in (local, remote)]
        assert messages[0] == messages[1]
        assert local.points == remote.points == 0
        assert any("TypeError" in text or "ValueError" in text for text in messages[0])
        assert summary(local)[0] == summary(remote)[0]
