"""Unit 05: cross-attention."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_05_cross_attention import (
    alignment,
    context_vector,
    cross_attention,
    misleading_weights,
    project_memory,
    translation_masks,
)
from autograder.exercises.unit_05_cross_attention.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="05_cross_attention",
    title="Cross-attention",
    sittings=sittings("05_cross_attention"),
    exercises=(
        context_vector.EXERCISE,
        project_memory.EXERCISE,
        cross_attention.EXERCISE,
        alignment.EXERCISE,
        misleading_weights.EXERCISE,
        translation_masks.EXERCISE,
    ),
    questions=QUESTIONS,
)
