"""The questions of unit 06: predict, then run; errors to find in a printed example; a step on paper."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "units-at-work",
        "C",
        {
            "A": "ReLU switches off whatever is negative, so nearly all would have to be positive at every word. They "
            "are not.",
            "B": "That is so before training, when every number is as likely to be negative as positive. Training "
            "changes that: most units of the trained model are off nearly everywhere, and each responds only to its "
            "own kind of word.",
            "C": "Only about one unit in fifty is on. That is what makes a unit readable: it is off nearly "
            "everywhere, and on at a few words.",
        },
    ),
    Choice(
        "bend-or-network",
        "B",
        {
            "A": "Without it 32 sentences are still right, without its bend none. At a word some 250 units are "
            "negative, and the maximum keeps them quiet. Without it they all speak at once: what the network adds "
            "becomes fifteen times as long, and buries the word.",
            "B": "Without the network 32 sentences are right, without its bend none. At a word some 250 units are "
            "negative, and the maximum keeps them quiet. Without it they all speak at once: what the network adds "
            "becomes fifteen times as long, and buries the word. And there is no network left: two linear maps in a "
            "row are one, as `collapse_linear` shows.",
            "C": "One of the two is fatal. Think of the units that are off: what becomes of their numbers?",
        },
    ),
    Choice(
        "printed-shapes",
        "D",
        {
            "A": "Then both products exist, and the notes do just that without saying so. But a token of three numbers "
            "comes out with two, which cannot be added to it.",
            "B": "Then X times W_1 exists, but the hidden layer has three numbers, while b_1 has two and W_2 two rows.",
            "C": "These shapes do multiply, and that makes it dangerous: every row of the product would mix the two "
            "tokens. No error would tell you.",
            "D": "Two numbers in, two numbers out, any width in between: W_1 needs as many rows as a token has "
            "numbers, and W_2 as many columns.",
        },
    ),
    Choice(
        "rank-without-activation",
        "A",
        {
            "A": "Everything has to pass through three hidden numbers. So all outputs lie in a space of three "
            "dimensions, however large the matrix is.",
            "B": "The matrix has eight rows and columns, but every output is put together from three hidden numbers "
            "only.",
            "C": "The rank of a product is at most the smallest of the sizes on the way, not their sum.",
        },
    ),
    Choice(
        "gradient-of-w2",
        "B",
        {
            "A": "Every position uses this parameter, so its gradient collects something from each of them.",
            "B": "The parameter enters Y[i, j] at every position i, each time multiplied by H[i, k]. All these "
            "contributions add up. As a product of matrices that is the transposed H times dY.",
            "C": "The parameter in row k and column j enters column j of the output only. It is the positions that "
            "have to be summed over.",
        },
    ),
    Choice(
        "hurried-backward",
        "A",
        {
            "A": "It asks whether the gradient is positive. What counts is whether the unit was on in the forward "
            "pass: before > 0. The parameters of the second map never pass this line, so theirs are right.",
            "B": "The way back through the second map is one product with the transposed W_2. This line is right.",
            "C": "Product and sum are as in the table. They are right if d_before is, and it is not.",
        },
    ),
    Choice(
        "share-of-the-layer",
        "C",
        {
            "A": "That is the share of attention.",
            "B": "That would be right with d_ff = 2 d_model. The paper's network is twice as wide.",
            "C": "Attention has four matrices of d_model by d_model. The network has two that are four times as "
            "large, which is eight such squares: eight of twelve.",
            "D": "The network is large, but not that large: compare eight squares of d_model by d_model with four.",
        },
    ),
    Choice(
        "swiglu-width",
        "B",
        {
            "A": "Three matrices of the same width hold 1.5 times as many numbers as two.",
            "B": "Three matrices share what two had, so each is two thirds as wide: 2048 · 2/3 is about 1365.",
            "C": "That would be right for four matrices in place of two.",
            "D": "A wider network has more numbers, and there is already one more matrix.",
        },
    ),
)
