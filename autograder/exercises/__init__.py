"""The specifications of all exercises: one package per unit; `x_mistakes.py` holds the known mistakes of `x`."""

from difflib import get_close_matches
from functools import cache
from importlib import import_module

UNITS = (
    "unit_00_tokens_and_shapes",
    "unit_01_positional_encoding",
    "unit_02_scaled_dot_product_attention",
    "unit_03_masking",
    "unit_04_multi_head_attention",
    "unit_05_cross_attention",
    "unit_06_feed_forward",
    "unit_07_add_and_layer_norm",
    "unit_08_decoding",
    "unit_09_transformer",
    "unit_10_training",
)


@cache
def units():
    """Return all units in the order of the course."""
    return tuple(import_module(f"{__name__}.{name}").UNIT for name in UNITS)


def find(name):
    """Return the exercise that asks for the function `name`.

    Raises
    ------
    LookupError
        If there is none; the message lists the nearest names.
    """
    return _lookup(name, {e.name: e for unit in units() for e in unit.exercises}, "exercise")


def names():
    """Return the names of all exercises, in the order of the course."""
    return [e.name for unit in units() for e in unit.exercises]


def names_before(exercise):
    """Return the names of the exercises that come before one in the course, in their order."""
    return names()[: names().index(exercise.name)]


def unit_of(exercise):
    """Return the unit that an exercise belongs to."""
    return next(unit for unit in units() if exercise in unit.exercises)


def find_question(id):
    """Return the question with this id; raises LookupError as `find` does."""
    return _lookup(id, {q.id: q for unit in units() for q in unit.questions}, "question")


def _lookup(name, known, kind):
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=3, cutoff=0.4) or sorted(known)
    raise LookupError(f"There is no {kind} named {name!r}. Did you mean {', '.join(near)}?")
