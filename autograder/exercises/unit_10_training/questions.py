"""The questions of unit 10."""

import numpy as np

from autograder.specification import Choice, Numbers
from transformer_kit import reference

SMOOTHED = reference.smooth_labels(np.array([0]), 5, 0.1)


def _floor():
    """The loss of a model that gives exactly the smoothed target: its entropy."""
    return reference.cross_entropy(np.log(SMOOTHED), SMOOTHED)


QUESTIONS = (
    Choice(
        "which-model",
        "D",
        {
            "A": "That would count if there were a fair way to make such predictions. Look at the last line of the "
            "table: who can be less surprised than somebody who knows how likely every word is?",
            "B": "Then its loss would be small on its training sentences, and large on new ones. These are new "
            "sentences.",
            "C": "The losses are means over more than a thousand words. A difference of 0.27 is no accident.",
            "D": "To be less surprised than somebody who knows every probability, one has to know the answers. Model B "
            "does. At inference, where nobody knows them, it writes nothing. How it came to know them you will see at "
            "the end of this unit, when you train such a model yourself.",
        },
    ),
    Choice(
        "drawn-translations",
        "B",
        {
            "A": "The likeliest word is nearly always right. But the model was told to give a tenth of the probability "
            "to other words, and whoever draws meets them.",
            "B": "The model has learned what it was told: on average its likeliest word gets 0.87, and the rest is "
            "spread over all others. That is harmless as long as the likeliest is taken. Drawn word by word, few "
            "sentences come through without an accident. With top_p = 0.9 the smoothed part is cut off again.",
            "C": "Most draws hit the likeliest word, which has 0.87 on average.",
        },
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
        "C",
        {
            "A": "The bracket [u = v] is gone already. In this sum every u has the same factor, p_v.",
            "B": "Each of the V terms is multiplied by t_u, and these add up to 1, not to V.",
            "C": "p_v does not depend on u, so it comes out of the sum, and the shares of a target sum to 1: of a "
            "plain one as of a smoothed one. Both terms together make the simplest gradient of the whole model.",
            "D": "What smoothing takes from the right word it gives to the others. The sum of the shares stays 1.",
        },
    ),
    Choice(
        "after-150-steps",
        "C",
        {
            "A": "That is about the share of single words. How many of them does a sentence need?",
            "B": "Even that would be too many. A sentence needs all its words, one after the other.",
            "C": "A handful of 200. All words of a sentence have to be right, and in writing there is no teacher: "
            "after a wrong word the model reads its own mistake. The loss falls first, and the "
            "translations follow.",
        },
    ),
    Choice(
        "wrong-english",
        "A",
        {
            "A": "It goes from about 1 to about 5: all that it knows of Spanish does not help. In training the English "
            "was always right, so nothing has taught the model to doubt it. It says with confidence what the English "
            "means, and that costs more than to know no more than how often each word occurs.",
            "B": "That would be its loss if it gave up on the English. But it never had to doubt it, and now says with "
            "confidence what the English means. To be wrong with confidence costs more than to know next to nothing.",
            "C": "The Spanish words before it would tell it as much. But in training the English was always right, so "
            "nothing has taught the model to fall back on them.",
        },
    ),
    Choice(
        "silent-bug",
        "D",
        {
            "A": "It would be, without the copy. As it is, only what the decoder reads has changed. What does it read?",
            "B": "Both functions are told which positions are tokens.",
            "C": "Rate and Adam get the number of the step that is being taken, as they should.",
            "D": "The start symbol was put in, but nothing moved to the right. The mask lets a position see itself, "
            "and rightly so, because what it reads is the word before. Without the shift it is the answer. The "
            "decoder does not leak, the batch does: that is why first_leak is silent.",
        },
    ),
)
