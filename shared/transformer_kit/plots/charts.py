"""What curves, bars and strips have in common: named series, looks that differ, two labelled axes."""

import math
from dataclasses import dataclass, field

import numpy as np

from transformer_kit.plots.figure import Panel
from transformer_kit.plots.look import faint, in_points
from transformer_kit.plots.words import number
from transformer_kit.style import HAIRLINE, QUIET, SERIES

STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
MARK = 6  # CSS pixels across a marker


@dataclass(eq=False)
class Chart(Panel):
    """What curves, bars and strips have in common: named series of numbers, and two labelled axes."""

    series: dict = field(default_factory=dict)
    x_label: str = ""
    y_label: str = ""

    def __post_init__(self):
        self.series = {str(name): np.array(values, dtype=float) for name, values in self.series.items()}
        if not 1 <= len(self.series) <= len(SERIES):
            raise ValueError(f"expected 1 to {len(SERIES)} named series of numbers, got {len(self.series)}")
        for name, values in self.series.items():
            if values.ndim != 1 or values.size == 0:
                raise ValueError(f"expected one axis of numbers for {name!r}, got shape {values.shape}")

    @property
    def numbers(self):
        return self.series

    @property
    def size(self):
        return self.width, max(0.32 * self.width, 170)

    def looks(self):
        """List name, values and number of each series; the number chooses its look."""
        return [(name, values, k) for k, (name, values) in enumerate(self.series.items())]

    def frame(self, axes, limits):
        """Set limits, labels and title; leave only the axis below, and lines that guide the eye."""
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.set_axisbelow(True)
        axes.grid(axis="y", color=faint(), linewidth=in_points(HAIRLINE))
        axes.tick_params(length=0)
        axes.set(ylim=limits)
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                _count_in_powers(axis)
        axes.set_xlabel(self.x_label, alpha=QUIET)
        above = 1 + 6 / self.size[1]
        if self.y_label:  # above the axis, where it can be read
            axes.set_ylabel(self.y_label, rotation=0, ha="left", va="bottom", alpha=QUIET)
            axes.yaxis.set_label_coords(0, above)
        self.entitle(axes, above + 22 * bool(self.y_label) / self.size[1])

    def heading(self):
        """Begin the text alternative: title and what the axes are."""
        title = f"{self.title}: " if self.title else ""
        return f"{title}{self.y_label or 'value'} against {self.x_label}." if self.x_label else title.strip()


def _count_in_powers(axis):
    """Label a logarithmic axis: with powers of ten; with plain numbers where these are short, and more where few."""
    from matplotlib.ticker import LogLocator, NullLocator

    low, high = axis.get_view_interval()
    few, short = high < 100 * low, low > 1e-3 and high < 1e4
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=8))
    axis.set_major_formatter(
        lambda value, _: number(value) if few or short else f"10{_raised(round(math.log10(value)))}"
    )
    axis.set_minor_locator(NullLocator())


def _raised(exponent):
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
