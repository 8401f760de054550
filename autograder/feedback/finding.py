"""What is wrong, in a heading, a sentence or two, and the sections to read."""

from dataclasses import dataclass

from autograder.evaluation.cause import Cause
from autograder.registry import find, unit_of
from autograder.specification import Exercise

LEADS = {"certain": "Cause: {}.", "likely": "Most likely cause: {}.", "two": "Two things at once: {}, and {}."}
ORDINALS = "(1) ", "(2) "  # before the reasons of two mistakes
PRONOUNS = ("It", "They", "These", "Those", "That", "This")  # with which a reason may begin
NAMES = ("True", "False", "None", "Python's", "NumPy's")  # which keep their capital


@dataclass(frozen=True)
class Finding:
    """What is wrong, or what came back: a title, what there is to say about it, and the sections to read.

    All sections are of the notebook of the exercise, so that a link can lead there.
    """

    title: str
    text: str = ""
    sections: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        """The sections as a text."""
        return " and ".join(f"“{section}”" for section in self.sections)

    def in_words(self, notebook: str = "") -> str:
        """Return all of it as one text; `notebook` is the number of the sections' notebook, where it has to be said."""
        where = f"notebook {notebook}, {self.listed}" if notebook else self.listed
        return f"{self.title} {self.text}".strip() + (f" See {where}." if self.sections else "")


def of_cause(cause: Cause, exercise: Exercise) -> Finding:
    """Put a cause into words.

    Parameters
    ----------
    cause : Cause
    exercise : Exercise
        Whose function has it.

    Returns
    -------
    Finding
    """
    title = LEADS[cause.kind].format(*(_clause(mistake.name, helper) for mistake, helper in cause.pairs))
    texts, sections = [], []
    for number, (mistake, helper) in enumerate(cause.pairs):
        texts.append(ORDINALS[number] + _with_noun(mistake) if len(cause.pairs) > 1 else mistake.why)
        if helper and unit_of(find(helper)) is not unit_of(exercise):
            texts.append(f"See notebook {unit_of(find(helper)).id[:2]}, “{mistake.where}”.")
        else:
            sections.append(mistake.where)
    return Finding(title, " ".join(texts), tuple(dict.fromkeys(sections)))


def _with_noun(mistake):
    """Return a reason that can stand far from the name of its mistake: no pronoun speaks of something in that."""
    first, _, rest = mistake.why.partition(" ")
    return f"{mistake.name}: {first.lower()} {rest}" if first in PRONOUNS else mistake.why


def sentences(cause: Cause) -> str:
    """Return the names of a cause's mistakes as sentences.

    Parameters
    ----------
    cause : Cause

    Returns
    -------
    str
    """
    named = (_clause(mistake.name, helper) if helper else mistake.name for mistake, helper in cause.pairs)
    return " ".join(f"{name[0].upper()}{name[1:]}." for name in named)


def _clause(sentence, helper):
    """Make a sentence go on after a colon, and say of which function within the learner's it speaks."""
    first, _, rest = sentence.partition(" ")
    is_word = first == "A" or (first[1:].islower() and first not in NAMES)  # and not X or ReLU
    clause = f"{first[0].lower()}{first[1:]} {rest}" if is_word else sentence
    return f"where your function does the work of `{helper}`, {clause}" if helper else clause
