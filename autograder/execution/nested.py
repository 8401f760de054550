"""Values within values."""

from collections.abc import Callable, Iterator
from typing import Any


def leaves(value: Any) -> Iterator[Any]:
    """Yield what tuples, lists and the values of dictionaries hold, however deep; anything else is its own leaf.

    Parameters
    ----------
    value : object
        Not one that holds itself.
    """
    if isinstance(value, (tuple, list, dict)):  # not "|": a model has thousands of leaves
        for entry in value.values() if isinstance(value, dict) else value:
            yield from leaves(entry)
    else:
        yield value


def mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a value in which every leaf is changed.

    Parameters
    ----------
    change : callable
        Takes a leaf, and returns what comes in its place.
    value : object
        Not one that holds itself.

    Returns
    -------
    object
        Of the same tuples, lists and dictionaries.
    """
    if hasattr(value, "_fields"):
        return type(value)(*(mapped(change, entry) for entry in value))
    if isinstance(value, dict):
        return {key: mapped(change, entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(mapped(change, entry) for entry in value)
    return change(value)
