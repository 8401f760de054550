"""Unit 09: the whole Transformer, made of the functions of all earlier units."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_09_transformer import (
    cached_decode_step,
    count_transformer_parameters,
    decode_target,
    decoder_layer,
    encode_source,
    translate,
)
from autograder.exercises.unit_09_transformer.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="09_transformer",
    title="The Transformer",
    sittings=sittings("09_transformer"),
    exercises=(
        decoder_layer.EXERCISE,
        encode_source.EXERCISE,
        decode_target.EXERCISE,
        translate.EXERCISE,
        count_transformer_parameters.EXERCISE,
        cached_decode_step.EXERCISE,
    ),
    questions=QUESTIONS,
)
