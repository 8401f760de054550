"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.specification import Lookalike

ENCODE = Lookalike(
    "spaces-only",
    'encode("the cat sat", {"<unk>": 0, "the": 1, "cat": 2})',
    "What else than a space can stand between two words?",
)
ONE_HOT = Lookalike(
    "one-sentence-indexed",
    "one_hot(np.array([2, 0, 1]), 4)",
    "Which shapes may `token_ids` have?",
)
EMBED = Lookalike(
    "last-row-refused",
    "embed(np.array([0, 1]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))",
    "Which ids are allowed? Try each of them.",
)
PAD_BATCH = Lookalike(
    "lists-only",
    "pad_batch([[5, 8], [7]], 0)",
    "Are lists the only thing that a sequence of ids comes in? What does `encode` return?",
)
LINEAR = Lookalike(
    "fractions-cut",
    "linear(np.array([[1.0, 2.0]]), np.array([[0.5, 1.0], [0.25, 0.0]]), np.array([0.25, 0.5]))",
    "Which kinds of numbers can stand in `X`?",
)
