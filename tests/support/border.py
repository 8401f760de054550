"""What Hypothesis sends over the border between judge and worker: values, messages, replies, arguments of callbacks.

Half of it is honest, or was before a part of it was replaced: nonsense alone would not get far.
"""

import json

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from autograder.execution.handed import MAX_NUMBERS
from autograder.judge import replies
from autograder.judge.wire.npy import DTYPES, TooLarge
from autograder.judge.wire.protocol import MAGIC, PREFIX
from autograder.judge.wire.values import encode
from autograder.judge.worker.child import NAMED

FORMS = ("tuple", "list", "array", "scalar", "objects", "dict", "named", "foreign", "callback", "pickle")
WORDS = (*FORMS, *NAMED, *replies.STATUSES, "shape", "items", "kind", "__class__")

integers = st.integers(-(2**64), 2**64) | st.integers(-3, 3)
words = st.sampled_from(WORDS) | st.text(max_size=8)
plain = st.none() | st.booleans() | integers | st.floats() | st.text(max_size=5)
shapes = npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
arrays = st.sampled_from(sorted(DTYPES, key=str)).flatmap(lambda dtype: npst.arrays(dtype, shapes))
odd_arrays = st.builds(np.zeros, shapes, st.sampled_from(["O", "U3", "S2", "M8[s]", "V5", "g", "G", ">f8", "i4,f8"]))
values = st.recursive(
    plain | arrays,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.builds(NAMED["LayerNormParams"], inner, inner)
    ),
    max_leaves=8,
)
nonsense = st.recursive(
    plain | words | st.builds(lambda form, n: {form: n}, st.sampled_from(FORMS), st.integers(-1, 4)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.builds(lambda form, items: {form: items}, st.sampled_from(FORMS), st.lists(inner, max_size=4))
        | st.builds(lambda a, b: {"objects": a, "shape": b}, st.lists(inner, max_size=4), inner)
        | st.builds(lambda a, b: {"named": a, "items": b}, words, inner)
        | st.builds(lambda a, b: {"foreign": a, "kind": b}, inner, words)
    ),
    max_leaves=8,
)


def sent(value):
    """Return a value as a worker sends it: a tree and blobs; what is too large it does not send."""
    blobs = []
    try:
        return encode(value, blobs, NAMED), blobs
    except TooLarge:
        reject()


@st.composite
def spoiled(draw, content):
    """Draw bytes with some of them changed, taken out or doubled."""
    content = bytearray(draw(content))
    for _ in range(draw(st.integers(0, 3))):
        at, length = draw(st.integers(0, max(len(content) - 1, 0))), draw(st.sampled_from([0, 1, 2, 8, 64]))
        content[at : at + length] = draw(st.binary(max_size=4) | st.just(bytes(content[at : at + 2 * length])))
    return bytes(content)


def replaced(draw, tree):
    """Return a tree with one of its parts replaced by nonsense."""
    if not isinstance(tree, dict | list) or not tree or draw(st.integers(0, 3)) == 0:
        return draw(nonsense)
    place = draw(st.sampled_from(list(tree) if isinstance(tree, dict) else range(len(tree))))
    changed = tree.copy()
    changed[place] = replaced(draw, tree[place])
    return changed


@st.composite
def messages(draw, content):
    """Draw a tree and blobs: values as they are sent, some with a part replaced or a blob spoiled."""
    tree, blobs = sent(draw(content))
    what = draw(st.integers(0, 3))
    if what == 1:
        tree = replaced(draw, tree)
    if what == 2 and blobs:
        place = draw(st.integers(0, len(blobs) - 1))
        blobs[place] = draw(spoiled(st.just(blobs[place])))
    return tree, blobs


texts = st.sampled_from([(), ("W",), ("a\x1b[2J",)])
names = st.sampled_from([(), ("x",), ("x", "axis")])
failures = st.tuples(words, words, st.none() | st.integers(0, 9), words)
honest_replies = st.tuples(st.just("returned"), values, st.none(), names, names, texts, words) | st.tuples(
    st.sampled_from(["raised", "not written"]), st.none(), failures, names, names, texts, words
)
answers = st.one_of(
    honest_replies,
    values,
    st.builds(
        lambda reply, n, v: (*reply[:n], v, *reply[n + 1 :]), honest_replies, st.integers(0, 6), values | failures
    ),
)

floats = npst.arrays(st.sampled_from(["f2", "f4", "f8"]), shapes)
tables = npst.arrays(st.sampled_from(["f8", "i8"]), st.tuples(st.integers(0, 4), st.just(4)))
prefixes = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=1, max_size=3).map(
    lambda rows: np.array([[0, *row] for row in rows])
)
numeric = floats | tables | prefixes | prefixes.map(np.ndarray.tolist)
odd = (
    values
    | odd_arrays
    | st.sampled_from([np.ones(MAX_NUMBERS + 1), np.ones((0, 1 << 20)), np.broadcast_to(1.0, (1 << 16,) * 2), np.tanh])
)
arguments = st.one_of(numeric.map(lambda array: [array]), st.lists(numeric | odd, max_size=3))
keywords = st.just({}) | st.dictionaries(
    st.sampled_from(["where", "out", "dtype", "casting", "order", "axis", "subok", "shape", "prefixes", "self", "X"]),
    numeric | odd | st.sampled_from([False, "O", "g", (1 << 20,)]),
    max_size=2,
)


def frame(op, number, tree, blobs):
    """Return the bytes of a message."""
    header = json.dumps({"op": op, "id": number, "sizes": [len(blob) for blob in blobs], "value": tree}).encode()
    return PREFIX.pack(MAGIC, len(header), sum(map(len, blobs))) + header + b"".join(blobs)


def _frame(op, number, message):
    return frame(op, number, *message)


ops = st.sampled_from(["answer", "callback", "call", "begin", "failed", ""])
calls = st.tuples(st.integers(0, 9), arguments.map(tuple), keywords.map(lambda given: tuple(given.items())))
frames = st.one_of(
    st.builds(_frame, st.just("callback"), st.just(7), messages(calls)),
    st.builds(_frame, st.just("answer"), st.just(0), messages(answers)),
    st.builds(_frame, ops, st.integers(-1, 2), messages(values)),
)
endings = st.builds(_frame, st.just("answer"), st.just(0), honest_replies.map(sent))
conversations = st.builds(lambda some, last: b"".join([*some, last]), st.lists(frames, max_size=2), endings)
conversations |= st.lists(spoiled(frames) | frames, max_size=4).map(b"".join) | st.binary(max_size=200)
