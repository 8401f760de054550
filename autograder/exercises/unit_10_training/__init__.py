"""Unit 10: what a model learns from."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_10_training import (
    adam_update,
    cross_entropy,
    cross_entropy_backward,
    noam_learning_rate,
    shift_right,
    smooth_labels,
    train_step,
)
from autograder.exercises.unit_10_training.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="10_training",
    title="Training",
    sittings=sittings("10_training"),
    exercises=(
        shift_right.EXERCISE,
        smooth_labels.EXERCISE,
        cross_entropy.EXERCISE,
        cross_entropy_backward.EXERCISE,
        noam_learning_rate.EXERCISE,
        adam_update.EXERCISE,
        train_step.EXERCISE,
    ),
    questions=QUESTIONS,
)
