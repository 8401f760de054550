"""Several figures in a row; above all the learner's own result beside what it should be."""

from copy import deepcopy
from dataclasses import replace
from difflib import get_close_matches

from transformer_kit.plots.attempt import SAME, attempt, differs, picked
from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.heatmaps import heatmap
from transformer_kit.plots.look import AROUND, GAP
from transformer_kit.style import COLUMN


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
    """Draw the result of the learner's function, and where it differs, that of the course's own beside it.

    The title says whether the numbers agree. If they do, one picture holds for both. If not, what differs is marked in
    both pictures. A function that is not written yet, raises an error or returns something else than the reference
    gets a sentence above the target, so that "Run all" goes on.

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
        One panel, or "yours" on the left and "target" on the right with the same limits.

    Raises
    ------
    ValueError
        If the reference has no function of that name.
    """
    expected = _reference_of(function)(*deepcopy(args))
    target = draw(picked(expected, pick), **draw_options)
    heading = title or function.__name__
    result, verdict = attempt(function, args, pick, expected)
    if verdict == SAME:
        return DescribedFigure([[_only_panel(target, 1)]], f"{heading}: {verdict}", alt)
    try:
        yours = None if result is None else _only_panel(draw(result, **draw_options), 2)
    except Exception as error:
        yours, verdict = None, f"returns something that cannot be drawn: {error}"
    if yours is None:
        panel = replace(_only_panel(target, 1), title="target")
        return DescribedFigure([[panel]], f"{heading}: {verdict}", alt)
    twins = replace(yours, title="yours"), replace(_only_panel(target, 2), title="target")
    return DescribedFigure([_with_same_limits(_marked(*twins))], f"{heading}: {verdict}", alt)


def _marked(yours, target):
    """Mark in both panels what differs between them."""
    pairs = {name: (yours.numbers.get(name), values) for name, values in target.numbers.items()}
    wrong = {name: differs(*pair) for name, pair in pairs.items() if pair[0] is not None}
    return [replace(panel, marked=wrong) for panel in (yours, target)]


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
    return replace(figure.panels[0], width=(COLUMN - (n_in_row - 1) * GAP) / n_in_row - AROUND)


def _with_same_limits(panels):
    own = [limits for limits in (panel.limits or panel.natural_limits() for panel in panels) if limits]
    common = (min(low for low, _ in own), max(high for _, high in own)) if own else None
    # One colour bar, on the right of the row, holds for all.
    return [replace(panel, limits=common, bar=panel.bar if panel is panels[-1] else "") for panel in panels]
