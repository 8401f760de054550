"""Two training runs, one of which has seen the word that it had to say: their losses, and what they can do."""

from html import escape
from textwrap import shorten

import numpy as np

from transformer_kit.pictures.frames import Moving, apart, dots, moving_picture, path

WIDTH, TOP, FLOOR, CHART = 760, 56, 216, 240  # of a chart of that width
CHARTS = 34, 404
TITLES = "loss on new sentences", "share of new sentences translated correctly"
COLUMNS, TABLE, ROW = (0, 240, 500), 290, 24  # what the models write
LONGEST = 34  # letters in a column
COLOURS = "blue", "orange"
PHONE = 0, 0, 400, 2 * FLOOR + 40  # one chart below the other; what is written in the end is in the caption
RULES = f"""
.lm-picture.narrow .second {{ transform: translate({CHARTS[0] - CHARTS[1]}px, {FLOOR + 10}px) }}
.lm-picture.narrow .table {{ display: none }}
"""


def leaking_runs(recording):
    """Draw the losses of two training runs, and how many new sentences their models translate correctly.

    Parameters
    ----------
    recording : Leaking
        What `load_recording("leaking")` returns.

    Returns
    -------
    Picture
    """
    steps = [int(step) for step in recording.steps]
    still, moving = _table(recording), []
    shown = recording.development_loss, recording.share_right
    for left, title, values in zip(CHARTS, TITLES, shown, strict=True):
        x = left + (recording.steps - steps[0]) / (steps[-1] - steps[0]) * CHART
        y = FLOOR - values / max(values.max(), 1) * (FLOOR - TOP)
        side = " second" * (left == CHARTS[1])
        still += f'<g class="{side}">{_chart(left, title, max(values.max(), 1), steps)}'
        now = [f"M{place:.0f} {TOP}V{FLOOR}" for place in x]
        moving.append(Moving(f'<path class="now{side}" d="{{}}"/>', "d", now))
        for run, height, label, colour in zip(recording.runs, y, apart(y[:, -1]), COLOURS, strict=True):
            curve = list(zip(x, height, strict=True))
            places = [dots([point]) for point in curve]
            still += f'<path class="line {colour}" d="{path(curve)}"/>'
            still += f'<text x="{left + CHART + 8}" y="{label + 5:.0f}">{run}</text>'
            moving.append(Moving(f'<path class="dots {colour}{side}" d="{{}}"/>', "d", places))
        still += "</g>"
    captions = [f"Step {step}: {_said(recording, frame)}." for frame, step in enumerate(steps)]
    first, *others = _written(recording)
    captions[-1] += f" In the end, they write: {first}\t{' '.join(others)}"
    title = "Two training runs, one with the causal mask and one with a mask that lets a word through"
    size = WIDTH, TABLE + ROW * (len(recording.english) + 1)
    return moving_picture(title, size, still, moving, steps, captions, RULES, PHONE)


def _said(recording, frame):
    """Say where both runs are."""
    return "; ".join(
        f"{run}: loss {loss[frame]:.3f}, right {100 * share[frame]:.0f} %"
        for run, loss, share in zip(recording.runs, recording.development_loss, recording.share_right, strict=True)
    )


def _written(recording):
    """Yield what both models make of every sentence."""
    for english, *written in zip(recording.english, *recording.written, strict=True):
        both = ", ".join(f"{run}: “{_short(text)}”" for run, text in zip(recording.runs, written, strict=True))
        yield f"“{english}” {both}."


def _chart(left, title, top, steps):
    """Draw the axes of one chart."""
    found = [f'<path class="axis" d="M{left} {TOP}V{FLOOR}h{CHART}"/>']
    found.append(f'<text class="strong" x="{left}" y="{TOP - 24}">{title}</text>')
    found.append(f'<text class="quiet" x="{left - 8}" y="{FLOOR + 4}" text-anchor="end">0</text>')
    found.append(f'<text class="quiet" x="{left - 8}" y="{TOP + 4}" text-anchor="end">{top:.2g}</text>')
    found.append(f'<text class="quiet" x="{left}" y="{FLOOR + 18}">step {steps[0]}</text>')
    found.append(f'<text class="quiet" x="{left + CHART}" y="{FLOOR + 18}" text-anchor="end">step {steps[-1]}</text>')
    return "".join(found)


def _table(recording):
    """Write what the two models make of some sentences in the end."""
    rows = np.column_stack([recording.english, *recording.written])
    found = []
    for x, name in zip(COLUMNS[1:], recording.runs, strict=True):
        found.append(f'<text class="strong" x="{x}" y="{TABLE}">{name} writes</text>')
    for number, row in enumerate(rows, 1):
        for x, text in zip(COLUMNS, row, strict=True):
            found.append(f'<text x="{x}" y="{TABLE + ROW * number}">{escape(_short(text))}</text>')
    return f'<g class="table">{"".join(found)}</g>'


def _short(text):
    return shorten(text, LONGEST, placeholder=" ...") or "(nothing)"
