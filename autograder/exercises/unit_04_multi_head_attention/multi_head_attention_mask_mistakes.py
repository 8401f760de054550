"""The known mistakes of `multi_head_attention` with its mask."""

import numpy as np

from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_variants import attention
from autograder.specification import KnownMistakes
from transformer_kit import reference

MASKS = "One mask for all heads"

MISTAKES = KnownMistakes()


def _attend_under(mask_of_scores):
    """Masked attention that is given the mask in the shape that `mask_of_scores` makes of it."""

    def attend(Q, K, V, mask):
        return reference.masked_attention(Q, K, V, None if mask is None else mask_of_scores(mask[..., 0, :, :], Q))

    return attend


def _under(mask):
    """Masked attention under this mask, as it is."""
    return lambda Q, K, V, _: reference.masked_attention(Q, K, V, mask)


def _filled_with(number):
    def attend(Q, K, V, mask):
        scores = reference.attention_scores(Q, K)
        weights = reference.softmax(scores if mask is None else np.where(mask, scores, number))
        return weights @ V, weights

    return attend


@MISTAKES.add(where=MASKS)
def mask_ignored(X_query, X_memory, params, n_heads, mask=None):
    """The mask is accepted but not passed on.

    Every key stays visible. Follow the argument through your code to the softmax.
    """
    return attention(X_query, X_memory, params, n_heads)


@MISTAKES.add(where=MASKS)
def mask_inverted(X_query, X_memory, params, n_heads, mask=None):
    """What should be hidden is visible, and the reverse.

    In this course True means “may attend”.
    """
    return attention(X_query, X_memory, params, n_heads, None if mask is None else ~mask)


@MISTAKES.add(where=MASKS)
def mask_along_the_heads(X_query, X_memory, params, n_heads, mask=None):
    """The batch axis of the mask is lined up with the heads.

    Shapes are lined up from the right, and the weights have a head axis that the mask lacks. With as many sequences as
    heads this runs without an error and gives every head another sentence's mask.
    """
    attend = _attend_under(lambda mask, Q: mask)
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def _repeated(mask, Q):
    if mask.ndim == 2:
        return mask
    copies = np.tile(mask, (Q.shape[-3], 1, 1))  # all sequences, then all sequences again, ...
    return copies.reshape(*mask.shape[:-2], Q.shape[-3], *mask.shape[-2:])


@MISTAKES.add(where=MASKS)
def mask_repeated_in_another_order(X_query, X_memory, params, n_heads, mask=None):
    """The mask is repeated for the heads in another order than the sequences.

    Repeating the whole batch once per head and cutting the result into sequences mixes the masks up. There is no
    need to repeat anything: an axis of length 1 is enough.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=_attend_under(_repeated))


@MISTAKES.add(where=MASKS)
def nan_where_nothing_is_visible(X_query, X_memory, params, n_heads, mask=None):
    """A query that may attend to nothing gets NaN.

    The plain softmax of a row of minus infinities has no value. `masked_attention` knows what to do.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=_filled_with(-np.inf))


@MISTAKES.add(where=MASKS)
def average_where_nothing_is_visible(X_query, X_memory, params, n_heads, mask=None):
    """A query that may attend to nothing attends to everything.

    When every score is the same large negative number, the weights are even. `masked_attention` knows what to do.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=_filled_with(-1e9))


@MISTAKES.add(where=MASKS)
def mask_axis_second(X_query, X_memory, params, n_heads, mask=None):
    """The mask always gets its axis for the heads in second place.

    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.
    """
    with_axis = None if mask is None else mask[:, None]
    return attention(X_query, X_memory, params, n_heads, attend=_under(with_axis))


@MISTAKES.add(where=MASKS)
def mask_axis_first(X_query, X_memory, params, n_heads, mask=None):
    """The mask gets its new axis in front of all others.

    In front of a mask per sequence, the new axis leaves the sequences where the weights count heads. It belongs third
    from the end.
    """
    with_axis = None if mask is None else mask[None]
    return attention(X_query, X_memory, params, n_heads, attend=_under(with_axis))


@MISTAKES.add(where=MASKS)
def mask_tested_for_truth(X_query, X_memory, params, n_heads, mask=None):
    """One truth value is asked of the whole mask, as by `if mask`.

    A mask holds many truth values, so NumPy refuses to make one of them. Test whether it `is not None`.
    """
    return attention(X_query, X_memory, params, n_heads, mask if mask else None)


@MISTAKES.add(where=MASKS)
def mask_needed(X_query, X_memory, params, n_heads, mask=None):
    """Without a mask the function fails.

    None has no axes, so it cannot be given one more. Only a mask that is not None gets an axis for the heads.
    """
    return attention(X_query, X_memory, params, n_heads, attend=_under(mask[..., None, :, :]))
