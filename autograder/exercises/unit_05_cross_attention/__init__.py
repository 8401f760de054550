"""Unit 05: cross-attention."""

from autograder.exercise import Unit
from autograder.exercises.unit_05_cross_attention import (
    alignment,
    context_vector,
    cross_attention,
    project_memory,
    translation_masks,
)
from autograder.exercises.unit_05_cross_attention.questions import QUESTIONS

UNIT = Unit(
    id="05_cross_attention",
    title="Cross-attention",
    minutes=60,
    exercises=(
        context_vector.EXERCISE,
        project_memory.EXERCISE,
        cross_attention.EXERCISE,
        alignment.EXERCISE,
        translation_masks.EXERCISE,
    ),
    questions=QUESTIONS,
)
