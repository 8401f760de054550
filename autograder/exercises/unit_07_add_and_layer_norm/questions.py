"""The questions of unit 07."""

import numpy as np

from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples.norms import REPAIRED


def _repaired():
    """The printed example with four features, at the default eps."""
    return reference.layer_norm(REPAIRED.total, np.ones(4), np.zeros(4))


def _normalised(z):
    return (z - z.mean()) / z.std()


QUESTIONS = (
    Choice(
        "how-many-means",
        "B",
        {
            "A": "One mean per feature, taken over all sentences and tokens, is what batch norm computes.",
            "B": "Every token of every sentence has its own mean, taken over its 512 features: 8 times 10 of them.",
            "C": "“Per training example” is often said, and here it would be a sentence. But the ten tokens of a "
            "sentence do not share a mean.",
            "D": "One mean for everything would tie all sentences together. Your result would depend on who else is "
            "in the batch.",
        },
    ),
    Choice(
        "eps-seen",
        "B",
        {
            "A": "The two are different functions: the root of 1 + eps is about 1 + eps/2, not 1 + eps.",
            "B": "The root of 1.00001 is about 1.000005, and 1 + eps is 1.00001. A test that allows a relative error "
            "of 1e-5 accepts both.",
            "C": "That is what an eps of 0.1 would do. A root halves a small addition to 1, and this one is tiny.",
        },
    ),
    Choice(
        "two-features",
        "C",
        {
            "A": "3 + 7 is 10, so the mean is 5. It is right.",
            "B": "Dividing by d - 1 would give ±0.7071. But layer norm uses the population variance, so ±1 is right.",
            "C": "Two numbers lie at the same distance from their mean, one on each side, and that distance is also "
            "their standard deviation. So the result is -1 and 1, in the order of their size, whatever they were.",
            "D": "In the paper, and in your function, the sum comes first. The order is right.",
        },
    ),
    Numbers(
        "repaired-norm",
        _repaired,
        6e-5,
        "The sum is (3, 7, -1, 3). Two features sit at the mean and become 0; the other two lie 4 above and below it, "
        "and the standard deviation is the root of 8.",
        (
            (REPAIRED.total, "That is the sum. Now subtract its mean and divide by its standard deviation."),
            (REPAIRED.total - 3, "The mean is subtracted. Now divide by the standard deviation."),
            ((REPAIRED.total - 3) / 8, "You divided by the variance. Take its root first."),
            ((REPAIRED.total - 3) / np.sqrt(32 / 3), "The squares are to be divided by 4, not by 3."),
            (_normalised(REPAIRED.x), "That is the norm of x alone. The sub-layer's output is to be added first."),
            (_normalised(REPAIRED.sublayer), "That is the norm of the sub-layer's output alone. Add x first."),
            (
                REPAIRED.x + _normalised(REPAIRED.sublayer),
                "Here the sub-layer's output was normalised before the sum. The sum comes first.",
            ),
        ),
    ),
    Choice(
        "zero-sublayer",
        "A",
        {
            "A": "In pre-norm the input is added as it is, and zeros add nothing. In post-norm even a silent "
            "sub-layer is followed by a norm, which replaces the vector.",
            "B": "The norm of post-norm comes after the sum, and it changes the sum whatever the sub-layer said.",
            "C": "In pre-norm the norm is on the branch, and the branch ends in zeros. Nothing of it arrives.",
            "D": "A sub-layer that is silent leaves its input alone in one of the two. Look at which way the input "
            "takes in each formula.",
        },
    ),
    Choice(
        "gradients-by-depth",
        "C",
        {
            "A": "That was the fate of sub-layers without residual connections and norms. Here every layer has a "
            "direct way to the loss.",
            "B": "Under pre-norm a branch starts with a norm, which divides by the size of its input, and its "
            "gradients are divided as well. Where are the vectors largest?",
            "C": "Under pre-norm the vectors grow on their way up, and each norm divides by their size: so later "
            "layers get smaller gradients. Under post-norm every vector has the same size, and nothing like that "
            "happens.",
        },
    ),
)
