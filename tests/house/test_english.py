"""No text of the course uses a phrase that gives a translation away, or two terms for one thing."""

import re

import pytest

from tools.course import ROOT

# What is not said, and what is said instead. Patterns see a text on one line.
BANNED = {
    r"(?<=[.!?*] )(Given|Wanted|Allowed|Missing|Needed|Meant|Asked for|Of interest) (is|are)\b": "find, you are given",
    r"(?<!is |re |er )\basked for (is|are)\b": "the result is, return",
    r"\bsmall letters?\b": "lower case",
    r"\bbeside the diagonal\b": "off the diagonal",
    r"\b(places?|positions?|tokens?|outputs?|words?|columns?|rows?|axes|axis) behind (the|it|its|them)\b": "after",
    r"\bbehind the (last|end|first)\b": "after",
    r"\b(stands?|stood) behind (the|it|its|that|them)\b": "comes after",
    r"\b[Hh]and(s|ed|ing)? (it |them )?on\b": "pass on, pass",
    r"\bin training and in use\b": "at inference",
    r"\bbears? the same\b": "has the same, share",
    r"\b[Ww]eigh(s|ed)? (every|each)\b": "multiply, weight",
    r"\bcared for\b": "handled",
    r"\bhangs? together\b": "the wiring, how the parts fit",
    r"\b[Ll]et it pass\b": "do not catch it",
    r"\b(translate|write|predict|answer)(s|d|ed)? rightly\b": "correctly",
    r"\b(two|both|three|several) trainings\b": "training runs",
    r"\b(has|have) been thought of\b": "is handled",
    r"\bturns? the (sign|order)( of [a-z ]+)? round\b": "change the sign, reverse the order",
    r"\b(last but one|first but one)\b": "second to last",
    r"\bcan be had\b": "is available",
    r"\bat other places\b": "in other places",
    r"\bcounts? on through memory\b": "walks through memory",
    r"\b[Oo]thers can be asked for\b": "the caller may ask for others",
    r"\b[Nn]otebooks? (0\d|1[0-2])\b(?!,)": "unit",
    r"\bof (his|her) own accord\b": "by itself",
    r"\bin the way of\b": "like",
    r"\b(makes?|made) one (be|become)\b": "causes",
}
# Where whole texts are: prose, and the strings, docstrings and comments of what learners and teachers read.
FOLDERS = ("solutions/*.py", "docs/*.md", "README.md", "autograder/**/*.py", "shared/**/*.py")


def texts():
    """Return every text of the course by its path."""
    paths = sorted(path for pattern in FOLDERS for path in ROOT.glob(pattern))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def on_one_line(text):
    """Join lines, without the marks of comments and of strings that go on."""
    text = re.sub(r"\"\s*\n\s*f?\"", "", text)
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*#+ ?", "", text))


def found(text):
    """Return every banned phrase of a text, with what to say instead."""
    line = on_one_line(text)
    return [
        f"{line[max(match.start() - 30, 0) : match.end() + 20]!r}: say {instead!r}"
        for phrase, instead in BANNED.items()
        for match in re.finditer(phrase, line)
    ]


@pytest.mark.parametrize("path", texts())
def test_no_banned_phrase(path):
    assert found(texts()[path]) == []


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Read on. Given is a matrix.", "Given is"),
        ("# %% [markdown]\n# The places\n# behind it are padding.", "places behind it"),
        ('say("hand "\n    "on what came")', "hand on"),
        ("Weigh every number by its share.", "Weigh every"),
        ("as in notebooks 02 and 03", "notebooks 02"),
        ("The empty row is cared for.", "cared for"),
    ],
)
def test_a_banned_phrase_is_found(text, phrase):
    (only,) = found(text)
    assert phrase in only


@pytest.mark.parametrize(
    "text",
    [
        "The widths that are given are whole numbers.",
        "What is asked for is said above.",
        "hands-on exercises on hand",
        "The column behind this.",
        "See notebook 1 of 3.",
    ],
)
def test_plain_english_passes(text):
    assert found(text) == []


def test_the_texts_of_the_course_are_read():
    kinds = ("solutions/03_masking.py", "docs/errata.md", "README.md", "autograder/cli.py")
    assert set(kinds) <= set(texts())
    assert any("exercises/unit_" in path for path in texts())
