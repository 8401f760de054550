"""Training step by step, for those who want to look at every step."""

from typing import NamedTuple

from transformer_kit.parameters.tree import unflatten
from transformer_kit.reference import noam_learning_rate
from transformer_kit.training import loss_and_gradients, make_batch
from transformer_kit.training.checkpoints import beginning
from transformer_kit.training.loop import batches, updated


class Step(NamedTuple):
    """One step of a training run.

    Attributes
    ----------
    number : int
        From 1 on.
    loss : float
        Of the step's batch, before the update.
    gradients : named tuple
        Like the model, with the gradients in the place of the parameters.
    model : named tuple
        After the update.
    """

    number: int
    loss: float
    gradients: tuple
    model: tuple


def descend(model, numbered_batches, gradients_of, rate_at):
    """Train a model with Adam.

    Parameters
    ----------
    model : named tuple
        With its initial parameters; it is trained in their precision.
    numbered_batches : iterable of (int, Batch)
        The numbers of the steps, from 1 on, and their batches.
    gradients_of : callable
        From a model and a batch to a loss and its gradients.
    rate_at : callable
        From the number of a step to its learning rate.

    Yields
    ------
    Step
    """
    progress = beginning(model)
    for number, batch in numbered_batches:
        loss, gradients = gradients_of(model, batch)
        progress = updated(progress, gradients, number, rate_at(number))
        model = unflatten(model, progress.parameters)
        yield Step(number, loss, gradients, model)


def train_translator(model, pairs, settings, collate=make_batch):
    """Train a translation model with the learning rate of the paper and without dropout; arguments as in `train`.

    Yields
    ------
    Step
    """
    d_model = model.source_embedding.shape[-1]
    return descend(
        model,
        ((number, collate(chosen)) for number, chosen in batches(pairs, settings, 0)),
        lambda model, batch: loss_and_gradients(model, batch, settings.label_smoothing),
        lambda number: noam_learning_rate(number, d_model, settings.warmup_steps),
    )
