"""The known mistakes of `without_heads`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 11.2: without_heads"
ROWS = "Which rows belong to a head"

MISTAKES = KnownMistakes()


def _checked(n_heads, heads):
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"there is no head {head} among {n_heads}")


def _zeroed(params, n_heads, heads, place):
    """Return parameters in which W_O is 0 in `place(head, width of a head)`."""
    _checked(n_heads, heads)
    W_O = params.W_O.copy()
    for head in heads:
        W_O[place(head, len(W_O) // n_heads)] = 0
    return params._replace(W_O=W_O)


@MISTAKES.add(where=ROWS)
def columns(params, n_heads, heads):
    """Columns of W_O are set to 0, not rows.

    A column is a feature of the output, and all heads contribute to it. A head enters through its rows.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: np.s_[:, head * width : (head + 1) * width])


@MISTAKES.add(where=ROWS)
def columns_shared_out(params, n_heads, heads):
    """The columns of W_O are shared out among the heads, not its rows.

    A column is a feature of the output, and all heads contribute to it. A head enters through its rows.
    """
    width = params.W_O.shape[-1] // n_heads
    return _zeroed(params, n_heads, heads, lambda head, _: np.s_[:, head * width : (head + 1) * width])


@MISTAKES.add(where=ROWS)
def one_row(params, n_heads, heads):
    """Only one row of W_O is set to 0 for a head.

    A head has d_v rows, one for each of its features.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: head)


@MISTAKES.add(where=ROWS)
def first_row_of_each(params, n_heads, heads):
    """Only the first row of a head's block is set to 0.

    A head has d_v rows, one for each of its features. All of them have to be 0.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: head * width)


@MISTAKES.add(where=ROWS)
def interleaved(params, n_heads, heads):
    """Every n_heads-th row is set to 0.

    The rows of a head are neighbours, because heads are contiguous slices.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: np.s_[head::n_heads])


@MISTAKES.add(where=ROWS)
def counted_from_1(params, n_heads, heads):
    """The heads are counted from 1: the one before is silenced.

    The first head has the number 0, and the rows 0 to d_v - 1.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: np.s_[max(head - 1, 0) * width : head * width])


@MISTAKES.add(where=ROWS)
def up_to_the_head(params, n_heads, heads):
    """All heads up to the one named are silenced.

    The rows of a head begin after those of the heads before it.
    """
    return _zeroed(params, n_heads, heads, lambda head, width: np.s_[: (head + 1) * width])


@MISTAKES.add(where=ROWS)
def width_of_keys(params, n_heads, heads):
    """The rows of a head are counted with d_k, the width of its queries and keys.

    W_O multiplies blends of values. Their width is d_v, which need not be d_k.
    """
    width = params.W_K.shape[-1] // n_heads
    return _zeroed(params, n_heads, heads, lambda head, _: np.s_[head * width : (head + 1) * width])


@MISTAKES.add(where=ROWS)
def width_of_model(params, n_heads, heads):
    """The rows of a head are counted with d_model / n_heads.

    In most models that is the same. In general W_O has n_heads times d_v rows: use its own length.
    """
    width = params.W_O.shape[-1] // n_heads
    return _zeroed(params, n_heads, heads, lambda head, _: np.s_[head * width : (head + 1) * width])


@MISTAKES.add(where=SECTION)
def kept_instead(params, n_heads, heads):
    """The heads named are kept, and all others are silenced.

    The tuple says which heads are to be silent. An empty one leaves the model as it is.
    """
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, tuple(head for head in range(n_heads) if head not in heads))


@MISTAKES.add(where=SECTION)
def only_the_first(params, n_heads, heads):
    """Only the first of the heads is silenced.

    Look at how far your `return` is indented. There may be several heads.
    """
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, heads[:1])


@MISTAKES.add(where=SECTION)
def only_the_last(params, n_heads, heads):
    """Only the last of the heads is silenced.

    Every turn of the loop begins with the old W_O again. Copy it once, before the loop.
    """
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, heads[-1:])


@MISTAKES.add(where=SECTION)
def in_place(params, n_heads, heads):
    """The parameters given are changed.

    Then the model that you want to compare with is lost. Copy W_O before you write to it.
    """
    _checked(n_heads, heads)
    rows = np.split(params.W_O, n_heads)
    for head in heads:
        rows[head][:] = 0
    return params


@MISTAKES.add(where=ROWS)
def queries(params, n_heads, heads):
    """The queries of the heads are set to 0.

    Then all scores are 0, and the head takes the plain mean of the values. It is not silent.
    """
    _checked(n_heads, heads)
    W_Q = params.W_Q.copy()
    width = W_Q.shape[-1] // n_heads
    for head in heads:
        W_Q[:, head * width : (head + 1) * width] = 0
    return params._replace(W_Q=W_Q)


@MISTAKES.add(where=ROWS)
def rows_deleted(params, n_heads, heads):
    """The rows are cut out of W_O.

    Then its shape no longer fits the heads side by side. Rows of zeros do the same, and everything else stays.
    """
    _checked(n_heads, heads)
    width = len(params.W_O) // n_heads
    return params._replace(
        W_O=np.delete(params.W_O, [row for h in heads for row in range(h * width, (h + 1) * width)], axis=0)
    )


@MISTAKES.add(where=SECTION)
def W_O_only(params, n_heads, heads):
    """Only W_O is returned.

    The result goes to where the parameters were, so it has to be AttentionParams: `_replace` makes one from another.
    """
    return reference.without_heads(params, n_heads, heads).W_O


@MISTAKES.add(where=SECTION)
def nothing_refused(params, n_heads, heads):
    """A head that does not exist is ignored.

    A slice beyond the end is empty, and nothing happens. If somebody asks for head 4 of 4, refuse.
    """
    return reference.without_heads(params, n_heads, tuple(head for head in heads if 0 <= head < n_heads))


@MISTAKES.add(where=SECTION)
def negative_counted_from_the_end(params, n_heads, heads):
    """Negative heads are counted from the end.

    Python does that by itself, and a wrong number goes unnoticed. Refuse it.
    """
    if any(not -n_heads <= head < n_heads for head in heads):
        raise ValueError(f"there is no such head: {heads}, with {n_heads} heads")
    return reference.without_heads(params, n_heads, tuple(head % n_heads for head in heads))


@MISTAKES.add(where=SECTION)
def one_too_many_allowed(params, n_heads, heads):
    """The head n_heads is not refused.

    The last head has the number n_heads - 1.
    """
    if n_heads in heads:
        return params._replace(W_O=params.W_O.copy())
    return reference.without_heads(params, n_heads, heads)
