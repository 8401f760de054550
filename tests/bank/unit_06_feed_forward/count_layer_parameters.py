"""Functions that learners wrote for `count_layer_parameters`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.parameters import init_feed_forward


@wrong(
    "counts three matrices for the attention and forgets the one of the output",
    names={"three-projections"},
    line="attention = 3 * d_model**2",
)
def three_projections(d_model, d_ff):
    attention = 3 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    return attention, ffn


@wrong("forgets the two biases of the network", names={"no-biases"}, line="ffn = 2 * d_model * d_ff")
def no_biases(d_model, d_ff):
    attention = 4 * d_model * d_model
    ffn = 2 * d_model * d_ff
    return attention, ffn


@wrong(
    "takes both biases to have d_ff numbers; the second one has d_model",
    names={"both-biases-d-ff"},
    line="ffn = 2 * (d_model * d_ff + d_ff)",
)
def both_biases_wide(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = 2 * (d_model * d_ff + d_ff)
    return attention, ffn


@wrong(
    "counts a bias for each of the four projections, which have none",
    names={"attention-with-biases"},
    line="attention = 4 * (d_model * d_model + d_model)",
)
def attention_with_biases(d_model, d_ff):
    attention = 4 * (d_model * d_model + d_model)
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention, ffn


@wrong(
    "returns the two numbers in the wrong order, the network's first",
    names={"swapped"},
    line="return ffn, attention",
)
def swapped(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return ffn, attention


@wrong("returns the sum of both counts instead of the two", line="return attention + ffn")
def total(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    return attention + ffn


@wrong(
    "counts one of the network's two matrices only",
    names={"one-map", "one-matrix"},
    line="ffn = d_model * d_ff + d_ff + d_model",
)
def one_matrix(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = d_model * d_ff + d_ff + d_model
    return attention, ffn


@wrong(
    "writes ^ for a power: 4 * d_model ^ 2 is a bitwise exclusive or",
    names={"caret"},
    line="attention = 4 * d_model ^ 2",
)
def caret_for_power(d_model, d_ff):
    attention = 4 * d_model ^ 2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    return attention, ffn


@wrong(
    "ignores d_ff and takes the hidden layer to be four times as wide as a token",
    names={"four-times-as-wide"},
    line="d_ff = 4 * d_model",
)
def always_four_times(d_model, d_ff):
    d_ff = 4 * d_model
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    return attention, ffn


@wrong(
    "squares four times d_model: (4 * d_model) ** 2 instead of 4 * d_model ** 2",
    names={"four-squared-too"},
    line="n_attention = (4 * d_model) ** 2",
)
def square_of_four(d_model, d_ff):
    n_attention = (4 * d_model) ** 2
    n_ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return n_attention, n_ffn


@wrong(
    "the network's count is not an int but a float, because it is made with a division",
    names={"floats"},
    line="ffn = 2 * d_model * d_ff + 2 * (d_ff + d_model) / 2",
)
def float_result(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + 2 * (d_ff + d_model) / 2
    return attention, ffn


@wrong("prints the two counts and returns nothing", line="print(attention, ffn)")
def prints(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model
    print(attention, ffn)


@wrong("counts the projections as if they led from d_model to d_ff", line="attention = 4 * d_model * d_ff")
def attention_with_ff_width(d_model, d_ff):
    attention = 4 * d_model * d_ff
    ffn = 2 * d_model * d_ff + d_ff + d_model
    return attention, ffn


@wrong(
    "counts gamma and beta of the two norms with the network",
    names={"norms-with-the-network", "with-norms"},
    line="norms = 4 * d_model",
)
def with_norms(d_model, d_ff):
    norms = 4 * d_model
    attention = 4 * d_model**2
    ffn = 2 * d_model * d_ff + d_ff + d_model + norms
    return attention, ffn


@wrong(
    "two: the output projection of the attention is missing, and both biases of the network are",
    names={"no-biases", "three-projections"},
    line="attention = 3 * d_model * d_model",
)
def projection_and_biases(d_model, d_ff):
    attention = 3 * d_model * d_model
    ffn = d_model * d_ff + d_ff * d_model
    return attention, ffn


@wrong(
    "multiplies the sizes of matrix and bias instead of adding them",
    line="ffn = (d_model * d_ff) * d_ff + (d_ff * d_model) * d_model",
)
def biases_multiplied(d_model, d_ff):
    attention = 4 * d_model**2
    ffn = (d_model * d_ff) * d_ff + (d_ff * d_model) * d_model
    return attention, ffn


@wrong(
    "two: each projection is given a bias, and the results come in the wrong order",
    names={"attention-with-biases", "swapped"},
    line="attention = 4 * (d_model + 1) * d_model",
)
def biases_and_order(d_model, d_ff):
    attention = 4 * (d_model + 1) * d_model
    ffn = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return ffn, attention


@right
def formula(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model


@right
def bias_as_extra_row(d_model, d_ff):
    attention = sum(d_model * d_model for _ in ("Q", "K", "V", "O"))
    ffn = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return attention, ffn


@right
def from_shapes(d_model, d_ff):
    shapes = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)]
    ffn = sum(int(np.prod(shape)) for shape in shapes)
    return int(4 * np.prod((d_model, d_model))), ffn


@right
def counts_arrays(d_model, d_ff):
    params = init_feed_forward(np.random.default_rng(0), d_model, d_ff)
    ffn = sum(array.size for array in params)
    return 4 * d_model * d_model, ffn


@wrong(
    "takes the matrices of the network to be 4 d_model wide, and its first bias to be d_ff wide",
    names={"matrices-four-times-as-wide"},
)
def matrices_of_four_d_model(d_model, d_ff):
    return 4 * d_model**2, 8 * d_model**2 + d_ff + d_model
