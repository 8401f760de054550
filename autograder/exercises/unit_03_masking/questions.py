"""The questions of this unit."""

from autograder.questions import Choice

BETTER_LOSS = Choice(
    "better-loss",
    right="D",
    replies={
        "A": "So the loss says. But a low loss is only worth something if the model has to do the same work when it "
        "writes.",
        "B": "Both losses are low, but that does not make the models alike.",
        "C": "The right one, but not by a little.",
    },
    reason="The first gets 157 of the 200 right, the second none: it writes nothing at all. Its mask is off by one, "
    "so in training every position could see the next word, which is the answer. It has learned to copy, and when it "
    "writes there is nothing to copy from. The loss on new sentences cannot tell, because it is computed with the "
    "same mask.",
)

PADDING_FORGOTTEN = Choice(
    "padding-forgotten",
    right="D",
    replies={
        "A": "A softmax has to give its 1 to whatever it sees, and `<pad>` has a key like any other.",
        "B": "One of them does, nearly. The other leaves most of the translations as they were.",
        "C": "It spoils the English words before the decoder has begun, and yet most of the translations survive.",
    },
    reason="Without the encoder's mask 32 sentences are right, without the decoder's 4. In the encoder's second "
    "layer as in the decoder, a third of the weight goes to padding. But an English word keeps its own vector "
    "alongside what it takes from the others, while the decoder learns of the English sentence in no other way. Most "
    "of its translations start well but do not stop.",
)

ALL_HIDDEN = Choice(
    "all-hidden",
    right="A",
    replies={
        "B": "That needs three equal scores. They are equal if -1e9 is written *over* them, or if the number type "
        "is too coarse for the difference. In float64, 1 - 1e9 and 2 - 1e9 still differ by exactly 1.",
        "C": "A softmax always sums to 1, so its weights cannot all be 0.",
        "D": "NaN needs an infinity, and -1e9 is a finite number in float64.",
    },
    reason="Subtracting the same number from every score of a row does not change its softmax, so this mask "
    "vanishes: the weights are those of 1, 2 and 5, and the query attends to everything that was hidden from it. In "
    "float32 the numbers near a billion are 64 apart, so 1, 2 and 5 are rounded away and three thirds are left; in "
    "float16 there is no such number, and the row is NaN. (bfloat16 reaches as far as float32.) Writing -1e9 *over* "
    "the scores gives thirds in float64.",
)

EMPTY_ROW = Choice(
    "empty-row",
    right="B",
    replies={
        "A": "Zeros are what we want, but an ordinary softmax cannot give them: it divides by a sum so that the "
        "result sums to 1.",
        "C": "You get thirds when all three scores are the same *finite* number.",
    },
    reason="Before taking exponentials, a stable softmax subtracts the largest score. Here that is -∞, and -∞ - "
    "(-∞) has no value: NaN. Without the subtraction it would be 0 / 0, which is NaN as well. One NaN in a batch "
    "spoils the loss, and with it the whole training step.",
)

SOFTMAX_TWICE = Choice(
    "softmax-twice",
    right="B",
    replies={
        "A": "Multiplying the scores by the mask leaves the hidden key a weight, because e^0 = 1. The first row "
        "would be 0.731, 0.269.",
        "C": "Then the first row would be 0.550, 0, which does not sum to 1.",
        "D": "This is how to mask. It leaves the second row as it was, 0.450 and 0.550, which is more than rounding "
        "away from 0.475.",
    },
    reason="It was B: the second softmax acts on 0.4502 and 0.5498 as if they were scores. They differ by only 0.1, "
    "where the scores differed by 0.2, so the result is flatter. The first row hides the error: with one key left, "
    "its weight is 1 in any case.",
)

ENCODER_LOOKS_BACK = Choice(
    "encoder-looks-back",
    right="B",
    replies={
        "A": "Most words can do without those that come after them.",
        "C": "The decoder sees every English word, but each has been read without its right neighbours.",
    },
    reason="19 of the 40. *Marta likes to run to the beautiful library* stays right. *Where are the big villages?* "
    "becomes *¿Dónde están los pueblos grande?*: an English adjective stands before its noun, and no longer knows "
    "that there are several.",
)

TIED_SCORES = Choice(
    "tied-scores",
    right="D",
    replies={
        "A": "The diagonal holds the squared lengths of the rows of P, which are whatever they are.",
        "B": "An entry is a sum of four products, so it may well be larger than each of its factors.",
        "C": "Weights sum to 1. These are products, before any softmax.",
    },
    reason="With Q = K, entry (i, j) is the product of rows i and j, and so is entry (j, i). The array says 0.4 "
    "above the diagonal and 0.8 below it. It also means that with one matrix for queries and keys, two tokens always "
    "match each other equally well: a good reason for two matrices.",
)

DENOMINATOR = Choice(
    "denominator",
    right="A",
    replies={
        "B": "Its *weight* is 0, so its value is gone. But the softmax came first. What did it divide by?",
        "C": "The last position is the one that may see the last token. What matters is the outputs that may not.",
    },
    reason="Yes. The softmax divides by a sum over all the keys, the hidden ones included. A new last token changes "
    "that sum, and with it every visible weight of the row. So the future arrives through the denominator.",
)

MASK_OFF_BY_ONE = Choice(
    "mask-off-by-one",
    right="C",
    replies={
        "A": "That is what happened to the model of the beginning, but it had been *trained* with the wrong mask "
        "and relied on it. This one has learned to do without.",
        "B": "It costs less than that. Ask which position the next word comes from, and what that position could "
        "see beyond itself.",
        "D": "The model was trained with the right mask, so it does not rely on the next word. But the positions "
        "before the last one are disturbed.",
    },
    reason="31 of the 39 are left. While the model writes, there is no next word to see at the last position, the "
    "one that counts. Only the positions before it are disturbed, and that costs 8 sentences. No error and no "
    "warning tells of it, and four of five translations are right all the same.",
)

QUESTIONS = (
    BETTER_LOSS,
    PADDING_FORGOTTEN,
    ALL_HIDDEN,
    EMPTY_ROW,
    SOFTMAX_TWICE,
    ENCODER_LOOKS_BACK,
    TIED_SCORES,
    DENOMINATOR,
    MASK_OFF_BY_ONE,
)
