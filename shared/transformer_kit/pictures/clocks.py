"""Clocks: every pair of columns of a positional encoding is a hand that turns at a speed of its own."""

from math import atan2, pi

import numpy as np

from transformer_kit.pictures.asked import numbers_of, or_message
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

WIDTH, HEIGHT = 700, 276
PHONE = (0, 0, WIDTH // 2, 2 * HEIGHT)  # two clocks below the other two
D_MODEL, PAIRS = 8, 4
PITCH, MIDDLE, RADIUS = 175, 136, 70  # from one clock to the next, how far down their centres are, and of their faces
BASES = (16.0, 256.0, 10000.0)  # each hand is 2, 4 and 10 times as slow as the one before
LAST, FAR = 60, 12  # the last position, and the largest offset
TRAIL = 12  # earlier positions that are marked
WEDGE, RING = 30, 8  # radii
TOLD = 11  # positions whose rows are in the words
RULES = f"""
.lm-picture .face {{ fill: {BLUE}; fill-opacity: .06; stroke: currentColor; stroke-opacity: .35 }}
.lm-picture .axes {{ stroke: currentColor; stroke-opacity: .18 }}
.lm-picture .trail, .lm-picture .hand, .lm-picture .end {{ stroke: {BLUE}; stroke-linecap: round }}
.lm-picture .trail {{ stroke-width: 6; stroke-opacity: .4 }}
.lm-picture .hand, .lm-picture .turned {{ stroke-width: 3.5; stroke-linecap: round }}
.lm-picture .end {{ stroke-width: 13 }}
.lm-picture .reading {{ stroke: {BLUE}; stroke-width: 1.5; stroke-dasharray: 3 3; fill: none }}
.lm-picture .turned, .lm-picture .ring {{ stroke: {ORANGE} }}
.lm-picture .ring {{ stroke-width: 2; fill: none }}
.lm-picture .wedge {{ fill: {ORANGE}; fill-opacity: .35 }}
.lm-picture .number {{ font-size: 15px; font-variant-numeric: tabular-nums; text-anchor: end }}
.lm-picture .name {{ font-size: 15px; opacity: .75 }}
.lm-picture .speed {{ font-size: 15px; text-anchor: middle }}
.lm-picture.narrow .second {{ transform: translate(-{WIDTH // 2}px, 250px) }}
.lm-picture.narrow .target {{ transform: translate(-346px, 26px) }}
.lm-picture.narrow .all {{ transform: translateY(26px) }}
"""


@or_message
def clocks(angular_frequencies, positional_encoding, shift_matrix=None, position=7, offset=3):
    """Draw the rows of a positional encoding as hands of clocks: the sine to the right, the cosine upwards.

    Parameters
    ----------
    angular_frequencies, positional_encoding : callable
        The learner's functions.
    shift_matrix : callable, optional
        With it there is a second hand for every pair: the row of the position times the transposed matrix of an
        offset. A ring marks the row of position + offset. Without it, there is a choice of bases.
    position, offset : int
        What is shown at first.

    Returns
    -------
    Picture, or Message if there is nothing to draw
    """
    bases = BASES[:1] if shift_matrix else BASES  # the fast hands show most of a turn
    n = LAST + 1 + (FAR if shift_matrix else 0)
    speeds = [numbers_of(angular_frequencies, D_MODEL, base, shape=(PAIRS,)) for base in bases]
    tables = [numbers_of(positional_encoding, n, D_MODEL, base, shape=(n, D_MODEL)) for base in bases]
    square, offsets = (D_MODEL, D_MODEL), range(-FAR, FAR + 1) if shift_matrix else ()
    data = {
        "tables": [_short(table) for table in tables],
        "matrices": [_short(numbers_of(shift_matrix, k, D_MODEL, bases[0], shape=square)) for k in offsets],
        "speeds": [[f"ω = {speed:.4g}" for speed in of_base] for of_base in speeds],
        "bases": [f"{base:g}" for base in bases],
        "start": [len(bases) - 1, position, offset],
    }
    data |= {"last": LAST, "far": FAR, "trail": TRAIL, "radius": RADIUS, "wedge": WEDGE, "ring": RING}
    first, second = ("".join(_clock(data, pair) for pair in half) for half in (range(2), range(2, PAIRS)))
    drawing = f'{_title(data)}<g class="all">{first}<g class="second">{second}</g></g>'
    title = "Position vectors as the hands of four clocks" + (", turned by the shift matrix" if shift_matrix else "")
    words = "\n".join(_described(data))
    return Picture(title, (WIDTH, HEIGHT), drawing, words, "controls.js clocks.js", data, RULES, PHONE)


def _short(array):
    return (array.round(5) + 0.0).tolist()  # without -0.0


def _turned(data, row, offset):
    """Return a row times the transposed matrix of an offset."""
    return np.array(data["matrices"][offset + FAR]) @ row


def _title(data):
    """Say which hand is which."""
    _, position, offset = data["start"]
    found = f'<path class="hand" d="M24 22h22"/><text class="said" x="56" y="27">position {position}</text>'
    if data["matrices"]:
        found += f'<path class="turned" d="M180 22h22"/><text class="said" x="212" y="27">turned by R({offset})</text>'
        found += f'<g class="target"><path class="ring" d="{_circle(381, 22)}"/>'
        found += f'<text class="said" x="402" y="27">position {position + offset}</text></g>'
    return found


def _clock(data, pair):
    base, position, offset = data["start"]
    table, columns = data["tables"][base], slice(2 * pair, 2 * pair + 2)
    turned = _turned(data, table[position], offset)[columns] if data["matrices"] else None
    paths = _paths(np.array(table)[:, columns], position, turned, offset)
    left, right = (13, 77) if data["matrices"] else (42, 0)
    found = [
        f'<g class="clock" transform="translate({PITCH * (pair + 0.5)} {MIDDLE})">'
        f'<circle class="face" r="{RADIUS}"/>'
        f'<path class="axes" d="M-{RADIUS} 0h{2 * RADIUS}M0 -{RADIUS}v{2 * RADIUS}"/>'
        f'<text class="speed" y="{-RADIUS - 12}">{data["speeds"][base][pair]}</text>'
    ]
    found += [f'<path class="{name}" d="{path}"/>' for name, path in paths.items()]
    for part, name in enumerate(("sin", "cos")):
        y = RADIUS + 30 + 22 * part
        found.append(f'<text class="name" x="{left - 87}" y="{y}">{name}</text>')
        found.append(f'<text class="number" x="{left}" y="{y}">{table[position][2 * pair + part]:.3f}</text>')
        if turned is not None:
            found.append(f'<text class="number" x="{right}" y="{y}">{turned[part]:.3f}</text>')
    return "".join(found) + "</g>"


def _paths(pairs, position, turned, offset):
    """Return what is drawn in a clock, by class; the script does the same.

    `pairs` has the sine and the cosine of every position, `turned` those of the second hand.
    """
    x, y = _place(pairs[position])
    paths = {"trail": "".join("M{} {}h0".format(*_place(pair)) for pair in pairs[max(position - TRAIL, 0) : position])}
    paths |= {"reading": f"M0 {y}H{x}V0", "hand": f"M0 0L{x} {y}", "end": f"M{x} {y}h0"}
    if turned is not None:
        paths["wedge"] = _wedge(pairs[position], turned, offset)
        paths["turned"] = "M0 0L{} {}".format(*_place(turned))
        target = position + offset
        paths["ring"] = _circle(*_place(pairs[target])) if target >= 0 else ""
    return paths


def _place(pair, radius=RADIUS):
    return [f"{number:.1f}" for number in (radius * pair[0], -radius * pair[1])]


def _circle(x, y):
    return f"M{x} {y}m-{RING} 0a{RING} {RING} 0 1 0 {2 * RING} 0a{RING} {RING} 0 1 0 -{2 * RING} 0"


def _wedge(pair, turned, offset):
    """Draw the angle from one hand to the other, clockwise for an offset of 0 or more."""
    angle = atan2(*turned) - atan2(*pair)
    is_large, sweep = (angle if offset >= 0 else -angle) % (2 * pi) > pi, offset >= 0
    start, end = _place(pair, WEDGE), _place(turned, WEDGE)
    return f"M0 0L{start[0]} {start[1]}A{WEDGE} {WEDGE} 0 {is_large:d} {sweep:d} {end[0]} {end[1]}z"


def _described(data):
    """Yield how fast the hands are, some rows, and what the matrix makes of one of them."""
    start, position, offset = data["start"]
    for base, speeds in zip(data["bases"], data["speeds"], strict=True):
        yield f"Base {base}: {', '.join(speeds)}."
    for number, row in enumerate(data["tables"][start][:TOLD]):
        yield f"Position {number}: the pairs (sin, cos) are {_pairs(row)}."
    if data["matrices"]:
        turned = _turned(data, data["tables"][start][position], offset)
        yield f"R({offset}) turns position {position} to {_pairs(turned)}."


def _pairs(row):
    return ", ".join(f"({row[i]:.3f}, {row[i + 1]:.3f})" for i in range(0, D_MODEL, 2))
