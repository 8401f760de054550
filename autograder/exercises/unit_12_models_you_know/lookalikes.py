"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_12_models_you_know import calls
from autograder.specification import Lookalike

WORD_PIECES = Lookalike(
    "takes-cuts-back",
    'word_pieces("cats", {"cat": 1, "##s": 2})',
    "What if the longest piece leaves a rest that no piece fits, and a shorter one would not?",
)
BYTE_PAIR_MERGE = Lookalike(
    "replaced-in-a-text",
    'byte_pair_merge(list("abab"), {("a", "b"): 0})',
    "A symbol may have several letters. Where could a pair be found that is none?",
)
BIASED_ATTENTION = Lookalike(
    "values-with-the-bias-of-keys",
    calls.BIASED_ATTENTION[0].replace(", noise=0.5", ""),
    "Which numbers stand in the biases at the beginning, and which after a training?",
)
GPT2_BLOCK = Lookalike(
    "one-norm-for-both",
    calls.GPT2_BLOCK[0].replace(", noise=0.5", ""),
    "Print the parameters of the first call. Which of them are equal?",
)
SENTENCE_VECTOR = Lookalike(
    "lost-padding-places",
    calls.SENTENCE_VECTOR[0],
    "Must the padding come last?",
)
