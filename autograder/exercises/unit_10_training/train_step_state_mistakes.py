"""The known mistakes of `train_step` on the way from the gradient to the new state."""

import numpy as np

from autograder.exercises.unit_10_training.train_step_variants import step_with
from autograder.specification import KnownMistakes
from transformer_kit import reference

STATE = "What one step leaves to the next"
RATE = "Two curves, and the lower one counts"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STATE)
def counted_from_zero(*args):
    """The learning rate and Adam get the number of steps already taken.

    The step being taken is one more. Steps count from 1, and at step 0 you would divide by 0.
    """
    return step_with(
        *args,
        noam_learning_rate=lambda step, *sizes: reference.noam_learning_rate(step - 1, *sizes),
        adam_update=lambda param, grad, m, v, step, lr: reference.adam_update(param, grad, m, v, step - 1, lr),
    )


@MISTAKES.add(where=STATE)
def rate_of_the_last_step(*args):
    """The learning rate is that of the step before.

    `state.step` is the number of steps already taken. This one is the next.
    """
    return step_with(*args, noam_learning_rate=lambda step, *sizes: reference.noam_learning_rate(step - 1, *sizes))


@MISTAKES.add(where=STATE)
def adam_of_the_last_step(*args):
    """Adam corrects its means for the step before.

    `state.step` is the number of steps already taken. This one is the next.
    """
    return step_with(
        *args, adam_update=lambda param, grad, m, v, step, lr: reference.adam_update(param, grad, m, v, step - 1, lr)
    )


@MISTAKES.add(where=STATE)
def step_not_counted(state, *rest):
    """The new state has the old number of steps.

    Then every step believes that it is the first: the learning rate never rises, and Adam never stops correcting.
    """
    new, loss = reference.train_step(state, *rest)
    return new._replace(step=state.step), loss


@MISTAKES.add(where=STATE)
def never_counted(state, *rest):
    """The step is not counted: the learning rate, Adam and the new state get `state.step` as it is.

    `state.step` is the number of steps already taken. This one has the number `state.step + 1`.
    """
    new, loss = counted_from_zero(state, *rest)
    return new._replace(step=state.step), loss


@MISTAKES.add(where=STATE)
def means_begin_again(state, *rest):
    """The running means begin at 0 in every step.

    They are in the state, so that each step can go on where the one before stopped.
    """
    return reference.train_step(state._replace(m=0 * state.m, v=0 * state.v), *rest)


@MISTAKES.add(where=STATE)
def means_not_kept(state, *rest):
    """The new state has the old running means.

    `adam_update` returns three arrays, and the next step needs all of them.
    """
    new, loss = reference.train_step(state, *rest)
    return new._replace(m=state.m, v=state.v), loss


@MISTAKES.add(where=STATE)
def params_not_kept(state, *rest):
    """The new state has the old parameters.

    Adam returns new parameters and leaves the old ones as they are. If they are not put into the state, nothing is
    ever learned.
    """
    new, loss = reference.train_step(state, *rest)
    return new._replace(params=state.params), loss


@MISTAKES.add(where=STATE)
def moved_in_place(state, *rest):
    """The arrays of the old state are overwritten.

    Whoever has kept the old state, to compare or to go back, has lost it. The new state gets arrays of its own.
    """
    new, loss = reference.train_step(state, *rest)
    for old, array in zip(state[1:], new[1:], strict=True):
        np.copyto(old, array)
    return state._replace(step=new.step), loss


@MISTAKES.add(where=STATE)
def uphill(*args):
    """Every parameter moves along its gradient, not against it.

    `adam_update` subtracts already. The gradient goes in as it is.
    """
    return step_with(
        *args, adam_update=lambda param, grad, m, v, step, lr: reference.adam_update(param, -grad, m, v, step, lr)
    )


@MISTAKES.add(where=STATE)
def plain_descent(*args):
    """The gradient is multiplied by the learning rate and subtracted, without Adam.

    Then the running means of the state are never used. Call your `adam_update`.
    """
    return step_with(*args, adam_update=lambda param, grad, m, v, step, lr: (param - lr * grad, m, v))


@MISTAKES.add(where=RATE)
def width_of_the_vocabulary(state, batch, forward, backward, settings):
    """The learning rate is that of a model as wide as the vocabulary.

    The last axis of the logits is the vocabulary. The width of the model is in the settings.
    """
    vocab_size = forward(state.params, batch.source_ids, batch.target_ids).shape[-1]
    return reference.train_step(state, batch, forward, backward, settings._replace(d_model=vocab_size))


@MISTAKES.add(where=RATE)
def rate_at_its_peak(state, batch, forward, backward, settings):
    """The learning rate is the largest one of the schedule, at every step.

    It depends on the step: up to the end of the warm-up it rises, then it falls.
    """
    peak = reference.noam_learning_rate(settings.warmup_steps, settings.d_model, settings.warmup_steps)
    return step_with(state, batch, forward, backward, settings, noam_learning_rate=lambda *args: peak)
