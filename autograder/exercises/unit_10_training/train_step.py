"""Specification of `train_step`."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.compare import describe
from autograder.execution.handed import Numbers
from autograder.exercises.unit_10_training import calls
from autograder.exercises.unit_10_training.inputs import step_of_training
from autograder.exercises.unit_10_training.train_step_mistakes import MISTAKES, ORDER
from autograder.exercises.unit_10_training.train_step_slip_mistakes import MISTAKES as SLIPS
from autograder.exercises.unit_10_training.train_step_state_mistakes import MISTAKES as STATE_MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import SentencePairs, TrainingSettings, TrainingState

PARAMS, IDS = Numbers(axes=1), Numbers(kinds="iu", axes=2)

EXERCISE = Exercise(
    reference=reference.train_step,
    asks="one step of training: what the parameters and running means are after a batch, and its loss before.",
    returns=(Output("state"), Output("loss")),
    where=ORDER,
    calls=calls.TRAIN_STEP,
    mistakes=[*MISTAKES, *STATE_MISTAKES, *SLIPS],
    hands={"forward": (PARAMS, IDS, IDS), "backward": (Numbers(axes=3), PARAMS, IDS, IDS)},
)


def _by_hand():
    """A model of three parameters, which are its logits whatever it reads, and one token to predict."""
    params = np.log([1.0, 2.0, 5.0])
    return (
        TrainingState(0, params, np.zeros(3), np.zeros(3)),
        SentencePairs(np.array([[2, 1]]), np.array([[1]]), np.array([[True]])),
        lambda params, source_ids, decoder_ids: params[None, None],
        lambda d_logits, params, source_ids, decoder_ids: d_logits.sum(axis=(0, 1)),
        TrainingSettings(bos_id=0, epsilon=0.0, d_model=4, warmup_steps=1),
    )


def _state_agrees(call, args, *fields):
    """Require some parts of the new state to be right, whatever the others are."""
    state, expected = call.results(*args)[0], reference.train_step(*args)[0]
    if not isinstance(state, tuple | list) or len(state) != len(expected):
        raise WrongResult(f"state: expected a TrainingState of {', '.join(expected._fields)}, got {describe(state)}.")
    for field in fields:
        number = expected._fields.index(field)
        call.equals(state[number], expected[number], Output(f"state.{field}"), args)


@EXERCISE.claim(1)
def loss(call, rng):
    """the loss is that of the batch before the step, against smoothed targets"""
    call.agrees_in(1, *_by_hand())  # log 4
    call.agrees_in(1, *step_of_training(rng, done=int(rng.integers(5, 9))))


@EXERCISE.claim(1)
def first(call, rng):
    """the first step moves every parameter against its gradient"""
    _state_agrees(call, _by_hand(), "params")
    _state_agrees(call, step_of_training(rng), "params")


@EXERCISE.claim(1)
def later(call, rng):
    """a later step goes on where the state has arrived, and counts itself"""
    _state_agrees(call, step_of_training(rng, done=int(rng.integers(5, 9))), *TrainingState._fields)


@EXERCISE.claim(0.5)
def padding(call, rng):
    """padding counts neither in the loss nor in the gradient"""
    lengths = rng.permutation([3, 6, 2, 5])
    call.agrees(*step_of_training(rng, done=int(rng.integers(5, 9)), lengths=lengths))


@EXERCISE.claim(0.25)
def settings(call, rng):
    """takes the settings as they are given"""
    call.agrees(*step_of_training(rng, done=int(rng.integers(30, 40)), warmup_steps=8, bos_id=1))
    call.agrees(*step_of_training(rng, done=4, epsilon=0.0, d_model=4))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = step_of_training(rng, done=int(rng.integers(5, 9)))
    call.leaves_inputs_alone(*args)
    call.agrees(*args)
