"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_13_since_2017 import calls
from autograder.specification import Lookalike

ROTATE = Lookalike(
    "consecutive",
    "rotate(np.eye(2, 4), np.array([3, 4]))",
    "Which positions can the rows of X have?",
)
SHARE_HEADS = Lookalike(
    "first-axis",
    calls.SHARE_HEADS[0],
    "What can stand before the axis of the heads?",
)
GROUPED_ATTENTION = Lookalike(
    "mask-of-the-first",
    calls.GROUPED_ATTENTION[0],
    "What does the cache hold in the first call?",
)
MODERN_BLOCK = Lookalike(
    "default-eps",
    calls.MODERN_BLOCK[0].replace("0.1, cache", "1e-5, cache"),
    "Which argument of the first call has the value that it would have by default elsewhere?",
)
READ_ON = Lookalike(
    "first-row",
    calls.READ_ON[2],
    "How many new tokens were read in the first call?",
)
WRITE = Lookalike(
    "first-end-only",
    calls.WRITE[1],
    "How many tokens can be the end of a text?",
)
DEQUANTISED = Lookalike(
    "joined-below",
    calls.DEQUANTISED[1],
    "How many blocks had the first call?",
)
CHAT_PROMPT = Lookalike(
    "stripped",
    'chat_prompt([("user", "Hello, cat!")], "You are a cat.")',
    "Which characters can stand at the beginning or the end of what somebody says?",
)
