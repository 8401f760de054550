"""What a worker may reply: every part is checked for its form before it is used."""

from collections.abc import Collection
from typing import Any

from autograder.execution.earlier import CHANGED, SHARES
from autograder.execution.outcome import LearnerError, Outcome
from autograder.judge.wire.npy import require
from autograder.judge.worker.child import MAX_TEXT, MAX_TEXTS

STATUSES = ("returned", "raised", "not written", "timeout")


def beginning(answer: Any, earlier: Collection[str]) -> tuple[str, tuple[str, ...], int]:
    """Read the reply about the cells.

    Parameters
    ----------
    answer : object
    earlier : sequence of str
        Names of the functions that the reference may stand in for.

    Returns
    -------
    missing : str
        Why there is no function; empty when there is one.
    substituted : tuple of str
    cell : int
        The number of the cell that defines the function; 0 where none does.

    Raises
    ------
    ProtocolError
        If its form is wrong.
    """
    require(isinstance(answer, tuple) and len(answer) == 3, "a reply with other fields")
    missing, substituted, cell = answer
    require(_are_among(earlier, substituted), "the name of a function that nothing stands in for")
    require(type(cell) is int, "a malformed number of a cell")
    return _short_text(missing), substituted, cell


def outcome(answer: Any, arguments: Collection[str]) -> Outcome:
    """Read the reply about a call; `arguments` are the names that an argument can have.

    Returns
    -------
    Outcome

    Raises
    ------
    ProtocolError
        If its form is wrong.
    """
    require(isinstance(answer, tuple) and len(answer) == 8, "a reply with other fields")
    status, value, error, changed, shares, earlier, warnings, printed = answer
    require(isinstance(status, str) and status in STATUSES, "a reply of an unknown status")
    require(
        (error is not None) == (status in ("raised", "not written")),
        "an error that the status forbids, or none that it demands",
    )
    for names in (changed, shares):
        require(_are_among(arguments, names), "an unknown argument")
    require(_are_among((CHANGED, SHARES), earlier), "an unknown word about earlier results")
    require(isinstance(warnings, tuple) and len(warnings) <= MAX_TEXTS, "malformed warnings")
    texts = tuple(map(_short_text, warnings))
    error = None if error is None else _error(error)
    return Outcome(status, value, error, changed, shares, earlier, texts, _short_text(printed))


def _are_among(allowed, names):
    return isinstance(names, tuple) and all(isinstance(name, str) and name in allowed for name in names)


def _error(error):
    require(isinstance(error, tuple) and len(error) == 5, "an error of another form")
    kind, message, number, line, bases = error
    require(number is None or type(number) is int, "a malformed line number")
    require(isinstance(bases, tuple) and len(bases) <= MAX_TEXTS, "malformed names of types")
    texts = (_short_text(kind), _short_text(message), number, _short_text(line))
    return LearnerError(*texts, tuple(map(_short_text, bases)))


def _short_text(text):
    """Return a text without characters that could disturb a terminal or a page."""
    require(isinstance(text, str) and len(text) <= MAX_TEXT, "a malformed text, or one that is too long")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t\xa0" else "\N{REPLACEMENT CHARACTER}" for c in text)
