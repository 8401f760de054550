"""Ribbons between two sentences: which word looks at which."""

from html import escape

import numpy as np

from transformer_kit import reference
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.pictures.learners import drawn_or_said
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture
from transformer_kit.trained.model import load_model

WIDTH, ROW = 550, 34
KEYS, QUERIES = 142, 372  # where the words of both sides end and begin
EDGE, BAR = 8, 5  # from a word to its bar, and the bar
THICKEST = 24  # of a weight of 1
HEAD = 34  # above the first word
HINT = "Point at a word, or press Tab and walk with the arrow keys."
LEAST = 3  # per cent; less is not drawn
RULES = f"""
.lm-picture .ribbon {{ fill: {BLUE}; fill-opacity: .5 }}
.lm-picture .word text {{ font-size: 16px }}
.lm-picture .word rect.bar {{ fill: {BLUE} }}
.lm-picture .word rect.edge {{ fill: transparent; stroke: none }}
.lm-picture.busy .ribbon {{ fill-opacity: .12 }}
.lm-picture.busy .word text, .lm-picture.busy .word .bar {{ opacity: .65 }}
.lm-picture.busy .ribbon.lit {{ fill: {ORANGE}; fill-opacity: .8 }}
.lm-picture.busy .word.lit text, .lm-picture.busy .word.lit .bar {{ opacity: 1 }}
.lm-picture.busy .word.lit .bar {{ fill: {ORANGE} }}
.lm-picture.busy .word.here text {{ font-weight: 700 }}
.lm-picture .chance {{ font-variant-numeric: tabular-nums; font-size: 13px }}
@media (prefers-reduced-motion: no-preference) {{
.lm-picture .ribbon, .lm-picture .bar {{ transition: fill-opacity .2s, fill .2s }} }}
"""


@drawn_or_said
def ribbons(weights, queries, keys, title):
    """Draw attention weights as ribbons between the words that are looked at and the words that look.

    Parameters
    ----------
    weights : ndarray of shape (n_queries, n_keys)
        Not negative.
    queries, keys : sequence of str
        Their words: what is about to be written, on the right, and what is looked at, on the left.
    title : str

    Returns
    -------
    Picture
    """
    drawing, height, data = woven(weights, queries, keys)
    words = "\n".join(data["sentences"][: data["queries"]])
    return Picture(title, (WIDTH, height), drawing, words, "ribbons.js", data, RULES)


def woven(weights, queries, keys, chances=None):
    """Return the drawing of ribbons, its height, and what the script needs; arguments as in `ribbons`.

    With `chances`, a sequence of float, a probability stands beside each query.

    Raises
    ------
    ValueError
        If the weights do not fit the words, or are no weights.
    """
    weights, queries, keys = np.asarray(weights, dtype=float), list(queries), list(keys)
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"expected weights of shape {(len(queries), len(keys))}, got {weights.shape}")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("expected weights of 0 or more; some are negative, infinite or not a number")
    percent = np.rint(100 * weights).astype(int)
    height = HEAD + ROW * max(len(queries), len(keys)) + 4
    left, right = (_places(len(side), height) for side in (keys, queries))
    thick = min(THICKEST, 0.9 * (height - HEAD) / len(keys) / weights.sum(axis=0).max())
    links = [(i, j) for i, j in np.ndindex(weights.shape) if percent[i, j] >= LEAST]
    drawing = [f'<text class="quiet" x="{KEYS}" y="14" text-anchor="end">is read</text>']
    drawing += [f'<text class="quiet" x="{QUERIES}" y="14">is written</text>']
    drawing += _bands(thick * weights, links, left, right)
    drawing += [_word(queries[i], "query", y, thick * weights[i].sum()) for i, y in enumerate(right)]
    drawing += [_word(keys[j], "key", y, thick * weights[:, j].sum()) for j, y in enumerate(left)]
    if chances is not None:
        drawing += _chances(chances, right)
    sentences = [_looks(query, keys, row) for query, row in zip(queries, percent, strict=True)]
    if chances is not None:
        sentences = [f"{s} Its probability was {_percent(p)}." for s, p in zip(sentences, chances, strict=True)]
    sentences += [_looked_at(key, queries, column) for key, column in zip(keys, percent.T, strict=True)]
    return "".join(drawing), height, {"links": links, "queries": len(queries), "sentences": sentences, "note": HINT}


@drawn_or_said
def cross_ribbons(sentence, cross_attention=reference.cross_attention):
    """Draw where the trained model looks while it translates a sentence, by the last layer of its decoder.

    Parameters
    ----------
    sentence : str
    cross_attention : callable
        The learner's function of unit 05, which then works in both layers of the decoder.

    Returns
    -------
    Picture
        Of the mean over the heads.
    """
    model = load_model()
    seen = watched(sentence, model, replaced(reference, cross_attention=cross_attention))
    weights = seen.parts[f"decoder.{len(model.decoder) - 1}.cross_attention.weights"][0].mean(axis=0)
    return ribbons(weights, seen.written, seen.source, f"Where the model looks while it translates “{sentence}”")


def _places(count, height):
    """Return the heights of the middles of words, which share a side of the picture evenly."""
    step = (height - HEAD - 4) / count
    return [round(HEAD + step * (i + 0.5), 1) for i in range(count)]


def _bands(thickness, links, left, right):
    """Draw one ribbon for each link; at every word they lie side by side."""
    x0, x1 = KEYS + EDGE + BAR, QUERIES - EDGE - BAR
    middle = (x0 + x1) // 2
    at_keys = left + np.cumsum(thickness, axis=0) - thickness - thickness.sum(axis=0) / 2
    at_queries = np.array(right)[:, None] + np.cumsum(thickness, axis=1) - thickness
    at_queries -= thickness.sum(axis=1, keepdims=True) / 2
    for i, j in links:
        a, b, w = at_keys[i, j], at_queries[i, j], thickness[i, j]
        yield (
            f'<path class="ribbon" d="M{x0} {a:.1f}C{middle} {a:.1f} {middle} {b:.1f} {x1} {b:.1f}'
            f'V{b + w:.1f}C{middle} {b + w:.1f} {middle} {a + w:.1f} {x0} {a + w:.1f}z"/>'
        )


def _word(word, side, y, thickness):
    """Draw a word and the bar in which its ribbons end."""
    x, anchor, bar = (KEYS, "end", KEYS + EDGE) if side == "key" else (QUERIES, "start", QUERIES - EDGE - BAR)
    edge = 2 if side == "key" else QUERIES - EDGE - BAR - 4
    return (
        f'<g class="word {side}" role="button" tabindex="-1" aria-label="{escape(word)}">'
        f'<rect class="edge" x="{edge}" y="{y - 15:.1f}" width="{KEYS + EDGE + BAR + 2}" height="30" rx="6"/>'
        f'<rect class="bar" x="{bar}" y="{y - thickness / 2:.1f}" width="{BAR}" height="{thickness:.1f}"/>'
        f'<text x="{x}" y="{y + 5:.1f}" text-anchor="{anchor}">{escape(word)}</text></g>'
    )


def _chances(chances, right):
    yield f'<text class="quiet" x="{WIDTH - 2}" y="14" text-anchor="end">probability</text>'
    for chance, y in zip(chances, right, strict=True):
        yield f'<text class="chance" x="{WIDTH - 2}" y="{y + 5:.1f}" text-anchor="end">{_percent(chance)}</text>'


def _percent(share):
    return f"{100 * share:.1f} %"


def _looks(query, keys, percent):
    """Say where a query looks, the largest weight first."""
    best = [j for j in np.argsort(-percent, kind="stable") if percent[j] >= LEAST]
    where = ", ".join(f"“{keys[j]}” {percent[j]} %" for j in best) or "nothing"
    return f"Before “{query}” is written, the model looks at {where}."


def _looked_at(key, queries, percent):
    """Say which queries look at a key, in the order of writing."""
    who = ", ".join(f"“{query}” {share} %" for query, share in zip(queries, percent, strict=True) if share >= LEAST)
    return f"“{key}” is looked at for {who or 'nothing'}."
