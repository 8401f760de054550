"""The questions of unit 05."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "where-el-looks",
        "B",
        {
            "A": "That is a reasonable guess, and a quarter of the weight does go there. But only one of the four "
            "heads looks at the noun. Run the next cell.",
            "B": "72 % of the weight is on *the*, 24 % on *car*: three heads look at the article, one at the noun. "
            "A map of weights shows where the model looked, and the largest weight is not always what decided.",
            "C": "*red* says nothing about the article. Run the next cell.",
            "D": "After training, most positions look at one or two words. Run the next cell.",
        },
    ),
    Choice(
        "long-query",
        "C",
        {
            "A": "That needs scores that grow with the query. A tanh never exceeds 1.",
            "B": "The query does reach every tanh. What becomes of tanh(q + k) when q is huge and k is not?",
            "C": "The query alone decides every tanh, the keys drop out, and all scores are equal. No score can exceed "
            "the sum of the absolute entries of the learned vector, however long the query is. So additive scores need "
            "no divisor, and dot products do.",
        },
    ),
    Choice(
        "memory-projections",
        "A",
        {
            "A": "The memory does not change while the translation is written, and neither do W_K and W_V. So the keys "
            "and values of the first step are those of every step, and programs that translate keep them. For one "
            "layer of the paper's base model and 20 source tokens that saves 2 · 20 · 512² = 10,485,760 "
            "multiplications at every further step.",
            "B": "That is what happens when the layer is called anew for each word. It gives the right numbers, and 4 "
            "of its 5 projections repeat the first one.",
            "C": "That would be the number if the memory grew by a token with every step. It is finished before the "
            "first word is written.",
        },
    ),
    Choice(
        "look-ahead",
        "A",
        {
            "A": "*el* is masculine and singular because of the car, and *car* stands at source position 2. Source "
            "positions and target positions are counted in two different sentences, so “later” means nothing here.",
            "B": "The decoder may not see target words that it has not written. The English sentence is complete, and "
            "hiding a part of it would only make the translation worse.",
            "C": "*The* does not say whether the word is to be *el*, *la*, *los* or *las*.",
        },
    ),
    Choice(
        "printed-transposes",
        "D",
        {
            "A": "Compare its first row with the first column of W_Q: 0.1 and 0.2.",
            "B": "Compare its first row with the first column of W_K: 0.5 and 0.4.",
            "C": "Compare its first row with the first column of W_V: 0.2 and 0.8.",
            "D": "In all three, the second number of the first row is the one that stood there before. A transpose "
            "must move it. The matrix for the queries has a second error, the 0.2 in its second row.",
        },
    ),
    Choice(
        "two-sure-heads",
        "B",
        {
            "A": "Each head alone has the entropy 0. But their mean has two weights of 1/2, and that is a different "
            "distribution.",
            "B": "The mean is 1/2 for each of the two words, and the entropy of two halves is ln 2 = 0.693. So a high "
            "entropy of the mean can come from heads that are each sure, but of different words.",
            "C": "That would be four equal weights. The mean of the two heads has only two weights that are not 0.",
        },
    ),
    Choice(
        "in-a-batch",
        "C",
        {
            "A": "It has a key of its own, and nothing hides it, so it takes a share of the weight.",
            "B": "The sentences of a batch never mix: every one has its own memory. What is it that a short one has "
            "too much of?",
            "C": "Some positions give nearly all of their weight to the padding, and what they find there is useless. "
            "The longest sentence has no padding, so it is right, and so is each sentence alone: a test with one "
            "sentence cannot find this bug.",
            "D": "All shapes fit. A mask that is missing hides nothing, and that is all.",
        },
    ),
)
