"""What a value is, in a few words: numbers of a readable length, arrays by shape and dtype."""

from typing import Any

import numpy as np

MAX_ENTRIES = 20  # of a tuple or list that are written out
SHOWN_BEFORE = 16  # characters of a long text before the first that differs


def describe(value: Any, limit: int = 60) -> str:
    """Say in a few words what a value is: arrays by shape and dtype, small things by their text."""
    if isinstance(value, np.ndarray):
        kind = "an array" if is_plain_array(value) else f"a {type(value).__name__}"
        return f"{kind} of shape {value.shape} and dtype {value.dtype}"
    if hasattr(type(value), "stands_for") and value.is_array:
        return str(value)
    if isinstance(value, tuple | list) and value and all(isinstance(v, np.ndarray) for v in value):
        name = type(value).__name__
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name} of {len(value)} arrays"
    return "None" if value is None else f"{shortened(_text(value), limit)} ({type(value).__name__})"


def shortened(text: str, limit: int = 60) -> str:
    """Cut a text that is longer than `limit`, with three dots at the end."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def cut_alike(one: Any, other: Any, limit: int = 60) -> tuple[Any, Any]:
    """Leave out of two long texts what comes before their first difference; return anything else as it is."""
    if not (isinstance(one, str) and isinstance(other, str)) or max(len(one), len(other)) <= limit:
        return one, other
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter) - SHOWN_BEFORE
    return (one, other) if start <= 0 else (f"...{one[start:]}", f"...{other[start:]}")


def number_text(value: object, digits: int = 6) -> str:
    """Write a number with as many significant digits as a reader can take in."""
    return f"{value:.{digits}g}" if isinstance(value, float | np.floating) else str(value)


def texts_that_differ(one: object, other: object) -> tuple[str, str]:
    """Write two numbers with as few digits as distinguish them."""
    texts = ((number_text(one, digits), number_text(other, digits)) for digits in (6, 9, 12, 17))
    return next((pair for pair in texts if pair[0] != pair[1]), (str(one), str(other)))


def is_plain_array(value: object) -> bool:
    """Return whether a value is an array and no subclass of it: a masked array, a matrix or a memmap."""
    return type(value) is np.ndarray


def _text(value, depth=0):
    """Write a value as Python would, with numbers of a readable length; a list may contain itself."""
    if isinstance(value, tuple | list) and depth < 6:
        entries = [_text(entry, depth + 1) for entry in value[:MAX_ENTRIES]]
        if len(value) > MAX_ENTRIES:
            entries.append("...")
        inside = ", ".join(entries) + ("," if isinstance(value, tuple) and len(value) == 1 else "")
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    try:
        return number_text(value) if isinstance(value, float | np.number) else repr(value)
    except Exception:
        return "something without a text"
