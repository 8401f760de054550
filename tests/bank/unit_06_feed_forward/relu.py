"""Functions that learners wrote for `relu`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "takes the largest number along axis 0 instead of comparing every number with 0",
    names={"along-an-axis"},
    line="return np.max(x, 0)",
)
def max_with_axis_zero(x):
    x = np.asarray(x)
    return np.max(x, 0)


@wrong(
    "takes the absolute value, so negative numbers become positive instead of 0",
    names={"absolute-value"},
    line=None,
)
def absolute(x):
    return np.abs(x)


@wrong(
    "sets the negative entries to 0 in the argument itself, which changes it",
    names={"in-place"},
    line="x[x < 0] = 0",
)
def overwrites_the_argument(x):
    x[x < 0] = 0
    return x


@wrong(
    "takes the smaller of each number and 0, so the negative numbers stay and the positive ones become 0",
    names={"negatives-kept"},
    line="out = np.minimum(x, zeros)",
)
def smaller_one(x):
    zeros = np.zeros(x.shape)
    out = np.minimum(x, zeros)
    return out


@wrong(
    "leaves the negative numbers out, so the result is a shorter flat array instead of one of the shape of x",
    names={"negatives-dropped"},
    line="return x[positive]",
)
def drops_negatives(x):
    positive = x >= 0
    return x[positive]


@wrong(
    "returns 1 where the number is positive and 0 elsewhere (the slope), instead of the number itself",
    names={"step"},
    line="result[x > 0] = 1",
)
def step_function(x):
    result = np.zeros_like(x)
    result[x > 0] = 1
    return result


@wrong(
    "lets a hundredth of every negative number through (a leaky ReLU) instead of 0",
    names={"leaky"},
    line="return np.where(x > 0, x, slope * x)",
)
def leaky(x):
    slope = 0.01
    return np.where(x > 0, x, slope * x)


@wrong(
    "asks whether the whole array is negative in one if, which raises for arrays of more than one number",
    names={"pythons-max"},
    line="if x < 0:",
)
def one_if(x):
    if x < 0:
        return 0
    else:
        return x


@wrong(
    "two: returns a list instead of an array, and compares whole rows with 0, which raises for more than one axis",
    names={"pythons-max"},
    line=None,
)
def python_list(x):
    return [max(0, v) for v in x]


@wrong("cuts off everything above 1 as well", names={"clipped-at-1"}, line=None)
def clips_at_one(x):
    return np.clip(x, 0, 1)


@wrong("returns nothing: the result is computed, but there is no return", line=None)
def no_return(x):
    result = x.copy()
    result[result < 0] = 0


@wrong(
    "puts the numbers into an array of ints, so their decimals are cut off",
    names={"decimals-cut"},
    line="out = np.zeros(x.shape, dtype=int)",
)
def int_buffer(x):
    out = np.zeros(x.shape, dtype=int)
    keep = x > 0
    out[keep] = x[keep]
    return out


@wrong(
    "keeps the negative numbers and switches the positive ones off: the comparison is the wrong way round",
    names={"negatives-kept"},
    line=None,
)
def wrong_way_round(x):
    return np.where(x < 0, x, 0)


@wrong(
    "computes the softplus log(1 + exp(x)), a smooth curve above ReLU, and not the maximum with 0",
    names={"smooth"},
    line="return np.log(1 + e)",
)
def softplus(x):
    e = np.exp(x)
    return np.log(1 + e)


@wrong("doubles the positive numbers: x + |x| is not halved", names={"not-halved"}, line="return x + size")
def not_halved(x):
    size = np.abs(x)
    return x + size


@wrong(
    "returns only the largest number (or 0) of the whole array, a single number instead of an array",
    names={"largest-of-all"},
    line="return biggest",
)
def largest_of_all(x):
    biggest = 0
    for value in x.ravel():
        if value > biggest:
            biggest = value
    return biggest


@wrong(
    "two: the argument is changed in place, and zeros are put where the numbers are positive instead of negative",
    names={"in-place", "negatives-kept"},
    line="x[x > 0] = 0",
)
def positive_ones_overwritten(x):
    x[x > 0] = 0
    return x


@right
def maximum(x):
    return np.maximum(x, 0)


@right
def multiplied_by_mask(x):
    gate = x > 0
    return x * gate


@right
def loop_over_flat_copy(x):
    out = np.array(x)
    flat = out.reshape(-1)
    for i in range(flat.size):
        if flat[i] < 0:
            flat[i] = 0
    return out


@right
def half_of_sum(x):
    return (x + np.abs(x)) / 2
