"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_05_cross_attention import calls
from autograder.specification import Lookalike

CONTEXT_VECTOR = Lookalike(
    "overflow",
    "context_vector(np.array([1.0, 0.0]), np.eye(2), np.array([[1.0], [3.0]]))",
    "How long can a query be, and how long the keys?",
)
PROJECT_MEMORY = Lookalike(
    "heads-first",
    calls.PROJECT_MEMORY[0],
    "What comes before the axis of the heads, and what does not always come?",
)
CROSS_ATTENTION = Lookalike(
    "memory-zeroed",
    calls.CROSS_ATTENTION[0],
    "Which argument did the first call leave out, and what weight does a key of zeros get?",
)
ALIGNMENT = Lookalike(
    "majority",
    "alignment(np.array([[[0.9, 0.1]], [[0.8, 0.2]]]))",
    "What if the heads do not agree with one another, and some are surer than others?",
)
TRANSLATION_MASKS = Lookalike(
    "by-number",
    "translation_masks(np.array([[True, True, False]]), np.array([[True, False]]))",
    "At which places can padding stand?",
)
