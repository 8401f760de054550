"""A learner's function that gives nothing to draw gets a sentence, and never a traceback."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.pictures import clocks, leak_meter, ripples
from transformer_kit.pictures.asked import Message, numbers_of


def unwritten(*args):
    raise NotImplementedError


def waits(*args):
    return unwritten(*args)


def breaks(*args):
    return np.ones((2, 3)) @ np.ones((2, 3))


def ragged(*args):
    return [[1.0], [2.0, 3.0]]


WRONG = {
    unwritten: "This picture waits for `unwritten`",
    waits: "This picture waits for `unwritten`",
    breaks: "`breaks` raises ValueError: matmul",
    ragged: "`ragged` returns something other than an array of numbers",
    print: "`print` returns None. Is there a `return`?",
}


@pytest.mark.parametrize(("function", "words"), WRONG.items(), ids=[function.__name__ for function in WRONG])
def test_clocks_of_a_function_that_is_wrong(function, words):
    for functions in (
        (function, reference.positional_encoding),
        (reference.angular_frequencies, function),
        (reference.angular_frequencies, reference.positional_encoding, function),
    ):
        found = clocks(*functions)
        assert isinstance(found, Message)
        assert words in repr(found)


def test_a_wrong_shape_and_numbers_that_are_none():
    def flat(n, d_model, base):
        return np.zeros(n * d_model)

    def infinite(n, d_model, base):
        return np.full((n, d_model), np.inf)

    assert "`flat` returns shape (488,) where (61, 8) is expected" in repr(clocks(reference.angular_frequencies, flat))
    assert "`infinite` returns numbers that are not finite" in repr(clocks(reference.angular_frequencies, infinite))


def test_a_leak_meter_names_the_attention():
    found = leak_meter({"mine": lambda X: X, "the other": lambda X: X[0]}, np.ones((5, 3)), "abcde")
    assert repr(found) == "Nothing to draw: “the other” returns shape (3,) where (5, 3) is expected."


def test_ripples_of_too_few_states():
    assert "shape (2, 2) where (3, 3) is expected" in repr(ripples(["a", "b", "c"], np.ones((3, 3)), np.ones((2, 2))))


def test_a_function_gets_copies():
    def careless(X):
        X += 1
        return X

    X = np.zeros(3)
    assert numbers_of(careless, X, shape=(3,)).tolist() == [1, 1, 1]
    assert X.tolist() == [0, 0, 0]
