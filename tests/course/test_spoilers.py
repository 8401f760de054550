"""Nothing answers a question before it was asked, and the letters of right answers cannot be guessed.

From a checked question of a learner's notebook to the next exercise, neither text nor code says the right answer, as
far as a program can tell: not its letter, not its numbers, not its words.
"""

import ast
import math
import re
from collections import Counter

import numpy as np
import pytest

from autograder.questions import Choice
from autograder.registry import units
from tools.choices import OPTION
from tools.course import notebook, tags

GIVEN_AWAY = re.compile(r"\b(?:only )?\*{0,2}[A-E]\*{0,2} is (?:right|true|correct)\b|answer = \"[A-E]\"", re.I)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
SMALL = re.findall(
    r"\w+",
    "a an and are as at be but by every for from has have in is it its no not of on one or same so than that the them "
    "then they this to was what which with",
)


def words(text):
    """Return the words of a text, in lower case."""
    return re.findall(r"[a-zà-ÿ]+", text.lower())


def phrases(text):
    """Return every four words in a row of which at least two are not small."""
    found = words(text)
    rows = {tuple(found[i : i + 4]) for i in range(len(found) - 3)}
    return {row for row in rows if sum(word not in SMALL for word in row) >= 2}


def numbers(text):
    """Return the numbers of a text that have at least two digits."""
    found = (number.rstrip(",").replace(",", "") for number in NUMBER.findall(text))
    return {number for number in found if len(number.replace(".", "").lstrip("0")) >= 2}


def telling_words(text):
    """Return the beginnings of the words of a text that are not small, so that "rises" and "rising" are one."""
    return {word[:5] for word in words(text) if word not in SMALL and len(word) > 3}


def without_hints(text):
    return re.sub(r"<details.*?</details>", "", text, flags=re.S)


def strings(source):
    """Return every text in code: alternative texts, titles, labels, docstrings and what is printed."""
    try:
        nodes = ast.walk(ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)))
    except SyntaxError:
        return []
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def sentences(cell):
    """Return what a cell says, in pieces: the sentences of its text, or the strings of its code and its comments.

    The choices of another question are left out: they say something, but do not claim it.
    """
    if cell.cell_type == "markdown":
        return re.split(r"(?<=[.?!])\s+|\n\n+|\n(?=[-|#])", OPTION.sub("", without_hints(cell.source)))
    return [*strings(cell.source), *re.findall(r"#\s*(.*)", cell.source)]


def aftermath(cells, place):
    """Return the cells after a question up to the next exercise, whose heading may be in the middle of a cell."""
    found = []
    for cell in cells[place + 1 :]:
        if tags(cell).get("solution") and not tags(cell)["grade_id"].startswith("answer-"):
            break
        if tags(cell):
            continue
        before, heading, _ = cell.source.partition("\n## Exercise")
        if cell.cell_type == "markdown" and (heading or cell.source.startswith("## Exercise")):
            found.append({**cell, "source": before if heading else ""})
            break
        found.append(cell)
    return [type(cells[0])(cell) for cell in found]


def spoilers(cells, questions):
    """Return what is said too early in a learner's notebook, as (question, how, where it is said)."""
    places = {tags(cell)["grade_id"]: i for i, cell in enumerate(cells) if tags(cell)}
    return [
        (question.id, how, said)
        for question in questions
        for how, said in _spoilers_of(question, cells, places[f"answer-{question.id}"])
    ]


def _spoilers_of(question, cells, place):
    asked = cells[place - 1].source
    known = "\n".join(without_hints(cell.source) for cell in cells[:place])
    said = [piece for cell in aftermath(cells, place) for piece in sentences(cell)]
    if isinstance(question, Choice):
        options = dict(OPTION.findall(asked))
        right = f"{options.pop(question.right)}\n{question.reason}"
        new = telling_words(dict(OPTION.findall(asked))[question.right]) - telling_words(OPTION.sub("", asked))
        new -= telling_words(" ".join(options.values()))
    else:
        right, new = question.reason, set()
        values = np.ravel(question.right())
    new_numbers, new_phrases = numbers(right) - numbers(known), phrases(right) - phrases(known)
    for piece in said:
        if GIVEN_AWAY.search(piece):
            yield "letter", piece
        if numbers(piece) & new_numbers:
            yield "numbers", piece
        if phrases(piece) & new_phrases:
            yield "phrase", piece
        if len(new) >= 2 and len(telling_words(piece) & new) >= max(2, math.ceil(0.6 * len(new))):
            yield "words", piece
        if not isinstance(question, Choice) and len(values) > 1 and _has_row(piece, values):
            yield "values", piece


def _has_row(piece, values):
    """Say whether a piece of text has all these values, one after the other, to two decimals."""
    found = [float(number.replace(",", "")) for number in NUMBER.findall(piece.replace("\N{MINUS SIGN}", "-"))]
    rounded = np.abs(values).round(2).tolist()
    rows = [np.round(found[i : i + len(rounded)], 2).tolist() for i in range(len(found) - len(rounded) + 1)]
    return rounded in rows


def uneven(questions):
    """Return the letters that are right in more than half of the lettered questions, rounded up."""
    right = [question.right for question in questions if isinstance(question, Choice)]
    return [letter for letter, count in Counter(right).items() if count > math.ceil(len(right) / 2)]


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id[:2])
def test_nothing_answers_a_question_early(unit):
    cells = notebook(unit.id, "notebooks").cells
    assert spoilers(cells, unit.questions) == []


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id[:2])
def test_right_letters_cannot_be_guessed(unit):
    """No letter is right more often than in half of a unit's lettered questions, rounded up."""
    assert uneven(unit.questions) == []


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id[:2])
def test_every_choice_is_offered_and_has_a_reply(unit):
    cells = notebook(unit.id, "notebooks").cells
    places = {tags(cell)["grade_id"]: i for i, cell in enumerate(cells) if tags(cell)}
    for question in unit.questions:
        if isinstance(question, Choice):
            asked = dict(OPTION.findall(cells[places[f"answer-{question.id}"] - 1].source))
            assert sorted(asked) == question.letters, question.id
            assert question.right not in question.replies
            assert len({question.reply(letter).text for letter in asked}) == len(asked)


# --- the finder can fail ---

REPLIES = {"A": "It is one to one.", "C": "It grows."}
QUESTION = Choice("gradient", "B", REPLIES, "The mean climbs to 1.25, because a few rows nearly tie.")
ASKED = (
    "How does it change?\n\n- **A** not at all\n- **B** it climbs, while nearly everything vanishes\n- **C** it falls"
)


def made_up(*after):
    """Return the cells of a notebook with one question, and then these."""
    cells = notebook("00_tokens_and_shapes", "notebooks").cells
    text, code, answer = (
        next(c for c in cells if c.cell_type == "markdown"),
        next(c for c in cells if c.cell_type == "code" and not tags(c)),
        next(c for c in cells if tags(c).get("grade_id", "").startswith("answer-")),
    )
    answer.metadata["nbgrader"]["grade_id"] = "answer-gradient"
    text.source = ASKED
    later = [type(text)({**(code if is_code else text), "source": source}) for is_code, source in after]
    return [text, answer, *later]


@pytest.mark.parametrize(
    ("how", "is_code", "source"),
    [
        ("letter", False, "As we saw, B is right."),
        ("numbers", False, "The mean is 1.25 then."),
        ("numbers", True, "plot(x, alt='up to 1.25')"),
        ("phrase", False, "This happens because a few rows nearly tie, as they do."),
        ("words", True, "plot(x, alt='One climbs, and nearly everything vanishes.')"),
        ("words", True, "x = 1  # climbs, vanishes nearly everything"),
    ],
)
def test_a_spoiler_is_found(how, is_code, source):
    assert (how, "gradient") in {(kind, id) for id, kind, _ in spoilers(made_up((is_code, source)), [QUESTION])}


@pytest.mark.parametrize(
    "after",
    [
        (False, "Now look at the picture."),
        (True, "plot(x, alt='Mean and median, with the scale and without it.')"),
        (False, "<details><summary>Hint 1</summary>\n\nThe mean is 1.25.\n\n</details>"),
        (False, "Next.\n\n## Exercise 3.4: more\n\nThe mean is 1.25."),
    ],
)
def test_what_is_no_spoiler(after):
    assert spoilers(made_up(after), [QUESTION]) == []


def test_uneven_letters_are_found():
    def asked(right):
        return [Choice(str(i), letter, {}, "") for i, letter in enumerate(right)]

    assert uneven(asked("ABCBA")) == uneven(asked("BBA")) == uneven(asked("")) == []
    assert uneven(asked("BBBBA")) == uneven(asked("BBBAC"[:3])) == ["B"]
