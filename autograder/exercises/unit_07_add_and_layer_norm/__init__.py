"""Unit 07: residual connections and layer normalisation."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_07_add_and_layer_norm import (
    encoder_layer,
    fold_norm,
    layer_norm,
    layer_norm_backward,
    post_norm,
    pre_norm,
    rms_norm,
)
from autograder.exercises.unit_07_add_and_layer_norm.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="07_add_and_layer_norm",
    title="Add and layer norm",
    sittings=sittings("07_add_and_layer_norm"),
    exercises=(
        layer_norm.EXERCISE,
        post_norm.EXERCISE,
        pre_norm.EXERCISE,
        encoder_layer.EXERCISE,
        fold_norm.EXERCISE,
        layer_norm_backward.EXERCISE,
        rms_norm.EXERCISE,
    ),
    questions=QUESTIONS,
)
