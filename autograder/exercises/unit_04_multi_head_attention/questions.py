"""The questions of unit 04."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "heads-on-cats",
        right="B",
        replies={
            "A": "*like* is not enough: it is *gusta* for one cat and *gustan* for two. So somebody has to look.",
            "C": "Three look at *like*, which has to be translated.",
            "D": "Nobody has told the heads to agree.",
        },
        reason="Head 2 gives *cats* 89 % of its weight; the three others look at *like*. Does the plural really "
        "come from head 2? You will test that at the end.",
    ),
    Choice(
        "plain-reshape",
        right="A",
        replies={
            "B": "That is what we want, but a reshape cannot do it: in memory 0, 1, 2 is followed by 3, not by 100.",
            "C": "For that, numbers that are not neighbours would have to come together.",
        },
        reason="A reshape keeps the numbers in their order, row after row, and only draws new borders. The first "
        "half of all numbers belongs to the first two tokens. They will never meet tokens 2 and 3 in any head, a "
        "causal mask would hide parts of the wrong tokens, and no error says so.",
    ),
    Choice(
        "wrong-root",
        right="A",
        replies={
            "B": "Dividing by more makes the scores smaller, and smaller scores mean smaller differences between "
            "the weights.",
            "C": "The softmax makes the weights sum to 1, but it does not undo a factor in its argument: it depends "
            "on the differences between the scores, and these shrink.",
        },
        reason="The divisor is too large by the root of the number of heads. The scores are too small, so all "
        "weights move towards one tenth: with 8 heads the largest falls from 0.31 to 0.16.",
    ),
    Choice(
        "heads-exchanged",
        right="C",
        replies={
            "A": "Every head still has the same matrices, so it finds the same things. Only its place has changed.",
            "B": "They would, if the rows of W_O stayed where they are. But each head takes its rows of W_O along.",
        },
        reason="The maps change places, and the output is a sum with one term per head, which does not depend on "
        "the order of its terms. So heads have no order of their own: two training runs may find the same heads in "
        "different places.",
    ),
    Choice(
        "layer-shapes",
        right="C",
        replies={
            "A": "They could be, but they need not. A head may have any width: its W_Q goes from the width of the "
            "model to the width of the head.",
            "B": "Two heads of width 2 side by side are 4 wide. That need not be the width of the model, because "
            "W_O comes after it.",
            "D": "They can, which is why nobody noticed. But the output has to be added to the input, and 2 columns "
            "cannot be added to 3.",
        },
        reason="The sum with the input needs an output of width 3, and W_O is what decides it. Its rows are right: "
        "2 heads of width 2. It needs 3 columns.",
    ),
    Choice(
        "more-heads",
        right="B",
        replies={
            "A": "Twice as many heads, but each only half as wide.",
            "C": "Each head is half as wide, but there are twice as many.",
        },
        reason="W_Q has n_heads · d_k columns. Twice as many heads of half the width are as many columns as before.",
    ),
    Choice(
        "colleagues-leak",
        right="D",
        replies={
            "A": "The numbers are mixed up, but in order: those of earlier tokens stay in front of those of later "
            "ones, and the mask follows that order.",
            "B": "Position 2 is the last one that head 0 holds, and nothing behind it gets in.",
            "C": "At position 3 the second head begins. It holds tokens 3 to 5, and none of them sees what comes "
            "after it.",
        },
        reason="Nothing later gets in anywhere. But something is missing: head 0 holds tokens 0 to 2 and head 1 "
        "tokens 3 to 5, so the second half of the sentence never hears of the first. What is wrong is the opposite "
        "of a leak.",
    ),
    Choice(
        "without-head-2",
        right="A",
        replies={
            "B": "The other heads look at *like* while *gustan* is being written, and *like* does not say how many "
            "cats.",
            "C": "The verb and the article, yes. But while *gatos* is being written, all four heads look at *cats*, "
            "and three of them are enough for that.",
            "D": "While *gatos* is being written, all four heads look at *cats*. Three of them are enough to tell "
            "which animal.",
        },
        reason="It writes *me gusta el gatos*: the verb and the article fall back to the singular; the noun, which "
        "every head sees, stays plural. So in this sentence the head did carry the plural of *gustan* and *los*.",
    ),
)
