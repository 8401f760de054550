"""The trained models for the scripts of the front page, in half precision, as they are shipped.

A file begins with the length of its header. The header is JSON, with names, shapes and words; all numbers follow.
"""

import json
import struct

import numpy as np

from transformer_kit.corpus.numbers import in_words
from transformer_kit.corpus.text import ASKING, CONTRACTIONS, SPELLINGS
from transformer_kit.dictionary.definitions import TEMPERATURE, TOP_P
from transformer_kit.dictionary.unfit import STEMS
from transformer_kit.parameters.tree import named_arrays
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model


def translator():
    """Return the file of the translation model.

    Returns
    -------
    bytes
    """
    model = load_model()
    return _file(
        model,
        source=list(model.source_vocabulary),
        target=list(model.target_words),
        longest=model.longest_source,
        maxLength=model.max_len,
        contractions=CONTRACTIONS,
        spellings=SPELLINGS,
        asking=ASKING,
        numbers=[in_words(str(n)) for n in range(101)],
    )


def dictionary():
    """Return the file of the dictionary.

    Returns
    -------
    bytes
    """
    model = load_dictionary()
    return _file(
        model,
        merges=model.pieces.merges,
        longest=model.longest_word,
        maxLength=model.max_len,
        temperature=TEMPERATURE,
        topP=TOP_P,
        unfit=STEMS,
    )


def _file(model, **facts):
    arrays = named_arrays(model)
    facts |= {"heads": model.n_heads, "arrays": {name: array.shape for name, array in arrays.items()}}
    header = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 2)  # the numbers begin at an even place
    numbers = b"".join(np.asarray(array, dtype="<f2").tobytes() for array in arrays.values())
    return struct.pack("<I", len(header)) + header + numbers
