"""Where no known mistake fits, the structure of the numbers is put into words."""

import numpy as np
import pytest

from autograder import diagnose
from autograder.call import Trial
from autograder.compare import compare
from autograder.exercise import Exercise, Returned
from autograder.outcome import Outcome

RNG = np.random.default_rng(11)
X = RNG.standard_normal((5, 7))
OUTPUT = (Returned("output"),)
MASK = RNG.random((5, 7)) > 0.4


def sentence(got, expected, *args, returns=OUTPUT):
    """Return the structural diagnosis of one result."""
    exercise = Exercise(lambda *given: expected, "", returns, (), (), "")
    trial = Trial(args, {}, Outcome("returned", got))
    return diagnose.structure(exercise, compare(got, expected, returns), trial)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (X * 8**0.5, "2.82843 (the square root of 8) times"),
        (X / 8**0.5, "1 / 2.82843 (the square root of 8) times"),
        (X * 4, "every entry is 4 times"),
        (-X, "-1 times"),
        (X + 0.25, "off by the same amount, 0.25"),
        (X[::-1], "right numbers are there, but at other places"),
        (X.T, "axes are there, but in another order"),
        (X[None], "one axis of length 1 too many"),
        (X[0], ""),
        (X.reshape(35), "arranged in other axes"),
        (np.where(np.arange(7) % 2, 9.0, X), "even columns are right"),
        (np.where(MASK, X, 9.0), "What is visible is right"),
        (np.where(MASK, 9.0, X), "What the mask hides is right"),
        (np.where(MASK, np.nan, X), f"{MASK.sum()} entries are NaN"),
        (RNG.standard_normal((5, 7)), ""),
    ],
)
def test_patterns(got, words):
    """Each pattern is recognised and put into words; noise is not."""
    found = sentence(got, X, MASK)
    assert words.lower() in found.lower()
    assert words or not found or "leading axes" in found


@pytest.mark.parametrize(
    ("got", "words"), [(X * 4, "Every entry is 4 times"), (X + 0.25, "off by the same amount"), (X**2, "")]
)
def test_infinities_have_no_ratio(got, words):
    """Entries that are -inf in both, as after a filter, are passed over without a warning."""
    hidden = np.where(MASK, X, -np.inf)
    found = sentence(np.where(MASK, got, -np.inf), hidden)
    assert words in found
    assert words or not found
    assert sentence(np.full(3, -np.inf), np.full(3, -np.inf)) == ""


def test_transposed_square():
    """A square array with exchanged axes is recognised."""
    square = RNG.standard_normal((5, 5))
    assert "last two axes exchanged" in sentence(square.T, square)


def test_first_of_the_batch():
    """A function that treats only the first batch entry rightly is told so."""
    batch = RNG.standard_normal((3, 5, 7))
    assert "first entry of the batch is right" in sentence(np.concatenate([batch[:1], batch[1:] ** 2]), batch)


def test_sums_along_the_wrong_axis():
    """Weights that sum to 1 down the columns are told from those along the rows."""
    rows = np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)
    columns = np.exp(X) / np.exp(X).sum(axis=0, keepdims=True)
    assert "sum to 1 along axis 1; yours do so along axis 0" in sentence(columns, rows)
    assert "along no axis" in sentence(rows**2, rows)


def test_masks():
    """Inverted and transposed masks are recognised, and whether too much is allowed or hidden."""
    mask = np.tri(5, dtype=bool)
    assert "True and False are exchanged" in sentence(~mask, mask)
    assert "The mask is transposed" in sentence(mask.T, mask)
    assert "Too much is allowed: 10 entries" in sentence(np.ones((5, 5), bool), mask)
    assert "Too much is hidden: 5 entries" in sentence(np.tri(5, k=-1, dtype=bool), mask)


def test_the_right_results_are_named():
    """Of several results those that are right are told."""
    returns = (Returned("output"), Returned("weights"))
    weights = np.full((5, 2), 0.5)
    assert sentence((X * 2, weights), (X, weights), returns=returns).startswith("Your weights are right. Every entry")


def test_values_that_are_not_arrays_have_no_structure():
    """Numbers, None and missing results are left to the ladder."""
    assert sentence(None, X) == ""
    assert sentence(3, 4) == ""


def test_a_mask_of_other_axes_is_left_alone():
    """A mask that does not fit the result, as that of an attention and its output, says nothing about it."""
    assert sentence(X**2, X, MASK[:, :3], MASK[:2], np.ones((2, 5, 7), bool)) == ""


def test_any_two_arrays_can_be_compared():
    """Whatever a learner returns, the diagnosis ends in words and never in an error."""
    shapes = [(), (1,), (5,), (7,), (5, 7), (7, 5), (1, 5, 7), (3, 5, 7), (0, 7)]
    results = [fill(shape) for shape in shapes for fill in (np.zeros, np.ones, RNG.standard_normal)]
    results += [result.astype(kind) for result in results for kind in (bool, int, complex)]
    for got in results:
        for expected in (X, MASK, X[None], X[0], np.int64(3)):
            assert isinstance(sentence(got, expected, MASK, X > 9), str)
