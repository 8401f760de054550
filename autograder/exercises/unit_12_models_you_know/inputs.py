"""What the claims of this unit share: words with their vocabularies, learned pairs, and layers with biases."""

from collections import Counter
from itertools import pairwise

import numpy as np

from transformer_kit.parameters import init_biased_attention, init_encoder_layer
from transformer_kit.reference import byte_pair_merge

D_MODEL, N_HEADS, D_FF = 12, 3, 20


def words_of(rng, letters, *lengths):
    """Draw words of these lengths."""
    return ["".join(rng.choice(list(letters), length)) for length in lengths]


def numbered(rng, pieces, zero=None):
    """Return a vocabulary of these pieces, in any order; the one named, and no other, has the id 0."""
    pieces = sorted(set(pieces))
    ids = 1 + rng.permutation(3 * len(pieces))
    return {(one := pieces[place]): 0 if one == zero else int(ids[place]) for place in rng.permutation(len(pieces))}


def learned_pairs(rng, words, count):
    """Learn pairs from words: again and again the one that occurs most often.

    Parameters
    ----------
    rng : numpy.random.Generator
    words : list of str
    count : int
        How many at most.

    Returns
    -------
    dict from (str, str) to int
        Ranks from 0 on, with gaps, in no order.
    """
    pairs, order = {}, np.sort([0, *rng.choice(np.arange(1, 5 * count), count - 1, replace=False)])
    for rank in order.tolist():
        cut = [byte_pair_merge(list(word), pairs) for word in words]
        number = Counter(pair for symbols in cut for pair in pairwise(symbols))
        made = set(map("".join, pairs))
        new = [pair for pair in sorted(number) if "".join(pair) not in made]  # of two ways to a symbol only one
        if not new:
            break
        pairs[max(new, key=number.get)] = rank
    return shuffled(rng, pairs)


def shuffled(rng, ranks):
    """Return the same dictionary in another order."""
    entries = list(ranks.items())
    return dict(entries[place] for place in rng.permutation(len(entries)))


def biased_layer(rng):
    """Draw a layer with biases, in which no two parts are alike."""
    layer = init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)
    return layer._replace(attention=init_biased_attention(rng, D_MODEL, N_HEADS, noise=0.5))
