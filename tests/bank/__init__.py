"""A bank of functions that learners might write: nobody wrote them to fit the known mistakes.

They were collected from the notebooks alone, a folder for each unit and a file for each exercise, and each wrong one
says what is truly wrong with it.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module


@dataclass(frozen=True)
class Specimen:
    """A function with the truth about it.

    Attributes
    ----------
    function : callable
    label : str
        What is wrong with it; empty for a right one.
    names : frozenset of str
        Ids of the known mistakes that describe it rightly; empty where none does.
    line : str or None
        The first line of its source that gives something wrong, where that is one line.
    """

    function: object
    label: str = ""
    names: frozenset = frozenset()
    line: str | None = None

    def __call__(self, *args, **kwargs):
        """Call the function, as one does that calls itself."""
        return self.function(*args, **kwargs)


def wrong(label, names=(), line=None):
    """Return a decorator that says what is wrong with a function; see `Specimen`."""
    return lambda function: Specimen(function, label, frozenset(names), line)


def right(function):
    """Say that a function is right."""
    return Specimen(function)


@cache
def specimens(unit_id, name):
    """Return what there is of an exercise, in the order of its file."""
    module = import_module(f"tests.bank.unit_{unit_id}.{name}")
    return tuple(value for value in vars(module).values() if isinstance(value, Specimen))
