"""Functions that learners wrote for `merge_heads`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "a reshape without moving an axis first: a row holds numbers of one head and several tokens",
    names={"plain-reshape"},
    line="return X.reshape(*front, n, H * d_v)",
)
def reshape_alone(X):
    *front, H, n, d_v = X.shape
    return X.reshape(*front, n, H * d_v)


@wrong(
    "reads exactly three axes from the shape, so it raises when there are leading axes",
    names={"for-one-sequence-only"},
    line="n_heads, n, d_v = X.shape",
)
def three_axes_only(X):
    n_heads, n, d_v = X.shape
    X = X.transpose(1, 0, 2)
    return X.reshape(n, n_heads * d_v)


@wrong(
    "exchanges the first two axes instead of heads and tokens, which is wrong as soon as there are leading axes",
    names={"first-axis-taken-for-the-heads", "first-two-axes-exchanged"},
    line="Y = np.swapaxes(X, 0, 1)",
)
def first_two_axes(X):
    Y = np.swapaxes(X, 0, 1)
    shape = Y.shape[:-2] + (Y.shape[-2] * Y.shape[-1],)
    return Y.reshape(shape)


@wrong(
    "joins whatever the first axis counts, so with leading axes it joins the sequences instead of the heads",
    names={"first-axis-taken-for-the-heads"},
    line=None,
)
def concatenates_the_first_axis(X):
    return np.concatenate(list(X), axis=-1)


@wrong(
    "puts the heads below each other (along the tokens) instead of side by side",
    names={"below-each-other"},
    line="return np.concatenate(heads, axis=-2)",
)
def one_below_the_other(X):
    heads = [X[..., h, :, :] for h in range(X.shape[-3])]
    return np.concatenate(heads, axis=-2)


@wrong(
    "moves the heads to the end, so a row holds first column 0 of every head, then column 1 of every head",
    names={"interleaved"},
    line="X = np.moveaxis(X, -3, -1)",
)
def interleaved(X):
    X = np.moveaxis(X, -3, -1)
    *front, d_v, H = X.shape
    return X.reshape(*front, d_v * H)


@wrong(
    "makes n rows whatever axes lead: with a batch a row holds several tokens side by side, and the batch is lost",
    line="return X.reshape(n, -1)",
)
def batch_into_columns(X):
    n = X.shape[-2]
    X = np.swapaxes(X, -3, -2)
    return X.reshape(n, -1)


@wrong("adds the heads up instead of putting them side by side", names={"added"}, line="merged = X.sum(axis=-3)")
def adds_heads(X):
    merged = X.sum(axis=-3)
    return merged


@wrong("averages over the heads instead of putting them side by side", names={"averaged"}, line=None)
def averages(X):
    return np.mean(X, axis=-3)


@wrong(
    "exchanges tokens and heads but does not join the last two axes: (..., n, n_heads, d_v)",
    names={"not-joined"},
    line="return moved",
)
def not_joined(X):
    moved = np.swapaxes(X, -2, -3)
    return moved


@wrong(
    "exchanges tokens and columns instead of heads and tokens before it reshapes",
    names={"wrong-pair"},
    line="X = X.swapaxes(-1, -2)",
)
def wrong_exchange(X):
    H, n, d_v = X.shape[-3:]
    X = X.swapaxes(-1, -2)
    return X.reshape(*X.shape[:-3], n, H * d_v)


@wrong(
    "puts the heads side by side in reversed order",
    names={"last-head-first"},
    line="for h in range(n_heads - 1, -1, -1):",
)
def last_head_first(X):
    n_heads = X.shape[-3]
    columns = []
    for h in range(n_heads - 1, -1, -1):
        columns.append(X[..., h, :, :])
    return np.concatenate(columns, axis=-1)


@wrong("its loop leaves out the last head", line="for h in range(1, X.shape[-3] - 1):")
def last_head_missing(X):
    merged = X[..., 0, :, :]
    for h in range(1, X.shape[-3] - 1):
        merged = np.concatenate([merged, X[..., h, :, :]], axis=-1)
    return merged


@wrong(
    "hard-codes the two heads of the example: any further head is forgotten (and a single one raises)",
    line="second = X[..., 1, :, :]",
)
def two_heads_only(X):
    first = X[..., 0, :, :]
    second = X[..., 1, :, :]
    return np.concatenate([first, second], axis=-1)


@wrong(
    "reverses all axes with .T instead of exchanging heads and tokens only, so a row holds first column 0 of every "
    "head, then column 1 (and leading axes go astray)",
    names={"all-axes-reversed", "interleaved"},
    line="X = X.T",
)
def full_transpose(X):
    n = X.shape[-2]
    X = X.T
    X = X.swapaxes(0, 1)
    return X.reshape(n, -1)


@wrong(
    "takes the batch axis for granted: its transpose names four axes, so it raises for any other number of axes",
    names={"for-a-batch-only"},
    line="X = X.transpose(0, 2, 1, 3)",
)
def four_axes_only(X):
    X = X.transpose(0, 2, 1, 3)
    B, n, H, d_v = X.shape
    return X.reshape(B, n, H * d_v)


@wrong(
    "reshapes to (n, n_heads, d_v) where it should exchange the two axes, so numbers of several tokens stand in one "
    "row",
    names={"plain-reshape"},
    line="flat = X.reshape(*front, n, H, d_v)",
)
def wrong_order_of_steps(X):
    *front, H, n, d_v = X.shape
    flat = X.reshape(*front, n, H, d_v)
    return flat.reshape(*front, n, H * d_v)


@wrong(
    "two: adds the heads up instead of putting them side by side, and does so over the first axis, which is not "
    "that of the heads when there is a batch",
    names={"added", "first-axis-taken-for-the-heads"},
    line="total = total + head",
)
def sum_of_the_first_axis(X):
    total = 0
    for head in X:
        total = total + head
    return total


@wrong(
    "two: puts the heads below each other instead of side by side, and in reversed order",
    names={"below-each-other"},
    line="heads = np.flip(X, axis=-3)",
)
def flipped_and_stacked(X):
    *front, H, n, d_v = X.shape
    heads = np.flip(X, axis=-3)
    return heads.reshape(*front, H * n, d_v)


@wrong(
    "reads the elements in Fortran order, so a row does not hold head after head",
    names={"interleaved"},
    line='return X.reshape(*X.shape[:-2], -1, order="F")',
)
def fortran_order(X):
    X = np.swapaxes(X, -3, -2)
    return X.reshape(*X.shape[:-2], -1, order="F")


@right
def swap_and_reshape(X):
    X = np.swapaxes(X, -3, -2)
    return X.reshape(*X.shape[:-2], X.shape[-2] * X.shape[-1])


@right
def side_by_side(X):
    heads = [X[..., h, :, :] for h in range(X.shape[-3])]
    return np.concatenate(heads, axis=-1)


@right
def slice_by_slice(X):
    *front, H, n, d_v = X.shape
    merged = np.zeros((*front, n, H * d_v), dtype=X.dtype)
    for h in range(H):
        merged[..., h * d_v : (h + 1) * d_v] = X[..., h, :, :]
    return merged


@right
def with_einsum(X):
    *front, H, n, d_v = X.shape
    return np.einsum("...hnc->...nhc", X).reshape((*front, n, H * d_v))


@wrong("takes the first axis for that of the heads", names={"first-axis-taken-for-the-heads"})
def first_axis(X):
    return np.concatenate(list(X), axis=-1)


@wrong("puts the same column of all heads side by side", names={"interleaved"})
def columns_interleaved(X):
    moved = np.moveaxis(X, -3, -1)
    return moved.reshape(*moved.shape[:-2], -1)


@wrong("adds the heads up instead of putting them side by side")
def heads_added(X):
    total = X.sum(axis=-3)
    return np.tile(total, X.shape[-3])


@wrong(
    "joins along axis 1, which is the last one only without leading axes",
    names={"joined-along-axis-1"},
    line="return np.concatenate(heads, axis=1)",
)
def joins_along_axis_1(X):
    heads = [X[..., h, :, :] for h in range(X.shape[-3])]
    return np.concatenate(heads, axis=1)


@wrong("head h begins at column h * n instead of h * d_v", line="merged[..., h * n : h * n + d_v] = X[..., h, :, :]")
def offset_by_tokens(X):
    *lead, n_heads, n, d_v = X.shape
    merged = np.zeros((*lead, n, n_heads * d_v))
    for h in range(n_heads):
        merged[..., h * n : h * n + d_v] = X[..., h, :, :]
    return merged


@wrong("squeezes the result, so axes of length 1 are lost", line="return np.squeeze(merged)")
def squeezed(X):
    *lead, n_heads, n, d_v = X.shape
    merged = np.swapaxes(X, -3, -2).reshape(*lead, n, n_heads * d_v)
    return np.squeeze(merged)
