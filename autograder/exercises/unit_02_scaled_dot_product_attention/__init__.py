"""Unit 02: scaled dot-product attention and the softmax Jacobian."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_02_scaled_dot_product_attention import (
    attention_backward,
    attention_scores,
    one_word_back,
    scaled_dot_product_attention,
    softmax,
    softmax_backward,
    softmax_jacobian,
)
from autograder.exercises.unit_02_scaled_dot_product_attention.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="02_scaled_dot_product_attention",
    title="Scaled dot-product attention and the softmax Jacobian",
    sittings=sittings("02_scaled_dot_product_attention"),
    exercises=(
        softmax.EXERCISE,
        attention_scores.EXERCISE,
        scaled_dot_product_attention.EXERCISE,
        one_word_back.EXERCISE,
        softmax_jacobian.EXERCISE,
        softmax_backward.EXERCISE,
        attention_backward.EXERCISE,
    ),
    questions=QUESTIONS,
)
