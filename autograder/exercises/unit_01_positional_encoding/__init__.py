"""Unit 01: sinusoidal positional encoding."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_01_positional_encoding import (
    add_positions,
    angular_frequencies,
    own_positions,
    position_similarity,
    positional_encoding,
    shift_matrix,
)
from autograder.exercises.unit_01_positional_encoding.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="01_positional_encoding",
    title="Positional encoding",
    sittings=sittings("01_positional_encoding"),
    exercises=(
        angular_frequencies.EXERCISE,
        positional_encoding.EXERCISE,
        add_positions.EXERCISE,
        position_similarity.EXERCISE,
        own_positions.EXERCISE,
        shift_matrix.EXERCISE,
    ),
    questions=QUESTIONS,
)
