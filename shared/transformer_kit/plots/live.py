"""A curve that grows while something is computed."""

import time
from html import escape

import numpy as np

from transformer_kit.plots.lines import curves
from transformer_kit.progress import ProgressBar

MAX_POINTS = 60  # of the whole curve


class LiveCurve:
    """A progress bar above the curve of a number that every step of a computation brings.

    It is called with the number of a step and the value of that step. The first call shows it; later ones replace
    what is shown, no more often than `seconds` allows, and after the last step.

    Parameters
    ----------
    total : int
        The number of steps, which are counted from 1.
    name : str
        What the value is, such as "loss".
    levels : dict of str to float, optional
        Names and heights of horizontal lines to compare with.
    title, alt : str
        As in the other figures.
    seconds : float
        At least, from one picture to the next.
    clock : callable
        Returns seconds.
    """

    def __init__(self, total, name, *, levels=None, title="", alt="", seconds=1.0, clock=time.monotonic):
        self.total, self.name, self.levels, self.title, self.alt = total, name, levels or {}, title, alt
        self.values = []
        self._bar, self._line = ProgressBar(total, clock=clock), ""
        self._clock, self._seconds, self._shown = clock, seconds, None
        self._handle = None

    def __call__(self, step, value):
        self.values.append(value)
        now = self._clock()
        if self._shown is None or now - self._shown >= self._seconds or step == self.total:
            self._line = self._bar.line(step, f"step {step}, {self.name} {self._newest:.3f}")
            self._shown = now
            self._show()

    @property
    def _width(self):
        """How many steps make one point."""
        return -(-self.total // MAX_POINTS)

    @property
    def _newest(self):
        """The mean value of the newest steps."""
        return np.mean(self.values[-self._width :])

    @property
    def steps(self):
        """The last step of every point, as an ndarray of shape (n_points,)."""
        return np.minimum(np.arange(self._width, self.total + self._width, self._width), self.total)

    @property
    def means(self):
        """The mean value of the steps of every point, NaN where none is done; an ndarray of shape (n_points,)."""
        parts = (self.values[start : start + self._width] for start in range(0, self.total, self._width))
        return np.array([np.mean(part) if part else np.nan for part in parts])

    def figure(self):
        """Return the curve as far as it is known.

        Returns
        -------
        DescribedFigure
        """
        ends = f" {self._newest:.3f}" * bool(self.levels)  # lines that end close together have their numbers
        lines = {f"{self.name}{ends}": self.means}
        lines |= {f"{name} {height:.3f}": np.full(self.steps.shape, height) for name, height in self.levels.items()}
        axes = {"x_label": "step", "y_label": self.name, "title": self.title, "log_y": bool(self.levels)}
        return curves(self.steps, lines, **axes, alt=self.alt)

    def _show(self):
        from IPython.display import display

        if self._handle is None:
            self._handle = display(self, display_id=True)
        else:
            self._handle.update(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        figure = self.figure()
        page = f'<pre style="font-family: monospace; white-space: pre-wrap">{escape(self._line)}</pre>{figure.html}'
        return {"text/html": page, "text/plain": f"{self._line}\n{figure.alt}"}

    def __repr__(self):
        return self._line
