"""The questions of unit 12's exercises."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "without-biases",
        right="C",
        replies={
            "A": "That is what happens with every β of the norms at 0.",
            "B": "More. Compare the size of what the biases add with the spread of what they are added to.",
        },
        reason="59, as before, although the logits move by up to 4. These biases were trained like everything else, "
        "and hardly anything came to depend on them: they shift the inputs of the ReLUs by about 0.1, and without "
        "them these have a spread of 1.8. That is not true of all vectors that are merely added: with every β of the "
        "norms at 0, none of the 60 is acceptable.",
    ),
    Choice(
        "wrong-activation",
        right="A",
        replies={
            "B": "All 60 are acceptable, one more than with ReLU, which is luck. GELU differs from ReLU near 0 "
            "alone, and far below 0 it is 0, too.",
            "C": "57 of 60. The outputs of the networks get about ten times as large, but a unit that was off stays "
            "off, and the norm after the sum sets the size back.",
            "D": "Two of the three do little harm. It matters less how much a unit that is on lets through than "
            "that the others stay off.",
        },
        reason="With leaky ReLU none of 60, although it looks so much like ReLU. But 94 % of the numbers that come "
        "to the activation are negative, most of them far from 0, and a tenth of each adds up to four times what "
        "ReLU lets through. What matters is that the units which are off stay off.",
    ),
    Choice(
        "who-does-it",
        right="A",
        replies={
            "B": "It is right for nine in ten sentences. What was written in one place is diluted in a mean.",
            "C": "In an encoder every vector may look at the whole sentence, not only the last. This one is right "
            "for three in four sentences.",
        },
        reason="The first: 95 % right, more than the mean with 90 % and the full stop with 76 %. The word itself "
        "says nothing, but the encoder uses its place. In Spanish the subject's article comes first, and has to "
        "agree with its noun.",
    ),
    Choice(
        "sentence-with-itself",
        right="D",
        replies={
            "A": "encode_source is told which positions are tokens and hides the others from all words.",
            "B": "Padding is added at the end. The words keep their positions.",
            "C": "For vectors of length 1 the dot product is the cosine.",
        },
        reason="The mask keeps padding from being looked at, not from looking: each padded position puts out a "
        "vector too, and here most of the mean is made of them. Your sentence_vector leaves them out.",
    ),
    Choice(
        "thin-matrices",
        right="A",
        replies={
            "B": "Far fewer. What is passed on has to be right.",
            "C": "Not at all. Where to look may be decided roughly, but what is passed on has to be right.",
        },
        reason="1. A score only has to be larger than the others of its row, so queries and keys may be coarse. "
        "What the values carry is added to the vector as it is. With twice the rank, 32, it is 51, and for the "
        "queries and keys 59. Low-rank adaptation is another matter: there the *change* is thin, not the matrix.",
    ),
)
