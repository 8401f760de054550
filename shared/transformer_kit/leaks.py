"""Measure and show what an attention lets through that it should hide: the leak meter."""

from dataclasses import dataclass

import numpy as np

from transformer_kit import plots
from transformer_kit.figure import DescribedFigure
from transformer_kit.plots.heatmaps import HeatMap
from transformer_kit.plots.words import name, number
from transformer_kit.reference import scaled_dot_product_attention

SMALLEST_MOVEMENT = 1e-9  # below it is rounding


def mask_on_weights(Q, K, V, mask, renormalise=False):
    """Return attention whose mask comes too late: after the softmax.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : ndarray of bool
        Broadcastable to (..., n_queries, n_keys); True = may attend.
    renormalise : bool
        Divide what is left in every row by its sum. Without this the rows do not sum to 1.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
    """
    _, weights = scaled_dot_product_attention(Q, K, V)
    weights = weights * mask
    if renormalise:
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def leakage(attend, X, seed=0):
    """Change every token in turn, and measure how far each output moves.

    Parameters
    ----------
    attend : callable
        Takes an array of shape (n, d) and returns one of shape (n, d).
    X : ndarray of shape (n, d)
    seed : int
        Seed of the amounts, of order 1, by which tokens are changed.

    Returns
    -------
    ndarray of shape (n, n)
        Row: the token that was changed; column: the largest movement among the entries of that output.
    """
    amounts = np.random.default_rng(seed).standard_normal(X.shape)
    before = attend(X)
    one_changed = (X + amounts * one_token[:, None] for one_token in np.eye(len(X)))
    return np.array([np.abs(attend(changed) - before).max(axis=-1) for changed in one_changed])


def leak_meter(attends, X, mask, labels=None, seed=0, title="", alt=""):
    """Show for several attentions how far outputs move when tokens that are hidden from them are changed.

    Parameters
    ----------
    attends : dict
        Name of each attention and the function, from shape (n, d) to (n, d); two or three.
    X : ndarray of shape (n, d)
    mask : ndarray of shape (n, n), bool
        What is hidden from which query.
    labels : sequence of str, optional
        The tokens.
    seed : int
        As in `leakage`.
    title, alt : str
        As in the other figures.

    Returns
    -------
    DescribedFigure
        One table per attention: changed token by output position.
    """
    labels = [str(position) for position in range(len(X))] if labels is None else labels
    hidden = ~np.asarray(mask).T  # the queries of a mask are its rows, the outputs of a meter its columns
    hidden &= ~np.eye(len(X), dtype=bool)  # a token always reaches its own output, as the query
    tables = {kind: np.where(hidden, leakage(attend, X, seed), np.nan) for kind, attend in attends.items()}
    highest = max(np.nanmax(table, initial=0.0) for table in tables.values())
    limits = (0.0, highest if highest > SMALLEST_MOVEMENT else 1.0)
    meters = (_meter(kind, table, labels, limits) for kind, table in tables.items())
    return plots.beside(*meters, title=title, alt=alt)


def _meter(kind, table, labels, limits):
    largest = np.nanmax(table, initial=0.0)
    found = f"a leak of up to {largest:.2g}" if largest > SMALLEST_MOVEMENT else "nothing leaks"
    panel = LeakTable(
        title=f"{kind}:\n{found}",
        limits=limits,
        array=np.where(table > SMALLEST_MOVEMENT, table, np.minimum(table, 0.0)),
        row_labels=labels,
        column_labels=labels,
        x_label="output position",
        y_label="changed token",
    )
    return DescribedFigure([[panel]])


@dataclass(eq=False)
class LeakTable(HeatMap):
    """Movements of outputs; NaN where the output may see the token. See `leak_meter`."""

    def on(self, axes):
        super().on(axes)
        for text in axes.texts:
            if text.get_text() == "nan":
                text.set(text="visible", size=7)

    def words(self):
        rows = map(self._row_in_words, range(len(self.array)))
        return "\n".join([self.title.replace("\n", " ") + ".", *filter(None, rows)])

    def _row_in_words(self, i):
        """Say what a change of token i does to the outputs that must not see it."""
        hidden = np.flatnonzero(~np.isnan(self.array[i]))
        moves = ", ".join(f"{name(self.column_labels, j)} by {number(self.array[i, j])}" for j in hidden)
        return f"Changing {name(self.row_labels, i)} moves the output of {moves}." if moves else ""
