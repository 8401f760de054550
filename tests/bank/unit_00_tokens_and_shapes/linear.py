"""Functions that learners wrote for `linear`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("multiplies entry by entry instead of taking the matrix product", names={"entry-by-entry"}, line=None)
def star(X, W, b):
    return X * W + b


@wrong("puts the weights on the left of the tokens", names={"weights-on-the-left"}, line="Y = W @ X")
def weights_on_the_left(X, W, b):
    Y = W @ X
    return Y + b


@wrong("multiplies by the transposed weights", names={"weights-turned"}, line=None)
def transposed_weights(X, W, b):
    return np.matmul(X, W.T) + b


@wrong(
    "multiplies by the transposed weights, because np.inner pairs the last axes of both",
    names={"weights-turned"},
    line="out = np.inner(X, W)",
)
def inner(X, W, b):
    out = np.inner(X, W)
    out = out + b
    return out


@wrong("forgets the bias", names={"no-bias"}, line=None)
def no_bias(X, W, b):
    return X @ W


@wrong("subtracts the bias instead of adding it", names={"bias-subtracted"}, line="result = product - b")
def minus_bias(X, W, b):
    product = np.dot(X, W)
    result = product - b
    return result


@wrong("adds the bias to the tokens before the product instead of to the result", names={"bias-first"}, line=None)
def bias_first(X, W, b):
    return (X + b) @ W


@wrong("adds the bias to the weights instead of to the product", names={"bias-in-weights"}, line=None)
def bias_in_weights(X, W, b):
    return X @ (W + b)


@wrong(
    "adds the bias along the axis of the tokens, as a column, instead of to every token",
    names={"bias-down-the-rows"},
    line="return Y + b[:, None]",
)
def bias_as_column(X, W, b):
    Y = X @ W
    return Y + b[:, None]


@wrong("adds the sum of the bias to every entry", names={"sum-of-bias"}, line="shift = np.sum(b)")
def sum_of_bias(X, W, b):
    shift = np.sum(b)
    return X @ W + shift


@wrong("adds the bias once for every input entry, d_in times in all", line="out = out + X[..., i, None] * W[i] + b")
def bias_many_times(X, W, b):
    out = np.zeros(X.shape[:-1] + (W.shape[1],))
    for i in range(W.shape[0]):
        out = out + X[..., i, None] * W[i] + b
    return out


@wrong("works for a sentence only: a single vector or a batch is refused", names={"two-axes-only"}, line=None)
def sentence_only(X, W, b):
    return np.einsum("ij,jk->ik", X, W) + b


@wrong(
    "turns the tokens into columns with .T, which reverses all axes, so batches fail or come out wrong",
    names={"all-axes-reversed"},
    line="Y = (W.T @ X.T).T",
)
def via_columns(X, W, b):
    Y = (W.T @ X.T).T
    return Y + b


@wrong("adds the bias to the first token only", names={"bias-on-first-token"}, line="Y[..., :1, :] += b")
def bias_for_first_token(X, W, b):
    Y = np.atleast_2d(X @ W)
    Y[..., :1, :] += b
    return Y.reshape(X.shape[:-1] + b.shape)


@wrong("cuts the results off to integers", line="out = np.zeros(X.shape[:-1] + (W.shape[1],), dtype=int)")
def integer_result(X, W, b):
    out = np.zeros(X.shape[:-1] + (W.shape[1],), dtype=int)
    out[...] = X @ W + b
    return out


@wrong("applies a ReLU after the linear map", names={"activated"}, line="return np.maximum(Y, 0)")
def relu_too(X, W, b):
    Y = X @ W + b
    return np.maximum(Y, 0)


@wrong("loop ends too early: the last entry of every token vector is not used", line="for i in range(X.shape[-1] - 1):")
def last_entry_unused(X, W, b):
    Y = np.zeros(X.shape[:-1] + b.shape) + b
    for i in range(X.shape[-1] - 1):
        Y += X[..., i : i + 1] * W[i]
    return Y


@wrong("adds up all tokens and returns one vector instead of one per token", line="total += x @ W + b")
def adds_tokens_up(X, W, b):
    total = np.zeros(W.shape[1])
    for x in X.reshape(-1, X.shape[-1]):
        total += x @ W + b
    return total


@wrong("divides the product by the square root of d_in", names={"scaled"}, line="Y = X @ W / np.sqrt(W.shape[0])")
def scaled(X, W, b):
    Y = X @ W / np.sqrt(W.shape[0])
    return Y + b


@wrong(
    "changes its argument b: the product is added into it (and for more than one token that fails)",
    line="b += X @ W",
)
def into_bias(X, W, b):
    b += X @ W
    return b


@wrong(
    "two: multiplies by the transposed weights, and forgets the bias", names={"weights-turned", "no-bias"}, line=None
)
def transposed_without_bias(X, W, b):
    return X @ W.T


@wrong(
    "two: puts the weights on the left of the tokens, and subtracts the bias",
    names={"weights-on-the-left", "bias-subtracted"},
    line="Y = np.dot(W, X)",
)
def left_and_minus(X, W, b):
    Y = np.dot(W, X)
    Y = Y - b
    return Y


@wrong("prints the result and returns nothing", line="print(Y + b)")
def prints(X, W, b):
    Y = X @ W
    print(Y + b)


@wrong(
    "makes up weights of its own at random instead of using W",
    line="weights = np.random.default_rng().standard_normal(W.shape)",
)
def random_weights(X, W, b):
    weights = np.random.default_rng().standard_normal(W.shape)
    return X @ weights + b


@wrong(
    "two: loop ends too early, so the last column of the result stays 0, and the bias is not added",
    line="for j in range(d_out - 1):",
)
def last_column_and_bias(X, W, b):
    d_out = W.shape[1]
    Y = np.zeros(X.shape[:-1] + (d_out,))
    for j in range(d_out - 1):
        Y[..., j] = X @ W[:, j]
    return Y


@right
def one_line(X, W, b):
    return X @ W + b


@right
def with_einsum(X, W, b):
    return np.einsum("...i,ij->...j", X, W) + b


@right
def with_dot(X, W, b):
    Y = np.dot(X, W)
    Y += b
    return Y


@right
def with_tensordot(X, W, b):
    product = np.tensordot(X, W, axes=([-1], [0]))
    return np.add(product, b)


@right
def with_loops(X, W, b):
    d_in, d_out = W.shape
    flat = X.reshape(-1, d_in)
    out = np.empty((len(flat), d_out))
    for t, x in enumerate(flat):
        for j in range(d_out):
            out[t, j] = sum(x[i] * W[i, j] for i in range(d_in)) + b[j]
    return out.reshape(*X.shape[:-1], d_out)


@wrong("adds the bias to the weights", names={"bias-in-weights"})
def bias_in_the_weights(X, W, b):
    return X @ (W + b)


@wrong("transposes all axes, so that batches come out wrong", names={"all-axes-reversed"})
def columns_and_back(X, W, b):
    columns = W.T @ X.T
    return columns.T + b


@wrong(
    "cuts the results off to whole numbers where the tokens are whole numbers",
    names={"fractions-cut"},
    line="Y[...] = X @ W + b",
)
def dtype_of_the_tokens(X, W, b):
    Y = np.zeros(X.shape[:-1] + (W.shape[-1],), dtype=X.dtype)
    Y[...] = X @ W + b
    return Y
