"""The leak meter: change one word, and see which outputs of an attention move."""

from html import escape

import numpy as np

from transformer_kit.experiments.leaks import leakage
from transformer_kit.pictures.asked import numbers_of, or_message
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

LEAST = 1e-9  # anything smaller is rounding
LEFT, TOP, WIDE, HIGH = 84, 62, 58, 44  # where the cells begin, and their size
BARS, BAR = 26, 130  # space before the bars, and the longest of them
RULES = f"""
.lm-picture .cell {{ fill: currentColor; fill-opacity: .05; rx: 4 }}
.lm-picture .moved {{ fill: {BLUE}; fill-opacity: .25 }}
.lm-picture .leak {{ fill: {ORANGE}; fill-opacity: .35 }}
.lm-picture .lit {{ fill-opacity: 1 }}
.lm-picture .lit:not(.moved):not(.leak) {{ fill-opacity: .12 }}
.lm-picture .bar {{ fill: {BLUE}; rx: 3 }}
.lm-picture .bar.leaks {{ fill: {ORANGE} }}
.lm-picture .stairs {{ fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round }}
.lm-picture .edge {{ fill: none; stroke: none; rx: 12 }}
.lm-picture .chosen .edge {{ stroke: {BLUE}; stroke-width: 2 }}
.lm-picture .chosen text {{ font-weight: 700 }}
.lm-picture .amount {{ font-variant-numeric: tabular-nums }}
"""


@or_message
def leak_meter(attends, X, words, choice=0, word=0):
    """Draw which outputs move when one word is changed; those that stand before it must not.

    Parameters
    ----------
    attends : dict
        Name of each attention and the function, from shape (n, d) to (n, d).
    X : ndarray of shape (n, d)
    words : sequence of str
        The tokens.
    choice, word : int
        The attention and the changed word at first.

    Returns
    -------
    Picture, or Message if one of the attentions gives nothing to draw
    """
    tables = [_leakage(name, attend, X) for name, attend in attends.items()]
    data = {
        "names": list(attends),
        "moved": [[[_amount(entry) for entry in row] for row in table] for table in tables],
        "sentences": [
            [_sentence(name, words, table[:, j], j) for j in range(len(words))]
            for name, table in zip(attends, tables, strict=True)
        ],
        "start": [choice, word],
        "scale": BAR / max(np.max(tables), LEAST),
    }
    drawing = _heads(words, word) + _rows(words, data) + _stairs(len(words))
    size = (LEFT + WIDE * len(words) + BARS + BAR + 60, TOP + HIGH * len(words) + 8)
    described = "\n".join(sentence for sentences in data["sentences"] for sentence in sentences)
    title = f"Leak meter: which outputs move when one word of “{' '.join(words)}” is changed"
    return Picture(title, size, drawing, described, "controls.js leaks.js", data, RULES)


def _leakage(name, attend, X):
    return leakage(lambda tokens: numbers_of(attend, tokens, shape=X.shape, name=f"“{name}”"), X)


def _amount(movement):
    return f"{movement:.2g}" if movement > LEAST else "0"


def _sentence(name, words, movements, changed):
    moved = [i for i, movement in enumerate(movements) if movement > LEAST]
    leaks = [i for i in moved if i < changed]
    verdict = f"A leak: {_listed(words, leaks)} must not know “{words[changed]}” yet." if leaks else "Nothing leaks."
    return f"{name}: “{words[changed]}” is changed. What moves: the outputs of {_listed(words, moved)}. {verdict}"


def _listed(words, places):
    return ", ".join(f"“{words[place]}”" for place in places) or "no word"


def _heads(words, chosen):
    """Draw the words that can be changed, each above its column."""
    found = [f'<text class="quiet" x="{LEFT - 12}" y="{TOP - 18}" text-anchor="end">change</text>']
    found.append(f'<text class="quiet" x="{LEFT - 12}" y="{TOP}" text-anchor="end">output of</text>')
    for j, word in enumerate(words):
        found.append(
            f'<g class="word{" chosen" * (j == chosen)}" role="button" tabindex="-1" '
            f'aria-label="change word {j}, {escape(word)}" transform="translate({LEFT + WIDE * j} 0)">'
            f'<rect width="{WIDE}" height="{TOP + HIGH * len(words)}" fill="transparent"/>'
            f'<rect class="edge" x="1" y="{TOP - 35}" width="{WIDE - 4}" height="26"/>'
            f'<text x="{WIDE / 2 - 1}" y="{TOP - 17}" text-anchor="middle">{escape(word)}</text></g>'
        )
    return "".join(found)


def _rows(words, data):
    """Draw one row for each output: its word, which changes move it, and how far the chosen change does."""
    choice, chosen = data["start"]
    bars, table = LEFT + WIDE * len(words) + BARS, data["moved"][choice]
    found = [f'<text class="quiet" x="{bars}" y="{TOP - 18}">how far the output moves</text>']
    for i, (word, row) in enumerate(zip(words, table, strict=True)):
        y, width = TOP + HIGH * i, _width(row[chosen], data["scale"])
        cells = (
            f'<rect class="{_kind(row[j], i, j, j == chosen)}" x="{LEFT + WIDE * j}" y="{y}" '
            f'width="{WIDE - 3}" height="{HIGH - 3}"/>'
            for j in range(len(words))
        )
        found.append(
            f'<g class="output" pointer-events="none">{"".join(cells)}'
            f'<rect class="bar{" leaks" * (i < chosen)}" x="{bars}" y="{y + 11}" width="{width:.1f}" height="18"/>'
            f'<text class="amount" x="{bars + width + 7:.1f}" y="{y + 25}">{row[chosen]}</text>'
            f'<text x="{LEFT - 12}" y="{y + 25}" text-anchor="end">{escape(word)}</text></g>'
        )
    return "".join(found)


def _width(amount, scale):
    """Return the length of a bar: what moves at all can be seen."""
    return max(scale * float(amount), 2) if amount != "0" else 0


def _kind(amount, output, changed, is_lit):
    """Return the classes of a cell."""
    moved = "" if amount == "0" else " leak" if output < changed else " moved"
    return f"cell{moved}{' lit' * is_lit}"


def _stairs(n):
    """Draw the border between what an output may see and what comes after it."""
    steps = "".join(f"v{HIGH}h{WIDE}" for _ in range(n - 1))
    return f'<path class="stairs" pointer-events="none" d="M{LEFT + WIDE - 1.5} {TOP - 1.5}{steps}"/>'
