"""The questions of unit 10."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference

SMOOTHED = reference.smooth_labels(np.array([0]), 5, 0.1)


def _floor():
    """The loss of a model that gives exactly the smoothed target: its entropy."""
    return reference.cross_entropy(np.log(SMOOTHED), SMOOTHED)


QUESTIONS = (
    Choice(
        "printed-decoder-input",
        "B",
        {
            "A": "Then the decoder would have had nothing to read when it wrote “Me”.",
            "B": "The start symbol and two words. The output at the last of them is what “los” is read from.",
            "C": "“los” is what is to be found. If the decoder read it, there would be nothing left to find.",
        },
    ),
    Choice(
        "training-passes",
        "A",
        {
            "A": "All that the decoder has to read is known beforehand. So the whole shifted target goes in at once, "
            "and the mask hides from every position what it must not know.",
            "B": "That is what writing takes, where each word has to be there before the next one can be found. In "
            "training the whole target is known.",
            "C": "One pass for every beginning of the sentence, each from its first token on, would be even more work "
            "than writing. In training the whole target is known.",
        },
    ),
    Numbers(
        "loss-floor",
        _floor,
        6e-4,
        "The best that a model can do is to give exactly the target, 0.92 and four times 0.02. Then the loss is the "
        "entropy of the target, and no training can bring it further down.",
        (
            (
                0.0,
                "A loss of 0 needs a model that is certain. A certain model gives the other words no probability at "
                "all, but the target wants some for them, and the logarithm of 0 makes that infinitely expensive.",
            ),
            (
                -np.log(0.92),
                "That is the part of the right word alone, and not even weighted with its share. All five words count.",
            ),
            (-0.92 * np.log(0.92), "That is the part of the right word. The other four have their shares, too."),
            (-np.log(0.9), "The right word gets its part of the even shares as well: 0.92. And the others count, too."),
            (_floor() / np.log(2), "That is in bits. Take the natural logarithm."),
            (np.log(5), "That is the loss of a model that only guesses. It can do better."),
        ),
    ),
    Choice(
        "first-loss",
        "C",
        {
            "A": "A loss of 0 means to be certain, and right. This model knows nothing.",
            "B": "The right word would have the probability 0.37 then. A model that knows nothing cannot give each of "
            "147 words that much.",
            "C": "Even shares are 1/147, and minus the logarithm of that is 4.99. A first loss far from the logarithm "
            "of the vocabulary's size is a sign that something is wrong.",
            "D": "A loss of 147 nats would be a probability of e to the power of -147. Guessing is much better than "
            "that.",
        },
    ),
    Choice(
        "one-too-many",
        "C",
        {
            "A": "The word that is shown too early is not noise: it is the answer. Why should the loss get worse?",
            "B": "One more visible word is little, but it is the very word that has to be said.",
            "C": "The answer can be read off, so the loss soon falls as far as it can. It does not say how the model "
            "came by the answer.",
        },
    ),
)
