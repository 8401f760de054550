"""The figures of the class report as SVG for a page: text in the page's colour and font, the same on every run."""

import textwrap
from collections.abc import Sequence
from html import escape

from autograder.grading.pages.statistics import UnitStatistics

BAR, SPECIAL = "#4a82c4", "#c9762b"  # a contrast of at least 3 with white and with the dark page
COLUMNS = 3
WIDTH, FONT = 720, 10  # in the figure's own units, as everything that follows
PANEL, PLOT = 150, 96  # the heights of a panel and of its highest bar
ABOVE, LEFT, RIGHT = 22, 34, 18  # room around the bars of a panel
LABELS, VALUE = 330, 40  # room for the labels of horizontal bars, and for their values
LINE_HEIGHT, THICK, GAP = 12, 12, 6
MAX_BARS = 20  # bars in a figure
LINE = 60  # characters of a label


def distributions(units: Sequence[UnitStatistics]) -> str:
    """Draw how many students reached how much, one panel for each unit.

    Parameters
    ----------
    units : sequence of UnitStatistics
        At least one.

    Returns
    -------
    str
        An SVG element.
    """
    columns = min(COLUMNS, len(units))
    highest = max(1, *(max(statistics.counts) for statistics in units))
    parts = []
    for number, statistics in enumerate(units):
        row, column = divmod(number, columns)
        panel = _panel(statistics, WIDTH / columns - LEFT - RIGHT, highest, named=column == 0)
        parts.append(f'<g transform="translate({column * WIDTH / columns + LEFT:g} {row * PANEL + ABOVE})">{panel}</g>')
    return _svg(PANEL * -(-len(units) // columns), parts)


def _panel(statistics, width, highest, named):
    """Draw one histogram; its bars stand on a line at `PLOT`."""
    counts = statistics.counts
    step = width / len(counts)
    scale = PLOT / highest
    title = textwrap.shorten(f"{statistics.unit.id[:2]} {statistics.unit.title}", 30, placeholder=" …")
    parts = [_text(width / 2, -8, title, "middle")]
    parts += [
        _bar(n * step + 0.04 * step, PLOT - count * scale, 0.92 * step, count * scale, BAR)
        for n, count in enumerate(counts)
        if count
    ]
    parts.append(f'<path d="M0 0V{PLOT}H{width:g}" fill="none" stroke="currentColor"/>')
    parts += [_text(x * width, PLOT + 14, words, "middle") for x, words in ((0, "0"), (0.5, "50"), (1, "100 %"))]
    parts += [_text(-5, PLOT - n * scale + 3, n, "end") for n in range(0, highest + 1, -(-highest // 4))]
    if named:
        parts.append(f'<g transform="translate(-24 {PLOT / 2:g}) rotate(-90)">{_text(0, 0, "students", "middle")}</g>')
    return "".join(parts)


def bars(labels: Sequence[str], values: Sequence[float], special: Sequence[bool], sign: str = "") -> str:
    """Draw horizontal bars with their values, the first one at the top; at most `MAX_BARS` of them.

    Parameters
    ----------
    labels : sequence of str
    values : sequence of float
    special : sequence of bool
        Which bars have the second colour.
    sign : str
        What follows a value; with " %" a full bar means 100.

    Returns
    -------
    str
        An SVG element.
    """
    scale = (WIDTH - LABELS - VALUE) / (100 if sign else max(values))
    parts = []
    top = 0
    for label, value, odd in list(zip(labels, values, special, strict=True))[:MAX_BARS]:
        lines = textwrap.wrap(label, LINE)
        middle = top + LINE_HEIGHT * len(lines) / 2
        parts += [_text(LABELS - 6, top + LINE_HEIGHT * (n + 0.8), line, "end") for n, line in enumerate(lines)]
        parts.append(_bar(LABELS, middle - THICK / 2, value * scale, THICK, SPECIAL if odd else BAR))
        parts.append(_text(LABELS + value * scale + 4, middle + 3.5, f"{value:.0f}{sign}"))
        top += LINE_HEIGHT * len(lines) + GAP
    return _svg(top, parts)


def _bar(x, y, width, height, colour):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def _svg(height, parts):
    body = "\n".join(parts)
    head = f'<svg viewBox="0 0 {WIDTH} {height}" font-size="{FONT}" fill="currentColor" aria-hidden="true">'
    return f"{head}\n{body}\n</svg>"
