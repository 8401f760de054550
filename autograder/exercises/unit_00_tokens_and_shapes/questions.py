"""The questions of unit 00."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples import tokens

D_OUT = 6


def _sizes():
    """Read the unknown sizes of the shape table off the arrays themselves."""
    sequences = [reference.encode(text, tokens.VOCABULARY) for text in tokens.SENTENCES]
    token_ids, is_token = reference.pad_batch(sequences, tokens.VOCABULARY["<pad>"])
    rows = reference.one_hot(token_ids, len(tokens.VOCABULARY))
    X = reference.embed(token_ids, tokens.EMBEDDINGS)
    W, b = np.ones((X.shape[-1], D_OUT)), np.ones(D_OUT)
    output = reference.linear(X, W, b)
    return [token_ids.shape[1], np.sum(~is_token), rows.shape[-1], X.shape[-1], *W.shape, *b.shape, output.shape[-1]]


QUESTIONS = (
    Choice(
        "same-word",
        "A",
        {
            "A": "Both tokens have the same id, and the same id means the same row. A look-up sees one word at a "
            "time: neither its neighbours nor its place.",
            "B": "That would be useful, but a look-up cannot do it: it sees one id and nothing of the sentence. "
            "Vectors that know their neighbours are what the rest of the model computes.",
            "C": "A look-up does not see the place either. Places come in with the next notebook.",
        },
    ),
    Numbers(
        "shape-table",
        _sizes,
        0.0,
        "The batch and the places stay as they are all the way; only the last axis changes, from words to vectors to "
        "other vectors.",
        (
            (
                [5, 2, 9, 4, 6, 4, 6, 6],
                "All right except W: it stands on the right of X, so its first size, ?5, must be the last size of X.",
            ),
            (
                [5, 2, 8, 4, 4, 6, 6, 6],
                "All right except ?3: 8 is the largest id, but ids count from 0. How many words are there?",
            ),
            (
                [5, 8, 9, 4, 4, 6, 6, 6],
                "All right except ?2: you counted the places that are True.",
            ),
            (
                [5, 2, 9, 4, 4, 6, 4, 6],
                "All right except ?7: b is added to the result of the product, not to X.",
            ),
        ),
    ),
    Choice(
        "last-state-index",
        "C",
        {
            "A": "There are as many steps as words. Count the words: the first one has the number 0.",
            "B": "That is what is printed. But the first word already makes the state number 1, so after the word "
            "number n the state has a higher number than the word.",
            "C": "Words number 0 to n are n + 1 words, and each makes one step from the state number 0. The state is "
            "always one ahead of its word.",
        },
    ),
    Choice(
        "last-state",
        "C",
        {
            "A": "The first word has passed through every later step, and each step mixed it with a new word and "
            "squeezed the result.",
            "B": "All words pass through the same function, but not equally often: the first one 20 times, the last "
            "one once.",
            "C": "The last word enters the last state directly. Every earlier word was mixed with newer ones and "
            "squeezed again and again.",
        },
    ),
)
