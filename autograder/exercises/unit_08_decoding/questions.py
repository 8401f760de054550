"""The questions of unit 08."""

from autograder.questions import Choice, Numbers
from transformer_kit.examples.toy_models import PRINTED_SEARCH

ON_PATH = (0.80, 0.70, 0.85, 0.85, 0.95)


def _repaired_probability():
    """The printed path, with the faulty row divided by its sum."""
    total = PRINTED_SEARCH.probabilities[PRINTED_SEARCH.faulty_step].sum()
    product = 1.0
    for probability in ON_PATH:
        product *= probability
    return product / total


QUESTIONS = (
    Choice(
        "forward-passes",
        "B",
        {
            "A": "One pass gives the distribution of one token. The second cannot be asked for before the first is "
            "known, because it belongs to the prefix.",
            "B": "One pass for each token, the end symbol included. Greedy search follows one hypothesis, but it is "
            "not one pass.",
            "C": "A pass gives the probabilities of all tokens of the vocabulary at once, so there is no need for "
            "one pass per word of the vocabulary.",
        },
    ),
    Choice(
        "printed-row",
        "C",
        {
            "A": "The first row is fine: 0.80 and four times 0.05 make 1.",
            "B": "The row of step 2 has two odd numbers, 0.03 and 0.02, but its sum is 1.",
            "C": "The row of step 3 sums to 1.01. Every row of probabilities sums to 1: a check that needs no "
            "knowledge of where the numbers came from.",
            "D": "A row may look unlikely, but the last one is a distribution: it sums to 1, and after a whole "
            "sentence the end is likely.",
        },
    ),
    Numbers(
        "printed-path",
        _repaired_probability,
        6e-5,
        "0.8 times 0.7 times 0.85 times 0.8416 times 0.95. The printed 0.3844 is about one per cent too large, as "
        "the sum of the faulty row was.",
        (
            (0.38437, "That is the product of the printed numbers. Divide the row of step 3 by its sum first."),
            (0.379848, "You took 0.84 for 0.85. That repairs the row, too, but asked for is dividing by its sum."),
            (-0.966151, "That is the logarithm. Asked for is the probability."),
            (0.841584, "That is the repaired factor of step 3. Multiply it with those of the other steps."),
            (0.388214, "You multiplied by 1.01. Dividing the row by its sum makes its entries smaller."),
        ),
    ),
    Choice(
        "leaving-the-path",
        "B",
        {
            "A": "We do not know them, but we do not need to: no probability is larger than 1. So whatever comes "
            "after leaving the path, the product cannot grow again.",
            "B": "Whoever leaves the path at a step gets at most the second-best probability there, times everything "
            "before it. The largest of these products is 0.08, and later factors can only make it smaller.",
            "C": "Short sequences have an advantage, but ending at once costs a factor of 0.05 here.",
        },
    ),
    Choice(
        "rounded-sum",
        "C",
        {
            "A": "One token has 0.7, which is less than 0.8.",
            "B": "On paper, yes. But neither 0.7 nor 0.1 is stored exactly, and their sum in floating point is a "
            "little less than 0.8.",
            "C": "0.7 + 0.1 gives 0.7999999999999999 in floating point, so the comparison asks for a third token.",
        },
    ),
    Choice(
        "wider-beam",
        "A",
        {
            "A": "After two steps two other hypotheses are more likely than the beginning of the greedy one, which "
            "is pruned. What follows them is poor, but there is no way back.",
            "B": "The greedy hypothesis has no right to a place. It stays only as long as it is among the two best.",
            "C": "A wider beam looks at more, and mostly finds something at least as good. But that is no promise.",
        },
    ),
    Choice(
        "may-it-stop",
        "B",
        {
            "A": "That holds for the sum alone. Once it is divided by a penalty that grows with the length, the "
            "score of a hypothesis may rise while its sum falls.",
            "B": "Without a penalty every further token can only lower the sum. With one, a longer hypothesis is "
            "divided by more, and may still overtake. Programs that forget this stop too early.",
            "C": "A sum of log-probabilities never rises. With alpha = 0 the score is that sum, and a live "
            "hypothesis that is behind stays behind.",
        },
    ),
)
