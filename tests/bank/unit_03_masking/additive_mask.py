"""Functions that learners wrote for `additive_mask`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "exchanges the two values: -inf where the pair is allowed and 0 where it is hidden",
    names={"inverted"},
    line="out[mask] = -np.inf",
)
def swapped(mask):
    out = np.zeros(mask.shape)
    out[mask] = -np.inf
    return out


@wrong("takes the large negative number -1e9 instead of -inf", names={"large-number"}, line=None)
def minus_a_billion(mask):
    return np.where(mask, 0.0, -1e9)


@wrong(
    "multiplies 0 by -inf, which gives NaN where the pair is allowed",
    names={"zero-times-infinity"},
    line="return hidden * -np.inf",
)
def product_with_infinity(mask):
    hidden = 1 - mask.astype(float)
    return hidden * -np.inf


@wrong(
    "writes -inf into a boolean array, where it becomes True, so that nothing is hidden and the dtype is bool",
    names={"array-of-booleans"},
    line="M = np.zeros_like(mask)",
)
def zeros_like_a_mask(mask):
    M = np.zeros_like(mask)
    M[~mask] = -np.inf
    return M


@wrong("leaves a 1 where the pair is allowed, instead of 0", names={"one-where-visible"}, line="M = mask.astype(float)")
def ones_stay(mask):
    M = mask.astype(float)
    M[M == 0] = -np.inf
    return M


@wrong(
    "puts +inf instead of -inf at the hidden pairs", names={"plus-infinity"}, line="return np.where(mask, zero, np.inf)"
)
def plus_infinity(mask):
    zero = np.zeros(mask.shape)
    return np.where(mask, zero, np.inf)


@wrong("asks `if mask` of a whole array, which raises because its truth value is ambiguous", line="if mask:")
def one_if(mask):
    if mask:
        return 0.0
    else:
        return -np.inf


@wrong("loops over exactly two axes: raises for masks of one axis and of three", line="n_queries, n_keys = mask.shape")
def two_loops(mask):
    n_queries, n_keys = mask.shape
    M = np.zeros((n_queries, n_keys))
    for i in range(n_queries):
        for j in range(n_keys):
            if not mask[i, j]:
                M[i, j] = -np.inf
    return M


@wrong(
    "takes the logarithm of booleans: the result is float16 instead of float64",
    names={"low-precision"},
    line="M = np.log(mask)",
)
def logarithm(mask):
    with np.errstate(divide="ignore"):
        M = np.log(mask)
    return M


@wrong("returns float32 instead of float64", names={"low-precision"}, line="M = np.zeros(mask.shape, dtype=np.float32)")
def single_precision(mask):
    M = np.zeros(mask.shape, dtype=np.float32)
    M[~mask] = -np.inf
    return M


@wrong(
    "ignores the values of the mask and always makes a causal one of its shape",
    line="M = np.triu(np.full(mask.shape, -np.inf), k=1)",
)
def always_causal(mask):
    M = np.triu(np.full(mask.shape, -np.inf), k=1)
    return M


@wrong(
    "subtracts one from the mask and so gives -1 at the hidden pairs, instead of -inf",
    names={"minus-1"},
    line="M = mask.astype(np.float64) - 1",
)
def minus_one(mask):
    M = mask.astype(np.float64) - 1
    return M


@wrong("puts NaN at the hidden pairs instead of -inf", names={"not-a-number"}, line="M[np.logical_not(mask)] = np.nan")
def not_a_number(mask):
    M = np.zeros(mask.shape)
    M[np.logical_not(mask)] = np.nan
    return M


@wrong("returns a nested list instead of an array", line="return M.tolist()")
def as_a_list(mask):
    M = np.where(mask, 0.0, -np.inf)
    return M.tolist()


@wrong(
    "makes the array of ints that cannot hold -inf, so it raises an OverflowError when something is hidden",
    line="M[~mask] = -np.inf",
)
def whole_numbers(mask):
    M = np.zeros(mask.shape, dtype=int)
    M[~mask] = -np.inf
    return M


@wrong(
    "two: exchanges the values (hides what is allowed), and takes -1e9 instead of -inf",
    names={"inverted", "large-number"},
    line="M = mask * -1e9",
)
def times_a_billion(mask):
    M = mask * -1e9
    return M


@wrong(
    "two: adds 1 instead of 0 where the pair is allowed, and takes the lowest finite float instead of -inf",
    names={"one-where-visible", "large-number"},
    line="lowest = np.finfo(np.float64).min",
)
def lowest_number(mask):
    lowest = np.finfo(np.float64).min
    M = np.full(mask.shape, lowest)
    M[mask] = 1
    return M


@wrong("prints the matrix instead of returning it", line="print(M)")
def prints(mask):
    M = np.zeros(mask.shape)
    M[~mask] = -np.inf
    print(M)


@wrong(
    "makes a square matrix with as many columns as the mask has rows: raises for masks that are not square",
    line="M = np.zeros((n, n))",
)
def square_only(mask):
    n = len(mask)
    M = np.zeros((n, n))
    M[~mask] = -np.inf
    return M


@wrong(
    "hides with minus the number of the key (0, -1, -2, ...) instead of -inf",
    line="penalty = -1.0 * np.arange(mask.shape[-1])",
)
def numbers_of_keys(mask):
    penalty = -1.0 * np.arange(mask.shape[-1])
    return np.where(mask, 0.0, penalty)


@right
def chosen(mask):
    return np.where(mask, 0.0, -np.inf)


@right
def filled(mask):
    M = np.full(mask.shape, -np.inf)
    M[mask] = 0
    return M


@right
def flat_loop(mask):
    values = [0.0 if allowed else -np.inf for allowed in mask.ravel()]
    return np.array(values, dtype=np.float64).reshape(mask.shape)


@right
def with_putmask(mask):
    M = np.zeros(np.shape(mask))
    np.putmask(M, ~np.asarray(mask), -np.inf)
    return M
