"""Functions that learners wrote for `train_step`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.parameters import TrainingState
from transformer_kit.reference import (
    adam_update,
    cross_entropy,
    cross_entropy_backward,
    noam_learning_rate,
    one_hot,
    shift_right,
    smooth_labels,
)


@wrong(
    "the model reads the target itself: nothing is shifted",
    names={"not-shifted"},
    line="logits = forward(state.params, batch.source_ids, batch.target_ids)",
)
def reads_the_target(state, batch, forward, backward, settings):
    n = state.step + 1
    logits = forward(state.params, batch.source_ids, batch.target_ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    grad = backward(
        cross_entropy_backward(logits, goal, batch.is_token), state.params, batch.source_ids, batch.target_ids
    )
    lr = noam_learning_rate(n, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, n, lr)
    return TrainingState(n, params, m, v), loss


@wrong(
    "is_token is passed to neither the loss nor its gradient",
    names={"padding-in-both"},
    line="loss = cross_entropy(logits, goal)",
)
def forgets_padding(state, batch, forward, backward, settings):
    n = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal)
    d_logits = cross_entropy_backward(logits, goal)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(n, settings.d_model, settings.warmup_steps)
    return TrainingState(n, *adam_update(state.params, grad, state.m, state.v, n, lr)), loss


@wrong(
    "rate and Adam are computed for the steps made so far, which is one too few",
    names={"counted-from-zero"},
    line="lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)",
)
def counts_from_zero(state, batch, forward, backward, settings):
    step = state.step
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, step, lr)
    return TrainingState(step + 1, params, m, v), loss


@wrong(
    "the step is not counted at all: rate, Adam and the new state take the number in the old one",
    names={"never-counted"},
    line="lr = noam_learning_rate(state.step, settings.d_model, settings.warmup_steps)",
)
def takes_the_old_number(state, batch, forward, backward, settings):
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(state.step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, state.step, lr)
    return TrainingState(state.step, params, m, v), loss


@wrong("the new state keeps the old step number", names={"step-not-counted"})
def never_counts(state, batch, forward, backward, settings):
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(state.step + 1, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, state.step + 1, lr)
    return state._replace(params=params, m=m, v=v), cross_entropy(logits, goal, batch.is_token)


@wrong("the minus of gradient descent is put into the gradient, and Adam subtracts once more", names={"uphill"})
def two_minuses(state, batch, forward, backward, settings):
    step = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = -backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, step, lr)
    return TrainingState(step, params, m, v), loss


@wrong("plain one-hot targets: epsilon of the settings is not used", names={"not-smoothed"})
def one_hot_targets(state, batch, forward, backward, settings):
    step = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = np.eye(logits.shape[-1])[batch.target_ids]
    loss = cross_entropy(logits, goal, batch.is_token)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    return TrainingState(step, *adam_update(state.params, grad, state.m, state.v, step, lr)), loss


@wrong(
    "Adam's running means start from zeros in every step, so it is no Adam",
    names={"means-begin-again"},
    line="m, v = np.zeros_like(state.params), np.zeros_like(state.params)",
)
def fresh_means(state, batch, forward, backward, settings):
    step = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    d_logits = cross_entropy_backward(logits, goal, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    m, v = np.zeros_like(state.params), np.zeros_like(state.params)
    params, m, v = adam_update(state.params, grad, m, v, step, lr)
    return TrainingState(step, params, m, v), loss


@right
def by_fields(state, batch, forward, backward, settings):
    read = shift_right(batch.target_ids, settings.bos_id)
    out = forward(state.params, batch.source_ids, read)
    vocab = out.shape[-1]
    goal = smooth_labels(batch.target_ids, vocab, settings.epsilon)
    loss = cross_entropy(out, goal, is_token=batch.is_token)
    g = backward(cross_entropy_backward(out, goal, is_token=batch.is_token), state.params, batch.source_ids, read)
    k = state.step + 1
    p, m, v = adam_update(
        state.params, g, state.m, state.v, k, noam_learning_rate(k, settings.d_model, settings.warmup_steps)
    )
    return TrainingState(step=k, params=p, m=m, v=v), loss


@right
def with_replace(state, batch, forward, backward, settings):
    state = state._replace(step=state.step + 1)
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    targets = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, targets, batch.is_token)
    gradient = backward(
        cross_entropy_backward(logits, targets, batch.is_token), state.params, batch.source_ids, decoder_ids
    )
    rate = noam_learning_rate(state.step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, gradient, state.m, state.v, state.step, rate)
    return state._replace(params=params, m=m, v=v), loss


@wrong(
    "lets padding count in the gradient",
    names={"padding-in-the-gradient"},
    line="d_logits = cross_entropy_backward(logits, targets)",
)
def padding_in_the_gradient(state, batch, forward, backward, settings):
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    targets = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, targets, batch.is_token)
    d_logits = cross_entropy_backward(logits, targets)
    grad = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, step, lr)
    return type(state)(step=step, params=params, m=m, v=v), loss


@wrong(
    "smooths the labels for the gradient, and takes the loss without smoothing",
    names={"smoothed-in-the-gradient-only"},
    line="loss = cross_entropy(logits, one_hot(batch.target_ids, V), batch.is_token)",
)
def loss_unsmoothed(state, batch, forward, backward, settings):
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    V = logits.shape[-1]
    targets = smooth_labels(batch.target_ids, V, settings.epsilon)
    loss = cross_entropy(logits, one_hot(batch.target_ids, V), batch.is_token)
    d_logits = cross_entropy_backward(logits, targets, batch.is_token)
    grad = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, step, lr)
    return state._replace(step=step, params=params, m=m, v=v), loss


@wrong(
    "starts the running means at 0 in every step",
    names={"means-begin-again"},
    line="params, m, v = adam_update(state.params, grad, zeros, zeros, step, lr)",
)
def means_forgotten(state, batch, forward, backward, settings):
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    targets = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, targets, batch.is_token)
    grad = backward(
        cross_entropy_backward(logits, targets, batch.is_token), state.params, batch.source_ids, decoder_ids
    )
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    zeros = np.zeros_like(state.params)
    params, m, v = adam_update(state.params, grad, zeros, zeros, step, lr)
    return state._replace(step=step, params=params, m=m, v=v), loss


@wrong(
    "swaps the step and the learning rate in the call of adam_update",
    names={"step-and-rate-exchanged"},
    line="params, m, v = adam_update(state.params, gradient, state.m, state.v, lr, step)",
)
def step_and_lr_swapped(state, batch, forward, backward, settings):
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    target = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, target, batch.is_token)
    d_logits = cross_entropy_backward(logits, target, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, gradient, state.m, state.v, lr, step)
    return TrainingState(step, params, m, v), loss


@wrong(
    "swaps m and v in the call of adam_update",
    names={"means-exchanged"},
    line="params, m, v = adam_update(state.params, gradient, state.v, state.m, step, lr)",
)
def m_and_v_swapped(state, batch, forward, backward, settings):
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    target = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, target, batch.is_token)
    d_logits = cross_entropy_backward(logits, target, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    lr = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, gradient, state.v, state.m, step, lr)
    return TrainingState(step, params, m, v), loss


@wrong(
    "swaps d_model and warmup_steps in the call of noam_learning_rate",
    names={"width-and-warm-up-exchanged"},
    line="lr = noam_learning_rate(n, settings.warmup_steps, settings.d_model)",
)
def width_and_warm_up_swapped(state, batch, forward, backward, settings):
    n = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    grad = backward(cross_entropy_backward(logits, goal, batch.is_token), state.params, batch.source_ids, ids)
    lr = noam_learning_rate(n, settings.warmup_steps, settings.d_model)
    params, m, v = adam_update(state.params, grad, state.m, state.v, n, lr)
    return TrainingState(n, params, m, v), loss


@wrong(
    "swaps the logits and the smoothed target in the loss and in its gradient",
    names={"logits-and-target-exchanged"},
    line="loss = cross_entropy(goal, logits, batch.is_token)",
)
def goal_before_logits(state, batch, forward, backward, settings):
    n = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(goal, logits, batch.is_token)
    grad = backward(cross_entropy_backward(goal, logits, batch.is_token), state.params, batch.source_ids, ids)
    lr = noam_learning_rate(n, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, n, lr)
    return TrainingState(n, params, m, v), loss


@wrong(
    "puts the new v in the place of m, and the new m in that of v",
    names={"new-means-exchanged"},
    line="return TrainingState(n, params, v, m), loss",
)
def v_before_m_in_the_state(state, batch, forward, backward, settings):
    n = state.step + 1
    ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, ids)
    goal = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, goal, batch.is_token)
    grad = backward(cross_entropy_backward(logits, goal, batch.is_token), state.params, batch.source_ids, ids)
    lr = noam_learning_rate(n, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, grad, state.m, state.v, n, lr)
    return TrainingState(n, params, v, m), loss
