"""Functions that learners wrote for `split_heads`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "a plain reshape to the final shape: a head gets whole tokens in the order of memory, not columns of every token",
    names={"plain-reshape"},
    line="return X.reshape(*front, n_heads, n, d // n_heads)",
)
def plain_reshape(X, n_heads):
    *front, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError(f"d={d} is not divisible by n_heads={n_heads}")
    return X.reshape(*front, n_heads, n, d // n_heads)


@wrong(
    "gives a head every n_heads-th column instead of neighbouring columns: counts columns first, heads second",
    names={"interleaved"},
    line="X = X.reshape(*X.shape[:-1], d // n_heads, n_heads)",
)
def interleaved(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"cannot share {d} columns among {n_heads} heads")
    X = X.reshape(*X.shape[:-1], d // n_heads, n_heads)
    return np.moveaxis(X, -1, -3)


@wrong(
    "cuts the rows into heads but does not move the head axis in front of the tokens: (..., n, n_heads, d_k)",
    names={"head-axis-not-moved"},
    line="return cut",
)
def not_moved(X, n_heads):
    *front, n, d = X.shape
    if d % n_heads:
        raise ValueError(f"n_heads {n_heads} does not divide {d}")
    cut = X.reshape(*front, n, n_heads, d // n_heads)
    return cut


@wrong(
    "reads exactly two axes from the shape, so it raises when there are leading axes",
    names={"for-one-sequence-only"},
    line="n, d = X.shape",
)
def two_axes_only(X, n_heads):
    n, d = X.shape
    if d % n_heads != 0:
        raise ValueError(f"{d} columns, {n_heads} heads")
    return X.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


@wrong(
    "reads exactly three axes from the shape, so it raises without a batch axis and with two",
    names={"for-a-batch-only"},
    line="B, n, d = X.shape",
)
def batch_only(X, n_heads):
    B, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError("d_model %d not divisible by %d" % (d, n_heads))
    X = X.reshape(B, n, n_heads, d // n_heads)
    return X.transpose(0, 2, 1, 3)


@wrong(
    "exchanges the first two axes instead of heads and tokens, which is wrong as soon as there are leading axes",
    names={"first-two-axes-exchanged", "for-one-sequence-only"},
    line="return parts.swapaxes(0, 1)",
)
def first_two_axes(X, n_heads):
    d = X.shape[-1]
    if d % n_heads != 0:
        raise ValueError(f"width {d} is no multiple of {n_heads}")
    parts = X.reshape(X.shape[:-1] + (n_heads, d // n_heads))
    return parts.swapaxes(0, 1)


@wrong(
    "does not raise the demanded ValueError with both numbers when n_heads does not divide the width (NumPy's own "
    "error comes instead)",
    names={"numpys-reshape-error"},
    line=None,
)
def no_check(X, n_heads):
    d_k = X.shape[-1] // n_heads
    X = X.reshape(*X.shape[:-1], n_heads, d_k)
    return np.swapaxes(X, -2, -3)


@wrong(
    "cuts off the columns that do not fit into equal heads instead of raising a ValueError",
    names={"columns-lost"},
    line=None,
)
def drops_the_rest(X, n_heads):
    d_k = X.shape[-1] // n_heads
    heads = [X[..., h * d_k : (h + 1) * d_k] for h in range(n_heads)]
    return np.stack(heads, axis=-3)


@wrong(
    "the message of its ValueError names only the width, not the number of heads",
    names={"heads-not-mentioned"},
    line='raise ValueError(f"a width of {d} cannot be divided equally")',
)
def half_a_message(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"a width of {d} cannot be divided equally")
    X = X.reshape(*X.shape[:-1], n_heads, -1)
    return np.swapaxes(X, -3, -2)


@wrong("checks whether the heads divide the number of tokens instead of the width", line="if n % n_heads != 0:")
def checks_tokens(X, n_heads):
    n, d = X.shape[-2:]
    if n % n_heads != 0:
        raise ValueError(f"{d} is not divisible by {n_heads}")
    return X.reshape(*X.shape[:-1], n_heads, d // n_heads).swapaxes(-3, -2)


@wrong(
    "stacks the heads on the very first axis, in front of the leading axes, instead of just before the tokens",
    names={"heads-in-front-of-the-batch"},
    line="return np.stack(np.split(X, n_heads, axis=-1))",
)
def heads_before_the_batch(X, n_heads):
    if X.shape[-1] % n_heads != 0:
        raise ValueError(f"{X.shape[-1]} % {n_heads} is not 0")
    return np.stack(np.split(X, n_heads, axis=-1))


@wrong(
    "cuts the tokens (rows) into parts instead of the columns",
    names={"tokens-shared-out"},
    line="parts = np.split(X, n_heads, axis=-2)",
)
def cuts_rows(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"{n_heads} heads do not fit into {d} columns")
    parts = np.split(X, n_heads, axis=-2)
    return np.stack(parts, axis=-3)


@wrong(
    "takes n_heads for the width of a head: makes d / n_heads heads of n_heads columns",
    names={"count-as-width"},
    line="Y = X.reshape(*X.shape[:-1], d // n_heads, n_heads)",
)
def heads_as_width(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"n_heads={n_heads} does not divide d={d}")
    Y = X.reshape(*X.shape[:-1], d // n_heads, n_heads)
    return Y.swapaxes(-2, -3)


@wrong(
    "exchanges the last two axes (heads and columns) instead of tokens and heads",
    names={"last-two-axes-exchanged"},
    line="return np.swapaxes(parts, -1, -2)",
)
def last_two_axes(X, n_heads):
    d = X.shape[-1]
    if d % n_heads != 0:
        raise ValueError(f"{d} / {n_heads} is not whole")
    parts = X.reshape(*X.shape[:-1], n_heads, d // n_heads)
    return np.swapaxes(parts, -1, -2)


@wrong(
    "returns a list of the heads instead of an array (so the heads are no axis before the tokens)",
    line="return np.split(X, n_heads, axis=-1)",
)
def list_of_heads(X, n_heads):
    d = X.shape[-1]
    if d % n_heads != 0:
        raise ValueError(f"The width {d} cannot be split into {n_heads} heads.")
    return np.split(X, n_heads, axis=-1)


@wrong(
    "refuses with an AssertionError instead of a ValueError",
    names={"asserted"},
    line='assert d % n_heads == 0, f"{d} is not divisible by {n_heads}"',
)
def asserts(X, n_heads):
    *front, n, d = X.shape
    assert d % n_heads == 0, f"{d} is not divisible by {n_heads}"
    return X.reshape(*front, n, n_heads, d // n_heads).swapaxes(-3, -2)


@wrong("divides with / and so gives reshape a float, which raises a TypeError", line="d_k = d / n_heads")
def float_width(X, n_heads):
    d = X.shape[-1]
    if d % n_heads != 0:
        raise ValueError(f"{d} is not divisible by {n_heads}")
    d_k = d / n_heads
    return X.reshape(*X.shape[:-1], n_heads, d_k).swapaxes(-2, -3)


@wrong(
    "two: a plain reshape that gives a head whole tokens instead of columns of all tokens, and no ValueError with "
    "both numbers when the width cannot be shared out",
    names={"plain-reshape", "numpys-reshape-error"},
    line=None,
)
def reshape_without_check(X, n_heads):
    n = X.shape[-2]
    shape = X.shape[:-2] + (n_heads, n, -1)
    return X.reshape(shape)


@wrong(
    "two: takes every n_heads-th column instead of neighbouring ones, and stacks the heads on the very first axis",
    names={"interleaved", "heads-in-front-of-the-batch"},
    line="heads.append(X[..., h::n_heads])",
)
def strided_in_front(X, n_heads):
    if X.shape[-1] % n_heads != 0:
        raise ValueError(f"{n_heads} does not divide {X.shape[-1]}")
    heads = []
    for h in range(n_heads):
        heads.append(X[..., h::n_heads])
    return np.array(heads)


@wrong(
    "moves the axis of the tokens behind the others, so that a head has the shape (d_k, n)",
    names={"channels-before-tokens"},
    line='return np.einsum("...nhc->...hcn", X.reshape(*X.shape[:-1], n_heads, d // n_heads))',
)
def tokens_last(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"got d = {d} and n_heads = {n_heads}")
    return np.einsum("...nhc->...hcn", X.reshape(*X.shape[:-1], n_heads, d // n_heads))


@wrong(
    "gives every head all columns: repeats X once per head instead of cutting it",
    names={"everything-for-every-head"},
    line="heads = np.repeat(X[..., None, :, :], n_heads, axis=-3)",
)
def copies_of_everything(X, n_heads):
    if X.shape[-1] % n_heads != 0:
        raise ValueError(f"{n_heads} heads for {X.shape[-1]} columns")
    heads = np.repeat(X[..., None, :, :], n_heads, axis=-3)
    return heads


@right
def reshape_and_swap(X, n_heads):
    *front, n, d = X.shape
    if d % n_heads:
        raise ValueError(f"n_heads = {n_heads} does not divide the width {d}")
    return X.reshape(*front, n, n_heads, d // n_heads).swapaxes(-3, -2)


@right
def stacked_slices(X, n_heads):
    d = X.shape[-1]
    d_k, rest = divmod(d, n_heads)
    if rest != 0:
        raise ValueError("width %d, heads %d" % (d, n_heads))
    return np.stack([X[..., h * d_k : (h + 1) * d_k] for h in range(n_heads)], axis=-3)


@right
def with_split(X, n_heads):
    if X.shape[-1] % n_heads != 0:
        raise ValueError(f"{X.shape[-1]} columns cannot be cut into {n_heads} heads")
    heads = np.split(X, n_heads, axis=-1)
    return np.concatenate([head[..., None, :, :] for head in heads], axis=-3)


@right
def filled_in_loops(X, n_heads):
    n, d = X.shape[-2:]
    if d != (d // n_heads) * n_heads:
        raise ValueError(f"Cannot split {d} into {n_heads}")
    out = np.empty((*X.shape[:-2], n_heads, n, d // n_heads), dtype=X.dtype)
    for column in range(d):
        h, c = divmod(column, d // n_heads)
        out[..., h, :, c] = X[..., column]
    return out


@wrong(
    "raises its ValueError only where there are more heads than columns",
    names={"numpys-reshape-error"},
    line="if n_heads > d:",
)
def refuses_too_many_only(X, n_heads):
    *lead, n, d = X.shape
    if n_heads > d:
        raise ValueError(f"{n_heads} heads for a width of {d}")
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


@wrong(
    "the slice of head h begins at column h instead of h * d_k, so the heads overlap",
    names={"overlapping"},
    line="heads = [X[..., h : h + d_k] for h in range(n_heads)]",
)
def overlapping_slices(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"{d} columns cannot be shared by {n_heads} heads")
    d_k = d // n_heads
    heads = [X[..., h : h + d_k] for h in range(n_heads)]
    return np.stack(heads, axis=-3)


@wrong(
    "gives each head n_heads columns instead of d / n_heads",
    names={"as-wide-as-many"},
    line="heads = [X[..., h * n_heads : (h + 1) * n_heads] for h in range(n_heads)]",
)
def as_wide_as_many(X, n_heads):
    d = X.shape[-1]
    if d % n_heads:
        raise ValueError(f"{d} columns cannot be shared by {n_heads} heads")
    heads = [X[..., h * n_heads : (h + 1) * n_heads] for h in range(n_heads)]
    return np.stack(heads, axis=-3)
