"""What curves, bars and strips have in common: named series, looks that differ, two labelled axes."""

from dataclasses import dataclass, field

import numpy as np

from transformer_kit.figure import Panel

# Dark colours that stay apart for colour-blind readers; each goes with a line style, a marker and a hatch of its own.
COLOURS = ("#0072B2", "#D55E00", "#007a5a", "#a5427e", "#6b4c00", "#444444")
STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----")


@dataclass(eq=False)
class Chart(Panel):
    """What curves, bars and strips have in common: named series of numbers, and two labelled axes."""

    series: dict = field(default_factory=dict)
    x_label: str = ""
    y_label: str = ""

    def __post_init__(self):
        self.series = {str(name): np.array(values, dtype=float) for name, values in self.series.items()}
        if not 1 <= len(self.series) <= len(COLOURS):
            raise ValueError(f"expected 1 to {len(COLOURS)} named series of numbers, got {len(self.series)}")
        for name, values in self.series.items():
            if values.ndim != 1 or values.size == 0:
                raise ValueError(f"expected one axis of numbers for {name!r}, got shape {values.shape}")

    @property
    def size(self):
        width = min(self.width, 4.6)
        return width, max(0.58 * width, 1.9)

    def looks(self):
        """List name, values and number of each series; the number chooses its look."""
        return [(name, values, k) for k, (name, values) in enumerate(self.series.items())]

    def frame(self, axes, limits):
        """Set limits, labels and title, and leave only the axes on the left and below."""
        axes.spines[["top", "right"]].set_visible(False)
        axes.set(xlabel=self.x_label, ylabel=self.y_label, ylim=limits)
        axes.set_title(self.title, y=1)  # nothing stands above the axes that would have to be measured first

    def heading(self):
        """Begin the text alternative: title and what the axes are."""
        said = f"{self.title}: " if self.title else ""
        return f"{said}{self.y_label or 'value'} against {self.x_label}." if self.x_label else said.strip()
