"""Pictures of attention masks."""

from dataclasses import dataclass

import numpy as np

from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.look import faint, in_points
from transformer_kit.plots.tables import GROUND_BETWEEN, Table
from transformer_kit.plots.words import name, ranges
from transformer_kit.style import BLUE, HAIRLINE, QUIET, SMALL

ALLOWED = 0.4  # opacity of what may be attended to, below a tick


@dataclass(eq=False)
class MaskPicture(Table):
    """A boolean matrix: a tick where True, empty where False. See :func:`mask_picture`."""

    least_step = 26

    def __post_init__(self):
        super().__post_init__()
        if self.array.dtype != bool:
            raise TypeError(f"expected a boolean mask (True = may attend), got dtype {self.array.dtype}")

    def draw_on(self, axes):
        from matplotlib.collections import PolyCollection

        self.frame(axes)
        roomy = min(self.cell) >= 20
        allowed, hidden = (self.squares(np.argwhere(self.array == value), GROUND_BETWEEN * roomy) for value in (1, 0))
        cells = PolyCollection(allowed, facecolor=BLUE, alpha=ALLOWED if roomy else 1, linewidth=0, clip_on=False)
        axes.add_collection(cells)
        if roomy:
            look = {"edgecolor": faint(), "linewidth": in_points(HAIRLINE), "clip_on": False}
            axes.add_collection(PolyCollection(hidden, facecolor="none", **look))
            for i, j in np.argwhere(self.array):
                axes.text(j, i, "✓", ha="center", va="center_baseline").set_in_layout(False)
        self.mark(axes)
        said = "✓ may attend, empty: hidden" if roomy else "blue: may attend, empty: hidden"
        place = {"xytext": (0, -in_points(6)), "textcoords": "offset points", "va": "top"}
        axes.annotate(said, (0, 0), xycoords="axes fraction", size=in_points(SMALL), alpha=QUIET, **place)

    def words(self):
        summary = f"{self.heading()} {int(self.array.sum())} of {self.array.size} entries are allowed."
        if len(self.array) > 24:
            return summary
        return "\n".join([summary, *(self._row_in_words(i) for i in range(len(self.array)))])

    def _row_in_words(self, i):
        def listed(indices):
            named = self.column_labels is not None
            return (", ".join(name(self.column_labels, j) for j in indices) if named else ranges(indices)) or "none"

        allowed, hidden = (listed(np.flatnonzero(self.array[i] == value)) for value in (True, False))
        return f"{self.y_label or 'row'} {name(self.row_labels, i)}: allowed {allowed}; hidden {hidden}."


def mask_picture(mask, row_labels=None, column_labels=None, *, title="", x_label="key", y_label="query", alt=""):
    """Show which keys each query may attend to: a tick where it may, an empty cell where it may not.

    Parameters
    ----------
    mask : array_like of bool, shape (n_queries, n_keys)
        True = may attend. One axis is taken as one row; further axes of length 1 are dropped.
    row_labels, column_labels : sequence of str, optional
        Token labels; indices where there are none.
    title, x_label, y_label, alt : str
        As in :func:`heatmap`.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If the mask is not one table, or the number of labels is not that of the rows or columns.
    TypeError
        If the mask is not boolean.
    """
    panel = MaskPicture(
        title=title,
        array=mask,
        row_labels=row_labels,
        column_labels=column_labels,
        x_label=x_label,
        y_label=y_label,
    )
    return DescribedFigure([[panel]], alt=alt)
