"""The step of training with some of its functions exchanged, from which wrong steps are made."""

from types import SimpleNamespace

from transformer_kit import reference
from transformer_kit.parameters import TrainingState


def step_with(state, batch, forward, backward, settings, **exchanged):
    """Take one step of training, with other functions in the place of some of the reference's.

    Parameters
    ----------
    state, batch, forward, backward, settings
        As in `train_step`.
    exchanged
        By the name of the function of unit 10.
    """
    f = SimpleNamespace(**{name: getattr(reference, name) for name in NAMES} | exchanged)
    step = state.step + 1
    decoder_ids = f.shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    wanted = f.smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = f.cross_entropy(logits, wanted, batch.is_token)
    d_logits = f.cross_entropy_backward(logits, wanted, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    rate = f.noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    return TrainingState(step, *f.adam_update(state.params, gradient, state.m, state.v, step, rate)), loss


NAMES = (
    "shift_right",
    "smooth_labels",
    "cross_entropy",
    "cross_entropy_backward",
    "noam_learning_rate",
    "adam_update",
)
