"""The program that invents definitions."""

from io import BytesIO
from types import SimpleNamespace

import numpy as np

from transformer_kit.content import content
from transformer_kit.dictionary.definitions import define
from transformer_kit.dictionary.pieces import KINDS
from transformer_kit.reference import (
    add_positions,
    causal_mask,
    embed,
    encoder_layer,
    positional_encoding,
    sample_decode,
)
from transformer_kit.trained.array_files import arrays_of
from transformer_kit.trained.dictionary import dictionary_of

DICTIONARY = "trained/weights/dictionary.npz"
EXAMPLE = "define moonberry"
FILES = (DICTIONARY, "dictionary/unfit.txt", "trained/weights/WORDNET_LICENSE")


def dictionary():
    """Invent a definition of a word, best of one that does not exist, such as: moonberry, or quietfully adverb.

    It has learned how definitions sound; of words that exist, most of them are wrong.

    Returns
    -------
    callable
        From a word, with its kind or without, to a definition, every time another one.
    """
    model, rng = dictionary_of(arrays_of(BytesIO(content(DICTIONARY)))), np.random.default_rng()
    functions = SimpleNamespace(
        embed=embed,
        positional_encoding=positional_encoding,
        add_positions=add_positions,
        causal_mask=causal_mask,
        encoder_layer=encoder_layer,
    )

    def answer(words):
        *word, kind = words if len(words) > 1 and words[-1] in KINDS else [*words, KINDS[0]]
        text = define(" ".join(word), kind, model, functions, rng, sampler=sample_decode)
        return f"{' '.join(word)} ({kind}): {text}"

    return answer
