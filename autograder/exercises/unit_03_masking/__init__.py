"""Unit 03: causal and padding masks, and how to prove that nothing leaks."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_03_masking import (
    additive_mask,
    causal_mask,
    combine_masks,
    first_leak,
    masked_attention,
    masked_softmax,
    padding_mask,
    show_leak,
)
from autograder.exercises.unit_03_masking.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="03_masking",
    title="Masking",
    sittings=sittings("03_masking"),
    exercises=(
        causal_mask.EXERCISE,
        padding_mask.EXERCISE,
        combine_masks.EXERCISE,
        additive_mask.EXERCISE,
        masked_softmax.EXERCISE,
        masked_attention.EXERCISE,
        first_leak.EXERCISE,
        show_leak.EXERCISE,
    ),
    questions=QUESTIONS,
)
