"""The questions of unit 11."""

from autograder.specification import Choice

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
        "without-causal-mask",
        "C",
        {
            "A": "That holds for the newest word. But the words before it see later ones now, and their vectors are "
            "what the newest word attends to in the next layer.",
            "B": "Seeing more helps only a model that was trained that way. This one has learned to read vectors that "
            "know nothing of the future.",
            "C": "Every earlier word now sees later ones, which it never did in training. Its vector changes, and the "
            "next layer reads vectors of a kind that it has never met: only 38 of 60 translations are acceptable.",
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
            "In a text that is complete from the start nothing has to be hidden.",
            "B": "In the decoder a word sees only what is before it, so the first word of the review never learns how "
            "it ends. The last one sees everything, which is why classifiers on GPT read their answer there.",
            "C": "The decoder's causal mask hides all later words. It was trained like that and has to be used like "
            "that.",
        },
    ),
)
