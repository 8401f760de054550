"""One query on its way through attention: dot products, scale, softmax, blend, and the shape at every step."""

from html import escape

import numpy as np

from transformer_kit import reference
from transformer_kit.pictures.asked import computed, or_message
from transformer_kit.pictures.chips import CHIP, chip
from transformer_kit.pictures.picture import BLUE, ORANGE, Picture

LEFT, CELL, COLUMN, GAP = 62, 60, 84, 18  # what stands before the keys; width of a cell and of a column; between them
TOP, ROW, HEIGHT = 112, 46, 30  # of the first key; from key to key; of a cell
LIT = (
    ("query", "keys"),
    ("query", "keys", "products"),
    ("products", "scores"),
    ("scores", "weights"),
    ("weights", "values"),
    ("weights", "values", "output"),
)
FORMULA = {"softmax": "weights", "( ": "weights", "q ": "query", "Kᵀ": "keys", " / √d_k": "scores", " )": "weights"}
FORMULA |= {" V": "values"}
RULES = f"""
.lm-picture .cell {{ fill: {BLUE}; rx: 5 }}
.lm-picture .mine .cell {{ fill: {ORANGE}; stroke: {ORANGE}; stroke-width: 1.5 }}
.lm-picture .bar {{ fill: {ORANGE} }}
.lm-picture .track {{ fill: currentColor; fill-opacity: .08 }}
.lm-picture .zero {{ fill: none; stroke: currentColor; stroke-opacity: .35 }}
.lm-picture .head, .lm-picture .formula {{ font-weight: 600 }}
.lm-picture .formula {{ font-size: 19px }}
.lm-picture .n, .lm-picture .cell + text {{ font-variant-numeric: tabular-nums }}
.lm-picture .dim {{ opacity: .45 }}
.lm-picture .later {{ opacity: .6 }}
.lm-picture .later .n {{ opacity: 0 }}
.lm-picture tspan.now {{ fill: {ORANGE} }}  /* large enough for a contrast of 3 */
@media (prefers-reduced-motion: no-preference) {{
  .lm-picture .part, .lm-picture .n {{ transition: opacity .3s, x .4s, width .4s, fill-opacity .4s }}
}}
"""


@or_message
def attention_steps(attention_scores, softmax, attention, Q, K, V, words):
    """Follow one query, which can be chosen, through scaled dot-product attention.

    Parameters
    ----------
    attention_scores, softmax, attention : callable
        The learner's functions of unit 02; `attention` returns output and weights.
    Q, K : ndarray of shape (n, d_k)
    V : ndarray of shape (n, d_v)
    words : sequence of str
        One for each row.

    Returns
    -------
    Picture or Message
        A message where one of the functions returns nothing that could be drawn.
    """
    products = Q @ K.T
    scores, at_scores = computed(attention_scores, (Q, K), products / np.sqrt(Q.shape[1]))
    weights, at_weights = computed(softmax, (scores,), reference.softmax(scores))
    output, at_output = computed(attention, (Q, K, V), (weights @ V, weights), pick=0)
    arrays = {"query": Q, "keys": K, "products": products, "scores": scores, "weights": weights, "values": V}
    arrays["output"] = output
    verdicts = {2: (attention_scores, at_scores), 3: (softmax, at_weights), 5: (attention, at_output)}
    n, places = len(words), _places(Q.shape[1], V.shape[1])
    moving = [_moving(i, arrays, words, places) for i in range(n)]
    said = "\n".join(sentence for i in range(n) for sentence in _said(i, arrays, words, verdicts))
    right = places["values"] + CELL * V.shape[1]
    drawing = _formula(right) + "".join(
        f'<g class="part{" mine" * (name in ("query", "output"))}" data-part="{name}">'
        f"{_still(name, arrays, words, places)}{''.join(map(_element, moving[0][name]))}</g>"
        for name in arrays
    )
    states = [[[changing, text] for elements in m.values() for _, _, changing, text in elements] for m in moving]
    size = right + 6, TOP + ROW * n + 44
    title = f"One query of “{' '.join(words)}” step by step through scaled dot-product attention"
    data = {"words": list(words), "lit": LIT, "states": states}
    return Picture(title, size, drawing, said, "controls.js one_query.js", data, RULES + CHIP)


def _places(d_k, d_v):
    """Return where each part begins, from the left."""
    found = {"query": LEFT, "keys": LEFT}
    x = LEFT + CELL * d_k + GAP
    for name in ("products", "scores", "weights"):
        found[name], x = x, x + COLUMN + GAP
    return found | {"values": x, "output": x}


def _formula(right):
    parts = "".join(f'<tspan data-name="{name}">{escape(text)}</tspan>' for text, name in FORMULA.items())
    return f'<text class="formula" xml:space="preserve" x="{right}" y="32" text-anchor="end">{parts}</text>'


def _still(name, arrays, words, places):
    """Draw what is the same for every query: names, shapes, and the axes of the bars."""
    x, array, n = places[name], arrays[name], len(words)
    bottom = TOP + ROW * n
    if name == "query":
        return chip(x + CELL * array.shape[1] + 26, 30, array.shape[1:])
    if name == "output":
        label = f'<text class="head" x="{x - 62}" y="{bottom + 30}" text-anchor="end">output</text>'
        label += f'<path class="zero" d="M{x + 2} {bottom}h{CELL * array.shape[1] - 4}"/>'
        return label + chip(x - 34, bottom + 30, array.shape[1:])
    width = CELL * array.shape[1] if name in ("keys", "values") else COLUMN
    shape = array.shape if name in ("keys", "values") else array.shape[1:]
    label = {"products": "q · k", "scores": "÷ √d_k", "weights": "softmax"}.get(name, name)
    found = f'<text class="head" x="{x + width / 2}" y="72" text-anchor="middle">{label}</text>'
    found += chip(x + width / 2, 94, shape)
    if name != "keys":
        found += f'<text class="quiet" x="{x - GAP / 2}" y="72" text-anchor="middle">→</text>'
    else:
        found += "".join(map(_element, _cells("keys", array, places, TOP, mark="")))
    for j, word in enumerate(words):
        y = TOP + ROW * j
        if name == "keys":
            found += f'<text x="{x - 12}" y="{y + 20}" text-anchor="end">{escape(word)}</text>'
        if name in ("products", "scores"):
            found += f'<path class="zero" d="M{x + COLUMN / 2} {y + 21}v13"/>'
        if name == "weights":
            found += f'<rect class="track" x="{x + 4}" y="{y + 23}" width="76" height="9"/>'
    return found


def _moving(i, arrays, words, places):
    """Return tag, fixed and changing attributes, and text of all that depends on the query, part by part."""
    n, weights = len(arrays["keys"]), np.clip(arrays["weights"][i], 0, 1)
    label = "text", 'class="n head" x="50" y="30" text-anchor="end"', {}, words[i]
    found = {"query": [*_cells("query", arrays["query"][i : i + 1], places, 10), label], "keys": []}
    longest = max(np.abs(arrays[name][i]).max() for name in ("products", "scores")) or 1
    for name in ("products", "scores"):
        found[name] = _bars(arrays[name][i], 42 * arrays[name][i] / longest, places[name] + COLUMN / 2)
    found["weights"] = _bars(arrays["weights"][i], 76 * weights, places["weights"] + COLUMN / 2, -38)
    depths = 0.06 + 0.6 * weights
    found["values"] = _cells("values", arrays["values"], places, TOP, depths)
    found["output"] = _cells("output", arrays["output"][i : i + 1], places, TOP + ROW * n + 10)
    return found


def _cells(name, rows, places, top, depths=None, mark="n"):
    """Return the numbers of an array, each in a box; the script changes what is marked."""
    found = []
    for (j, c), value in np.ndenumerate(rows):
        x, y = places[name] + CELL * c, top + ROW * j
        box = f'class="cell {mark}" x="{x + 2}" y="{y}" width="{CELL - 4}" height="{HEIGHT}"'
        found.append(("rect", box, {"fill-opacity": 0.12 if depths is None else _short(depths[j])}, ""))
        found.append(_text(x + CELL / 2 + 25, y + 20, _number(value), mark))
    return found


def _bars(values, lengths, middle, start=0):
    """Return numbers with bars below them, which go from `start` to the right or to the left."""
    found = []
    for j, (value, length) in enumerate(zip(values, lengths, strict=True)):
        y = TOP + ROW * j
        bar = {"x": _short(middle + start + min(length, 0)), "width": _short(abs(length))}
        found.append(_text(middle + 22, y + 15, _number(value)))
        found.append(("rect", f'class="bar n" y="{y + 23}" height="9"', bar, ""))
    return found


def _text(x, y, text, mark="n"):
    return "text", f'class="{mark}" x="{x}" y="{y}" text-anchor="end"', {}, text


def _element(element):
    tag, fixed, changing, text = element
    attributes = " ".join([fixed, *(f'{key}="{value}"' for key, value in changing.items())])
    return f"<{tag} {attributes}>{escape(text)}</{tag}>"


def _short(value):
    return round(float(value), 2)


def _number(value):
    return (f"{value:.3f}" if abs(value) < 1000 else f"{value:.1e}").replace("-", "\N{MINUS SIGN}")


def _said(i, arrays, words, verdicts):
    """Say what happens to a query, a sentence for each step."""
    (n, d_k), d_v = arrays["keys"].shape, arrays["values"].shape[1]
    numbers = {name: list(map(_number, arrays[name][i])) for name in ("products", "scores", "weights", "output")}
    best = int(arrays["scores"][i].argmax())
    root, word = _number(np.sqrt(d_k)), words[best]
    column = zip(numbers["weights"], arrays["values"][:, 0], strict=True)
    said = [
        f"The query of “{words[i]}”, of shape (d_k,) = ({d_k},), meets every key: K has the shape (n_keys, d_k) = "
        f"({n}, {d_k}).",
        f"A dot product with each key, so n_keys = {n} numbers. For “{word}”: "
        f"{_sum(arrays['query'][i], arrays['keys'][best])} = {numbers['products'][best]}.",
        f"Each is divided by √d_k = √{d_k} = {root}. For “{word}”: {numbers['products'][best]} / {root} = "
        f"{numbers['scores'][best]}. These are the scores.",
        "The softmax makes them a budget of 1: "
        + ", ".join(f"{word} {weight}" for word, weight in zip(words, numbers["weights"], strict=True))
        + ".",
        f"Each value gets its weight: the deeper the blue, the more. V has the shape (n_keys, d_v) = ({n}, {d_v}).",
        "Each column is added up, weight times value. The first: "
        + " + ".join(f"{weight} · {_bracketed(value)}" for weight, value in column)
        + f" = {numbers['output'][0]}. The output has the shape (d_v,) = ({d_v},).",
    ]
    for step, (function, verdict) in verdicts.items():
        if verdict != "same numbers":
            said[step] = f"Your {function.__name__} returns something else than this step should give: {verdict}."
    return said


def _sum(left, right):
    return " + ".join(f"{_bracketed(a)} · {_bracketed(b)}" for a, b in zip(left, right, strict=True))


def _bracketed(value):
    return f"({_number(value)})" if value < 0 else _number(value)
