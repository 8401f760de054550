"""The questions of unit 06: predict, then run; and errors to find in a printed example."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples.networks import PRINTED, REPAIRED

ONE_TOKEN_CHANGED = Choice(
    "one-token-changed",
    "B",
    {
        "A": "In attention they do, because every output is an average over all tokens. Here no position is asked "
        "about any other.",
        "B": "The network is applied to one row at a time. Nothing of one row enters another, so only the row of the "
        "changed token moves.",
        "C": "There is no order in this network: it does not know which rows come later, and no row looks at another.",
    },
)

PRINTED_SHAPES = Choice(
    "printed-shapes",
    "B",
    {
        "A": "Then both products exist, and the notes silently do just that. But a token of three numbers comes out "
        "with two, which cannot be added to it.",
        "B": "Two numbers in, two numbers out, any width in between: W_1 needs as many rows as a token has numbers, "
        "and W_2 as many columns.",
        "C": "Then X times W_1 exists, but the hidden layer has three numbers, while b_1 has two and W_2 two rows.",
        "D": "These shapes do multiply, and that makes it dangerous: every row of the product would mix the two "
        "tokens. No error would tell you.",
    },
)


def _hidden():
    return PRINTED.X_in_the_steps @ PRINTED.params.W_1 + PRINTED.params.b_1


REPAIRED_HIDDEN = Numbers(
    "repaired-hidden",
    _hidden,
    0.006,
    "None of the four printed numbers was right. The first row had lost the minus sign of -0.3 (and was then rounded "
    "oddly). In the second row the first number lacks its last product, and the second one, 0.41, belongs one place "
    "to the left.",
    (
        (PRINTED.printed_hidden, "These are the printed numbers."),
        (
            np.array([PRINTED.sign_lost, PRINTED.hidden[1]]),
            "The second row is right now. In the first one, mind the sign of -0.3.",
        ),
        (
            np.array([PRINTED.hidden[0], PRINTED.printed_hidden[1]]),
            "The first row is right now. The second one is still the printed one.",
        ),
        (PRINTED.hidden - PRINTED.params.b_1, "The products are right. Add the bias."),
    ),
)

ALL_OUTPUTS_POSITIVE = Choice(
    "all-outputs-positive",
    "B",
    {
        "A": "ReLU makes the hidden layer non-negative, not the output. W_2 may have negative entries, and nothing "
        "is cut off behind it.",
        "B": "From the printed hidden layer, the second number of row 0 is 0.49 · (-0.3) + 0.24 · 0.2 + 0.05 = -0.049. "
        "From the right one, the second number of row 1 is 0.41 · (-0.3) + 0.19 · 0.2 + 0.05 = -0.035. The printed "
        "output follows from neither.",
        "C": "There is no such rule. How many outputs are negative depends on the weights alone.",
    },
)


def _output():
    return reference.position_wise_ffn(REPAIRED.X, REPAIRED.params)


REPAIRED_OUTPUT = Numbers(
    "repaired-output",
    _output,
    6e-4,
    "One hidden number, -0.01, is cut off, and both outputs of its token feel it. The outputs themselves may be "
    "negative.",
    (
        (REPAIRED.output_without_relu, "The second row is right. In the first one, ReLU has something to do."),
        (REPAIRED.output_cut_off, "You applied ReLU to the output as well. It belongs to the hidden layer only."),
        (
            reference.relu(REPAIRED.X) @ REPAIRED.params.W_1 @ REPAIRED.params.W_2,
            "You applied ReLU to the tokens. It belongs to the hidden layer.",
        ),
        (REPAIRED.hidden, "This is the hidden layer. Now the second map."),
    ),
)

RANK = Choice(
    "rank-without-activation",
    "B",
    {
        "A": "The matrix has eight rows and columns, but every output is put together from three hidden numbers only.",
        "B": "Everything has to pass through three hidden numbers. So all outputs lie in a space of three dimensions, "
        "however large the matrix is.",
        "C": "The rank of a product is at most the smallest of the sizes on the way, not their sum.",
    },
)

SHARE = Choice(
    "share-of-the-layer",
    "C",
    {
        "A": "That is the share of the attention.",
        "B": "It would be so with d_ff = 2 d_model. The paper's network is twice as wide.",
        "C": "The attention has four matrices of d_model by d_model. The network has two that are four times as "
        "large, which is eight such squares: eight of twelve.",
        "D": "The network is large, but not that large: compare eight squares of d_model by d_model with four.",
    },
)

WIDTH = Choice(
    "swiglu-width",
    "B",
    {
        "A": "Three matrices of the same width hold 1.5 times as many numbers as two.",
        "B": "Three matrices share what two had, so each is two thirds as wide: 2048 · 2/3 is about 1365.",
        "C": "That would be right for four matrices in place of two.",
        "D": "A wider network has more numbers, and there is already one more matrix.",
    },
)

QUESTIONS = (
    ONE_TOKEN_CHANGED,
    PRINTED_SHAPES,
    REPAIRED_HIDDEN,
    ALL_OUTPUTS_POSITIVE,
    REPAIRED_OUTPUT,
    RANK,
    SHARE,
    WIDTH,
)
