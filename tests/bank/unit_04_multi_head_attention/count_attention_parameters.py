"""Functions that learners wrote for `count_attention_parameters`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("leaves out W_O", names={"no-output-matrix"}, line="return count_Q + count_K + count_V")
def without_W_O(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    count_Q = d_model * n_heads * d_k
    count_K = d_model * n_heads * d_k
    count_V = d_model * n_heads * d_v
    return count_Q + count_K + count_V


@wrong(
    "takes d_k and d_v for the width of all heads together: forgets to multiply by n_heads",
    names={"one-head"},
    line="return 2 * d_model * d_k + 2 * d_model * d_v",
)
def width_of_all_heads(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    return 2 * d_model * d_k + 2 * d_model * d_v


@wrong("a missing d_v becomes d_k instead of d_model // n_heads", names={"tied-default"}, line="d_v = d_k")
def d_v_like_d_k(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_k
    total = 2 * d_model * n_heads * d_k
    total += 2 * d_model * n_heads * d_v
    return total


@wrong(
    "divides with / and so returns a float instead of an int with the default widths",
    names={"true-division"},
    line="d = d_model / n_heads",
)
def float_division(d_model, n_heads, d_k=None, d_v=None):
    d = d_model / n_heads
    d_k = d if d_k is None else d_k
    d_v = d if d_v is None else d_v
    return 2 * n_heads * d_model * (d_k + d_v)


@wrong("ignores d_k and d_v: always counts four matrices of d_model by d_model", names={"widths-ignored"}, line=None)
def four_squares(d_model, n_heads, d_k=None, d_v=None):
    return 4 * d_model**2


@wrong("counts biases, too, which the layer does not have", names={"biases"}, line="total = weights + biases")
def with_biases(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_k if d_k is not None else d_model // n_heads
    d_v = d_v if d_v is not None else d_model // n_heads
    weights = n_heads * (2 * d_model * d_k + 2 * d_model * d_v)
    biases = 2 * n_heads * d_k + n_heads * d_v + d_model
    total = weights + biases
    return total


@wrong(
    "takes d_model as the default width of one head instead of d_model // n_heads",
    names={"full-width"},
    line="d_k = d_model",
)
def heads_of_full_width(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model
    if d_v is None:
        d_v = d_model
    W_Q = W_K = d_model * n_heads * d_k
    W_V = d_model * n_heads * d_v
    W_O = n_heads * d_v * d_model
    return W_Q + W_K + W_V + W_O


@wrong(
    "uses the defaults only when both widths are left out, so a single missing one raises (None in a product)",
    names={"default-for-both-only"},
    line="if d_k is None and d_v is None:",
)
def both_or_none(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None and d_v is None:
        d_k = d_v = d_model // n_heads
    return d_model * n_heads * d_k * 2 + d_model * n_heads * d_v * 2


@wrong(
    "replaces both widths by the default as soon as one of them is left out, and so ignores the one that was given",
    names={"both-or-none"},
    line="d_k = d_v = d_model // n_heads",
)
def one_missing_resets_both(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None or d_v is None:
        d_k = d_v = d_model // n_heads
    per_head = 2 * d_model * d_k + 2 * d_model * d_v
    return n_heads * per_head


@wrong(
    "counts W_O as d_model by d_model, whatever d_v and n_heads are",
    names={"square-output"},
    line="W_O = d_model * d_model",
)
def square_W_O(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    W_Q = W_K = d_model * (n_heads * d_k)
    W_V = d_model * (n_heads * d_v)
    W_O = d_model * d_model
    return W_Q + W_K + W_V + W_O


@wrong(
    "counts only d_v columns of one head for the rows of W_O: forgets n_heads in that matrix",
    names={"one-output-head"},
    line="shapes.append((d_v, d_model))",
)
def W_O_of_one_head(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    shapes = [(d_model, n_heads * d_k), (d_model, n_heads * d_k), (d_model, n_heads * d_v)]
    shapes.append((d_v, d_model))
    return sum(rows * columns for rows, columns in shapes)


@wrong(
    "counts three matrices with d_k and only one with d_v: W_V is counted with d_k",
    names={"values-with-d-k"},
    line="return 3 * d_model * n_heads * d_k + n_heads * d_v * d_model",
)
def values_with_d_k(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    return 3 * d_model * n_heads * d_k + n_heads * d_v * d_model


@wrong(
    "counts W_O once for every head, although its rows are already those of all heads",
    names={"output-matrix-per-head"},
    line="return qkv + n_heads * W_O",
)
def W_O_per_head(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    qkv = n_heads * (d_model * d_k + d_model * d_k + d_model * d_v)
    W_O = n_heads * d_v * d_model
    return qkv + n_heads * W_O


@wrong("adds rows and columns instead of multiplying them", names={"rows-plus-columns"}, line="total += rows + columns")
def rows_plus_columns(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_k or d_model // n_heads
    d_v = d_v or d_model // n_heads
    total = 0
    for rows, columns in [(d_model, n_heads * d_k)] * 2 + [(d_model, n_heads * d_v), (n_heads * d_v, d_model)]:
        total += rows + columns
    return total


@wrong("prints the number instead of returning it", line="print(2 * d_model * n_heads * (d_k + d_v))")
def prints(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    print(2 * d_model * n_heads * (d_k + d_v))


@wrong("returns the four counts as a tuple instead of their sum", line="return W_Q, W_K, W_V, W_O")
def four_counts(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    W_Q = W_K = d_model * n_heads * d_k
    W_V = W_O = d_model * n_heads * d_v
    return W_Q, W_K, W_V, W_O


@wrong("returns an array of NumPy instead of a Python int", line="return np.array(entries).sum(keepdims=True)")
def numpy_array(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    entries = [d_model * n_heads * d for d in (d_k, d_k, d_v, d_v)]
    return np.array(entries).sum(keepdims=True)


@wrong(
    "two: leaves out W_O, and does not multiply by n_heads",
    names={"no-output-matrix", "one-head"},
    line="return d_model * (2 * d_k + d_v)",
)
def three_matrices_of_one_head(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    return d_model * (2 * d_k + d_v)


@wrong(
    "two: a missing d_v becomes d_k instead of d_model // n_heads, and the result is a float (division with /)",
    names={"tied-default", "true-division"},
    line="d_k = d_model / n_heads",
)
def float_and_copied(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model / n_heads
    if d_v is None:
        d_v = d_k
    return 2 * d_model * n_heads * (d_k + d_v)


@right
def counted_shapes(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_model // n_heads
    shapes = [(d_model, n_heads * d_k), (d_model, n_heads * d_k), (d_model, n_heads * d_v), (n_heads * d_v, d_model)]
    return sum(rows * columns for rows, columns in shapes)


@right
def short_formula(d_model, n_heads, d_k=None, d_v=None):
    default = d_model // n_heads
    d_k = default if d_k is None else d_k
    d_v = default if d_v is None else d_v
    return 2 * n_heads * d_model * (d_k + d_v)


@right
def with_empty_matrices(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    matrices = [np.empty((d_model, n_heads * d)) for d in (d_k, d_k, d_v)] + [np.empty((n_heads * d_v, d_model))]
    return sum(W.size for W in matrices)


@wrong("counts the rows of W_O with d_k instead of d_v", names={"values-with-d-k"})
def output_of_keys(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    return d_model * n_heads * (2 * d_k + d_v) + n_heads * d_k * d_model


@wrong("takes d_k for d_v where d_v is left out", names={"tied-default"})
def values_follow_keys(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None:
        d_k = d_model // n_heads
    if d_v is None:
        d_v = d_k
    return 2 * d_model * n_heads * (d_k + d_v)


@wrong("divides without rounding down, and returns a float", names={"true-division"})
def true_division(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_k or d_model / n_heads
    d_v = d_v or d_model / n_heads
    return 2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v
