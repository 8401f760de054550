"""The training loop, with a learning rate that rises and falls."""

import math
from itertools import count
from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters.tree import flatten, unflatten
from transformer_kit.training.checkpoints import Progress, beginning, load_checkpoint, save_checkpoint
from transformer_kit.training.network import forward, loss_and_gradients, make_batch
from transformer_kit.training.sublayers import NO_DROPOUT, Dropout

ORDER_STREAM, DROPOUT_STREAM = 1, 2  # of random numbers


class Settings(NamedTuple):
    """How to train; the values are those of the trained model.

    Attributes
    ----------
    steps : int
        Number of batches.
    batch_tokens : int
        About how many tokens the targets of a batch have together.
    warmup_steps : int
        The step of the largest learning rate.
    label_smoothing, dropout : float
    seed : int
        Decides the order of the batches and what dropout drops.
    record_every : int
        Steps between two entries of the history, and between two checkpoints.
    averaged : int
        The result is the mean of the parameters at this many last entries: section 6.1 of the paper.
    cooldown : float
        The last share of the steps, in which the learning rate goes to 0 in a straight line, and nothing is dropped.
    """

    steps: int = 20000
    batch_tokens: int = 1024
    warmup_steps: int = 1000
    label_smoothing: float = 0.1
    dropout: float = 0.1
    seed: int = 2017
    record_every: int = 250
    averaged: int = 1
    cooldown: float = 0.0

    def left(self, step):
        """Return how much of the cooldown is left at a step; 1 before it begins."""
        return min(1.0, (self.steps - step + 1) / (self.cooldown * self.steps)) if self.cooldown else 1.0

    def rate(self, step, d_model):
        """Return the learning rate of the paper, which goes down to 0 in the cooldown."""
        return reference.noam_learning_rate(step, d_model, self.warmup_steps) * self.left(step)

    def dropout_at(self, step):
        """Return what drops at a step; the random numbers depend on the seed and the step alone."""
        rng = np.random.default_rng([self.seed, DROPOUT_STREAM, step])
        return Dropout(self.dropout, rng) if self.left(step) == 1 else NO_DROPOUT


SETTINGS = Settings(cooldown=0.4)


def train(model, pairs, settings, development=(), checkpoint=None, watch=None):
    """Train a model.

    Parameters
    ----------
    model : Model
        With its initial parameters; it is trained in their precision.
    pairs : sequence of (list of int, list of int)
        Ids of source and target; targets end with "<eos>".
    settings : Settings
    development : sequence
        Pairs that are not trained on; their loss, without smoothing, is recorded.
    checkpoint : Path, optional
        A file that keeps the progress. If it exists, training resumes from it, and the result is the same, bit for
        bit, as without the interruption.
    watch : callable, optional
        Called with the number of the step and its loss after every step.

    Returns
    -------
    model : Model
    history : ndarray of shape (n_records, 3)
        See `Progress`.

    Raises
    ------
    ValueError
        If the checkpoint is damaged or belongs to another training run.
    """

    def update(progress, chosen, step):
        return _step(model, make_batch(chosen), step, progress, settings)

    def development_loss(current):
        return _development_loss(current, development)

    return iterate(model, pairs, settings, update, development_loss, checkpoint, watch)


def iterate(model, examples, settings, update, held_out_loss, checkpoint=None, watch=None):
    """Update the parameters of a model, batch by batch.

    Parameters
    ----------
    model : Model
        With its initial parameters.
    examples : sequence of (list of int, list of int)
    settings : Settings
    update : callable
        From a `Progress`, the examples of a batch and the number of the step to the loss and the next `Progress`.
    held_out_loss : callable
        From a model to its loss on what is not trained on.
    checkpoint, watch
        As in `train`.

    Returns
    -------
    model : Model
    history : ndarray of shape (n_records, 3)
        See `Progress`.
    """
    progress = (checkpoint and load_checkpoint(checkpoint, model, settings)) or beginning(model)
    losses = []
    for step, chosen in batches(examples, settings, progress.step):
        loss, progress = update(progress, chosen, step)
        losses.append(loss)
        if watch:
            watch(step, loss)
        if step % settings.record_every == 0 or step == settings.steps:
            entry = step, np.mean(losses), held_out_loss(unflatten(model, progress.parameters))
            progress, losses = _recorded(progress, entry, settings), []
            if checkpoint:
                save_checkpoint(checkpoint, progress, settings)
    n_averaged = sum(_is_averaged(step, settings) for step in progress.history[:, 0])
    return unflatten(model, progress.total / progress.total.dtype.type(n_averaged)), progress.history


def _recorded(progress, entry, settings):
    """Add an entry to the history, and towards the end the parameters to those that are averaged."""
    if _is_averaged(progress.step, settings):
        progress = progress._replace(total=progress.total + progress.parameters)
    return progress._replace(history=np.vstack([progress.history, entry]))


def _is_averaged(step, settings):
    """Return whether the entry of a step is among the last ones."""
    entry, last = (math.ceil(s / settings.record_every) for s in (step, settings.steps))
    return entry > last - settings.averaged


def batches(pairs, settings, done):
    """Yield the numbers of the steps after `done`, and their pairs.

    Pairs of about the same length share a batch, so that there is little padding, and all batches have about as many
    tokens, as in the paper. With as many pairs instead, a token of a short translation would count for more than
    one of a long translation, and the model would come to prefer the short ones.

    Parameters
    ----------
    pairs : sequence of (sequence of int, sequence of int)
    settings : Settings
    done : int

    Yields
    ------
    step : int
    chosen : list
        Of the pairs.
    """
    step = 0
    for epoch in count():
        rng = np.random.default_rng([settings.seed, ORDER_STREAM, epoch])
        order = sorted(rng.permutation(len(pairs)), key=lambda i: (len(pairs[i][1]), len(pairs[i][0])))
        tokens = np.cumsum([len(pairs[i][1]) for i in order])
        n_batches = max(1, round(tokens[-1] / settings.batch_tokens))
        ends = np.searchsorted(tokens, tokens[-1] * np.arange(n_batches + 1) // n_batches, side="right")
        for batch in rng.permutation(n_batches):
            step += 1
            if step > settings.steps:
                return
            if step > done:
                yield step, [pairs[i] for i in order[ends[batch] : ends[batch + 1]]]


def _step(model, batch, step, progress, settings):
    """Make one update."""
    current = unflatten(model, progress.parameters)
    dropout = settings.dropout_at(step)
    loss, gradients = loss_and_gradients(current, batch, settings.label_smoothing, dropout)
    rate = settings.rate(step, model.source_embedding.shape[-1])
    return loss, updated(progress, gradients, step, rate)


def updated(progress, gradients, step, rate):
    """Make one step of Adam.

    Parameters
    ----------
    progress : Progress
    gradients : named tuple
        Like the model.
    step : int
        From 1 on.
    rate : float

    Returns
    -------
    Progress
    """
    _, parameters, m, v, *kept = progress
    return Progress(step, *reference.adam_update(parameters, flatten(gradients), m, v, step, rate), *kept)


def _development_loss(model, pairs):
    """Return the loss on pairs that are not trained on, NaN without any."""
    losses, weights = [np.nan][len(pairs) > 0 :], [1][len(pairs) > 0 :]
    for start in range(0, len(pairs), 256):
        batch = make_batch(pairs[start : start + 256])
        logits, _ = forward(model, batch)
        targets = reference.one_hot(batch.target_ids, logits.shape[-1])
        losses.append(reference.cross_entropy(logits, targets, batch.target_is_token))
        weights.append(batch.target_is_token.sum())
    return np.average(losses, weights=weights)
