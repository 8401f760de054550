"""A figure that a reader changes with a slider."""

import re
from difflib import SequenceMatcher
from html import escape

from transformer_kit.progress import waited_for

PIECE = "(<[^>]*>)"  # a tag; what is between two tags is a piece, too
# The figure at first travels as a drawing, of the others only what differs, so the page answers without a kernel: at
# once, after a restart, and in an exported page. The browser's own slider can be moved with the keyboard, and a screen
# reader says its name and value. JupyterLab would take the arrow keys, were it not for data-lm-suppress-shortcuts.
SCRIPT = f"""const label = box.querySelector("label"), [knob, output] = label.children;
const pieces = sources.map((source) => source.split(/{PIECE}/)), told = box.querySelector(":scope details div");
const show = () => {{
  const {{ value, words, changes }} = data.states[knob.value];
  drawings.forEach((drawing, i) => {{
    const [edits, ...size] = changes[i], now = [...pieces[i]];
    for (const [from, to, text] of edits) now.splice(from, to - from, text);
    fill(drawing, now.join(""), ...size);
    drawing.setAttribute("aria-label", words);
  }});
  told.textContent = words;
  output.value = value;
  knob.setAttribute("aria-valuetext", value);
}};
knob.addEventListener("input", show);
told.setAttribute("aria-live", "polite"); // heard by those who have opened the text version
knob.setAttribute("data-lm-suppress-shortcuts", "true");
label.hidden = false;
label.style.display = "flex";
knob.setAttribute("aria-valuetext", output.value);
"""
KNOB = "width:min(300px,45vw);margin:0;accent-color:#2563eb"


def slider(draw, name, values, start=None):
    """Show one of several figures, the one that a slider selects.

    Like every other figure these show the numbers of the moment: all of them are computed now, so that an unwritten
    function raises here. Where no script may run (a notebook from elsewhere, before it is trusted), the one at `start`
    is shown.

    Parameters
    ----------
    draw : callable
        From one value to a DescribedFigure; called once for each value.
    name : str
        Stands beside the slider.
    values : sequence of numbers or str
        What can be selected.
    start : object, optional
        The value at first; the middle one where none is given.

    Returns
    -------
    Slider
        Shows itself as the last expression of a cell, or by ``display``.

    Raises
    ------
    ValueError
        If `start` is not among the values.
    """
    values = list(values)
    start = values[len(values) // 2] if start is None else start
    if start not in values:
        raise ValueError(f"expected a start among the values {values}, got {start!r}")
    return Slider(name, {value: draw(value) for value in waited_for(values, "drawing, picture")}, start)


class Slider:
    """What :func:`slider` returns.

    Attributes
    ----------
    name : str
    figures : dict
        DescribedFigure of each value.
    start : object
        The value at first.
    """

    def __init__(self, name, figures, start):
        self.name, self.figures, self.start = name, figures, start

    @property
    def figure(self):
        """The figure at first."""
        return self.figures[self.start]

    @property
    def html(self):
        """The slider above its figure."""
        at = list(self.figures).index(self.start)
        knob = f'<input type="range" min="0" max="{len(self.figures) - 1}" value="{at}" style="{KNOB}">'
        name, value = escape(self.name), escape(str(self.start))
        label = f'<label hidden style="gap:8px;align-items:center">{name} {knob} <output>{value}</output></label>'
        states = [self._state(value, figure) for value, figure in self.figures.items()]
        return self.figure.page(label, SCRIPT, states=states)

    def _state(self, value, figure):
        """Say what differs from the figure at first in each of its drawings."""
        pairs = [(self.figure.wide, figure.wide), (self.figure.narrow, figure.narrow or figure.wide)]
        changes = [(_edits(first.source, other.source), *other[1:]) for first, other in pairs if first]
        return {"value": str(value), "words": figure.alt, "changes": changes}

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": repr(self)}

    def __repr__(self):
        return f"{self.name} = {self.start}: {self.figure.alt}"


def _edits(first, other):
    """Return what turns one drawing into another: ranges of its pieces and what replaces them, the last one first."""
    old, new = re.split(PIECE, first), re.split(PIECE, other)
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i, j, "".join(new[k:m])) for kind, i, j, k, m in reversed(steps) if kind != "equal"]
