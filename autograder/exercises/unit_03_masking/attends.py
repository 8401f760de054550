"""Functions to be judged by `first_leak`: every one is pure, and its verdict is the same for all weights."""

import numpy as np

from transformer_kit import reference
from transformer_kit.experiments.leaks import mask_on_weights

WIDTH = 4  # of a token
SMALL = 0.01  # so that amounts of the wrong size never move an output enough by chance


def self_attention(rng, mask, attention=reference.masked_attention):
    """Draw three projections of tokens of width WIDTH, and return the self-attention with them.

    Whatever moves an output raises some of its entries and lowers others by as much.
    """
    W_Q, W_K, W_V = rng.standard_normal((3, WIDTH, WIDTH)) / np.sqrt(WIDTH)
    W_V[:, ::2] *= SMALL
    W_V[:, 1::2] = -W_V[:, ::2]
    return lambda X: attention(X @ W_Q, X @ W_K, X @ W_V, mask)[0]


def renormalised(Q, K, V, mask):
    """Mask the weights and divide by what is left: another way to be right."""
    return mask_on_weights(Q, K, V, mask, renormalise=True)


def looks_back(X):
    """Return for every position the sum of the tokens before it, without its own."""
    return X.cumsum(axis=0) - X


def peeking(attend, at, token):
    """Add another token to one output."""
    return leaking(attend, at, lambda X: X[token])


def swaying(attend, at, token, strength=SMALL):
    """Let another token raise some entries of one output and lower others by as much."""
    return leaking(attend, at, lambda X: strength * np.kron(X[token, : WIDTH // 2], [1.0, -1.0]))


def leaking(attend, at, leak):
    """Add leak(X), a row, to one output."""

    def leaking(X):
        output = attend(X)
        output[at] += leak(X)
        return output

    return leaking


def turning(attend, at, token):
    """Turn two entries of one output by another token: its length stays the same."""

    def turning(X):
        output, angle = attend(X), X[token].sum()
        output[at, :2] = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ output[at, :2]
        return output

    return turning


def normalised(token):
    """Return a token less its mean, in units of its standard deviation, as behind a layer norm."""
    return reference.layer_norm(token, np.ones(WIDTH), np.zeros(WIDTH))


def backwards(X):
    """Return the tokens in reverse order, as a view: whoever overwrites X overwrites this output, too."""
    return X[::-1]


def shifted(attend):
    """Add 10, so that a small movement is also small in comparison."""
    return lambda X: attend(X) + 10


def noisy(attend):
    """Add what rounding might add: far less than counts as a movement."""
    return lambda X: attend(X) + 1e-13 * X.sum()


def odd_leaks(causal):
    """Return leaks, for six tokens or more, that show only where every entry and every amount counts."""
    last, signs = np.eye(WIDTH)[-1], np.resize([1.0, -1.0], WIDTH)
    return {
        "a leak in the last feature only": leaking(causal, 1, lambda X: last * X[5]),
        "a leak whose entries sum to 0": leaking(causal, 3, lambda X: signs * X[4, 0]),
        "a leak of squares": leaking(causal, 2, lambda X: X[3] ** 2),
        "a leak that keeps the length of the output": turning(causal, at=3, token=5),
    }


def leaks_beside_zeros(causal):
    """Return leaks that show where tokens 3 and later are 0: nothing in them depends on the amounts."""
    return {
        "a leak from a token of zeros": peeking(causal, at=3, token=4),
        "a leak that only lowers entries": leaking(causal, 2, lambda X: -np.abs(X[4])),
        "a leak of 2e-9": leaking(causal, 4, lambda X: 2e-9 * np.sign(X[5])),
    }


def cancelling_leaks(causal):
    """Return leaks in which changes of some regular kind cancel; what rounding leaves of these is cut off."""
    return {
        "a leak behind a layer norm": leaking(causal, 1, lambda X: normalised(X[5]).round(3)),
        "a leak of the sum of a token's entries": leaking(causal, 2, lambda X: X[5].sum().round(3)),
        "a leak of the sum of all later tokens": leaking(causal, 3, lambda X: X[4:].sum(axis=0).round(3)),
        "a leak of the difference of two tokens": leaking(causal, 1, lambda X: (X[5] - X[4]).round(3)),
        "a leak that repeats with every whole number": leaking(causal, 2, lambda X: np.sin(2 * np.pi * X[4]).round(3)),
    }
