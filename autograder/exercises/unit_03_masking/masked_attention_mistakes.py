"""The known mistakes of `masked_attention`."""

import math

import numpy as np

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.experiments.leaks import mask_on_weights

SECTION = "Exercise 3.6: masked_attention"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
EMPTY = "Predict: a row with nothing to see"
CONVENTION = "The convention of this course"

MISTAKES = KnownMistakes()


def _with_hidden_scores(number, Q, K, V, mask):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores if mask is None else np.where(mask, scores, number))
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def mask_ignored(Q, K, V, mask=None):
    """The mask is accepted but not passed on.

    Every key stays visible. Follow the argument through your code, down to the softmax.
    """
    return reference.scaled_dot_product_attention(Q, K, V)


@MISTAKES.add(where="The convention of this course")
def inverted(Q, K, V, mask=None):
    """What should be hidden is visible, and the reverse.

    In this course True means “may attend”.
    """
    return reference.masked_attention(Q, K, V, None if mask is None else ~mask)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def weights_times_mask(Q, K, V, mask=None):
    """The mask is put on the weights, after the softmax.

    Hidden values are gone, but hidden scores still act: the softmax divided by a sum that contains them.
    """
    if mask is None:
        return reference.masked_attention(Q, K, V)
    return mask_on_weights(Q, K, V, mask)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def scores_times_mask(Q, K, V, mask=None):
    """Hidden scores count as 0, or nearly 0, instead of minus infinity.

    exp(0) = 1, so the hidden key keeps a weight. So it does with -1e-9, which is nearly 0 and easily typed for -1e9.
    """
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores if mask is None else scores * mask)
    return weights @ V, weights


@MISTAKES.add(where=ON_THE_WEIGHTS)
def infinite_weights(Q, K, V, mask=None):
    """Minus infinity is written into the weights.

    The weights multiply the values, so the output becomes infinite or NaN. Minus infinity belongs to the scores.
    """
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = np.where(mask, weights, -np.inf)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def weights_only_shown(Q, K, V, mask=None):
    """The weights that are returned are masked, but the output was made with others.

    The picture of the weights looks right while the output still sees everything. Use the same weights for both.
    """
    output, _ = reference.scaled_dot_product_attention(Q, K, V)
    return output, reference.masked_attention(Q, K, V, mask)[1]


@MISTAKES.add(where="Where the mask stands in the formula")
def not_scaled(Q, K, V, mask=None):
    """The scores are not divided by the square root of d_k.

    Masking does not replace the scale of unit 02: first the scale, then the mask.
    """
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask)
    return weights @ V, weights


@MISTAKES.add(where="Where the mask stands in the formula")
def scaled_afterwards(Q, K, V, mask=None):
    """The weights are divided by the square root of d_k, not the scores.

    Then no row of weights sums to 1, and the softmax has worked on scores that were too far apart.
    """
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


@MISTAKES.add(where="Where the mask stands in the formula")
def scaled_by_values(Q, K, V, mask=None):
    """The scores are divided by the square root of the width of V.

    The divisor belongs to the dot product of queries and keys, so it is made from their width.
    """
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1]), mask)
    return weights @ V, weights


@MISTAKES.add(where="Where the mask stands in the formula")
def scaled_twice(Q, K, V, mask=None):
    """The scores are divided by d_k itself: a square root is missing, or they are scaled twice.

    The divisor is the square root of d_k, once; `attention_scores` of unit 02 divides by it itself.
    """
    weights = reference.masked_softmax(reference.attention_scores(Q, K) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


@MISTAKES.add(where=EMPTY)
def minus_infinity_only(Q, K, V, mask=None):
    """A query that may attend to nothing gets NaN.

    The plain softmax of a row of minus infinities has no value. Your `masked_softmax` knows what to do.
    """
    return _with_hidden_scores(-np.inf, Q, K, V, mask)


@MISTAKES.add(where=EMPTY)
def large_number(Q, K, V, mask=None):
    """A query that may attend to nothing attends to everything.

    When every score is -1e9, all scores are equal, so the output is the mean of all the hidden values.
    """
    return _with_hidden_scores(-1e9, Q, K, V, mask)


@MISTAKES.add(where="How large scores stay harmless")
def no_largest_subtracted(Q, K, V, mask=None):
    """The exponentials overflow or vanish.

    A softmax written anew has to be as careful as your `masked_softmax`, which shifts every row before it takes
    exponentials. Use that one.
    """
    scores = reference.attention_scores(Q, K)
    exponentials = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    total = exponentials.sum(axis=-1, keepdims=True)
    weights = exponentials / np.where(total == 0, 1, total)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def mask_needed(Q, K, V, mask=None):
    """Without a mask everything is hidden.

    NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.
    """
    scores = np.where(mask, reference.attention_scores(Q, K), -np.inf)
    weights = reference.masked_softmax(scores)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def all_axes_reversed(Q, K, V, mask=None):
    """All axes of K are reversed.

    `.T` also moves the batch to the end. Exchange the last two axes only.
    """
    weights = reference.masked_softmax(Q @ K.T / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def results_exchanged(Q, K, V, mask=None):
    """The weights come first and the output second.

    The order is output, weights, as in unit 02.
    """
    return reference.masked_attention(Q, K, V, mask)[::-1]


@MISTAKES.add(where=SECTION)
def output_alone(Q, K, V, mask=None):
    """Only the output is returned.

    The weights are a result too: figures and later units look at them.
    """
    return reference.masked_attention(Q, K, V, mask)[0]


@MISTAKES.add(where=SECTION)
def sum_over_queries(Q, K, V, mask=None):
    """The weights sum to 1 over the queries.

    Every query shares out its own attention among the keys, so rows sum to 1, not columns.
    """
    weights = reference.masked_softmax(reference.attention_scores(Q, K), mask, axis=-2)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def in_place(Q, K, V, mask=None):
    """The queries are divided in place.

    `/=` writes into the caller's array (and fails on whole numbers). Make a new array.
    """
    Q /= math.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2), mask)
    return weights @ V, weights


@MISTAKES.add(where=SECTION)
def half_of_d_k(Q, K, V, mask=None):
    """The scores are divided by half of d_k.

    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call
    `attention_scores`.
    """
    return reference.masked_attention(Q * 2 / math.sqrt(Q.shape[-1]), K, V, mask)


@MISTAKES.add(where=SECTION)
def twice_d_k(Q, K, V, mask=None):
    """The scores are divided by twice d_k.

    A power binds more tightly than a division: `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`, or
    call `attention_scores`.
    """
    return reference.masked_attention(Q / 2 / math.sqrt(Q.shape[-1]), K, V, mask)


@MISTAKES.add(where=SECTION)
def averages_keys(Q, K, V, mask=None):
    """The keys are averaged, not the values.

    Keys are there to be compared with. What a query takes home is made of values.
    """
    return reference.masked_attention(Q, K, K, mask)


@MISTAKES.add(where=SECTION)
def keys_ask(Q, K, V, mask=None):
    """Queries and keys are exchanged.

    The rows of the scores belong to the queries. With the keys in front, every key would ask for queries.
    """
    return reference.masked_attention(K, Q, V, mask)


@MISTAKES.add(where=SECTION)
def always_causal(Q, K, V, mask=None):
    """The mask is always the causal one.

    What is hidden is decided by whoever calls the function, by the argument `mask`. It may be the padding, or nothing.
    """
    return reference.masked_attention(Q, K, V, np.tri(Q.shape[-2], K.shape[-2], dtype=bool))


@MISTAKES.add(where=CONVENTION)
@edited(
    reference.masked_attention,
    {"attention_scores(Q, K), mask)": "attention_scores(Q, K) + (0 if mask is None else mask))"},
)
def mask_added():
    """The boolean mask is added to the scores.

    In a sum True counts as 1 and False as 0, so a hidden score is lower by 1 and its key keeps a weight. What is
    added must be minus infinity where a key is hidden.
    """
