"""No text uses a phrase that gives a translation away, or two terms for one thing."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from tools.style.told import Finding

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


def paths(root: Path) -> list[Path]:
    """Return every file with a text of the course."""
    return sorted(path for pattern in FOLDERS for path in root.glob(pattern))


def findings(root: Path) -> Iterator[Finding]:
    """Yield every banned phrase of the course's texts."""
    for path in paths(root):
        for line, what in faults(path.read_text(encoding="utf-8")):
            yield Finding(path.relative_to(root).as_posix(), line, what)


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of every banned phrase of a text, and what to say instead."""
    joined, lines = on_one_line(text), text.splitlines(keepends=True)
    for phrase, instead in BANNED.items():
        for match in re.finditer(phrase, joined):
            words = joined[max(match.start() - 30, 0) : match.end() + 20]
            yield _line(lines, match.start()), f"{words!r}: say {instead!r}"


def on_one_line(text: str) -> str:
    """Join lines, without the marks of comments and of strings that go on."""
    text = re.sub(r"\"\s*\n\s*f?\"", "", text)
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*#+ ?", "", text))


def _line(lines, position):
    """Return the number of the line that a position of the joined text is in."""
    return bisect_right(range(1, len(lines)), position, key=lambda n: len(on_one_line("".join(lines[:n])))) + 1
