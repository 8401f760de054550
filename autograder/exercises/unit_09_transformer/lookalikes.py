"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_09_transformer import calls
from autograder.specification import Lookalike

DECODER_LAYER = Lookalike(
    "memory-normed",
    calls.DECODER_LAYER[0],
    "Does the layer do the same in post-norm and in pre-norm, with both of its inputs?",
)
ENCODE_SOURCE = Lookalike(
    "hides-queries",
    calls.ENCODE_SOURCE[0],
    "Was there any padding in the first call?",
)
DECODE_TARGET = Lookalike(
    "no-source-mask",
    calls.DECODE_TARGET[0],
    "What does `source_is_token` say in the first call, and what else can it say?",
)
TRANSLATE = Lookalike(
    "length-of-source",
    calls.TRANSLATE[0].replace("I like cats.", "The cat sleeps."),
    "Which of the two languages needs more words? Try a sentence where it shows.",
)
COUNT_TRANSFORMER_PARAMETERS = Lookalike(
    "four-times",
    "count_transformer_parameters(1000, 512, 2048, 6)",
    "In the paper d_ff is 4 d_model. Must it be?",
)
CACHED_DECODE_STEP = Lookalike(
    "own-projection-ignored",
    calls.CACHED_DECODE_STEP[0],
    "Which fields of a model can be None, and are in the first call?",
)
