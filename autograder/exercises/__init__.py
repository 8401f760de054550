"""The specifications of all exercises: a package for every unit, and in it a module `x.py` for every exercise `x`.

A module says what is asked, what is claimed of the function, and what learners do wrong, in this order.
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def units():
    """Return all units in the order of the course, which is that of their packages' names."""
    packages = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"{__name__}.{name}").UNIT for name in packages)


def find(name):
    """Return the exercise that asks for the function `name`.

    Raises
    ------
    LookupError
        If there is none; the message lists the nearest names.
    """
    return _lookup(name, {e.name: e for unit in units() for e in unit.exercises}, "exercise")


@cache
def names():
    """Return the names of all exercises, in the order of the course."""
    return tuple(e.name for unit in units() for e in unit.exercises)


def names_before(exercise):
    """Return the names of the exercises that come before one in the course, in their order."""
    return names()[: names().index(exercise.name)]


def unit_of(exercise):
    """Return the unit that an exercise belongs to."""
    return next(unit for unit in units() if exercise in unit.exercises)


def find_unit(id):
    """Return the unit with this id; raises LookupError as `find` does."""
    return _lookup(id, {unit.id: unit for unit in units()}, "unit")


def find_question(id):
    """Return the question with this id; raises LookupError as `find` does."""
    return _lookup(id, {q.id: q for unit in units() for q in unit.questions}, "question")


def _lookup(name, known, kind):
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=3, cutoff=0.4) or sorted(known)
    raise LookupError(f"There is no {kind} named {name!r}. Did you mean {', '.join(near)}?")
