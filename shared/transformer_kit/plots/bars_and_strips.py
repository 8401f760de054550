"""Bars, and one point for each value."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_kit.figure import DescribedFigure
from transformer_kit.plots.charts import COLOURS, HATCHES, MARKERS, Chart
from transformer_kit.plots.words import cell_format, number


@dataclass(eq=False)
class Bars(Chart):
    """Bars, in groups when there are several series. See :func:`bars`."""

    labels: Any = None

    def __post_init__(self):
        super().__post_init__()
        count = len(next(iter(self.series.values())))
        self.labels = [str(label) for label in (range(count) if self.labels is None else self.labels)]
        for name, values in self.series.items():
            if len(values) != len(self.labels):
                raise ValueError(f"{name or 'bars'}: got {len(values)} values for {len(self.labels)} labels")

    def natural_limits(self):
        finite = np.concatenate([values[np.isfinite(values)] for values in self.series.values()])
        low, high = (min(0.0, finite.min()), max(0.0, finite.max())) if finite.size else (0.0, 1.0)
        room = 0.12 * (high - low) or 1.0  # for the numbers above the bars
        return float(low - room * (low < 0)), float(high + room)

    def on(self, axes):
        places, width = np.arange(len(self.labels)), 0.8 / len(self.series)
        spell = cell_format(np.concatenate([values[np.isfinite(values)] for values in self.series.values()]))
        roomy = self.size[0] / (len(places) * len(self.series)) > 0.3
        for name, values, k in self.looks():
            at = places + (k - (len(self.series) - 1) / 2) * width
            look = {"color": COLOURS[k], "hatch": HATCHES[k], "edgecolor": "white", "linewidth": 0}
            axes.bar(at, values, width * 0.92, label=name, **look)
            for x, value in zip(at, values, strict=True):
                if roomy and np.isfinite(value):
                    shift = (0, 2 if value >= 0 else -9)
                    axes.annotate(spell(value), (x, value), shift, textcoords="offset points", ha="center", size=8)
        axes.axhline(0, color="#555555", linewidth=0.8)
        every = max(1, round(0.25 / (self.size[0] / len(places)) + 0.49))
        axes.set_xticks(places[::every], self.labels[::every])
        self.frame(axes, self.limits or self.natural_limits())
        if len(self.series) > 1:
            axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))

    def words(self):
        lines = [self.heading()]
        for name, values in self.series.items():
            said = ", ".join(f"{label} {number(value)}" for label, value in zip(self.labels, values, strict=True))
            lines.append(f"{name}: {said}." if name else f"{said}.")
        return "\n".join(line for line in lines if line)


@dataclass(eq=False)
class Strip(Chart):
    """One point for each value, a column of points for each series. See :func:`strip`."""

    log: bool = True

    @property
    def size(self):
        return min(self.width, max(2.4, 1.6 * len(self.series))), 2.8

    def natural_limits(self):
        values = np.concatenate(list(self.series.values()))
        values = values[np.isfinite(values) & ((values > 0) | (not self.log))]
        if values.size == 0:
            return 0.1, 1.0  # an empty frame
        low, high = float(values.min()), float(values.max())
        return (low / 2, high * 2) if self.log else (low - 0.05 * (high - low), high + 0.05 * (high - low))

    def on(self, axes):
        axes.set_yscale("log" if self.log else "linear")
        limits = self.limits or self.natural_limits()
        self.frame(axes, limits)
        for place, (_, values, k) in enumerate(self.looks()):
            x = place - 0.4 + 0.44 * (np.arange(len(values)) * 0.618034 % 1)  # even, and the same at every drawing
            seen = np.maximum(values, limits[0]) if self.log else values
            axes.plot(x, seen, MARKERS[k], color=COLOURS[k], alpha=0.45, markersize=3, markeredgewidth=0)
            middle = float(np.median(values))
            axes.plot([place - 0.42, place + 0.08], [middle, middle], color="#1a1a1a", linewidth=2)
            axes.text(place + 0.11, middle, f"median\n{number(middle)}", va="center", size=8)
        axes.set_xticks(np.arange(len(self.series)) - 0.18, list(self.series))
        axes.set_xlim(-0.5, len(self.series) - 0.4)

    def words(self):
        lines = [self.heading() or self.y_label]
        for name, values in self.series.items():
            five, half, most = np.quantile(values, [0.05, 0.5, 0.95])
            lines.append(
                f"{name}: {len(values)} values from {number(values.min())} to {number(values.max())}, "
                f"median {number(half)}, nine in ten between {number(five)} and {number(most)}."
            )
        return "\n".join(line for line in lines if line)


def bars(values, labels=None, *, title="", x_label="", y_label="", limits=None, alt=""):
    """Draw bars with their numbers, for instance a distribution of weights.

    Parameters
    ----------
    values : array_like of shape (n,), or dict of str to such
        Several named series are drawn as groups of bars with different hatching, at most six.
    labels : sequence of str, optional
        One for each bar or group; indices where there are none.
    title, x_label, y_label : str
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
        If the number of values is not that of the labels, or the values have several axes.
    """
    series = values if isinstance(values, dict) else {"": values}
    panel = Bars(title=title, limits=limits, series=series, labels=labels, x_label=x_label, y_label=y_label)
    return DescribedFigure([[panel]], alt=alt)


def strip(groups, *, y_label="", title="", log=True, limits=None, alt=""):
    """Draw one point for each value, a column of points for each group, and mark the medians.

    It shows a whole distribution where a mean would hide that a few large values stand for everything.

    Parameters
    ----------
    groups : dict of str to array_like of shape (n_draws,)
        Name and values of each group, at most six; groups may differ in size.
    y_label, title : str
    log : bool
        Logarithmic axis; values of zero and below are drawn at its lower end.
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
        If there is no group or more than six, or a group is empty or has several axes.
    """
    panel = Strip(title=title, limits=limits, series=groups, y_label=y_label, log=log)
    return DescribedFigure([[panel]], alt=alt)
