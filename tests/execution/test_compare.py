"""The ladder fires on its own fault and on nothing else."""

from collections import namedtuple
from math import log

import numpy as np
import pytest

from autograder.execution.compare import alike, compare
from autograder.execution.describe import describe
from autograder.specification import Output

WEIGHTS = Output("weights", "(..., n_queries, n_keys)")
OUTPUT = Output("output")
EXPECTED = np.arange(6.0).reshape(2, 3) / 7


@pytest.mark.parametrize(
    ("got", "rung", "words"),
    [
        (None, "type", "Is a `return` missing, or indented into a branch or a loop?"),
        ([[0.0]], "type", "expected a plain NumPy array, got"),
        (EXPECTED.view(np.matrix), "type", "got a matrix of shape (2, 3)"),
        (EXPECTED.T, "shape", "(..., n_queries, n_keys) = (2, 3), got (3, 2)"),
        (EXPECTED[:, :1], "shape", "(2, 3), got (2, 1)"),
        (0.5, "type", "0.5 (float)"),
        (np.zeros((2, 3), dtype=int), "dtype", "got integers"),
        (EXPECTED > 0, "dtype", "got booleans"),
        (EXPECTED.astype(str), "dtype", "numbers (such as float64), got an array of shape (2, 3) and dtype <U32."),
        (np.where(EXPECTED > 0.5, np.nan, EXPECTED), "finite", "got nan"),
        (EXPECTED + np.array([[0, 0, 0], [0, 0.25, 0]]), "values", "1 of 6 entries differs; namely at index [1, 1]"),
        (EXPECTED + 1, "values", "every entry differs; the first at index [0, 0]: got 1, expected 0"),
    ],
)
def test_rungs(got, rung, words):
    """Each fault stops at its rung and says what was expected and what came."""
    difference = compare(got, EXPECTED, (WEIGHTS,))
    assert difference.rung == rung
    assert words in difference.text


@pytest.mark.parametrize(
    ("may_be_none", "words"), [(False, "or indented into a branch or a loop?"), (True, "(int), got None.")]
)
def test_an_unexpected_none_points_to_a_missing_return(may_be_none, words):
    difference = compare(None, 3, (Output("position", may_be_none=may_be_none),))
    assert difference.text.endswith(words)


def test_equal_within_tolerance():
    """Rounding is forgiven, more is not."""
    assert compare(EXPECTED * (1 + 1e-12), EXPECTED, (WEIGHTS,)) is None
    assert compare(EXPECTED * (1 + 1e-10), EXPECTED, (WEIGHTS,)).rung == "values"


def test_other_float_precision_is_accepted():
    """A float32 result where float64 was expected is compared by value: precision costs nothing."""
    assert compare(np.float32([0.5]), np.float64([0.5]), (WEIGHTS,)) is None


def test_half_precision_is_refused_where_more_is_expected():
    """Its three digits would hide a small mistake, in arrays and in single numbers."""
    for got, expected in ((np.float16([0.1]), np.float32([0.1])), (np.float16(0.1), 0.1)):
        difference = compare(got, expected, (WEIGHTS,))
        assert difference.rung == "dtype"
        assert "got float16, which is too coarse" in difference.text
    assert compare(np.float16([0.1]), np.float16([0.1]), (WEIGHTS,)) is None
    assert compare(np.float16([0.0, -np.inf]), np.array([0.0, -np.inf]), (WEIGHTS,)) is None  # nothing was rounded


def test_infinities_must_agree_in_place_and_sign():
    """-inf equals -inf only at the same place."""
    mask = np.array([0.0, -np.inf])
    assert compare(mask.copy(), mask, (WEIGHTS,)) is None
    assert compare(mask[::-1], mask, (WEIGHTS,)).rung == "finite"
    assert compare(-mask, mask, (WEIGHTS,)).rung == "finite"
    assert compare(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), (WEIGHTS,)) is None


def test_wrong_numbers_beside_an_infinity_are_counted():
    text = compare(np.array([-np.inf, -3.0, -1.0, 0.25]), np.array([0.0, 0.1, 0.3, 0.25]), (WEIGHTS,)).text
    assert "3 of 4 entries differ; one of them at index [0]: got -inf, expected 0" in text


def test_several_results_are_named():
    """A tuple is compared entry by entry; too few or swapped results are reported."""
    pair = (EXPECTED, EXPECTED.T)
    assert compare(pair, pair, (OUTPUT, WEIGHTS)) is None
    assert compare(list(pair), pair, (OUTPUT, WEIGHTS)) is None
    assert "2 results in this order: output, weights" in compare(EXPECTED, pair, (OUTPUT, WEIGHTS)).text
    assert "Got 1 results" in compare((EXPECTED,), pair, (OUTPUT, WEIGHTS)).text
    assert compare(pair[::-1], pair, (OUTPUT, WEIGHTS)).text.startswith("output: expected shape (2, 3), got (3, 2)")
    assert compare((EXPECTED, EXPECTED.T + 1), pair, (OUTPUT, WEIGHTS)).result == "weights"


def test_a_named_tuple_is_compared_by_field():
    """A plain tuple will do; the field that differs is named."""
    gradients, d_params = namedtuple("Params", "W b")(EXPECTED, EXPECTED[0]), Output("d_params", "Params")
    both, returns = (EXPECTED, gradients), (OUTPUT, d_params)
    assert compare(both, both, returns) is None
    assert compare((EXPECTED, list(gradients)), both, returns) is None
    difference = compare((EXPECTED, gradients._replace(b=EXPECTED[0] + 1)), both, returns)
    assert (difference.rung, difference.result) == ("values", "d_params.b")
    too_few = compare((EXPECTED, (EXPECTED,)), both, returns).text
    assert too_few == "expected 2 results in this order: d_params.W, d_params.b. Got 1 results."
    assert compare((EXPECTED, None), both, returns).rung == "type"


@pytest.mark.parametrize(
    ("got", "expected", "same"),
    [
        (3, 3, True),
        (np.int64(3), 3, True),
        (np.array(3), 3, True),
        (np.array([3]), 3, False),
        (4, 3, False),
        (True, 1, False),
        (None, None, True),
        (0, None, False),
        (None, 0, False),
        (0.5 + 1e-12, 0.5, True),
        (1, 1.0, True),
        ((1, 2), (1, 2), True),
        ([1, 2], (1, 2), True),
        ((2, 1), (1, 2), False),
        ((1,), (1, 2), False),
        ((), (1,), False),
        ((np.int64(1), np.int64(2)), (1, 2), True),
        ((1.0, 2.0), (1, 2), False),
        ((True, 2), (1, 2), False),
        (np.array([1, 2]), (1, 2), False),
        ([(-0.5 - 1e-12, (2, 1)), (-np.inf, ())], [(-0.5, (2, 1)), (-np.inf, ())], True),
        ([(np.float64(-0.5), [np.int64(2), 1])], [(-0.5, (2, 1))], True),
        (((-0.5, (2, 1)),), [(-0.5, (2, 1))], True),
        ([(-0.5 - 1e-3, (2, 1))], [(-0.5, (2, 1))], False),
        ([(-0.5, (2, 1)), (-0.7, (3,))], [(-0.5, (2, 1))], False),
        ([(-0.5, (2, 1, 0))], [(-0.5, (2, 1))], False),
        ([((2, 1), -0.5)], [(-0.5, (2, 1))], False),
        ([(-0.5, np.array([2, 1]))], [(-0.5, (2, 1))], False),
        ([], [(-0.5, (2, 1))], False),
        ([], [], True),
        ((1, np.ones(2)), (1, np.ones(2)), True),
        ((1, np.ones(2)), (1, np.ones(3)), False),
        ("a", "a", True),
    ],
)
def test_plain_values(got, expected, same):
    """Integers, None, floats, strings and tuples compare by value and kind."""
    assert (compare(got, expected, (OUTPUT,)) is None) is same


@pytest.mark.parametrize(
    ("got", "rung", "words"),
    [
        (None, "type", "Is a `return` missing, or indented into a branch or a loop?"),
        (np.array([3, 1]), "type", "expected [(-0.5, (3, 1)), (-0.693147, (2,))] (list), got an array of shape (2,)"),
        ([(-0.5, (3, 1))], "shape", "got [(-0.5, (3, 1))] (list). beam: there should be 2 entries, not 1."),
        (
            [(-0.5, (3, 1)), (-np.log(3), (2,))],
            "values",
            "got [(-0.5, (3, 1)), (-1.09861, (2,))] (list). beam[1][0]: expected -0.693147 (float), got -1.09861",
        ),
        ([(-0.5, (3, 0)), (-np.log(2), (2,))], "values", "beam[0][1][1]: expected 1 (int), got 0 (int)."),
        ([(-0.5, (3,)), (-np.log(2), (2,))], "shape", "beam[0][1]: there should be 2 entries, not 1."),
        ([-0.5, -np.log(2)], "type", "beam[0]: expected a tuple, got -0.5 (float)."),
        ([(None, (3, 1)), (-np.log(2), (2,))], "values", "beam[0][0]: expected -0.5 (float), got None."),
    ],
)
def test_nested_sequences_say_where_they_differ(got, rung, words):
    """The whole is shown with short numbers, then the place of the first difference."""
    difference = compare(got, [(-0.5, (3, 1)), (-log(2), (2,))], (Output("beam"),))
    assert difference.rung == rung
    assert words in difference.text


def test_describe_is_short():
    """Long values are cut, arrays are described by shape and dtype."""
    assert describe([(np.float64(-np.log(2)), (np.int64(3),))]) == "[(-0.693147, (3,))] (list)"
    assert describe(((1, 2), [], "a", True)) == "((1, 2), [], 'a', True) (tuple)"
    assert describe(np.zeros((2, 3))) == "an array of shape (2, 3) and dtype float64"
    assert describe((np.zeros(2), np.zeros(3))) == "a tuple of 2 arrays"
    assert describe(None) == "None"
    assert len(describe(list(range(1000)))) < 80


def test_long_texts_begin_where_they_differ():
    one, other = (f"{'the same again, ' * 9}then {word}" for word in ("this", "that"))
    told = compare(one, other, (Output("text"),)).text
    assert told == "text: expected '...e again, then that' (str), got '...e again, then this' (str)."
    assert compare("this", "that", (Output("text"),)).text == "text: expected 'that' (str), got 'this' (str)."


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (EXPECTED, EXPECTED * (1 + 1e-12), True),
        (EXPECTED, EXPECTED * (1 + 1e-10), False),
        (EXPECTED, EXPECTED + 1, False),
        (EXPECTED, EXPECTED[:, :2], False),
        (np.array([np.nan]), np.array([np.nan]), True),
        (np.array([1]), np.array([1.0]), False),
        ((EXPECTED, 1), [EXPECTED, 1], True),
        ((EXPECTED, 1), (EXPECTED,), False),
        (EXPECTED, (EXPECTED, EXPECTED), False),
        (np.float64(0.5), 0.5 + 1e-12, True),
        (float("nan"), float("nan"), True),
        (1, True, False),
        ("a", "a", True),
        (None, None, True),
    ],
)
def test_alike(one, other, same):
    """Two results of any kind are alike when they are of one kind and equal but for rounding."""
    assert alike(one, other) is same


def test_nested_arrays_are_told_by_place_alone():
    """Not all numbers of a cache, but the entry and the field that differ first."""
    layer = namedtuple("Layer", "K V")
    expected = (layer(EXPECTED, EXPECTED[0]), layer(EXPECTED, EXPECTED[1]))
    got = [expected[0], layer(EXPECTED, EXPECTED[1] + 1)]
    difference = compare(got, expected, (Output("cache"),))
    assert difference.text.startswith("cache[1].V: shape (3,) and dtype float64 are right, but every entry differs")
    assert compare([*expected], expected, (Output("cache"),)) is None
    short = compare(expected[:1], expected, (Output("cache"),))
    assert short.text == "cache: there should be 2 entries, not 1."
