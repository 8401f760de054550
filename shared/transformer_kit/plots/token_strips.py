"""Where every number of a tensor came from: cells that carry the colour and the number of their token."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_kit.figure import DescribedFigure, Panel
from transformer_kit.plots.tables import ROW_STEP
from transformer_kit.plots.words import number, numbers

COLUMN_STEP, SPACE = 0.44, 0.22  # inches: width of a cell, and of the space between two heads
# Light enough for dark digits; neighbours differ in lightness, too.
TOKEN_COLOURS = ("#9ecae9", "#fee391", "#f4a582", "#b2dfb0", "#d4b9da", "#d9d9d9")
UNKNOWN = "#ffffff"


@dataclass(eq=False)
class TokenStrips(Panel):
    """Blocks of labelled cells, one block per head. See :func:`token_strips`."""

    array: Any = None

    def __post_init__(self):
        self.array = np.array(self.array)
        if self.array.ndim not in (2, 3) or self.array.size == 0 or self.array.dtype.kind not in "iuf":
            came = f"shape {self.array.shape} and dtype {self.array.dtype}"
            raise ValueError(f"expected numbers of shape (n, d) or (n_heads, n, d_k), got {came}")

    @property
    def has_heads(self):
        """Whether there is a head axis."""
        return self.array.ndim == 3

    @property
    def blocks(self):
        """The labels with a head axis, of length 1 where there are no heads."""
        return self.array if self.has_heads else self.array[None]

    @property
    def size(self):
        n_heads, n_rows, width = self.blocks.shape
        spaces = (n_heads - 1) * SPACE
        return min(self.width, n_heads * width * COLUMN_STEP + spaces), n_rows * ROW_STEP

    @property
    def space(self):
        """Space between two heads, in cells."""
        n_heads, _, width = self.blocks.shape
        return SPACE * n_heads * width / (self.size[0] - (n_heads - 1) * SPACE)

    def on(self, axes):
        from matplotlib.patches import Rectangle

        n_heads, n_rows, width = self.blocks.shape
        step = width + self.space
        axes.set(xlim=(0, n_heads * step - self.space), ylim=(n_rows, 0))
        for (head, row, column), value in np.ndenumerate(self.blocks):
            x = head * step + column
            axes.add_patch(Rectangle((x, row), 1, 1, facecolor=_colour(value), edgecolor="white", linewidth=1))
            cell = axes.text(x + 0.5, row + 0.5, number(value), ha="center", va="center_baseline", size=8)
            cell.set_in_layout(False)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        axes.set_yticks(np.arange(n_rows) + 0.5, labels=[f"row {row}" for row in range(n_rows)], fontsize=8)
        axes.xaxis.tick_top()
        names = [f"head {head}" for head in range(n_heads)] if self.has_heads else []
        axes.set_xticks([head * step + width / 2 for head in range(len(names))], labels=names, fontsize=8)
        axes.set_title(self.title, size=10)

    def words(self):
        lines = [self.title] if self.title else []
        for head, block in enumerate(self.blocks):
            rows = " ".join(f"Row {row}: {numbers(values)}." for row, values in enumerate(block))
            lines.append(f"Head {head}. {rows}" if self.has_heads else rows)
        return "\n".join(lines)


def _colour(label):
    """Return the colour of the token that a label belongs to."""
    known = np.isfinite(label) and label >= 0
    return TOKEN_COLOURS[int(label // 100) % len(TOKEN_COLOURS)] if known else UNKNOWN


def token_strips(labels, *, title="", alt=""):
    """Show a tensor of labels 100 * token + channel, one colour per token, one block of columns per head.

    Parameters
    ----------
    labels : array_like of shape (n, d) or (n_heads, n, d_k)
        Channels below 100. The hundreds, which decide the colour, stand in every cell.
    title, alt : str
        As in :func:`heatmap`.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If the labels are not numbers, or have another number of axes.
    """
    return DescribedFigure([[TokenStrips(title=title, array=labels)]], alt=alt)
