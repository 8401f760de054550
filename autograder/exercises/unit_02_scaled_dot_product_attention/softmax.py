"""Specification of `softmax`."""

import numpy as np

from autograder.exercises.unit_02_scaled_dot_product_attention import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LARGE, AXIS = "Numbers too large to exponentiate", "Along which axis?"

EXERCISE = Exercise(
    reference=reference.softmax,
    asks="turn the numbers along `axis` into positive weights that sum to 1, for numbers of any size.",
    returns=(Output("weights", "the shape of x"),),
    calls=calls.SOFTMAX,
    lookalike=lookalikes.SOFTMAX,
)


@EXERCISE.claim(1.5)
def values(call, rng):
    """equals the definition, along the last axis"""
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand: 1/8, 2/8, 5/8
    call.agrees(rng.standard_normal((2, 3, 5)))
    call.agrees(np.array([[2, 0, 1], [1, 1, 3]]))
    call.agrees(rng.standard_normal((3, 5)).astype(np.float32))
    call.agrees(rng.permutation(np.linspace(-9, 9, 7)))  # small weights are no zeros


@EXERCISE.claim(1)
def any_axis(call, rng):
    """works along any axis"""
    x = rng.standard_normal((2, 3, 5))
    for axis in (0, 1, -2):
        call.agrees(x, axis=axis)
    call.agrees(rng.standard_normal((1, 3, 1)), axis=1)


@EXERCISE.claim(0.5)
def large_numbers(call, rng):
    """survives numbers of size 1000"""
    x = rng.standard_normal((3, 5))
    call.agrees(x + 1000.0)  # the same shift everywhere changes nothing
    call.agrees(np.stack([x[0] + 1000.0, x[1] - 1000.0]))
    call.agrees(np.array([1000.0, 0.0, -1000.0]))


@EXERCISE.claim(0.5)
def minus_infinity(call, rng):
    """gives weight 0 to -inf"""
    hidden = np.eye(3, 5, dtype=bool)
    weights = call.agrees(np.where(hidden, -np.inf, rng.standard_normal((3, 5))))[hidden]
    call.holds((weights == 0).all(), f"the weight of -inf is exactly 0; yours is {weights[weights != 0][:1]}.")


@EXERCISE.claim(0.5, side=True)
def leaves_input_alone(call, rng):
    """leaves its input alone"""
    x = rng.standard_normal((3, 5))
    call.leaves_inputs_alone(x)
    call.agrees(x)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(LARGE)
wrong("no-maximum-subtracted", {" - x.max(axis=axis, keepdims=True)": ""}, """
    Your function exponentiates the numbers as they are.
    exp(1000) is larger than any float64, and inf / inf is NaN. Shifting all the numbers of a row by the same amount
    does not change its weights, so you may choose the shift.""")

wrong("maximum-of-everything", {"(x - x.max(axis=axis, keepdims=True))": "(x - x.max())"}, """
    Your function subtracts one maximum for the whole array.
    A row that lies far below the largest number of another row then underflows to 0 / 0. Each row needs its own
    shift.""")

wrong("mean-subtracted", {".max": ".mean"}, """
    Your function shifts each row by its mean.
    The weights are the same on paper, but a number far above the mean still overflows, and the mean of a row that holds
    -inf is -inf.""")

wrong("nearly-zero",
      {"x - x.max(axis=axis, keepdims=True)": "np.maximum(x - x.max(axis=axis, keepdims=True), -21)"}, """
    Your function gives -inf a tiny weight instead of 0.
    exp(-inf) is exactly 0, and a hidden token must not count at all. Subtracting the maximum needs no help: neither a
    lower limit for the exponents nor a small number added to the exponentials.""")

wrong.at(AXIS)
wrong("always-last-axis", "softmax(x)", """
    Your function ignores `axis` and always works along the last one.
    Both the maximum and the sum have to follow the argument `axis`.""")

wrong("always-first-axis", "softmax(x, axis=0)", """
    Your function normalises along axis 0, down the columns.
    In attention the numbers of one query stand in a row, and it is the row that must sum to 1.""")

wrong.everywhere("over-everything", {"axis=axis, keepdims=True": ""}, """
    Your function divides by the sum of the whole array.
    All the entries together then sum to 1. Each row is a set of weights of its own.""")

wrong("axis-dropped", "np.exp(x - x.max()) / np.exp(x - x.max()).sum(axis=axis)", """
    A sum or a maximum in your function has lost the axis that it ran along.
    An array of shape (2, 3) does not line up with one of shape (2, 3, 5). NumPy's reductions can keep the reduced axis
    with length 1.""")

wrong.at()
wrong("not-normalised", {" / exponentials.sum(axis=axis, keepdims=True)": ""}, """
    Your function returns the exponentials without making them sum to 1.
    They are positive, but a weighted average needs weights that sum to 1.""")

wrong("no-exponential", {"np.exp(x - x.max(axis=axis, keepdims=True))": "x"}, """
    Your function divides the numbers themselves by their sum.
    Scores may be negative and their sum may be near 0. The numbers have to be made positive before they are divided by
    their sum.""")

wrong("logarithms", "np.log(softmax(x, axis))", """
    Your function returns the logarithms of the weights.
    Logarithms of weights are useful in a loss, but here you want the weights themselves.""")


@wrong.function
def in_place(x, axis=-1):
    """Your function overwrites its input and returns it.
    The caller's scores are gone after the call. Operators such as `-=` and the argument `out=` write into the array
    that you were given."""
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


@wrong.function
def shifts_the_input(x, axis=-1):
    """Your function changes its input on the way to a new array.
    An operator such as `-=` writes into the caller's array. A plain subtraction makes a new one."""
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


wrong.at(LARGE)
wrong("minimum-subtracted", {".max": ".min"}, """
    Your function shifts each row by its smallest number.
    The weights are the same on paper, but then the largest number is as far above 0 as the row is wide, and -inf makes
    NaN of everything. It is the largest exponent that has to be 0.""")

wrong("clipped", {"x - x.max(axis=axis, keepdims=True)": "np.minimum(x, 700)"}, """
    Your function cuts large numbers off before it exponentiates.
    Nothing overflows then, but two numbers beyond the limit have become equal. Shift them: a shift keeps their
    differences.""")

wrong("nan-to-0", "np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True))", """
    Your function turns the NaN of large numbers into 0.
    The largest numbers overflow first, and they should have the largest weights. Shift a row before you exponentiate,
    and there is no NaN to mend.""")

wrong("denominator-not-shifted", {"/ exponentials": "/ np.exp(x)"}, """
    Your function shifts the numbers in the numerator only.
    The factor of the shift cancels if it is in the numerator *and* in the denominator. Use the same exponentials in
    both places.""")

wrong("divided-by-maximum", {"x - x": "x / x"}, """
    Your function divides by the largest number instead of subtracting it.
    Only a shift leaves the weights as they are. A factor in front of the numbers changes their differences.""")

wrong("infinity-replaced", "softmax(np.where(np.isinf(x), 0.0, x), axis)", """
    Your function counts -inf as 0.
    0 is a score like any other, and exp(0) is 1. exp(-inf) is 0 by itself.""")

wrong.at()
wrong("sum-with-epsilon",
      {"exponentials.sum(axis=axis, keepdims=True)": "(exponentials.sum(axis=axis, keepdims=True) + 1e-3)"}, """
    Your function adds a small number to the sum.
    The largest exponential is 1, so the sum is never 0 and needs no help. With more in the sum the weights no longer
    sum to 1.""")

wrong("logistic", "1 / (1 + np.exp(-x))", """
    Your function squashes every number on its own.
    That is the logistic function. The weights of a softmax share a budget of 1, so each depends on all the numbers.""")

wrong("largest-only", {"np.exp(x - x.max(axis=axis, keepdims=True))": "x == x.max(axis=axis, keepdims=True)"}, """
    Your function gives all the weight to the largest number.
    The others get less, but not nothing: a score that is lower by 1 has a weight that is 2.718 times smaller.""")

wrong.small("always-first-axis", values, any_axis)
