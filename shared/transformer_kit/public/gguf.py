"""Files of named facts and arrays in the format GGUF, version 3; nothing in them is code.

"GGUF", version, number of arrays, number of facts
the facts    name, kind, value; a value may be a list of simple ones
the table    for each array its name, axes, kind of numbers, and where it begins
the rest     the numbers, in blocks, at multiples of the alignment

Why not the library `gguf` (0.19), which reads the same numbers, bit for bit: it brings requests, PyYAML and tqdm along,
takes eight times as long to find the arrays of a model with 49,152 pieces, and believes what a file says of itself: a
hostile one of 2 MB kept it busy for half a minute. What a model of the course needs of the format is below.
"""

import math
import struct
from typing import NamedTuple

import numpy as np

from transformer_kit.trained.model import ModelFileError

SIMPLE = {0: "u1", 1: "i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 7: "?", 10: "<u8", 11: "<i8", 12: "<f8"}
TEXT, LIST = 8, 9  # kinds of facts
F32, F16, Q4_1, Q8_0 = 0, 1, 3, 8  # kinds of arrays
BLOCKS = {  # the numbers in a block, and how it is stored
    F32: (1, np.dtype("<f4")),
    F16: (1, np.dtype("<f2")),
    Q4_1: (32, np.dtype([("scale", "<f2"), ("smallest", "<f2"), ("packed", "u1", 16)])),
    Q8_0: (32, np.dtype([("scale", "<f2"), ("numbers", "i1", 32)])),
}
ALIGNMENT = 32  # bytes, where the file names no other
MAX_FACTS, MAX_ARRAYS, MAX_AXES, MAX_TEXT, MAX_ALIGNMENT = 1000, 10_000, 4, 1_000_000, 4096


class Stored(NamedTuple):
    """An array as it lies in the file.

    Attributes
    ----------
    kind : int
    shape : tuple of int
        The last axis is the one that runs, as in NumPy.
    blocks : ndarray of shape (n_blocks,)
        A view of the file, of the dtype that `BLOCKS` has for the kind.
    """

    kind: int
    shape: tuple
    blocks: np.ndarray


def read_gguf(path):
    """Read the facts of a file, and find its arrays.

    Parameters
    ----------
    path : Path

    Returns
    -------
    facts : dict from str to int, float, bool, str, ndarray or list of str
    arrays : dict from str to Stored

    Raises
    ------
    ModelFileError
        If the file is not of this format, or is damaged.
    """
    try:
        return _read(_Cursor(np.memmap(path, np.uint8, mode="r").view(np.ndarray)))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path} cannot be read as a GGUF file: {error}") from error


def numbers_of(stored, dequantised):
    """Return an array as floats.

    Parameters
    ----------
    stored : Stored
    dequantised : callable
        The function of unit 13, which restores blocks of 4 bits.

    Returns
    -------
    ndarray of the stored shape, float32
    """
    blocks = stored.blocks
    if stored.kind == Q4_1:
        numbers = dequantised(blocks["scale"], blocks["smallest"], blocks["packed"])
    elif stored.kind == Q8_0:
        numbers = blocks["scale"].astype(np.float32)[:, None] * blocks["numbers"]
    else:
        numbers = blocks.astype(np.float32)  # a copy, so that the file can be closed
    return np.asarray(numbers, np.float32).reshape(stored.shape)


class _Cursor:
    """Reads one thing after another, and nothing beyond the end."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        """Return the next bytes."""
        _require(0 <= size <= len(self.data) - self.at, f"it ends before what begins at byte {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def whole(self, code="<Q"):
        """Return the next whole number, of 8 bytes or of 4 (``"<I"``)."""
        return struct.unpack(code, self.take(struct.calcsize(code)))[0]

    def text(self):
        """Return the next text; UnicodeDecodeError, a ValueError, if it is none."""
        length = self.whole()
        _require(length <= MAX_TEXT, f"a text at byte {self.at} would be {length} bytes long")
        return self.take(length).tobytes().decode()

    def simple(self, kind, count):
        """Return the next simple values."""
        _require(kind in SIMPLE, f"a fact is of kind {kind}; known: {', '.join(map(str, [*SIMPLE, TEXT, LIST]))}")
        dtype = np.dtype(SIMPLE[kind])
        return self.take(count * dtype.itemsize).view(dtype)

    def value(self, kind):
        """Return the next fact; a list of lists is refused, so that nothing is ever nested."""
        if kind == TEXT:
            return self.text()
        if kind != LIST:
            return self.simple(kind, 1)[0].item()
        kind, count = self.whole("<I"), self.whole()
        _require(count <= len(self.data) - self.at, f"a list would have {count} entries, more than the file has bytes")
        return [self.text() for _ in range(count)] if kind == TEXT else self.simple(kind, count).copy()


def _read(cursor):
    """Return facts and arrays."""
    _require(cursor.take(4).tobytes() == b"GGUF", "it does not begin with GGUF")
    version, n_arrays, n_facts = cursor.whole("<I"), cursor.whole(), cursor.whole()
    _require(version == 3, f"it is of version {version}; known: 3")
    _require(n_facts <= MAX_FACTS, f"it would have {n_facts} facts; at most {MAX_FACTS} are read")
    _require(n_arrays <= MAX_ARRAYS, f"it would have {n_arrays} arrays; at most {MAX_ARRAYS} are read")
    facts, table = {}, {}
    for _ in range(n_facts):
        name = cursor.text()
        _require(name not in facts, f"it has the fact {name} twice")
        facts[name] = cursor.value(cursor.whole("<I"))
    for _ in range(n_arrays):
        name = cursor.text()
        _require(name not in table, f"it has the array {name} twice")
        table[name] = _entry(cursor, name)
    step = facts.get("general.alignment", ALIGNMENT)
    _require(type(step) is int and 0 < step <= MAX_ALIGNMENT, f"its alignment is {step!r}")
    numbers = cursor.data[-(-cursor.at // step) * step :]
    return facts, {name: _stored(numbers, step, name, *entry) for name, entry in table.items()}


def _entry(cursor, name):
    """Return the shape, the kind and the place of the next array of the table."""
    n_axes = cursor.whole("<I")
    _require(n_axes <= MAX_AXES, f"{name} would have {n_axes} axes; at most {MAX_AXES} are read")
    shape = tuple(cursor.whole() for _ in range(n_axes))[::-1]  # the file has the axis that runs first
    return shape, cursor.whole("<I"), cursor.whole()


def _stored(numbers, step, name, shape, kind, start):
    """Return one array as a view of all numbers."""
    _require(kind in BLOCKS, f"{name} has numbers of kind {kind}; known: {', '.join(map(str, BLOCKS))}")
    per_block, dtype = BLOCKS[kind]
    _require(not shape or shape[-1] % per_block == 0, f"{name} does not consist of whole blocks: its shape is {shape}")
    size = math.prod(shape) // per_block * dtype.itemsize
    _require(start % step == 0, f"{name} begins at byte {start}, no multiple of {step}")
    _require(start + size <= len(numbers), f"{name} lies beyond the end of the file")
    return Stored(kind, shape, numbers[start : start + size].view(dtype))


def _require(condition, text):
    if not condition:
        raise ValueError(text)
