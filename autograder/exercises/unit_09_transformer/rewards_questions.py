"""The questions of unit 09's second half, in which the trained model is opened."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "they-like",
        "B",
        {
            "A": "The likeliest first word need not begin the likeliest sentence. After 'a' the probability has to be "
            "shared between 'ellos' and 'ellas'.",
            "B": "'A' is a little likelier than 'les', but what follows is split between men and women, about half "
            "and half. After 'les' there is nothing to split.",
            "C": "That would need a first word 'a' with two thirds of the probability. It has less than a half, and "
            "two sentences share it.",
        },
    ),
    Choice(
        "without-scale",
        "C",
        {
            "A": "The weights are different, but the order of the scores is not: four times as large a score is still "
            "the largest. In this trained model most rows had one winner before, and it stays.",
            "B": "More than that. Scores four times as large make rows sharper, and most rows of this model are sharp "
            "already.",
            "C": "Nearly all, and that is the point. The scores are four times as large, every logit changes, and "
            "still the same word has the largest one. Looking at translations you would not notice the mistake.",
        },
    ),
    Choice(
        "without-causal-mask",
        "B",
        {
            "A": "That holds for the newest word. But the words before it see later ones now, and their vectors are "
            "what the newest word attends to in the next layer.",
            "B": "Every earlier word sees later ones, which it never did in training. Its vector changes, and the "
            "next layer reads vectors of a kind that it has never met.",
            "C": "Seeing more helps only a model that was trained that way. This one has learned to read vectors that "
            "know nothing of the future.",
        },
    ),
    Choice(
        "cached-steps",
        "B",
        {
            "A": "A step on the whole prefix costs as much as the prefix is long: 1, 2, 3, up to 20. Compare the sum "
            "with twenty steps of length 1.",
            "B": "1 + 2 + ... + 20 = 210 positions against 20: about ten times. It is a little more, as the whole "
            "prefix also projects the memory anew in every step.",
            "C": "20 times 20 would be right if every step had all 20 positions. The prefixes grow, so it is about "
            "half of that, and the cached way is not 1 but 20 positions.",
        },
    ),
    Choice(
        "who-is-many",
        "B",
        {
            "A": "Right for bare embeddings: the same words give the same mean, whatever their order. But the encoder "
            "adds positions, and every word has attended to the others before the mean is taken.",
            "B": "The mean of bare embeddings is the same for both sentences of a pair, so it can only guess. The "
            "encoder's vectors differ, because its words have seen where the others stand.",
            "C": "Two sentences with the same words have exactly the same mean of bare embeddings. No read-out can "
            "tell them apart.",
        },
    ),
    Choice(
        "which-stack",
        "A",
        {
            "A": "The encoder has no causal mask: every word is read in the light of all others, before and after it. "
            "For a text that is there from the beginning nothing has to be hidden.",
            "B": "In the decoder a word sees only what is before it, so the first word of the review never learns how "
            "it ends. The last one sees everything, and so GPT reads off there, but only there.",
            "C": "The causal mask of the decoder hides all later words, for as long as it is used as it was trained.",
        },
    ),
)
