"""What a worker may reply, and nothing else: everything is checked before it is believed to be of the right form."""

from autograder.judge.child import MAX_TEXT, MAX_TEXTS
from autograder.judge.npy import require
from autograder.outcome import LearnerError, Outcome

STATUSES = ("returned", "raised", "not written", "timeout")


def beginning(answer, earlier):
    """Read the reply about the cells.

    Parameters
    ----------
    answer : object
    earlier : sequence of str
        The names that may be lent.

    Returns
    -------
    missing : str
        Why there is no function; empty when there is one.
    lent : tuple of str

    Raises
    ------
    ProtocolError
        If it has another form.
    """
    require(isinstance(answer, tuple) and len(answer) == 2, "a reply with other fields")
    missing, lent = answer
    require(isinstance(lent, tuple) and all(name in earlier for name in lent), "a name that is not lent")
    return _short_text(missing), lent


def outcome(answer, arguments):
    """Read the reply about a call; `arguments` are the names that an argument can have.

    Returns
    -------
    Outcome

    Raises
    ------
    ProtocolError
        If it has another form.
    """
    require(isinstance(answer, tuple) and len(answer) == 7, "a reply with other fields")
    status, value, error, changed, shares, warnings, printed = answer
    require(isinstance(status, str) and status in STATUSES, "a reply of an unknown status")
    require((error is not None) == (status in ("raised", "not written")), "an error where none may be, or none")
    for names in (changed, shares):
        require(isinstance(names, tuple) and all(name in arguments for name in names), "an unknown argument")
    require(isinstance(warnings, tuple) and len(warnings) <= MAX_TEXTS, "warnings that are none")
    texts = tuple(map(_short_text, warnings))
    return Outcome(status, value, error and _error(error), changed, shares, texts, _short_text(printed))


def _error(error):
    require(isinstance(error, tuple) and len(error) == 4, "an error of another form")
    kind, message, number, line = error
    require(number is None or type(number) is int, "a line number that is none")
    return LearnerError(_short_text(kind), _short_text(message), number, _short_text(line))


def _short_text(text):
    """Return a text without what could turn a terminal or a page upside down."""
    require(isinstance(text, str) and len(text) <= MAX_TEXT, "a text that is none, or too long a one")
    return "".join(c if c.isprintable() or c in "\n\t\xa0" else "\N{REPLACEMENT CHARACTER}" for c in text)
