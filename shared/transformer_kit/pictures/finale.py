"""The finale: a sentence, its translation, and whose functions have computed it."""

from html import escape
from textwrap import wrap

import numpy as np

from transformer_kit.corpus.sentences import remark
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.pictures.card import RULES as CARD_RULES
from transformer_kit.pictures.learners import at_work, credit, drawn_or_said
from transformer_kit.pictures.picture import Picture
from transformer_kit.pictures.ribbons import RULES, woven
from transformer_kit.pictures.ribbons import WIDTH as WOVEN
from transformer_kit.reference import softmax

MARGIN, HEAD, FOOT = 26, 108, 46  # around the ribbons, above and below them
LARGEST = 23  # letters of the sentences, in pixels
WIDTH = WOVEN + 2 * MARGIN
LETTERS, LINE = 76, 20  # in a line of a remark, and its height


@drawn_or_said
def finale(sentence, model, translate, functions):
    """Draw a translation: where the decoder looked for every word, and how probable each of them was.

    Where the grammar says something else, or nothing, a remark is added.

    Parameters
    ----------
    sentence : str
    model : Model
    translate : callable
        The learner's function of unit 09.
    functions : object
        Has the functions of units 00 to 07 as attributes; with them everything is computed once more, and watched.

    Returns
    -------
    Picture
    """
    (text, seen), mine, lent = at_work(lambda: (translate(sentence, model), watched(sentence, model, functions)))
    weights = seen.parts[f"decoder.{len(model.decoder) - 1}.cross_attention.weights"][0].mean(axis=0)
    ids = [model.target_words.index(word) for word in seen.written]
    chances = softmax(seen.parts["logits"][0])[np.arange(len(ids)), ids]
    drawing, tall, data = woven(weights, seen.written, seen.source, chances)
    warning = remark(sentence, text)
    lines, note = wrap(warning, LETTERS), f"computed {credit(mine, lent)}"
    height = HEAD + tall + FOOT + LINE * len(lines)
    size = min(LARGEST, round(1.8 * (WIDTH - 2 * MARGIN) / max(len(sentence), len(text))))
    card = (
        f'<rect class="card" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}"/><g class="entry">'
        f'<text x="{MARGIN}" y="42" font-size="{size}">{escape(sentence)}</text>'
        f'<text x="{MARGIN}" y="74" font-size="{size}" font-weight="700">{escape(text)}</text></g>'
        f'<path class="rule" d="M{MARGIN} 88h{WIDTH - 2 * MARGIN}"/>'
        f'<g transform="translate({MARGIN} {HEAD})">{drawing}</g>'
        f'<text class="quiet" x="{MARGIN}" y="{height - 18}">{note}</text>'
    ) + "".join(
        f'<text x="{MARGIN}" y="{HEAD + tall + 14 + LINE * i}">{escape(line)}</text>' for i, line in enumerate(lines)
    )
    words = "\n".join([f"This was {note}.", *([warning] if warning else []), *data["sentences"][: len(ids)]])
    return Picture(
        f"{sentence} → {text} Ribbons between their words",
        (WIDTH, height),
        card,
        words,
        "ribbons.js",
        data,
        RULES + CARD_RULES,
    )
