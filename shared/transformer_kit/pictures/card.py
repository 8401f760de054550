"""What models write at rising temperatures, as a card: definitions of a word, or translations of a sentence."""

from html import escape
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus.sentences import right_translations, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.dictionary.definitions import define
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.experiments.whole_model.one_sentence import translator_by_parts
from transformer_kit.pictures.learners import at_work, credit, drawn_or_said
from transformer_kit.pictures.picture import ORANGE, Picture
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

WIDTH, MARGIN, TEXT = 480, 28, 54  # of the card, of what is in it, and of the definitions
LINE, GAP, HEAD, NOTE = 23, 12, 92, 18
LETTERS = 42  # in a line of a definition
TEMPERATURES = (0, 0.5, 0.8, 1.1, 1.5)
ALIKE = "It sounds like a dictionary; for words that exist it is mostly wrong."
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


class Sense(NamedTuple):
    """A text on a card; `verdict` says whether it is right, where that is known."""

    temperature: float
    text: str
    verdict: str = ""


@drawn_or_said
def translation_card(sentence, functions=(), seed=8, temperatures=(0, 1, 1, 2, 2), sampler=reference.sample_decode):
    """Let a translation model, the one without label smoothing, translate a sentence several times.

    Parameters
    ----------
    sentence : str
        In English.
    functions : sequence of callable
        The learner's functions of units 00 to 07; the course lends the others.
    seed : int
        Of the draws.
    temperatures : sequence of float
        One for each translation.
    sampler : callable
        `sample_decode`, which chooses every word.

    Returns
    -------
    Picture
    """
    model, rng = load_model("unsmoothed"), np.random.default_rng(seed)
    used = replaced(reference, **{function.__name__: function for function in functions})
    next_log_probs = translator_by_parts(sentence, model, used)

    def draw(temperature):
        return sampler(next_log_probs, BOS, EOS, model.max_len, rng.random(model.max_len), temperature)

    written, mine, lent = at_work(lambda: [written_sentence(draw(T), model) for T in temperatures])
    right = right_translations(sentence)
    verdicts = [("right" if text in right else "wrong") if right else "" for text in written]
    senses = list(map(Sense, temperatures, written, verdicts))
    return card(sentence, "", senses, [f"written {credit(mine, lent)}"])


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
    return card(word, kind, list(map(Sense, temperatures, senses)), [f"written {credit(mine, lent)}", ALIKE])


def card(word, kind, senses, notes):
    """Draw an entry of a dictionary.

    Parameters
    ----------
    word : str
        Or a sentence.
    kind : str
        "" where there is none.
    senses : sequence of Sense
    notes : sequence of str
        Lines at the bottom.

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
    for number, sense in enumerate(senses, 1):
        lines = wrap(sense.text, LETTERS)
        drawing.append(_sense(number, _degree(sense), lines, y))
        y += LINE * len(lines) + GAP
    for note in notes:
        drawing.append(f'<text class="quiet" x="{MARGIN}" y="{y + 10}">{escape(note)}</text>')
        y += NOTE
    height = y + 30 - NOTE
    drawing.append(f'<rect class="card" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}"/>')
    told = [_told(i, sense) for i, sense in enumerate(senses, 1)]
    headed = f"{word} ({kind})" if kind else word
    words = "\n".join([f"{headed}, {notes[0]}", *notes[1:], *told])
    return Picture(
        f"{headed}, as {'the dictionary defines' if kind else 'the model translates'} it at "
        f"{len({sense.temperature for sense in senses})} temperatures",
        (WIDTH, height),
        "".join(drawing),
        words,
        "controls.js card.js",
        {"told": told},
        RULES,
    )


def _degree(sense):
    return f"T = {sense.temperature:g}" + (f", {sense.verdict}" if sense.verdict else "")


def _told(number, sense):
    stop = "" if sense.text.endswith((".", "?")) else "."
    verdict = f" That is {sense.verdict}." if sense.verdict else ""
    return f"{number}, at temperature {sense.temperature:g}: {sense.text}{stop}{verdict}"


def _sense(number, degree, lines, y):
    rows = "".join(f'<tspan x="{TEXT}" dy="{LINE * (i > 0)}">{escape(line)}</tspan>' for i, line in enumerate(lines))
    tall = LINE * len(lines) - 3
    return (
        f'<g class="sense"><rect class="mark" x="{MARGIN - 12}" y="{y - 15}" width="4" height="{tall}" rx="2"/>'
        f'<text x="{MARGIN}" y="{y}">{number}</text><text y="{y}">{rows}</text>'
        f'<text class="degree" x="{WIDTH - MARGIN}" y="{y}" text-anchor="end">{degree}</text></g>'
    )
