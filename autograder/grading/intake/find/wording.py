"""How names of unknown origin stand in sentences for people."""

import re
from collections.abc import Sequence

MAX_LISTED = 8  # names
MAX_LENGTH, FIRST, LAST = 160, 90, 60  # characters: of a text, and of what is kept of a longer one
LIKE_A_SENTENCE = re.compile(r"[.:;,!?…]\s|[“”]")


def printable(text: object) -> str:
    """Make a text short, and free of control characters."""
    text = str(text)
    text = text if len(text) <= MAX_LENGTH else f"{text[:FIRST]}…{text[-LAST:]}"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def escape_path(path: Sequence[str]) -> str:
    """Return a path as people read it; in quotation marks where it could be read as a sentence of ours."""
    text = printable("/".join(path))
    return f"“{re.sub('[“”]', '…', text)}”" if LIKE_A_SENTENCE.search(text) else text


def join_names(names: Sequence[str], joint: str = ", ") -> str:
    """Join names, the first few of them, and say how many more there are."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return joint.join(names[:MAX_LISTED]) + more


def refusal(path: Sequence[str], reason: str) -> str:
    """Return the sentence that something is refused; `reason` goes on with what to do."""
    return f"{escape_path(path)} was refused: {reason}"


def ambiguous_owner_message(place: Sequence[str], reason: str) -> str:
    """Return why a folder or zip is refused that may be one student's or the whole class's, and what to do."""
    return (
        f"{reason}. If it is one student's, keep one notebook in it and give it the student's name; if it is the whole "
        f"class's, grade it by itself: `course grade .../{printable(place[-1])}`."
    )
