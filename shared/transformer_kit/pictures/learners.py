"""What pictures need to know of a learner's functions: which of them were at work, and what they raised."""

import sys
from functools import wraps
from traceback import extract_tb

from transformer_kit import reference
from transformer_kit.pictures.asked import Message

KIT = "transformer_kit."
COURSE = frozenset(reference.__all__)


def drawn_or_said(draw):
    """Let a picture say what a learner's function raised, instead of a traceback that leads through the kit.

    A NotImplementedError goes on, to the cell's `skip_if_unimplemented`.

    Parameters
    ----------
    draw : callable

    Returns
    -------
    callable
        Returns what `draw` returns, or else a `Message`.
    """

    @wraps(draw)
    def attempt(*args, **options):
        try:
            return draw(*args, **options)
        except NotImplementedError:
            raise
        except Exception as error:
            last = extract_tb(error.__traceback__)[-1]
            place = f" (line {last.lineno} of its file or cell, in {last.name})" if last.name in COURSE else ""
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            return Message(f"There is nothing to draw: {kind}{error}{place}")

    return attempt


def at_work(compute):
    """Call a function, and find out which functions of the course were called on the way.

    Parameters
    ----------
    compute : callable
        Without arguments.

    Returns
    -------
    result : object
        What `compute` returned.
    mine, lent : set of str
        Names of functions that the learner has written, and of those that the course has lent.
    """
    mine, lent, before = set(), set(), sys.getprofile()

    def note(frame, event, _):
        code, names = frame.f_code, frame.f_globals
        if event == "call" and code.co_name in COURSE and getattr(names.get(code.co_name), "__code__", None) is code:
            module = names.get("__name__", "")
            if module.startswith(reference.__name__):
                lent.add(code.co_name)
            elif not module.startswith(KIT):
                mine.add(code.co_name)

    sys.setprofile(note)
    try:
        result = compute()
    finally:
        sys.setprofile(before)
    return result, mine, lent - mine


def credit(mine, lent):
    """Say whose functions were at work: "by 3 functions of yours and 14 of the course"."""
    owners = [(len(names), owner) for names, owner in ((mine, "yours"), (lent, "the course")) if names]
    counts = [
        f"{n}{'' if i else ' functions' if n > 1 else ' function'} of {owner}" for i, (n, owner) in enumerate(owners)
    ]
    return f"by {' and '.join(counts)}"
