"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_08_decoding import calls
from autograder.specification import Lookalike

SEQUENCE_LOG_PROB = Lookalike(
    "first-occurrence",
    calls.SEQUENCE_LOG_PROB[1],
    "Can a token come up more than once?",
)
GREEDY_DECODE = Lookalike(
    "end-lost-at-max-len",
    calls.GREEDY_DECODE[0],
    "How long is the result of the first call, and how much longer might it have become?",
)
APPLY_TEMPERATURE = Lookalike(
    "argmax-of-all",
    "apply_temperature(np.array([1.0, 3.0, 2.0]), 0)",
    "What is special about temperature 0? And how many rows can there be?",
)
TOP_K_FILTER = Lookalike(
    "threshold",
    "top_k_filter(np.array([1.0, 3.0, 2.0]), 2)",
    "Must all logits be different?",
)
TOP_P_FILTER = Lookalike(
    "more-than-p",
    "top_p_filter(np.log([0.5, 0.375, 0.125]), 0.75)",
    "The running sums are 0.5, 0.875 and 1. Which p are the interesting ones?",
)
SAMPLE_TOKEN = Lookalike(
    "place-among-the-positive",
    "sample_token(np.array([0.25, 0.5, 0.25]), 0.6)",
    "What does a filter such as top-k leave of the probabilities?",
)
SAMPLE_DECODE = Lookalike(
    "temperature-last",
    calls.SAMPLE_DECODE[0],
    "Which arguments are at their defaults? When does the order of two of them matter?",
)
BEAM_SEARCH = Lookalike(
    "not-refilled",
    calls.BEAM_SEARCH[0],
    "What happens to the place of a hypothesis that has finished, and in how wide a beam would you notice?",
)
