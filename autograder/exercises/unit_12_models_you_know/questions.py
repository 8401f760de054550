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
        "D",
        {
            "A": "Without any bend nothing is left, as the last line shows. But what counts is that small numbers on "
            "one side are held back, and GELU does that, too.",
            "B": "It does far better. The norms after each sub-layer take care of much, and a word need only stay the "
            "likeliest.",
            "C": "It does even better. The norms after each sub-layer take care of much, and a word need only stay the "
            "likeliest.",
            "D": "All 60, one more than with ReLU, which is luck. Logits are off by as much as 5, but a word need only "
            "stay the likeliest. Without any bend nothing is left: it matters that there is one, and its exact shape "
            "matters little.",
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
            "but the encoder uses its place, as it did for the gender. In Spanish the subject's article "
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
