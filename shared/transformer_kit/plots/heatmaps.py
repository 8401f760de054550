"""Heat maps: matrices of numbers as colours."""

from dataclasses import dataclass

import numpy as np

from transformer_kit.figure import DescribedFigure
from transformer_kit.plots.tables import WRITTEN_OUT, Table, separate_cells
from transformer_kit.plots.words import cell_format, name, number, numbers

# Light is zero in both; colour-blind readers can tell the two arms of the diverging map apart.
SEQUENTIAL, DIVERGING = "Blues", "RdBu"


@dataclass(eq=False)
class HeatMap(Table):
    """A matrix of numbers as colours. See :func:`heatmap`."""

    signed: bool | None = None
    annotate: bool | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.array.dtype.kind not in "biuf":
            raise TypeError(f"expected an array of real numbers, got dtype {self.array.dtype}")

    @property
    def written(self):
        return self.small if self.annotate is None else self.annotate

    def natural_limits(self):
        finite = self.array[np.isfinite(self.array)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        low = min(low, 0.0)
        return (low, high) if low < high else (low, low + 1.0)

    def on(self, axes):
        low, high = self.limits or self.natural_limits()
        diverging = self.signed or (self.signed is None and low < 0)
        if diverging:  # zero stays in the middle, whatever limits were given
            low, high = -max(-low, high), max(-low, high)
        image = axes.imshow(
            np.ma.masked_invalid(self.array.astype(float)),
            cmap=DIVERGING if diverging else SEQUENTIAL,
            vmin=low,
            vmax=high,
            aspect="auto",
            interpolation="nearest",
        )
        axes.set_facecolor("#cfcfcf")  # shows through where an entry is not finite
        self.frame(axes)
        if self.written:
            self._write_numbers(axes, image)
        elif self.bar:
            self._add_bar(axes, image, [low, (low + high) / 2, high])
        return image

    def _write_numbers(self, axes, image):
        finite = self.array[np.isfinite(self.array)]
        spell = cell_format(finite)
        texts = [[spell(value) for value in row] for row in self.array]
        room = self.size[0] / self.array.shape[1]
        # A digit is about 0.62 of the font size wide; 72 points are an inch.
        font = min(9.0, max(5.0, 0.88 * 72 * room / (0.62 * max(len(text) for row in texts for text in row))))
        red, green, blue, opaque = np.moveaxis(image.cmap(image.norm(image.get_array())), -1, 0)
        dark = (0.299 * red + 0.587 * green + 0.114 * blue < 0.55) & (opaque > 0)
        for i, j in np.ndindex(dark.shape):
            ink = "white" if dark[i, j] else "#1a1a1a"
            cell = axes.text(j, i, texts[i][j], ha="center", va="center_baseline", color=ink, size=font)
            cell.set_in_layout(False)  # inside the axes anyway: no need to measure it
        separate_cells(axes, self.array.shape)

    def _add_bar(self, axes, image, ticks):
        width, height = self.size
        right = self.bar == "right"
        place = (1 + 0.1 / width, 0, 0.12 / width, 1) if right else (0, -0.2 / height, 1, 0.1 / height)
        bar = axes.inset_axes(place)
        axes.figure.colorbar(image, cax=bar, orientation="vertical" if right else "horizontal", ticks=ticks)
        bar.tick_params(length=2, labelsize=8 if right else 7)
        (bar.set_yticklabels if right else bar.set_xticklabels)([number(tick) for tick in ticks])
        if not right:  # the outer labels stay inside the width of the bar
            for label, side in zip(bar.get_xticklabels(), ("left", "center", "right"), strict=True):
                label.set_ha(side)

    def words(self):
        if self.array.size <= WRITTEN_OUT:
            lines = [f"Row {name(self.row_labels, i)}: {numbers(row)}." for i, row in enumerate(self.array)]
            return "\n".join([self.heading(), *lines])
        return f"{self.heading()} {self._extremes()}"

    def _extremes(self):
        rows, columns = self.row_labels, self.column_labels
        finite = np.where(np.isfinite(self.array), self.array, np.nan).astype(float)
        if np.isnan(finite).all():
            return "No finite value."
        places = [np.unravel_index(find(finite), finite.shape) for find in (np.nanargmin, np.nanargmax)]
        low, high = (f"{number(self.array[i, j])} (row {name(rows, i)}, column {name(columns, j)})" for i, j in places)
        missing = int(np.isnan(finite).sum())
        return (
            f"Smallest {low}, largest {high}, mean {number(np.nanmean(finite))}, "
            f"standard deviation {number(np.nanstd(finite))}."
            + (f" {missing} entries are not finite." if missing else "")
            + f" First row begins {numbers(self.array[0, :6])}; last row begins {numbers(self.array[-1, :6])}."
        )


def heatmap(
    array,
    row_labels=None,
    column_labels=None,
    *,
    title="",
    x_label="",
    y_label="",
    signed=None,
    annotate=None,
    limits=None,
    alt="",
):
    """Show a matrix as colours, with labels on both axes and numbers in the cells when it is small.

    Parameters
    ----------
    array : array_like of shape (n_rows, n_columns)
        Real numbers; not finite ones are grey. One axis is taken as one row; further axes of length 1 are dropped.
    row_labels, column_labels : sequence of str, optional
        Token labels; indices where there are none.
    title, x_label, y_label : str
        Title; what the columns are; what the rows are.
    signed : bool, optional
        True: a diverging map with zero in the middle. False: light to dark. None: signed as soon as a value is
        negative.
    annotate : bool, optional
        Numbers in the cells in place of a colour bar. None: where they fit, that is up to 12 rows
        and 12 columns (8 columns side by side).
    limits : tuple of float, optional
        Values of the ends of the colour scale.
    alt : str
        What the figure shows, in a sentence of yours; the text alternative adds the numbers.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If the array is not one table, or the number of labels is not that of the rows or columns.
    TypeError
        If the entries are not real numbers.
    """
    panel = HeatMap(
        title=title,
        limits=limits,
        array=array,
        row_labels=row_labels,
        column_labels=column_labels,
        x_label=x_label,
        y_label=y_label,
        signed=signed,
        annotate=annotate,
    )
    return DescribedFigure([[panel]], alt=alt)
