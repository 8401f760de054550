"""The questions of unit 05."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "where-el-looks",
        right="B",
        replies={
            "A": "That is a reasonable guess, and a quarter of the weight does go there. But only one of the four "
            "heads looks at the noun.",
            "C": "*red* says nothing about the article.",
            "D": "After training, most positions look at one or two words.",
        },
        reason="72 % of the weight is on *the*, 24 % on *car*: three heads look at the article, one at the noun. A "
        "map of weights shows where the model looked, and the largest weight is not always what decided.",
    ),
    Choice(
        "long-query",
        right="C",
        replies={
            "A": "That needs scores that grow with the query. A tanh never exceeds 1.",
            "B": "The query does reach every tanh. What becomes of tanh(q + k) when q is huge and k is not?",
        },
        reason="The query alone decides every tanh, the keys drop out, and all scores are equal. No score can "
        "exceed the sum of the absolute entries of the learned vector, however long the query is. So additive scores "
        "need no divisor, and dot products do.",
    ),
    Choice(
        "memory-projections",
        right="A",
        replies={
            "B": "That is what happens when the layer is called anew for each word. It gives the right numbers, and "
            "4 of its 5 projections repeat the first one.",
            "C": "That would be the number, 1 + 2 + 3 + 4 + 5, if the memory grew by a token with every step. It is "
            "finished before the first word is written.",
        },
        reason="The memory does not change while the translation is written, and neither do W_K and W_V. So the "
        "keys and values of the first step are those of every step, and programs that translate keep them. For one "
        "layer of the paper's base model and 20 source tokens that saves 2 · 20 · 512² = 10,485,760 multiplications "
        "at every further step.",
    ),
    Choice(
        "look-ahead",
        right="A",
        replies={
            "B": "The decoder may not see target words that it has not written. The English sentence is complete, "
            "and hiding a part of it would only make the translation worse.",
            "C": "*The* does not say whether the word is to be *el*, *la*, *los* or *las*.",
        },
        reason="*el* is masculine and singular because of the car, and *car* stands at source position 2. Source "
        "positions and target positions are counted in two different sentences, so “later” means nothing here.",
    ),
    Choice(
        "two-sure-heads",
        right="B",
        replies={
            "A": "Each head alone has the entropy 0. But their mean has two weights of 1/2, and that is a different "
            "distribution.",
            "C": "That would be four equal weights. The mean of the two heads has only two weights that are not 0.",
        },
        reason="The mean is 1/2 for each of the two words, and the entropy of two halves is ln 2 = 0.693. So a high "
        "entropy of the mean can come from heads that are each sure, but of different words.",
    ),
    Choice(
        "in-a-batch",
        right="C",
        replies={
            "A": "`<pad>` has a key of its own, and nothing hides it, so it takes a share of the weight.",
            "B": "The translation does not become too short. What is it that a short sentence has too much of?",
            "D": "The sentences of a batch never mix: every one has its own memory. What is it that a short one has "
            "too much of?",
        },
        reason="Some positions give nearly all of their weight to the padding, and what they find there is useless: "
        "the translation begins well and does not stop. The longest sentence has no padding, so it is right, and so "
        "is each sentence alone: a test with one sentence cannot find this bug.",
    ),
)
