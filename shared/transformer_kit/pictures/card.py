"""A word of the dictionary model as a card, with definitions drawn at rising temperatures."""

from html import escape
from textwrap import wrap

import numpy as np

from transformer_kit import reference
from transformer_kit.dictionary.definitions import define
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.pictures.interactive import ORANGE, Picture
from transformer_kit.pictures.learners import at_work, credit, drawn_or_said
from transformer_kit.trained.dictionary import load_dictionary

WIDTH, MARGIN, TEXT = 480, 28, 54  # of the card, of what is in it, and of the definitions
LINE, GAP, HEAD = 23, 12, 92
LETTERS = 42  # in a line of a definition
TEMPERATURES = (0, 0.5, 0.8, 1.1, 1.5)
RULES = f"""
.lm-picture .card {{ fill: none; stroke: currentColor; stroke-opacity: .3; rx: 14 }}
.lm-picture .rule {{ stroke: {ORANGE}; stroke-width: 2 }}
.lm-picture .entry text, .lm-picture .sense text {{ font-family: Georgia, "Times New Roman", serif }}
.lm-picture .entry .kind {{ font-size: 17px; font-weight: 400; font-style: italic }}
.lm-picture .sense text {{ font-size: 16px }}
.lm-picture .sense .degree {{ font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums }}
.lm-picture .mark {{ fill: none }}
.lm-picture.live .sense > :not(.degree) {{ opacity: .62 }}
.lm-picture.live .sense.on > * {{ opacity: 1 }}
.lm-picture.live .sense.on .mark {{ fill: {ORANGE} }}
@media (prefers-reduced-motion: no-preference) {{ .lm-picture .sense > * {{ transition: opacity .25s }} }}
"""


@drawn_or_said
def dictionary_card(word, kind, functions=(), seed=8, temperatures=TEMPERATURES, sampler=None):
    """Let the dictionary model define a word several times.

    Parameters
    ----------
    word : str
        Existing or not.
    kind : str
        "noun", "verb", "adjective" or "adverb".
    functions : sequence of callable
        The learner's functions of units 00 to 08; the course lends the others.
    seed : int
        Of the draws.
    temperatures : sequence of float
        One for each definition.
    sampler : callable, optional
        The learner's `sample_decode`, which then chooses every piece.

    Returns
    -------
    Picture
    """
    model, rng = load_dictionary(), np.random.default_rng(seed)
    used = replaced(reference, **{function.__name__: function for function in functions})
    senses, mine, lent = at_work(
        lambda: [define(word, kind, model, used, rng, T, sampler=sampler) for T in temperatures]
    )
    return card(word, kind, list(zip(temperatures, senses, strict=True)), f"written {credit(mine, lent)}")


def card(word, kind, senses, note):
    """Draw an entry of a dictionary.

    Parameters
    ----------
    word, kind : str
    senses : sequence of (float, str)
        Temperatures and definitions.
    note : str
        At the bottom.

    Returns
    -------
    Picture
    """
    large = min(36, round(620 / max(len(word) + len(kind) / 2, 1)))
    drawing = [
        f'<g class="entry"><text x="{MARGIN}" y="54" font-size="{large}" font-weight="700">{escape(word)}'
        f'<tspan class="kind" dx="12">{escape(kind)}</tspan></text></g>'
        f'<path class="rule" d="M{MARGIN} 70h{WIDTH - 2 * MARGIN}"/>'
    ]
    y = HEAD + 8
    for number, (temperature, text) in enumerate(senses, 1):
        lines = wrap(text, LETTERS)
        drawing.append(_sense(number, temperature, lines, y))
        y += LINE * len(lines) + GAP
    drawing.append(f'<text class="quiet" x="{MARGIN}" y="{y + 10}">{escape(note)}</text>')
    height = y + 30
    drawing.append(f'<rect class="card" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}"/>')
    told = [f"{i}, at temperature {T:g}: {text}." for i, (T, text) in enumerate(senses, 1)]
    words = "\n".join([f"{word} ({kind}), {note}", *told])
    return Picture(
        f"{word} ({kind}), as the dictionary defines it at {len(senses)} temperatures",
        (WIDTH, height),
        "".join(drawing),
        words,
        "controls.js card.js",
        {"told": told},
        RULES,
    )


def _sense(number, temperature, lines, y):
    rows = "".join(f'<tspan x="{TEXT}" dy="{LINE * (i > 0)}">{escape(line)}</tspan>' for i, line in enumerate(lines))
    tall = LINE * len(lines) - 3
    return (
        f'<g class="sense"><rect class="mark" x="{MARGIN - 12}" y="{y - 15}" width="4" height="{tall}" rx="2"/>'
        f'<text x="{MARGIN}" y="{y}">{number}</text><text y="{y}">{rows}</text>'
        f'<text class="degree" x="{WIDTH - MARGIN}" y="{y}" text-anchor="end">T = {temperature:g}</text></g>'
    )
