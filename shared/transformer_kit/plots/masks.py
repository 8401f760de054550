"""Pictures of attention masks."""

from dataclasses import dataclass

import numpy as np

from transformer_kit.figure import DescribedFigure
from transformer_kit.plots.tables import Table, separate_cells
from transformer_kit.plots.words import name, ranges


@dataclass(eq=False)
class MaskPicture(Table):
    """A boolean matrix: a tick where True, hatched where False. See :func:`mask_picture`."""

    least_step = 0.26

    def __post_init__(self):
        super().__post_init__()
        if self.array.dtype != bool:
            raise TypeError(f"expected a boolean mask (True = may attend), got dtype {self.array.dtype}")

    def on(self, axes):
        from matplotlib.collections import PolyCollection
        from matplotlib.patches import Patch

        n_rows, n_columns = self.array.shape
        axes.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        roomy = min(self.size[0] / n_columns, self.size[1] / n_rows) >= 0.2
        looks = {
            True: {"facecolor": "#9ecae1" if roomy else "#2171b5", "edgecolor": "white"},
            False: {"facecolor": "#f2f2f2", "edgecolor": "#8a8a8a", "hatch": "////" if roomy else None},
        }
        for allowed, look in looks.items():
            squares = corners + np.argwhere(self.array == allowed)[:, None, ::-1]  # (column, row) of each cell
            axes.add_collection(PolyCollection(squares, linewidth=0, **look))
        self.frame(axes)
        separate_cells(axes, self.array.shape)
        if roomy:
            for i, j in np.argwhere(self.array):
                axes.text(j, i, "✓", ha="center", va="center", size=10)
        keys = [
            Patch(label="✓ allowed" if roomy else "allowed", **looks[True]),
            Patch(label="hidden", **looks[False]),
        ]
        below = -0.08 / self.size[1]
        axes.legend(handles=keys, loc="upper center", bbox_to_anchor=(0.5, below), ncols=2, frameon=False, fontsize=8)

    def words(self):
        said = f"{self.heading()} {int(self.array.sum())} of {self.array.size} entries are allowed."
        if len(self.array) > 24:
            return said
        return "\n".join([said, *(self._row_in_words(i) for i in range(len(self.array)))])

    def _row_in_words(self, i):
        def listed(indices):
            named = self.column_labels is not None
            return (", ".join(name(self.column_labels, j) for j in indices) if named else ranges(indices)) or "none"

        allowed, hidden = (listed(np.flatnonzero(self.array[i] == value)) for value in (True, False))
        return f"{self.y_label or 'row'} {name(self.row_labels, i)}: allowed {allowed}; hidden {hidden}."


def mask_picture(mask, row_labels=None, column_labels=None, *, title="", x_label="key", y_label="query", alt=""):
    """Show which keys each query may attend to: a tick where it may, hatching where it may not.

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
