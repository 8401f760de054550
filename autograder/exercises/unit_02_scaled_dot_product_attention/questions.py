"""Questions of unit 02: predict, then run; and errors to find in printed numbers."""

from autograder.questions import Choice, Numbers
from transformer_kit.examples.attention import CATS

SHARPER = Choice(
    "ten-times-the-scores",
    "B",
    {
        "A": "Adding the same number to every score would change nothing; multiplying stretches the gaps.",
        "B": "A gap of 1 between two scores is a factor of 2.7 between their weights, a gap of 10 a factor of 22,026.",
        "C": "Not more alike: the gaps between the scores get wider, and the exponential turns gaps into factors.",
    },
)

PRINTED_STEPS = Choice(
    "printed-steps",
    "D",
    {
        "A": "Not only the first: the printed weights do not follow from the printed scores either. "
        "Test it with `softmax`.",
        "B": "Dividing by 2 is done correctly in the second line. The trouble is what was divided.",
        "C": "The printed weights do not follow from the line above, but there is a wrong line before them.",
        "D": "The first line is divided by 2 already and is divided again; then the printed weights do not follow from "
        "the result. In the first row they are instead the right weights to one decimal, so the two errors cancel: "
        "a result that looks right does not vouch for its steps.",
    },
)

RIGHT_SCORES = Numbers(
    "right-scores",
    right=lambda: CATS.Q @ CATS.E.T / 2,
    tolerance=0.006,
    reason="These are the scaled scores, divided by 2 once. The first row is what was printed one line too early.",
    wrong=(
        (CATS.printed_scores, "These are the printed scores, which are divided by 2 twice. Start from Q and E."),
        (
            CATS.printed_products,
            "The first row is right, the second is not: the example also misread the first entry of the second query.",
        ),
        (CATS.products, "These are the plain dot products. The scores are asked for."),
        (CATS.weights, "These are the weights. The scores come before the softmax."),
    ),
)

IMPOSSIBLE_ROWS = Choice(
    "impossible-rows",
    "D",
    {
        "A": "Look at the first two columns. In every row of V the second entry is 0.2 above the first.",
        "B": "The second row is not possible either: look for an entry above everything in its column of V.",
        "C": "The first row is not possible either: in every row of V the second entry is 0.2 above the first, "
        "so it is in every average.",
        "D": "In every row of V the second entry is 0.2 above the first, so it is in every average of them; the "
        "printed rows have 0.3. And 0.6 in the second row is above everything in its column. No arithmetic with "
        "weights was needed, and no knowledge of the hidden columns.",
    },
)

JACOBIAN_MEAN = Choice(
    "jacobian-mean",
    "B",
    {
        "A": "The diagonal is positive, but what a row has on it is taken away beside it.",
        "B": "Every row sums to 0, whatever the scores and whatever the divisor: the weights always sum to 1, "
        "so their changes sum to 0. A mean in the title of such a plot is rounding noise.",
        "C": "The divisor changes the size of the entries. Each row still sums to the same number.",
        "D": "There are more entries beside the diagonal than on it, but they are smaller. "
        "Add up one row of the worked example.",
    },
)

UNSCALED_GRADIENT = Choice(
    "unscaled-gradient",
    "C",
    {
        "A": "That is what the usual short explanation suggests, and it is true of the typical row. "
        "The mean does not fall.",
        "B": "That is the scaled attention.",
        "C": "Most rows saturate and pass on almost nothing. But in a few rows two keys nearly tie, and there the "
        "gradient is the larger the longer the keys are. Those few carry the mean.",
    },
)

QUESTIONS = (SHARPER, PRINTED_STEPS, RIGHT_SCORES, IMPOSSIBLE_ROWS, JACOBIAN_MEAN, UNSCALED_GRADIENT)
