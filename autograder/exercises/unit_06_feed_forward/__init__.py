"""Unit 06: the position-wise feed-forward network."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_06_feed_forward import (
    collapse_linear,
    count_layer_parameters,
    counting_network,
    ffn_backward,
    gelu,
    position_wise_ffn,
    relu,
    swiglu,
)
from autograder.exercises.unit_06_feed_forward.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="06_feed_forward",
    title="The position-wise feed-forward network",
    sittings=sittings("06_feed_forward"),
    exercises=(
        relu.EXERCISE,
        gelu.EXERCISE,
        position_wise_ffn.EXERCISE,
        collapse_linear.EXERCISE,
        counting_network.EXERCISE,
        ffn_backward.EXERCISE,
        count_layer_parameters.EXERCISE,
        swiglu.EXERCISE,
    ),
    questions=QUESTIONS,
)
