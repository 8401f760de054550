"""The known mistakes of `softmax`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN, LARGE, AXIS = "Exercise 2.1: softmax", "Numbers too large to exponentiate", "Along which axis?"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=LARGE)
def no_maximum_subtracted(x, axis=-1):
    """Your function exponentiates the numbers as they are.

    exp(1000) is larger than any float64, and inf / inf is NaN. Shifting all the numbers of a row by the same amount
    does not change its weights, so you may choose the shift.
    """
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def maximum_of_everything(x, axis=-1):
    """Your function subtracts one maximum for the whole array.

    A row that lies far below the largest number of another row then underflows to 0 / 0. Each row needs its own
    shift.
    """
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def mean_subtracted(x, axis=-1):
    """Your function shifts each row by its mean.

    The weights are the same on paper, but a number far above the mean still overflows, and the mean of a row that
    holds -inf is -inf.
    """
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def nearly_zero(x, axis=-1):
    """Your function gives -inf a tiny weight instead of 0.

    exp(-inf) is exactly 0, and a hidden token must not count at all. Subtracting the maximum needs no help: neither a
    lower limit for the exponents nor a small number added to the exponentials.
    """
    e = np.exp(np.maximum(x - x.max(axis=axis, keepdims=True), -21))
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=AXIS)
def always_last_axis(x, axis=-1):
    """Your function ignores `axis` and always works along the last one.

    Both the maximum and the sum have to follow the argument `axis`.
    """
    return reference.softmax(x)


@MISTAKES.add(where=AXIS)
def always_first_axis(x, axis=-1):
    """Your function normalises along axis 0, down the columns.

    In attention the numbers of one query stand in a row, and it is the row that must sum to 1.
    """
    return reference.softmax(x, axis=0)


@MISTAKES.add(where=AXIS)
def over_everything(x, axis=-1):
    """Your function divides by the sum of the whole array.

    All the entries together then sum to 1. Each row is a set of weights of its own.
    """
    e = np.exp(x - x.max())
    return e / e.sum()


@MISTAKES.add(where=AXIS)
def axis_dropped(x, axis=-1):
    """A sum or a maximum in your function has lost the axis that it ran along.

    An array of shape (2, 3) does not line up with one of shape (2, 3, 5). NumPy's reductions can keep the reduced
    axis with length 1.
    """
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis)


@MISTAKES.add(where=MAIN)
def not_normalised(x, axis=-1):
    """Your function returns the exponentials without making them sum to 1.

    They are positive, but a weighted average needs weights that sum to 1.
    """
    return np.exp(x - x.max(axis=axis, keepdims=True))


@MISTAKES.add(where=MAIN)
def no_exponential(x, axis=-1):
    """Your function divides the numbers themselves by their sum.

    Scores may be negative and their sum may be near 0. The numbers have to be made positive before they are divided by
    their sum.
    """
    return x / x.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=MAIN)
def logarithms(x, axis=-1):
    """Your function returns the logarithms of the weights.

    Logarithms of weights are useful in a loss, but here you want the weights themselves.
    """
    return np.log(reference.softmax(x, axis))


@MISTAKES.add(where=MAIN)
def in_place(x, axis=-1):
    """Your function overwrites its input and returns it.

    The caller's scores are gone after the call. Operators such as `-=` and the argument `out=` write into the array
    that you were given.
    """
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


@MISTAKES.add(where=MAIN)
def shifts_the_input(x, axis=-1):
    """Your function changes its input on the way to a new array.

    `x -= ...` writes into the caller's array. A plain subtraction makes a new one.
    """
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def minimum_subtracted(x, axis=-1):
    """Your function shifts each row by its smallest number.

    The weights are the same on paper, but then the largest number is as far above 0 as the row is wide, and -inf makes
    NaN of everything. It is the largest exponent that has to be 0.
    """
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def clipped(x, axis=-1):
    """Your function cuts large numbers off before it exponentiates.

    Nothing overflows then, but two numbers beyond the limit have become equal. Shift them: a shift keeps their
    differences.
    """
    e = np.exp(np.minimum(x, 700))
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def nan_to_0(x, axis=-1):
    """Your function turns the NaN of large numbers into 0.

    The largest numbers overflow first, and they should have the largest weights. Shift a row before you exponentiate,
    and there is no NaN to mend.
    """
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))


@MISTAKES.add(where=LARGE)
def denominator_not_shifted(x, axis=-1):
    """Your function shifts the numbers in the numerator only.

    The factor of the shift cancels if it is in the numerator *and* in the denominator. Use the same exponentials in
    both places.
    """
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.exp(x).sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def divided_by_maximum(x, axis=-1):
    """Your function divides by the largest number instead of subtracting it.

    Only a shift leaves the weights as they are. A factor in front of the numbers changes their differences.
    """
    e = np.exp(x / x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@MISTAKES.add(where=LARGE)
def infinity_replaced(x, axis=-1):
    """Your function counts -inf as 0.

    0 is a score like any other, and exp(0) is 1. exp(-inf) is 0 by itself.
    """
    return reference.softmax(np.where(np.isinf(x), 0.0, x), axis)


@MISTAKES.add(where=MAIN)
def sum_with_epsilon(x, axis=-1):
    """Your function adds a small number to the sum.

    The largest exponential is 1, so the sum is never 0 and needs no help. With more in the sum the weights no longer
    sum to 1.
    """
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-3)


@MISTAKES.add(where=MAIN)
def logistic(x, axis=-1):
    """Your function squashes every number on its own.

    That is the logistic function. The weights of a softmax share a budget of 1, so each depends on all the numbers.
    """
    return 1 / (1 + np.exp(-x))


@MISTAKES.add(where=MAIN)
def largest_only(x, axis=-1):
    """Your function gives all the weight to the largest number.

    The others get less, but not nothing: a score that is lower by 1 has a weight that is 2.718 times smaller.
    """
    hits = x == x.max(axis=axis, keepdims=True)
    return hits / hits.sum(axis=axis, keepdims=True)
