"""Arrays as .npy: a header is trusted only where it matches the bytes that came, and pickle is never used."""

import io
import math
import re
from functools import lru_cache
from typing import Any

import numpy as np

MAX_BYTES = 2 << 20  # of an array, or of all arrays of a message; no part of an exercise needs a tenth of it
MAX_ARRAY_HEADER = 1000
# Extended precision is not among them: its numbers have unused bytes, which would carry what was in memory before.
DTYPES = frozenset(np.dtype(code) for code in "?bhilqBHILQefdFD")
CODES = {dtype.str: dtype for dtype in DTYPES}
HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<dtype>[<>|]\w{2,3})', 'fortran_order': False, "
    rb"'shape': \((?P<shape>|\d{1,9},|\d{1,9}(, \d{1,9})+)\), \} *\n",
    re.DOTALL,
)


class ProtocolError(Exception):
    """The conversation cannot continue: something malformed came."""


class TooLarge(ProtocolError):
    """A value cannot be sent; nothing of it was."""


def require(condition: object, text: str) -> None:
    """Raise ProtocolError unless the condition holds."""
    if not condition:
        raise ProtocolError(text)


def write_array(array: np.ndarray | np.generic) -> bytes:
    """Return an array of one of the `DTYPES`, or a scalar, as .npy; TooLarge beyond MAX_BYTES."""
    if not is_shape(list(array.shape), array.itemsize):
        raise TooLarge(f"an array of shape {array.shape} and dtype {array.dtype}")
    native = np.asarray(array, dtype=array.dtype.newbyteorder("="))
    return _header(native.dtype.str, native.shape) + native.tobytes()


@lru_cache(1000)
def _header(dtype, shape):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


def read_array(blob: bytes | memoryview) -> np.ndarray:
    """Read one .npy blob; ProtocolError where its data does not match its header."""
    start = bytes(blob[:10])  # six of magic, two of version, two of length
    require(len(start) == 10 and start[6:8] == b"\x01\x00", "not .npy, or an unknown version of it")
    length = 10 + int.from_bytes(start[8:], "little")
    require(length <= min(len(blob), MAX_ARRAY_HEADER), "a header that is too long")
    shape, dtype = _described(bytes(blob[:length]))
    require(math.prod(shape) * dtype.itemsize == len(blob) - length, "a shape that does not fit the data")
    return np.frombuffer(blob, dtype, offset=length).reshape(shape).copy()


@lru_cache(1000)
def _described(header):
    """Return the shape and dtype in a header, which must be written as NumPy writes it."""
    match = HEADER.fullmatch(header)
    require(match, "not a header of .npy in the order of C")
    shape = tuple(map(int, re.findall(rb"\d+", match["shape"])))
    code = match["dtype"].decode()
    require(code in CODES, f"an array of dtype {code}")
    require(is_shape(list(shape), CODES[code].itemsize), "not the shape of an array, or of one that is too large")
    return shape, CODES[code]


def is_shape(shape: Any, itemsize: int = 8) -> bool:
    """Return whether a value is a list of lengths, none of them large, not even those of an empty array."""
    lengths = isinstance(shape, list) and len(shape) <= 32 and all(type(n) is int and n >= 0 for n in shape)
    return lengths and math.prod(max(n, 1) for n in shape) * itemsize <= MAX_BYTES
