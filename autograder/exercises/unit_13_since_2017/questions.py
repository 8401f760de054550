"""The questions of unit 13's exercises; their numbers are those of the recording "chat"."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-clocks",
        "B",
        {
            "A": "These tell one place from the next. Without them the loss rises from 3.12 to 3.92. The slowest "
            "16 hardly move within a hundred pieces, and without them the loss is 3.13.",
            "B": "The loss is 3.13 with the slowest 16 standing still, and 3.12 with all clocks running. Without "
            "the fastest 4 it is 3.92. Which word comes next is told by the fast hands, as on a watch. In a text of "
            "thousands of pieces the slow ones move, too, which was not tried here.",
            "C": "Half of them can go: with the slowest 16 standing still the loss is 3.13, and 3.12 with all "
            "running. Without the fastest 4 it is 3.92.",
        },
    ),
    Choice(
        "loss-without-mask",
        "C",
        {
            "A": "One would think so, and it does if lines are wrong that everything depends on. Here it falls, "
            "from 3.12 to 1.16. A token that the model is asked to predict now stands in sight, and heads that were "
            "trained to copy what came before find it there and copy it. Writing is another matter: nothing comes "
            "after the newest token, and to the capital of France it says that it is France.",
            "B": "It falls, from 3.12 to 1.16: the token to be predicted is in sight, and heads that were trained "
            "to copy find it. But when the model writes, there is nothing to copy. It then says that the capital of "
            "France is France.",
            "C": "From 3.12 to 1.16. The model was never trained to cheat, and does it at once: heads that copy "
            "what came before find the token that they are to predict. When it writes there is nothing to copy, and "
            "it says that the capital of France is France. A loss that is too good is a reason to look for a leak.",
        },
    ),
    Choice(
        "first-token",
        "A",
        {
            "A": "3.18, nearly the 3.12 of the whole text. More than a third of all attention goes to the first "
            "token, whatever it is: a head that has found nothing has to look somewhere, since weights sum to 1. Take "
            "that place away and its weight falls on words that it was not meant for. Systems that let a model write "
            "without end keep the first tokens in the cache for that reason (Xiao et al. 2024, *attention sinks*).",
            "B": "More than that comes back: the loss is 3.18, with the whole text 3.12. A head that has found "
            "nothing has to look somewhere, since weights sum to 1, and this model looks at the first token then, "
            "whatever it is.",
            "C": "It says nothing, and it is needed: the loss is 3.18, with the whole text 3.12. A head that has "
            "found nothing has to look somewhere, since weights sum to 1, and this model looks at the first token "
            "then.",
        },
    ),
    Choice(
        "one-head-of-270",
        "C",
        {
            "A": "English loses 0.01. On the pieces that come again the loss rises from 3.4 to 8.6, of a possible "
            "14.7: copying is lost, and nothing else.",
            "B": "In English you would be right: it loses 0.01. But on the pieces that come again the loss rises "
            "from 3.4 to 8.6. This head looks at the token before. Two blocks later another head asks for tokens that "
            "came after one like this, and finds nothing now.",
            "C": "English loses 0.01, and on the pieces that come again the loss rises from 3.4 to 8.6. When they "
            "come for the first time it is 14.7, worse than a guess among all 49,152, which costs 10.8. This head "
            "looks at the token before. Two blocks later another one asks for tokens that came after one like this, "
            "and the two together copy (Olsson et al. 2022, *induction heads*).",
        },
    ),
    Choice(
        "where-the-answer-comes-from",
        "B",
        {
            "A": "After block 9, between 1,100 and 21,600 pieces are likelier than the right city. For nine of the "
            "ten countries it comes first in the last block of all, and for Egypt never.",
            "B": "For nine of the ten it is the very last block. After block 24 the city of Paris is number 92, "
            "and one block before the end it is still number 3. For Egypt the right city never comes first.",
            "C": "After block 19, between 2,000 and 24,800 pieces are still likelier than the right city. For nine "
            "of the ten it comes first in the last block of all, and for Egypt never.",
        },
    ),
)
