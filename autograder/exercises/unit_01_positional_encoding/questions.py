"""The questions of unit 01."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples import positions

ROW_3 = positions.TABLE[3]
OWN_EXPONENT = np.array([ROW_3[0], ROW_3[1], ROW_3[2], np.cos(3 / 10000**0.75)])
HALF_EXPONENT = np.array([ROW_3[0], ROW_3[1], np.sin(3 / 10), np.cos(3 / 10)])
DOUBLE_EXPONENT = np.array([ROW_3[0], ROW_3[1], np.sin(3 / 10000), np.cos(3 / 10000)])


def _table():
    return reference.positional_encoding(4, positions.D_MODEL)


def _repaired_row():
    return _table()[3]


QUESTIONS = (
    Choice(
        "who-sees-whom",
        right="A",
        replies={
            "B": "The words are all there, but both sentences have the same ones. What could tell them apart?",
            "C": "The decoder still has its positions, and writes a sentence. The trouble is on the other side.",
        },
        reason="It has to be the same as before: to an encoder without positions both sentences are the same set of "
        "words. Every word meets the same others, and a weighted sum does not depend on the order of its terms. What "
        "comes out is not nonsense, only the likeliest sentence with these words.",
    ),
    Choice(
        "longest-wave",
        right="A",
        replies={
            "B": "That is what the paper says, and nearly right. But what is the largest exponent? i stops before "
            "half the width.",
            "C": "For that the largest exponent would have to be above 1.",
        },
        reason="The longest wave has 60,611 positions, 3.5 % fewer than the paper says. The largest exponent is "
        "510/512, just short of 1. What the paper says holds in the limit, as models get wider and wider.",
    ),
    Choice(
        "printed-table",
        right="C",
        replies={
            "A": "Row 0 begins 0, 1: the sine of 0, then the cosine of 0. That is the right order.",
            "B": "Row 0 is 0, 1, 0, 1, which are sines and cosines of 0. So counting starts at 0, as it should.",
            "D": "3 radians is a little less than half a turn, and the cosine of half a turn is -1. The sign is "
            "right.",
        },
        reason="Columns 2 and 3 are a copy of columns 0 and 1. They were computed with the exponent 0 as well, so "
        "the table says everything twice. A second pair needs a second frequency.",
    ),
    Numbers(
        "repaired-row",
        _repaired_row,
        6e-5,
        "The second pair moves a hundred times more slowly than the first: after three steps it has turned by 0.03 "
        "radians only.",
        (
            (positions.PRINTED_TABLE[3], "That is the printed row. Which frequency belongs to columns 2 and 3?"),
            (
                np.array([0.1411, -0.9899, ROW_3[2], ROW_3[3]]),
                "Columns 2 and 3 are right. Now look at column 1: it was cut off after four decimals, not rounded.",
            ),
            (HALF_EXPONENT, "You divided by 10. The exponent is 2i / d_model, with i = 1 for the second pair."),
            (DOUBLE_EXPONENT, "You divided by 10000. Is the 2 of 2i in your exponent twice?"),
            (OWN_EXPONENT, "Column 3 has an exponent of its own here. Both columns of a pair share one angle."),
        ),
    ),
    Choice(
        "fish-and-girl",
        right="B",
        replies={
            "A": "That is what the sentence says, and the encoder can know the order now. But it can know it and "
            "still not rely on it.",
            "C": "That would need an “and” in the English sentence, and there is none.",
        },
        reason="The girl eats the fish. Positions make it possible to tell who eats whom; nothing forces the model "
        "to use them. In all the training text people eat and fish are eaten, so here the words alone decided, and "
        "the model never learned to look at the order.",
    ),
    Choice(
        "shuffled-text",
        right="B",
        replies={
            "A": "Nearly. But read the right order backwards, and look at the distance between any two words.",
            "C": "Begin in the middle, and sooner or later the most similar row that is left is far away. Distances "
            "leave less room than that.",
            "D": "They also say how near: two words that are neighbours must stay neighbours.",
        },
        reason="The right order and its mirror image fit: cos(-x) = cos(x), so three steps ahead look like three "
        "steps back. Which end is the beginning only the rows themselves can say: at position 0 all sines are 0.",
    ),
    Numbers(
        "quarter-turn",
        lambda: np.array([[0.0, 1.0], [-1.0, 0.0]]),
        1e-6,
        "The old cosine becomes the new sine, and the old sine, with a minus, the new cosine. A clock hand that has "
        "turned "
        "by three hours.",
        (
            (
                np.array([[0.0, -1.0], [1.0, 0.0]]),
                "That is the rotation of geometry books, for vectors (cosine, sine). Here the sine comes first.",
            ),
            (np.array([[1.0, 0.0], [0.0, 1.0]]), "That turns nothing. Put 0 and 1 into the two formulas."),
            (np.array([[0.0, 1.0], [1.0, 0.0]]), "One of the two formulas has a minus."),
        ),
    ),
    Choice(
        "ten-places-later",
        right="A",
        replies={
            "B": "Fewer by far.",
            "C": "That is what is left when they are counted from 3.",
            "D": "Distances *could* be all that matters. But a word carries its position, not a distance, and "
            "training never asked this model to ignore where a sentence begins.",
        },
        reason="Two sentences are left. A shift of one costs nothing, of three 7 sentences, of ten nearly all of "
        "them, and length is not the trouble: *Are intelligent cats black?* becomes *¿Los gatos inteligentes son "
        "inteligentes?* The waves would let a model use distances alone, and this one has not learned to: every "
        "sentence of its training began at position 0.",
    ),
)
