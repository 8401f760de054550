"""Specification of `masked_attention`."""

import math

import numpy as np

from autograder.exercises.inputs import agrees_here, random_mask
from autograder.exercises.unit_03_masking import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

ON_THE_WEIGHTS = "Find the error: the mask on the weights"
EMPTY = "Predict: a row with nothing to see"
CONVENTION = "The convention of this course"

EXERCISE = Exercise(
    reference=reference.masked_attention,
    asks="scaled dot-product attention in which a query sees only what the mask lets through.",
    returns=(Output("output", "(..., n_queries, d_v)"), Output("weights", "(..., n_queries, n_keys)")),
    calls=calls.MASKED_ATTENTION,
    lookalike=lookalikes.MASKED_ATTENTION,
)


def _draw(rng, lengths, leading=(), d_k=3, d_v=8):
    """Draw Q, K and V with scores of standard deviation 1."""
    n_queries, n_keys = lengths
    shapes = (n_queries, d_k), (n_keys, d_k), (n_keys, d_v)
    return tuple(rng.standard_normal((*leading, *shape)) for shape in shapes)


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    V = np.array([[1.0, 10.0, 0.0], [3.0, 20.0, 1.0]])
    hand = np.ones((2, 4)), np.zeros((2, 4)), V, reference.causal_mask(2)  # row 0 of the values, then the mean
    call.agrees_in(result, *hand)
    call.agrees_in(result, *_draw(rng, (4, 6)), random_mask(rng, 4, 6))


@EXERCISE.claim(0.5)
def values(call, rng):
    """averages the visible values"""
    _require_right(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """returns the weights, which are 0 where the mask hides"""
    _require_right(call, rng, 1)


@EXERCISE.claim(0.5)
def extreme_scores(call, rng):
    """survives scores of ±1000"""
    Q, K, V = _draw(rng, (4, 6))
    levels = np.array([1000.0, 0.0, -1000.0, 500.0])  # of the scores of each query
    Q[:, -1], K[:, -1] = levels * np.sqrt(Q.shape[-1]), 1.0
    call.agrees(Q, K, V, random_mask(rng, 4, 6))
    call.agrees(Q, K, V)
    is_hidden = np.arange(6) == 5
    high = np.where(is_hidden[:, None], 2 * K, K)  # a score that must not make the visible ones underflow
    call.agrees(Q, high, V, ~is_hidden[None])


def _changed(A, rows, new):
    return np.where(rows[:, None], new, A)


def _output(call, Q, K, V, mask):
    output, _ = call.results(Q, K, V, mask)
    return call.is_array(output, (*Q.shape[:-1], V.shape[-1]), "f")


def _hidden_tokens_do_not_matter(call, rng, tokens, mask, query):
    """Change what is hidden from one query (from all where `query` is None); nothing it gets may move."""
    Q, K, V = tokens
    rows = slice(None) if query is None else slice(query, query + 1)
    hidden = ~mask[rows][0]
    before = _output(call, Q, K, V, mask)[rows]
    K_changed, V_changed = (_changed(A, hidden, 100 * rng.standard_normal(A.shape)) for A in (K, V))
    after = _output(call, Q, K_changed, V_changed, mask)[rows]
    with np.errstate(invalid="ignore"):
        moved = np.abs(after - before).max()
    message = f"changing tokens that are hidden from a query moves its output by {moved:.6g}; it must not move."
    call.holds(moved <= 1e-12, message)
    after = _output(call, Q, K, _changed(V, ~hidden, V + 1), mask)[rows]
    with np.errstate(invalid="ignore"):
        moved = np.abs(after - before).max()
    call.holds(moved > 1e-3, "changing visible tokens does not move the output, so it cannot be attention.")


@EXERCISE.claim(0.5)
def nothing_leaks(call, rng):
    """no hidden token moves an output (the leak test)"""
    Q, K, V = _draw(rng, (4, 6))
    same_for_all = random_mask(rng, 1, 6)
    same_for_all[:, rng.integers(4)] = False  # which a causal mask shows to somebody
    for mask, hidden in ((same_for_all, None), (reference.causal_mask(4, 6), 1)):
        _hidden_tokens_do_not_matter(call, rng, (Q, K, V), mask, hidden)


@EXERCISE.claim(0.5)
def nothing_visible(call, rng):
    """a query that may attend to nothing gets weights 0 and output 0"""
    mask = random_mask(rng, 4, 6)
    mask[int(rng.integers(4))] = False
    call.agrees_quietly(*_draw(rng, (4, 6)), mask)


@EXERCISE.claim(0.5)
def no_mask(call, rng):
    """without a mask it is ordinary attention"""
    call.agrees(*_draw(rng, (3, 5)))


@EXERCISE.claim(0.5)
def causal_and_padding(call, rng):
    """takes causal and padding masks together, with any leading axes"""
    is_token = np.arange(6) < np.array([6, 4, 5])[:, None]
    mask = reference.combine_masks(reference.causal_mask(4, 6), reference.padding_mask(is_token))
    call.agrees(*_draw(rng, (4, 6), (3,)), mask)
    call.agrees(*_draw(rng, (4, 6), (2, 3)), mask)  # one mask per sequence, for two sets of them
    call.agrees(*_draw(rng, (5, 7), (2, 3)), random_mask(rng, 2, 1, 5, 7))
    call.agrees(*_draw(rng, (1, 6), (1, 3)), random_mask(rng, 1, 6))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    tokens, mask = _draw(rng, (4, 7)), random_mask(rng, 4, 7)
    call.leaves_inputs_alone(*tokens, mask)
    call.agrees(*tokens, mask)
    agrees_here(call, *(rng.integers(-1, 2, A.shape) for A in tokens), mask)
    agrees_here(call, *(A.astype(np.float32) for A in tokens), mask)


wrong = WrongAnswers(EXERCISE, globals())

WEIGHTS = "masked_softmax(attention_scores(Q, K), mask)"  # as it stands in the reference
ON_WEIGHTS = "softmax(attention_scores(Q, K)) * (True if mask is None else mask)"  # in its place
FILLED = "np.where(True if mask is None else mask, attention_scores(Q, K), {})"


def normalised(weights):
    """Divide by the sum, except where it is 0."""
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


wrong("mask-ignored", {"weights @ as_float(V), weights": "scaled_dot_product_attention(Q, K, V)"}, """
    The mask is accepted but not passed on.
    Every key stays visible. Follow the argument through your code, down to the softmax.""")

wrong.at("The convention of this course")
wrong("inverted", "masked_attention(Q, K, V, None if mask is None else ~mask)", """
    What should be hidden is visible, and the reverse.
    In this course True means “may attend”.""")

wrong.at(ON_THE_WEIGHTS)
wrong("weights-times-mask", {WEIGHTS: ON_WEIGHTS}, """
    The mask is put on the weights, after the softmax.
    Hidden values are gone, but hidden scores still act: the softmax divided by a sum that contains them.""")

wrong("weights-renormalised",
      {WEIGHTS: f"{WEIGHTS} if mask is None else (left := {ON_WEIGHTS}) / left.sum(axis=-1, keepdims=True)"}, """
    The mask is put on the weights, and what is left is divided by its sum.
    A hidden score far above the visible ones leaves nothing of their weights, and then the sum is 0, as it is where
    everything is hidden. Mask the scores, before the softmax.""")

wrong("weights-renormalised-with-care", {WEIGHTS: f"normalised({ON_WEIGHTS})"}, """
    The mask is put on the weights, and what is left is divided by its sum, unless that is 0.
    A hidden score far above the visible ones leaves nothing of their weights, so the query gets nothing at all. Mask
    the scores, before the softmax.""")

wrong("scores-times-mask", {
    "masked_softmax": "softmax",
    "(attention_scores(Q, K), mask)": "(attention_scores(Q, K) if mask is None else attention_scores(Q, K) * mask)",
}, """
    Hidden scores count as 0, or nearly 0, instead of minus infinity.
    exp(0) = 1, so the hidden key keeps a weight. So it does with -1e-9, which is nearly 0 and easily typed for
    -1e9.""")

wrong("infinite-weights", {
    WEIGHTS:
        "softmax(attention_scores(Q, K)) if mask is None else np.where(mask, softmax(attention_scores(Q, K)), -np.inf)",
}, """
    Minus infinity is written into the weights.
    The weights multiply the values, so the output becomes infinite or NaN. Minus infinity belongs to the scores.""")

wrong.at()
wrong("weights-only-shown", {"weights @ as_float(V)": "scaled_dot_product_attention(Q, K, V)[0]"}, """
    The weights that are returned are masked, but the output was made with others.
    The picture of the weights looks right while the output still sees everything. Use the same weights for both.""")

wrong.at("Where the mask stands in the formula")
wrong("not-scaled", {"attention_scores(Q, K)": "Q @ K.swapaxes(-1, -2)"}, """
    The scores are not divided by the square root of d_k.
    Masking does not replace the scale of unit 02: first the scale, then the mask.""")

wrong("scaled-afterwards",
      {"(attention_scores(Q, K), mask)": "(Q @ K.swapaxes(-1, -2), mask) / np.sqrt(Q.shape[-1])"}, """
    The weights are divided by the square root of d_k, not the scores.
    Then no row of weights sums to 1, and the softmax has worked on scores that were too far apart.""")

wrong("scaled-by-values", {"attention_scores(Q, K)": "Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1])"}, """
    The scores are divided by the square root of the width of V.
    The divisor belongs to the dot product of queries and keys, so it is made from their width.""")

wrong("scaled-twice", {"attention_scores(Q, K)": "(attention_scores(Q, K) / math.sqrt(Q.shape[-1]))"}, """
    The scores are divided by d_k itself: a square root is missing, or they are scaled twice.
    The divisor is the square root of d_k, once; `attention_scores` of unit 02 divides by it itself.""")

wrong.at(EMPTY)
wrong("minus-infinity-only", {WEIGHTS: f"softmax({FILLED.format('-np.inf')})"}, """
    A query that may attend to nothing gets NaN.
    The plain softmax of a row of minus infinities has no value. Your `masked_softmax` knows what to do.""")

wrong("large-number", {WEIGHTS: f"softmax({FILLED.format('-1e9')})"}, """
    A query that may attend to nothing attends to everything.
    When every score is -1e9, all scores are equal, so the output is the mean of all the hidden values.""")

wrong.at("How large scores stay harmless")
wrong("no-largest-subtracted", {WEIGHTS: f"normalised(np.exp({FILLED.format('-np.inf')}))"}, """
    The exponentials overflow or vanish.
    A softmax written anew has to be as careful as your `masked_softmax`, which shifts every row before it takes
    exponentials. Use that one.""")

wrong.at()
wrong("mask-needed", {"attention_scores(Q, K), mask": "np.where(mask, attention_scores(Q, K), -np.inf)"}, """
    Without a mask everything is hidden.
    NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.""")

wrong("all-axes-reversed", {"attention_scores(Q, K)": "Q @ K.T / math.sqrt(Q.shape[-1])"}, """
    All axes of K are reversed.
    `.T` also moves the batch to the end. Exchange the last two axes only.""")

wrong("results-exchanged", "masked_attention(Q, K, V, mask)[::-1]", """
    The weights come first and the output second.
    The order is output, weights, as in unit 02.""")

wrong("output-alone", "masked_attention(Q, K, V, mask)[0]", """
    Only the output is returned.
    The weights are a result too: figures and later units look at them.""")

wrong("sum-over-queries", {"(attention_scores(Q, K), mask)": "(attention_scores(Q, K), mask, axis=-2)"}, """
    The weights sum to 1 over the queries.
    Every query shares out its own attention among the keys, so rows sum to 1, not columns.""")


@wrong.function
def in_place(Q, K, V, mask=None):
    """The queries are divided in place.
    An operator such as `/=` writes into the caller's array (and fails on whole numbers). Make a new array."""
    Q /= math.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask)
    return weights @ V, weights


wrong("half-of-d-k", "masked_attention(Q * 2 / math.sqrt(Q.shape[-1]), K, V, mask)", """
    The scores are divided by half of d_k.
    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call
    `attention_scores`.""")

wrong("twice-d-k", "masked_attention(Q / 2 / math.sqrt(Q.shape[-1]), K, V, mask)", """
    The scores are divided by twice d_k.
    A power binds more tightly than a division: `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`, or
    call `attention_scores`.""")

wrong("averages-keys", "masked_attention(Q, K, K, mask)", """
    The keys are averaged, not the values.
    Keys are there to be compared with. What a query takes home is made of values.""")

wrong("keys-ask", "masked_attention(K, Q, V, mask)", """
    Queries and keys are exchanged.
    The rows of the scores belong to the queries. With the keys in front, every key would ask for queries.""")

wrong("always-causal", "masked_attention(Q, K, V, np.tri(Q.shape[-2], K.shape[-2], dtype=bool))", """
    The mask is always the causal one.
    What is hidden is decided by whoever calls the function, by the argument `mask`. It may be the padding, or
    nothing.""")

wrong.at(CONVENTION)
wrong("mask-added", {"attention_scores(Q, K), mask)": "attention_scores(Q, K) + (0 if mask is None else mask))"}, """
    The boolean mask is added to the scores.
    In a sum True counts as 1 and False as 0, so a hidden score is lower by 1 and its key keeps a weight. What is added
    must be minus infinity where a key is hidden.""")

wrong.at()
wrong("hidden-values-zero", {
    "attention_scores(Q, K), mask)": "attention_scores(Q, K))",
    "weights @ as_float(V)": "weights @ (V if mask is None else V * np.any(mask, axis=-2)[..., None])",
}, """
    The values of keys that are hidden from every query become 0, and the weights are those without a mask.
    A hidden key still takes its share of the weights then, and one that is hidden from some queries only is not hidden
    at all. The mask belongs into the softmax.""")
