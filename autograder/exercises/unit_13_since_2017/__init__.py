"""Unit 13, optional: what changed since 2017, up to a chat model on the learner's functions."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_13_since_2017 import (
    chat_prompt,
    dequantised,
    grouped_attention,
    modern_block,
    quantised,
    read_on,
    rotate,
    share_heads,
    write,
)
from autograder.exercises.unit_13_since_2017.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="13_since_2017",
    title="What changed since 2017 (optional)",
    sittings=sittings("13_since_2017"),
    exercises=(
        rotate.EXERCISE,
        share_heads.EXERCISE,
        grouped_attention.EXERCISE,
        modern_block.EXERCISE,
        read_on.EXERCISE,
        write.EXERCISE,
        dequantised.EXERCISE,
        quantised.EXERCISE,
        chat_prompt.EXERCISE,
    ),
    questions=QUESTIONS,
)
