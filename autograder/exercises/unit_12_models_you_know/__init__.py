"""Unit 12, optional: the learner's functions run models that everybody knows."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_12_models_you_know import (
    biased_attention,
    byte_pair_merge,
    gpt2_block,
    sentence_vector,
    word_pieces,
)
from autograder.exercises.unit_12_models_you_know.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="12_models_you_know",
    title="Models you know (optional)",
    sittings=sittings("12_models_you_know"),
    exercises=(
        word_pieces.EXERCISE,
        byte_pair_merge.EXERCISE,
        biased_attention.EXERCISE,
        gpt2_block.EXERCISE,
        sentence_vector.EXERCISE,
    ),
    questions=QUESTIONS,
)
