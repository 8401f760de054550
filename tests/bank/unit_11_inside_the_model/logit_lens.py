"""Functions that learners wrote for `logit_lens`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "returns the logits; the largest one is not looked for",
    names={"logits-returned"},
    line="return states @ embedding.T",
)
def only_the_logits(states, embedding):
    return states @ embedding.T


@wrong(
    "returns the largest logits, not their places",
    names={"largest-logits"},
    line="return np.max(states @ embedding.T, axis=-1)",
)
def the_maximum(states, embedding):
    return np.max(states @ embedding.T, axis=-1)


@wrong(
    "argmax without an axis gives one number for all",
    line="return np.argmax(states @ embedding.T)",
)
def without_an_axis(states, embedding):
    return np.argmax(states @ embedding.T)


@wrong(
    "argmax along the positions",
    names={"along-positions"},
    line="return np.argmax(logits, axis=1)",
)
def wrong_axis(states, embedding):
    logits = states @ embedding.T
    return np.argmax(logits, axis=1)


@wrong(
    "of equal logits the last one wins, because sorting in descending order turns them round",
    names={"last-highest"},
    line='return np.argsort(logits, axis=-1, kind="stable")[..., -1]',
)
def by_sorting_upwards(states, embedding):
    logits = states @ embedding.T
    return np.argsort(logits, axis=-1, kind="stable")[..., -1]


@wrong(
    "takes the row at the smallest distance, not that of the largest product",
    names={"nearest"},
    line="return distances.argmin(axis=-1)",
)
def by_distance(states, embedding):
    distances = np.linalg.norm(states[:, :, None, :] - embedding, axis=-1)
    return distances.argmin(axis=-1)


@right
def layer_by_layer(states, embedding):
    ids = []
    for layer in states:
        ids.append(np.argmax(layer @ embedding.T, axis=1))
    return np.array(ids)
