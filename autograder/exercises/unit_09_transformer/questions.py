"""The questions of unit 09."""

from autograder.questions import Choice

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
        "words-in-its-mouth",
        "B",
        {
            "A": "You would think so: the decoder reads what it has written. But it has a second source for the "
            "gender, the English “sister”, which it reads with its attention to the source, and it takes that one. "
            "In training both always agreed, so the model never had to learn which of the two to follow.",
            "B": "The gender of the adjective comes from the memory, not from the Spanish noun beside it: we tried 24 "
            "sentences like this one, and it was so in all of them. In training both always agreed, so the model never "
            "had to learn which of the two to follow.",
            "C": "It cannot take anything back, and it has never read a sentence in which somebody corrects himself.",
        },
    ),
    Choice(
        "how-many-bits",
        "C",
        {
            "A": "That is far more than it needs.",
            "B": "Eight are enough, as many people have found for much larger models. How far down can you go?",
            "C": "With 31 values for each matrix it translates as well as ever, although the logits are off by as much "
            "as 8. Then comes the cliff: with 4 bits a quarter of the translations are acceptable, with 3 none. As "
            "with the borrowed attention, a word need only stay the likeliest.",
            "D": "Then every entry is one of three numbers: minus something, 0, or plus something. That is too coarse "
            "for this model, which was not trained for it.",
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
