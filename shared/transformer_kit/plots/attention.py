"""Attention weights of a layer, with the words that they connect."""

from dataclasses import dataclass

import numpy as np

from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.heatmaps import HeatMap
from transformer_kit.plots.look import AROUND, GAP
from transformer_kit.plots.words import number
from transformer_kit.style import COLUMN

IN_A_ROW, WIDTH = 2, (COLUMN - GAP) / 2 - AROUND  # heads; CSS pixels of a map


@dataclass(eq=False)
class AttentionMap(HeatMap):
    """Weights between words; in words, what every query looks at most. See :func:`attention_maps`."""

    def spelled(self):
        return [[f"{value:.0f} %" if value else "" for value in row] for row in self.array]

    def words(self):
        best = self.array.argmax(axis=1)
        seen = ", ".join(
            f"{query} at {self.column_labels[j]} ({number(row[j])} %)"
            for query, row, j in zip(self.row_labels, self.array, best, strict=True)
        )
        return f"{self.title or 'weights'}. Where each row looks most: {seen}."


def attention_maps(weights, queries, keys, *, title="", names=None, alt=""):
    """Show attention weights in per cent, one map for each head; what rounds to 0 % stays empty.

    Parameters
    ----------
    weights : array_like of shape (n_queries, n_keys) or (n_heads, n_queries, n_keys)
    queries, keys : sequence of str
        Words of the rows and of the columns.
    title : str
    names : sequence of str, optional
        What stands above each map; "head 0", "head 1" and so on if left out.
    alt : str
        What the figure shows, in a sentence of yours; the text alternative adds where each row looks most.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If the weights have another number of axes, or the words are not as many as rows and columns.
    """
    weights = np.asarray(weights)
    if weights.ndim not in (2, 3):
        raise ValueError(
            f"expected weights of shape (n_queries, n_keys) or (n_heads, n_queries, n_keys), got {weights.shape}: "
            "choose one sentence, e.g. weights[0]"
        )
    heads = weights if weights.ndim == 3 else weights[None]
    names = names or ([f"head {head}" for head in range(len(heads))] if weights.ndim == 3 else [""])
    looks = {"limits": (0, 100), "row_labels": queries, "column_labels": keys, "bar": ""}
    width = WIDTH if len(heads) > 1 else COLUMN - AROUND
    maps = [
        AttentionMap(title=name, width=width, array=np.round(100 * head), **looks)
        for name, head in zip(names, heads, strict=True)
    ]
    rows = [maps[start : start + IN_A_ROW] for start in range(0, len(maps), IN_A_ROW)]
    return DescribedFigure(rows, title, alt)
