"""The questions of unit 11."""

from autograder.specification import Choice

QUESTIONS = (
    Choice(
        "which-head-is-missed",
        "C",
        {
            "A": "So the map seems to say: head 2 looks at the noun, and nobody else does. Silence it, and see.",
            "B": "If every head were needed a little, articles would be lost whichever of them is silent. One is lost, "
            "for one head.",
            "C": "One of 75 articles without head 0, and none without head 2. What head 2 brings, another head can "
            "bring as well, although its map says nothing of the kind.",
        },
    ),
    Choice(
        "what-a-pair-loses",
        "B",
        {
            "A": "That would hold if losses added up. But when one of two ways is cut, the other is still open.",
            "B": "Two ways lead from the noun to its article. As long as one is open, hardly anything is lost. Which "
            "pair it is the next table says; the outputs have pointed at it.",
            "C": "Two pairs with head 2 lose nothing. It matters which head the other one is.",
        },
    ),
    Choice(
        "the-wrong-table",
        "A",
        {
            "A": "`careless` writes into the weights that it is given, and what is silent once stays silent. At the "
            "end even `careless_score(())` finds 43 right articles and not 75. Every later measurement is of another "
            "model. That is why your function returns a copy.",
            "B": "Its slice is along the first axis, so it takes rows. Measure the whole model again, at the end.",
            "C": "Head 3 has the rows from 48 to 63, and the slice covers them. Measure the whole model again, at the "
            "end.",
        },
    ),
    Choice(
        "without-causal-mask",
        "C",
        {
            "A": "That holds for the newest word. But the words before it see later ones now, and their vectors are "
            "what the newest word attends to in the next layer.",
            "B": "Seeing more helps only a model that was trained that way. This one has learned to read vectors that "
            "know nothing of the future.",
            "C": "Every earlier word sees later ones, which it never did in training. Its vector changes, and the "
            "next layer reads vectors of a kind that it has never met: 38 of 60 translations stay right.",
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
    Choice(
        "which-stack",
        "A",
        {
            "A": "The encoder has no causal mask: every word is read in the light of all others, before and after it. "
            "In a text that is there from the beginning nothing has to be hidden.",
            "B": "In the decoder a word sees only what is before it, so the first word of the review never learns how "
            "it ends. The last one sees everything, and so GPT reads off there, but only there.",
            "C": "The causal mask of the decoder hides all later words, for as long as it is used as it was trained.",
        },
    ),
)
