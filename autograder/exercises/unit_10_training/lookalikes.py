"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_10_training import calls
from autograder.specification import Lookalike

SHIFT_RIGHT = Lookalike(
    "one-sentence",
    "shift_right(np.array([[5, 7, 1]]), 2)",
    "How many sentences can a batch have?",
)
SMOOTH_LABELS = Lookalike(
    "divided-by-tokens",
    "smooth_labels(np.array([0, 2, 1]), 3, 0.3)",
    "Two different numbers happen to be 3 in the first call. Which?",
)
CROSS_ENTROPY = Lookalike(
    "mean-of-means",
    "cross_entropy(np.array([[1.0, 3.0]]), np.array([[0.0, 1.0]]))",
    "What if one sentence of a batch is longer than the other?",
)
CROSS_ENTROPY_BACKWARD = Lookalike(
    "one-hot",
    "cross_entropy_backward(np.array([[1.0, 3.0]]), np.array([[0.0, 1.0]]))",
    "Where do the target distributions of a training step come from?",
)
NOAM_LEARNING_RATE = Lookalike(
    "level",
    "noam_learning_rate(100, 512, 4000)",
    "In which part of the training does step 100 lie?",
)
ADAM_UPDATE = Lookalike(
    "constant-correction",
    "adam_update(np.array([1.0]), np.array([0.5]), np.zeros(1), np.zeros(1), step=1, lr=0.1)",
    "Which step was the first call, and which comes next?",
)
TRAIN_STEP = Lookalike(
    "padding-in-the-gradient",
    calls.TRAIN_STEP[0],
    "Are all places of the batch in the first call real tokens?",
)
