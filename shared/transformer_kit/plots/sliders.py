"""A figure that a reader changes with a slider."""


def slider(draw, name, values, start=None):
    """Show one of several figures, the one that a slider selects.

    Like every other figure these show the numbers of the moment: all of them are computed now, so that an unwritten
    function raises here. Each picture is drawn when it is first looked at.
    Where there are no widgets (an exported page, no ipywidgets) the figure at the first value is shown.

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

    def widget(self):
        """Build the slider above its figure, as an ``ipywidgets.VBox``."""
        from ipywidgets import HTML, SelectionSlider, VBox

        picture = HTML(self.figure.html)
        knob = SelectionSlider(options=list(self.figures), value=self.start, description=self.name)
        knob.observe(lambda change: setattr(picture, "value", self.figures[change["new"]].html), names="value")
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
