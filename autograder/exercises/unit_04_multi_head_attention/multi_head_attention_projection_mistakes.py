"""The known mistakes of `multi_head_attention` with what is projected, with its softmax and with its results."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_mistakes import SCALE
from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_variants import (
    attention,
    divided_by,
    for_all_heads,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import masked_softmax

SECTION = "Exercise 4.3: multi_head_attention"
WHOLE_INPUT = "Every head sees the whole input"

MISTAKES = KnownMistakes()


def _softmax_along(axis):
    def attend(Q, K, V, mask):
        weights = masked_softmax(reference.attention_scores(Q, K), mask, axis=axis)
        return weights @ V, weights

    return attend


@MISTAKES.add(where=WHOLE_INPUT)
def input_split(X_query, X_memory, params, n_heads, mask=None):
    """The input is cut into heads before it is projected.

    Every head would see its own slice of the token vectors only. Project first: then every column of a head can draw on
    the whole token.
    """

    def project(X, W):
        rows, columns = X.shape[-1] // n_heads, W.shape[-1] // n_heads
        blocks = [W[h * rows : (h + 1) * rows, h * columns : (h + 1) * columns] for h in range(n_heads)]
        return reference.split_heads(X, n_heads) @ np.array(blocks)

    Q, K, V = project(X_query, params.W_Q), project(X_memory, params.W_K), project(X_memory, params.W_V)
    heads, weights = reference.masked_attention(Q, K, V, for_all_heads(mask))
    return reference.merge_heads(heads) @ params.W_O, weights


@MISTAKES.add(where=SECTION)
def memory_ignored(X_query, X_memory, params, n_heads, mask=None):
    """Queries, keys and values all come from X_query.

    That is self-attention. Keys and values come from X_memory, which may be another sequence.
    """
    return attention(X_query, X_query, params, n_heads, mask)


@MISTAKES.add(where=SECTION)
def roles_exchanged(X_query, X_memory, params, n_heads, mask=None):
    """The queries come from X_memory, the keys and values from X_query.

    The sequence that asks gives the queries, and there is one output row for each of them.
    """
    return attention(X_memory, X_query, params, n_heads, mask)


@MISTAKES.add(where=SECTION)
def keys_from_queries(X_query, X_memory, params, n_heads, mask=None):
    """The keys come from X_query.

    Keys and values are two views of the same tokens, those of X_memory. If they come from sequences of different
    lengths, they cannot be paired.
    """
    Q, K = (reference.split_heads(X_query @ W, n_heads) for W in params[:2])
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, for_all_heads(mask))
    return reference.merge_heads(heads) @ params.W_O, weights


@MISTAKES.add(where=WHOLE_INPUT, id="values-by-W_K")
def values_by_W_K(X_query, X_memory, params, n_heads, mask=None):
    """The values are projected with W_K.

    Each of the three has its own matrix. What a token offers (W_V) need not be what it is found by (W_K).
    """
    return attention(X_query, X_memory, params._replace(W_V=params.W_K), n_heads, mask)


@MISTAKES.add(where=WHOLE_INPUT, id="keys-by-W_Q")
def keys_by_W_Q(X_query, X_memory, params, n_heads, mask=None):
    """The keys are projected with W_Q.

    Each of the three has its own matrix, also where everything comes from the same sequence.
    """
    return attention(X_query, X_memory, params._replace(W_K=params.W_Q), n_heads, mask)


@MISTAKES.add(where=SECTION)
def sum_over_heads(X_query, X_memory, params, n_heads, mask=None):
    """The softmax runs over the heads.

    Heads do not compete: in each of them the weights of a query sum to 1 over the keys.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=_softmax_along(-3))


@MISTAKES.add(where=SECTION)
def sum_over_queries(X_query, X_memory, params, n_heads, mask=None):
    """The softmax runs over the queries.

    Every query shares out its own attention among the keys.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=_softmax_along(-2))


@MISTAKES.add(where=SECTION)
def weights_averaged(X_query, X_memory, params, n_heads, mask=None):
    """The weights that are returned are averaged over the heads.

    Some libraries do so by default. Here every head shows its own map: an average hides what heads do.
    """
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output, weights.mean(axis=-3)


@MISTAKES.add(where=SECTION)
def head_axis_first(X_query, X_memory, params, n_heads, mask=None):
    """The head axis stands in front of the batch.

    The leading axes come first, then the heads, then queries and keys.
    """
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output, np.moveaxis(weights, -3, 0)


@MISTAKES.add(where=SECTION)
def results_exchanged(X_query, X_memory, params, n_heads, mask=None):
    """The weights come first and the output second.

    Results come as a tuple in the order of the docstring: the output first, then the weights.
    """
    return attention(X_query, X_memory, params, n_heads, mask)[::-1]


@MISTAKES.add(where=SECTION)
def output_alone(X_query, X_memory, params, n_heads, mask=None):
    """Only the output is returned.

    Return two results, with a comma between them: the output and the weights.
    """
    return attention(X_query, X_memory, params, n_heads, mask)[0]


@MISTAKES.add(where=SCALE)
def half_of_d_k(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by half of d_k.

    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call
    `masked_attention`.
    """
    d_k = params.W_Q.shape[-1] / n_heads
    return attention(X_query, X_memory, params, n_heads, mask, attend=divided_by((d_k / 2) ** 2))


@MISTAKES.add(where=WHOLE_INPUT)
def twice_d_k(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by d_k and then by 2.

    A power binds more tightly than a division: `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`, or
    call `masked_attention`.
    """
    d_k = params.W_Q.shape[-1] / n_heads
    return attention(X_query, X_memory, params, n_heads, mask, attend=divided_by((2 * d_k) ** 2))


@MISTAKES.add(where=WHOLE_INPUT)
def default_widths(X_query, X_memory, params, n_heads, mask=None):
    """Every head is taken to be d_model // n_heads wide.

    That is the usual choice, but a head may have any width, and its values may be wider or narrower than its keys. The
    matrices say which.
    """

    def split(X, n_heads):
        return X.reshape(*X.shape[:-1], n_heads, X_query.shape[-1] // n_heads).swapaxes(-2, -3)

    return attention(X_query, X_memory, params, n_heads, mask, split=split)


@MISTAKES.add(where=SECTION)
def one_wide_head(X_query, X_memory, params, n_heads, mask=None):
    """There is one wide head, and its map is repeated for all.

    Every head has a map of its own. Split the projections into heads before they attend.
    """
    output, weights = attention(X_query, X_memory, params, 1, mask)
    return output, np.repeat(weights, n_heads, axis=-3)


@MISTAKES.add(where=WHOLE_INPUT, id="keys-by-W_V")
@edited(reference.multi_head_attention, {"X_memory @ params.W_K": "X_memory @ params.W_V"})
def keys_by_W_V():
    """The keys are projected with W_V, like the values.

    Each of the three has its own matrix. What a token is found by (W_K) need not be what it offers (W_V).
    """


@MISTAKES.add(where=WHOLE_INPUT, id="queries-by-W_K")
@edited(reference.multi_head_attention, {"X_query @ params.W_Q": "X_query @ params.W_K"})
def queries_by_W_K():
    """The queries are projected with W_K.

    Each of the three has its own matrix, also where everything comes from the same sequence.
    """


@MISTAKES.add(where=WHOLE_INPUT)
@edited(reference.multi_head_attention, {"X_query @ params.W_Q": "X_query"})
def queries_not_projected():
    """The queries are X_query itself, without W_Q.

    Queries, keys and values are each the input times a matrix of their own.
    """


@MISTAKES.add(where=WHOLE_INPUT)
@edited(reference.multi_head_attention, {"X_memory @ params.W_V": "X_memory"})
def values_not_projected():
    """The values are X_memory itself, without W_V.

    Queries, keys and values are each the input times a matrix of their own.
    """


@MISTAKES.add(where=WHOLE_INPUT)
@edited(
    reference.multi_head_attention,
    {"X_memory @ params.W_K": "X_memory @ params.W_V", "X_memory @ params.W_V\n": "X_memory @ params.W_K\n"},
)
def keys_and_values_exchanged():
    """The keys are used as values and the values as keys.

    Both may have the same shape, so nothing complains. A token is found by its key, and gives its value.
    """
