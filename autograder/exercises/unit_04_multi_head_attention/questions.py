"""The questions of unit 04."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "heads-on-cats",
        "D",
        {
            "A": "Nobody has told the heads to agree. Run the next cell and open the four heads of the last row, one "
            "by one, at the query *me*.",
            "B": "Fewer than that. Run the next cell, open the four heads of the last row, and count at the query "
            "*me*.",
            "C": "It is not enough: *like* is *gusta* for one cat and *gustan* for two. So somebody has to look.",
            "D": "Head 2 gives *cats* 89 % of its weight; the three others look at *like*. "
            "Does the plural really come from head 2? You will test that at the end.",
        },
    ),
    Choice(
        "plain-reshape",
        "B",
        {
            "A": "That is what we want, but a reshape cannot do it: it never changes the order in which the numbers "
            "lie in memory, and there 0, 1, 2 is followed by 3, not by 100.",
            "B": "A reshape keeps the numbers in their order, row after row, and only draws new borders. The first "
            "half of all numbers belongs to the first two tokens. They will never meet tokens 2 and 3 in any head, a "
            "causal mask would hide parts of the wrong tokens, and no error says so.",
            "C": "For that, numbers that are not neighbours would have to come together. A reshape keeps the numbers "
            "in their order and only draws new borders.",
        },
    ),
    Choice(
        "wrong-root",
        "A",
        {
            "A": "The divisor is too large by the root of the number of heads. The scores are too small, so all "
            "weights move towards one tenth: with 8 heads the largest falls from 0.31 to 0.16.",
            "B": "Dividing by more makes the scores smaller, and smaller scores mean smaller differences between the "
            "weights.",
            "C": "The softmax makes the weights sum to 1, but it does not undo a factor in its argument: it depends "
            "on the differences between the scores, and these shrink.",
        },
    ),
    Choice(
        "heads-exchanged",
        "C",
        {
            "A": "Every head still has the same matrices, so it finds the same things. Only its place has changed.",
            "B": "They would, if the rows of W_O stayed where they are. But each head takes its rows of W_O along.",
            "C": "The output is a sum with one term per head, and a sum does not depend on the order of its terms. "
            "So heads have no order of their own: two training runs may find the same heads in different places.",
        },
    ),
    Choice(
        "layer-shapes",
        "C",
        {
            "A": "They could be, but they need not. A head may have any width: its W_Q goes from the width of the "
            "model to the width of the head.",
            "B": "Two heads of width 2 side by side are 4 wide. That need not be the width of the model, because W_O "
            "comes after it.",
            "C": "The sum with the input needs an output of width 3, and W_O is what decides it. Its rows "
            "are right: 2 heads of width 2. It needs 3 columns.",
            "D": "They can, which is why nobody noticed. But the output has to be added to the input, and 2 columns "
            "cannot be added to 3.",
        },
    ),
    Choice(
        "more-heads",
        "B",
        {
            "A": "Twice as many heads, but each only half as wide: the matrices have as many columns as before.",
            "B": "W_Q has n_heads · d_k columns. Twice as many heads of half the width are as many columns as before.",
            "C": "Each head is half as wide, but there are twice as many.",
        },
    ),
    Choice(
        "colleagues-leak",
        "D",
        {
            "A": "They are mixed up, but in order: the numbers of earlier tokens stay in front of those of later ones, "
            "and the mask follows that order. What is wrong is the opposite of a leak: run the next cell.",
            "B": "The second head holds tokens 3 to 5 and no others, so nothing gets in from later, and nothing from "
            "tokens 0 to 2 either.",
            "C": "Every product fits, so NumPy does not complain.",
            "D": "Nothing later gets in. But something is missing: head 0 holds tokens 0 to 2 and head 1 tokens 3 to "
            "5, so the second half of the sentence never hears of the first.",
        },
    ),
    Choice(
        "without-head-2",
        "A",
        {
            "A": "The verb and the article fall back to the singular; the noun, which every head sees, stays plural. "
            "So this head did carry the plural of *gustan* and *los*.",
            "B": "They look at *like* while *gustan* is being written, and *like* does not say how many cats.",
            "C": "While *gatos* is being written, all four heads look at *cats*. Three of them are enough for that.",
            "D": "A model can go on without it: it still gets a vector, with one of the four terms missing.",
        },
    ),
)
