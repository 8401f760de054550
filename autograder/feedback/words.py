"""How long a text is, and the beginning of one that is too long."""

import re

MAX_LENGTH, MIN_WORDS = 400, 5  # characters and words of a sentence that is cut


def count_words(*texts: str) -> int:
    """Count the words of some texts: whatever stands between spaces."""
    return sum(len(text.split()) for text in texts)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return re.split(r"(?<=[.?!]) (?=[^a-z])", text)[0]


def beginning(text: str, words: int) -> str:
    """Return a text if it has no more words than this, or its first sentence, a part of that, or at worst nothing."""
    first = first_sentence(text)
    return next((shown for shown in (text, first) if count_words(shown) <= words), _first_words(first, words - 1))


def _first_words(text, words):
    """Cut a sentence, behind a comma where there is one."""
    if words < MIN_WORDS:
        return ""
    cut = " ".join(text.split()[:words])
    cut = re.sub(r"^(.{20,}[,;:]) .*", r"\1", cut)[:MAX_LENGTH].rstrip(",;:")
    return f"{cut}` ..." if cut.count("`") % 2 else f"{cut} ..."  # a backtick ends code
