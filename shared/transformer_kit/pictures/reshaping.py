"""Numbers that carry the colour of their token, on their way from columns to heads and back."""

from html import escape
from typing import Any, NamedTuple

import numpy as np

from transformer_kit.pictures.asked import NothingToDraw, computed
from transformer_kit.pictures.chips import CHIP, chip
from transformer_kit.pictures.picture import RED, Picture

N, D, COUNTS = 4, 6, (2, 3)  # tokens, columns, and the numbers of heads that can be chosen
WIDE, HIGH, GAP = 42, 24, 14  # a cell, and the space between two heads
PLACES = {"rows": (58, 46), "cut": (58, 210), "heads": (456, 46)}  # the first cell of each arrangement
SIZE = 592, 46 + COUNTS[-1] * N * HIGH + (COUNTS[-1] - 1) * GAP + 10
COLOURS = ("#9ecae9", "#fee391", "#f4a582", "#cdbdf0")  # light enough for dark digits, and no colour of a verdict
RULES = (
    "\n".join(f".lm-picture .token-{token} {{ fill: {colour} }}" for token, colour in enumerate(COLOURS))
    + f"""
.lm-picture .number {{ fill: #1a1a1a; font-size: 13px; font-variant-numeric: tabular-nums }}
.lm-picture .wrong {{ fill: none; stroke: {RED}; stroke-width: 2.5; rx: 3 }}
.lm-picture .way {{ fill: none; stroke: currentColor; stroke-opacity: .55 }}
.lm-picture .tip {{ fill: currentColor; fill-opacity: .55 }}
.lm-picture .head {{ font-weight: 600 }}
.lm-picture .moving, .lm-picture.live .still {{ display: none }}
.lm-picture.live .moving {{ display: inline }}
.lm-picture.live .ghost {{ fill-opacity: .55 }}
.lm-picture .later {{ opacity: .6 }}
.lm-picture .later .ghost {{ fill: currentColor; fill-opacity: .3 }}
.lm-picture .wrong.later {{ opacity: 0 }}
@media (prefers-reduced-motion: no-preference) {{
  .lm-picture .moving g {{ transition: transform .9s ease-in-out }}
  .lm-picture .wrong {{ transition: opacity .3s 1.2s }}
}}
"""
)


class Frame(NamedTuple):
    """One arrangement of the numbers, and what is said of it."""

    place: str
    name: str
    labels: Any
    said: str


def reshape_steps(function, back=False):
    """Follow every number of four tokens of width 6 to the place where a learner's function puts it.

    A number is 100 times its token plus its column. Where the function is right, the reshape and the exchange of axes
    are two steps.

    Parameters
    ----------
    function : callable
        `split_heads`, from rows and a number of heads; or, on the way back, `merge_heads`.
    back : bool
        Whether it merges heads.

    Returns
    -------
    Picture
        Of where the numbers should go, if there is nothing else to draw.
    """
    routes = [_frames(function, n_heads, back) for n_heads in COUNTS]
    if len(set(map(len, routes))) > 1:  # right for one number of heads only
        routes = [[frames[0], frames[-1]] for frames in routes]
    drawn = [[_frame(*pair) for pair in zip(frames, [None, *frames[:-1]], strict=True)] for frames in routes]
    still = "".join(f"{frame}{_numbers(each)}" for frame, each in zip(drawn[0], routes[0], strict=True))
    wrong = [_wrong(frames[-1].labels, back) for frames in routes]
    cells = "".join(_cell(label) for label in _rows().ravel())
    data = {"counts": COUNTS, "drawn": drawn, "wrong": wrong, "said": [[f.said for f in frames] for frames in routes]}
    data["at"] = [[_positions(frame) for frame in frames] for frames in routes]
    drawing = f'<g class="frames">{still}</g><g class="moving">{cells}</g><path class="wrong" d="{wrong[0]}"/>'
    words = "\n".join(
        f"{n_heads} heads. " + " ".join(f"{frame.said} {_listed(frame.labels)}" for frame in frames)
        for n_heads, frames in zip(COUNTS, routes, strict=True)
    )
    title = f"Where {_name(function)} puts every number of four tokens"
    return Picture(title, SIZE, drawing, words, "controls.js reshaping.js", data, RULES + CHIP)


def _name(function):
    return "plain reshape" if function.__name__ == "<lambda>" else function.__name__


def _rows():
    return 100 * np.arange(N)[:, None] + np.arange(D)


def _frames(function, n_heads, back):
    """Return the arrangements that the numbers go through."""
    X = _rows()
    cut = X.reshape(N, n_heads, D // n_heads)
    heads = cut.swapaxes(0, 1)
    args, start, target = ((heads,), heads, X) if back else ((X, n_heads), X, heads)
    name = _name(function)
    places = ("heads", "rows") if back else ("rows", "heads")
    first = Frame(places[0], "heads" if back else "X", start, _first(start.shape))
    try:
        result, verdict = computed(function, args, target)
        if not np.array_equal(np.sort(result, axis=None), X.ravel()):
            raise NothingToDraw("It does not return each number once.")
    except NothingToDraw as reason:
        return [first, Frame(places[1], name, target, f"{reason} This is where the numbers should go.")]
    if verdict != "same numbers":
        return [first, Frame(places[1], name, result.astype(int), _mixed(name, result.astype(int), target, back))]
    between, last = _right(n_heads, back, name)
    return [first, Frame("cut", "transpose" if back else "reshape", cut, between), Frame(places[1], name, target, last)]


def _first(shape):
    named = "a block for each head" if len(shape) == 3 else "a row for each token"
    return (
        f"The shape is {shape}: {named}. A number is 100 times its token plus its column: 203 is column 3 of token 2."
    )


def _right(n_heads, back, name):
    cut, heads = (N, n_heads, D // n_heads), (n_heads, N, D // n_heads)
    if back:
        return (
            f"Exchange the axes: from {heads} to {cut}. The heads of a token are side by side.",
            f"Reshape to {(N, D)}: the borders between the heads are gone, and no number moves within its row. This is "
            f"what {name} returns.",
        )
    return (
        f"Reshape to {cut}: borders cut each row into {n_heads} heads. Read line by line, the order is the same.",
        f"Exchange the axes: from {cut} to {heads}. Each head has a row of every token. This is what {name} returns.",
    )


def _mixed(name, labels, target, back):
    wrong = int((labels != target).sum())
    kind = "row" if back else "head"
    held = (", ".join(map(str, np.unique(block // 100))) for block in labels)
    each = "; ".join(f"{kind} {number} has numbers of tokens {tokens}" for number, tokens in enumerate(held))
    count = f"{wrong} of {labels.size} numbers are in the wrong place"
    return f"{name} returns the right shape, {labels.shape}, but {count}: {each}."


def _corners(frame):
    """Return the upper left corner of every cell, in the order of the array."""
    x, y = PLACES[frame.place]
    if frame.place == "rows":
        return [(x + WIDE * j, y + HIGH * i) for i, j in np.ndindex(frame.labels.shape)]
    if frame.place == "cut":
        _, _, d_k = frame.labels.shape
        return [(x + (WIDE * d_k + GAP) * h + WIDE * c, y + HIGH * i) for i, h, c in np.ndindex(frame.labels.shape)]
    _, n, _ = frame.labels.shape
    return [(x + WIDE * c, y + (HIGH * n + GAP) * h + HIGH * i) for h, i, c in np.ndindex(frame.labels.shape)]


def _positions(frame):
    """Return where each number is, in the order of tokens and columns."""
    corners = _corners(frame)
    return [corners[k] for k in np.argsort(frame.labels, axis=None)]


def _frame(frame, before):
    """Draw the place of an arrangement: its name and shape, ghosts of its numbers, and the arrow that leads there."""
    x, y = PLACES[frame.place]
    shape, title = frame.labels.shape, {"cut": "rows, cut", "heads": "heads", "rows": "rows"}[frame.place]
    found = f'<text class="head" x="{x}" y="{y - 14}">{title}</text>{chip(x + 9 * len(title) + 48, y - 14, shape)}'
    for token in range(N):
        cells = zip(frame.labels.ravel(), _corners(frame), strict=True)
        own = (corner for label, corner in cells if label // 100 == token)
        path = "".join(f"M{a + 1} {b + 1}h{WIDE - 2}v{HIGH - 2}h{2 - WIDE}z" for a, b in own)
        found += f'<path class="ghost token-{token}" d="{path}"/>'
    if frame.place == "heads":
        for head in range(len(frame.labels)):
            middle = y + (HIGH * N + GAP) * head + HIGH * N // 2
            found += f'<text x="{x - 12}" y="{middle + 5}" text-anchor="end">head {head}</text>'
    else:
        for row in range(N):
            found += f'<text class="quiet" x="{x - 10}" y="{y + HIGH * row + 17}" text-anchor="end">row {row}</text>'
    return f'<g class="frame">{found}{_arrow(before.place, frame.place, frame.name) if before else ""}</g>'


def _arrow(start, end, name):
    """Draw an arrow between two arrangements, named after the step."""
    if "cut" not in (start, end):
        text = f'<text class="quiet" x="358" y="34" text-anchor="middle">{escape(name)}</text>'
        ends = (328, 388) if end == "heads" else (388, 328)
        return text + _line(*ends, 44)
    if "heads" in (start, end):
        text = f'<text class="quiet" x="384" y="{PLACES["cut"][1] + 48}" text-anchor="middle">transpose</text>'
        ends = (360, 408) if end == "heads" else (408, 360)
        return text + _line(*ends, PLACES["cut"][1] + 58)
    down = end == "cut"
    return (
        '<text class="quiet" x="206" y="170">reshape</text><path class="way" d="M194 152V180"/>'
        f'<path class="tip" d="M194 {184 if down else 148}l-4 {-8 if down else 8}h8z"/>'
    )


def _line(start, end, y):
    back = 8 if end < start else -8
    return f'<path class="way" d="M{start} {y}H{end}"/><path class="tip" d="M{end} {y}l{back} -4v8z"/>'


def _numbers(frame):
    cells = zip(frame.labels.ravel(), _corners(frame), strict=True)
    return "".join(_digits(label, x, y, "number still") for label, (x, y) in cells)


def _digits(label, x, y, kind):
    return f'<text class="{kind}" x="{x + WIDE / 2:g}" y="{y + 17}" text-anchor="middle">{label}</text>'


def _cell(label):
    rect = f'<rect class="token-{label // 100}" x="1" y="1" width="{WIDE - 2}" height="{HIGH - 2}" rx="3"/>'
    return f"<g>{rect}{_digits(label, 0, 0, 'number')}</g>"


def _wrong(labels, back):
    """Return a path around each number that is in another place than it should be."""
    X = _rows()
    target = X if back else X.reshape(N, len(labels), -1).swapaxes(0, 1)
    corners = _corners(Frame("rows" if back else "heads", "", labels, ""))
    cells = zip(labels.ravel(), target.ravel(), corners, strict=True)
    wrong = (corner for one, other, corner in cells if one != other)
    return "".join(f"M{x + 2} {y + 2}h{WIDE - 4}v{HIGH - 4}h{4 - WIDE}z" for x, y in wrong)


def _listed(labels):
    lines = labels.reshape(-1, labels.shape[-1]) if labels.ndim == 2 else labels
    kind = "Row" if labels.ndim == 2 else "Block"
    return " ".join(f"{kind} {i}: {', '.join(map(str, line.ravel()))}." for i, line in enumerate(lines))
