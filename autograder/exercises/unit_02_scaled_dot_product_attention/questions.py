"""Questions of unit 02: what a trained head looks at, steps on paper, and errors to find in printed work."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit.examples.attention import CATS

IT_IS_LATE = Choice(
    "it-is-late",
    right="A",
    replies={
        "B": "It would be a sensible rule. But “it” gives itself 1 %.",
        "C": "That is where a reader would look. “late” gets 1 %.",
        "D": "A softmax never has to choose, and at random that is what would happen. This head is trained, and it "
        "is sure of itself.",
    },
    reason="“table” gets 96 %, if anything more than before. The head does not ask what the word means. It looks "
    "for a noun to agree with, as it does for “red”, and takes what it finds. The weights say where a head looks, "
    "not what it has understood.",
)

CAT_OR_DOG = Choice(
    "cat-or-dog",
    right="B",
    replies={
        "A": "It is the subject, and gets no more than its rival.",
        "C": "It is nearer, but 46 % is no clear choice.",
    },
    reason="“cat” gets 43 % and “dog” 46 %: a head cannot point, it can only share out. And neither grammar nor "
    "nearness settles it: let the two animals change places, and “cat” gets 73 % against 19 %.",
)

PRINTED_STEPS = Choice(
    "printed-steps",
    right="D",
    replies={
        "A": "Line 1 is wrong, but not alone. Test the weights with `softmax`.",
        "B": "Halving is done correctly in line 2, and 2 is the root of 4. The trouble is what was halved.",
        "C": "The printed weights do not follow from the line above, but there is a wrong line before them.",
    },
    reason="Line 1 is divided by 2 already (and in its second row one entry of the query was misread), line 2 "
    "divides again, and the printed weights do not follow from the result. In the first row they are the right "
    "weights to one decimal all the same: the two errors cancel. A right-looking result does not prove the steps "
    "right.",
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
    right="D",
    replies={
        "A": "Look at the first two columns.",
        "B": "The second row is not possible either: look for an entry above everything in its column of V.",
        "C": "The first row is not possible either: compare its first two entries with those of V.",
    },
    reason="In every row of V the second entry is 0.2 above the first, so it is in every average of them; the "
    "printed rows have 0.3. And 0.6 in the second row is above everything in its column. You needed neither weights "
    "nor the hidden columns.",
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

UNSCALED_GRADIENT = Choice(
    "unscaled-gradient",
    right="C",
    replies={
        "A": "That is what the usual short explanation suggests, and it is true of the typical row: the median ends "
        "at 0.0009. The mean does not fall.",
        "B": "That is what happens with the scale.",
    },
    reason="It rises from 0.26 to 1.64, give or take 0.07. Most rows saturate and pass on next to nothing. But in a "
    "few rows two keys nearly tie, and there the gradient grows with the length of the keys. At 1,024 a tenth of the "
    "rows has 75 % of it all.",
)

ONE_NUMBER = Choice(
    "one-number",
    right="C",
    replies={
        "A": "That would be p dpᵀ, a column times a row. Here a row meets a column.",
        "B": "These are its terms, before they are added up.",
        "D": "It would be 0 for the changes of p, which sum to 0. But dp is a gradient, and may be anything.",
    },
    reason="A row times a column gives one number: the products pᵢ dpᵢ added up, and the pᵢ are weights that sum to "
    "1. So the gradient of a score is its weight times how far its dpᵢ is from that mean, and no matrix is needed.",
)

GRADIENT_OF_THE_WEIGHTS = Choice(
    "gradient-of-the-weights",
    right="B",
    replies={
        "A": "Its shapes do not fit: Vᵀ has `n_keys` columns, and dO has `n_queries` rows.",
        "C": "That product exists and has the shape of V: it is the gradient with respect to the values.",
        "D": "Its shapes do not fit: dO has `d_v` columns, and V has `n_keys` rows.",
    },
    reason="In O[i, c] the weight A[i, j] is multiplied by V[j, c], so its gradient is the sum of dO[i, c] V[j, c] "
    "over c: rows of dO with rows of V, which is dO Vᵀ. In words: a weight should grow if its value points where the "
    "output should have gone.",
)

QUESTIONS = (
    IT_IS_LATE,
    CAT_OR_DOG,
    PRINTED_STEPS,
    RIGHT_SCORES,
    IMPOSSIBLE_ROWS,
    FIRST_ROW,
    UNSCALED_GRADIENT,
    ONE_NUMBER,
    GRADIENT_OF_THE_WEIGHTS,
)
