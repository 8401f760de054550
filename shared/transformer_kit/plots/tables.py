"""What all pictures of a matrix have in common: cells, labels on both axes, the words for them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_kit.plots.figure import Panel
from transformer_kit.plots.look import LETTER, faint, in_points
from transformer_kit.plots.words import name
from transformer_kit.style import LINE, QUIET, RED, SMALL

ROW_STEP, COLUMN_STEP = 32, 84  # CSS pixels of a cell that holds a number or a mark
CELL = 44  # CSS pixels: the largest cell without a number
HIGHEST = 360  # CSS pixels: the highest table without numbers
GROUND_BETWEEN = 2  # CSS pixels between two cells that hold something
UNITS = ("row", "column")
NARROW = 150  # CSS pixels: only the first and the last row and column are labelled
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

    least_step = 34  # CSS pixels: the narrowest column that a number fits in

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
    def annotated(self):
        """Whether the cells hold numbers or marks."""
        return self.small

    @property
    def size(self):
        n_rows, n_columns = self.array.shape
        if self.annotated:
            step = max(COLUMN_STEP, self._label_width() + 8)
            return n_columns * max(self.least_step, min(step, self.width / n_columns)), n_rows * ROW_STEP
        cell = min(CELL, self.width / n_columns, min(self.width, HIGHEST) / n_rows)
        # Square cells, but never a sliver: high tables become wider, flat ones higher.
        width, height = cell * n_columns, cell * n_rows
        return max(width, min(height, 3 * CELL * n_columns)), max(height, min(30 * n_rows, 106))

    @property
    def numbers(self):
        return {"": self.array}

    @property
    def cell(self):
        """Width and height of a cell in CSS pixels."""
        (n_rows, n_columns), (width, height) = self.array.shape, self.size
        return width / n_columns, height / n_rows

    def _label_width(self):
        return LETTER * SMALL * max(map(len, map(str, self.column_labels))) if self.column_labels is not None else 20

    def squares(self, places, apart=0.0):
        """Return the corners of cells, in rows and columns; `apart` is the ground between two, in CSS pixels."""
        half = 0.5 - apart / 2 / np.array(self.cell)
        corners = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return corners + np.asarray(places)[:, None, ::-1]

    def mark(self, axes):
        """Draw a line around the cells that are to catch the eye, neighbours together."""
        from matplotlib.collections import LineCollection

        for wrong in self.marked.values():
            grid = np.pad(wrong, 1).astype(int)
            above = np.argwhere(np.diff(grid, axis=0)[:, 1:-1])[:, ::-1] - 0.5  # column, row of an edge's beginning
            before = np.argwhere(np.diff(grid, axis=1)[1:-1])[:, ::-1] - 0.5
            edges = [np.stack([starts, starts + step], axis=1) for starts, step in ((above, (1, 0)), (before, (0, 1)))]
            look = {"color": RED, "linewidth": in_points(LINE), "capstyle": "projecting", "clip_on": False}
            axes.add_collection(LineCollection(np.concatenate(edges), **look))

    def frame(self, axes):
        """Label rows, columns and title; columns are named above the table, as in a printed one."""
        n_rows, n_columns = self.array.shape
        axes.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0)
        axes.spines[:].set(color=faint())
        narrow = self.width < NARROW
        for axis, labels, n, room in (
            (axes.xaxis, self.column_labels, n_columns, self.cell[0]),
            (axes.yaxis, self.row_labels, n_rows, self.cell[1]),
        ):
            ticks = _ticks(n, room, labels is not None, narrow)
            axis.set_ticks(ticks, labels=[name(labels, i) for i in ticks])
        if self.column_labels is not None and self._label_width() > 0.95 * self.cell[0]:
            for label in axes.get_xticklabels():
                label.set(rotation=45, ha="left", va="bottom", rotation_mode="anchor")
        axes.set_xlabel(self.x_label and f"{self.x_label} →", loc="left", style="italic", alpha=QUIET)
        self._name_rows(axes)
        if narrow:
            axes.set_title(self.title, size=in_points(SMALL), weight="normal", linespacing=1.3)
        else:
            self.entitle(axes)

    def _name_rows(self, axes):
        """Write what the rows are into the corner, or upwards where that would push the table aside."""
        longest = max(len(name(self.row_labels, i)) for i in range(len(self.array)))
        if len(self.y_label) > longest + 6:
            axes.set_ylabel(f"← {self.y_label}", loc="top", style="italic", alpha=QUIET)
        elif self.y_label:
            corner = {"rotation": 0, "ha": "right", "va": "bottom", "style": "italic", "alpha": QUIET}
            axes.set_ylabel(f"{self.y_label} ↓", **corner)
            axes.yaxis.set_label_coords(-8 / self.size[0], 1 + 4 / self.size[1])

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
    """Choose which of n cells, each `room` CSS pixels long, are labelled."""
    if n == 1 and not named:
        return []
    if narrow:
        return [0, n - 1]
    needed = 15 / room if named else max(22 / room, n / 10 if n > 12 else 0)
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step >= needed), n)
    return list(range(0, n, step))
