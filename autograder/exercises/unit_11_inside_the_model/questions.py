"""The questions of unit 11."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-head-is-missed",
        "C",
        {
            "A": "That is what the map suggests: only head 2 looks at the noun. Silence it, and see.",
            "B": "If every head were needed a little, articles would go wrong whichever one is silent. One article "
            "does, for one head.",
            "C": "One of 75 articles goes wrong without head 0, and none without head 2. What head 2 brings, another "
            "head can bring as well, although its map says nothing of the kind.",
        },
    ),
    Choice(
        "what-a-pair-loses",
        "B",
        {
            "A": "That would hold if losses added up. But a head may go unmissed because another stands in for it, "
            "and a pair may be just those two.",
            "B": "Two ways lead from the noun to its article. As long as one is open, hardly anything is lost. Which "
            "pair it is you will see in the next table. What the heads add has pointed at it: two of them push one way "
            "for a table and the other way for a book.",
            "C": "For two of the three pairs nothing is lost. It matters which head is silent together with head 2.",
        },
    ),
    Choice(
        "the-wrong-table",
        "A",
        {
            "A": "`careless` writes into the weights that it is given, and a head once silent stays silent. At the "
            "end even `careless_score(())` finds 43 right articles, not 75. Each measurement changes the model "
            "for the next. That is why your function copies.",
            "B": "The slice is along the first axis: rows. Measure the whole model once more, with "
            "`careless_score(())`.",
            "C": "Head 3 has the rows 48 to 63, and the slice covers them. Measure the whole model once more, with "
            "`careless_score(())`.",
        },
    ),
    Choice(
        "without-full-stop",
        "A",
        {
            "A": "11 of 60. The encoder can store anything in any vector, and in this one it stores something that the "
            "decoder needs. Without it “Are intelligent cats black?” becomes “los gatos inteligentes son negros son "
            "negros son negros”, and so on.",
            "B": "Fewer. Do not go by what the mark means to you, but by what the encoder can have stored there.",
            "C": "One would think so: the mark itself is all that could be missing. But the encoder can store in its "
            "vector whatever training found useful.",
        },
    ),
    Choice(
        "layer-twice",
        "C",
        {
            "A": "That is what happens in the decoder: with its second layer run twice, no translation is left. The "
            "encoder is another matter.",
            "B": "That is what is left when the two layers of the encoder are exchanged: 31 of 60.",
            "C": "59 of 60, as many as ever. Its norms bring every vector back to the same size, and what the layer "
            "adds the second time does no harm. Even with the two layers exchanged, half of the translations stay "
            "acceptable. The decoder is less patient: with its second layer run twice, none is left.",
        },
    ),
    Choice(
        "who-is-many",
        "B",
        {
            "A": "Right for bare embeddings: the same words give the same mean, whatever their order. But the encoder "
            "adds positions, and every word has attended to the others before the mean is taken.",
            "B": "The mean of bare embeddings is the same for both sentences of a pair, so it can only guess. The "
            "encoder's vectors differ. To choose between 'puede' and 'pueden', somebody has to know whose 'can' it is.",
            "C": "Two sentences with the same words have exactly the same mean of bare embeddings. No classifier can "
            "tell them apart.",
        },
    ),
)
