"""Questions of unit 02: what a trained head looks at, steps on paper, and errors to find in printed work."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit.examples.attention import CATS

IT_IS_LATE = Choice(
    "it-is-late",
    "C",
    {
        "A": "It would be a sensible rule. But “it” gives itself 1 %.",
        "B": "That is where a reader would look. “late” gets 1 %.",
        "C": "96 %, if anything more than before. The head does not ask what the word means. It looks for a noun to "
        "agree with, as it does for “red”, and takes what it finds. The weights say where a head looks, not what it "
        "has understood.",
        "D": "A softmax never has to choose, and at random that is what would happen. This head is trained, and it is "
        "sure of itself.",
    },
)

CAT_OR_DOG = Choice(
    "cat-or-dog",
    "B",
    {
        "A": "The subject gets 43 %, no more than its rival. But let the two animals change places, and “cat” gets "
        "73 % against 19 %: neither grammar nor sense settles it.",
        "B": "43 % and 46 %: a head cannot point, it can only share out. And neither grammar nor sense settles it: "
        "let the two animals change places, and “cat” gets 73 % against 19 %.",
        "C": "It is nearer, but 46 % is no clear choice; its rival has 43 %. And let the two animals change places: "
        "then “cat” gets 73 % and “dog” 19 %. Nearness does not settle it, either.",
    },
)

PRINTED_STEPS = Choice(
    "printed-steps",
    "D",
    {
        "A": "Line 1 is wrong, but not alone: the printed weights do not follow from the printed scores. "
        "Test it with `softmax`.",
        "B": "Halving is done correctly in line 2, and 2 is the root of 4. The trouble is what was halved.",
        "C": "The printed weights do not follow from the line above, but there is a wrong line before them.",
        "D": "Line 1 is divided by 2 already (and in its second row one entry of the query was misread), line 2 "
        "divides again, and the printed weights do not follow from the result. In the first row they are the right "
        "weights to one decimal all the same: the two errors cancel. A result that looks right does not vouch for its "
        "steps.",
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
        (CATS.products, "These are the plain dot products. The scores come after the division."),
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
        "printed rows have 0.3. And 0.6 in the second row is above everything in its column. You needed neither "
        "weights nor the hidden columns.",
    },
)

FIRST_ROW = Numbers(
    "first-row",
    right=lambda: np.array([7.0, -2.0, -5.0]),
    tolerance=0.01,
    reason="For j = i the quotient rule gives p₁(1 - p₁), for every other j it gives -p₁pⱼ: the score enters only "
    "through the sum Z. The three numbers sum to 0, as they must: a budget stays a budget.",
    wrong=(
        (
            np.array([7.0, 0.0, 0.0]),
            "The first number is right. But the other scores are in Z, so they matter as well.",
        ),
        (np.array([7.0, 2.0, 5.0]), "Check the signs: when another score rises, Z grows. What does p₁ do?"),
        (
            np.array([-1.0, -2.0, -5.0]),
            "You differentiated Z only. For j = i the numerator depends on the score, too.",
        ),
        (
            np.array([7.0, -2.0, -5.0]) / 64,
            "These are the derivatives themselves. Give them in 64ths, that is, 64 times as large.",
        ),
        (
            np.array([7.0, 12.0, 15.0]),
            "This is the diagonal: every weight with its own score. The question is about the first row.",
        ),
    ),
)

PRINTED_PLOT = Choice(
    "printed-plot",
    "B",
    {
        "A": "A fault, since nobody gets the printed picture twice. But the red zeros come with every seed.",
        "B": "The colours run from the smallest to the largest entry of the scaled matrix, and zero lies half "
        "way between them only by luck. With seed 0 it lies at 0.37 of the range for n = 4 and at 0.05, deep in the "
        "red, for n = 64; at n = 4 a quarter of the unscaled entries fall outside. Limits of equal size on both sides "
        "of zero put it right.",
        "C": "A map from red over white to blue suits numbers of both signs, as long as white means zero. What decides "
        "which number is white?",
        "D": "A fault: it belongs to whichever figure is current; `figure.colorbar(image, ax=panel)` says where it "
        "goes. But it only shows the colours and does not choose them.",
    },
)

UNSCALED_GRADIENT = Choice(
    "unscaled-gradient",
    "C",
    {
        "A": "That is what the usual short explanation suggests, and it is true of the typical row: the median ends at "
        "0.0001. The mean does not fall.",
        "B": "That is what happens with the scale.",
        "C": "From 0.26 to 1.25. Most rows saturate and pass on next to nothing. But in a few rows two keys nearly "
        "tie, and there the gradient grows with the length of the keys. At 1,024 a tenth of the rows has 83 % of it "
        "all.",
    },
)

ONE_NUMBER = Choice(
    "one-number",
    "C",
    {
        "A": "That would be dp pᵀ, a column times a row. Here a row meets a column.",
        "B": "These are its terms, before they are added up.",
        "C": "A row times a column: the products pᵢ dpᵢ added up, and the pᵢ are weights that sum to 1. So the "
        "gradient of a score is its weight times how far its dpᵢ is from that mean, and no matrix is needed.",
        "D": "It would be 0 for the changes of p, which sum to 0. But dp is a gradient, and may be anything.",
    },
)

GRADIENT_OF_THE_WEIGHTS = Choice(
    "gradient-of-the-weights",
    "B",
    {
        "A": "Its shapes do not fit: Vᵀ has `n_keys` columns, and dO has `n_queries` rows.",
        "B": "In O[i, c] the weight A[i, j] is multiplied by V[j, c], so its gradient is the sum of dO[i, c] V[j, c] "
        "over c: rows of dO with rows of V. In words: a weight should grow if its value points where the output "
        "should have gone.",
        "C": "That product exists and has the shape of V: it is the gradient with respect to the values.",
        "D": "Its shapes do not fit: dO has `d_v` columns, and V has `n_keys` rows.",
    },
)

QUESTIONS = (
    IT_IS_LATE,
    CAT_OR_DOG,
    PRINTED_STEPS,
    RIGHT_SCORES,
    IMPOSSIBLE_ROWS,
    FIRST_ROW,
    PRINTED_PLOT,
    UNSCALED_GRADIENT,
    ONE_NUMBER,
    GRADIENT_OF_THE_WEIGHTS,
)
