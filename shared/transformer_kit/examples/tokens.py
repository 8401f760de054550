"""Tokens: two vocabularies, a table of word vectors, and a toy translator of "I like cats"."""

import numpy as np

SENTENCES = ("I like cats", "Write a poem about cats")
LONGER = "I like a poem I write about cats I like"

# The ids that a set of lecture notes gives to "I like cats". Any other numbers would do; the last id is added.
PRINTED_VOCABULARY = {"i": 101, "like": 200, "cats": 300, "<unk>": 100}
PRINTED_IDS = np.array([101, 200, 300])

# From here on ids count the rows of a table.
VOCABULARY = {"<pad>": 0, "<unk>": 1, "i": 2, "like": 3, "cats": 4, "write": 5, "a": 6, "poem": 7, "about": 8}
TOKEN_IDS = np.array([[2, 3, 4, 0, 0], [5, 6, 7, 8, 4]])  # of SENTENCES, padded
IS_TOKEN = np.array([[True, True, True, False, False], [True, True, True, True, True]])

# One row per word of VOCABULARY; row 0 belongs to no word.
EMBEDDINGS = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [0.1, -0.2, 0.1, 0.3],
        [0.9, 0.1, -0.4, 0.2],
        [-0.3, 0.8, 0.5, -0.1],
        [0.4, 0.6, -0.7, 0.8],
        [-0.6, -0.5, 0.9, 0.2],
        [0.2, -0.1, 0.0, -0.3],
        [0.7, -0.8, 0.3, 0.5],
        [-0.2, 0.3, -0.6, 0.1],
    ]
)

# What may come next in the Spanish for "I like cats", and how probable it is. What is not listed has ended.
CONTINUATIONS = {
    (): {"me": 0.8, "adoro": 0.2},
    ("me",): {"gustan": 0.9, "encantan": 0.1},
    ("me", "gustan"): {"los": 0.95, "gatos": 0.05},
    ("me", "gustan", "los"): {"gatos": 0.9, "perros": 0.1},
    ("me", "encantan"): {"los": 1.0},
    ("me", "encantan", "los"): {"gatos": 1.0},
    ("adoro",): {"los": 0.7, "gatos": 0.3},
    ("adoro", "los"): {"gatos": 1.0},
}
SENTENCE_PROBABILITIES = {
    "me gustan los gatos": 0.6156,
    "me gustan los perros": 0.0684,
    "me gustan gatos": 0.036,
    "me encantan los gatos": 0.08,
    "adoro los gatos": 0.14,
    "adoro gatos": 0.06,
}


def next_words(prefix):
    """Return the probability of every word that may follow a prefix, given "I like cats".

    Parameters
    ----------
    prefix : tuple of str
        The Spanish words so far.

    Returns
    -------
    dict
    """
    return CONTINUATIONS.get(prefix, {"<end>": 1.0})
