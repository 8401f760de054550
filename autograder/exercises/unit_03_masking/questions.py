"""The questions of this unit."""

from autograder.questions import Choice, Numbers
from transformer_kit.examples.masks import TWO_TOKENS

LIBRARY_MASK = Choice(
    id="library-mask",
    right="B",
    replies={
        "A": "That is what the house convention would mean. Look at the table again: what does True mean there?",
        "B": "For `key_padding_mask`, True means “ignore”. The three words are ignored, and the whole sentence "
        "attends to its padding. There is no error: the shapes fit, and the model just learns badly.",
        "C": "An error would be welcome, but shape and dtype are exactly what the library asks for. "
        "Nothing tells it that True was meant the other way round.",
        "D": "The mask does have an effect. Ask for each of the four tokens what its True or False means to that "
        "library.",
    },
)

EMPTY_ROW = Choice(
    id="empty-row",
    right="C",
    replies={
        "A": "Zeros are what we want, but an ordinary softmax cannot give them: "
        "it always divides by something, so that the result sums to 1.",
        "B": "You get thirds when all three scores are the same *finite* number, such as -1e9. "
        "Infinity is different: -∞ minus -∞ has no value.",
        "C": "Before taking exponentials, a stable softmax subtracts the largest score. "
        "Here that is -∞, and -∞ - (-∞) has no value: NaN. Without the subtraction it would be 0 / 0, which is NaN "
        "as well.",
    },
)

MASKED_WEIGHTS = Numbers(
    id="masked-weights",
    right=lambda: TWO_TOKENS.weights,
    tolerance=0.002,
    reason="The second row sees both keys, so it is the softmax of 0.9 and 1.1: 0.4502 and 0.5498, nothing else. "
    "The printed 0.4 and 0.6 are too far away for rounding; somebody wrote down tidy numbers. "
    "The printed output then inherits the error, although it follows correctly from the printed weights.",
    wrong=(
        (TWO_TOKENS.printed_weights, "These are the printed weights. Compute e^0.9 / (e^0.9 + e^1.1)."),
        (TWO_TOKENS.unmasked_weights, "Nothing is hidden here. The first token must not see the second one."),
        (
            TWO_TOKENS.weights_of_scores_times_mask,
            "This comes from scores that were multiplied by the mask: the hidden score became 0, and e^0 is 1.",
        ),
        (
            TWO_TOKENS.weights_times_mask,
            "The first row does not sum to 1. It was masked after the softmax had shared out the weights.",
        ),
        (
            TWO_TOKENS.weights_of_masked_weights,
            "Here a softmax was taken twice. The first row looks right; look at what it did to the second one.",
        ),
    ),
)

SOFTMAX_TWICE = Choice(
    id="softmax-twice",
    right="C",
    replies={
        "A": "Multiplying the scores by the mask leaves the hidden key a weight, because e^0 = 1. "
        "The first row would be 0.731, 0.269.",
        "B": "Then the first row would be 0.550, 0, which does not sum to 1.",
        "C": "The second softmax acts on 0.4502 and 0.5498 as if they were scores. "
        "They differ by only 0.1, where the scores differed by 0.2, so the result is flatter. "
        "The first row hides the error: with one key left, its weight is 1 in any case.",
        "D": "Rounding 0.4502 gives 0.450, not 0.475. A difference of 0.025 needs another reason.",
    },
)

WHERE_ADDED = Choice(
    id="where-added",
    right="C",
    replies={
        "A": "Then the two formulas would always differ. Divide minus infinity by the square root of d_k: "
        "what do you get?",
        "B": "Try M = -10 with d_k = 64. Inside the fraction it is divided by 8 and hides much less.",
        "C": "0 and minus infinity do not change when they are divided, so both formulas agree exactly. "
        "Any other number shrinks inside the fraction. So the mask belongs outside, after the scale, where its "
        "meaning does not depend on d_k.",
    },
)

DENOMINATOR = Choice(
    id="denominator",
    right="B",
    replies={
        "A": "Its *weight* is 0, so its value is gone. But the softmax came first. What did it divide by?",
        "B": "The softmax divides by a sum over all the keys, the hidden ones included. "
        "A new last token changes that sum, and with it every visible weight of the row. "
        "So the future arrives through the denominator.",
        "C": "The last position is the one that may see the last token. Of interest are the outputs that may not.",
    },
)

QUESTIONS = (LIBRARY_MASK, EMPTY_ROW, MASKED_WEIGHTS, SOFTMAX_TWICE, WHERE_ADDED, DENOMINATOR)
