"""The known mistakes of `biased_attention`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import masked_attention, merge_heads, split_heads

SECTION = "Exercise 12.3: biased_attention"
BIASES = "Four more vectors"

MISTAKES = KnownMistakes()


def _without(params, *names):
    return params._replace(**{name: np.zeros_like(getattr(params, name)) for name in names})


def _projected(X_query, X_key, params):
    """Return queries, keys and values of all heads side by side."""
    Q = X_query @ params.W_Q + params.b_Q
    return Q, X_key @ params.W_K + params.b_K, X_key @ params.W_V + params.b_V


def _of_all_heads(mask):
    return None if mask is None else np.asarray(mask)[..., None, :, :]


def _attend(Q, K, V, params, mask):
    """Attend in heads that are split already, and mix them."""
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights


@MISTAKES.add(where=BIASES)
def no_biases(X_query, X_key, params, n_heads, mask=None):
    """No bias is added at all.

    That is the multi-head attention of unit 04. These models were trained with biases, and need them.
    """
    return reference.multi_head_attention(X_query, X_key, params, n_heads, mask)


@MISTAKES.add(where=BIASES)
def biases_after_the_split(X_query, X_key, params, n_heads, mask=None):
    """The biases are added after the split into heads.

    A bias has one number for each column of the product, those of all heads side by side. Add it before you split.
    """
    Q = split_heads(X_query @ params.W_Q, n_heads) + params.b_Q
    K = split_heads(X_key @ params.W_K, n_heads) + params.b_K
    V = split_heads(X_key @ params.W_V, n_heads) + params.b_V
    return _attend(Q, K, V, params, _of_all_heads(mask))


@MISTAKES.add(where=BIASES)
def no_bias_at_the_end(X_query, X_key, params, n_heads, mask=None):
    """The bias b_O is left out.

    The product with W_O is a projection like the other three, and has a bias like them.
    """
    return reference.biased_attention(X_query, X_key, _without(params, "b_O"), n_heads, mask)


@MISTAKES.add(where=BIASES)
def only_at_the_end(X_query, X_key, params, n_heads, mask=None):
    """Only the bias b_O is added.

    Queries, keys and values each have a bias too.
    """
    return reference.biased_attention(X_query, X_key, _without(params, "b_Q", "b_K", "b_V"), n_heads, mask)


@MISTAKES.add(where=BIASES)
def no_bias_of_queries(X_query, X_key, params, n_heads, mask=None):
    """The bias b_Q is left out.

    It is added to every query before the heads are split.
    """
    return reference.biased_attention(X_query, X_key, _without(params, "b_Q"), n_heads, mask)


@MISTAKES.add(where=BIASES)
def no_bias_of_values(X_query, X_key, params, n_heads, mask=None):
    """The bias b_V is left out.

    It is added to every value before the heads are split.
    """
    return reference.biased_attention(X_query, X_key, _without(params, "b_V"), n_heads, mask)


@MISTAKES.add(where=BIASES)
def queries_with_the_bias_of_keys(X_query, X_key, params, n_heads, mask=None):
    """The biases of queries and keys are exchanged.

    Each bias belongs to the matrix with the same letter.
    """
    exchanged = params._replace(b_Q=params.b_K, b_K=params.b_Q)
    return reference.biased_attention(X_query, X_key, exchanged, n_heads, mask)


@MISTAKES.add(where=BIASES)
def one_bias_for_all(X_query, X_key, params, n_heads, mask=None):
    """The bias of the queries is added to keys and values as well.

    There are four biases, one for each projection.
    """
    same = params._replace(b_K=params.b_Q, b_V=np.resize(params.b_Q, params.b_V.shape))
    return reference.biased_attention(X_query, X_key, same, n_heads, mask)


@MISTAKES.add(where=BIASES)
def biases_first(X_query, X_key, params, n_heads, mask=None):
    """The bias of the queries is added after the scale.

    A query is the product with W_Q plus b_Q. All of it is divided by the root of d_k, or none of it.
    """
    root = np.sqrt(params.W_Q.shape[-1] // n_heads)
    larger = params._replace(b_Q=params.b_Q * root)
    return reference.biased_attention(X_query, X_key, larger, n_heads, mask)


@MISTAKES.add(where=BIASES)
def subtracted(X_query, X_key, params, n_heads, mask=None):
    """The biases are subtracted.

    A linear map is X W + b.
    """
    negative = params._replace(**{name: -getattr(params, name) for name in ("b_Q", "b_K", "b_V", "b_O")})
    return reference.biased_attention(X_query, X_key, negative, n_heads, mask)


@MISTAKES.add(where=BIASES)
def bias_for_every_head(X_query, X_key, params, n_heads, mask=None):
    """The bias b_O is added once for every head.

    It comes after the sum over the heads, once.
    """
    larger = params._replace(b_O=n_heads * params.b_O)
    return reference.biased_attention(X_query, X_key, larger, n_heads, mask)


@MISTAKES.add(where=BIASES)
def first_bias_for_all_heads(X_query, X_key, params, n_heads, mask=None):
    """All heads get the bias of the first head.

    Add the bias while the heads still stand side by side, or split it as you split the rest.
    """
    same = {name: np.tile(np.split(getattr(params, name), n_heads)[0], n_heads) for name in ("b_Q", "b_K", "b_V")}
    return reference.biased_attention(X_query, X_key, params._replace(**same), n_heads, mask)


@MISTAKES.add(where=BIASES)
def residual_added(X_query, X_key, params, n_heads, mask=None):
    """The input is added to the output.

    The residual connection is outside the attention, in the layer.
    """
    output, weights = reference.biased_attention(X_query, X_key, params, n_heads, mask)
    return output + X_query, weights


@MISTAKES.add(where=SECTION)
def keys_from_queries(X_query, X_key, params, n_heads, mask=None):
    """Keys and values are made of X_query.

    In self-attention both are the same array. Between two texts they are not.
    """
    if mask is not None and mask.shape[-1] != X_query.shape[-2]:
        mask = mask[..., : X_query.shape[-2]]
    return reference.biased_attention(X_query, X_query, params, n_heads, mask)


@MISTAKES.add(where=SECTION)
def values_from_queries(X_query, X_key, params, n_heads, mask=None):
    """Queries are made of X_key, and keys and values of X_query.

    The first argument asks, and the second is asked.
    """
    return reference.biased_attention(X_key, X_query, params, n_heads, mask if mask is None else mask.swapaxes(-1, -2))


@MISTAKES.add(where=SECTION)
def mask_ignored(X_query, X_key, params, n_heads, mask=None):
    """The mask is not used.

    Then padding and later tokens are looked at.
    """
    return reference.biased_attention(X_query, X_key, params, n_heads)


@MISTAKES.add(where=SECTION)
def mask_inverted(X_query, X_key, params, n_heads, mask=None):
    """The mask hides what may be seen.

    True means "may attend" everywhere in this course.
    """
    return reference.biased_attention(X_query, X_key, params, n_heads, None if mask is None else ~mask)


@MISTAKES.add(where=SECTION)
def mask_along_heads(X_query, X_key, params, n_heads, mask=None):
    """The mask of a batch is used without an axis for the heads.

    Its first axis is then taken for that of the heads. Give it an axis of length 1 before the last two.
    """
    Q, K, V = (split_heads(Z, n_heads) for Z in _projected(X_query, X_key, params))
    return _attend(Q, K, V, params, mask)


@MISTAKES.add(where=SECTION)
def one_head(X_query, X_key, params, n_heads, mask=None):
    """There is only one head, of the full width.

    Split queries, keys and values into heads, and attend in each.
    """
    return reference.biased_attention(X_query, X_key, params, 1, mask)


@MISTAKES.add(where=SECTION)
def no_scale(X_query, X_key, params, n_heads, mask=None):
    """The scores are not divided by the root of d_k.

    Your attention of unit 03 does that. If you write the scores anew, you have to divide as well.
    """
    root = (params.W_Q.shape[-1] / n_heads) ** 0.5
    larger = params._replace(W_Q=params.W_Q * root, b_Q=params.b_Q * root)
    return reference.biased_attention(X_query, X_key, larger, n_heads, mask)


@MISTAKES.add(where=SECTION)
def heads_reshaped(X_query, X_key, params, n_heads, mask=None):
    """The heads are cut by one reshape, without exchanging axes.

    Then a head gets whole tokens, not a slice of each token. Use your `split_heads`.
    """
    Q, K, V = (Z.reshape(*Z.shape[:-2], n_heads, Z.shape[-2], -1) for Z in _projected(X_query, X_key, params))
    return _attend(Q, K, V, params, _of_all_heads(mask))


@MISTAKES.add(where=SECTION)
def mean_weights(X_query, X_key, params, n_heads, mask=None):
    """The weights are averaged over the heads.

    Every head has a map of its own. Keep the axis of the heads.
    """
    output, weights = reference.biased_attention(X_query, X_key, params, n_heads, mask)
    return output, weights.mean(axis=-3)


@MISTAKES.add(where=SECTION)
def output_only(X_query, X_key, params, n_heads, mask=None):
    """Only the output is returned.

    Return the weights as well, as `multi_head_attention` does.
    """
    return reference.biased_attention(X_query, X_key, params, n_heads, mask)[0]
