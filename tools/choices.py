"""How well the form of the options predicts the right one: `python -m tools.choices` prints all questions, then sums.

A *feature* gives each option of a question a number that anybody can see who has not read the unit: its length, its
place, whether it has a reason. Whoever goes by it picks the options with the most of it, or those with the least, and
is right by chance as often as the share of the options that are picked.
"""

import re
from collections.abc import Callable
from functools import cache
from statistics import median
from typing import NamedTuple

import numpy as np

from autograder.questions import Choice
from autograder.registry import units
from tools.course import notebook, tags
from transformer_kit.reference import masked_softmax

OPTION = re.compile(r"^- \*\*([A-E])\.?\*\*\s+(.*(?:\n  .*)*)", re.M)
REASON = re.compile(r"[:;] |, (?:the|as|for|so|only|one|where) |\b(?:because|since|so that|otherwise)\b")
HEDGE = re.compile(r"\b(?:about|almost|few|hardly|little|mainly|may|most|mostly|nearly|often|some|usually)\b", re.I)
ABSOLUTE = re.compile(r"\b(?:all|always|any|both|each|either|every|exactly|never|only|whatever|whole)\b", re.I)
NOTHING = re.compile(r"\b(?:neither|no|none|nothing|not|without)\b", re.I)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
MOST_OPTIONS, N_STEPS, RATE, PENALTY = 5, 200, 0.1, 1.0


class Asked(NamedTuple):
    """A question as a learner sees it: its text, its options in their order, and which of them is right."""

    id: str
    text: str
    options: tuple[str, ...]
    right: int

    @property
    def letter(self) -> str:
        return "ABCDE"[self.right]


def asked_in(unit) -> list[Asked]:
    """Return the lettered questions of a unit, from the learner's notebook."""
    cells = notebook(unit.id, "notebooks").cells
    before = {tags(cell).get("grade_id"): cells[i - 1].source for i, cell in enumerate(cells)}
    found = []
    for question in unit.questions:
        if isinstance(question, Choice):
            text = before[f"answer-{question.id}"]
            options = {letter: " ".join(said.split()) for letter, said in OPTION.findall(text)}
            right = sorted(options).index(question.right)
            found.append(Asked(question.id, OPTION.sub("", text), tuple(options[x] for x in sorted(options)), right))
    return found


def has_reason(option: str) -> bool:
    """Say whether an option argues for itself."""
    return bool(REASON.search(option))


def length(option: str) -> int:
    """Return how many signs an option has where it is read: those of formulas and code do not count."""
    return len(re.sub(r"[$`*{}]|\\[ ,]", "", re.sub(r"\\[a-z]+", "x", option)))


def _number(option):
    """Return the first number of an option, NaN for none: a question with such an option is left out."""
    found = NUMBER.search(option)
    return float(found[0].rstrip(",").replace(",", "")) if found else float("nan")


def _digits(option):
    """Return how many digits the first number has before it ends in zeros: 3 for 128, 1 for 5 and 1,000."""
    found = NUMBER.search(option)
    return len(re.sub(r"\D", "", found[0]).strip("0")) if found else float("nan")


def _words(text):
    return {word[:5] for word in re.findall(r"[a-zà-ÿ]{4,}", text.lower())}


def _of_each(measure: Callable) -> Callable:
    return lambda asked: [measure(option) for option in asked.options]


def _how_extreme(asked):
    numbers = [_number(option) for option in asked.options]
    return [abs(np.sign([number - other for other in numbers]).sum()) for number in numbers]


def _shared_with_others(asked):
    """Return how many of its words an option shares with the other options."""
    return [
        sum(len(_words(one) & _words(other)) for other in asked.options if other != one) for one in asked.options
    ]


FEATURES: dict[str, Callable[[Asked], list[float]]] = {
    "length": _of_each(length),
    "a reason": _of_each(has_reason),
    "words that hedge": _of_each(lambda option: len(HEDGE.findall(option))),
    "words for all": _of_each(lambda option: len(ABSOLUTE.findall(option))),
    "words for nothing": _of_each(lambda option: len(NOTHING.findall(option))),
    "parts": _of_each(lambda option: len(re.findall(r"[,;:.] |\band\b", option))),
    "signs of code": _of_each(lambda option: len(re.findall(r"[`$*]", option))),
    "size of its number": _of_each(_number),
    "extremity of its number": _how_extreme,
    "digits of its number": _of_each(_digits),
    "words of the question": lambda asked: [len(_words(o) & _words(asked.text)) for o in asked.options],
    "words of other options": _shared_with_others,
    "place": lambda asked: list(range(len(asked.options))),
    **{
        f"the letter {letter}": lambda asked, i=i: [j == i for j in range(len(asked.options))]
        for i, letter in enumerate("ABCD")
    },
}


class Guessed(NamedTuple):
    """What came of going by form: questions that it applies to, hits, and hits by chance."""

    how: str
    n: int
    hits: float
    by_chance: float
    at_least: float
    """The probability of as many hits, or more, by chance."""


def chance_of_at_least(hits: float, chances: list[float]) -> float:
    """Return the probability of at least so many hits in independent trials, each with its own chance."""
    distribution = np.ones(1)
    for p in chances:
        distribution = np.convolve(distribution, [1 - p, p])
    return float(distribution[round(hits) :].sum())


def guessed(questions: list[Asked]) -> list[Guessed]:
    """Return what comes of the most and of the least of every feature."""
    found = []
    for feature, measure in FEATURES.items():
        for most, sign in (("most", 1), ("least", -1)):
            hits, chances = 0, []
            for asked in questions:
                values = sign * np.array(measure(asked), dtype=float)
                if np.isnan(values).any() or np.ptp(values) == 0:
                    continue
                picked = values == values.max()
                hits += picked[asked.right]
                chances.append(picked.mean())
            found.append(_counted(f"{most}: {feature}", hits, chances))
    return found


def learned(groups: list[list[Asked]]) -> Guessed:
    """Guess every group of questions with weights of all features that were fitted to the other groups."""
    hits, chances = 0, []
    for held_out in groups:
        weights = _fit([asked for group in groups if group is not held_out for asked in group])
        for asked in held_out:
            hits += (_standardised(asked) @ weights).argmax() == asked.right
            chances.append(1 / len(asked.options))
    return _counted("all features, weights from other units", hits, chances)


def _counted(how, hits, chances):
    return Guessed(how, len(chances), hits, sum(chances), chance_of_at_least(hits, chances))


@cache
def _standardised(asked):
    """Return the features of all options, of shape (options, features); each has mean 0 and, if it varies, spread 1."""
    values = np.array([measure(asked) for measure in FEATURES.values()], dtype=float).T
    values = np.where(np.isnan(values).any(axis=0), 0.0, values)
    values = values - values.mean(axis=0)
    spread = values.std(axis=0)
    return np.divide(values, spread, out=np.zeros_like(values), where=spread > 0)


def _fit(questions):
    """Fit one weight for each feature, by gradient ascent on the log-probability of the right options."""
    values = np.zeros((len(questions), MOST_OPTIONS, len(FEATURES)))
    is_option = np.zeros(values.shape[:2], dtype=bool)
    for i, asked in enumerate(questions):
        values[i, : len(asked.options)], is_option[i, : len(asked.options)] = _standardised(asked), True
    right = values[np.arange(len(questions)), [asked.right for asked in questions]]
    weights = np.zeros(len(FEATURES))
    for _ in range(N_STEPS):
        p = masked_softmax(values @ weights, is_option)
        expected = np.einsum("qo,qof->qf", p, values)
        weights += RATE * ((right - expected).mean(axis=0) - PENALTY / len(questions) * weights)
    return weights


def main():
    """Print a line for every option of every question, and one for every way to guess."""
    groups = [asked_in(unit) for unit in units()]
    for unit, group in zip(units(), groups, strict=True):
        for asked in group:
            print(f"\n{unit.id[:2]} {asked.id}")
            for i, option in enumerate(asked.options):
                marks = ("right" if i == asked.right else "", "reason" if has_reason(option) else "")
                print(f"  {'ABCDE'[i]} {length(option):4} {marks[0]:6}{marks[1]:7}{option}")
    questions = [asked for group in groups for asked in group]
    lengths = median(length(option) for asked in questions for option in asked.options)
    print(f"\n{len(questions)} questions; the median option has {lengths:.0f} characters")
    for row in [*guessed(questions), learned(groups)]:
        print(f"{row.how:40} {row.hits:3.0f} of {row.n:3}  by chance {row.by_chance:5.1f}  P {row.at_least:.3f}")


if __name__ == "__main__":
    main()
