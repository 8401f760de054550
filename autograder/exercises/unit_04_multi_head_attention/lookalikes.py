"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_04_multi_head_attention import calls
from autograder.specification import Lookalike

SPLIT_HEADS = Lookalike(
    "heads-in-front-of-the-batch",
    calls.SPLIT_HEADS[0],
    "What can stand in front of the axis of the tokens?",
)
MERGE_HEADS = Lookalike(
    "leading-axes-lost",
    "merge_heads(np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]))",
    "How many sequences can be merged at once?",
)
MULTI_HEAD_ATTENTION = Lookalike(
    "default-widths",
    calls.MULTI_HEAD_ATTENTION[0],
    "How wide is a head? Which widths does `init_attention` let you choose?",
)
COUNT_ATTENTION_PARAMETERS = Lookalike(
    "tied-default",
    "count_attention_parameters(512, 8)",
    "Which arguments may be left out? Leave out one, and not the other.",
)
FUSED_SELF_ATTENTION = Lookalike(
    "width-from-axis-1",
    calls.FUSED_SELF_ATTENTION[0],
    "How many axes may `X` have?",
)
