"""Points in a plane, with their names."""

from dataclasses import dataclass, field

import numpy as np

from transformer_kit.figure import DescribedFigure, Panel
from transformer_kit.plots.charts import COLOURS, MARKERS
from transformer_kit.plots.words import numbers


@dataclass(eq=False)
class Points(Panel):
    """Groups of points with a name beside each. See :func:`points`."""

    groups: dict = field(default_factory=dict)
    labels: list | None = None
    x_label: str = ""
    y_label: str = ""

    def __post_init__(self):
        self.groups = {str(name): np.array(places, dtype=float) for name, places in self.groups.items()}
        if not 1 <= len(self.groups) <= len(COLOURS):
            raise ValueError(f"expected 1 to {len(COLOURS)} named groups of points, got {len(self.groups)}")
        for name, places in self.groups.items():
            if places.ndim != 2 or places.shape[1] != 2 or not len(places):
                raise ValueError(f"expected points of shape (n, 2) for {name!r}, got shape {places.shape}")
            if self.labels is not None and len(self.labels) != len(places):
                raise ValueError(f"expected one label per point: got {len(self.labels)} for {len(places)} of {name!r}")

    @property
    def size(self):
        return self.width, 0.68 * self.width

    def on(self, axes):
        for k, (name, places) in enumerate(self.groups.items()):
            axes.plot(*places.T, MARKERS[k], color=COLOURS[k], label=name, markersize=5)
            for label, place in zip(self.labels or (), places, strict=False):
                shift = (4, 2)  # points: to the right of the marker
                axes.annotate(label, place, shift, textcoords="offset points", size=7, color=COLOURS[k])
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(0.1)
        axes.set(xlabel=self.x_label, ylabel=self.y_label, title=self.title)
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))

    def words(self):
        lines = [f"{self.title}: {self.y_label} against {self.x_label}." if self.title else ""]
        for name, places in self.groups.items():
            labels = self.labels or range(len(places))
            said = "; ".join(f"{label} at {numbers(place)}" for label, place in zip(labels, places, strict=True))
            lines.append(f"{name}: {said}.")
        return "\n".join(line for line in lines if line)


def points(groups, labels=None, *, title="", x_label="", y_label="", alt=""):
    """Draw points in a plane; groups differ in colour and marker.

    Parameters
    ----------
    groups : dict of str to array_like of shape (n, 2)
        Name and places of each group, at most six.
    labels : sequence of str, optional
        What stands beside the points of each group, the same for all groups.
    title, x_label, y_label : str
    alt : str
        What the figure shows, in a sentence of yours; the text alternative adds the places.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If there is no group or more than six, or places or labels do not fit.
    """
    panel = Points(title=title, groups=groups, labels=labels, x_label=x_label, y_label=y_label)
    return DescribedFigure([[panel]], alt=alt)
