"""A film of training: what the words of one translation look at, and how it reads, every so many steps."""

from html import escape
from textwrap import shorten

import numpy as np

from transformer_kit import corpus
from transformer_kit.pictures.frames import Moving, dots, moving_picture, path
from transformer_kit.pictures.picture import BLUE, GREEN

WIDTH, TOP, LEFT, RIGHT = 760, 126, 100, 400  # of the map; the Spanish words stand on its left
ROW = 30
CURVE, END, HIGH, LOW = 480, 740, 150, 358  # of the losses
PHONE, UNDER = 490, LOW + 26  # width on a phone, and height of the losses below the map
LONGEST = 66  # letters of a translation in the drawing
RULES = f"""
.lm-picture .cell {{ fill: {BLUE} }}
.lm-picture .paper {{ fill: {BLUE}; fill-opacity: .07 }}
.lm-picture .written {{ font-size: 20px; font-weight: 600 }}
@media (prefers-reduced-motion: no-preference) {{ .lm-picture .cell {{ transition: fill-opacity .15s }} }}
.lm-picture .done {{ stroke: {GREEN}; stroke-width: 6 }}
.lm-picture.narrow .curve {{ transform: translate({LEFT - CURVE}px, calc(100% - {UNDER}px)) }}
.lm-picture.narrow .about {{ transform: translate(-{LEFT}px) }}
"""


def training_film(recording):
    """Draw a sentence's attention while a model learns to translate, its translation, and the loss.

    Parameters
    ----------
    recording : Film
        What `load_recording("film")` returns.

    Returns
    -------
    Picture
    """
    steps = [int(step) for step in recording.steps]
    right = {corpus.spanish_text(words) for words in corpus.translations(tuple(recording.english.tolist()))}
    rights = [text in right for text in recording.written]
    height = max(TOP + ROW * len(recording.spanish), LOW) + 34
    curve = _curve(recording)
    done = dots([point for point, is_right in zip(curve, rights, strict=True) if is_right])
    losses = f'<path class="line blue" d="{path(curve)}"/><path class="dots done" d="{done}"/>'
    still = f'{_words(recording)}<g class="curve">{_axes(steps)}{losses}</g>'
    texts = [escape(shorten(text, LONGEST, placeholder=" ...") or "(nothing)") for text in recording.written]
    losses = [f"loss {loss:.2f}" for loss in recording.loss]
    moving = [
        Moving('<text class="written" x="0" y="58">{}</text>', "text", texts),
        Moving(f'<text class="curve" x="{CURVE}" y="{TOP}">{{}}</text>', "text", [f"step {step}" for step in steps]),
        Moving(f'<text class="curve" x="{END}" y="{TOP}" text-anchor="end">{{}}</text>', "text", losses),
        Moving('<path class="now curve" d="{}"/>', "d", [f"M{x:.0f} {HIGH}V{LOW}" for x, _ in curve]),
        Moving('<path class="dots orange curve" d="{}"/>', "d", [dots([point]) for point in curve]),
        *_cells(recording),
    ]
    captions = [
        f"Step {step}: {_said(text, is_right)} The loss is {loss:.2f}."
        for step, text, is_right, loss in zip(steps, recording.written, rights, recording.loss, strict=True)
    ]
    title = f"A model learns to translate “{corpus.english_text(tuple(recording.english.tolist()))}”"
    narrow = (0, 0, PHONE, height - TOP + 20 + UNDER)
    return moving_picture(title, (WIDTH, height), still, moving, steps, captions, RULES, narrow)


def _said(text, is_right):
    if not text:
        return "it writes nothing."
    return f"“{text}” {'This is right.' if is_right else 'This is not right.'}"


def _curve(recording):
    """Return the places of the losses, from 0 at the bottom to the largest one at the top."""
    x = CURVE + recording.steps / recording.steps[-1] * (END - CURVE)
    y = LOW - recording.loss / recording.loss.max() * (LOW - HIGH)
    return list(zip(x, y, strict=True))


def _cells(recording):
    """Yield the cells of the map: what a word looks at, as a mean over the heads."""
    shades = recording.attention.mean(axis=1).round(1)  # (n_frames, n_target, n_source)
    width = (RIGHT - LEFT) / shades.shape[2]
    for i, j in np.ndindex(shades.shape[1:]):
        place = f'x="{LEFT + j * width + 1:.0f}" y="{TOP + ROW * i + 1}" width="{width - 2:.0f}" height="{ROW - 2}"'
        values = [float(f"{shade:.1f}") for shade in shades[:, i, j]]
        yield Moving(f'<rect class="cell" rx="3" {place} fill-opacity="{{}}"/>', "fill-opacity", values)


def _words(recording):
    """Draw the sentence, and the words at the map's edges."""
    width = (RIGHT - LEFT) / len(recording.english)
    bottom = TOP + ROW * len(recording.spanish)
    sentence = escape(corpus.english_text(tuple(recording.english.tolist())))
    found = [f'<text class="quiet" x="0" y="26">“{sentence}” in Spanish:</text>']
    found.append(f'<rect class="paper" x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{bottom - TOP}" rx="4"/>')
    for j, word in enumerate(recording.english):
        x = LEFT + (j + 0.5) * width
        found.append(f'<text transform="translate({x:.0f} {TOP - 8}) rotate(-35)">{escape(word)}</text>')
    for i, word in enumerate(recording.spanish):
        y = TOP + ROW * i + 20
        found.append(f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{escape(word)}</text>')
    heads = recording.attention.shape[1]
    about = f"a row: where the model looks when it has to say this word (mean of {heads} heads)"
    found.append(f'<text class="quiet about" x="{LEFT}" y="{bottom + 20}">{about}</text>')
    return "".join(found)


def _axes(steps):
    found = [f'<path class="axis" d="M{CURVE} {HIGH}V{LOW}H{END}"/>']
    found.append(f'<text class="quiet" x="{CURVE}" y="{LOW + 20}">step {steps[0]}</text>')
    found.append(f'<text class="quiet" x="{END}" y="{LOW + 20}" text-anchor="end">step {steps[-1]}</text>')
    found.append(f'<path class="dots done" d="M{CURVE + 100} {HIGH + 16}h0"/>')
    found.append(f'<text class="quiet" x="{CURVE + 110}" y="{HIGH + 20}">the translation is right</text>')
    return "".join(found)
