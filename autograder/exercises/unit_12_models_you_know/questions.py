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
        "who-does-it",
        "A",
        {
            "A": "A mean is a sum, and a sum does not remember which position was added to which word. The two "
            "sentences of a pair have the same vector, so the answer is right for exactly one of them. Attention comes "
            "before the mean: it lets a noun take up what is beside it, and this survives.",
            "B": "They are added to the words, and then everything is added up. What is left of them in the mean?",
            "C": "So it does, before the mean. Write down the sum for both sentences: the same words, the same "
            "positions.",
            "D": "These two sentences differ, and their vectors do not: the same words and the same positions are "
            "added.",
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
