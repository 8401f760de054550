"""Ripples: replace one word of a sentence, and see how far the states of a recurrent network move, both ways."""

from html import escape

import numpy as np

from transformer_kit.pictures.asked import finite, or_message
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

WIDTH, MARGIN = 700, 16
LANE = 120  # the longest bar
MIDDLE, BAND = 172, 22  # height of the words, and how far from it the lanes begin
BAR = 30  # width of a bar
RULES = f"""
.lm-picture .bar {{ fill: {BLUE}; rx: 3 }}
.lm-picture .last, .lm-picture .key {{ fill: {ORANGE} }}
.lm-picture .moved {{ font-size: 12px; font-variant-numeric: tabular-nums; text-anchor: middle }}
.lm-picture .still {{ opacity: .55 }}
.lm-picture.narrow .quiet, .lm-picture.narrow .moved {{ font-size: 17px }}
.lm-picture.narrow .lane:last-child .moved {{ transform: translateY(4px) }}
.lm-picture.narrow .word text {{ font-size: 19px }}
.lm-picture .word text {{ font-size: 16px; text-anchor: middle }}
.lm-picture .edge {{ fill: none; stroke: none; rx: 14 }}
.lm-picture .chosen .edge {{ stroke: {ORANGE}; stroke-width: 2 }}
.lm-picture .chosen text {{ font-weight: 700 }}
.lm-picture .way {{ stroke: currentColor; stroke-opacity: .35 }}
.lm-picture .tip {{ fill: currentColor; fill-opacity: .55 }}
@media (prefers-reduced-motion: no-preference) {{ .lm-picture .bar {{ transition: y .25s, height .25s }} }}
"""


@or_message
def ripples(words, forward, backward, start=0):
    """Draw how far every state moves when one word is replaced.

    Parameters
    ----------
    words : sequence of str
        The sentence, n words.
    forward, backward : ndarray of shape (n, n)
        How far state i (row) moves when word j (column) is replaced, for a network that reads from left to right, and
        for one that reads from right to left.
    start : int
        The word that is replaced at first.

    Returns
    -------
    Picture, or Message if the movements are not finite numbers of this shape
    """
    shape = (len(words), len(words))
    moved = [finite(array, shape, "for these words, the movements have").round(2) for array in (forward, backward)]
    longest = max(np.max(moved), 0.01)
    step = (WIDTH - 2 * MARGIN) / len(words)
    data = {
        "moved": [array.T.tolist() for array in moved],  # by replaced word, then by state
        "sentences": [_sentence(words, *moved, place) for place in range(len(words))],
        "start": start,
        "scale": LANE / longest,
        "base": [MIDDLE - BAND, MIDDLE + BAND],
    }
    columns = [_word(word, place, step, place == start) for place, word in enumerate(words)]
    drawing = _ways() + "".join(columns) + "".join(_lane(data, side, step) for side in (0, 1))
    title = f"How far every state moves when one word of “{' '.join(words)}” is replaced"
    return Picture(title, (WIDTH, 2 * MIDDLE), drawing, "\n".join(data["sentences"]), "ripples.js", data, RULES)


def _sentence(words, forward, backward, place):
    own, last = forward[place, place], forward[-1, place]
    return (
        f"Word {place}, “{words[place]}”, is replaced. Read from left to right, its own state moves by {own:.2f} "
        f"and the last one by {last:.2f}. Read from right to left, its own state moves by {backward[place, place]:.2f} "
        f"and the last one, at “{words[0]}”, by {backward[0, place]:.2f}."
    )


def _ways():
    """Draw along both lanes in which direction the sentence is read, and where that ends."""
    above, below, right = MIDDLE - BAND, MIDDLE + BAND, WIDTH - MARGIN
    return (
        f'<path class="way" d="M{MARGIN} {above}H{right}M{MARGIN} {below}H{right}"/>'
        f'<path class="tip" d="M{right + 6} {above}l-8 -4v8zM{MARGIN - 6} {below}l8 -4v8z"/>'
        f'<text class="quiet" x="{MARGIN}" y="14">read from left to right</text>'
        f'<text class="quiet" x="{right}" y="14" text-anchor="end"><tspan class="key">■</tspan> last state</text>'
        f'<text class="quiet" x="{right}" y="{2 * MIDDLE - 5}" text-anchor="end">read from right to left</text>'
        f'<text class="quiet" x="{MARGIN}" y="{2 * MIDDLE - 5}"><tspan class="key">■</tspan> last state</text>'
    )


def _word(word, place, step, is_chosen):
    left = MARGIN + step * place
    return (
        f'<g class="word{" chosen" * is_chosen}" role="button" tabindex="-1" aria-label="word {place}, {escape(word)}">'
        f'<rect x="{left:.1f}" y="0" width="{step:.1f}" height="{2 * MIDDLE}" fill="transparent"/>'
        f'<rect class="edge" x="{left + 3:.1f}" y="{MIDDLE - 14}" width="{step - 6:.1f}" height="28"/>'
        f'<text x="{left + step / 2:.1f}" y="{MIDDLE + 5}">{escape(word)}</text></g>'
    )


def _lane(data, side, step):
    """Draw the bars of one direction: upwards those from left to right, downwards the others."""
    found, base = [], data["base"][side]
    heights = data["moved"][side][data["start"]]
    for state, moved in enumerate(heights):
        middle, height = MARGIN + step * (state + 0.5), moved * data["scale"]
        last = " last" * (state == (0 if side else len(heights) - 1))
        top, label = (base, base + height + 14) if side else (base - height, base - height - 5)
        found.append(
            f'<rect class="bar{last}" x="{middle - BAR / 2:.1f}" y="{top:.1f}" width="{BAR}" height="{height:.1f}"/>'
            f'<text class="moved{" still" * (not moved)}" x="{middle:.1f}" y="{label:.1f}">{moved:.2f}</text>'
        )
    return f'<g class="lane" pointer-events="none">{"".join(found)}</g>'
