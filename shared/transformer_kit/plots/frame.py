"""Several figures in a row; above all the learner's own result beside what it should be."""

from copy import deepcopy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from textwrap import fill

from transformer_kit.figure import DescribedFigure, Panel
from transformer_kit.plots.attempt import attempt, picked
from transformer_kit.plots.heatmaps import heatmap

ROW_WIDTH, LABEL_WIDTH = 8.1, 0.7  # inches of a whole row, and of the labels of one panel


@dataclass(eq=False)
class Notice(Panel):
    """A sentence where a picture would be, as large as that picture."""

    says: str = ""
    like: Panel | None = None

    @property
    def size(self):
        width, height = self.like.size
        return max(width, 2.2), max(height, 0.9)

    def on(self, axes):
        axes.set(xticks=(), yticks=(), title=self.title)
        axes.spines[:].set(linestyle="--", color="#777777")
        says = fill(self.says, int(self.size[0] * 13))
        text = axes.text(0.5, 0.5, says, ha="center", va="center", transform=axes.transAxes, linespacing=1.4)
        text.set_parse_math(False)  # an error message may hold any characters

    def words(self):
        return f"{self.title}: {self.says.rstrip('.')}."


def beside(*figures, title="", same_limits=False, alt=""):
    """Put figures of one panel each in a row.

    Parameters
    ----------
    *figures : DescribedFigure
        Two or three.
    title, alt : str
        Title of the whole row; what it shows, in a sentence of yours.
    same_limits : bool
        Whether all have the same colour or value scale, which makes them comparable.

    Returns
    -------
    DescribedFigure

    Raises
    ------
    ValueError
        If a figure has several panels.
    """
    panels = [_only_panel(figure, len(figures)) for figure in figures]
    notes = "\n".join(note for note in (alt, *(figure.note for figure in figures)) if note)
    return DescribedFigure([_with_same_limits(panels) if same_limits else panels], title, notes)


def yours_and_target(function, *args, draw=heatmap, pick=None, title="", alt="", **draw_options):
    """Draw the result of the learner's function beside that of the reference function of the same name.

    The title says whether the numbers agree. A function that is not written yet, raises an error or returns something
    else than the reference gets a sentence in place of its picture, so that "Run all" goes on.

    Parameters
    ----------
    function : callable
        The learner's function; its name is looked up in ``transformer_kit.reference``.
    *args
        Both functions are called with copies of these. They are evaluated before the call: build them without
        functions that may not be written yet.
    draw : callable
        From an array (and ``draw_options``) to a figure of one panel, e.g. :func:`heatmap` or :func:`mask_picture`.
    pick : int or callable, optional
        What to draw of the result: an item of the returned tuple, or ``pick(result)``.
    title, alt : str
        Title in place of the function's name; what to look at, in a sentence of yours.
    **draw_options
        Handed to ``draw``.

    Returns
    -------
    DescribedFigure
        Left "yours", right "target", with the same limits.

    Raises
    ------
    ValueError
        If the reference has no function of that name.
    """
    expected = _reference_of(function)(*deepcopy(args))
    right = replace(_only_panel(draw(picked(expected, pick), **draw_options), 2), title="target")
    yours, verdict = attempt(function, args, pick, expected)
    try:
        left = None if yours is None else replace(_only_panel(draw(yours, **draw_options), 2), title="yours")
    except Exception as error:
        left, verdict = None, f"returns something that cannot be drawn: {error}"
    heading = title or function.__name__
    if left is None:
        notice = Notice(title="yours", says=f"{verdict[0].upper()}{verdict[1:]}", like=right)
        return DescribedFigure([[notice, right]], heading, alt)
    left, right = _with_same_limits([left, right])
    left.text = "yours: as the target." if verdict == "same numbers" else ""
    return DescribedFigure([[left, right]], f"{heading}: {verdict}", alt)


def _reference_of(function):
    from transformer_kit import reference

    name = getattr(function, "__name__", repr(function))
    if name not in reference.__all__:
        near = get_close_matches(name, reference.__all__, n=3, cutoff=0.4) or sorted(reference.__all__)
        raise ValueError(f"the course has no function named {name!r}; near names: {', '.join(near)}")
    return getattr(reference, name)


def _only_panel(figure, n_in_row):
    if len(figure.panels) != 1:
        raise ValueError(f"expected a figure of one panel, got one of {len(figure.panels)}")
    return replace(figure.panels[0], width=ROW_WIDTH / n_in_row - LABEL_WIDTH)


def _with_same_limits(panels):
    own = [limits for limits in (panel.limits or panel.natural_limits() for panel in panels) if limits]
    common = (min(low for low, _ in own), max(high for _, high in own)) if own else None
    # One colour bar, on the right of the row, holds for all.
    return [replace(panel, limits=common, bar=panel.bar if panel is panels[-1] else "") for panel in panels]
