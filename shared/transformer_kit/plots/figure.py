"""Figures that describe in words what they show, and that are drawn when somebody looks at them."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from textwrap import fill
from typing import NamedTuple

from transformer_kit.plots.layout import laid_out
from transformer_kit.plots.look import AROUND, BOLD, GAP, collected_later, house_style
from transformer_kit.style import COLUMN, FOLD, LIVE, PHONE, SMALL, TEXT, as_data, as_image, as_svg

RULES = ".lm-picture image { image-rendering: pixelated }"
STACKED = 3  # panels of a row: up to here they stand one below the other on a phone
# Both drawings, of which the width of the page chooses one: `sources` is what is in them besides the style sheet.
SCRIPT = f"""svg.setAttribute("role", "img");
const sources = [file.slice(file.indexOf("</style>") + 8, -6)], drawings = [svg];
function fill(drawing, source, width, height) {{
  drawing.setAttribute("viewBox", `0 0 ${{width}} ${{height}}`);
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  drawing.innerHTML = source;
}}
if (data.narrow) {{
  const narrow = svg.cloneNode(false);
  sources.push(data.narrow[0]);
  drawings.push(narrow);
  new ResizeObserver(([{{ contentRect: {{ width }} }}]) => {{
    const now = width < {FOLD} ? narrow : svg;
    if (!now.firstChild) fill(now, ...data.narrow);
    if (width && !now.isConnected) drawings.find((each) => each.isConnected).replaceWith(now);
  }}).observe(box);
}}
"""


class Drawing(NamedTuple):
    """What is in an `<svg>`, and its width and height in CSS pixels."""

    source: str
    width: int
    height: int


@dataclass(eq=False)
class Panel:
    """One picture with its own axes: what every figure is made of.

    A kind of panel is a dataclass with ``size``, ``draw_on`` and ``words``; the data are checked and copied when it is
    made, so that a figure shows the numbers of that moment however late it is drawn.

    Attributes
    ----------
    title : str
        Stands above the panel.
    width : float
        Greatest width of the axes in CSS pixels.
    limits : tuple of float, optional
        Lowest and highest value of the colour or value axis; None takes ``natural_limits``.
    bar : str
        Where a colour bar stands, should the panel need one: "right", "below", or "" for nowhere.
    text : str
        Used in place of the automatic ``words``.
    marked : dict of str to ndarray of bool
        Which of the ``numbers`` are to catch the eye.
    """

    title: str = ""
    width: float = COLUMN - AROUND
    limits: tuple | None = None
    bar: str = "right"
    text: str = ""
    marked: dict = field(default_factory=dict)

    @property
    def size(self):
        """Width and height of the axes in CSS pixels."""
        raise NotImplementedError

    def draw_on(self, axes):
        """Draw on Matplotlib axes that already have their final size."""
        raise NotImplementedError

    def words(self):
        """Say in words and numbers what the panel shows."""
        raise NotImplementedError

    def entitle(self, axes, height=None):
        """Write the title above the panel, or at a height in it, in as many lines as it needs."""
        lines = (fill(line, int((self.width + 2 * GAP) / (BOLD * TEXT))) for line in self.title.splitlines())
        axes.set_title("\n".join(lines), linespacing=1.3, y=height)

    @property
    def numbers(self):
        """What is drawn: arrays by their names."""
        raise NotImplementedError

    def natural_limits(self):
        """Return the lowest and the highest value that the data call for, or None."""
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
        self.alt = "\n".join(part for part in (title, alt, *described) if part)

    @property
    def panels(self):
        """All panels, row by row."""
        return tuple(panel for row in self.rows for panel in row)

    def draw(self):
        """Return a new ``matplotlib.figure.Figure``, for whoever wants to change or save it."""
        with house_style():
            return laid_out(self.rows, self.title)

    @cached_property
    def wide(self):
        """The drawing for a page."""
        return _drawn(self.rows, self.title, COLUMN)

    @cached_property
    def narrow(self):
        """The drawing for a phone, panels one below the other; None where the wide one will do, or nothing else."""
        if self.wide.width <= 1.2 * PHONE or max(map(len, self.rows)) > STACKED:
            return None
        panels = (replace(panel, width=min(panel.width, PHONE - AROUND)) for panel in self.panels)
        return _drawn([[panel] for panel in panels], self.title, PHONE)

    @cached_property
    def svg(self):
        """The picture, as the text of an SVG file."""
        return as_svg(*self.wide, RULES)

    @cached_property
    def html(self):
        """The picture with its text alternative, and the same text folded below for everybody."""
        return self.page()

    def page(self, control="", script="", **data):
        """Return the picture with its text below it; for what changes it, a control above and a script that finds
        `box`, `data`, `sources`, `drawings` and `fill`."""
        return (
            f"<div>{control}{as_image(self.svg, self.alt, *self.wide[1:])}"
            "<details><summary>Text version of this figure</summary>"
            f'<div style="white-space: pre-wrap">{escape(self.alt)}</div></details>'
            f"<script>{{{as_data({'narrow': self.narrow, **data})}{LIVE}{SCRIPT}{script}}}</script></div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        # HTML and not image/png: JupyterLab and nbconvert's default template drop the `alt` that the metadata of an
        # image/png output may carry, while <img alt>, data: addresses and <details> survive everywhere, the
        # sanitiser that cleans a reopened, untrusted notebook included.
        return {"text/html": self.html, "text/plain": self.alt}

    def __repr__(self):
        return self.alt


def _drawn(rows, title, column):
    with house_style(), collected_later():
        from transformer_kit.plots.vector import SvgRenderer

        figure = laid_out(rows, title, column)
        size = [round(side) for side in figure.bbox.size]
        renderer = SvgRenderer(*size)
        figure.draw(renderer)
    return Drawing(f'<g font-size="{SMALL}">{renderer.drawing}</g>', *size)
