"""Specification of `count_layer_parameters`."""

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _right(number):
    """Make the test that one of the two counts is right, whatever the other one is."""

    def test(call, rng):
        sizes = (int(rng.integers(3, 50)), int(rng.integers(60, 300)))
        for args in ((2, 3), (512, 2048), sizes):  # by hand: 16 and 17
            call.agrees_in(number, *args)

    return test


count = reference.count_layer_parameters


def _three_projections(d_model, d_ff):
    return 3 * d_model**2, count(d_model, d_ff)[1]


def _attention_with_biases(d_model, d_ff):
    return 4 * d_model**2 + 4 * d_model, count(d_model, d_ff)[1]


def _one_head_only(d_model, d_ff):
    return 3 * d_model * (d_model // 8) + d_model**2, count(d_model, d_ff)[1]


def _times_8_heads(d_model, d_ff):
    return 8 * 4 * d_model**2, count(d_model, d_ff)[1]


def _no_biases(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff


def _b_1_only(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff + d_ff


def _b_2_only(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff + d_model


def _both_biases_d_ff(d_model, d_ff):
    return 4 * d_model**2, 2 * d_model * d_ff + 2 * d_ff


def _one_map(d_model, d_ff):
    return 4 * d_model**2, d_model * d_ff + d_ff


def _four_times_as_wide(d_model, d_ff):
    return count(d_model, 4 * d_model)


def _swapped(d_model, d_ff):
    return count(d_model, d_ff)[::-1]


def _floats(d_model, d_ff):
    attention, ffn = count(d_model, d_ff)
    return float(attention), float(ffn)


def _with_norms(d_model, d_ff):
    attention, ffn = count(d_model, d_ff)
    return attention + 2 * d_model, ffn + 2 * d_model


SECTION, WHAT = "Exercise 6.6: count_layer_parameters", "What there is to count"

EXERCISE = Exercise(
    reference=count,
    asks="count the numbers in the four attention matrices, and those in the feed-forward network.",
    returns=(Returned("attention"), Returned("ffn")),
    where=SECTION,
    claims=(
        Claim("the count of the attention is right", 0.5, _right(0)),
        Claim("the count of the feed-forward network is right", 0.5, _right(1)),
    ),
    mistakes=(
        Mistake(
            "three-projections",
            "One of the four attention matrices is missing",
            _three_projections,
            "Besides queries, keys and values there is the output matrix, which mixes the heads.",
            WHAT,
        ),
        Mistake(
            "attention-with-biases",
            "The attention is given biases",
            _attention_with_biases,
            "The four attention matrices of this course have none, as in the paper.",
            WHAT,
        ),
        Mistake(
            "one-head-only",
            "Only one of eight heads is counted",
            _one_head_only,
            "The matrices hold all heads side by side.",
            WHAT,
        ),
        Mistake(
            "times-8-heads",
            "The attention is counted once for each of eight heads",
            _times_8_heads,
            "The heads share the width d_model among them, so their number does not matter.",
            WHAT,
        ),
        Mistake(
            "no-biases",
            "The biases of the network are missing",
            _no_biases,
            "Both of its maps have a bias.",
            WHAT,
        ),
        Mistake("b-1-only", "The second bias is missing", _b_1_only, "Both maps have a bias.", WHAT),
        Mistake("b-2-only", "The first bias is missing", _b_2_only, "Both maps have a bias.", WHAT),
        Mistake(
            "both-biases-d-ff",
            "Both biases are counted with the width d_ff",
            _both_biases_d_ff,
            "A bias is as long as the output of its map, and the second map ends at another width.",
            WHAT,
        ),
        Mistake(
            "one-map",
            "Only the first map is counted",
            _one_map,
            "The network has two: one that widens the vector, and one that brings it back.",
            WHAT,
        ),
        Mistake(
            "four-times-as-wide",
            "d_ff is taken to be four times d_model",
            _four_times_as_wide,
            "That is the paper's choice. Here the width is an argument.",
            SECTION,
        ),
        Mistake(
            "swapped",
            "The two counts are returned in the other order",
            _swapped,
            "Asked for is the attention first, as in the layer.",
            SECTION,
        ),
        Mistake(
            "floats",
            "The counts are not whole numbers",
            _floats,
            "A count is an int. A `/` or a factor such as `2.0` makes a float of it.",
            SECTION,
        ),
        Mistake(
            "with-norms",
            "The two norms of the layer are counted as well",
            _with_norms,
            "Their scales and shifts belong to neither of the two; they come in the next notebook.",
            WHAT,
        ),
    ),
)
