"""Heat maps: matrices of numbers as colours."""

from dataclasses import dataclass

import numpy as np

from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.look import LETTER, faint, in_points
from transformer_kit.plots.tables import GROUND_BETWEEN, WRITTEN_OUT, Table
from transformer_kit.plots.words import cell_format, name, number, numbers
from transformer_kit.style import SMALL, TEXT, UNDER_TEXT, shades

LEAST_TEXT = 9  # CSS pixels: the smallest number in a cell
VECTOR_CELLS = 36  # with more of them and no numbers, an image of one pixel for each is shorter, and as sharp
BAR, STEPS = 12, 24  # CSS pixels across a colour bar, and its colours


@dataclass(eq=False)
class HeatMap(Table):
    """A matrix of numbers as colours. See :func:`heatmap`."""

    signed: bool = False
    annotate: bool | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.array.dtype.kind not in "biuf":
            raise TypeError(f"expected an array of real numbers, got dtype {self.array.dtype}")

    @property
    def annotated(self):
        return self.small if self.annotate is None else self.annotate

    def natural_limits(self):
        finite = self.array[np.isfinite(self.array)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        low = min(low, 0.0)
        return (low, high) if low < high else (low, low + 1.0)

    @property
    def scale(self):
        """The ends of the colour scale."""
        low, high = self.limits or self.natural_limits()
        reach = max(-low, high)
        return (-reach, reach) if self.signed or low < 0 else (low, high)  # zero stays in the middle

    def draw_on(self, axes):
        self.frame(axes)
        if self.annotated:
            self._write_numbers(axes)
        if self.annotated or self.array.size <= VECTOR_CELLS:
            self._draw_cells(axes)
        else:
            axes.imshow(shades(self.array, *self.scale), aspect="auto", interpolation="none")
        if self.bar and not self.annotated:
            self._add_bar(axes)
        self.mark(axes)

    def _draw_cells(self, axes):
        """Draw a square for each cell; those of one colour become one path."""
        from matplotlib.collections import PolyCollection

        colours = shades(self.array, *self.scale, UNDER_TEXT if self.annotated else 1.0).reshape(-1, 4)
        order = np.lexsort(colours.T)
        order = order[colours[order, 3] > 0]
        places = np.transpose(np.unravel_index(order, self.array.shape))
        squares = self.squares(places, GROUND_BETWEEN if self.annotated else 0)
        axes.add_collection(PolyCollection(squares, facecolor=colours[order], linewidth=0, clip_on=False))

    def spelled(self):
        """Write the entries, row by row."""
        spell = cell_format(self.array[np.isfinite(self.array)])
        return [[spell(value) for value in row] for row in self.array]

    def _write_numbers(self, axes):
        texts = self.spelled()
        longest = max(len(text) for row in texts for text in row)
        size = np.clip(0.88 * self.cell[0] / (LETTER * longest), LEAST_TEXT, TEXT)
        for i, j in np.ndindex(self.array.shape):
            look = {"ha": "center", "va": "center_baseline", "size": in_points(size)}
            cell = axes.text(j, i, texts[i][j], **look)
            cell.set_in_layout(False)  # inside the axes anyway: no need to measure it

    def _add_bar(self, axes):
        (low, high), (width, height), right = self.scale, self.size, self.bar == "right"
        place = (1 + 10 / width, 0, BAR / width, 1) if right else (0, -(BAR + 8) / height, 1, BAR / height)
        bar, ticks = axes.inset_axes(place), [low, (low + high) / 2, high]
        colours = shades(np.linspace(low, high, STEPS), low, high)
        extent = (0, 1, low, high) if right else (low, high, 0, 1)
        bar.imshow(colours[::-1, None] if right else colours[None], aspect="auto", interpolation="none", extent=extent)
        axis, empty = (bar.yaxis, bar.xaxis) if right else (bar.xaxis, bar.yaxis)
        axis.set_ticks(ticks, labels=[number(tick) for tick in ticks])
        empty.set_ticks([])
        bar.spines[:].set_color(faint())
        bar.tick_params(length=0, labelsize=in_points(SMALL), labelright=right, labelleft=False)
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
    signed=False,
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
    signed : bool
        A diverging scale with zero in the middle even if no value is negative; it always is one if a value is.
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
