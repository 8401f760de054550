"""Training: batch after batch, with a learning rate that rises and falls, and checkpoints to go on from."""

import math
from itertools import count
from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.array_files import read_arrays, write_arrays
from transformer_kit.training.network import forward, loss_and_gradients, make_batch
from transformer_kit.training.sublayers import Dropout
from transformer_kit.trees import flatten, unflatten

ORDER, DROPPED = 1, 2  # what random numbers are drawn for


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
        Decides the order of the batches and what is dropped.
    record_every : int
        Steps between two entries of the history, which are also the steps between two checkpoints.
    averaged : int
        The result is the mean of the parameters at the last so many entries: section 6.1 of the paper.
    """

    steps: int = 20000
    batch_tokens: int = 1024
    warmup_steps: int = 1000
    label_smoothing: float = 0.1
    dropout: float = 0.1
    seed: int = 2017
    record_every: int = 250
    averaged: int = 1


SETTINGS = Settings(averaged=8)


class Progress(NamedTuple):
    """How far a training has come.

    Attributes
    ----------
    step : int
    parameters, m, v : ndarray of shape (n_parameters,)
        The parameters end to end, and Adam's running means.
    total : ndarray of shape (n_parameters,)
        Sum of the parameters that are to be averaged.
    history : ndarray of shape (n_records, 3)
        Step, mean loss of the batches since the last record, and loss on the development pairs, in nats per token.
    """

    step: int
    parameters: np.ndarray
    m: np.ndarray
    v: np.ndarray
    total: np.ndarray
    history: np.ndarray


def train(model, pairs, settings, development=(), checkpoint=None, watch=None, functions=reference, collate=make_batch):
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
        A file that keeps the progress. If it is there, training goes on from it, and the result is the same, bit for
        bit, as without the interruption.
    watch : callable, optional
        Called with the number of the step and its loss after every step.
    functions : object
        Has the functions of unit 10 as attributes.
    collate : callable
        From pairs to a `Batch`.

    Returns
    -------
    model : Model
    history : ndarray of shape (n_records, 3)
        See `Progress`.

    Raises
    ------
    ValueError
        If the checkpoint is damaged or belongs to another training.
    """
    progress = (checkpoint and load_checkpoint(checkpoint, model, settings)) or _beginning(model)
    losses = []
    for step, chosen in batches(pairs, settings, progress.step):
        loss, progress = _step(model, collate(chosen), step, progress, settings, functions)
        losses.append(loss)
        if watch:
            watch(step, loss)
        if step % settings.record_every == 0 or step == settings.steps:
            progress = _recorded(progress, model, losses, development, settings)
            losses = []
            if checkpoint:
                save_checkpoint(checkpoint, progress, settings)
    n_averaged = sum(_is_averaged(step, settings) for step in progress.history[:, 0])
    return unflatten(model, progress.total / progress.total.dtype.type(n_averaged)), progress.history


def _beginning(model):
    parameters = flatten(model)
    return Progress(0, parameters, *(np.zeros_like(parameters) for _ in range(3)), np.empty((0, 3)))


def _is_averaged(step, settings):
    """Tell whether the entry of a step is among the last ones."""
    entry, last = (math.ceil(s / settings.record_every) for s in (step, settings.steps))
    return entry > last - settings.averaged


def _recorded(progress, model, losses, development, settings):
    """Add an entry to the history, and towards the end the parameters to those that are averaged."""
    loss = _development_loss(unflatten(model, progress.parameters), development)
    history = np.vstack([progress.history, (progress.step, np.mean(losses), loss)])
    if _is_averaged(progress.step, settings):
        progress = progress._replace(total=progress.total + progress.parameters)
    return progress._replace(history=history)


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
        rng = np.random.default_rng([settings.seed, ORDER, epoch])
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


def _step(model, batch, step, progress, settings, functions):
    """Make one update; the random numbers depend on the seed and the step alone."""
    current = unflatten(model, progress.parameters)
    dropout = Dropout(settings.dropout, np.random.default_rng([settings.seed, DROPPED, step]))
    loss, gradients = loss_and_gradients(current, batch, settings.label_smoothing, dropout, functions)
    rate = functions.noam_learning_rate(step, model.source_embedding.shape[-1], settings.warmup_steps)
    _, parameters, m, v, *kept = progress
    updated = functions.adam_update(parameters, flatten(gradients), m, v, step, float(rate))
    # functions of one's own may return double precision, and the next steps would be computed in it
    return loss, Progress(step, *(array.astype(parameters.dtype, copy=False) for array in updated), *kept)


def _development_loss(model, pairs):
    """Return the loss on pairs that are not trained on, NaN without any."""
    losses, weights = [np.nan][len(pairs) > 0 :], [1][len(pairs) > 0 :]
    for start in range(0, len(pairs), 256):
        batch = make_batch(pairs[start : start + 256])
        logits, _ = forward(model, batch)
        wanted = reference.one_hot(batch.target_ids, logits.shape[-1])
        losses.append(reference.cross_entropy(logits, wanted, batch.target_is_token))
        weights.append(batch.target_is_token.sum())
    return np.average(losses, weights=weights)


def save_checkpoint(path, progress, settings):
    """Write a checkpoint; if the program is killed meanwhile, the one before stays.

    Parameters
    ----------
    path : Path
    progress : Progress
    settings : Settings
    """
    write_arrays(path, {"settings": repr(settings), **progress._asdict()}, compress=False)


def load_checkpoint(path, model, settings):
    """Read a checkpoint.

    Parameters
    ----------
    path : Path
    model : Model
        Of the sizes that are trained.
    settings : Settings

    Returns
    -------
    Progress or None
        None if there is no checkpoint.

    Raises
    ------
    ValueError
        If it is damaged or belongs to another training.
    """
    if not path.exists():
        return None
    try:
        arrays = read_arrays(path)
    except ValueError as error:
        raise ValueError(f"{error}: remove it to begin anew") from error
    if str(arrays.pop("settings", "")) != repr(settings) or arrays["parameters"].shape != flatten(model).shape:
        raise ValueError(f"{path} belongs to a training with other settings or sizes: remove it to begin anew")
    return Progress(int(arrays.pop("step")), **arrays)
