"""The questions of unit 13's exercises; their numbers are those of the recording "chat"."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-clocks",
        right="B",
        replies={
            "A": "These tell one place from the next.",
            "C": "Half of that is true.",
            "D": "There are some that it does not miss.",
        },
        reason="The loss is 3.13 with the slowest 16 standing still, and 3.12 with all clocks running. Without the "
        "fastest 4 it is 3.92. Which word comes next is told by the fast hands, as on a watch; the slowest hardly "
        "move within a hundred pieces. In a text of thousands of pieces they move, too, which was not tried here.",
    ),
    Choice(
        "loss-without-mask",
        right="C",
        replies={
            "A": "One would think so, and it does if lines are wrong that everything depends on.",
            "B": "The model was never trained to cheat, but that does not make it worse.",
        },
        reason="The loss falls from 3.12 to 1.16. A token that the model is asked to predict now stands in sight, "
        "and heads that were trained to copy what came before find it there and copy it. Writing is another matter: "
        "nothing comes after the newest token, and to the capital of France it says that it is France. A loss that "
        "is too good is a reason to look for a leak.",
    ),
    Choice(
        "first-token",
        right="A",
        replies={
            "B": "More than that comes back.",
            "C": "The token says nothing, and it is needed.",
        },
        reason="3.18, nearly the 3.12 of the whole text. More than a third of all attention goes to the first "
        "token, whatever it is: a head that has found nothing has to look somewhere, since weights sum to 1. Take "
        "that place away and its weight falls on words that it was not meant for. Systems that let a model write "
        "without end keep the first tokens in the cache for that reason (Xiao et al. 2024, *attention sinks*).",
    ),
    Choice(
        "one-head-of-270",
        right="C",
        replies={
            "A": "English loses 0.01, and copying everything.",
            "B": "In English that is so: it loses 0.01. Copying is another matter.",
        },
        reason="English loses 0.01, and on the pieces that come again the loss rises from 3.4 to 8.6. When they "
        "come for the first time it is 14.7, worse than a guess among all 49,152, which costs 10.8. This head looks "
        "at the token before. Two blocks later another one asks for tokens that came after one like this, and the "
        "two together copy (Olsson et al. 2022, *induction heads*).",
    ),
    Choice(
        "where-the-answer-comes-from",
        right="C",
        replies={
            "A": "After block 9, between 1,100 and 21,600 pieces are likelier than the right city.",
            "B": "After block 19, between 2,000 and 24,800 pieces are still likelier than the right city.",
        },
        reason="For nine of the ten it is the very last block. After block 24 the city of Paris is number 92, and "
        "one block before the end it is still number 3. For Egypt the right city never comes first.",
    ),
)
