"""The questions of unit 06: predict, then run; errors to find in a printed example; a step on paper."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "units-at-work",
        right="A",
        replies={
            "B": "Far fewer.",
            "C": "That is so before training, when every number is as likely to be negative as positive.",
            "D": "ReLU switches off whatever is negative, so nearly all would have to be positive at every word.",
        },
        reason="About five of them: only one unit in fifty is on. Training has done that: most units are off nearly "
        "everywhere, and each responds only to its own kind of word. That is what makes a unit readable.",
    ),
    Choice(
        "bend-or-network",
        right="B",
        replies={
            "A": "With the FFN goes all that it has learned, and most sentences survive.",
            "C": "One of the two is fatal. Think of the units that are off: what becomes of their numbers?",
            "D": "They are far apart. Think of the units that are off: what becomes of their numbers?",
        },
        reason="Without the FFN 32 sentences are right, without the maximum none. At a word some 250 units are "
        "negative, and the maximum keeps them quiet. Without it they all speak at once: what the FFN adds "
        "becomes fifteen times as long, and buries the word. And nothing of the FFN is left: two linear maps in a row "
        "are one, as `collapse_linear` shows.",
    ),
    Choice(
        "printed-shapes",
        right="D",
        replies={
            "A": "Then both products exist, and the notes do just that without saying so. But a token of three "
            "numbers comes out with two, which cannot be added to it.",
            "B": "Then X times W_1 exists, but the hidden layer has three numbers, while b_1 has two and W_2 two "
            "rows.",
            "C": "These shapes do multiply, and that makes it dangerous: every row of the product would mix the two "
            "tokens. No error would tell you.",
        },
        reason="Two numbers in, two numbers out, any width in between: W_1 needs as many rows as a token has "
        "numbers, and W_2 as many columns.",
    ),
    Choice(
        "rank-without-activation",
        right="A",
        replies={
            "B": "8 - 3 is the number of dimensions that are lost.",
            "C": "The matrix has eight rows and columns, but every output is put together from three hidden numbers "
            "only.",
            "D": "The rank of a product is at most the smallest of the sizes on the way, not their sum.",
        },
        reason="3: everything has to pass through three hidden numbers. So all outputs lie in a space of three "
        "dimensions, however large the matrix is.",
    ),
    Choice(
        "gradient-of-w2",
        right="B",
        replies={
            "A": "Every position uses this parameter, so its gradient collects something from each of them.",
            "C": "The parameter in row k and column j enters column j of the output only. It is the positions that "
            "have to be summed over.",
        },
        reason="The parameter enters Y[i, j] at every position i, each time multiplied by H[i, k]. All these "
        "contributions add up. As a product of matrices that is the transposed H times dY.",
    ),
    Choice(
        "hurried-backward",
        right="A",
        replies={
            "B": "The way back through the second map is one product with the transposed W_2. This line is right.",
            "C": "Product and sum are as in the table. They are right if d_before is, and it is not.",
        },
        reason="The line of d_before asks whether the gradient is positive. What counts is whether the unit was on "
        "in the forward pass: before > 0. The parameters of the second map never pass this line, so theirs are "
        "right.",
    ),
    Choice(
        "share-of-the-layer",
        right="C",
        replies={
            "A": "That is the share of attention.",
            "B": "That would be right with d_ff = 2 d_model. The paper's FFN is twice as wide.",
            "D": "The FFN is large, but not that large.",
        },
        reason="Attention has four matrices of d_model by d_model. The FFN has two that are four times as "
        "large, which is eight such squares: eight of twelve.",
    ),
    Choice(
        "swiglu-width",
        right="A",
        replies={
            "B": "Two matrices became three, so two thirds of the width, not three quarters.",
            "C": "Three matrices of the same width hold 1.5 times as many numbers as two.",
            "D": "A wider network has more numbers, and there is already one more matrix.",
        },
        reason="Three matrices share what two had, so each is two thirds as wide: 2048 · 2/3 is about 1365.",
    ),
)
