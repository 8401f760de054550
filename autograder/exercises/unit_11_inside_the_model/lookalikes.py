"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_11_inside_the_model import calls
from autograder.specification import Lookalike

HEAD_OUTPUTS = Lookalike(
    "mask-along-heads",
    calls.HEAD_OUTPUTS[1],
    "What shape has the mask of a whole batch, and with what does it line up?",
)
ABLATION_TABLE = Lookalike(
    "sums-of-singles",
    "ablation_table(lambda heads: 10.0 - sum(heads), 3)",
    "What if two heads do the same work, and either of them is enough?",
)
ATTENTION_ROLLOUT = Lookalike(
    "heads-apart",
    "attention_rollout(np.array([[[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.25, 0.75]]]]))",
    "How many layers and how many heads had the first call?",
)
NEXT_TOKEN_LOGITS = Lookalike(
    "positions-in-the-loop",
    calls.NEXT_TOKEN_LOGITS[0].replace("range(2)", "range(1)"),
    "How many layers had the model in the first call?",
)
LOGIT_LENS = Lookalike(
    "absolute",
    "logit_lens(np.array([[[0.5, 1.0]], [[2.0, 0.25]]]), np.eye(3, 2))",
    "Which signs can a logit have?",
)
