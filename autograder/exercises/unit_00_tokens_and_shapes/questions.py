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
        "B",
        {
            "A": "Most of all at “like”, with 70 %. But Spanish puts the plural into the verb: “gusta” for one cat, "
            "“gustan” "
            "for several. Something has to say which.",
            "B": "70 % and 23 %. The cats are what pleases, and there are several, so the verb ends in -n. Whoever "
            "translates word by word cannot know that yet.",
            "C": "“I” gets 5 %. In English the verb agrees with “I”; in Spanish it is the cats that please me.",
        },
    ),
    Choice(
        "who-needs-an-end",
        "A",
        {
            "A": "3.704 here. The beginnings of one word add up to 1, those of two words to another 1, those of three "
            "to 0.94. Only with the factor of the end does a beginning share its probability with what may follow.",
            "B": "True with the factor of the end. Without it, the sentences of one word alone have 1: 0.8 for “me” "
            "and "
            "0.2 for “adoro”. Then come those of two words.",
            "C": "Leaving out factors below 1 makes a product larger, never smaller.",
        },
    ),
    Choice(
        "same-word",
        "C",
        {
            "A": "That would be useful, but a look-up cannot do it: it sees one id and nothing of the sentence. "
            "Vectors that know their neighbours are what the rest of the model computes.",
            "B": "A look-up does not see the place either. Places come in with unit 01.",
            "C": "Both tokens have the same id, and the same id means the same row. A look-up sees one word at a "
            "time: neither its neighbours nor its place.",
        },
    ),
    Choice(
        "nearest-to-cat",
        "D",
        {
            "A": "0.32. The meaning is the same, but the Spanish around it is not: “el gato”, “los gatos”.",
            "B": "-0.13, although both are singular nouns. “la mesa” is feminine, “el gato” is masculine.",
            "C": "-0.14: cats drink it, but the model has never seen a cat. It has seen “la leche” and “el gato”.",
            "D": "0.55, because “el zapato” is masculine like “el gato”. Nobody told the English table of Spanish "
            "genders, "
            "but it needs them for its articles: of 75 nouns, every single one has its nearest neighbour among those "
            "of its own gender. What a vector means is what it is needed for.",
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
        "last-state",
        "A",
        {
            "A": "532 times as far. The last word enters the last state directly; every earlier one was mixed with "
            "newer "
            "words and squeezed again and again. Training helps, and so do cleverer networks.",
            "B": "It would be about twenty if every word lost the same amount on its way. But each step takes a "
            "share of what is left, and shares multiply.",
            "C": "All words pass through the same function, but not equally often: the first one 20 times, the last "
            "one once.",
        },
    ),
    Choice(
        "what-attention-buys",
        "B",
        {
            "A": "The same last state begins, but the context goes to the state of the first word directly.",
            "B": "From 0.0006 to 0.018. No word is far away any more; each has a share of its own in the context. "
            "These "
            "weights are random: a trained decoder gives the first word as much as it needs.",
            "C": "The context is an average of 20 states, so one word has a small share of it. And the last word has "
            "its "
            "advantage still: it is also in the last state.",
        },
    ),
)
