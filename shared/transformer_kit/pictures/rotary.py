"""Rotary positions as clocks: each pair of columns of a query and of a key is a hand, and both turn."""

import numpy as np

from transformer_kit.pictures.asked import numbers_of, or_message
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

WIDTH, TOP, PITCH, ROW, RADIUS = 720, 52, 90, 92, 30  # of the drawing, and of the dials
COLUMNS, PAIRS = 8, 32
BAR = 36  # half the width of a bar
FAR = 20  # the largest distance; the query stands at FAR to 2 FAR
BASE = 100_000.0  # of the model of unit 13
PHONE = (0, 0, WIDTH // 2, TOP + 2 * (PAIRS // COLUMNS) * ROW)  # the right half below the left one
RULES = f"""
.lm-picture .face {{ fill: none; stroke: currentColor; stroke-opacity: .3 }}
.lm-picture .query, .lm-picture .key {{ stroke-width: 3; stroke-linecap: round }}
.lm-picture .query {{ stroke: {BLUE} }}
.lm-picture .key {{ stroke: {ORANGE}; stroke-dasharray: 5 4 }}
.lm-picture .middle {{ stroke: currentColor; stroke-opacity: .4 }}
.lm-picture .bar {{ fill: {BLUE} }}
.lm-picture .bar.less {{ fill: {ORANGE} }}
.lm-picture.narrow .right {{ transform: translate(-{WIDTH // 2}px, {PAIRS // COLUMNS * ROW}px) }}
.lm-picture.narrow .how {{ transform: translate(-290px, 22px) }}
"""


@or_message
def rotary_clocks(rotate, base=BASE, position=28, distance=3):
    """Draw what becomes of a query and a key, both (1, 0) in every pair, where they stand.

    Parameters
    ----------
    rotate : callable
        The learner's function.
    base : float
    position, distance : int
        Where the query stands at first, and how many positions before it the key stands.

    Returns
    -------
    Picture, or Message if there is nothing to draw
    """
    n, d = 2 * FAR + 1, 2 * PAIRS
    X = np.tile([1.0, 0.0], (n, PAIRS))
    table = numbers_of(rotate, X, np.arange(n), base, shape=(n, d)).round(3) + 0.0  # enough for sums with one digit
    data = {"table": table.tolist(), "start": [position, distance], "far": FAR, "radius": RADIUS, "bar": BAR}
    halves = [_dials(data, columns) for columns in (range(COLUMNS // 2), range(COLUMNS // 2, COLUMNS))]
    drawing = (
        f'<path class="query" d="M16 22h22"/><text class="said" x="46" y="27">query at {position}</text>'
        f'<path class="key" d="M166 22h22"/><text class="said" x="196" y="27">key at {position - distance}</text>'
        f'<g class="how"><text class="said" x="306" y="27">{_sum_told(data, position, distance)}</text></g>'
        f'<g>{halves[0]}</g><g class="right">{halves[1]}</g>'
    )
    size = WIDTH, TOP + PAIRS // COLUMNS * ROW
    title = "A query and a key as the hands of 32 clocks, with the product of each pair as a bar"
    words = "\n".join(_described(data))
    return Picture(title, size, drawing, words, "controls.js rotary.js", data, RULES, PHONE)


def _products(data, position, distance):
    query, key = (np.array(data["table"][place]) for place in (position, position - distance))
    return (query * key).reshape(PAIRS, 2).sum(axis=1)


def _sum_told(data, position, distance):
    return f"sum of the 32 products: {_products(data, position, distance).sum():.1f}"


def _dials(data, columns):
    position, distance = data["start"]
    products, found = _products(data, position, distance), []
    for pair in range(PAIRS):
        line, column = divmod(pair, COLUMNS)
        if column not in columns:
            continue
        place = f"translate({PITCH * (column + 0.5):g} {TOP + ROW * line + RADIUS + 4:g})"
        hands = (
            f'<path class="{name}" d="{_hand(data["table"][at][2 * pair : 2 * pair + 2])}"/>'
            for name, at in (("key", position - distance), ("query", position))
        )
        found.append(
            f'<g class="dial" transform="{place}"><circle class="face" r="{RADIUS}"/>{"".join(hands)}'
            f'<path class="bar{" less" * bool(products[pair] < 0)}" d="{_bar(products[pair])}"/>'
            f'<path class="middle" d="M0 {RADIUS + 7}v14"/></g>'
        )
    return "".join(found)


def _hand(pair):
    return f"M0 0L{RADIUS * pair[0]:.1f} {-RADIUS * pair[1]:.1f}"


def _bar(product):
    return f"M0 {RADIUS + 9}h{BAR * product:.1f}v10h{-BAR * product:.1f}z"


def _described(data):
    """Yield what is drawn at first, and the sum for some places and distances."""
    position, distance = data["start"]
    told = ", ".join(f"{product:.2f}" for product in _products(data, position, distance))
    yield f"Query at {position}, key at {position - distance}: the products of the 32 pairs are {told}."
    for far in (0, 1, 3, 10, FAR):
        sums = (f"{_products(data, place, far).sum():.1f} at {place}" for place in (FAR, 28, 2 * FAR))
        yield f"Key {far} before the query: the sum of the products is {', '.join(sums)}."
