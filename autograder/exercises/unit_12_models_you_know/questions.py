"""The questions of unit 12's exercises."""

from autograder.specification import Choice

QUESTIONS = (
    Choice(
        "which-bias-does-nothing",
        "B",
        {
            "A": "It is added to every query, and so changes the score of each key by an amount of its own.",
            "B": "It adds the same number to all scores of a row: the product of the query with the bias. Softmax "
            "does not notice what is added to a whole row.",
            "C": "The weights of a row sum to 1, so it is added to every head as it is. That changes the output.",
            "D": "It is added to the output as it is.",
        },
    ),
    Choice(
        "wrong-activation",
        "A",
        {
            "A": "None of 60, although it looks so much like ReLU. But 94 % of the numbers that come to the activation "
            "are negative, most of them far from 0, and a tenth of each adds up to four times what ReLU lets through. "
            "What matters is that the units which are off stay off.",
            "B": "All 60, one more than with ReLU, which is luck. GELU differs from ReLU near 0 alone, and far below 0 "
            "it is 0, too. There most of the numbers are that come to the activation.",
            "C": "57 of 60. The outputs of the networks get about ten times as large, but a unit that was off stays "
            "off, and the norm after the sum sets the size back.",
            "D": "Two of the three do little harm. It matters less how much a unit that is on lets through than that "
            "the others stay off. Which one lets something through where ReLU is 0?",
        },
    ),
    Choice(
        "who-does-it",
        "C",
        {
            "A": "It is right for nine in ten sentences. A single vector does better: what was written in one place is "
            "diluted in a mean.",
            "B": "In an encoder every vector may look at the whole sentence, not only the last. This one is right for "
            "three in four sentences.",
            "C": "95 % right, more than the mean with 90 % and the full stop with 76 %. The word itself says nothing, "
            "but the encoder uses its place. In Spanish the subject's article "
            "comes first, and has to agree with its noun.",
        },
    ),
    Choice(
        "sentence-with-itself",
        "C",
        {
            "A": "encode_source is told which positions are tokens and hides the others from all words.",
            "B": "Padding is added at the end. The words keep their positions.",
            "C": "The mask keeps padding from being looked at, not from looking: each padded position puts out a "
            "vector too, and here most of the mean is made of them. Your sentence_vector leaves them out.",
            "D": "For vectors of length 1 the dot product is the cosine.",
        },
    ),
)
