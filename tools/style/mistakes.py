"""A report is read to its end: a known mistake's name and reason are short, and so are the calls that it shows."""

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.feedback.words import count_words
from autograder.registry import units
from autograder.specification import Exercise, Mistake, Unit
from tools.style.told import Finding, Used

WORDS = 60  # of a mistake's name and reason: with more, a report could not give the reason in full
CALL_LINES, CALL_WIDTH = 12, 116
FOLDER = Path("autograder", "exercises")
# What is not said in the name of a mistake, and why.
BANNED = {
    r"\bmust\b": "say what the function does wrong, and not what the exercise demands",
}


def findings(root: Path) -> Iterator[Finding]:
    """Yield what is too long in a report, or not said in a name."""
    for unit in units():
        for exercise in unit.exercises:
            for mistake in exercise.mistakes:
                for what in faults(mistake):
                    yield _found(root, unit, exercise, _begins(mistake), f"{exercise.name}, {mistake.id}: {what}")
            for code in exercise.calls:
                for what in faults_of_call(code):
                    yield _found(root, unit, exercise, re.escape(code.splitlines()[0]), f"{exercise.name}: {what}")


def fullest(root: Path) -> list[Used]:
    """Return how much the longest texts use of their limits."""
    exercises = [exercise for unit in units() for exercise in unit.exercises]
    calls = [code.splitlines() for exercise in exercises for code in exercise.calls]
    words = max(words_of(mistake) for exercise in exercises for mistake in exercise.mistakes)
    return [
        Used("words of a mistake's name and reason", words, WORDS),
        Used("lines of a call in a report", max(map(len, calls)), CALL_LINES),
        Used("characters in a line of a call", max(len(line) for lines in calls for line in lines), CALL_WIDTH),
    ]


def faults(mistake: Mistake) -> Iterator[str]:
    """Yield a sentence for each rule that the words of a mistake break."""
    words = words_of(mistake)
    if words > WORDS:
        yield f"{words} words in name and reason; the limit is {WORDS}, so {words - WORDS} have to go"
    for phrase, why in BANNED.items():
        if match := re.search(phrase, mistake.name):
            yield f"{match[0]!r} in the name: {why}"


def faults_of_call(code: str) -> Iterator[str]:
    """Yield a sentence for each limit that a call exceeds."""
    lines = code.splitlines()
    if len(lines) > CALL_LINES:
        yield f"a call of {len(lines)} lines; the limit is {CALL_LINES}"
    if (width := max(map(len, lines))) > CALL_WIDTH:
        yield f"a call with a line of {width} characters; the limit is {CALL_WIDTH}"


def words_of(mistake: Mistake) -> int:
    """Return how many words the name and the reason of a mistake have."""
    return count_words(mistake.name, mistake.why)


def _begins(mistake):
    """Return a pattern for the line that a mistake begins in."""
    return rf"\"{re.escape(mistake.id)}\"|def {re.escape(mistake.id.replace('-', '_'))}\("


def _found(root: Path, unit: Unit, exercise: Exercise, pattern: str, what: str) -> Finding:
    """Return a finding in the first line that fits: of the exercise's file, of its unit's calls, or of a family."""
    own = FOLDER / f"unit_{unit.id}"
    for path in (own / f"{exercise.name}.py", own / "calls.py", FOLDER / "families.py"):
        text = (root / path).read_text(encoding="utf-8") if (root / path).exists() else ""
        if match := re.search(pattern, text):
            return Finding(path.as_posix(), text.count("\n", 0, match.start()) + 1, what)
    return Finding((own / f"{exercise.name}.py").as_posix(), 1, what)
