"""The questions of unit 08."""

from autograder.questions import Choice, Numbers

QUESTIONS = (
    Choice(
        "chance-in-a-translation",
        right="A",
        replies={
            "B": "That is what becomes of them at T = 2.",
            "C": "One bad word spoils a sentence, and there are about nine, marks included. But this model is "
            "hardly ever in doubt.",
        },
        reason="58: only one more goes wrong. At nearly every step the model is so sure that drawing takes the same "
        "word; and where it is not, both are often right, like “coche” and “carro”. At T = 2 it is 30 of 60.",
    ),
    Choice(
        "likeliest-definition",
        right="C",
        replies={
            "A": "Much less often. Seven times the likeliest piece must come.",
            "B": "Less often than that. Seven times the likeliest piece must come.",
            "D": "Not quite as seldom. Seven times the likeliest piece must come.",
        },
        reason="It takes seven pieces, and even the likeliest has a share of 0.37 at most: the product is 0.000015. "
        "And still line 1 is not the likeliest definition. The model itself considers “the work of a home” more than "
        "twenty times as likely, but the first piece of that is not the likeliest piece.",
    ),
    Choice(
        "pieces-kept",
        right="C",
        replies={
            "A": "Seven hold 64 %. After the first three the shares shrink fast.",
            "B": "That gives 77 %. What is missing is a crowd of small shares.",
        },
        reason="It takes 128. Three pieces hold the first half, and 125 are needed for the next two fifths: the "
        "tail is long. With `p` = 0.99 it would be 551. For “bicycle”, where the model is surer, 5 hold nine tenths.",
    ),
    Choice(
        "hurried-sampler",
        right="B",
        replies={
            "A": "Then sentences would be too short. But the end is drawn by the same rule as any other token, and "
            "the empty sentence comes as often as it should.",
            "C": "They do sum to 1: the exponential of a log-probability is the probability.",
        },
        reason="A single number, u, decides the whole sentence. For “a” it lies between 0.1 and 0.6, and then it "
        "cannot also lie in the part of “song”, which begins at 0.75. Every token needs a number of its own.",
    ),
    Numbers(
        "one-step",
        lambda: [0.5 * 0.4, 0.4 * 0.45],
        6e-4,
        "The end after “the” has 0.3 and ranks first: it is finished, and leaves no gap. So “the poem”, 0.2, and “a "
        "cat”, 0.18, take the two places, although “a cat” ranked only third. The end after “a”, 0.08, ranks fifth and "
        "is lost.",
        (
            ([0.3, 0.2], "The first of these ends. It is finished and leaves the beam, so its place is free."),
            (
                [0.3, 0.18],
                "These are the best of each hypothesis. All five compete with one another, and one of the "
                "two that you took has ended.",
            ),
            (
                [0.2, 0.14],
                "All candidates compete, and the best two of those that go on are kept. Is there one above 0.14?",
            ),
            ([0.18, 0.14], "Both begin with “a”. Has none of those that begin with “the” a place?"),
            ([0.45, 0.4], "Multiply by the probability of what came before."),
            ([0.4, 0.45], "Multiply by the probability of what came before."),
            ([0.18, 0.2], "The right two. The larger one comes first."),
        ),
    ),
    Choice(
        "wider-beam",
        right="C",
        replies={
            "A": "The greedy hypothesis has no right to a place. It stays only as long as it is among the two best.",
            "B": "It happens more often.",
        },
        reason="For 7 of the 50. For *teacup*, greedy search finds “a person who is teacupied and teacups”, and the "
        "beam something worse. On the way two other beginnings were likelier, and the greedy one was pruned. What "
        "followed them was poor, and there is no way back. For 39 nouns the beam finds something likelier, for 4 the "
        "same.",
    ),
    Choice(
        "no-definition",
        right="B",
        replies={
            "A": "Not for all of them: some definitions are short, and the model is sure of them.",
            "C": "For more than that.",
            "D": "For far more.",
        },
        reason="For 37 of the 50. Ending at once is very unlikely: for half of the nouns less likely than 1 in "
        "60,000. But that has to happen only once, and a definition needs ten pieces or more. None of these has to "
        "be improbable for their product to be smaller than that.",
    ),
)
