"""The questions of unit 05."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples.attention import CATS
from transformer_kit.examples.translation import TWO_HEADS


def _cats():
    return reference.scaled_dot_product_attention(CATS.Q, CATS.E, CATS.E)[0]


def _head_1(scale=1.0):
    """Return head 1 of the two printed heads; `scale` multiplies the scaled scores."""
    Q, K, V = (
        X @ W.T
        for X, W in (
            (TWO_HEADS.decoder, TWO_HEADS.W_Q),
            (TWO_HEADS.key_input, TWO_HEADS.W_K),
            (TWO_HEADS.value_input, TWO_HEADS.W_V),
        )
    )
    return reference.softmax(scale * reference.attention_scores(Q, K)) @ V


def _head_1_of_printed_transposes():
    inputs = (TWO_HEADS.decoder, TWO_HEADS.key_input, TWO_HEADS.value_input)
    projected = (X @ W for X, W in zip(inputs, TWO_HEADS.printed_transposes.values(), strict=True))
    return reference.scaled_dot_product_attention(*projected)[0]


QUESTIONS = (
    Choice(
        "last-line",
        "B",
        {
            "A": "Test the second row: 0.25 · 0.1 + 0.35 · 0.5 + 0.4 · 0.9 is 0.56, and 0.65 is printed.",
            "B": "The row of “Me” follows from its weights. The row of “gustan” should begin with 0.56, but 0.65 is "
            "printed; two digits may have changed places, and the other entries were continued from there.",
            "C": "It is the other way round: try 0.25 · 0.1 + 0.35 · 0.5 + 0.4 · 0.9 for “gustan”.",
            "D": "The row of “Me” does follow: 0.2 · 0.1 + 0.3 · 0.5 + 0.5 · 0.9 is 0.62.",
        },
    ),
    Numbers(
        "repaired-contexts",
        _cats,
        0.0011,
        "Each row is a weighted mean of the three rows of E. Every row of E rises by 0.1 from column to column, and so "
        "does every context vector.",
        (
            (CATS.printed_output, "These are the printed contexts."),
            (
                CATS.printed_weights @ CATS.E,
                "This repairs the last line only. The printed weights are wrong, too: start from Q and E.",
            ),
            (
                reference.softmax(CATS.printed_scores) @ CATS.E,
                "You started from the printed scores, which are divided by 2 twice. Start from Q and E.",
            ),
            (
                reference.softmax(CATS.printed_products) @ CATS.E,
                "The first row is right. The printed line that you started from has a misread entry in its second row: "
                "start from Q and E.",
            ),
            (
                reference.softmax(CATS.products) @ CATS.E,
                "You left out the divisor: the scores are divided by the square root of d_k = 4.",
            ),
        ),
    ),
    Choice(
        "memory-projections",
        "A",
        {
            "A": "The memory does not change while the translation is written, and neither do W_K and W_V. So the keys "
            "and values of the first step are those of every step.",
            "B": "That is what happens when the layer is called anew for each word. It gives the right numbers, and 4 "
            "of its 5 projections repeat the first one.",
            "C": "That would be the number if the memory grew by a token with every step. It is finished before the "
            "first word is written.",
        },
    ),
    Choice(
        "look-ahead",
        "C",
        {
            "A": "“I like black” does not say whether the word is to be “el”, “la”, “los” or “las”.",
            "B": "The decoder may not see target words that it has not written. The English sentence is complete, and "
            "hiding a part of it would only make the translation worse.",
            "C": "“los” is masculine and plural because of the cats, and these stand at source position 3. Source "
            "positions and target positions are counted in two different sentences, so “later” means nothing here.",
        },
    ),
    Choice(
        "printed-transposes",
        "D",
        {
            "A": "Compare its first row with the first column of W_Q: 0.1 and 0.2.",
            "B": "Compare its first row with the first column of W_K: 0.5 and 0.4.",
            "C": "Compare its first row with the first column of W_V: 0.2 and 0.8.",
            "D": "In all three, the second number of the first row is the one that stood there before. A transpose "
            "must move it. The matrix for the queries has a second error, the 0.2 in its second row.",
        },
    ),
    Numbers(
        "repaired-head",
        _head_1,
        0.0011,
        "Three wrong transposes gave wrong projections, and every later line inherits them. The printed weights "
        "of the first row, 0.533 and 0.467, are nearly right all the same: a number that looks right does not vouch "
        "for the steps before it.",
        (
            (TWO_HEADS.printed_head_1, "These are the printed numbers."),
            (
                _head_1_of_printed_transposes(),
                "You used the three printed matrices. They are not the transposes: take `.T` of the stored ones.",
            ),
            (
                _head_1(scale=np.sqrt(2)),
                "The divisor is missing. One head has queries and keys of width 2.",
            ),
            (
                _head_1(scale=np.sqrt(2 / 3)),
                "You divided by the square root of 3, the width of the model. One head has queries of width 2.",
            ),
        ),
    ),
    Choice(
        "width-of-output",
        "B",
        {
            "A": "Heads may be narrower than the model. In the paper they are: 64 columns beside 512.",
            "B": "Both heads side by side are 4 wide, so W_O has 4 rows, and it must have as many columns as a decoder "
            "state has entries: 3, not 2. Otherwise the result cannot be added to the state that asked.",
            "C": "The rows count target positions, of which there may be any number. They have nothing to do with W_O.",
            "D": "A product of these shapes exists, so a program would not complain here. It complains one step later, "
            "when the result is added to the decoder states.",
        },
    ),
    Choice(
        "two-sure-heads",
        "B",
        {
            "A": "Each head alone has the entropy 0. But their mean has two weights of 1/2, and that is a different "
            "distribution.",
            "B": "The mean is 1/2 for each of the two words, and the entropy of two halves is ln 2 = 0.693. So a high "
            "entropy of the mean can come from heads that are each sure, and of different words.",
            "C": "That would be four equal weights. The mean of the two heads has only two weights that are not 0.",
        },
    ),
)
