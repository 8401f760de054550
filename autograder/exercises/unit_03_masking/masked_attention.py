"""Specification of `masked_attention`."""

import math

import numpy as np

from autograder.compare import describe
from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_03_masking.inputs import random_mask, require_array
from transformer_kit import reference
from transformer_kit.leaks import mask_on_weights


def _values(call, rng):
    V = np.array([[1.0, 10.0, 0.0], [3.0, 20.0, 1.0]])
    call.agrees(np.ones((2, 4)), np.zeros((2, 4)), V, reference.causal_mask(2))  # by hand: row 0, then the mean
    call.agrees(*_draw(rng, (4, 6)), random_mask(rng, 4, 6))


def _nothing_leaks(call, rng):
    Q, K, V = _draw(rng, (4, 6))
    for mask, hidden in ((random_mask(rng, 6)[None], None), (reference.causal_mask(4, 6), 1)):
        _hidden_tokens_do_not_matter(call, rng, (Q, K, V), mask, hidden)


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
    told = f"changing tokens that are hidden from a query moves its output by {moved:.6g}; it must not move."
    call.holds(moved <= 1e-12, told)
    after = _output(call, Q, K, _changed(V, ~hidden, V + 1), mask)[rows]
    with np.errstate(invalid="ignore"):
        moved = np.abs(after - before).max()
    call.holds(moved > 1e-3, "changing visible tokens does not move the output, so it cannot be attention.")


def _changed(A, rows, new):
    return np.where(rows[:, None], new, A)


def _output(call, Q, K, V, mask):
    result = call(Q, K, V, mask)
    pair = isinstance(result, tuple | list) and len(result) == 2
    call.holds(pair, f"expected 2 results in this order: output, weights. Got {describe(result)}.")
    return require_array(call, result[0], (*Q.shape[:-1], V.shape[-1]), "f")


def _nothing_visible(call, rng):
    mask = random_mask(rng, 4, 6)
    mask[int(rng.integers(4))] = False
    call.agrees_quietly(*_draw(rng, (4, 6)), mask)


def _no_mask(call, rng):
    call.agrees(*_draw(rng, (3, 5)))


def _causal_and_padding(call, rng):
    is_token = np.arange(6) < np.array([6, 4, 5])[:, None]
    mask = reference.combine_masks(reference.causal_mask(4, 6), reference.padding_mask(is_token))
    call.agrees(*_draw(rng, (4, 6), (3,)), mask)
    call.agrees(*_draw(rng, (4, 6), (2, 3)), mask)  # one mask per sequence, for two sets of them
    call.agrees(*_draw(rng, (5, 7), (2, 3)), random_mask(rng, 2, 1, 5, 7))


def _inputs(call, rng):
    tokens, mask = _draw(rng, (4, 7)), random_mask(rng, 4, 7)
    call.agrees(*tokens, mask)
    call.leaves_inputs_alone(*tokens, mask)
    call.agrees(*(rng.integers(-1, 2, A.shape) for A in tokens), mask)
    call.agrees(*(A.astype(np.float32) for A in tokens), mask)


def _draw(rng, lengths, leading=(), d_k=3, d_v=8):
    """Draw Q, K and V with scores of standard deviation 1."""
    n_queries, n_keys = lengths
    shapes = (n_queries, d_k), (n_keys, d_k), (n_keys, d_v)
    return tuple(rng.standard_normal((*leading, *shape)) for shape in shapes)


def _mask_ignored(Q, K, V, mask=None):
    return reference.scaled_dot_product_attention(Q, K, V)


def _inverted(Q, K, V, mask=None):
    return reference.masked_attention(Q, K, V, None if mask is None else ~mask)


def _weights_times_mask(Q, K, V, mask=None):
    if mask is None:
        return reference.masked_attention(Q, K, V)
    return mask_on_weights(Q, K, V, mask)


def _scores_times_mask(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores if mask is None else scores * mask)
    return weights @ V, weights


def _infinite_weights(Q, K, V, mask=None):
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = np.where(mask, weights, -np.inf)
    return weights @ V, weights


def _only_shown(Q, K, V, mask=None):
    output, _ = reference.scaled_dot_product_attention(Q, K, V)
    return output, reference.masked_attention(Q, K, V, mask)[1]


def _not_scaled(Q, K, V, mask=None):
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask)
    return weights @ V, weights


def _scaled_by_values(Q, K, V, mask=None):
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1]), mask)
    return weights @ V, weights


def _scaled_twice(Q, K, V, mask=None):
    weights = reference.masked_softmax(reference.attention_scores(Q, K) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def _with_softmax_of(fill):
    def masked_attention(Q, K, V, mask=None):
        scores = reference.attention_scores(Q, K)
        weights = reference.softmax(scores if mask is None else np.where(mask, scores, fill))
        return weights @ V, weights

    return masked_attention


def _mask_needed(Q, K, V, mask=None):
    scores = np.where(mask, reference.attention_scores(Q, K), -np.inf)
    weights = reference.masked_softmax(scores)
    return weights @ V, weights


def _transposed_everything(Q, K, V, mask=None):
    weights = reference.masked_softmax(Q @ K.T / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def _exchanged(Q, K, V, mask=None):
    return reference.masked_attention(Q, K, V, mask)[::-1]


def _output_alone(Q, K, V, mask=None):
    return reference.masked_attention(Q, K, V, mask)[0]


def _over_queries(Q, K, V, mask=None):
    weights = reference.masked_softmax(reference.attention_scores(Q, K), mask, axis=-2)
    return weights @ V, weights


def _in_place(Q, K, V, mask=None):
    Q /= math.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask)
    return weights @ V, weights


SECTION = "Exercise 3.6: masked_attention"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
EMPTY = "A row with nothing to see"

EXERCISE = Exercise(
    reference=reference.masked_attention,
    asks="scaled dot-product attention in which a query sees only what the mask lets through.",
    returns=(Returned("output", "(..., n_queries, d_v)"), Returned("weights", "(..., n_queries, n_keys)")),
    where=SECTION,
    claims=(
        Claim("averages the visible values", 1, _values),
        Claim("no hidden token moves an output (the leak test)", 1, _nothing_leaks),
        Claim("a query that may attend to nothing gets weights 0 and output 0", 0.5, _nothing_visible),
        Claim("without a mask it is ordinary attention", 0.5, _no_mask),
        Claim("takes causal and padding masks together, with any leading axes", 0.5, _causal_and_padding),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "mask-ignored",
            "The mask is accepted but not passed on",
            _mask_ignored,
            "Every key stays visible. Follow the argument through your code to the softmax.",
            SECTION,
        ),
        Mistake(
            "inverted",
            "What should be hidden is visible, and the reverse",
            _inverted,
            "In this course True means “may attend”.",
            "The convention of this course",
        ),
        Mistake(
            "weights-times-mask",
            "The mask is put on the weights, after the softmax",
            _weights_times_mask,
            "Hidden values are gone, but hidden scores still act: the softmax divided by a sum that contains them.",
            ON_THE_WEIGHTS,
        ),
        Mistake(
            "scores-times-mask",
            "The scores are multiplied by the mask",
            _scores_times_mask,
            "A hidden score becomes 0, and exp(0) = 1, so the hidden key keeps a weight.",
            ON_THE_WEIGHTS,
        ),
        Mistake(
            "infinite-weights",
            "Minus infinity is written into the weights",
            _infinite_weights,
            "The weights multiply the values, so the output becomes infinite or NaN. "
            "Minus infinity belongs to the scores.",
            ON_THE_WEIGHTS,
        ),
        Mistake(
            "weights-only-shown",
            "The weights that are returned are masked, but the output was made with others",
            _only_shown,
            "The picture of the weights looks right while the output still sees everything. "
            "Use the same weights for both.",
            SECTION,
        ),
        Mistake(
            "not-scaled",
            "The scores are not divided by the square root of d_k",
            _not_scaled,
            "Masking changes nothing about the scale of unit 02: it comes first, the mask second.",
            "Where the mask stands in the formula",
        ),
        Mistake(
            "scaled-by-values",
            "The scores are divided by the square root of the width of V",
            _scaled_by_values,
            "The divisor belongs to the dot product of queries and keys, so it is made from their width.",
            "Where the mask stands in the formula",
        ),
        Mistake(
            "scaled-twice",
            "The scores are divided by the square root of d_k twice",
            _scaled_twice,
            "`attention_scores` of unit 02 has divided already.",
            "Where the mask stands in the formula",
        ),
        Mistake(
            "minus-infinity-only",
            "A query that may attend to nothing gets NaN",
            _with_softmax_of(-np.inf),
            "The plain softmax of a row of minus infinities has no value. Your `masked_softmax` knows what to do.",
            EMPTY,
        ),
        Mistake(
            "large-number",
            "A query that may attend to nothing attends to everything",
            _with_softmax_of(-1e9),
            "When every score is -1e9, all scores are equal, so the output is the mean of all the hidden values.",
            EMPTY,
        ),
        Mistake(
            "mask-needed",
            "Without a mask everything is hidden",
            _mask_needed,
            "NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.",
            SECTION,
        ),
        Mistake(
            "all-axes-reversed",
            "All axes of K are reversed",
            _transposed_everything,
            "`.T` also moves the batch to the end. Exchange the last two axes only.",
            SECTION,
        ),
        Mistake(
            "results-exchanged",
            "The weights come first and the output second",
            _exchanged,
            "The order is output, weights, as in unit 02.",
            SECTION,
        ),
        Mistake(
            "output-alone",
            "Only the output is returned",
            _output_alone,
            "The weights are a result too: figures and later units look at them.",
            SECTION,
        ),
        Mistake(
            "sum-over-queries",
            "The weights sum to 1 over the queries",
            _over_queries,
            "Every query shares out its own attention among the keys, so rows sum to 1, not columns.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The queries are divided in place",
            _in_place,
            "`/=` writes into the caller's array (and fails on whole numbers). Make a new array.",
            SECTION,
        ),
    ),
)
