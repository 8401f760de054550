"""The questions of unit 09's exercises."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "where-parameters-are",
        "B",
        {
            "A": "A layer of the decoder has about twice the attention of one of the encoder, but at this size that is "
            "not the largest part. How many words does the model know?",
            "B": "Of the 63,045,632 numbers 18,944,000 stand in the table: 30 per cent. The feed-forward networks of "
            "all twelve layers together hold 40 per cent, and the attention the other 30.",
            "C": "They hold 40 per cent: the largest part, but less than half.",
        },
    ),
    Choice(
        "layer-by-layer",
        "A",
        {
            "A": "Positions come in with the input of the first layer, and everything behind it is made of that. So "
            "the first part that differs is the input itself, and nothing behind it tells more.",
            "B": "The first layer gets an input that is wrong already. What differs before that?",
            "C": "The logits differ, too, but they are the last of many parts that do. The first one is what counts.",
        },
    ),
)
