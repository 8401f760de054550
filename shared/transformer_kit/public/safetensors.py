"""Files of named arrays in the format safetensors: a table of contents in JSON, then the numbers, and no code.

8 bytes     length of the table, a little-endian integer
the table   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
the rest    the numbers, to which the offsets refer
"""

import json
import math

import numpy as np

from transformer_kit.trained.model import ModelFileError

DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "U8": "u1", "BOOL": "?", "I32": "<i4", "I64": "<i8"}
MAX_TABLE, MAX_AXES = 10_000_000, 8  # bytes; axes of an array


def read_safetensors(path):
    """Read all arrays of a file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict from str to ndarray
        Views of one array, which holds the whole file.

    Raises
    ------
    ModelFileError
        If the file is not of this format, or is damaged.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            _require(2 <= length <= min(MAX_TABLE, size - 8), f"its table would be {length} bytes long")
            table = json.loads(file.read(length))
            numbers = np.fromfile(file, dtype=np.uint8)
        _require(isinstance(table, dict), "its table holds no names")
        table.pop("__metadata__", None)
        return {name: _array(name, about, numbers) for name, about in table.items()}
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFileError(f"{path} cannot be read as a safetensors file: {error}") from error


def _array(name, about, numbers):
    """Return one array as a view of all numbers."""
    entry = about if isinstance(about, dict) else {}
    dtype, shape, place = (entry.get(key) for key in ("dtype", "shape", "data_offsets"))
    _require(isinstance(dtype, str) and dtype in DTYPES, f"{name} has the dtype {dtype!r}; known: {', '.join(DTYPES)}")
    _require(_are_lengths(shape) and len(shape) <= MAX_AXES, f"{name} has no shape")
    _require(_are_lengths(place) and len(place) == 2, f"{name} has no place in the file")
    (start, end), kind = place, np.dtype(DTYPES[dtype])
    _require(start <= end <= len(numbers), f"{name} lies beyond the end of the file")
    _require(math.prod(shape) * kind.itemsize == end - start, f"{name} has another size than its shape says")
    return numbers[start:end].view(kind).reshape(shape)


def _are_lengths(value):
    return isinstance(value, list) and all(type(length) is int and length >= 0 for length in value)


def _require(condition, text):
    if not condition:
        raise ValueError(text)
