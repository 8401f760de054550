"""Values cross as they are or not at all, and whatever is malformed is refused."""

import json
import math
import struct

import numpy as np
import pytest

from autograder.execution.call import run
from autograder.execution.compare import alike, compare
from autograder.execution.describe import describe
from autograder.judge.wire.npy import ProtocolError, TooLarge
from autograder.judge.wire.values import MAX_DEPTH, MAX_ITEMS, Foreign, decode, encode
from autograder.judge.worker.child import NAMED
from autograder.specification import Output
from transformer_kit.parameters import AttentionParams, init_encoder_layer


def crossed(value):
    """Send a value through JSON and bytes."""
    blobs = []
    tree = json.loads(json.dumps(encode(value, blobs, NAMED)))
    return decode(tree, blobs, NAMED)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -7,
        2**62,
        0.1,
        -0.0,
        1e-320,
        math.inf,
        "",
        "naïve ✓",
        (),
        [],
        (1, [2.5, ("x",)]),
        {"a": {"b": 1}},
        {("a", "b"): 1, "ab": 2, (): 3},
    ],
)
def test_plain_values_stay_what_they_are(value):
    """Type and value are kept, also of an integer among floats."""
    got = crossed(value)
    assert repr(got) == repr(value)


def test_nan_stays_nan():
    assert math.isnan(crossed(math.nan))


@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "u2", "f2", "f4", "f8", ">f8", "c16"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 5), (2, 3, 4)])
def test_arrays(dtype, shape):
    """Arrays keep shape, kind and numbers, and may be written to."""
    array = (np.arange(math.prod(shape)) % 5).reshape(shape).astype(dtype)
    for given in (array, array.T.copy().T, np.broadcast_to(array, (2, *shape))):
        got = crossed(given)
        assert type(got) is np.ndarray
        assert got.dtype == given.dtype.newbyteorder("=")
        assert got.flags.writeable
        np.testing.assert_array_equal(got, given)


@pytest.mark.parametrize("scalar", [np.float64(0.1), np.float32(2), np.int64(-3), np.bool_(True)])
def test_numpy_scalars_stay_numpy_scalars(scalar):
    assert type(crossed(scalar)) is type(scalar)
    assert crossed(scalar) == scalar


def test_arrays_of_objects_cross_entry_by_entry():
    """So that a wrong dtype is reported in the same words as in a notebook."""
    array = np.array([[True, None], [0.5, "x"]], dtype=object)
    got = crossed(array)
    assert (got.dtype, got.tolist()) == (array.dtype, array.tolist())
    assert crossed(np.array(None)).shape == ()
    nested = crossed(np.array([{}, [1, 2], print], dtype=object))
    assert nested.tolist()[:2] == [{}, [1, 2]]
    assert isinstance(nested[2], Foreign)


def test_only_the_kits_named_tuples_keep_names():
    params = init_encoder_layer(np.random.default_rng(0), 6, 2, 5)
    got = crossed(params)
    assert type(got) is type(params)
    assert type(got.attention) is AttentionParams
    np.testing.assert_array_equal(got.ffn.W_2, params.ffn.W_2)

    class Fake(tuple):
        """Claims to have the name of a named tuple of the kit."""

    Fake.__name__ = "AttentionParams"
    assert crossed(Fake((1, 2))) == (1, 2)
    assert type(crossed(Fake((1, 2)))) is tuple


class Hostile:
    """Would run code in whoever unpickles, prints or compares it."""

    def __reduce__(self):
        return exec, ("raise SystemExit",)

    def __eq__(self, other):
        return True

    def __array__(self, *args, **kwargs):
        raise SystemExit

    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Hostile(), "Hostile"),
        ({1: "a"}, "dict"),
        ({1, 2}, "set"),
        (2**63, "int"),
        (1j, "complex"),
        (np.array(["a"]), "ndarray"),
        (np.zeros(2, dtype=[("a", "f8")]), "ndarray"),
        (np.zeros(2, dtype="M8[s]"), "ndarray"),
        (np.zeros(2).view(np.recarray), "recarray"),
        (np.ma.masked_array([1.0]), "MaskedArray"),
        (print, "builtin_function_or_method"),
        (b"bytes", "bytes"),
    ],
)
def test_anything_else_becomes_a_description(value, kind):
    """What is not sent is described by the name of its class and by a short text."""
    got = crossed(value)
    assert isinstance(got, Foreign)
    assert type(got).__name__ == kind
    assert len(repr(got)) <= 200


def test_a_description_compares_like_its_value():
    for value, other in (({1: 2}, {1: 3}), (1j, 2j), (2**70, 2**71)):
        got = crossed(value)
        assert alike(got, value)
        assert not alike(got, other)
        assert describe(got) == describe(value)
    for array in (np.ma.masked_all((2, 3)), np.zeros(3).view(np.matrix), np.array(["a"])):
        assert describe(crossed(array)) == describe(array)


def test_a_memmap_is_no_plain_array_anywhere(tmp_path):
    """Whoever returns one reads the same words in a notebook and from a judge."""
    array = np.memmap(tmp_path / "numbers", float, "w+", shape=(2, 3))
    got, returned = crossed(array), (Output("result"),)
    differences = [compare(value, np.zeros((2, 3)), returned) for value in (array, got)]
    assert differences[0].text == differences[1].text
    assert differences[0].text.startswith("result: expected a plain NumPy array, got a memmap of shape (2, 3)")


def test_extended_precision_does_not_cross():
    """Its numbers have unused bytes, which hold what was in memory before; a worker rounds its results first."""
    extended = np.ones(3, dtype=np.longdouble)
    crosses = extended.dtype.itemsize == 8  # on machines without it
    assert isinstance(crossed(extended), np.ndarray if crosses else Foreign)
    outcome = run(lambda x: (extended, [extended[0]]), (1,), {})
    assert [value.dtype for value in (outcome.value[0], outcome.value[1][0])] == [np.float64] * 2
    code = "<f16" if extended.dtype.itemsize == 16 else "<f12"
    with pytest.raises(ProtocolError):
        decode({"array": 0}, [npy(GOOD.replace("<f8", code), bytes(2 * extended.dtype.itemsize))])


def test_an_oversized_value_is_found_before_sending():
    """An honest result that is too large is not taken for a forged one: whatever encode accepts, decode accepts."""
    giants = [np.broadcast_to(1.0, (10**6, 10**6)), np.zeros((1 << 26, 0)), np.zeros((0, 3, 1 << 26), int)]
    for value in (*giants, [0] * (MAX_ITEMS + 1), "x" * 3_000_000, ["x" * 2000] * 1000):
        with pytest.raises(TooLarge):
            encode(value, [])
    largest = [0] * (MAX_ITEMS - 1)
    assert crossed(largest) == largest


def test_depth_is_limited():
    deep = ()
    for _ in range(MAX_DEPTH + 1):
        deep = (deep,)
    itself = []
    itself.append(itself)
    for value in (deep, itself):
        with pytest.raises(TooLarge, match="deep"):
            encode(value, [])


def npy(header, data=b""):
    """Make a blob with any text as its header."""
    header = header.encode().ljust(53) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\x93NUMPY",
        npy(GOOD),
        npy(GOOD, bytes(24)),
        npy(GOOD.replace("(2,)", "(1000000000000,)")),
        npy(GOOD.replace("(2,)", "(0, 100000000)")),
        npy(GOOD.replace("(2,)", "(-2,)"), bytes(16)),
        npy(GOOD.replace("(2,)", "(True, 2)"), bytes(16)),
        npy(GOOD.replace("(2,)", "2"), bytes(16)),
        npy(GOOD.replace("<f8", ">f8"), bytes(16)),
        npy(GOOD.replace("<f8", "|O"), bytes(16)),
        npy(GOOD.replace("<f8", "<U4"), bytes(32)),
        npy(GOOD.replace("'<f8'", "[('a', '<f8')]"), bytes(16)),
        npy(GOOD.replace("'<f8'", "('<f8', (10**9,))"), bytes(16)),
        npy(GOOD.replace("False", "True"), bytes(16)),
        npy("__import__('os').abort()"),
        npy("(" * 900),
        npy("x" * 60_000),
        npy(GOOD, bytes(16)).replace(b"\x01\x00", b"\x02\x00", 1),
        b"\x80\x04\x95pickle",
    ],
)
def test_a_blob_that_is_no_array_is_refused(blob):
    """The header is believed only where it is that of the bytes that came."""
    assert decode({"array": 0}, [npy(GOOD, bytes(16))]).tolist() == [0.0, 0.0]
    with pytest.raises(ProtocolError):
        decode({"array": 0}, [blob])


ONE = [npy(GOOD, bytes(16))]


@pytest.mark.parametrize(
    ("tree", "blobs"),
    [
        ({}, []),
        ({"pickle": "x"}, []),
        ({"array": 0, "more": 1}, ONE),
        ({"array": 1}, ONE),
        ({"array": -1}, ONE),
        ({"array": True}, ONE),
        ({"array": [0]}, ONE),
        ({"scalar": 0}, ONE),
        ({"tuple": [{"array": 0}, {"array": 0}]}, ONE),
        ({"tuple": "abc"}, []),
        ({"tuple": {"list": []}}, []),
        ([1, 2], []),
        (2**63, []),
        (None, ONE),
        ({"named": "AttentionParams", "items": [1]}, []),
        ({"named": "dict", "items": []}, []),
        ({"named": "SIZES", "items": [None, None, None, None]}, []),
        ({"named": ["AttentionParams"], "items": []}, []),
        ({"callback": 0}, []),
        ({"foreign": 1, "kind": "x"}, []),
        ({"foreign": "x", "kind": None}, []),
        ({"list": [0] * 30_000}, []),
        ({"dict": ["a"]}, []),
        ({"dict": [1, 2]}, []),
        ({"dict": [{"tuple": ["a", 1]}, 2]}, []),
        ({"dict": [{"list": ["a"]}, 2]}, []),
        ({"dict": {"a": 1}}, []),
        ({"objects": [1, 2], "shape": [3]}, []),
        ({"objects": [1, 2], "shape": [-1, -2]}, []),
        ({"objects": [1, 2], "shape": 2}, []),
        ({"objects": [1, 2]}, []),
        ({"objects": [], "shape": [0, 2**30]}, []),
    ],
)
def test_a_foreign_tree_is_refused(tree, blobs):
    with pytest.raises(ProtocolError):
        decode(tree, blobs, NAMED)


def test_names_and_texts_are_made_harmless():
    """A description gives its class a name only if it is one; lone surrogates are replaced."""
    got = decode({"foreign": "\ud800" + "x" * 500, "kind": "<script>"}, [])
    assert type(got).__name__ == "object"
    assert repr(got).startswith("?x")
    assert len(repr(got)) == 200
    assert decode("a\udfffb", []) == "a?b"
