"""The corners of a network of ReLUs that follow a curve while it learns."""

import numpy as np

from transformer_kit.pictures.frames import Moving, dots, moving_picture, path

SIZE = 760, 500
LEFT, RIGHT, TOP, FLOOR = 10, 520, 20, 272  # of the curve
ABOVE, BELOW = 300, 470  # of the corners' trails; the first step is at the top
NUMBERS, END = 588, 740  # the column on the right
HEIGHTS = range(TOP + 26, FLOOR, 48)  # of the numbers
MARGIN = 0.4  # between the curve and the edges
TINY = 1e-9  # so that a loss of 0 has a place
FAILED = 1.05  # times the loss that it should have come to
RULES = """
.lm-picture .target { stroke: currentColor; stroke-opacity: .18; stroke-width: 9 }
.lm-picture .trail { stroke-width: 1.5; stroke-opacity: .7 }
.lm-picture.narrow .quiet { font-size: 19px }
.lm-picture .number { font-size: 20px; font-variant-numeric: tabular-nums }
"""


def corners(learning):
    """Draw what a network computes while it learns a curve, its corners, and where they have been.

    Parameters
    ----------
    learning : Learning
        What `learn_a_curve` returns.

    Returns
    -------
    Picture
    """
    rows = np.linspace(ABOVE, BELOW, len(learning.steps))
    across, up = _scales(learning)
    lines = [list(zip(across(x), up(y), strict=True)) for x, y in learning.lines]
    bends = [line[1:-1] for line in lines]
    losses = [(_loss_at(loss, learning.losses), row) for loss, row in zip(learning.losses, rows, strict=True)]
    still = _still(learning, across, up, rows) + f'<path class="line blue" d="{path(losses)}"/>'
    marks = [dots([*bend, *((x, row) for x, _ in bend)]) for bend, row in zip(bends, rows, strict=True)]
    moving = [
        Moving('<path class="line blue" d="{}"/>', "d", [path(line) for line in lines]),
        Moving('<path class="now" d="{}"/>', "d", [f"M{LEFT} {y:.0f}H{RIGHT}M{NUMBERS} {y:.0f}H{END}" for y in rows]),
        Moving('<path class="dots orange" d="{}"/>', "d", marks),
        Moving('<path class="dots blue" d="{}"/>', "d", [dots([point]) for point in losses]),
        *_numbers(learning),
    ]
    title = "A network learns a curve: its line, its corners and where they have been"
    return moving_picture(title, SIZE, still, moving, learning.steps, _captions(learning), RULES)


def _scales(learning):
    """Return functions from numbers to places: along the curve, and up to its heights and no further."""
    low, high = learning.curve.min() - MARGIN, learning.curve.max() + MARGIN
    first, last = learning.x[0], learning.x[-1]
    return (
        lambda x: LEFT + (x - first) / (last - first) * (RIGHT - LEFT),
        lambda y: FLOOR - (np.clip(y, low, high) - low) / (high - low) * (FLOOR - TOP),
    )


def _loss_at(loss, losses):
    """Return the place of a loss, on a logarithmic scale from the smallest one to the largest one."""
    low, high, here = np.log(np.maximum([min(losses), max(losses), loss], TINY))
    share = (here - low) / (high - low) if high > low else 1
    return NUMBERS + share * (END - NUMBERS)


def _still(learning, across, up, rows):
    """Draw the curve, the trails, and what is written beside them."""
    curve = path(list(zip(across(learning.x), up(learning.curve), strict=True)))
    found = [f'<path class="line target" d="{curve}"/><path class="axis" d="M{LEFT} {ABOVE}H{RIGHT}"/>']
    for where in np.transpose(learning.corners):
        inside = abs(where) < learning.x[-1]
        pieces = np.split(np.arange(len(where)), np.flatnonzero(np.diff(inside)) + 1)
        points = list(zip(across(where), rows, strict=True))
        d = "".join(path([points[i] for i in piece]) for piece in pieces if inside[piece[0]])
        found.append(f'<path class="line trail orange" d="{d}"/>')
    for y, name in zip(HEIGHTS, ("step", "loss", "corners", "always on", "dead"), strict=True):
        found.append(f'<text class="quiet" x="{NUMBERS}" y="{y}">{name}</text>')
    marked = np.unique(np.linspace(0, len(rows) - 1, 4).astype(int))
    found += [f'<text class="quiet" x="{RIGHT + 8}" y="{rows[i] + 4:.0f}">{learning.steps[i]}</text>' for i in marked]
    found.append(f'<text class="quiet" x="{RIGHT + 8}" y="{ABOVE - 14}">step</text>')
    found.append(f'<text class="quiet" x="{NUMBERS}" y="{ABOVE - 14}">loss, logarithmic</text>')
    found.append(f'<text class="quiet" x="{LEFT}" y="{BELOW + 22}">where the corners were, step by step</text>')
    verdict, _ = _verdict(learning)
    found.append(f'<text class="strong" x="{END}" y="{BELOW + 22}" text-anchor="end">{verdict}</text>')
    return "".join(found)


def _numbers(learning):
    """Return what stands on the right of the curve: the step, the loss, and what the units do."""
    counted = [learning.steps, [f"{loss:.4f}" for loss in learning.losses], *zip(*_counts(learning), strict=True)]
    for y, numbers in zip(HEIGHTS, counted, strict=True):
        yield Moving(f'<text class="number" x="{END}" y="{y}" text-anchor="end">{{}}</text>', "text", list(numbers))


def _counts(learning):
    """Return for every step how many units have a corner on the curve, are on everywhere, and are dead."""
    inside = (np.abs(learning.corners) < learning.x[-1]).sum(axis=1)
    dead = np.sum(learning.dead, axis=1)
    return [(int(n), len(learning.dead[0]) - int(n) - int(off), int(off)) for n, off in zip(inside, dead, strict=True)]


def _captions(learning):
    found = [
        f"Step {step}: loss {loss:.4f}. Of {bent + on + dead} units, {bent} have a corner on the curve; "
        f"always on: {on}; dead: {dead}."
        for step, loss, (bent, on, dead) in zip(learning.steps, learning.losses, _counts(learning), strict=True)
    ]
    verdict, reason = _verdict(learning)
    return [*found[:-1], f"{found[-1]} {verdict} {reason}".rstrip()]


def _verdict(learning):
    """Return what has to be said of a network that did not learn, and how it should have been; empty if it did."""
    right = f"With a right ffn_backward the loss comes down to {learning.expected:.4f}."
    if learning.stopped:
        return "The training stopped here.", f"The reason: {learning.stopped}. {right}"
    if learning.losses[-1] > FAILED * learning.expected:
        return "It does not learn as it should.", right
    return "", ""
