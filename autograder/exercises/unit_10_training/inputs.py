"""What the claims of this unit share: logits, targets, and which of them are padding."""

import numpy as np

from transformer_kit import reference

N_CLASSES = 7


def logits_and_targets(rng, *shape, n_classes=N_CLASSES, epsilon=0.0):
    """Draw logits of shape (*shape, n_classes) and targets, smoothed by epsilon."""
    token_ids = rng.integers(0, n_classes, shape)
    return rng.standard_normal((*shape, n_classes)), reference.smooth_labels(token_ids, n_classes, epsilon)


def padded(rng, *lengths):
    """Return which positions are tokens, for sentences of these lengths and a padded length one larger."""
    return np.arange(max(lengths) + 1) < rng.permutation(lengths)[:, None]


def far_apart(rng, n):
    """Draw logits that reach from -1000 to 1000 within every row, and one-hot targets that are neither extreme."""
    levels = np.array([-1000.0, -300.0, 0.0, 400.0, 1000.0])
    order = rng.permuted(np.broadcast_to(np.arange(5), (n, 5)), axis=-1)
    middle = np.argmax(order == rng.integers(1, 4, (n, 1)), axis=-1)
    return levels[order] + rng.standard_normal((n, 5)), reference.one_hot(middle, 5)


def at_many_levels(rng, n):
    """Draw logits of ordinary spread around -1000 in one row, around 1000 in the next, and so on; smoothed targets."""
    logits, targets = logits_and_targets(rng, n, n_classes=6, epsilon=0.2)
    return logits + np.where(np.arange(n) % 2, 1000.0, -1000.0)[:, None], targets
