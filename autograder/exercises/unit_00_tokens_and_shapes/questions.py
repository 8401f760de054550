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
        "where-gustan-looks",
        right="A",
        replies={
            "B": "The cats decide whether the verb is *gusta* or *gustan*, but most of the weight stays on the word "
            "that is being translated.",
            "C": "Both matter, but not equally.",
            "D": "In English the verb agrees with “I”; in Spanish it is the cats that please me.",
        },
        reason="70 % goes to “like”, 23 % to “cats”, 5 % to “I”. The cats are what pleases, and there are several, "
        "so the verb ends in -n. A word-by-word translator cannot know that yet.",
    ),
    Choice(
        "who-needs-an-end",
        right="A",
        replies={
            "B": "That is true with the factor of the end.",
            "C": "Leaving out factors below 1 makes a product larger, never smaller.",
        },
        reason="They add up to 3.704 here. The prefixes of one word, “me” and “adoro”, add up to 1 by themselves, "
        "those of two words to another 1, those of three to 0.94. The end factor makes a prefix split its "
        "probability between stopping and going on.",
    ),
    Choice(
        "same-word",
        right="C",
        replies={
            "A": "That would be useful, but vectors that know their neighbours are what the rest of the model "
            "computes.",
            "B": "Places come in with unit 01.",
        },
        reason="Both tokens have the same id, and the same id means the same row. A look-up sees one word at a "
        "time: neither its neighbours nor its place.",
    ),
    Choice(
        "nearest-to-cat",
        right="D",
        replies={
            "A": "0.32. The meaning is the same, but the Spanish around it is not: “el gato”, “los gatos”.",
            "B": "-0.13, although both are singular nouns. “la mesa” is feminine, “el gato” is masculine.",
            "C": "-0.14: cats drink it, but the model has never seen a cat. It has seen “la leche” and “el gato”.",
        },
        reason="*shoe* has 0.55: “el zapato” is masculine like “el gato”. Nobody told the English table of Spanish "
        "genders, but it needs them for its articles: of 75 nouns, every single one has its nearest neighbour among "
        "those of its own gender. What a vector means is what it is needed for.",
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
        "last-state",
        right="C",
        replies={
            "A": "For that, every word would have to lose very little at each step.",
            "B": "It would be about twenty if every word lost the same amount on its way. But each step takes a "
            "share of what is left, and shares multiply.",
            "D": "The loss multiplies from step to step, but not as fast as that.",
        },
        reason="532 times as far. The last word enters the last state directly; every earlier one was mixed with "
        "newer words and squeezed again and again. Training helps, and so do cleverer networks.",
    ),
    Choice(
        "what-attention-buys",
        right="B",
        replies={
            "A": "The same last state begins, but the context goes to the state of the first word directly.",
            "C": "The context is an average of 20 states, so one word has a small share of it. And the last word "
            "still has its advantage: it is also in the last state.",
        },
        reason="The movement goes from 0.0006 to 0.018. No word is far away any more; each has a share of its own "
        "in the context. These weights are random: a trained decoder gives the first word as much as it needs.",
    ),
)
