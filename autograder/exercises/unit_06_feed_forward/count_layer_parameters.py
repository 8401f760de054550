"""Specification of `count_layer_parameters`."""

from autograder.exercises.unit_06_feed_forward import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

count = reference.count_layer_parameters

EXERCISE = Exercise(
    reference=count,
    asks="count the numbers in the four attention matrices, and those in the feed-forward network.",
    returns=(Output("attention"), Output("ffn")),
    lookalike=lookalikes.COUNT_LAYER_PARAMETERS,
)


def _agrees_in(call, rng, number):
    """Require that one of the two counts is right, whatever the other one is."""
    sizes = (int(rng.integers(3, 50)), int(rng.integers(60, 300)))
    for args in ((2, 3), (512, 2048), sizes):  # by hand: 16 and 17
        call.agrees_in(number, *args)


@EXERCISE.claim(0.5)
def attention(call, rng):
    """the count of the attention is right"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(0.5)
def ffn(call, rng):
    """the count of the feed-forward network is right"""
    _agrees_in(call, rng, 1)


wrong = WrongAnswers(EXERCISE, globals())

wrong("three-projections", "(3 * d_model**2, count(d_model, d_ff)[1])", """
    One of the four attention matrices is missing.
    Besides queries, keys and values there is the output matrix, which mixes the heads.""")

wrong("attention-with-biases", "(4 * d_model**2 + 4 * d_model, count(d_model, d_ff)[1])", """
    Attention is given biases.
    The four attention matrices of this course have none, as in the paper.""")

wrong("one-head-only", "(3 * d_model * (d_model // 8) + d_model**2, count(d_model, d_ff)[1])", """
    Only one of eight heads is counted.
    The matrices hold all heads side by side.""")

wrong("times-8-heads", "(8 * 4 * d_model**2, count(d_model, d_ff)[1])", """
    Attention is counted once for each of eight heads.
    The heads share the width d_model among them, so their number does not matter.""")

wrong("no-biases", {" + d_ff + d_model": ""}, """
    The biases of the network are missing.
    Both of its maps have a bias.""")

wrong("b-1-only", "(4 * d_model**2, 2 * d_model * d_ff + d_ff)", """
    The second bias is missing.
    Both maps have a bias.""")

wrong("b-2-only", {" + d_ff": ""}, """
    The first bias is missing.
    Both maps have a bias.""")

wrong("both-biases-d-ff", "(4 * d_model**2, 2 * d_model * d_ff + 2 * d_ff)", """
    Both biases are counted with the width d_ff.
    A bias is as long as the output of its map, and the second map ends at another width.""")

wrong("one-map", "(4 * d_model**2, d_model * d_ff + d_ff)", """
    Only the first map is counted.
    The network has two: one that widens the vector, and one that brings it back.""")

wrong("four-times-as-wide", "count(d_model, 4 * d_model)", """
    d_ff is taken to be four times d_model.
    That is the paper's choice. Here the width is an argument.""")

wrong("swapped", "count(d_model, d_ff)[::-1]", """
    The two counts are returned in the other order.
    Return attention first, as in the layer.""")


@wrong.function
def floats(d_model, d_ff):
    """The counts are floats.
    A count is an int. A `/` or a factor such as `2.0` makes a float of it."""
    attention, ffn = count(d_model, d_ff)
    return float(attention), float(ffn)


@wrong.function
def with_norms(d_model, d_ff):
    """The two norms of the layer are counted as well.
    Their scales and shifts belong to neither of the two; they come in unit 07."""
    attention, ffn = count(d_model, d_ff)
    return attention + 2 * d_model, ffn + 2 * d_model


@wrong.function
def norms_with_the_network(d_model, d_ff):
    """The two norms of the layer are counted with the network.
    Their scales and shifts belong to neither of the two; they come in unit 07."""
    attention, ffn = count(d_model, d_ff)
    return attention, ffn + 4 * d_model


wrong("one-matrix", {"d_model**2, 2 * ": "d_model**2, "}, """
    The network has both biases, but only one of its matrices.
    One matrix widens the vector and the other one brings it back. Both have the same number of entries.""")

wrong("caret", "(4 * d_model ^ 2, count(d_model, d_ff)[1])", """
    The sign `^` is used for a power.
    In Python a power is written with two stars. The caret compares whole numbers bit by bit.""")

wrong("four-squared-too", "((4 * d_model) ** 2, count(d_model, d_ff)[1])", """
    The 4 is squared, too.
    There are four square matrices. A power binds more tightly than a product, but your brackets change that.""")

wrong("matrices-four-times-as-wide", {"2 * d_model * d_ff": "8 * d_model**2"}, """
    The matrices of the network are taken to be four times d_model wide.
    That is the paper's choice. Here the width is an argument.""")
