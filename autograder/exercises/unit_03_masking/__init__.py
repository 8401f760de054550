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
)
from autograder.exercises.unit_03_masking.questions import QUESTIONS
from autograder.specification import Unit

MODULES = (causal_mask, padding_mask, combine_masks, additive_mask, masked_softmax, masked_attention, first_leak)

UNIT = Unit(
    id="03_masking",
    title="Masking",
    sittings=sittings("03_masking"),
    exercises=tuple(module.EXERCISE for module in MODULES),
    questions=QUESTIONS,
)
