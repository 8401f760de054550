"""What no page for readers may hold: lines of solutions, answers to questions, and the reasons that replies give."""

import re
from html import unescape

from autograder.questions import Choice
from autograder.registry import units
from tools.course import notebook

LONG_ENOUGH = 16  # signs: `return x` may stand anywhere


def secrets():
    """Return what is told to nobody before it was tried, each with what it is, as `words` writes it."""
    public = words(" ".join(cell.source for unit in units() for cell in notebook(unit.id, "notebooks").cells))
    found = {}
    for unit in units():
        found |= {words(line): f"{unit.id}: a solution" for line in _solutions(unit.id)}
        found |= {words(text): f"{unit.id}: a reply" for question in unit.questions for text in _replies(question)}
    return {text: what for text, what in found.items() if len(text) >= LONG_ENOUGH and text not in public}


def words(text):
    """Return a text without the signs and spaces that say nothing."""
    return re.sub(r"[\s`*]+", "", text)


def words_of_page(page):
    """Return the words of a page, in sight or not, scripts included."""
    return words(unescape(re.sub(r"<[^>]+>", "", page)))


def _solutions(unit_id):
    for cell in notebook(unit_id).cells:
        for region in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL):
            code = (line.partition("  #")[0] for line in region.splitlines())
            yield from (line for line in code if not line.lstrip().startswith("#"))


def _replies(question):
    """Return the reasons; with these, the right answer is no secret any more."""
    return [question.reason, *(question.replies.values() if isinstance(question, Choice) else [])]
