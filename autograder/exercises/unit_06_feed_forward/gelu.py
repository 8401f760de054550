"""Specification of `gelu`."""

import math

import numpy as np
from scipy import special

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([-1.0, 0.0, 0.5, 1.0]))  # by hand: -0.158655, 0, 0.345731, 0.841345
    call.agrees(1.5 * rng.standard_normal((3, 5)))


def _far_out(call, rng):
    call.agrees(np.array([-50.0, -30.0, 30.0, 50.0]))
    call.agrees(rng.uniform(30, 50, (2, 3)).astype(np.float32))


def _shapes_and_inputs(call, rng):
    call.agrees(rng.standard_normal((2, 3, 4)).astype(np.float32))
    call.agrees(rng.integers(-3, 4, (2, 3)))
    x = rng.standard_normal((5, 2, 3))
    call.agrees(x)
    call.leaves_inputs_alone(x)


def _normal(x):
    return 0.5 * (1 + special.erf(x / math.sqrt(2)))


def _tanh_form(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _sigmoid_form(x):
    return x * special.expit(1.702 * x)


def _silu(x):
    return x * special.expit(x)


def _probability_only(x):
    return _normal(x)


def _density(x):
    return x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _no_square_root(x):
    return x * 0.5 * (1 + special.erf(x))


def _halved_inside(x):
    return x * 0.5 * (1 + special.erf(x / 2))


def _times_square_root(x):
    return x * 0.5 * (1 + special.erf(x * math.sqrt(2)))


def _not_halved(x):
    return x * (1 + special.erf(x / math.sqrt(2)))


def _one_missing(x):
    return x * 0.5 * special.erf(x / math.sqrt(2))


def _upper_tail(x):
    return x * 0.5 * special.erfc(x / math.sqrt(2))


def _relu(x):
    return np.maximum(x, 0)


def _pythons_erf(x):
    return x * 0.5 * (1 + math.erf(x / math.sqrt(2)))


def _in_place(x):
    x *= _normal(x)
    return x


def _fractions_cut(x):
    output = np.empty_like(x)
    output[...] = reference.gelu(x)
    return output


SECTION, WHICH, ERF = "Exercise 6.2: gelu", "Which GELU", "From the error function to the probability"

EXERCISE = Exercise(
    reference=reference.gelu,
    asks="multiply every number by the probability that a standard normal number is smaller.",
    returns=(Returned("output"),),
    where=SECTION,
    claims=(
        Claim("equals x times the normal probability, exactly", 1, _values),
        Claim("is right far out, up to ±50", 0.5, _far_out),
        Claim("works for any shape, takes whole numbers, leaves x alone", 0.5, _shapes_and_inputs),
    ),
    mistakes=(
        Mistake(
            "tanh-form",
            "The approximation by tanh is used",
            _tanh_form,
            "It is up to 0.0005 off, and weights that were trained with one form do not give the same numbers with the "
            "other. Here the exact form is asked for, with the error function.",
            WHICH,
        ),
        Mistake(
            "sigmoid-form",
            "The approximation by a sigmoid of 1.702 x is used",
            _sigmoid_form,
            "It is up to 0.02 off. Here the exact form is asked for, with the error function.",
            WHICH,
        ),
        Mistake(
            "silu",
            "The number is multiplied by its sigmoid",
            _silu,
            "That is SiLU, which comes later in this notebook. GELU uses the normal probability instead.",
            WHICH,
        ),
        Mistake(
            "probability-only",
            "The probability alone is returned",
            _probability_only,
            "GELU weighs the number by this probability: it is a factor, and the number itself is missing.",
            SECTION,
        ),
        Mistake(
            "density",
            "The number is multiplied by the normal density",
            _density,
            "The density is the height of the bell curve at x. Asked for is the area to the left of x.",
            SECTION,
        ),
        Mistake(
            "no-square-root",
            "The square root of 2 is missing",
            _no_square_root,
            "The error function belongs to a bell curve with variance 1/2. To get the standard one, x has to be "
            "rescaled first.",
            ERF,
        ),
        Mistake(
            "halved-inside",
            "The argument of the error function is divided by 2",
            _halved_inside,
            "The number to divide by is the square root of 2.",
            ERF,
        ),
        Mistake(
            "times-square-root",
            "The argument of the error function is multiplied by the square root of 2",
            _times_square_root,
            "It has to be divided: the error function is steeper than the probability that you want.",
            ERF,
        ),
        Mistake(
            "not-halved",
            "The result is twice what it should be",
            _not_halved,
            "1 plus the error function runs from 0 to 2. A probability runs from 0 to 1.",
            ERF,
        ),
        Mistake(
            "one-missing",
            "The 1 beside the error function is missing",
            _one_missing,
            "The error function runs from -1 to 1. It has to be moved up before half of it is a probability.",
            ERF,
        ),
        Mistake(
            "upper-tail",
            "The probability of a larger number is used",
            _upper_tail,
            "That switches large numbers off and lets negative ones pass. Asked for is the probability of a smaller "
            "number.",
            SECTION,
        ),
        Mistake(
            "relu",
            "ReLU is returned",
            _relu,
            "GELU has no corner: a small negative number gives a small negative result, not 0.",
            SECTION,
        ),
        Mistake(
            "pythons-erf",
            "Python's own `math.erf` is given an array",
            _pythons_erf,
            "It takes one number. `scipy.special` has an error function that takes arrays.",
            ERF,
        ),
        Mistake(
            "in-place",
            "The caller's array is overwritten",
            _in_place,
            "`x *= ...` writes into the array that you were given (and fails on whole numbers). Make a new array.",
            SECTION,
        ),
        Mistake(
            "fractions-cut",
            "The results are cut to whole numbers when x is whole",
            _fractions_cut,
            "An array made like x has the dtype of x, and integers have no room for fractions.",
            SECTION,
        ),
    ),
)
