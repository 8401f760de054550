"""Points in a plane, with their names."""

from dataclasses import dataclass, field

import numpy as np

from transformer_kit.plots.charts import MARK, MARKERS
from transformer_kit.plots.figure import DescribedFigure, Panel
from transformer_kit.plots.look import faint, in_points
from transformer_kit.plots.words import numbers
from transformer_kit.style import QUIET, SERIES, SMALL


@dataclass(eq=False)
class Points(Panel):
    """Groups of points with a name beside each. See :func:`points`."""

    groups: dict = field(default_factory=dict)
    labels: list | None = None
    x_label: str = ""
    y_label: str = ""

    def __post_init__(self):
        self.groups = {str(name): np.array(places, dtype=float) for name, places in self.groups.items()}
        if not 1 <= len(self.groups) <= len(SERIES):
            raise ValueError(f"expected 1 to {len(SERIES)} named groups of points, got {len(self.groups)}")
        for name, places in self.groups.items():
            if places.ndim != 2 or places.shape[1] != 2 or not len(places):
                raise ValueError(f"expected points of shape (n, 2) for {name!r}, got shape {places.shape}")
            if self.labels is not None and len(self.labels) != len(places):
                raise ValueError(f"expected one label per point: got {len(self.labels)} for {len(places)} of {name!r}")

    @property
    def size(self):
        return self.width, 0.6 * self.width

    def draw_on(self, axes):
        beside = {"textcoords": "offset points", "size": in_points(SMALL)}
        for k, (name, places) in enumerate(self.groups.items()):
            axes.plot(*places.T, MARKERS[k], color=SERIES[k], markersize=in_points(MARK + 1), markeredgewidth=0)
            for label, place in zip(self.labels or (), places, strict=False):
                axes.annotate(label, place, in_points(6) * np.array([1, -0.7]), alpha=QUIET, **beside)
            top = places[places[:, 1].argmax()]
            axes.annotate(name, top, (0, in_points(8)), ha="center", weight="bold", **beside)
        axes.spines[:].set_color(faint())
        axes.tick_params(length=0)
        axes.margins(0.12)
        axes.set_xlabel(self.x_label, alpha=QUIET)
        axes.set_ylabel(self.y_label, alpha=QUIET)
        self.entitle(axes)

    def words(self):
        lines = [f"{self.title}: {self.y_label} against {self.x_label}." if self.title else ""]
        for name, places in self.groups.items():
            labels = self.labels or range(len(places))
            members = "; ".join(f"{label} at {numbers(place)}" for label, place in zip(labels, places, strict=True))
            lines.append(f"{name}: {members}.")
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
