"""Values between the judge and a worker as JSON and .npy, never pickle; what is malformed is refused.

A value becomes a tree for JSON in which an array is the number of a blob:

    None, True, 3, 0.5, "text"                          themselves (integers of 64 bits; inf and nan as well)
    {"array": 0}, {"scalar": 1}                         an ndarray and a NumPy scalar
    {"objects": [...], "shape": [2, 3]}                 an ndarray of Python's objects
    {"tuple": [...]}, {"list": [...]}                   containers; of their subclasses only the items
    {"dict": ["key", value, "key", value]}              a dict whose keys are texts, or tuples of texts
    {"named": "AttentionParams", "items": [...]}        a named tuple that both sides know
    {"callback": 2}                                     a function that the receiver may call
    {"foreign": "{1, 2}", "kind": "set"}                anything else: its description

Only a worker describes. What the judge hands over is plain or refused: a description would tell about its process.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.execution.describe import describe
from autograder.execution.handed import Handed, Undeclared
from autograder.judge.wire.npy import DTYPES, TooLarge, is_shape, read_array, require, write_array

MAX_BLOBS = 1000
MAX_ITEMS = 4000  # the words of the translation model are some 2,700
MAX_DEPTH = 16
MAX_FOREIGN = 200
PAIRS = ("named", "foreign", "objects")  # forms with a second field
PLAIN = {type(None), bool, float}  # themselves, with nothing to check
NUMPY = (np.generic, np.ndarray)


class Foreign:
    """Stands for a value that is not sent; its class has the name of the value's class."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self):
        return self.text

    @property
    def is_array(self) -> bool:
        """Whether it describes an array, by its shape."""
        return self.text.startswith((f"a {type(self).__name__} of shape (", "an array of shape ("))

    def stands_for(self, value: object) -> bool:
        """Return whether a value of this process would be described in the same words."""
        return encode(value, []) == {"foreign": self.text, "kind": type(self).__name__}


@lru_cache(100)
def foreign_kind(name: str) -> type[Foreign]:
    """Return the class of descriptions that has this name."""
    return type(name, (Foreign,), {})


def encode(
    value: object,
    blobs: list[bytes],
    named: Mapping[str, type] | None = None,
    register: Callable[[Handed], int] | None = None,
) -> object:
    """Turn a value into a tree for JSON.

    Parameters
    ----------
    value : object
    blobs : list
        Gets one .npy blob per array.
    named : dict, optional
        The known classes of named tuples by name.
    register : callable, optional
        Returns the number under which a `Handed` can be called back. With it nothing is described; without it no
        function is sent.

    Returns
    -------
    object

    Raises
    ------
    TooLarge
        If it has too many parts, is nested too deeply or its arrays are too large.
    Undeclared
        If there is anything that would have to be described.
    """
    named = named or {}
    left = MAX_ITEMS

    def tree(value, depth):
        nonlocal left
        left -= 1 + len(value) // 100 if isinstance(value, str) else 1
        if left < 0 or depth > MAX_DEPTH:
            raise TooLarge(f"more than {MAX_ITEMS} values, or values nested more than {MAX_DEPTH} levels deep")
        if type(value) in PLAIN:
            return value
        if isinstance(value, NUMPY) and not isinstance(value, str):
            return array(value, depth)
        if isinstance(value, str | float):
            return _plain(value)
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return int(value)
        if isinstance(value, tuple | list):
            items = [tree(item, depth + 1) for item in value]
            if named.get(type(value).__name__) is type(value):
                return {"named": type(value).__name__, "items": items}
            return {"tuple" if isinstance(value, tuple) else "list": items}
        if isinstance(value, dict) and all(map(_is_key, value)):
            return {"dict": [tree(part, depth + 1) for pair in value.items() for part in pair]}
        if isinstance(value, Foreign):
            return {"foreign": value.text, "kind": type(value).__name__}
        return {"callback": register(value)} if register and isinstance(value, Handed) else other(value)

    def other(value):
        if register:
            raise Undeclared(f"a value of type {type(value).__name__} is not handed to the learner's function")
        return _foreign(value)

    def array(value, depth):
        plain = isinstance(value, np.generic) or type(value) is np.ndarray
        if plain and value.dtype.kind == "O" and value.size <= MAX_ITEMS and is_shape(list(value.shape)):
            return {"objects": [tree(item, depth + 1) for item in value.flat], "shape": list(value.shape)}
        if not plain or value.dtype.newbyteorder("=") not in DTYPES:
            return other(value)
        if len(blobs) >= MAX_BLOBS:
            raise TooLarge(f"more than {MAX_BLOBS} arrays")
        blobs.append(write_array(value))
        return {"array" if isinstance(value, np.ndarray) else "scalar": len(blobs) - 1}

    return tree(value, 0)


def _is_key(value):
    """Return whether a value is a text or a tuple of texts."""
    return type(value) is str or (type(value) is tuple and all(type(part) is str for part in value))


def _plain(value):
    """Convert an instance of a subclass of str or float to the plain type."""
    for kind in (str, float):
        if isinstance(value, kind):
            return kind(value)
    return value


def _foreign(value):
    """Describe a value that is not sent: an array by its shape, anything else by its text."""
    try:
        text = describe(value) if isinstance(value, np.ndarray) else repr(value)
    except Exception:
        text = "something without a text"
    return {"foreign": text[:MAX_FOREIGN], "kind": type(value).__name__}


def decode(
    tree: object,
    blobs: Sequence[bytes | memoryview],
    named: Mapping[str, type] | None = None,
    proxy: Callable[[int], Callable[..., Any]] | None = None,
) -> Any:
    """Turn a tree back into a value; the inverse of `encode`.

    Parameters
    ----------
    tree : object
        From JSON.
    blobs : list of bytes-like
        Each must be used exactly once.
    named : dict, optional
        The known classes of named tuples by name.
    proxy : callable, optional
        Turns the number of a callback into a function; without it callbacks are refused.

    Raises
    ------
    ProtocolError
        If anything is not as `encode` makes it, or exceeds a limit.
    """
    unused = dict(enumerate(blobs))
    left = MAX_ITEMS

    def value(tree, depth):
        nonlocal left
        left -= 1
        require(left >= 0 and depth <= MAX_DEPTH, "too many values, or nested too deeply")
        if type(tree) in PLAIN:
            return tree
        if isinstance(tree, int):
            require(-(2**63) <= tree < 2**63, "an integer of more than 64 bits")
            return tree
        if isinstance(tree, str):
            return _text(tree)
        require(isinstance(tree, dict) and tree, "a value of no known form")
        kind, content = next(iter(tree.items()))
        require(kind in forms and len(tree) == (2 if kind in PAIRS else 1), "a value of no known form")
        return forms[kind](tree, content, depth)

    def items(content, depth):
        require(isinstance(content, list), "a container whose items are not a list")
        return [value(item, depth + 1) for item in content]

    def array(tree, content, depth):
        require(type(content) is int and content in unused, "a blob that is not there or is used twice")
        blob = unused.pop(content)
        return read_array(blob)

    def scalar(tree, content, depth):
        result = array(tree, content, depth)
        require(result.ndim == 0, "a scalar that has axes")
        return result[()]

    def objects(tree, content, depth):
        shape = tree.get("shape")
        parts = items(content, depth)
        require(is_shape(shape) and math.prod(shape) == len(parts), "an array of objects without a right shape")
        result = np.empty(len(parts), dtype=object)
        for number, part in enumerate(parts):
            result[number] = part
        return result.reshape(shape)

    def dictionary(tree, content, depth):
        parts = items(content, depth)
        require(len(parts) % 2 == 0 and all(map(_is_key, parts[::2])), "a dict with other keys")
        return dict(zip(parts[::2], parts[1::2], strict=True))

    def named_tuple(tree, content, depth):
        kind = (named or {}).get(content) if isinstance(content, str) else None
        fields = items(tree.get("items"), depth)
        require(kind is not None and len(kind._fields) == len(fields), "a named tuple that nobody knows")
        return kind(*fields)

    def foreign(tree, content, depth):
        kind = tree.get("kind")
        require(isinstance(content, str) and isinstance(kind, str), "a description that is not text")
        name = kind if kind.isidentifier() and len(kind) <= 60 else "object"
        return foreign_kind(_text(name))(_text(content[:MAX_FOREIGN]))

    def callback(tree, content, depth):
        require(type(content) is int and proxy is not None, "a function where none may be")
        return proxy(content)

    forms = {
        "tuple": lambda tree, content, depth: tuple(items(content, depth)),
        "list": lambda tree, content, depth: items(content, depth),
        "array": array,
        "scalar": scalar,
        "objects": objects,
        "dict": dictionary,
        "named": named_tuple,
        "foreign": foreign,
        "callback": callback,
    }
    decoded = value(tree, 0)
    require(not unused, "a blob that nothing refers to")
    return decoded


def _text(text):
    """Replace what cannot be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
