"""Figures that say in words what they show, and that are drawn when somebody looks at them."""

import gc
import logging
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from io import BytesIO
from textwrap import fill

DPI = 144  # dots per inch of the picture file: one and a half for each CSS pixel
CSS_PIXELS_PER_INCH = 96
MARGIN, GAP = 0.12, 0.3  # inches: around the figure, between two panels

# Dark ink on opaque white reads in a light and in a dark theme, whatever the learner's own Matplotlib settings.
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.edgecolor": "white",
    "savefig.bbox": None,
    "savefig.transparent": False,
    "axes.facecolor": "white",
    "axes.edgecolor": "#555555",
    "axes.grid": False,
    "axes.labelcolor": "#1a1a1a",
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.titlecolor": "#1a1a1a",
    "axes.titlesize": 10,
    "hatch.linewidth": 0.8,
    "text.color": "#1a1a1a",
    "text.usetex": False,
    "xtick.color": "#1a1a1a",
    "xtick.labelsize": 9,
    "ytick.color": "#1a1a1a",
    "ytick.labelsize": 9,
}


@dataclass(eq=False)
class Panel:
    """One picture with its own axes: what every figure is made of.

    A kind of panel is a dataclass with ``size``, ``on`` and ``words``; the data are checked and copied when it is made,
    so that a figure shows the numbers of that moment however late it is drawn.

    Attributes
    ----------
    title : str
        Stands above the panel.
    width : float
        Greatest width of the axes in inches.
    limits : tuple of float, optional
        Lowest and highest value of the colour or value axis; None takes ``natural_limits``.
    bar : str
        Where a colour bar stands, should the panel need one: "right", "below", or "" for nowhere.
    text : str
        Used in place of the automatic ``words``.
    """

    title: str = ""
    width: float = 5.0
    limits: tuple | None = None
    bar: str = "right"
    text: str = ""

    @property
    def size(self):
        """Width and height of the axes in inches."""
        raise NotImplementedError

    def on(self, axes):
        """Draw on Matplotlib axes that already have their final size."""
        raise NotImplementedError

    def words(self):
        """Say in words and numbers what the panel shows."""
        raise NotImplementedError

    def natural_limits(self):
        """Return the lowest and the highest value that the data ask for, or None."""
        return None


class DescribedFigure:
    """A grid of panels with a text alternative, shown by Jupyter as a picture and as text.

    Matplotlib is imported and the picture drawn when it is first looked at. The Matplotlib figure lives only as long
    as that takes and never enters pyplot, so nothing is shown twice and nothing stays in memory but the picture.

    Parameters
    ----------
    rows : sequence of sequences of Panel
        The panels, row by row.
    title : str
        Stands above the whole figure.
    alt : str
        What the figure shows, in a sentence; put before the words of the panels.
    """

    def __init__(self, rows, title="", alt=""):
        self.rows = tuple(tuple(row) for row in rows)
        self.title, self.note = title, alt
        described = [panel.text or panel.words() for panel in self.panels]
        # Labels may hold mathematics, which a screen reader would spell and JupyterLab would typeset.
        self.alt = "\n".join(part for part in (title, alt, *described) if part).replace("$", "")

    @property
    def panels(self):
        """All panels, row by row."""
        return tuple(panel for row in self.rows for panel in row)

    def draw(self):
        """Return a new ``matplotlib.figure.Figure``, for whoever wants to change or save it."""
        with house_style():
            return _laid_out(self.rows, self.title)

    @cached_property
    def png(self):
        """The picture, as the bytes of a PNG file."""
        buffer = BytesIO()
        with house_style(), collected_later():
            _laid_out(self.rows, self.title).savefig(buffer, format="png", dpi=DPI)
        return buffer.getvalue()

    @cached_property
    def html(self):
        """The picture with its text alternative, and the same text folded below for everybody."""
        from base64 import b64encode

        pixels = int.from_bytes(self.png[16:20], "big")  # the width, where every PNG file has it
        width = round(pixels * CSS_PIXELS_PER_INCH / DPI)
        alt = escape(self.alt)
        return (
            f'<img alt="{alt}" width="{width}" style="max-width: 100%; height: auto" '
            f'src="data:image/png;base64,{b64encode(self.png).decode()}">'
            "<details><summary>Text version of this figure</summary>"
            f'<div style="white-space: pre-wrap">{alt}</div></details>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        # HTML and not image/png: JupyterLab and nbconvert's default template drop the `alt` that the metadata of an
        # image/png output may carry, while <img alt>, data: addresses and <details> survive everywhere, the
        # sanitiser that cleans a reopened, untrusted notebook included.
        return {"text/html": self.html, "text/plain": self.alt}

    def __repr__(self):
        return self.alt


@contextmanager
def house_style():
    """Draw with the course's own settings, and leave those of the learner as they were."""
    from matplotlib import rc_context

    _load_fonts()
    with rc_context(STYLE):
        yield


def _load_fonts():
    """Import Matplotlib's fonts without its line in red that they are looked for, at the first figure ever."""
    log = logging.getLogger("matplotlib.font_manager")
    before, log.disabled = log.disabled, True
    try:
        import matplotlib.font_manager  # noqa: F401
    finally:
        log.disabled = before


@contextmanager
def collected_later():
    """Leave the garbage for afterwards: all that a picture needs dies together, and looking for it meanwhile costs more
    time than the drawing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _laid_out(rows, title):
    """Draw all panels at their exact sizes, measure what sticks out of each (labels, titles, bars), then place them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 10), dpi=DPI)
    renderer = FigureCanvasAgg(figure).get_renderer()
    grid = [[_Cell(figure, renderer, panel) for panel in row] for row in rows]
    columns = [[row[j] for row in grid if j < len(row)] for j in range(max(map(len, grid)))]

    lefts, x = [], MARGIN
    for column in columns:
        lefts.append(x + max(cell.left for cell in column))
        x = lefts[-1] + max(cell.width + cell.right for cell in column) + GAP
    width = x - GAP + MARGIN
    heading = fill(title, width=max(20, int(width * 10.5)))
    tops, y = [], MARGIN + (0.19 * len(heading.splitlines()) + 0.08 if heading else 0)
    for row in grid:
        tops.append(y + max(cell.top for cell in row))
        y = tops[-1] + max(cell.height + cell.bottom for cell in row) + GAP
    height = y - GAP + MARGIN

    figure.set_size_inches(width, height)
    for row, top in zip(grid, tops, strict=True):
        for cell, left in zip(row, lefts, strict=False):
            bottom = height - top - cell.height
            cell.axes.set_position((left / width, bottom / height, cell.width / width, cell.height / height))
    if heading:
        figure.text(0.5, 1 - MARGIN / height, heading, ha="center", va="top", size=11, weight="bold")
    return figure


class _Cell:
    """A drawn panel and how far its ink reaches beyond its axes on each side, in inches."""

    def __init__(self, figure, renderer, panel):
        self.width, self.height = panel.size
        self.axes = figure.add_axes((0.3, 0.3, self.width / 10, self.height / 10), label=str(len(figure.axes)))
        panel.on(self.axes)
        ink, frame = self.axes.get_tightbbox(renderer), self.axes.get_window_extent(renderer)
        self.left, self.right = (frame.x0 - ink.x0) / DPI, (ink.x1 - frame.x1) / DPI
        self.top, self.bottom = (ink.y1 - frame.y1) / DPI, (frame.y0 - ink.y0) / DPI
