"""Files in the format GGUF: read to the bit, and refused in words where they are damaged or lie."""

import struct
import time
import tracemalloc

import numpy as np
import pytest

from tests.support.small_gguf import SIZES, fact, packed, small_model, text, written
from transformer_kit import reference
from transformer_kit.public.gguf import F16, F32, LIST, Q4_1, Q8_0, TEXT, numbers_of, read_gguf
from transformer_kit.trained.model import ModelFileError


def read(tmp_path, content):
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    return read_gguf(path)


def test_facts_come_back_as_they_were(tmp_path):
    facts = [
        fact("a", 4, 7),
        fact("b", 6, 0.5),
        fact("c", TEXT, "añ"),
        fact("d", 7, True),
        fact("e", LIST, ["x", "", "yz"], TEXT),
        fact("f", LIST, [3, -1], 5),
        fact("g", 11, -(2**40)),
    ]
    got, arrays = read(tmp_path, written(facts, []))
    assert not arrays
    assert got.pop("f").tolist() == [3, -1]
    assert got == {"a": 7, "b": 0.5, "c": "añ", "d": True, "e": ["x", "", "yz"], "g": -(2**40)}
    assert got["d"] is True


@pytest.mark.parametrize(("kind", "error"), [(F32, 0), (F16, 1e-3), (Q8_0, 0.02), (Q4_1, 0.2)])
def test_arrays_come_back_as_they_were(tmp_path, kind, error):
    """Each number lies in its own place, nearly or exactly as it was."""
    array = np.random.default_rng(4).normal(size=(3, 5, 64)).astype(np.float32)
    _, arrays = read(tmp_path, written([fact("general.alignment", 4, 64)], [("x", array, kind)], alignment=64))
    got = numbers_of(arrays["x"], reference.dequantised)
    assert (got.shape, got.dtype) == (array.shape, np.float32)
    np.testing.assert_allclose(got, array, atol=error + 1e-12)


def test_blocks_of_4_bits_by_hand():
    block = np.frombuffer(packed(np.arange(32.0) % 16, Q4_1), np.uint8)
    assert block[4:].tolist() == [17 * level for level in range(16)]  # the same level in both halves
    assert block[:4].view("<f2").tolist() == [1, 0]


HEAD = b"GGUF" + struct.pack("<I", 3)
ENTRY = text("x") + struct.pack("<IQIQ", 1, 64, F32, 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"GG", "it ends before"),
        (b"PK\x03\x04" + bytes(60), "it does not begin with GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 2, 0, 0), "it is of version 2"),
        (HEAD + struct.pack("<QQ", 0, 2**60), "facts; at most 1000"),
        (HEAD + struct.pack("<QQ", 2**60, 0), "arrays; at most 10000"),
        (HEAD + struct.pack("<QQ", 0, 1) + struct.pack("<Q", 2**63), "would be 9223372036854775808 bytes long"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("a") + struct.pack("<I", 13), "a fact is of kind 13"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("a") + struct.pack("<IIQ", 9, 4, 2**61), "more than the file has"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("a") + struct.pack("<IIQ", 9, 12, 20) + bytes(99), "it ends before"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 1) + bytes(99), "is of kind 9"),
        (HEAD + struct.pack("<QQ", 0, 1) + struct.pack("<Q", 2) + b"\xff\xfe" + bytes(99), "codec can't decode"),
        (written([fact("a", 4, 1), fact("a", 4, 2)], []), "it has the fact a twice"),
        (written([fact("general.alignment", 4, 0)], []), "its alignment is 0"),
        (written([fact("general.alignment", TEXT, "x")], []), "its alignment is 'x'"),
        (HEAD + struct.pack("<QQ", 2, 0) + ENTRY + ENTRY + bytes(400), "it has the array x twice"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("x") + struct.pack("<I", 9), "x would have 9 axes"),
        (HEAD + struct.pack("<QQ", 1, 0) + ENTRY + bytes(200), "x lies beyond the end of the file"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("x") + struct.pack("<IQIQ", 1, 64, 2, 0), "numbers of kind 2"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("x") + struct.pack("<IQIQ", 1, 33, Q8_0, 0), "whole blocks"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("x") + struct.pack("<IQIQ", 1, 1, F32, 4), "no multiple of 32"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("x") + struct.pack("<IQQIQ", 2, 2**63, 2**63, F32, 0), "beyond the"),
    ],
)
def test_a_file_that_lies_is_refused(tmp_path, content, said):
    """At once, and without the memory that it claims to need."""
    tracemalloc.start()
    with pytest.raises(ModelFileError, match="cannot be read as a GGUF file") as error:
        read(tmp_path, content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said in str(error.value)
    assert peak < 1_000_000


def test_no_file_is_no_gguf(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_gguf(tmp_path / "not there")


def test_damaged_files_end_in_words_or_numbers(tmp_path):
    """Cut short anywhere, or with bytes changed anywhere before the numbers."""
    rng = np.random.default_rng(5)
    content = written(*small_model(rng, **SIZES))
    head, start, refused = content.index(b"output_norm.weight") + 50, time.perf_counter(), 0
    for number in range(300):
        damaged = bytearray(content)
        if number % 3 == 0:
            del damaged[rng.integers(len(damaged)) :]
        else:
            for place in rng.integers(0, head, 1 + number % 7):
                damaged[place] = rng.choice([0, 1, 8, 9, 127, 255, rng.integers(256)])
        try:
            for stored in read(tmp_path, bytes(damaged))[1].values():
                assert stored.blocks.nbytes <= len(damaged)
        except ModelFileError:
            refused += 1
    assert 150 < refused < 300
    assert time.perf_counter() - start < 30
