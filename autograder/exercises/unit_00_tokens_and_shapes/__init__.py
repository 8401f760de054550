"""Unit 00: from words to arrays, and the road that led to attention."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_00_tokens_and_shapes import (
    embed,
    encode,
    linear,
    one_hot,
    pad_batch,
    telling_sums,
)
from autograder.exercises.unit_00_tokens_and_shapes.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="00_tokens_and_shapes",
    title="Tokens and shapes",
    sittings=sittings("00_tokens_and_shapes"),
    exercises=(
        encode.EXERCISE,
        one_hot.EXERCISE,
        embed.EXERCISE,
        telling_sums.EXERCISE,
        pad_batch.EXERCISE,
        linear.EXERCISE,
    ),
    questions=QUESTIONS,
)
