"""A figure that a reader changes with a slider."""


def slider(draw, name, values, start=None):
    """Redraw a figure for the value that a slider selects.

    Where there are no widgets (an exported page, no ipywidgets) the figure at the first value is shown.

    Parameters
    ----------
    draw : callable
        From one value to a DescribedFigure; quick, since it is called at every move.
    name : str
        Stands beside the slider.
    values : sequence
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
    return Slider(draw, name, values, start)


class Slider:
    """What :func:`slider` returns.

    Attributes
    ----------
    figure : DescribedFigure
        The figure at first; drawn at once, so that an unwritten function raises here.
    """

    def __init__(self, draw, name, values, start):
        self.draw, self.name, self.values, self.start = draw, name, values, start
        self.figure = draw(start)

    def widget(self):
        """Build the slider above its figure, as an ``ipywidgets.VBox``."""
        from ipywidgets import HTML, SelectionSlider, VBox

        picture = HTML(self.figure.html)
        knob = SelectionSlider(options=self.values, value=self.start, description=self.name)
        knob.observe(lambda change: setattr(picture, "value", self.draw(change["new"]).html), names="value")
        return VBox([knob, picture])

    def _repr_mimebundle_(self, include=None, exclude=None):
        still = self.figure._repr_mimebundle_()
        try:
            moving = self.widget()
        except ImportError:
            return still
        # A page without live widgets falls back on the still figure: nbconvert does so by itself.
        return moving._repr_mimebundle_() | still

    def __repr__(self):
        return f"{self.name} = {self.start}: {self.figure.alt}"
