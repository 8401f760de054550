"""One line of the model changed at a time, as it is easily written wrong; some of these changes are hard to notice."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.reference import angular_frequencies, gelu


class Line(NamedTuple):
    """A line that was changed.

    Attributes
    ----------
    name : str
        What it does, in a few words.
    change : callable
        Returns the function that takes the place of the one called `of`, from that one.
    of : str
    """

    name: str
    of: str
    change: Callable

    def applied(self, functions):
        """Return functions with the changed one among them."""
        if not self.of:
            return functions
        return replaced(functions, **{self.of: self.change(getattr(functions, self.of, None))})


def turned(X, positions, frequencies):
    """Turn neighbouring columns with frequencies of any kind; X (..., n, d), frequencies (d / 2,)."""
    angles = np.asarray(positions)[:, None] * frequencies
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    result, first, second = np.empty_like(X), X[..., 0::2], X[..., 1::2]
    result[..., 0::2], result[..., 1::2] = first * cos - second * sin, first * sin + second * cos
    return result


def _halves(X, positions, base):
    angles = np.asarray(positions)[:, None] * angular_frequencies(X.shape[-1], base)
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    first, second = np.split(X, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def stopped(which):
    """Return a change of `rotate` after which some clocks stand still; `which` is a slice of the pairs of columns."""

    def change(rotate):
        def with_stopped_clocks(X, positions, base):
            frequencies = angular_frequencies(X.shape[-1], base)
            frequencies[which] = 0
            return turned(X, positions, frequencies)

        return with_stopped_clocks

    return change


def seeing(may_see):
    """Return a change of `causal_mask`; `may_see(i, j)` says which further condition must hold for queries and keys."""

    def change(causal_mask):
        def with_less(n_queries, n_keys):
            queries = np.arange(n_keys - n_queries, n_keys)[:, None]
            return causal_mask(n_queries, n_keys) & may_see(queries, np.arange(n_keys))

        return with_less

    return change


RIGHT = Line("as it should be", "", None)
LINES = (
    RIGHT,
    Line("positions counted from 5000", "rotate", lambda f: lambda X, p, b: f(X, np.asarray(p) + 5000, b)),
    Line("the vectors are centred, as in layer norm", "rms_norm",
         lambda f: lambda X, gamma, eps: f(X - X.mean(axis=-1, keepdims=True), gamma, eps)),
    Line("base 10,000 in place of 100,000", "rotate", lambda f: lambda X, p, b: f(X, p, 10000.0)),
    Line("positions counted from 0 in every call", "positions", lambda f: lambda n_before, n_new: np.arange(n_new)),
    Line("GELU in place of SiLU", "swiglu",
         lambda f: lambda X, gate, up, down: (gelu(X @ gate) * (X @ up)) @ down),
    Line("columns i and i + d/2 are pairs", "rotate", lambda f: _halves),
    Line("nothing is turned", "rotate", lambda f: lambda X, p, b: X),
    Line("turned backwards", "rotate", lambda f: lambda X, p, b: f(X, -np.asarray(p), b)),
    Line("embeddings times the root of d_model", "embed",
         lambda f: lambda ids, E: f(ids, E) * np.float32(E.shape[1] ** 0.5)),
    Line("scores not divided by the root of d_k", "masked_attention",
         lambda f: lambda Q, K, V, mask: f(Q * np.float32(Q.shape[-1] ** 0.5), K, V, mask)),
    Line("heads shared as 0, 1, 2, 0, 1, 2", "share_heads",
         lambda f: lambda X, n_heads: np.tile(X, (n_heads // X.shape[-3], 1, 1))),
    Line("gate and up exchanged", "swiglu", lambda f: lambda X, gate, up, down: f(X, up, gate, down)),
    Line("no mask", "causal_mask", lambda f: lambda n, m: np.ones((n, m), dtype=bool)),
)  # fmt: skip
PROBES = (  # what the model needs, and what it can do without
    Line("the slow half of the clocks stands still", "rotate", stopped(slice(16, None))),
    Line("the four fastest clocks stand still", "rotate", stopped(slice(4))),
    Line("the first token is hidden from all others", "causal_mask", seeing(lambda i, j: (j > 0) | (i == 0))),
    Line("each token sees the last 32 only", "causal_mask", seeing(lambda i, j: i - j < 32)),
    Line("each token sees the last 32 and the first", "causal_mask", seeing(lambda i, j: (i - j < 32) | (j == 0))),
)


def line_called(name):
    """Return the line of this name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Line

    Raises
    ------
    ValueError
        If there is none; the message lists them.
    """
    found = [line for line in (*LINES, *PROBES) if line.name == name]
    if not found:
        names = "\n".join(f"  {line.name!r}" for line in (*LINES[1:], *PROBES))
        raise ValueError(f"no line is called {name!r}; there are\n{names}")
    return found[0]
