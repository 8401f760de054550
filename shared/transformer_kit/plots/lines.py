"""Curves: one quantity against another."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from transformer_kit.figure import DescribedFigure
from transformer_kit.plots.charts import COLOURS, MARKERS, STYLES, Chart
from transformer_kit.plots.words import number, numbers

WRITTEN_OUT = 12  # points: up to here a text alternative gives every number


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
        whole = min(self.width, 5.2)
        names = 0.3 + 0.078 * max(map(len, self.series)) if len(self.series) > 1 else 0.0  # on the right
        return whole - max(names, 0.6), max(0.5 * whole, 1.9)

    def natural_limits(self):
        values = np.concatenate(list(self.series.values()))
        values = values[np.isfinite(values) & ((values > 0) | (not self.log_y))]
        if values.size == 0:
            return 0.1, 1.0  # an empty frame
        if self.log_y:
            return float(values.min()) / 1.5, float(values.max()) * 1.5
        room = 0.05 * float(np.ptp(values)) or 0.5
        return float(values.min()) - room, float(values.max()) + room

    def on(self, axes):
        axes.set(xscale="log" if self.log_x else "linear", yscale="log" if self.log_y else "linear")
        self.frame(axes, self.limits or self.natural_limits())
        every = max(1, len(self.x) // 10)  # points from mark to mark; staggered, to tell close lines apart
        for _, values, k in self.looks():
            axes.plot(
                self.x,
                values,
                color=COLOURS[k],
                linestyle=STYLES[k],
                marker=MARKERS[k],
                markersize=4,
                markevery=(k * every // len(COLOURS), every),
                linewidth=1.5,
            )
        if self.log_x and len(self.x) <= 8:
            axes.set_xticks(self.x, numbers(self.x).split(", "))
            axes.xaxis.minorticks_off()
        if len(self.series) > 1:
            self._name_lines(axes)

    def _name_lines(self, axes):
        """Write each name beside the end of its line, moved apart where the ends are close."""
        ends, to_axes = [], axes.transData - axes.transAxes
        for name, values, k in self.looks():
            seen = np.flatnonzero(np.isfinite(values) & ((values > 0) | (not self.log_y)))
            if seen.size:
                _, y = to_axes.transform((self.x[seen[-1]], values[seen[-1]]))
                ends.append([float(y), name, k])
        ends.sort(key=lambda end: end[0])
        step = 0.17 / self.size[1]
        for below, above in pairwise(ends):
            above[0] = max(above[0], below[0] + step)
        excess = max(0.0, ends[-1][0] - 1) if ends else 0.0  # a stack that grew past the top moves down
        for y, name, k in ends:
            look = {"color": COLOURS[k], "linestyle": STYLES[k], "marker": MARKERS[k], "markersize": 4, "markevery": 2}
            axes.plot([1.02, 1.08], [y - excess] * 2, transform=axes.transAxes, clip_on=False, **look)
            axes.text(1.1, y - excess, name, transform=axes.transAxes, va="center", color=COLOURS[k])

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
