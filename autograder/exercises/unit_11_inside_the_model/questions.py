"""The questions of unit 11."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-head-is-missed",
        right="C",
        replies={
            "A": "That is what the map suggests: only head 2 looks at the noun.",
            "B": "If every head were needed a little, articles would go wrong whichever one is silent. One article "
            "does, for one head.",
        },
        reason="One of 75 articles goes wrong without head 0, and none without head 2. What head 2 brings, another "
        "head can bring as well, although its map says nothing of the kind.",
    ),
    Choice(
        "what-a-pair-loses",
        right="B",
        replies={
            "A": "That would hold if losses added up. But a head may go unmissed because another stands in for it, "
            "and a pair may be just those two.",
            "C": "For two of the three pairs nothing is lost. It matters which head is silent together with head 2.",
        },
        reason="Two ways lead from the noun to its article. As long as one is open, hardly anything is lost; one "
        "pair is just those two. Which pair it is you will see in the next table. What the heads add has pointed at "
        "it: two of them push one way for a table and the other way for a book.",
    ),
    Choice(
        "the-wrong-table",
        right="A",
        replies={
            "B": "The slice is along the first axis: rows. Measure the whole model once more, with "
            "`careless_score(())`.",
            "C": "Head 3 has the rows 48 to 63, and the slice covers them. Measure the whole model once more, with "
            "`careless_score(())`.",
        },
        reason="`careless` writes into the weights that it is given, and a head once silent stays silent. At the "
        "end even `careless_score(())` finds 43 right articles, not 75. Each measurement changes the model for the "
        "next. That is why your function copies.",
    ),
    Choice(
        "without-full-stop",
        right="B",
        replies={
            "A": "A few more.",
            "C": "Fewer. Forget what a full stop means to you; think of what the encoder may have stored there.",
            "D": "One would think so: the mark itself is all that could be missing. But the encoder can store in "
            "its vector whatever training found useful.",
        },
        reason="11 of 60. The encoder can store anything in any vector, and in this one it stores something that "
        "the decoder needs. Without it “Are intelligent cats black?” becomes “los gatos inteligentes son negros son "
        "negros son negros”, and so on.",
    ),
    Choice(
        "layer-twice",
        right="A",
        replies={
            "B": "Fewer. The encoder would lose half if its layers changed places, but this is the decoder.",
            "C": "That is what happens in the encoder, as in unit 07: 59 of 60. The decoder is another matter.",
        },
        reason="None is left. The encoder is more patient: with its first layer run twice, 59 of 60 stay "
        "acceptable, and even with its two layers exchanged 31. *The red car is new* begins *el en . es . es*. So "
        "what one half of a model does without is vital in the other.",
    ),
    Choice(
        "who-is-many",
        right="B",
        replies={
            "A": "That holds for bare embeddings: the same words give the same mean, whatever their order. But the "
            "encoder adds positions, and every word has attended to the others before the mean is taken.",
            "C": "Two sentences with the same words have exactly the same mean of bare embeddings. No classifier "
            "can tell them apart.",
        },
        reason="The mean of bare embeddings is the same for both sentences of a pair, so it can only guess. The "
        "encoder's vectors differ. To choose between 'puede' and 'pueden', somebody has to know whose 'can' it is.",
    ),
)
