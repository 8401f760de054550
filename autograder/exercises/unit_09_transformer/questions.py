"""The questions of unit 09."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "one-mistake-inside",
        right="C",
        replies={
            "A": "A word is written if its logit is the largest, whatever its size.",
            "B": "Far more. A word is written if its logit is the largest, whatever its size.",
        },
        reason="59 of 60, and the sentences alone would never tell you. In most places the right word is so far "
        "ahead of all others that an error of 4 does not change the order. A right translation proves little: only "
        "the largest logit counts, and it may be wrong by a lot and still be the largest. So look at the numbers.",
    ),
    Choice(
        "borrowed-line",
        right="B",
        replies={
            "A": "They have them: the matrices of all heads stand side by side in one. Splitting the product gives "
            "each head what its own columns have made.",
            "C": "The last two axes of K are tokens and features, for each head by itself. Swapped, they give the "
            "product of every query with every key.",
            "D": "The scores have an axis for the heads and the mask has none. An axis of length 1 in that place "
            "lets one mask serve all heads.",
        },
        reason="The root, `scale`, is taken before the heads are split, so it is that of 64, the width of all heads "
        "together, and not of 16, the width of one. Every score comes out at half its size. The shapes fit, and the "
        "translations hardly show it.",
    ),
    Choice(
        "words-in-its-mouth",
        right="A",
        replies={
            "B": "You would think so: the decoder reads what it has written. But it has a second source for the "
            "gender, the English “sister”, which it reads with its attention to the source.",
            "C": "It cannot take anything back, and it has never read a sentence in which somebody corrects "
            "himself.",
        },
        reason="*alta*: the gender of the adjective comes from the memory, not from the Spanish noun beside it. We "
        "tried 24 sentences like this one, and it was so in all of them. In training both always agreed, so the "
        "model never had to learn which of the two to follow.",
    ),
    Choice(
        "how-many-bits",
        right="B",
        replies={
            "A": "Then every entry is one of seven numbers, and that is too coarse for this model, which was not "
            "trained for it.",
            "C": "Eight are enough, as many people have found for much larger models. But fewer will do.",
            "D": "That is far more than it needs.",
        },
        reason="Five. With 31 values for each matrix it translates as well as ever, although the logits are off by "
        "as much as 8. Then comes the cliff: with 4 bits a quarter of the translations are acceptable, with 3 none. "
        "As with the borrowed attention, a word need only stay the likeliest.",
    ),
    Choice(
        "cached-steps",
        right="B",
        replies={
            "A": "The prefixes have 1, 2, 3, ... positions, and the whole of each is computed anew.",
            "C": "20 would be right if every step had all 20 positions. The prefixes are half as long on average.",
            "D": "20 times 20 positions would be 400 against 1. But the prefixes are shorter than that, and the "
            "cached way has 20 positions, not one.",
        },
        reason="1 + 2 + ... + 20 = 210 positions against 20: about ten times. It is a little more, as the whole "
        "prefix also projects the memory anew at every step. In general the cost of a sentence grows with the square "
        "of its length, and with the cache in proportion to it.",
    ),
)
