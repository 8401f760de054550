"""What all pictures of a matrix have in common: cells, labels on both axes, the words for them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_kit.figure import Panel
from transformer_kit.plots.words import name

ROW_STEP, COLUMN_STEP = 0.36, 0.62  # inches of a cell that holds a number or a mark
UNITS = ("row", "column")
WRITTEN_OUT = 64  # entries: up to here a text alternative gives every number


@dataclass(eq=False)
class Table(Panel):
    """What heat maps and masks have in common: a table with labels on its rows and columns.

    Attributes
    ----------
    array : ndarray of shape (n_rows, n_columns)
        One axis is taken as one row; of more than two, axes of length 1 are dropped.
    row_labels, column_labels : sequence of str, optional
    x_label, y_label : str
        What columns and rows are.
    """

    array: Any = None
    row_labels: Any = None
    column_labels: Any = None
    x_label: str = ""
    y_label: str = ""

    least_step = 0.4  # inches: the narrowest column that a number fits in

    def __post_init__(self):
        table = np.array(self.array)
        table = table.squeeze() if table.ndim > 2 else table
        if table.ndim not in (1, 2) or table.size == 0:
            raise ValueError(
                f"expected a table of shape (n_rows, n_columns), got shape {np.shape(self.array)}: "
                "select one table, e.g. array[0]"
            )
        self.array = np.atleast_2d(table)
        for axis, labels in enumerate((self.row_labels, self.column_labels)):
            if labels is not None and len(labels) != self.array.shape[axis]:
                n, unit = self.array.shape[axis], UNITS[axis]
                raise ValueError(f"expected one label per {unit}: got {len(labels)} labels for {n} {unit}s")

    @property
    def small(self):
        """Whether there is room for a number or mark in every cell."""
        n_rows, n_columns = self.array.shape
        return n_rows <= 12 and n_columns * self.least_step <= self.width

    @property
    def written(self):
        """Whether the cells hold numbers or marks."""
        return self.small

    @property
    def size(self):
        n_rows, n_columns = self.array.shape
        if self.written:
            step = max(COLUMN_STEP, self._label_width() + 0.08)
            return n_columns * max(self.least_step, min(step, self.width / n_columns)), n_rows * ROW_STEP
        cell = min(0.45, self.width / n_columns, min(self.width, 3.7) / n_rows)
        # Square cells, but never a sliver.
        return max(cell * n_columns, min(0.3 * n_columns, 1.3)), max(cell * n_rows, min(0.3 * n_rows, 1.1))

    def _label_width(self):
        """Estimate the inches that the longest column label takes."""
        return 0.078 * max(map(len, map(str, self.column_labels))) if self.column_labels is not None else 0.2

    def frame(self, axes):
        """Label rows, columns and title; columns are named above the table, as in a printed one."""
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0)
        axes.spines[:].set(visible=not self.written, color="#bbbbbb")
        narrow = self.width < 1.6
        (n_rows, n_columns), (width, height) = self.array.shape, self.size
        for axis, labels, n, length in (
            (axes.xaxis, self.column_labels, n_columns, width),
            (axes.yaxis, self.row_labels, n_rows, height),
        ):
            ticks = _ticks(n, length / n, labels is not None, narrow)
            axis.set_ticks(ticks, labels=[name(labels, i) for i in ticks], fontsize=7 if narrow else 9)
        if self._label_width() > 1.05 * width / n_columns and self.column_labels is not None:
            for label in axes.get_xticklabels():
                label.set(rotation=45, ha="left", va="bottom", rotation_mode="anchor")
        axes.set_xlabel(self.x_label, labelpad=6, style="italic")
        axes.set_ylabel(self.y_label, labelpad=6, style="italic")
        axes.set_title(self.title, size=8 if narrow else 10, linespacing=1.35)

    def heading(self):
        """Begin the text alternative: title, shape, what rows and columns are."""
        counted = zip(self.array.shape, UNITS, (self.y_label, self.x_label), strict=True)
        rows, columns = (
            f"{n} {unit}{'' if n == 1 else 's'}{f' ({label})' if label else ''}" for n, unit, label in counted
        )
        labelled = self.column_labels is not None and len(self.column_labels) <= WRITTEN_OUT
        named = f" Columns: {', '.join(map(str, self.column_labels))}." if labelled else ""
        return f"{self.title + ': ' if self.title else ''}{rows} by {columns}.{named}"


def _ticks(n, room, named, narrow):
    """Choose which of n cells, each `room` inches long, are labelled."""
    if n == 1 and not named:
        return []
    if narrow:
        return [0, n - 1]
    needed = 0.15 / room if named else max(0.22 / room, n / 10 if n > 12 else 0)
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step >= needed), n)
    return list(range(0, n, step))


def separate_cells(axes, shape):
    """Draw thin white lines between the cells of a table."""
    n_rows, n_columns = shape
    axes.hlines(np.arange(1, n_rows) - 0.5, -0.5, n_columns - 0.5, color="white", linewidth=1)
    axes.vlines(np.arange(1, n_columns) - 0.5, -0.5, n_rows - 0.5, color="white", linewidth=1)
