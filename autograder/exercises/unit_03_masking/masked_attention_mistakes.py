"""The known mistakes of `masked_attention`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.leaks import mask_on_weights

SECTION = "Exercise 3.6: masked_attention"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
EMPTY = "A row with nothing to see"


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


def _no_largest_subtracted(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    exponentials = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    total = exponentials.sum(axis=-1, keepdims=True)
    weights = exponentials / np.where(total == 0, 1, total)
    return weights @ V, weights


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


MISTAKES = (
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
        "The weights multiply the values, so the output becomes infinite or NaN. Minus infinity belongs to the scores.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "weights-only-shown",
        "The weights that are returned are masked, but the output was made with others",
        _only_shown,
        "The picture of the weights looks right while the output still sees everything. Use the same weights for both.",
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
        "no-largest-subtracted",
        "The exponentials overflow or vanish",
        _no_largest_subtracted,
        "A softmax written anew has to be as careful as your `masked_softmax`, which shifts every row before it takes "
        "exponentials. Use that one.",
        "How large scores stay harmless",
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
)
