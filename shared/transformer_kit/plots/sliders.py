"""A figure that a reader changes with a slider."""

from html import escape

# All figures travel with the page, so it answers without a kernel: at once, after a restart, and in an exported page.
# The browser's own slider can be moved with the keyboard, and a screen reader says its name and value.
# JupyterLab would take the arrow keys for its own, were it not for data-lm-suppress-shortcuts.
SCRIPT = """<script>{
const box = document.currentScript.parentElement, label = box.querySelector("label");
const [knob, output] = label.querySelectorAll("input, output"), figures = [...box.querySelectorAll("[data-value]")];
const show = () => {
  figures.forEach((figure, index) => { figure.hidden = index != knob.value; });
  output.value = figures[knob.value].dataset.value;
  knob.setAttribute("aria-valuetext", output.value);
};
knob.addEventListener("input", show);
knob.setAttribute("data-lm-suppress-shortcuts", "true");
label.hidden = false;
show();
}</script>"""


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
    return Slider(name, {value: draw(value) for value in values}, start)


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
        knob = f'<input type="range" min="0" max="{len(self.figures) - 1}" value="{at}" style="vertical-align: middle">'
        label = f"<label hidden>{escape(self.name)} {knob} <output>{escape(str(self.start))}</output></label>"
        return f"<div>{label}{''.join(map(self._part, self.figures))}{SCRIPT}</div>"

    def _part(self, value):
        hidden = "" if value == self.start else " hidden"
        return f'<div data-value="{escape(str(value))}"{hidden}>{self.figures[value].html}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": repr(self)}

    def __repr__(self):
        return f"{self.name} = {self.start}: {self.figure.alt}"
