"""Functions that learners wrote for `ffn_backward`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.parameters import FeedForwardParams
from transformer_kit.reference import relu


@wrong(
    "the gate looks at the sign of the gradient dH instead of the hidden layer Z that went forward",
    names={"relu-of-the-gradient"},
    line="dZ = np.where(dH > 0, dH, 0)",
)
def gate_by_gradient(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dy = d_output.reshape(-1, d_output.shape[-1])
    H = np.maximum(x @ params.W_1 + params.b_1, 0)
    dH = dy @ params.W_2.T
    dZ = np.where(dH > 0, dH, 0)
    grads = FeedForwardParams(x.T @ dZ, dZ.sum(axis=0), H.T @ dy, dy.sum(axis=0))
    return (dZ @ params.W_1.T).reshape(X.shape), grads


@wrong("lets the gradient pass where Z is exactly 0", names={"open-at-0"}, line="dZ = dH * (Z >= 0)")
def gate_open_at_zero(d_output, X, params):
    rows = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(rows.shape)
    Z = rows @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dH = dY @ params.W_2.T
    dZ = dH * (Z >= 0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(rows.T @ dZ, dZ.sum(0), H.T @ dY, dY.sum(0))


@wrong("has no gate: the gradient passes ReLU unchanged everywhere", names={"no-gate"}, line="dX = dH @ params.W_1.T")
def no_gate(d_output, X, params):
    rows = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    H = reference.relu(rows @ params.W_1 + params.b_1)
    dW_2 = H.T @ dY
    dH = dY @ params.W_2.T
    dX = dH @ params.W_1.T
    dW_1 = rows.T @ dH
    return dX.reshape(X.shape), FeedForwardParams(dW_1, dH.sum(axis=0), dW_2, dY.sum(axis=0))


@wrong(
    "averages the bias gradients over the positions instead of summing them",
    names={"biases-averaged", "mean-over-positions"},
    line="db_1 = dZ.mean(axis=0)",
)
def mean_for_sum(d_output, X, params):
    rows = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = rows @ params.W_1 + params.b_1
    H = np.maximum(0, Z)
    dZ = (dY @ params.W_2.T) * (Z > 0)
    db_1 = dZ.mean(axis=0)
    db_2 = dY.mean(axis=0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(rows.T @ dZ, db_1, H.T @ dY, db_2)


@wrong(
    "works for plain matrices only: with batch axes X.T reverses all axes and the products do not fit",
    names={"transposes-everything"},
    line="dW_2 = H.T @ d_output",
)
def two_axes_only(d_output, X, params):
    Z = X @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dW_2 = H.T @ d_output
    db_2 = d_output.sum(axis=0)
    dZ = (d_output @ params.W_2.T) * (Z > 0)
    dW_1 = X.T @ dZ
    db_1 = dZ.sum(axis=0)
    return dZ @ params.W_1.T, FeedForwardParams(dW_1, db_1, dW_2, db_2)


@wrong(
    "sums the bias gradients over axis 0 only, so with batch axes they keep the axis of positions",
    names={"biases-over-the-first-axis"},
    line="db_2 = d_output.sum(axis=0)",
)
def bias_over_first_axis(d_output, X, params):
    Z = X @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    axes = list(range(X.ndim - 1))
    db_2 = d_output.sum(axis=0)
    dW_2 = np.tensordot(H, d_output, axes=(axes, axes))
    dZ = np.where(Z > 0, d_output @ params.W_2.T, 0)
    db_1 = dZ.sum(axis=0)
    dW_1 = np.tensordot(X, dZ, axes=(axes, axes))
    return dZ @ params.W_1.T, FeedForwardParams(dW_1, db_1, dW_2, db_2)


@wrong(
    "forms the gradient of W_2 with Z, the hidden layer before ReLU, instead of H after it",
    names={"hidden-before-activation"},
    line="dW_2 = Z.T @ dY",
)
def hidden_before_relu(d_output, X, params):
    d = X.shape[-1]
    rows, dY = X.reshape(-1, d), d_output.reshape(-1, d)
    Z = rows @ params.W_1 + params.b_1
    dW_2 = Z.T @ dY
    dZ = np.where(Z > 0, dY @ params.W_2.T, 0.0)
    dX = dZ @ params.W_1.T
    return dX.reshape(X.shape), FeedForwardParams(rows.T @ dZ, dZ.sum(0), dW_2, dY.sum(0))


@wrong(
    "dX stays one long matrix of rows instead of being shaped back to the shape of X",
    names={"dX-stays-flat"},
    line="return dX, FeedForwardParams(dW_1, db_1, dW_2, db_2)",
)
def not_shaped_back(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dy = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dW_2, db_2 = H.T @ dy, dy.sum(axis=0)
    dZ = dy @ params.W_2.T
    dZ[Z <= 0] = 0
    dW_1, db_1 = x.T @ dZ, dZ.sum(axis=0)
    dX = dZ @ params.W_1.T
    return dX, FeedForwardParams(dW_1, db_1, dW_2, db_2)


@wrong(
    "returns the gradients of the parameters first and dX second",
    names={"parameters-first"},
    line="return d_params, dX",
)
def order_of_results(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dy = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    dZ = (dy @ params.W_2.T) * (Z > 0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    d_params = FeedForwardParams(x.T @ dZ, dZ.sum(0), np.maximum(Z, 0).T @ dy, dy.sum(0))
    return d_params, dX


@wrong(
    "puts the gradients into the container in the order W_1, W_2, b_1, b_2 instead of W_1, b_1, W_2, b_2",
    names={"fields-in-another-order"},
    line="return dX.reshape(X.shape), FeedForwardParams(dW_1, dW_2, db_1, db_2)",
)
def order_of_fields(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dy = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    H = reference.relu(Z)
    dW_2 = H.T @ dy
    db_2 = np.sum(dy, axis=0)
    dZ = (dy @ params.W_2.T) * (Z > 0)
    dW_1 = x.T @ dZ
    db_1 = np.sum(dZ, axis=0)
    dX = dZ @ params.W_1.T
    return dX.reshape(X.shape), FeedForwardParams(dW_1, dW_2, db_1, db_2)


@wrong(
    "multiplies the gradient by H, the size of the hidden numbers, where the gate should only open or close",
    names={"times-the-hidden-layer"},
    line="dZ = dH * H",
)
def multiplies_by_hidden(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    H = np.maximum(x @ params.W_1 + params.b_1, 0)
    dH = dY @ params.W_2.T
    dZ = dH * H
    dX = dZ @ params.W_1.T
    return dX.reshape(X.shape), FeedForwardParams(x.T @ dZ, dZ.sum(0), H.T @ dY, dY.sum(0))


@wrong(
    "forgets the bias b_1 when it computes the hidden layer again",
    names={"gate-without-bias"},
    line="Z = x @ params.W_1",
)
def forward_without_bias(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1
    H = np.maximum(Z, 0)
    dZ = np.where(Z > 0, dY @ params.W_2.T, 0)
    dX = dZ @ params.W_1.T
    return dX.reshape(X.shape), FeedForwardParams(x.T @ dZ, dZ.sum(0), H.T @ dY, dY.sum(0))


@wrong(
    "sums for db_1 before the gate is closed, so dH and not dZ is added up",
    names={"b-1-before-the-gate"},
    line="db_1 = dH.sum(axis=0)",
)
def first_bias_ungated(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    dH = dY @ params.W_2.T
    db_1 = dH.sum(axis=0)
    dZ = dH * (Z > 0)
    dW_1 = x.T @ dZ
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(dW_1, db_1, np.maximum(Z, 0).T @ dY, dY.sum(axis=0))


@wrong(
    "does not transpose W_2 on the way back, so the shapes do not fit",
    names={"w-2-not-transposed"},
    line="dH = dY @ params.W_2",
)
def forgot_transpose(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    dH = dY @ params.W_2
    dZ = dH * (Z > 0)
    dX = dZ @ params.W_1
    return dX.reshape(X.shape), FeedForwardParams(x.T @ dZ, dZ.sum(0), np.maximum(Z, 0).T @ dY, dY.sum(0))


@wrong(
    "the gradients of both matrices are transposed: dZ.T @ X instead of X.T @ dZ, and the same for W_2",
    names={"weights-transposed"},
    line="dW_2 = dY.T @ H",
)
def matrices_transposed(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dW_2 = dY.T @ H
    dZ = (dY @ params.W_2.T) * (Z > 0)
    dW_1 = dZ.T @ x
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(dW_1, dZ.sum(axis=0), dW_2, dY.sum(axis=0))


@wrong(
    "two: there is no gate, and the bias gradients are averaged over the positions instead of summed",
    names={"mean-over-positions", "no-gate"},
    line="dZ = dY @ params.W_2.T",
)
def gate_and_mean(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    H = np.maximum(x @ params.W_1 + params.b_1, 0)
    dZ = dY @ params.W_2.T
    d_params = FeedForwardParams(x.T @ dZ, dZ.mean(axis=0), H.T @ dY, dY.mean(axis=0))
    return (dZ @ params.W_1.T).reshape(X.shape), d_params


@wrong(
    "two: the gate looks at the sign of the gradient instead of Z, and the results come in the wrong order",
    names={"parameters-first", "relu-of-the-gradient"},
    line="dZ[dZ <= 0] = 0",
)
def gate_and_order(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    H = np.maximum(x @ params.W_1 + params.b_1, 0)
    dZ = dY @ params.W_2.T
    dZ[dZ <= 0] = 0
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return FeedForwardParams(x.T @ dZ, dZ.sum(0), H.T @ dY, dY.sum(0)), dX


@wrong(
    "half finished: the gradients of W_1 and b_1 are zeros, they were never computed",
    line="dW_1, db_1 = np.zeros_like(params.W_1), np.zeros_like(params.b_1)",
)
def first_map_missing(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    dW_2, db_2 = np.maximum(Z, 0).T @ dY, dY.sum(axis=0)
    dZ = (dY @ params.W_2.T) * (Z > 0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    dW_1, db_1 = np.zeros_like(params.W_1), np.zeros_like(params.b_1)
    return dX, FeedForwardParams(dW_1, db_1, dW_2, db_2)


@right
def rows_of_one_matrix(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, X.shape[-1])
    Z = x @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dZ = (dY @ params.W_2.T) * (Z > 0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(x.T @ dZ, dZ.sum(axis=0), H.T @ dY, dY.sum(axis=0))


@right
def with_einsum(d_output, X, params):
    Z = np.einsum("...d,df->...f", X, params.W_1) + params.b_1
    H = np.where(Z > 0, Z, 0)
    dH = np.einsum("...d,fd->...f", d_output, params.W_2)
    dZ = np.where(Z > 0, dH, 0)
    x, dz, h, dy = (a.reshape(-1, a.shape[-1]) for a in (X, dZ, H, d_output))
    return np.einsum("...f,df->...d", dZ, params.W_1), FeedForwardParams(
        W_1=np.einsum("td,tf->df", x, dz),
        b_1=np.einsum("tf->f", dz),
        W_2=np.einsum("tf,td->fd", h, dy),
        b_2=np.einsum("td->d", dy),
    )


@right
def token_by_token(d_output, X, params):
    dX = np.zeros(X.shape)
    grads = [np.zeros(p.shape) for p in params]
    for index in np.ndindex(X.shape[:-1]):
        x, dy = X[index], d_output[index]
        z = x @ params.W_1 + params.b_1
        dz = params.W_2 @ dy
        dz[z <= 0] = 0
        dX[index] = params.W_1 @ dz
        grads[0] += np.outer(x, dz)
        grads[1] += dz
        grads[2] += np.outer(np.maximum(z, 0), dy)
        grads[3] += dy
    return dX, FeedForwardParams(*grads)


@right
def with_tensordot(d_output, X, params):
    axes = tuple(range(X.ndim - 1))
    Z = X @ params.W_1 + params.b_1
    gate = (Z > 0).astype(float)
    dZ = gate * (d_output @ params.W_2.T)
    dW_1 = np.tensordot(X, dZ, axes=(axes, axes))
    dW_2 = np.tensordot(Z * gate, d_output, axes=(axes, axes))
    return dZ @ params.W_1.T, FeedForwardParams(dW_1, dZ.sum(axis=axes), dW_2, d_output.sum(axis=axes))


@wrong(
    "lets the gradient through everywhere, because no hidden number is below 0",
    names={"no-gate"},
    line="dZ = dH * (H >= 0)",
)
def never_negative(d_output, X, params):
    H = relu(X @ params.W_1 + params.b_1)
    dH = d_output @ params.W_2.T
    dZ = dH * (H >= 0)
    rows = lambda A: A.reshape(-1, A.shape[-1])
    d_params = type(params)(
        W_1=rows(X).T @ rows(dZ), b_1=rows(dZ).sum(0), W_2=rows(H).T @ rows(d_output), b_2=rows(d_output).sum(0)
    )
    return dZ @ params.W_1.T, d_params


@wrong("forgets the bias where it asks which units were on", line="Z = X @ params.W_1")
def on_without_bias(d_output, X, params):
    Z = X @ params.W_1
    H = relu(Z + params.b_1)
    dZ = np.where(Z > 0, d_output @ params.W_2.T, 0.0)
    rows = lambda A: A.reshape(-1, A.shape[-1])
    d_params = type(params)(
        W_1=rows(X).T @ rows(dZ), b_1=rows(dZ).sum(0), W_2=rows(H).T @ rows(d_output), b_2=rows(d_output).sum(0)
    )
    return dZ @ params.W_1.T, d_params


@wrong("takes means for the gradients of the biases", names={"biases-averaged"})
def mean_biases(d_output, X, params):
    Z = X @ params.W_1 + params.b_1
    H = np.maximum(Z, 0)
    dZ = (d_output @ params.W_2.T) * (Z > 0)
    rows = lambda A: A.reshape(-1, A.shape[-1])
    d_params = params._replace(
        W_1=rows(X).T @ rows(dZ), b_1=rows(dZ).mean(0), W_2=rows(H).T @ rows(d_output), b_2=rows(d_output).mean(0)
    )
    return dZ @ params.W_1.T, d_params


@wrong(
    "computes the gradients of W_1 and b_1 from the gradient before it has passed the ReLU",
    names={"first-map-before-the-gate"},
)
def first_map_from_dH(d_output, X, params):
    x = X.reshape(-1, X.shape[-1])
    dY = d_output.reshape(-1, d_output.shape[-1])
    Z = x @ params.W_1 + params.b_1
    H = relu(Z)
    dH = dY @ params.W_2.T
    dZ = dH * (Z > 0)
    return (dZ @ params.W_1.T).reshape(X.shape), FeedForwardParams(x.T @ dH, dH.sum(0), H.T @ dY, dY.sum(0))


@wrong(
    "computes the gradient of W_1 before the ReLU has been passed, and that of b_1 after", names={"w-1-before-the-gate"}
)
def dW1_alone_from_dH(d_output, X, params):
    x, dY = X.reshape(-1, X.shape[-1]), d_output.reshape(-1, d_output.shape[-1])
    Z = x @ params.W_1 + params.b_1
    dH = dY @ params.W_2.T
    dZ = np.where(Z > 0, dH, 0)
    dX = (dZ @ params.W_1.T).reshape(X.shape)
    return dX, FeedForwardParams(x.T @ dH, dZ.sum(0), np.maximum(Z, 0).T @ dY, dY.sum(0))
