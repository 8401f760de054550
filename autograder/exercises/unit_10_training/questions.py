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
        "which-model",
        right="D",
        replies={
            "A": "That would count if there were a fair way to make such predictions. Look at the last line of the "
            "table.",
            "B": "Then its loss would be small on its training sentences, and large on new ones. These are new "
            "sentences.",
            "C": "The losses are means over more than a thousand words. A difference of 0.27 is no accident.",
        },
        reason="To be less surprised than somebody who knows every probability, one has to know the answers. Model "
        "B does. At inference, where nobody knows them, it writes nothing. How it came to know them you will see at "
        "the end of this unit, when you train such a model yourself.",
    ),
    Numbers(
        "loss-floor",
        _floor,
        6e-4,
        "The best that a model can do is to give exactly the target, 0.92 and four times 0.02. Then the loss is the "
        "entropy of the target, and no training can bring it any lower: a model that is more certain than that is "
        "punished for it. So losses for different epsilons cannot be compared.",
        (
            (
                0.0,
                "A loss of 0 needs a model that is certain. A certain model gives the other words no probability at "
                "all, but the target wants some for them, and the logarithm of 0 makes that infinitely expensive.",
            ),
            (
                -np.log(0.92),
                "That is the part of the right word alone, and not even multiplied by its share. All five words count.",
            ),
            (-0.92 * np.log(0.92), "That is the part of the right word. The other four have their shares, too."),
            (-np.log(0.9), "The right word gets its part of the even shares as well: 0.92. And the others count, too."),
            (_floor() / np.log(2), "That is in bits. Take the natural logarithm."),
            (np.log(5), "That is the loss of a model that only guesses. It can do better."),
        ),
    ),
    Choice(
        "sum-over-targets",
        right="C",
        replies={
            "A": "The bracket [u = v] is gone already. In this sum every u has the same factor, p_v.",
            "B": "Each of the V terms is multiplied by t_u, and these add up to 1, not to V.",
            "D": "What smoothing takes from the right word it gives to the others. The sum of the shares stays 1.",
        },
        reason="p_v does not depend on u, so it comes out of the sum, and the shares of a target sum to 1: of a "
        "plain one as of a smoothed one. Both terms together make the simplest gradient of the whole model.",
    ),
    Choice(
        "attention-left-to-chance",
        right="A",
        replies={
            "B": "The matrices stay random, but what they are applied to is trained.",
            "C": "It does learn where to look. A score is a product of two vectors and two matrices, and the "
            "vectors are still trained.",
        },
        reason="90 %, and with another random beginning 90 % again, where the fully trained model has 89 %. The "
        "vectors that are multiplied by the random matrices learn to fit them. Even with a whole encoder that stays "
        "random, all but its embeddings, it is 88 %. So what a part does in a trained model does not tell you "
        "whether the part had to be trained.",
    ),
    Choice(
        "careless-translator",
        right="C",
        replies={
            "A": "A wrong pair pulls the parameters one way, the next one another way.",
            "B": "More. What the wrong pairs teach differs from pair to pair.",
        },
        reason="78 % instead of 84 %. The wrong pairs contradict one another and cancel out, the right ones agree. "
        "The loss does suffer, 1.51 instead of 1.03, since the model has learned to be less sure. And so do the "
        "held-out sentences: 47 % instead of 66 %.",
    ),
    Choice(
        "wrong-english",
        right="C",
        replies={
            "A": "The Spanish words before it would tell it as much. But in training the English was always right, "
            "so nothing has taught the model to fall back on them.",
            "B": "That would be its loss if it gave up on the English. But it never had to doubt it.",
        },
        reason="It goes from about 1 to about 5: all that it knows of Spanish does not help. In training the "
        "English was always right, so nothing has taught the model to doubt it. It says with confidence what the "
        "English means, and that costs more than to know no more than how often each word occurs.",
    ),
    Choice(
        "silent-bug",
        right="D",
        replies={
            "A": "They would, without the copy. As it is, only what the decoder reads has changed. What does it "
            "read?",
            "B": "Both functions are told which positions are tokens.",
            "C": "Rate and Adam get the number of the step that is being taken, as they should.",
        },
        reason="All positions but the first read the word that they have to predict. The start symbol was put in, "
        "but nothing moved to the right. The mask lets a position see itself, and rightly so, because what it reads "
        "is the word before. Without the shift it is the answer. The decoder does not leak, the batch does: that is "
        "why first_leak is silent.",
    ),
)
