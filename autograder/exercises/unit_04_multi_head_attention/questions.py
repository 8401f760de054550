"""The questions of unit 04."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit.examples.heads import PRINTED_LAYER, WIDE_HEADS

CONCAT, W_O = PRINTED_LAYER.concat, PRINTED_LAYER.W_O
EXCHANGED = W_O[[0, 2, 1, 3]]
MIXED_COLUMN = np.column_stack([PRINTED_LAYER.output[:, 0], CONCAT @ EXCHANGED[:, 1]])


def _product():
    return CONCAT @ W_O


def _shape_for_wide_heads():
    return (WIDE_HEADS.n_heads * len(WIDE_HEADS.head_0), WIDE_HEADS.d_model)


QUESTIONS = (
    Choice(
        "plain-reshape",
        "B",
        {
            "A": "That is what we want, but a reshape cannot do it: it never changes the order in which the numbers "
            "lie in memory, and there 0, 1, 2 is followed by 3, not by 100.",
            "B": "A reshape keeps the numbers in their order, row after row, and only draws new borders. The first "
            "half of all numbers belongs to the first two tokens.",
            "C": "For that, numbers that are not neighbours would have to come together. A reshape keeps the numbers "
            "in their order and only draws new borders.",
        },
    ),
    Choice(
        "wrong-root",
        "B",
        {
            "A": "Dividing by more makes the scores smaller, and smaller scores mean smaller differences between the "
            "weights.",
            "B": "The divisor is too large by the root of the number of heads. The scores are too small, so all "
            "weights move towards one tenth.",
            "C": "The softmax makes the weights sum to 1, but it does not undo a factor in its argument: it depends "
            "on the differences between the scores, and these shrink.",
        },
    ),
    Choice(
        "heads-exchanged",
        "A",
        {
            "A": "The output is a sum with one term per head (it is written out below), and a sum does not depend on "
            "the order of its terms. So heads have no order of their own: two trainings may find the same heads at "
            "other places.",
            "B": "They would, if the rows of W_O stayed where they are. But each head takes its rows of W_O along.",
            "C": "Every head still has the same matrices, so it finds the same. Only its place is another.",
        },
    ),
    Choice(
        "layer-shapes",
        "C",
        {
            "A": "It could be so, but it need not. A head may have any width: its W_Q goes from the width of the model "
            "to the width of the head.",
            "B": "Two heads of width 2 side by side are 4 wide. That need not be the width of the model, because W_O "
            "comes after it.",
            "C": "The sum with the input needs an output of width 3, and it is W_O that decides about it. Its rows "
            "are right: 2 heads of width 2. It needs 3 columns.",
            "D": "They do multiply, and so nobody noticed. But the output has to be added to the input, and 2 columns "
            "cannot be added to 3.",
        },
    ),
    Numbers(
        "shape-for-wide-heads",
        _shape_for_wide_heads,
        0,
        "One row per column of the merged heads, one column per column of the model. Heads of full width are allowed; "
        "they only cost more: with them the number of parameters does grow with the number of heads.",
        (
            ((4, 4), "That fits heads of width 2. The two heads as printed are 8 wide when they are side by side."),
            ((8, 8), "The rows are right. The output has to be as wide as the model."),
            ((4, 8), "Rows and columns have changed places: the merged heads stand on the left of W_O."),
            ((2, 4), "W_O has a row for every column of every head, not one per head."),
        ),
    ),
    Numbers(
        "printed-product",
        _product,
        6e-4,
        "All four printed numbers were wrong. One of them, 2.032, is what comes out when two numbers in the second "
        "column of W_O have changed places.",
        (
            (PRINTED_LAYER.printed_output, "These are the printed numbers."),
            (CONCAT[:, :2] @ W_O[:2], "This is what head 0 contributes. Head 1 has the other two rows of W_O."),
            (CONCAT[:, 2:] @ W_O[2:], "This is what head 1 contributes. Head 0 has the other two rows of W_O."),
            (_product() / 2, "The contributions of the heads are added, not averaged."),
            (CONCAT @ EXCHANGED, "Rows 1 and 2 of W_O have changed places."),
            (MIXED_COLUMN, "In the second column, the middle two numbers of W_O have changed places."),
            (CONCAT[:, [2, 3, 0, 1]] @ W_O, "The heads have changed places, but their rows of W_O have not."),
        ),
    ),
    Choice(
        "more-heads",
        "B",
        {
            "A": "Twice as many heads, but each only half as wide: the matrices have as many columns as before.",
            "B": "W_Q has n_heads · d_k columns. Twice as many heads of half the width are as many columns as before.",
            "C": "Each head becomes narrower by half, but there are twice as many.",
        },
    ),
)
