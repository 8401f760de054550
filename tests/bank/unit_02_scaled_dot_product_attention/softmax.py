"""Functions that learners wrote for `softmax`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "does not subtract the maximum, so large numbers overflow to NaN (and very negative ones give 0 / 0)",
    names={"no-maximum-subtracted"},
    line="e = np.exp(x)",
)
def no_maximum(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "divides by the sum of all entries instead of that along the axis",
    names={"over-everything"},
    line="total = e.sum()",
)
def sum_of_all(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    total = e.sum()
    return e / total


@wrong(
    "subtracts the maximum of the whole array instead of that along the axis, so a row far below another one gets 0 / "
    "0",
    names={"maximum-of-everything"},
    line="shifted = x - np.max(x)",
)
def maximum_of_all(x, axis=-1):
    shifted = x - np.max(x)
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "forgets keepdims in the sum, so the division does not line up with the rows",
    names={"axis-dropped"},
    line="return e / e.sum(axis=axis)",
)
def no_keepdims_in_sum(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    e = np.exp(x - m)
    return e / e.sum(axis=axis)


@wrong(
    "forgets keepdims in the maximum, so the subtraction does not line up with the rows",
    names={"axis-dropped"},
    line="m = np.max(x, axis=axis)",
)
def no_keepdims_in_maximum(x, axis=-1):
    m = np.max(x, axis=axis)
    e = np.exp(x - m)
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "ignores the argument axis and always works along the last axis",
    names={"always-last-axis"},
    line="x_max = x.max(axis=-1, keepdims=True)",
)
def always_last_axis(x, axis=-1):
    x_max = x.max(axis=-1, keepdims=True)
    e = np.exp(x - x_max)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "ignores the argument axis and always works along the first axis",
    names={"always-first-axis"},
    line="x = x - np.max(x, axis=0)",
)
def always_first_axis(x, axis=-1):
    x = x - np.max(x, axis=0)
    numerator = np.exp(x)
    return numerator / np.sum(numerator, axis=0)


@wrong(
    "subtracts the mean instead of the maximum, so large spreads still overflow to NaN and -inf gives NaN",
    names={"mean-subtracted"},
    line="x = x - x.mean(axis=axis, keepdims=True)",
)
def subtracts_mean(x, axis=-1):
    x = x - x.mean(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "subtracts the minimum instead of the maximum, so large spreads overflow and -inf gives NaN",
    names={"minimum-subtracted"},
    line="shift = np.min(x, axis=axis, keepdims=True)",
)
def subtracts_minimum(x, axis=-1):
    shift = np.min(x, axis=axis, keepdims=True)
    e = np.exp(x - shift)
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "divides the numbers by the maximum instead of subtracting it",
    names={"divided-by-maximum"},
    line="e = np.exp(x / m)",
)
def divides_by_maximum(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    e = np.exp(x / m)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "adds the maximum instead of subtracting it, so even moderately large numbers overflow",
    line="e = np.exp(x + np.max(x, axis=axis, keepdims=True))",
)
def adds_maximum(x, axis=-1):
    e = np.exp(x + np.max(x, axis=axis, keepdims=True))
    s = np.sum(e, axis=axis, keepdims=True)
    return e / s


@wrong(
    "has no exponential: it divides the shifted numbers by their sum",
    names={"no-exponential"},
    line="return shifted / shifted.sum(axis=axis, keepdims=True)",
)
def no_exponential(x, axis=-1):
    shifted = x - x.min(axis=axis, keepdims=True)
    return shifted / shifted.sum(axis=axis, keepdims=True)


@wrong(
    "returns the logarithms of the weights",
    names={"logarithms"},
    line="return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))",
)
def log_softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@wrong("takes powers of 2 instead of e", line="powers = 2.0 ** (x - x.max(axis=axis, keepdims=True))")
def powers_of_two(x, axis=-1):
    powers = 2.0 ** (x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@wrong(
    "divides by the largest exponential instead of the sum, so the weights do not sum to 1",
    names={"not-normalised"},
    line="return e / e.max(axis=axis, keepdims=True)",
)
def divides_by_largest(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.max(axis=axis, keepdims=True)


@wrong(
    "divides the shifted exponentials by the sum of the exponentials that were not shifted",
    names={"denominator-not-shifted"},
    line="denominator = np.sum(np.exp(x), axis=axis, keepdims=True)",
)
def shifts_numerator_only(x, axis=-1):
    numerator = np.exp(x - np.max(x, axis=axis, keepdims=True))
    denominator = np.sum(np.exp(x), axis=axis, keepdims=True)
    return numerator / denominator


@wrong(
    "clips the numbers to -700 and 700, so larger differences are lost",
    names={"clipped"},
    line="x = np.clip(x, -700, 700)",
)
def clips(x, axis=-1):
    x = np.clip(x, -700, 700)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "replaces -inf by the number 0, so it gets a positive weight",
    names={"infinity-replaced"},
    line="x = np.where(np.isinf(x), 0.0, x)",
)
def infinity_to_zero(x, axis=-1):
    x = np.where(np.isinf(x), 0.0, x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "works for exactly two axes and along the last one only", names={"always-last-axis"}, line="for i in range(rows):"
)
def two_axes_only(x, axis=-1):
    out = np.zeros(x.shape)
    rows = x.shape[0]
    for i in range(rows):
        e = np.exp(x[i] - x[i].max())
        for j in range(x.shape[1]):
            out[i, j] = e[j] / e.sum()
    return out


@wrong("gives the largest number of each set weight 1 and all others 0", names={"largest-only"}, line=None)
def hard_maximum(x, axis=-1):
    return (x == x.max(axis=axis, keepdims=True)) * 1.0


@wrong(
    "squashes each number on its own with the logistic function, so the weights do not sum to 1",
    names={"logistic"},
    line=None,
)
def logistic(x, axis=-1):
    return 1 / (1 + np.exp(-x))


@wrong(
    "adds 0.001 to the sum, so the weights do not sum to 1",
    names={"sum-with-epsilon"},
    line="return e / (e.sum(axis=axis, keepdims=True) + 1e-3)",
)
def epsilon_in_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-3)


@wrong(
    "turns the NaN of overflowing numbers into 0, so the largest numbers get weight 0",
    names={"nan-to-0", "no-maximum-subtracted"},
    line="return np.nan_to_num(weights)",
)
def hides_nan(x, axis=-1):
    e = np.exp(x)
    weights = e / e.sum(axis=axis, keepdims=True)
    return np.nan_to_num(weights)


@wrong(
    "two: does not subtract the maximum, and divides by the sum of all entries",
    names={"no-maximum-subtracted", "over-everything"},
    line="e = np.exp(x)",
)
def formula_on_everything(x, axis=-1):
    e = np.exp(x)
    return e / np.sum(e)


@wrong(
    "two: subtracts the maximum of the whole array instead of that along the axis, and ignores the argument axis",
    names={"maximum-of-everything", "always-last-axis"},
    line="e = np.exp(x - x.max())",
)
def global_maximum_last_axis(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=-1, keepdims=True)


@wrong("rounds the weights to three decimals, so they need not sum to 1", line="return np.round(weights, 3)")
def rounded(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    weights = e / e.sum(axis=axis, keepdims=True)
    return np.round(weights, 3)


@wrong(
    "two: forgets keepdims in the maximum and in the sum, and has no exponential below the fraction line",
    names={"axis-dropped"},
    line="m = x.max(axis=axis)",
)
def keepdims_and_no_exponential(x, axis=-1):
    m = x.max(axis=axis)
    shifted = x - m
    return np.exp(shifted) / shifted.sum(axis=axis)


@right
def shifted(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@right
def with_logarithm(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    log_sum = m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))
    return np.exp(x - log_sum)


@right
def axis_moved(x, axis=-1):
    rows = np.moveaxis(np.array(x, dtype=float), axis, -1)
    out = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = rows[place]
        e = np.exp(row - row.max())
        out[place] = e / e.sum()
    return np.moveaxis(out, -1, axis)


@right
def expand_dims(x, axis=-1):
    m = np.expand_dims(x.max(axis), axis)
    out = np.array(x - m, dtype=float)
    np.exp(out, out=out)
    out /= np.expand_dims(out.sum(axis), axis)
    return out


@right
def along_axis(x, axis=-1):
    def one_row(row):
        e = np.exp(row - max(row))
        return e / sum(e)

    return np.apply_along_axis(one_row, axis, np.asarray(x, dtype=float))


@wrong("subtracts the mean instead of the maximum", names={"mean-subtracted"})
def minus_the_mean(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("subtracts the largest absolute value, so that large negative numbers vanish")
def minus_the_largest_size(x, axis=-1):
    e = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong("lets the logarithm of the sum lose its axis", names={"axis-dropped"})
def logaddexp_without_axis(x, axis=-1):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis))


@wrong(
    "subtracts the maximum in place, so the caller's array is changed",
    names={"shifts-the-input"},
    line="x -= x.max(axis=axis, keepdims=True)",
)
def shifts_the_argument(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "divides by the length of the vector of exponentials instead of their sum",
    line="return e / np.linalg.norm(e, axis=axis, keepdims=True)",
)
def divides_by_length(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


@wrong(
    "puts the lost axis back at the end whichever axis it was",
    line="e = np.exp(x - np.max(x, axis=axis)[..., None])",
)
def new_axis_at_the_end(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis)[..., None])
    return e / np.sum(e, axis=axis)[..., None]
