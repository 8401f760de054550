"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.specification import Lookalike

CAUSAL_MASK = Lookalike(
    "offset-reversed",
    "causal_mask(3)",
    "Are there always as many keys as queries?",
)
PADDING_MASK = Lookalike(
    "second-axis",
    "padding_mask(np.array([[True, True, False], [True, False, False]]))",
    "How many axes can stand in front of that of the tokens?",
)
COMBINE_MASKS = Lookalike(
    "hiding-everything-ignored",
    "combine_masks(np.array([[True, False], [True, True]]), None, np.array([True, False]))",
    "What do None and False have in common when a condition asks for their truth?",
)
MASKED_SOFTMAX = Lookalike(
    "empty-along-last-axis",
    "masked_softmax(np.array([1.0, 2.0, 3.0]), np.array([True, True, False]))",
    "In which direction do the weights sum to 1? And where nothing is visible in that direction?",
)
MASKED_ATTENTION = Lookalike(
    "weights-renormalised-with-care",
    """\
masked_attention(
    Q=np.array([[1.0, 0.0]]),
    K=np.array([[1.0, 2.0], [3.0, 4.0]]),
    V=np.array([[1.0], [2.0]]),
    mask=np.array([[True, False]]),
)""",
    "How large can the score of a hidden key be?",
)
FIRST_LEAK = Lookalike(
    "first-feature-only",
    "first_leak(lambda X: X[[1, 1, 2]], np.eye(3))",
    "Which entries of an output can a later token reach?",
)
