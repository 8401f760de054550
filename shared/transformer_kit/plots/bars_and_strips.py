"""Bar charts, and strips with one point for each value."""

from dataclasses import dataclass
from math import ceil
from textwrap import fill
from typing import Any

import numpy as np

from transformer_kit.plots.charts import Chart
from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.look import LETTER, in_points
from transformer_kit.plots.words import cell_format, number
from transformer_kit.style import EDGE, HAIRLINE, INK, LINE, RED, SERIES, SMALL

WIDEST = 110  # CSS pixels from one group of bars to the next
NAME, SAMPLE = 18, 14  # CSS pixels: a line of text above a bar, and the colour before it


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

    @property
    def size(self):
        width = min(self.width, max(WIDEST * len(self.labels), 240))
        return width, max(0.28 * self.width, 170)

    def draw_on(self, axes):
        places, width = np.arange(len(self.labels)), 0.8 / len(self.series)
        spell = cell_format(np.concatenate([values[np.isfinite(values)] for values in self.series.values()]))
        for name, values, k in self.looks():
            at = places + (k - (len(self.series) - 1) / 2) * width
            wrong = self.marked.get(name, np.zeros(len(values), dtype=bool))
            edges = np.where(wrong, in_points(EDGE), 0)
            axes.bar(at, values, 0.92 * width, color=SERIES[k], edgecolor=RED, linewidth=edges)
            texts = [spell(value) for value in values]
            if LETTER * SMALL * max(map(len, texts)) <= self.size[0] / len(places) * width:
                self._write_numbers(axes, at, values, texts)
        axes.axhline(0, color=INK, linewidth=in_points(HAIRLINE))
        self._name_groups(axes, places)
        axes.set_xlim(-0.5, len(places) - 0.5)
        low, highest = self.limits or self.natural_limits()
        high = highest + (highest - low) * (NAME + 4) / self.size[1] * (len(self.series) > 1)
        self.frame(axes, (low, high))
        if len(self.series) > 1:
            self._name_series(axes, (low, high))
            axes.set_yticks([tick for tick in axes.get_yticks() if low <= tick <= highest])
        axes.spines["bottom"].set_visible(False)

    def _write_numbers(self, axes, at, values, texts):
        for x, value, text in zip(at, values, texts, strict=True):
            if np.isfinite(value):
                shift = (0, in_points(3 if value >= 0 else -SMALL - 1))
                look = {"textcoords": "offset points", "ha": "center", "size": in_points(SMALL)}
                axes.annotate(text, (x, value), shift, **look)

    def _name_groups(self, axes, places):
        """Write the labels below the bars: in lines or aslant where they are long, and not all where they are many."""
        room = self.size[0] / len(places)
        letters, every = max(4, int(room / (LETTER * SMALL))), max(1, ceil(24 / room))
        lines = [fill(label, letters, break_long_words=False) for label in self.labels]
        aslant = any(len(word) > letters for label in self.labels for word in label.split())
        look = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if aslant else {}
        axes.set_xticks(places[::every], (self.labels if aslant else lines)[::every], **look)

    def _name_series(self, axes, limits):
        """Write each name over one of its bars: the one that it comes closest to, for whatever is in between."""
        (width, height), (low, high) = self.size, limits
        values = np.nan_to_num(list(self.series.values()), nan=low, posinf=high, neginf=low)
        tops = height * (np.clip(values, 0, high) - low) / (high - low) + (NAME if axes.texts else 4)
        group = width / values.shape[1]
        skyline = np.repeat(tops.max(axis=0), ceil(group))  # what is taken, at every pixel
        for name, _, k in self.looks():
            room = LETTER * SMALL * len(name) + SAMPLE
            middles = group * (np.arange(len(tops[k])) + 0.1 + 0.8 * (k + 0.5) / len(values))
            spans = [slice(int(left), ceil(left + room)) for left in np.clip(middles - room / 2, 0, width - room)]
            bases = np.array([skyline[span].max() for span in spans])
            unseen = tops[k] < tops.min() + 3
            best = np.lexsort((-tops[k], (bases - tops[k]).round(), unseen))[0]
            skyline[spans[best]] = bases[best] + NAME
            x, y = spans[best].start, bases[best]
            look = {"transform": axes.transAxes, "clip_on": False}
            axes.plot((x + 5) / width, (y + 4) / height, "s", color=SERIES[k], markersize=in_points(9), **look)
            axes.text((x + SAMPLE) / width, y / height, name, va="baseline", size=in_points(SMALL), **look)

    def words(self):
        lines = [self.heading()]
        for name, values in self.series.items():
            pairs = ", ".join(f"{label} {number(value)}" for label, value in zip(self.labels, values, strict=True))
            lines.append(f"{name}: {pairs}." if name else f"{pairs}.")
        return "\n".join(line for line in lines if line)


@dataclass(eq=False)
class Strip(Chart):
    """One point for each value, a column of points for each series. See :func:`strip`."""

    log: bool = True

    @property
    def size(self):
        return min(self.width, 230 * len(self.series)), 270

    def natural_limits(self):
        values = np.concatenate(list(self.series.values()))
        values = values[np.isfinite(values) & ((values > 0) | (not self.log))]
        if values.size == 0:
            return 0.1, 1.0  # an empty frame
        low, high = float(values.min()), float(values.max())
        return (low / 2, high * 2) if self.log else (low - 0.05 * (high - low), high + 0.05 * (high - low))

    def draw_on(self, axes):
        axes.set_yscale("log" if self.log else "linear")
        limits = self.limits or self.natural_limits()
        self.frame(axes, limits)
        for place, (_, values, k) in enumerate(self.looks()):
            x = place - 0.4 + 0.44 * (np.arange(len(values)) * 0.618034 % 1)  # even, and the same at every drawing
            seen = np.maximum(values, limits[0]) if self.log else values
            axes.plot(x, seen, "o", color=SERIES[k], alpha=0.6, markersize=in_points(4), markeredgewidth=0)
            middle = float(np.median(values))
            axes.plot([place - 0.42, place + 0.08], [middle, middle], color=INK, linewidth=in_points(LINE))
            axes.text(place + 0.11, middle, f"median\n{number(middle)}", va="center", size=in_points(SMALL))
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
        Several named series are drawn as groups of bars of different colours, at most six.
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
