"""Unit 04: multi-head attention."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_04_multi_head_attention import (
    before_minus_after,
    count_attention_parameters,
    fused_self_attention,
    merge_heads,
    multi_head_attention,
    split_heads,
)
from autograder.exercises.unit_04_multi_head_attention.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="04_multi_head_attention",
    title="Multi-head attention",
    sittings=sittings("04_multi_head_attention"),
    exercises=(
        split_heads.EXERCISE,
        merge_heads.EXERCISE,
        multi_head_attention.EXERCISE,
        before_minus_after.EXERCISE,
        count_attention_parameters.EXERCISE,
        fused_self_attention.EXERCISE,
    ),
    questions=QUESTIONS,
)
