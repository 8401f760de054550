"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.specification import Lookalike

ANGULAR_FREQUENCIES = Lookalike(
    "base-ignored",
    "angular_frequencies(8)",
    "What does the function have arguments for? Change them one by one.",
)
POSITIONAL_ENCODING = Lookalike(
    "cosines-from-sines",
    "positional_encoding(2, 4)",
    "Follow a clock hand round. In which part of the circle is its cosine not what its sine lets you expect?",
)
ADD_POSITIONS = Lookalike(
    "last-rows",
    "add_positions(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [0.5, 0.5]]))",
    "How many rows has the table, and how many tokens has the sequence?",
)
POSITION_SIMILARITY = Lookalike(
    "own-table",
    "position_similarity(np.array([[np.sin(p), np.cos(p)] for p in range(3)]))",
    "Where did the table in the first call come from? Hand over one from somewhere else.",
)
SHIFT_MATRIX = Lookalike(
    "loop-of-steps",
    "shift_matrix(3, 4)",
    "In which direction can a sequence be walked?",
)
