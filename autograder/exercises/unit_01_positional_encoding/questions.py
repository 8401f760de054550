"""The questions of unit 01."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples import positions

ROW_3 = positions.TABLE[3]
OWN_EXPONENT = np.array([ROW_3[0], ROW_3[1], ROW_3[2], np.cos(3 / 10000**0.75)])
HALF_EXPONENT = np.array([ROW_3[0], ROW_3[1], np.sin(3 / 10), np.cos(3 / 10)])
DOUBLE_EXPONENT = np.array([ROW_3[0], ROW_3[1], np.sin(3 / 10000), np.cos(3 / 10000)])
ONE_ADDITION_MENDED = np.array([positions.SUMS[0], positions.PRINTED_SUMS[1]])
TABLE_MENDED = np.array([positions.PRINTED_SUMS[0], positions.SUMS[1]])


def _table():
    return reference.positional_encoding(4, positions.D_MODEL)


def _repaired_row():
    return _table()[3]


def _repaired_sums():
    return reference.add_positions(positions.EMBEDDINGS, _table())[:2]


QUESTIONS = (
    Choice(
        "shuffled-tokens",
        "B",
        {
            "A": "Attention compares vectors, and nothing in a vector says where it stands. So the result follows "
            "the word, not its place.",
            "B": "Every word meets the same set of words as before, only listed in another order, and a weighted "
            "sum does not depend on the order of its terms.",
            "C": "Attention does not know what a neighbour is. Every word meets exactly the same words as before, "
            "so it gets exactly the same weighted sum.",
        },
    ),
    Choice(
        "longest-wave",
        "A",
        {
            "A": "The largest exponent is 510/512, just short of 1. So the slowest frequency stays a little above "
            "1/10000, and the longest wave a little below 2π times 10000.",
            "B": "That is the figure usually quoted, and nearly right. But the largest exponent in the formula is "
            "510/512, not 1.",
            "C": "The largest exponent would then have to be above 1. In the formula it is 510/512.",
        },
    ),
    Choice(
        "printed-table",
        "C",
        {
            "A": "Row 0 begins 0, 1: the sine of 0, then the cosine of 0. That is the right order.",
            "B": "Row 0 is 0, 1, 0, 1, which are sines and cosines of 0. So counting starts at 0, as it should.",
            "C": "Columns 2 and 3 are a copy of columns 0 and 1. They were computed with the exponent 0 as well, so "
            "the table says everything twice. A second pair needs a second frequency.",
            "D": "3 radians is a little less than half a turn, and the cosine of half a turn is -1. The sign is right.",
        },
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
    Numbers(
        "repaired-sums",
        _repaired_sums,
        1e-4,
        "One typing slip in the first row, and two numbers in the second that came from a wrong table. An error in "
        "one line is inherited by all the lines that use it.",
        (
            (positions.PRINTED_SUMS, "These are the printed sums."),
            (
                ONE_ADDITION_MENDED,
                "Row 0 is right now. Row 1 was added correctly, but with a wrong table: take yours.",
            ),
            (TABLE_MENDED, "Row 1 is right now. In row 0, do the four additions once more."),
        ),
    ),
    Choice(
        "away-from-the-diagonal",
        "C",
        {
            "A": "The length of every row is the same, but the dot product also depends on the angle between two "
            "rows, and that changes with the distance.",
            "B": "It cannot fall all the way. The fastest pair contributes the cosine of the distance itself, which "
            "comes back to almost 1 after about six steps.",
            "C": "All the cosines start at 1 and fall together. Then the fast ones rise and fall again, each at its "
            "own pace, while the slow ones are still falling.",
        },
    ),
)
