"""The known mistakes of `gpt2_block` with its GELU."""

import math

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_12_models_you_know.gpt2_block_variants import ROOT, attended, tanh_gelu, with_other
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import layer_norm, position_wise_ffn
from transformer_kit.reference import unit_12_models_you_know as unit_12

GELU = "Another GELU"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=GELU)
def exact_gelu(X, params, n_heads, mask=None):
    """The network has the exact GELU.

    The two differ by less than 0.0005, which is enough to show. GPT-2 was trained with the one with tanh.
    """
    return with_other(X, params, n_heads, mask, reference.gelu)


@MISTAKES.add(where=GELU)
def relu(X, params, n_heads, mask=None):
    """The network has a ReLU.

    That is the default of your `position_wise_ffn`. Pass the GELU with tanh.
    """
    return with_other(X, params, n_heads, mask, reference.relu)


@MISTAKES.add(where=GELU)
def logistic_gelu(X, params, n_heads, mask=None):
    """The GELU is written with the logistic function of 1.702 x in place of tanh.

    That is another approximation, and a coarser one.
    """
    return with_other(X, params, n_heads, mask, lambda x: x / (1 + np.exp(-1.702 * x)))


@MISTAKES.add(where=GELU)
def no_cube(X, params, n_heads, mask=None):
    """The cube of x is left out.

    The argument of tanh is x + 0.044715 x³, times a factor.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, cubic=0))


@MISTAKES.add(where=GELU)
def square_for_cube(X, params, n_heads, mask=None):
    """The square of x takes the place of its cube.

    With the cube, tanh gets the opposite number for the opposite x.
    """
    return with_other(X, params, n_heads, mask, lambda x: 0.5 * x * (1 + np.tanh(ROOT * (x + 0.044715 * x**2))))


@MISTAKES.add(where=GELU)
def factor_without_root(X, params, n_heads, mask=None):
    """The factor is 2/π, not its square root.

    The root of 2/π makes the slope at 0 right.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, factor=2 / math.pi))


@MISTAKES.add(where=GELU)
def root_of_the_inverse(X, params, n_heads, mask=None):
    """The factor is the root of π/2, not of 2/π.

    Then the curve is too steep.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, factor=math.sqrt(math.pi / 2)))


@MISTAKES.add(where=GELU)
def root_of_pi_only(X, params, n_heads, mask=None):
    """The factor is 2 divided by the root of π.

    `2 / np.pi**0.5` takes the root of π alone. The root is of the whole fraction: `(2 / np.pi) ** 0.5`.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, factor=2 / math.sqrt(math.pi)))


@MISTAKES.add(where=GELU)
def root_of_2_only(X, params, n_heads, mask=None):
    """The factor is the root of 2, divided by π.

    `np.sqrt(2) / np.pi` takes the root of 2 alone. The root is of the whole fraction: `np.sqrt(2 / np.pi)`.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, factor=math.sqrt(2) / math.pi))


@MISTAKES.add(where=GELU)
def gelu_at_the_end(X, params, n_heads, mask=None):
    """The GELU comes after the second map of the network.

    It belongs between the two maps. Without anything between them they are one.
    """
    X = X + attended(X, params, n_heads, mask)
    return X + tanh_gelu(position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, lambda x: x))


@MISTAKES.add(where=GELU)
def cube_outside(X, params, n_heads, mask=None):
    """The factor multiplies x only, not the cube.

    The root of 2/π multiplies the whole sum.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x, cubic=0.044715 / ROOT))


@MISTAKES.add(where=GELU)
def not_halved(X, params, n_heads, mask=None):
    """The factor 0.5 is left out.

    1 + tanh lies between 0 and 2. Half of it is a share.
    """
    return with_other(X, params, n_heads, mask, lambda x: 2 * tanh_gelu(x))


@MISTAKES.add(where=GELU)
def no_one(X, params, n_heads, mask=None):
    """The 1 before tanh is left out.

    tanh lies between -1 and 1. Only with 1 added, and halved, is it a share.
    """
    return with_other(X, params, n_heads, mask, lambda x: tanh_gelu(x) - 0.5 * x)


@MISTAKES.add(where=GELU)
@edited(reference.gpt2_block, {"0.5 * x * (1 + np.tanh(": "0.5 * x * 1 + (np.tanh("}, unit_12._gelu_with_tanh)
def brackets_forgotten():
    """Only the 1 before tanh is multiplied by half of x, because the sum lacks its brackets.

    The factor belongs to the whole sum. Otherwise tanh is added as it is.
    """
