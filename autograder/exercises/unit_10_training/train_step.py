"""Specification of `train_step`."""

import numpy as np

from autograder.execution.handed import Numbers
from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.unit_10_training.inputs import by_hand, state_agrees, step_of_training
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import TrainingState

ORDER = "Forward, loss, backward, update"
SHIFT = "What the decoder reads, and what it has to predict"
PADDING = "The mean, and what it leaves out"
SMOOTHED = "Who gets which share"
STATE = "What one step leaves to the next"
RATE = "Two curves, and the lower one counts"

PARAMS, IDS = Numbers(axes=1), Numbers(kinds="iu", axes=2)

EXERCISE = Exercise(
    reference=reference.train_step,
    asks="one step of training: what the parameters and running means are after a batch, and its loss before.",
    returns=(Output("state"), Output("loss")),
    where=ORDER,
    calls=calls.TRAIN_STEP,
    hands={"forward": (PARAMS, IDS, IDS), "backward": (Numbers(axes=3), PARAMS, IDS, IDS)},
    lookalike=lookalikes.TRAIN_STEP,
)


@EXERCISE.claim(1)
def loss(call, rng):
    """the loss is that of the batch before the step, against smoothed targets"""
    call.agrees_in(1, *by_hand())  # log 4
    call.agrees_in(1, *step_of_training(rng, done=int(rng.integers(5, 9))))


@EXERCISE.claim(1)
def first(call, rng):
    """the first step moves every parameter against its gradient"""
    state_agrees(call, by_hand(), "params")
    args = step_of_training(rng, epsilon=float(rng.uniform(0.7, 0.9)))  # large, so that it decides directions
    state_agrees(call, args, "params")


@EXERCISE.claim(1)
def later(call, rng):
    """a later step goes on where the state has arrived, and counts itself"""
    state_agrees(call, step_of_training(rng, done=int(rng.integers(5, 9))), *TrainingState._fields)


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


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(SHIFT)
wrong("not-shifted", {"shift_right(batch.target_ids, settings.bos_id)": "batch.target_ids"}, """
    The decoder reads the target itself, not the shifted one.
    Then each position reads the very word that it has to predict. The loss soon goes to the floor, but the model cannot
    write.""")

wrong("cut-instead-of-shifted", {
    "wanted = smooth_labels(batch.target_ids,":
        "batch = batch._replace(target_ids=batch.target_ids[:, 1:], is_token=batch.is_token[:, 1:])\n"
        "    wanted = smooth_labels(batch.target_ids,",
    "shift_right(batch.target_ids, settings.bos_id)": "batch.target_ids[:, :-1]",
}, """
    The decoder reads the target without its last token and has to predict the target without its first.
    That is right for targets which begin with the start symbol. These do not: the first word is never asked for, and
    the model never learns how to begin.""")

wrong("has-to-say-what-it-reads", {"smooth_labels(batch.target_ids,": "smooth_labels(decoder_ids,"}, """
    The output is compared with what the decoder reads, not with the target.
    The shift is for the decoder's input alone. Compared with the shifted ids, the model learns to repeat the word that
    it has just read.""")

wrong.at(ORDER)
wrong("source-and-target-exchanged", {
    "forward(state.params, batch.source_ids, decoder_ids)": "forward(state.params, decoder_ids, batch.source_ids)",
}, """
    `forward` gets the decoder's ids as the source, and the source as what the decoder reads.
    It is called as forward(params, source_ids, decoder_ids).""")

wrong.at(PADDING)
wrong("padding-in-the-loss",
      {"loss = cross_entropy(logits, wanted, batch.is_token)": "loss = cross_entropy(logits, wanted)"}, """
    Padding counts in the loss.
    `cross_entropy` has not been told which positions are tokens. The gradient has, so the model learns what it should;
    but the number on the curve depends on how much padding a batch happens to have.""")

wrong("padding-in-the-gradient", {"backward(logits, wanted, batch.is_token)": "backward(logits, wanted)"}, """
    Padding counts in the gradient.
    `cross_entropy_backward` has not been told which positions are tokens, so the model is trained to write padding.""")

wrong.everywhere("padding-in-both", {"wanted, batch.is_token": "wanted"}, """
    Padding counts, in the loss and in the gradient.
    The batch says which positions are tokens. Neither `cross_entropy` nor `cross_entropy_backward` has been told.""")

wrong.everywhere("padding-by-its-id", {"batch.is_token": "batch.target_ids != 0"}, """
    A target whose id is 0 is taken for padding.
    A word may have any id. The batch says which places hold tokens.""")

SMOOTHED_TARGETS = "smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)"  # as in the reference
PLAIN_TARGETS = "one_hot(batch.target_ids, logits.shape[-1])"

wrong.at(SMOOTHED)
wrong("not-smoothed", {SMOOTHED_TARGETS: PLAIN_TARGETS}, """
    The targets are not smoothed.
    The settings name a share `epsilon` that is spread over the whole vocabulary.""")

wrong("smoothed-in-the-loss-only", {"backward(logits, wanted,": f"backward(logits, {PLAIN_TARGETS},"}, """
    The loss is against smoothed targets, and the gradient against plain ones.
    Then the gradient is not that of the loss. Both take the same target distribution.""")

wrong("smoothed-in-the-gradient-only", {"entropy(logits, wanted,": f"entropy(logits, {PLAIN_TARGETS},"}, """
    The gradient is against smoothed targets, and the loss against plain ones.
    Then the loss that is reported is not the one that gets smaller. Both take the same target distribution.""")

wrong("epsilon-of-the-paper", {"settings.epsilon": "0.1"}, """
    The share of label smoothing is always 0.1.
    That is the paper's number. Yours is in the settings.""")

wrong.at(ORDER)


@wrong.function
def loss_after_the_step(state, batch, forward, backward, settings):
    """The loss is computed with the new parameters.
    It belongs to the forward pass from which the gradient comes, before the parameters move. A second forward pass
    costs time and tells nothing about this step."""
    new, _ = reference.train_step(state, batch, forward, backward, settings)
    return new, reference.train_step(new, batch, forward, backward, settings)[1]


wrong("logits-sent-back", {"backward(d_logits,": "backward(logits,"}, """
    `backward` gets the logits instead of their gradient.
    What goes back through the model is d_logits, from `cross_entropy_backward`.""")

wrong("loss-first", {"return TrainingState": "return loss, TrainingState", "rate)), loss": "rate))"}, """
    The loss comes first, then the state.
    The results have a fixed order: the new state, then the loss.""")

wrong("backward-with-other-ids", {
    "backward(d_logits, state.params, batch.source_ids, decoder_ids)":
        "backward(d_logits, state.params, batch.source_ids, batch.target_ids)",
}, """
    `backward` gets the target ids, not what the decoder has read.
    The gradient belongs to the forward pass, so `backward` needs the same ids as `forward`: the shifted ones.""")

wrong.at(STATE)
wrong("counted-from-zero",
      {"noam_learning_rate(step": "noam_learning_rate(step - 1", "state.v, step": "state.v, step - 1"}, """
    The learning rate and Adam get the number of steps already taken.
    The step being taken is one more. Steps count from 1, and at step 0 you would divide by 0.""")

wrong("rate-of-the-last-step", {"noam_learning_rate(step": "noam_learning_rate(step - 1"}, """
    The learning rate is that of the step before.
    `state.step` is the number of steps already taken. This one is the next.""")

wrong("adam-of-the-last-step", {"state.v, step": "state.v, step - 1"}, """
    Adam corrects its means for the step before.
    `state.step` is the number of steps already taken. This one is the next.""")

wrong("step-not-counted", {"TrainingState(step": "TrainingState(state.step"}, """
    The new state has the old number of steps.
    Then every step believes that it is the first: the learning rate never rises, and Adam never stops correcting.""")

wrong("never-counted", {"state.step + 1": "state.step"}, """
    The step is not counted: the learning rate, Adam and the new state get `state.step` as it is.
    `state.step` is the number of steps already taken. This one has the number `state.step + 1`.""")

wrong("means-begin-again", {"state.m, state.v": "0 * state.m, 0 * state.v"}, """
    The running means begin at 0 in every step.
    They are in the state, so that each step can go on where the one before stopped.""")

wrong("means-not-kept", {"*adam_update": "adam_update", "rate)), loss": "rate)[0], state.m, state.v), loss"}, """
    The new state has the old running means.
    `adam_update` returns three arrays, and the next step needs all of them.""")

wrong("params-not-kept", {"*adam_update": "state.params, *adam_update", "rate)), loss": "rate)[1:]), loss"}, """
    The new state has the old parameters.
    Adam returns new parameters and leaves the old ones as they are. If they are not put into the state, nothing is ever
    learned.""")


@wrong.function
def moved_in_place(state, *rest):
    """The arrays of the old state are overwritten.
    Whoever has kept the old state, to compare or to go back, has lost it. The new state gets arrays of its own."""
    new, loss = reference.train_step(state, *rest)
    for old, array in zip(state[1:], new[1:], strict=True):
        np.copyto(old, array)
    return state._replace(step=new.step), loss


wrong("uphill", {"params, gradient,": "params, -gradient,"}, """
    Every parameter moves along its gradient, not against it.
    `adam_update` subtracts already. The gradient goes in as it is.""")

wrong("plain-descent", {
    "*adam_update(state.params, gradient, state.m, state.v, step, rate)":
        "state.params - rate * gradient, state.m, state.v",
}, """
    The gradient is multiplied by the learning rate and subtracted, without Adam.
    Then the running means of the state are never used. Call your `adam_update`.""")

wrong.at(RATE)
wrong("width-of-the-vocabulary", {"settings.d_model": "logits.shape[-1]"}, """
    The learning rate is that of a model as wide as the vocabulary.
    The last axis of the logits is the vocabulary. The width of the model is in the settings.""")

wrong("rate-at-its-peak", {"noam_learning_rate(step,": "noam_learning_rate(settings.warmup_steps,"}, """
    The learning rate is the largest one of the schedule, at every step.
    It depends on the step: up to the end of the warm-up it rises, then it falls.""")

wrong.at(STATE)
wrong("step-and-rate-exchanged", {"state.v, step, rate)": "state.v, rate, step)"}, """
    `adam_update` gets the learning rate as the number of the step, and the number of the step as the learning rate.
    Both are plain numbers, so nothing complains. The order is param, grad, m, v, step, lr.""")

wrong("means-exchanged", {"gradient, state.m, state.v, step": "gradient, state.v, state.m, step"}, """
    m and v are swapped in the call of `adam_update`.
    m is the running mean of the gradient, v that of its square. Both have the same shape, so nothing complains.""")

wrong("new-means-exchanged",
      {"*adam_update(": "*(lambda params, m, v: (params, v, m))(*adam_update(", "rate)), loss": "rate))), loss"}, """
    The new m and the new v are swapped in the state.
    The next step takes each for the other. `adam_update` returns the parameters, m and v, in the order of the
    state.""")

wrong("gradient-and-params-exchanged", {"adam_update(state.params, gradient": "adam_update(gradient, state.params"}, """
    `adam_update` gets the gradient as the parameter, and the parameter as its gradient.
    Both have the same shape, so nothing complains. The parameter comes first: it is what is moved.""")

wrong.at(RATE)
wrong("width-and-warm-up-exchanged",
      {"settings.d_model, settings.warmup_steps": "settings.warmup_steps, settings.d_model"}, """
    d_model and warmup_steps are swapped in the call of `noam_learning_rate`.
    Both are whole numbers, so nothing complains. The order is step, d_model, warmup_steps.""")

wrong("step-and-width-exchanged",
      {"noam_learning_rate(step, settings.d_model": "noam_learning_rate(settings.d_model, step"}, """
    The number of the step and d_model are swapped in the call of `noam_learning_rate`.
    Both are whole numbers, so nothing complains. The order is step, d_model, warmup_steps.""")

wrong.at(ORDER)
LOSS = {"loss = cross_entropy(logits, wanted": "loss = cross_entropy(wanted, logits"}
GRADIENT = {"cross_entropy_backward(logits, wanted": "cross_entropy_backward(wanted, logits"}

for id, edits, where in (
    ("logits-and-target-exchanged", LOSS | GRADIENT, "the loss and in its gradient"),
    ("logits-and-target-exchanged-in-the-loss", LOSS, "the loss"),
    ("logits-and-target-exchanged-in-the-gradient", GRADIENT, "`cross_entropy_backward`"),
):
    wrong(id, edits, f"""
    The logits and the wanted distributions are swapped in {where}.
    Both have the same shape, so nothing complains. The logits come first.""")

wrong.at(STATE)
wrong("gradient-behind-the-means", {"gradient, state.m, state.v": "state.m, state.v, gradient"}, """
    `adam_update` gets m and v before the gradient.
    All of them have the same shape, so nothing complains. The order is param, grad, m, v, step, lr.""")

for mean, other in ("mv", "vm"):
    wrong(f"{mean}-twice", {"state.m, state.v": f"state.{mean}, state.{mean}"}, f"""
    `adam_update` gets {mean} for {other} as well.
    m is the running mean of the gradient, v that of its square. Each goes on from its own old value.""")

wrong("adam-one-step-behind", {"state.v, step": "state.v, max(step - 1, 1)"}, """
    From the second step on, Adam corrects its means for the step before.
    `state.step` is the number of steps already taken. This one has the number `state.step + 1`, also for Adam.""")

wrong.at(ORDER)
wrong("gradient-of-the-sum", {
    "backward(logits, wanted, batch.is_token)": "backward(logits, wanted, batch.is_token) * batch.is_token.sum()",
}, """
    The gradient is that of the sum of the losses, not of their mean.
    `cross_entropy` is a mean over the tokens, and `cross_entropy_backward` is its gradient as it comes.""")
