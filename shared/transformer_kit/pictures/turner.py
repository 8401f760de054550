"""A query that is turned: the blend of three values stays inside their triangle."""

from html import escape

import numpy as np

from transformer_kit import reference
from transformer_kit.pictures.asked import computed, or_message
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

WIDTH, HEIGHT, RADIUS = 640, 340, 124
CENTRE, ORIGIN, SIDE = (146, 160), (372, 268), 224  # of the keys; the lower left of the values, and how wide they are
FRAME = ((310, 6), (WIDTH - 6, HEIGHT - 26))  # what leaves the triangle is drawn no farther away
ANGLES, LENGTHS = np.arange(0, 360, 5), (0, 0.5, 1, 1.5, 2, 3, 5, 10)
START, TURN = 4, 8  # which length and which angle come first
K = np.array([[0.0, 1.0], [-0.9, -0.4], [0.8, -0.6]])
V = np.array([[0.45, 1.0], [0.0, 0.1], [1.0, 0.0]])
WORDS = ("coffee", "tea", "cake")
RULES = f"""
.lm-picture .ring {{ fill: none; stroke: currentColor; stroke-opacity: .2 }}
.lm-picture .key {{ stroke: {BLUE}; stroke-width: 2.5; fill: none }}
.lm-picture .point {{ fill: {BLUE} }}
.lm-picture .triangle {{ fill: {BLUE}; fill-opacity: .07; stroke: {BLUE}; stroke-opacity: .5 }}
.lm-picture .pull {{ stroke: {BLUE}; stroke-linecap: round; stroke-opacity: .55 }}
.lm-picture .orbit {{ fill: {ORANGE}; fill-opacity: .06; stroke: {ORANGE}; stroke-opacity: .3 }}
.lm-picture .orbit.now {{ stroke-opacity: 1; stroke-width: 2 }}
.lm-picture .query {{ stroke: {ORANGE}; stroke-width: 3.5; fill: none; stroke-linecap: round }}
.lm-picture .tip, .lm-picture .blend {{ fill: {ORANGE} }}
.lm-picture .head {{ font-weight: 600 }}
.lm-picture.narrow text {{ font-size: 19px }}
.lm-picture .n {{ font-variant-numeric: tabular-nums }}
.lm-picture .field {{ fill: transparent; cursor: grab; touch-action: none }}
"""


@or_message
def query_turner(attention, K=K, V=V, words=WORDS):
    """Turn a query in the plane, make it longer and shorter, and see the blend of three values.

    Parameters
    ----------
    attention : callable
        The learner's `scaled_dot_product_attention`.
    K, V : ndarray of shape (3, 2)
    words : sequence of str
        A name for each key and its value.

    Returns
    -------
    Picture or Message
        A message where the function returns nothing that could be drawn.
    """
    directions = np.stack([np.cos(np.radians(ANGLES)), np.sin(np.radians(ANGLES))], axis=-1)
    Q = (np.array(LENGTHS)[:, None, None] * directions).reshape(-1, 2)
    expected = reference.scaled_dot_product_attention(Q, K, V)
    output, verdict = computed(attention, (Q, K, V), expected, pick=0)
    weights, _ = computed(attention, (Q, K, V), expected, pick=1)
    at = _placed(output, V).reshape(len(LENGTHS), len(ANGLES), 2)
    percent = np.rint(100 * weights).astype(int).reshape(len(LENGTHS), len(ANGLES), 3)
    note = "" if verdict == "same numbers" else f" Your function returns other numbers than it should: {verdict}."
    corners = _placed(V, V)
    data = {"percent": percent.tolist(), "lengths": LENGTHS, "start": [START, TURN], "note": note}
    data |= {"corners": corners.tolist(), "centre": CENTRE, "radius": RADIUS, "step": 360 // len(ANGLES)}
    data["words"] = list(words)
    turning = _turning(at[START, TURN], percent[START, TURN], corners, words)
    drawing = f'{_keys(K, words)}{_values(corners, at)}<g class="turning">{turning}</g>'
    title = "A query that is turned among three keys, and the blend of three values"
    words = "\n".join([*_described(percent, words), note]).strip()
    return Picture(title, (WIDTH, HEIGHT), drawing, words, "turner.js", data, RULES, (-16, -6, WIDTH + 36, HEIGHT + 10))


def _placed(points, V):
    """Return where points of the plane of the values are drawn."""
    spread = np.ptp(V, axis=0).max() or 1.0
    away = (np.asarray(points) - V.min(axis=0)) / spread * SIDE
    return np.clip(ORIGIN + away * (1, -1), *FRAME).round(1)


def _keys(K, words):
    """Draw the keys as arrows, and a ring on which the query turns."""
    x, y = CENTRE
    found = f'<circle class="ring" cx="{x}" cy="{y}" r="{RADIUS}"/>'
    reach = 0.62 * RADIUS / max(np.linalg.norm(K, axis=1).max(), 1e-9)
    for word, (right, up) in zip(words, K * reach, strict=True):
        out = 1 + 17 / max(np.hypot(right, up), 1e-9)
        found += f'<path class="key" d="M{x} {y}l{right:.1f} {-up:.1f}"/>'
        found += f'<circle class="point" cx="{x + right:.1f}" cy="{y - up:.1f}" r="4"/>'
        at = f'x="{x + out * right:.1f}" y="{y - out * up + 5:.1f}"'
        found += f'<text {at} text-anchor="middle">{escape(word)}</text>'
    return found + f'<text class="quiet" x="{x}" y="{HEIGHT - 6}" text-anchor="middle">keys and query</text>'


def _values(corners, at):
    """Draw the triangle of the values, and for each length the way of the blend while the query turns."""
    points = " ".join(f"{x},{y}" for x, y in corners)
    found = f'<polygon class="triangle" points="{points}"/>'
    for number, way in enumerate(at):
        points = " ".join(f"{x:g},{y:g}" for x, y in way)
        found += f'<polygon class="orbit{" now" * (number == START)}" points="{points}"/>'
    x = ORIGIN[0] + SIDE / 2
    return found + f'<text class="quiet" x="{x}" y="{HEIGHT - 6}" text-anchor="middle">values and output</text>'


def _turning(blend, percent, corners, words):
    """Draw what the script moves: the query, how much of each value there is, and the blend."""
    (x, y), (a, b), angle = CENTRE, blend, np.radians(ANGLES[TURN])
    r = RADIUS * START / (len(LENGTHS) - 1)
    tip_x, tip_y = x + r * np.cos(angle), y - r * np.sin(angle)
    found, labels, middle = "", "", corners.mean(axis=0)[1]
    for word, share, (right, down) in zip(words, percent, corners, strict=True):
        found += f'<path class="pull" d="M{right} {down}L{a} {b}" stroke-width="{share / 12:.2f}"/>'
        found += f'<circle class="point" cx="{right}" cy="{down}" r="{np.sqrt(max(share, 0)) * 1.7:.2f}"/>'
        up = down - 24 if down < middle else down + 34
        labels += f'<text class="share" x="{right}" y="{up:.1f}" text-anchor="middle">{escape(word)} {share} %</text>'
    found += f'<path class="query" d="M{x} {y}L{tip_x:.2f} {tip_y:.2f}"/>'
    place = f"translate({tip_x:.2f} {tip_y:.2f}) rotate({-ANGLES[TURN]})"
    found += f'<path class="tip" d="M6 0l-12 -6v12z" transform="{place}"/>'
    found += f'<circle class="blend" cx="{a}" cy="{b}" r="7"/>{labels}'
    field = f'<circle class="field" cx="{x}" cy="{y}" r="{RADIUS + 12}"/>'
    return found + field


def _described(percent, words):
    """Yield the weights at four angles for each length."""
    for length, turns in zip(LENGTHS, percent, strict=True):
        there = []
        for turn in range(0, len(ANGLES), len(ANGLES) // 4):
            shares = (f"{word} {share} %" for word, share in zip(words, turns[turn], strict=True))
            there.append(f"at {ANGLES[turn]} degrees {', '.join(shares)}")
        yield f"Query of length {length}: {'; '.join(there)}."
