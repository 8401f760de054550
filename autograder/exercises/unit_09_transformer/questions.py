"""The questions of unit 09."""

from autograder.specification import Choice

QUESTIONS = (
    Choice(
        "one-mistake-inside",
        "C",
        {
            "A": "A word is written if its logit is the largest, whatever its size. In most places the right word is "
            "so far ahead of all others that an error of 4 does not change the order.",
            "B": "Far more. A word is written if its logit is the largest, and in most places the right word leads by "
            "so much that it stays in front.",
            "C": "59 of 60, and the sentences alone would never tell you. A right translation proves little: only the "
            "largest logit counts, and it may be wrong by a lot and still be the largest. So look at the numbers.",
        },
    ),
    Choice(
        "borrowed-line",
        "B",
        {
            "A": "They have them: the matrices of all heads stand side by side in one. Splitting the product gives "
            "each head what its own columns have made.",
            "B": "The root is taken before the heads are split, so it is that of 64, the width of all heads together, "
            "and not of 16, the width of one. Every score comes out at half its size. The shapes fit, and the "
            "translations hardly show it.",
            "C": "The last two axes of K are tokens and features, for each head by itself. Swapped, they give the "
            "product of every query with every key.",
            "D": "The scores have an axis for the heads and the mask has none. An axis of length 1 in that place lets "
            "one mask serve all heads.",
        },
    ),
    Choice(
        "they-like",
        "A",
        {
            "A": "'A' is likelier than 'les', but what follows it is split between men and women, about half and half. "
            "After 'les' there is nothing to split. What you saw in the toy model of unit 08 happens in a trained one, "
            "too.",
            "B": "The likeliest first word need not begin the likeliest sentence. After 'a' the probability has to be "
            "shared between 'ellos' and 'ellas'.",
            "C": "That would need a first word 'a' with two thirds of the probability. It has little more than half, "
            "and two sentences share it.",
        },
    ),
    Choice(
        "where-parameters-are",
        "C",
        {
            "A": "A layer of the decoder has about twice the attention of one of the encoder, and the decoder holds 40 "
            "per cent of all numbers. How many words does the model know?",
            "B": "They hold 40 per cent: the largest part, but not this one.",
            "C": "Of the 63,045,632 numbers 18,944,000 stand in the table: 30 per cent. The feed-forward networks of "
            "all twelve layers hold 40 per cent, and attention and norms the other 30.",
        },
    ),
    Choice(
        "cached-steps",
        "A",
        {
            "A": "1 + 2 + ... + 20 = 210 positions against 20: about ten times. It is a little more, as the whole "
            "prefix also projects the memory anew at every step. In general the cost of a sentence grows with the "
            "square of its length, and with the cache in proportion to it.",
            "B": "20 would be right if every step had all 20 positions. The prefixes have 1, 2, 3, ... positions: half "
            "of that on average.",
            "C": "20 times 20 positions would be 400 against 1. But the prefixes are shorter than that, and the cached "
            "way has 20 positions, not one.",
        },
    ),
)
