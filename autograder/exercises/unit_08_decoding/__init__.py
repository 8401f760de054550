"""Unit 08: from the probabilities of the next token to a sequence."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_08_decoding import (
    apply_temperature,
    beam_search,
    greedy_decode,
    losing_beam,
    sample_decode,
    sample_token,
    sequence_log_prob,
    top_k_filter,
    top_p_filter,
)
from autograder.exercises.unit_08_decoding.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="08_decoding",
    title="Decoding",
    sittings=sittings("08_decoding"),
    exercises=(
        sequence_log_prob.EXERCISE,
        greedy_decode.EXERCISE,
        apply_temperature.EXERCISE,
        top_k_filter.EXERCISE,
        top_p_filter.EXERCISE,
        sample_token.EXERCISE,
        sample_decode.EXERCISE,
        beam_search.EXERCISE,
        losing_beam.EXERCISE,
    ),
    questions=QUESTIONS,
)
