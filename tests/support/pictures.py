"""What a picture ships: its image as a tree, its data, the parts of its image; and pictures to look at."""

import json
import re
from base64 import b64decode
from xml.etree import ElementTree

import numpy as np

from transformer_kit import reference
from transformer_kit.examples.masks import BATCH
from transformer_kit.examples.tokens import LONGER
from transformer_kit.pictures import clocks, leak_meter, ripples

MAX_BYTES = 40_000  # of a picture with its words and its script
THEMES = {"light": "background:#fff;color:#1a1a1a", "dark": "background:#111;color:#e8e8e8"}


def drawing(picture):
    """Read a picture's image as the tree of an SVG file."""
    address = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', picture.html)[1]
    return ElementTree.fromstring(b64decode(address))


def data_of(picture):
    return json.loads(re.search(r"const data=(.*);\n", picture.html)[1])


def groups(picture, name):
    return [group for group in drawing(picture).iter() if name in group.get("class", "").split()]


def self_attention(mask_of):
    """Return masked attention as a function of tokens of shape (n, 3), with a mask for every n."""
    W_Q, W_K, W_V = np.random.default_rng(1).standard_normal((3, 3, 3)) / 2
    return lambda X: reference.masked_attention(X @ W_Q, X @ W_K, X @ W_V, mask_of(len(X)))[0]


def pictures_of_the_first_units():
    """Return the pictures of units 00, 01 and 03, by name."""
    words, turning = LONGER.split(), (reference.angular_frequencies, reference.positional_encoding)
    forward, backward = 3 * np.random.default_rng(4).random((2, len(words), len(words)))
    attends = {
        "no mask": self_attention(lambda n: None),
        "causal": self_attention(reference.causal_mask),
        "one off": self_attention(lambda n: np.tri(n, k=1, dtype=bool)),
    }
    X = np.random.default_rng(3).standard_normal((5, 3))
    return {
        "ripples": ripples(words, np.tril(forward), np.triu(backward), start=3),
        "clocks": clocks(*turning),
        "turned clocks": clocks(*turning, reference.shift_matrix),
        "leak meter": leak_meter(attends, X, BATCH.tokens[0], choice=1, word=2),
    }
