"""Specification of `gelu`."""

import math

import numpy as np
import scipy

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_06_feed_forward import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

WHICH = "Which GELU"

EXERCISE = Exercise(
    reference=reference.gelu,
    asks="multiply every number by the probability that a standard normal number is smaller.",
    returns=(Output("output"),),
    lookalike=lookalikes.GELU,
)


@EXERCISE.claim(1)
def values(call, rng):
    """equals x times the normal probability, exactly"""
    call.agrees(np.array([-1.0, 0.0, 0.5, 1.0]))  # by hand: -0.158655, 0, 0.345731, 0.841345
    call.agrees(1.5 * rng.standard_normal((3, 5)))
    call.agrees(rng.permutation(np.linspace(-6, 6, 17)))  # as far out as the factor is not yet 0 or 1


@EXERCISE.claim(0.5)
def far_out(call, rng):
    """is right far out, up to ±1000"""
    call.agrees(np.array([-1000.0, -50.0, -30.0, 30.0, 50.0, 1000.0]))
    call.agrees(rng.uniform(30, 50, (2, 3)).astype(np.float32))


@EXERCISE.claim(0.25, side=True)
def shapes(call, rng):
    """works for any shape, and also takes whole numbers"""
    call.agrees(rng.standard_normal((3, 5)))
    agrees_here(call, rng.standard_normal((2, 3, 4)).astype(np.float32))
    agrees_here(call, rng.integers(-3, 4, (2, 3)))
    agrees_here(call, rng.standard_normal((1, 3, 1)))


@EXERCISE.claim(0.25, side=True)
def leaves_x_alone(call, rng):
    """leaves x alone and returns a new array"""
    x = rng.standard_normal((3, 5))
    call.leaves_inputs_alone(x)
    call.agrees(x)


def _normal(x):
    return 0.5 * (1 + scipy.special.erf(x / math.sqrt(2)))


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(WHICH)
wrong("tanh-form", "0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))", """
    The approximation by tanh is used.
    It is up to 0.0005 off, and weights that were trained with one form do not give the same numbers with the other.
    This exercise asks for the exact form, with the error function.""")

wrong("sigmoid-form", "x * scipy.special.expit(1.702 * x)", """
    The approximation by a sigmoid of 1.702 x is used.
    It is up to 0.02 off. This exercise asks for the exact form, with the error function.""")

wrong("silu", "x * scipy.special.expit(x)", """
    The number is multiplied by its sigmoid.
    That is SiLU, which comes later in this unit. GELU uses the normal probability instead.""")

wrong.at()
wrong("probability-only", {" x * ": " "}, """
    The probability alone is returned.
    In GELU the probability is a factor, and the number that it multiplies is missing.""")

wrong("density", "x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)", """
    The number is multiplied by the normal density.
    The density is the height of the bell curve at x. What you need is the area to the left of x.""")

wrong("no-square-root", {" / math.sqrt(2)": ""}, """
    The square root of 2 is missing.
    The error function belongs to a bell curve with variance 1/2. To get the standard one, x has to be rescaled
    first.""")

wrong("halved-inside", {"math.sqrt(2)": "2"}, """
    The argument of the error function is divided by 2.
    The number to divide by is the square root of 2.""")

wrong("times-square-root", {"x / math": "x * math"}, """
    The argument of the error function is multiplied by the square root of 2.
    It has to be divided: the error function is steeper than the probability that you want.""")

wrong("not-halved", {"x * 0.5": "x"}, """
    The result is twice what it should be.
    1 plus the error function runs from 0 to 2. A probability runs from 0 to 1.""")

wrong("one-missing", {"1 + scipy": "scipy"}, """
    The 1 beside the error function is missing.
    The error function runs from -1 to 1. Before you halve it, it has to be moved up by 1.""")

wrong("upper-tail", {"1 + scipy.special.erf": "scipy.special.erfc"}, """
    The probability of a larger number is used.
    That switches large numbers off and lets negative ones pass. What you need is the probability of a smaller
    number.""")

wrong("relu", "np.maximum(x, 0)", """
    ReLU is returned.
    GELU has no corner: a small negative number gives a small negative result, not 0.""")

wrong("pythons-erf", {"scipy.special": "math"}, """
    The whole array is handed to what takes a single number, as `math.erf` does.
    `scipy.special` has an error function that takes arrays.""")


@wrong.function
def in_place(x):
    """The caller's array is overwritten.
    An operator such as `*=` writes into the array that was given (and fails on whole numbers). Make a new array."""
    x *= _normal(x)
    return x


@wrong.function
def fractions_cut(x):
    """The results are cut to whole numbers when x is whole.
    An array made like x has the dtype of x, and integers have no room for fractions."""
    output = np.empty_like(x)
    output[...] = reference.gelu(x)
    return output


wrong("precedence", "x * 0.5 * (1 + scipy.special.erf(x / 2**1 / 2))", """
    The argument of the error function is x / 4, as where a power lacks its brackets.
    In Python `**` binds more tightly than `/`, so `2 ** 1/2` is half of 2, and `x / 2 ** 1/2` a quarter of x.""")

wrong("brackets-forgotten", "x * 0.5 * 1 + scipy.special.erf(x / math.sqrt(2))", """
    Only the 1 is multiplied by x, as where the sum lacks its brackets.
    A product binds more tightly than a sum. What multiplies x is one half of the whole sum.""")

wrong("root-outside", {"(x / math.sqrt(2))": "(x) / math.sqrt(2)"}, """
    The error function is divided by the square root of 2, not its argument.
    Its values already run from -1 to 1. It is x that has to be rescaled.""")

wrong("dip-cut-off", {"return x *": "return np.maximum(x, 0) *"}, """
    Negative results are replaced by 0.
    GELU dips below 0 for negative numbers, and is meant to: even a negative number keeps a share of itself.""")

wrong("added", {"return x *": "return x +"}, """
    The probability is added to the number.
    It is a weight, so it multiplies: a very negative number has to become nearly 0.""")

wrong("root-of-two-pi", {"math.sqrt(2)": "math.sqrt(2 * math.pi)"}, """
    The argument of the error function is divided by the square root of 2π.
    That number belongs to the density of the normal distribution. The error function takes x divided by the root of
    2.""")

wrong("only-the-one-halved", {"0.5 * (1 + scipy": "(0.5 * 1 + scipy"}, """
    Only the 1 is halved, because the sum lacks its brackets.
    The factor 0.5 belongs to the whole sum: 1 and the error function.""")

wrong.small("not-halved one-missing", values, far_out)
