"""Curves: one quantity against another."""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from textwrap import fill
from typing import Any

import numpy as np

from transformer_kit.plots.charts import MARK, MARKERS, STYLES, Chart
from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.look import LETTER, in_points
from transformer_kit.plots.words import number, numbers
from transformer_kit.style import COLUMN, EDGE, RED, SERIES, SMALL

WRITTEN_OUT = 12  # points: up to here a text alternative gives every number, and a picture marks them
SAMPLE = 24  # CSS pixels of a line before its name
FRAMES = 12  # at most, around points of one line


@dataclass(eq=False)
class Curves(Chart):
    """Lines over common x values. See :func:`curves`."""

    x: Any = None
    log_x: bool = False
    log_y: bool = False

    def __post_init__(self):
        super().__post_init__()
        self.x = np.array(self.x, dtype=float)
        for name, values in self.series.items():
            if values.shape != self.x.shape:
                raise ValueError(f"{name!r} has shape {values.shape}, but x has shape {self.x.shape}: give one y per x")

    @property
    def size(self):
        longest = max(len(line) for name in self.series for line in self._spelled(name).splitlines())
        names = SAMPLE + 16 + LETTER * SMALL * longest if len(self.series) > 1 else 0.0  # on the right
        return self.width - names, max(0.32 * self.width, 180)

    def _spelled(self, name):
        """Write a name in several lines where there is little room."""
        return fill(name, 12) if self.width < COLUMN / 2 else name

    def natural_limits(self):
        values = np.concatenate(list(self.series.values()))
        values = values[np.isfinite(values) & ((values > 0) | (not self.log_y))]
        if values.size == 0:
            return 0.1, 1.0  # an empty frame
        if self.log_y:
            return float(values.min()) / 1.5, float(values.max()) * 1.5
        room = 0.05 * float(np.ptp(values)) or 0.5
        return float(values.min()) - room, float(values.max()) + room

    def draw_on(self, axes):
        low, high = limits = self.limits or self.natural_limits()
        axes.set(xscale="log" if self.log_x else "linear", yscale="log" if self.log_y else "linear", ylim=limits)
        for _, values, k in self.looks():
            inside = not ((values < low) | (values > high)).any()
            axes.plot(self.x, values, clip_on=not inside, **self._look(k))
        self.frame(axes, limits)
        if len(self.x) <= WRITTEN_OUT:
            texts = numbers(self.x).split(", ")
            every = ceil(LETTER * SMALL * (1 + max(map(len, texts))) * len(texts) / self.size[0])
            axes.set_xticks(self.x[::every], texts[::every])
        elif not self.log_x and (self.x == self.x.round()).all():
            axes.locator_params(axis="x", integer=True, nbins=8)
        if len(self.series) > 1:
            self._name_lines(axes)
        self._mark(axes)

    def _look(self, k):
        """Return how a line is drawn; few points are marked one by one."""
        marker = {"marker": MARKERS[k], "markersize": in_points(MARK)} if len(self.x) <= WRITTEN_OUT else {}
        return {"color": SERIES[k], "linestyle": STYLES[k], **marker}

    def _mark(self, axes):
        """Put a frame around the points that are to catch the eye."""
        look = {"color": "none", "markeredgecolor": RED, "markeredgewidth": in_points(EDGE), "clip_on": False}
        for name, wrong in self.marked.items():
            if wrong.any():
                seen = np.flatnonzero(wrong)[:: ceil(wrong.sum() / FRAMES)]
                axes.plot(self.x[seen], self.series[name][seen], "s", markersize=in_points(2 * MARK), **look)

    def _name_lines(self, axes):
        """Write each name beside the end of its line, moved apart where the ends are close."""
        width, height = self.size
        ends, to_axes = [], axes.transData - axes.transAxes
        for name, values, k in self.looks():
            seen = np.flatnonzero(np.isfinite(values) & ((values > 0) | (not self.log_y)))
            if seen.size:
                _, y = to_axes.transform((self.x[seen[-1]], values[seen[-1]]))
                ends.append([float(np.clip(y, 0, 1)), name, k])
        ends.sort(key=lambda end: end[0])
        for below, above in pairwise(ends):
            lines = (self._spelled(below[1]) + "\n" + self._spelled(above[1])).count("\n") + 1
            above[0] = max(above[0], below[0] + 1.3 * SMALL / height * lines / 2)
        excess = max(0.0, ends[-1][0] - 1) if ends else 0.0  # a stack that grew past the top moves down
        for y, name, k in ends:
            sample = [1 + 4 / width, 1 + (4 + SAMPLE) / width]
            axes.plot(sample, [y - excess] * 2, transform=axes.transAxes, clip_on=False, **self._look(k))
            look = {"va": "center", "size": in_points(SMALL), "transform": axes.transAxes}
            axes.text(1 + (10 + SAMPLE) / width, y - excess, self._spelled(name), **look)

    def words(self):
        lines = [f"{name}: {self._course(values)}." for name, values in self.series.items()]
        return "\n".join(line for line in (self.heading(), *lines) if line)

    def _course(self, values):
        points = [f"{number(y)} at {number(x)}" for x, y in zip(self.x, values, strict=True)]
        if len(points) <= WRITTEN_OUT:
            return ", ".join(points)
        finite = np.flatnonzero(np.isfinite(values))
        if not finite.size:
            return "no finite value"
        ends = points[finite[0]], points[finite[-1]]
        low, high = finite[values[finite].argmin()], finite[values[finite].argmax()]
        return f"from {ends[0]} to {ends[1]}; smallest {points[low]}, largest {points[high]}"


def curves(x, lines, *, x_label="", y_label="", title="", log_x=False, log_y=False, limits=None, alt=""):
    """Draw lines over common x values, each with its name at its end.

    Colour, line style and marker differ from line to line.

    Parameters
    ----------
    x : array_like of shape (n,)
        Common to all lines.
    lines : dict of str to array_like of shape (n,)
        Name and values of each line, at most six.
    x_label, y_label, title : str
    log_x, log_y : bool
        Logarithmic axes; values of zero and below are left out.
    limits : tuple of float, optional
        Lower and upper end of the y axis.
    alt : str
        What the figure shows, in a sentence of yours; the text alternative adds the numbers.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If there is no line or more than six, or a line has another shape than `x`.
    """
    panel = Curves(
        title=title,
        limits=limits,
        series=lines,
        x=x,
        x_label=x_label,
        y_label=y_label,
        log_x=log_x,
        log_y=log_y,
    )
    return DescribedFigure([[panel]], alt=alt)
