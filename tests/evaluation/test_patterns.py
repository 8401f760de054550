"""Where no known mistake fits, how a wrong result differs from the right one is put into words, or nothing is said."""

import inspect
from collections import namedtuple

import numpy as np
import pytest

from autograder.evaluation import evaluate as engine
from autograder.evaluation import patterns
from autograder.evaluation.patterns import errors
from autograder.evaluation.trials import Trial
from autograder.execution.call import LocalRunner, run
from autograder.execution.compare import compare
from autograder.execution.outcome import Outcome
from autograder.registry import find, units
from autograder.specification import Exercise, Output
from tools.bank import specimens

RNG = np.random.default_rng(11)
X = RNG.standard_normal((5, 7))
BATCH = RNG.standard_normal((3, 5, 7))
SQUARE = RNG.standard_normal((5, 5))
WEIGHTS = np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)
MASK = RNG.random((5, 7)) > 0.4
EMPTY = MASK & (np.arange(5) != 2)[:, None]  # row 2 is hidden
KEPT = MASK & (np.cumsum(MASK).reshape(MASK.shape) > 3)  # without the first three
ANGLES = np.arange(5)[:, None] * np.array([1.0, 0.3, 0.1])
IDS = np.array([3, 14, 15, 92, 65, 35])
OUTPUT = (Output("output"),)
TWO = (Output("output"), Output("weights"))
THREE = (Output("dQ"), Output("dK"), Output("dV"))


def said(*calls, returns=OUTPUT):
    """Return what is said of calls, each a wrong result, the right one and the arguments; the last one failed."""
    names = [f"call {number}" for number in range(len(calls))]
    rights = {name: expected for name, (_, expected, *_) in zip(names, calls, strict=True)}

    def reference(name, x=None, mask=None, K=None, params=None, width=None):
        return rights[name]

    exercise = Exercise(reference, "", returns, "")
    given = [*zip(names, calls, strict=True)]
    trials = [Trial((name,), dict(*rest), Outcome("returned", got)) for name, (got, _, *rest) in given]
    return patterns.structure(exercise, compare(trials[-1].outcome.value, calls[-1][1], returns), trials)


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (SQUARE.T, SQUARE, "The numbers are right, but the two axes are exchanged: the result is transposed."),
        (X.T, X, "the two axes are exchanged"),
        (np.swapaxes(BATCH, 1, 2), BATCH, "the last two axes are exchanged"),
        (BATCH.transpose(2, 0, 1), BATCH, "the axes are there in the order (2, 0, 1) instead of (0, 1, 2)"),
        (MASK.T, MASK, "the two axes are exchanged"),
        (np.tri(7, dtype=bool).T, np.tri(7, dtype=bool), "the two axes are exchanged"),
        (X[None], X, "only an axis of length 1 is too many"),
        (X[0], X[:1], "only an axis of length 1 is missing"),
        (X.reshape(35), X, "`reshape` gives another one"),
        (BATCH, BATCH.sum(0), "The sum of your result along axis 0 would be right"),
        (BATCH.mean(1), BATCH, "Yours is the mean of the right result along axis 1"),
        (BATCH[0], BATCH, "the right result for the first entry along axis 0 alone"),
        (X[:-1], X, "1 row is missing at the end; the rest is right"),
        (X, X[:, 2:], "2 columns are too many at the beginning"),
        (X[::-1], X, "The rows are right, but in reverse order"),
        (X[:, [1, 0, 3, 2, 5, 4, 6]], X, "The columns are right, but in the order 1, 0, 3, 2, 5, 4, 6"),
        (np.vstack([X[1:], X[:1] ** 2]), X, "Off by one: your row i is what row i + 1 should be"),
        (np.hstack([X[:, :1] ** 2, X[:, :-1]]), X, "your column i is what column i - 1 should be"),
        (np.append(IDS[1:], 1), IDS, "your entry i is what entry i + 1 should be"),
        (RNG.permutation(X.ravel()).reshape(X.shape), X, "All the right numbers are there, but in other places"),
        (X.T.reshape(5, 7) ** 2, X.reshape(5, 7), ""),
        (X[0], X, "first entry along axis 0 alone"),
        (BATCH.transpose(1, 0, 2) ** 2, BATCH, "The axes have the right lengths, but in another order"),
        (SQUARE[0] ** 2, np.stack([SQUARE, SQUARE]), "Axes are missing in front"),
    ],
)
def test_right_numbers_at_other_places(got, expected, words):
    found = said((got, expected))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (X * 8**0.5, X, "Every entry is sqrt(8) times what it should be."),
        (X / 8**0.5, X, "Every entry is sqrt(1/8) times"),
        (X * (6 / 7) ** 0.5, X, "Every entry is sqrt(6/7) times what it should be."),
        (X * 2 / 3, X, "Every entry is 2/3 times"),
        (X * 4, X, "Every entry is 4 times"),
        (X / 15, X, "Every entry is 1/15 times"),
        (X / np.log(2), X, "Every entry is 1/ln(2) (1.4427) times"),
        (X * 1.2345, X, "Every entry is 1.2345 times"),
        (-X, X, "Every entry has the wrong sign"),
        (X + 0.25, X, "off by the same amount, 0.25"),
        (X * 0, X, "Every entry of your result is 0: was it never filled, or does everything cancel?"),
        (np.full((5, 7), 0.2), X, "Every entry is 0.2; the right ones differ"),
        (np.log(WEIGHTS), WEIGHTS, "Every entry is the logarithm of what it should be"),
        (np.exp(X), X, "Every entry is the exponential of what it should be"),
        (1 - X, X, "Every entry is one minus what it should be"),
        (np.exp(-1.25), -1.25, "Your result is the exponential of what it should be"),
        (np.abs(X), X, "right in size, but none is negative"),
        (np.maximum(X, 0), X, "the negative ones have become 0"),
        ((9 * X).astype(int), 9 * X, "Every entry is the right one, but cut off to an integer"),
        (np.round(99 * X), 99 * X, "rounded to an integer"),
        (X * np.arange(2, 7)[:, None], X, "In each row all entries are off by one factor"),
        (X * np.arange(2, 9), X, "In each column all entries are off by one factor"),
        (X + np.arange(1, 6)[:, None], X, "In each row all entries are off by one amount"),
        (np.sin(np.deg2rad(ANGLES)), np.sin(ANGLES), ""),
        (
            np.hstack([np.sin(np.deg2rad(ANGLES)), np.cos(np.deg2rad(ANGLES))]),
            np.hstack([np.sin(ANGLES), np.cos(ANGLES)]),
            "taken as degrees",
        ),
        (np.exp(X) / np.exp(X).sum(0), WEIGHTS, "should sum to 1 along axis -1; yours do so along axis -2"),
        (WEIGHTS**2, WEIGHTS, "Every entry is the square of what it should be"),
        (WEIGHTS + X**2, WEIGHTS, "should sum to 1 along axis -1; yours do not"),
        (
            np.exp(X) / (np.exp(X).sum(axis=1, keepdims=True) + 0.01),
            WEIGHTS,
            "Entries are too small, by at most 0.003 of their size, and none is too large: is a small number added to",
        ),
        (X * (1 + 0.001 * WEIGHTS), X, ""),
        (X * (1 - 0.01 * (WEIGHTS - 0.2)), X, ""),
        (WEIGHTS, X, ""),
        (RNG.standard_normal((5, 7)), X, ""),
        (X[:1, :2] * 3, X[:1, :2], ""),
        (3 * np.ones((5, 7)), np.ones((5, 7)), ""),
        (3.0, 4.0, ""),
        (X + 1e-6, X, ""),
        (np.round(X, 8), X, "The numbers are the right ones rounded to 8 decimals"),
        (X + 1e-9 * np.sin(np.arange(35)).reshape(5, 7), X, "The last digits are wrong, beyond those of float32"),
    ],
)
def test_arithmetic(got, expected, words):
    """Each pattern is put into words; noise, and what may be a coincidence, is not."""
    found = said((got, expected))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "arguments", "words"),
    [
        (
            X * (6 / 7) ** 0.5,
            {"K": np.ones((6, 7))},
            "6 is `K.shape[-2]`, 7 is `K.shape[-1]`: which did you divide by?",
        ),
        (X / 7**0.5, {"K": np.ones((6, 7))}, "sqrt(1/7) times what it should be; 7 is `K.shape[-1]`."),
        (X * 5, {"x": X}, "; 5 is `x.shape[-2]`: a sum where a mean is asked for, or a mean in a divisor?"),
        (X / 7, {"x": X}, "7 is `x.shape[-1]`: a mean where a sum is asked for, or a sum in a divisor?"),
        (X * 7**0.5 / 8, {"K": np.ones((6, 7))}, "sqrt(7/64) times what it should be; 7 is `K.shape[-1]`."),
        (X / 28**0.5, {"K": np.ones((6, 7))}, "sqrt(1/28) times what it should be; 7 is `K.shape[-1]`."),
        (X * 7**0.5 / 2, {"K": np.ones((4, 7))}, "sqrt(7/4) times what it should be; 7 is `K.shape[-1]`."),
        (X * 11, {"width": 11}, "11 is `width`: a sum where a mean is asked for, or a mean in a divisor?"),
        (X * 0.7, {"width": 0.7}, "7/10 times what it should be; 0.7 is `width`."),
        (X * 2, {"x": np.ones((4, 2))}, "Every entry is 2 times what it should be."),
        (X / 2, {"K": np.ones((3, 4))}, "Every entry is 1/2 times what it should be."),
    ],
)
def test_factors_made_of_sizes(got, arguments, words):
    assert words in said((got, X, arguments))


@pytest.mark.parametrize(
    ("got", "expected", "arguments", "words"),
    [
        (SQUARE, SQUARE**2 - 1, {"x": SQUARE}, "Your result is `x` as it was given"),
        (X - 2 * WEIGHTS, X - WEIGHTS, {"x": WEIGHTS}, "Your result plus `x` would be right"),
        (X + X[0], X, {"x": X[0]}, "Your result minus `x` would be right"),
        (X, X * X[0], {"x": X[0]}, "Your result times `x` would be right"),
        (X, X @ BATCH[0].T, {"K": BATCH[0].T}, "Your result @ `K` would be right"),
        (
            X,
            X + X[1],
            {"params": namedtuple("Params", "W b")(SQUARE, X[1])},
            "Your result plus `params.b` would be right",
        ),
        (X, X * 2 + SQUARE[0, 0], {"x": np.ones((5, 7))}, ""),
    ],
)
def test_arguments_that_are_missing(got, expected, arguments, words):
    found = said((got, expected, arguments))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "expected", "arguments", "words"),
    [
        (np.where(np.arange(7) % 2, 9.0, X), X, {}, "in the odd columns (counted from 0)"),
        (np.where(np.arange(7) < 4, X, 9.0), X, {}, "in the columns from 4 on"),
        (np.where(np.arange(7) < 4, 9.0, X), X, {}, "in the first 4 columns"),
        (np.where(np.arange(7) == 6, 9.0, X), X, {}, "wrong only in the last column"),
        (np.where(np.arange(5)[:, None] == 3, 9.0, X), X, {}, "wrong only in row 3 (counted from 0)"),
        (np.where(np.arange(5)[:, None] == 0, X, X**2), X, {}, "Only the first row is right"),
        (np.concatenate([BATCH[:1], BATCH[1:] ** 2]), BATCH, {}, "Only the first entry along axis 0 is right"),
        (np.stack([X, X**2]), np.stack([X, X]), {}, "Along axis 0 only the first entry is right"),
        (np.where(MASK, X, 9.0), X, {"mask": MASK}, "wrong only where `mask` is False"),
        (np.where(MASK, 9.0, X), X, {"mask": MASK}, "wrong only where `mask` is True"),
        (np.where(EMPTY.any(1)[:, None], X, 9.0), X, {"mask": EMPTY}, "in rows in which `mask` hides everything"),
        (np.where(X < 0, 9.0, X**2), X**2, {"x": X}, "wrong only where `x` is negative"),
        (np.where(np.tri(5), SQUARE, 9.0), SQUARE, {}, "wrong only above the diagonal"),
        (np.where(np.eye(5), 9.0, SQUARE), SQUARE, {}, "wrong only on the diagonal"),
        (np.where(MASK, np.nan, X), X, {}, f"{MASK.sum()} of 35 entries are NaN"),
        (X * np.nan, X, {}, "Every entry is NaN"),
        (
            np.where(np.arange(5)[:, None] == 4, 0.0, X),
            X,
            {},
            "nothing but 0 in the last row: does a loop end too early?",
        ),
        (np.where(np.arange(5)[:, None] < 2, 0.0, X), X, {}, "in the first 2 rows: does a loop begin too late?"),
        (np.where(np.arange(5)[:, None] == 3, 0.0, X), X, {}, "in row 3 (counted from 0): is it ever filled?"),
        (np.eye(5)[[0, 3, 1, 2]] * [[1], [1], [1], [0]], np.eye(5)[[0, 3, 1, 2]], {}, "nothing but 0 in the last row"),
        (np.nan, 0.25, {}, "Your result is NaN, not a number"),
        (KEPT, MASK, {}, "3 entries are False and should be True; none is wrong the other way round."),
        (KEPT * 1.0, MASK * 1.0, {}, "3 entries are 0 and should be 1; none is wrong the other way round."),
        (np.where(KEPT, X, -np.inf), np.where(MASK, X, -np.inf), {}, "3 entries are -inf and should be a number;"),
        (np.where(MASK, X, -np.inf), np.where(KEPT, X, -np.inf), {}, "3 entries are a number and should be -inf;"),
        (np.where(MASK, 2 * X, -np.inf), np.where(KEPT, X, -np.inf), {}, ""),
        (np.where(MASK, X, 9.0), X, {"mask": MASK[:, :3]}, ""),
        (np.where(np.arange(2), X[:, :2], 9.0), X[:, :2], {}, ""),
        (np.where(np.arange(7) % 2, 9.0, X[0]), X[0], {}, ""),
        (np.eye(5)[[0, 0, 0]], np.eye(5)[[0, 1, 2]], {}, ""),
    ],
)
def test_one_wrong_part(got, expected, arguments, words):
    found = said((got, expected, arguments))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (~np.tri(7, dtype=bool), "True and False are exchanged"),
        (np.tri(7, k=-1, dtype=bool), "wrong only on the diagonal"),
        (np.tri(7, k=1, dtype=bool), "Off by one: your column i is what column i - 1 should be"),
        (np.tri(7, dtype=bool) & (np.arange(7) != 2), "5 entries are False and should be True; none is wrong"),
        (np.tri(7), "The result is right, with 1 for True and 0 for False"),
        (np.tri(7, dtype=bool) ^ np.eye(7, dtype=bool)[::-1], ""),
    ],
)
def test_booleans(got, words):
    found = said((got, np.tri(7, dtype=bool)))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "words"), [(X * 4, "Every entry is 4 times"), (X + 0.25, "off by the same amount"), (X**2 + X, "")]
)
def test_infinities_have_no_ratio(got, words):
    """Entries that are -inf in both, as after a filter, are passed over without a warning."""
    found = said((np.where(MASK, got, -np.inf), np.where(MASK, X, -np.inf)))
    assert words in found
    assert words or not found


@pytest.mark.parametrize(
    ("got", "expected", "returns", "words"),
    [
        ((X * 2, WEIGHTS), (X, WEIGHTS), TWO, "Your `weights` are right; `output` is not. Every entry is 2 times"),
        ((X * 2, WEIGHTS - 1), (X, WEIGHTS), TWO, "`output`: every entry is 2 times what it should be."),
        ((X, SQUARE, BATCH**2), (X, SQUARE, BATCH), THREE, "Of your results only `dV` is wrong."),
        ((WEIGHTS, X), (X, WEIGHTS), TWO, "The two results are exchanged: `weights` comes first."),
        ((SQUARE, X, BATCH), (X, SQUARE, BATCH), THREE, "they come in the order `dK`, `dQ`, `dV`."),
        (X, (X, WEIGHTS), TWO, "What comes back is the right `output`; `weights` are missing."),
        ((X, SQUARE), (X, SQUARE, BATCH), THREE, "the right `dQ` and `dK`; `dV` is missing."),
        ((X, WEIGHTS), X, OUTPUT, "The right result is there, but in a tuple with something else after it."),
        (X.tolist(), X, OUTPUT, "The numbers are right, but in a list: `np.array` makes an array of it."),
        ([3, 1, 4], [4, 1, 3], OUTPUT, "in reverse order"),
        ([3, 1, 4, 1], [3, 1, 4], OUTPUT, "Only the last entry, 1, is too many"),
        ([1, 4, 5], [3, 1, 4, 5], OUTPUT, "Only the first entry, 3, is missing"),
        ([3, 4], [4, 3], OUTPUT, ""),
        ([3, 3, 4], [4, 3, 3], OUTPUT, ""),
        ((X, X, X), (X, WEIGHTS), TWO, ""),
        ((X**2).tolist(), X, OUTPUT, ""),
        (None, X, OUTPUT, ""),
    ],
)
def test_several_results_and_containers(got, expected, returns, words):
    found = said((got, expected), returns=returns)
    assert words in found
    assert words or not found


SYMMETRIC = SQUARE + SQUARE.T
FEW = 3e-7 * np.sin(np.arange(25)).reshape(5, 5)


@pytest.mark.parametrize("expected", [SQUARE, SYMMETRIC, np.tile(SQUARE[0], (5, 1))])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            lambda a: (a + FEW).astype(np.float32).astype(float),
            "the digits of float32, so they are right to about 7 digits",
        ),
        (lambda a: a.astype(np.float16).astype(float), "the digits of float16, so they are right to about 3 digits"),
        (lambda a: a + FEW, "is something on the way computed in float32"),
    ],
    ids=["single", "half", "on the way"],
)
def test_numbers_of_fewer_digits_are_in_their_places(wrong, words, expected):
    text = said((wrong(expected), expected))
    assert words in text
    assert not any(word in text for word in ("places", "order", "transposed"))


def test_right_numbers_have_enough_digits():
    """What is wrong in the fourth digit is no matter of precision, and a divisor that is too large has a sentence."""
    assert "digits" not in said((SQUARE + 300 * FEW, SQUARE))
    assert "added to a divisor" in said((WEIGHTS / (1 + 3e-7), WEIGHTS))


def test_equal_row_sums_are_not_whole_array_weights():
    """Two rows of weights that were halved sum to 1 by chance."""
    assert "together" not in said((WEIGHTS[:2] / 2, WEIGHTS[:2]))


def test_one_factor_is_not_one_per_row():
    """Rows that are all 1.0001 times too large have no different factors."""
    assert "different" not in said((1.0001 * X, X))
    assert "have different factors" in said((X * np.arange(2.0, 7.0)[:, None], X))


def test_another_failing_call_refutes_a_coincidence():
    """A pattern is told only if it holds in every failing call, with the sizes of each."""
    small, large = X[:1, :3], BATCH[0]
    assert "3 times" in said((large * 3, large), (small * 3, small))
    assert said((large**2, large), (small * 3, small)) == ""
    assert "3/4 times" in said((large * 3, large), (small * 0.75, small))  # the factor of the call that is shown
    keys = [np.ones((6, 7)), np.ones((7, 11))]
    text = said(*((large * np.prod(k.shape[:1]) ** 0.5 / k.shape[1] ** 0.5, large, {"K": k}) for k in keys))
    assert "7 is `K.shape[-2]`, 11 is `K.shape[-1]`" in text
    other = said((large * (6 / 7) ** 0.5, large, {"K": keys[0]}), (large * (11 / 7) ** 0.5, large, {"K": keys[1]}))
    assert other == "Every entry is sqrt(11/7) times what it should be."


def test_the_differing_call_need_not_be_last():
    """Its own arguments decide, where a claim makes all its calls before it judges."""
    rights = {"first": X, "second": X + 1}
    exercise = Exercise(lambda name, K: rights[name], "", OUTPUT, "")
    first = Trial(("first", np.ones((6, 7))), {}, Outcome("returned", X / 7**0.5))
    second = Trial(("second", np.ones((7, 6))), {}, Outcome("returned", X + 1))
    found = patterns.structure(exercise, compare(first.outcome.value, X, OUTPUT), [first, second])
    assert found.endswith("7 is `K.shape[-1]`.")


def test_few_entries_suffice_where_another_call_has_many():
    one = np.array([[2.5]])
    assert said((one * 3, one)) == ""
    assert said((X * 3, X), (one * 3, one)) == "Every entry is 3 times what it should be."


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda: X @ X, "as many columns on its left as rows on its right; here 7 meets 5."),
        (lambda: np.dot(X, X), "here 7 meets 5."),
        (lambda: X + np.ones(5), "(5, 7) and (5,) have 7 and 5 at axis -1."),
        (lambda: BATCH + np.ones((4, 1, 7)), "(3, 5, 7) and (4, 1, 7) have 3 and 4 at axis -3."),
        (lambda: np.ones(7).__iadd__(X), "(7,) cannot take in a result of shape (5, 7)."),
        (lambda: X.reshape(4, 9), "An array of 35 numbers cannot get the shape (4, 9), which holds 36."),
        (lambda: X.reshape(3, -1), "35 is no multiple of 3."),
        (lambda: X.copy().__setitem__(slice(3), np.ones(4)), "shape (4,) does not fit where it is put"),
        (lambda: X[np.ones(7, bool)], "axis 0 has 5, the index 7."),
        (lambda: X[5], "Axis 0 has the length 5, so its entries have the numbers 0 to 4: there is no entry 5."),
        (lambda: X[-6], "the numbers -5 to -1: there is no entry -6."),
        (lambda: X.sum(axis=2), "The array has the axes 0 to 1 (or -2 to -1): there is no axis 2."),
        (lambda: X[0].sum(axis=1), "The array has only axis 0 (or -1): there is no axis 1."),
        (lambda: X.transpose(0, 2, 1), "`transpose` needs one number for every axis"),
        (lambda: np.concatenate([X, BATCH[0].T]), "along axis 1 one has 7, another 5."),
        (lambda: X[0, 0, 0], "The array has 2 axes, but got 3 indices."),
        (lambda: bool(X), "need one True or False, and got a whole array."),
        (lambda: (lambda a, b, c: 0)(*X.shape) if 0 else [0 for a, b, c in [X.shape]], "but there are only 2 values"),
        (lambda: [0 for a, b in [BATCH.shape]], "has the array more axes than you count on?"),
        (lambda: np.array([[1, 2], [1]]), "different lengths"),
        (lambda: np.stack([X, X.T]), "must all have the same shape"),
        (lambda: np.einsum("ij->ji", BATCH), "more axes than your einsum has letters"),
        (lambda: np.einsum("ijk->kji", X), "more letters than the array has axes"),
        (lambda: np.array(10) ** np.array(-2), "Integers have no negative powers"),
        (lambda: eval("no_such_name"), "Nothing has the name `no_such_name` yet: run the cell that defines it"),
        (lambda: exec("def late():\n    early\n    early = 1\nlate()"), "Nothing has been put into `early` yet"),
        (lambda: {}["key"], ""),
    ],
)
def test_errors_of_numpy_get_a_plain_sentence(function, words):
    found = errors.sentence(run(function, (), {}).error)
    assert words in found
    assert words or not found
    assert len(found.split()) <= 30


def test_a_missing_earlier_function_can_be_loaded():
    """It can be loaded; one of the same unit or of a later one cannot, and has to be defined."""
    for name, words in (
        ("merge_heads", 'of an earlier unit: bring it here with `merge_heads = load("merge_heads")`.'),
        ("cross_attention", "Nothing has the name `cross_attention` yet"),
        ("decoder_layer", "Nothing has the name `decoder_layer` yet"),
        ("no_such_name", "Nothing has the name `no_such_name` yet"),
    ):
        error = run(lambda name=name: eval(name), (), {}).error
        assert words in errors.sentence(error, find("project_memory").reference.__module__)


def test_an_error_that_is_required_gets_no_sentence():
    """Where the reference raises, too, the message is all there is to say."""
    trial = Trial((X,), {}, run(lambda x: x @ x, (X,), {}))
    for reference, words in ((lambda x: x, "here 7 meets 5"), (lambda x: x @ x, "")):
        found = patterns.structure(Exercise(reference, "", OUTPUT, ""), None, [trial])
        assert words in found
        assert words or not found


def test_any_two_arrays_can_be_compared():
    """Whatever a learner returns, the patterns end in words and never in an error."""
    shapes = [(), (1,), (5,), (7,), (5, 7), (7, 5), (1, 5, 7), (3, 5, 7), (0, 7)]
    results = [fill(shape) for shape in shapes for fill in (np.zeros, np.ones, RNG.standard_normal)]
    results += [result.astype(kind) for result in results for kind in (bool, int, complex)]
    for got in results:
        for expected in (X, MASK, X[None], X[0], np.int64(3)):
            assert isinstance(said((got, expected, {"x": X, "mask": MASK})), str)


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_no_pattern_fails_and_each_is_short(unit, monkeypatch):
    """Of the bank's functions and the known mistakes, everything is said without an error in at most 30 words each."""
    texts = []

    def diagnosed(otherwise, diagnosis, *args, **named):
        if diagnosis is not patterns.structure:
            return otherwise
        texts.append(patterns.structure(*args))
        return texts[-1]

    monkeypatch.setattr(engine, "_diagnosed", diagnosed)
    for exercise in unit.exercises:
        signature = inspect.signature(exercise.reference)
        bank = [specimen.function for specimen in specimens(exercise.name)[::4]]
        for function in (*bank, *(mistake.function for mistake in exercise.mistakes[::4])):
            engine.evaluate(exercise, LocalRunner(function, signature))
    assert any(texts)
    for text in texts:
        sentences = [part for part in text.replace("? ", ". ").split(". ") if part]
        assert len(sentences) <= 2, text
        assert max(map(len, map(str.split, sentences)), default=0) <= 30, text
