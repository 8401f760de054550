"""Unit 11: a trained model is opened, head by head and layer by layer."""

from autograder.exercises.sittings import sittings
from autograder.exercises.unit_11_inside_the_model import (
    ablation_table,
    attention_rollout,
    head_outputs,
    logit_lens,
    next_token_logits,
    without_heads,
)
from autograder.exercises.unit_11_inside_the_model.questions import QUESTIONS
from autograder.specification import Unit

UNIT = Unit(
    id="11_inside_the_model",
    title="Inside the model",
    sittings=sittings("11_inside_the_model"),
    exercises=(
        head_outputs.EXERCISE,
        without_heads.EXERCISE,
        ablation_table.EXERCISE,
        attention_rollout.EXERCISE,
        next_token_logits.EXERCISE,
        logit_lens.EXERCISE,
    ),
    questions=QUESTIONS,
)
