"""Whatever a worker sends, the judge refuses it with a ProtocolError or takes a value of a known form, in bounds.

`make test ARGS="tests/judge/test_protocol_fuzz.py -n 0 --hypothesis-profile=long"` tries much more, for half an hour.
"""

import contextlib
import gc
import json
import socket
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, event, example, given
from hypothesis import strategies as st

from autograder.execution.compare import alike, compare
from autograder.execution.describe import describe
from autograder.execution.earlier import CHANGED, SHARES
from autograder.execution.handed import MAX_NUMBERS, Handed
from autograder.execution.outcome import Outcome
from autograder.exercises.unit_07_add_and_layer_norm.inputs import exchange_and_double
from autograder.judge import replies
from autograder.judge.wire.npy import DTYPES, MAX_BYTES, ProtocolError, TooLarge
from autograder.judge.wire.protocol import MAGIC, MAX_HEADER, PREFIX, Channel, Peer
from autograder.judge.wire.values import Foreign, decode, encode
from autograder.judge.worker.child import MAX_TEXT, MAX_TEXTS, NAMED
from autograder.registry import find
from autograder.specification import Output
from tests.support.border import answers, arguments, conversations, frame, keywords, messages, odd_arrays, sent, values
from tests.support.hostile_memory import refill
from tests.support.processor_time import within
from transformer_kit import reference
from transformer_kit.examples.toy_models import BEAM_LOSES, random_model

SECONDS, MEMORY = 2, 96 << 20  # that one frame may cost the judge
NAMES = ("x", "axis")  # of arguments


def handed(name, exercise, function):
    return Handed(name, function, find(exercise).hands[name])


HANDED = [
    *(handed("activation", "position_wise_ffn", function) for function in (reference.relu, np.tanh, np.cos)),
    *(handed("sublayer", "pre_norm", function) for function in (exchange_and_double, lambda Z: np.zeros(Z.shape))),
    *(handed("attend", "first_leak", function) for function in (lambda X: X[::-1], lambda X: X.cumsum(axis=0) - X)),
    handed("next_log_probs", "beam_search", BEAM_LOSES),
    handed("next_log_probs", "beam_search", random_model(np.random.default_rng(0), 5)),
]


def is_key(value):
    """Return whether a value may be a key: a text, or a tuple of texts, as pairs of word pieces are."""
    return type(value) is str or (type(value) is tuple and all(type(part) is str for part in value))


def is_sound(value):
    """Return whether a value is one of those that may come out of a message."""
    if isinstance(value, tuple | list):
        known = type(value) in (tuple, list) or NAMED.get(type(value).__name__) is type(value)
        return known and all(map(is_sound, value))
    if type(value) is dict:
        return all(is_key(key) and is_sound(item) for key, item in value.items())
    if type(value) is np.ndarray and value.dtype == object:
        return all(map(is_sound, value.flat))
    if type(value) is np.ndarray:
        return value.dtype in DTYPES and value.nbytes <= MAX_BYTES and value.flags.owndata | (value.base is not None)
    if isinstance(value, np.generic):
        return value.dtype in DTYPES
    in_range = type(value) is not int or -(2**63) <= value < 2**63
    return value is None or isinstance(value, Foreign) or (type(value) in (bool, int, float, str) and in_range)


def examine(value):
    """Do with a result what the evaluation does."""
    describe(value)
    for expected in (np.zeros((2, 3)), 0.5, (1, 2), [(0.5, (1,))], None, reference.ffn_backward):
        compare(value, expected, (Output("result"),))
        alike(value, expected)
    alike(value, value)


@given(messages(values))
def test_trees_and_blobs(message):
    try:
        value = decode(*message, NAMED)
    except ProtocolError:
        event("refused")
        return
    event("accepted")
    assert is_sound(value)
    examine(value)
    again = []
    back = decode(json.loads(json.dumps(encode(value, again, NAMED))), again, NAMED)
    assert repr(back) == repr(value)


@given(values)
def test_values_cross_or_are_described(value):
    """What encode makes, decode takes; a function never crosses without being declared."""
    found = []
    tree = json.loads(json.dumps(encode(value, found, NAMED)))
    back = decode(tree, found, NAMED)
    assert is_sound(back)
    examine(back)


@given(odd_arrays)
def test_odd_arrays_are_described(array):
    found = []
    assert is_sound(decode(json.loads(json.dumps(encode(array, found))), found))


def bounded(action, *args):
    """Run something that must not take long; return what it returns."""
    with within(SECONDS):
        return action(*args)


def conversation(data):
    """Play a worker that has sent all of its messages beforehand; return the Outcome that the judge takes."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        judge = Peer(Channel(ours), NAMED)
        judge.channel.deadline = time.monotonic() + SECONDS / 2
        return replies.outcome(judge.ask("call", (tuple(HANDED), ())), NAMES)


@given(conversations)
@example(frame("answer", 0, {"tuple": ["returned", 0.5, None, {"tuple": ["x"]}, *[{"tuple": []}] * 3, ""]}, ()))
def test_frames(data):
    assume(len(data) < 100_000)  # the sender must not block
    try:
        outcome = bounded(conversation, data)
    except ProtocolError as error:
        event(type(error).__name__)
        return
    event("accepted")
    assert_sound(outcome)


def assert_sound(outcome):
    assert isinstance(outcome, Outcome)
    assert outcome.status in replies.STATUSES
    assert (outcome.error is not None) == (outcome.status in ("raised", "not written"))
    assert set(outcome.changed) | set(outcome.shares) <= set(NAMES)
    assert set(outcome.earlier) <= {CHANGED, SHARES}
    texts = [*outcome.warnings, outcome.printed]
    texts += [outcome.error.type, outcome.error.message, outcome.error.line] if outcome.error else []
    assert len(outcome.warnings) <= MAX_TEXTS
    assert all(len(text) <= MAX_TEXT and all(c.isprintable() or c in "\n\t\xa0" for c in text) for text in texts)
    assert is_sound(outcome.value)
    examine(outcome.value)


@given(answers)
def test_replies(answer):
    answer = decode(*sent(answer), NAMED)
    for read in (lambda: assert_sound(replies.outcome(answer, NAMES)), lambda: replies.beginning(answer, ("softmax",))):
        try:
            read()
            event("accepted")
        except ProtocolError:
            event("refused")


@given(st.sampled_from(HANDED), arguments, keywords)
def test_callbacks(function, args, kwargs):
    """They give numbers that do not depend on what was in memory before, or an error of their own."""
    found = []
    for pattern in (0xA7, 0x58):
        refill(pattern)
        try:
            result = bounded(lambda: function(*args, **kwargs))
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            result = f"{type(error).__name__}: {error}"
        else:
            assert is_sound(result)
            result = np.array(result)
            assert result.size <= MAX_NUMBERS * 16
        found.append(result.tobytes() if isinstance(result, np.ndarray) else result)
    event("refused" if isinstance(found[0], str) else "accepted")
    assert found[0] == found[1]


BOMBS = {
    "dicts": b"[" + b"{}," * (MAX_HEADER // 3 - 40) + b"0]",
    "lists": b"[" + b"[]," * (MAX_HEADER // 3 - 40) + b"0]",
    "numbers": b"[" + b"1," * (MAX_HEADER // 2 - 40) + b"0]",
    "keys": b"{" + b",".join(b'"%x":1' % n for n in range(MAX_HEADER // 10 - 40)) + b"}",
    "depth": b"[" * (MAX_HEADER - 100),
    "digits": b"9" * (MAX_HEADER - 100),
    "escapes": b'"' + b"\\ud800" * (MAX_HEADER // 6 - 40) + b'"',
}


def open_bomb(bomb):
    """Receive a header, and read its value."""
    header = b'{"op": "answer", "id": 0, "sizes": [], "value": ' + bomb + b"}"
    ours, theirs = socket.socketpair()
    with ours, theirs, contextlib.suppress(ProtocolError):
        channel = Channel(ours)
        channel.ahead += PREFIX.pack(MAGIC, len(header), 0) + header
        decode(*channel.receive()[2:], NAMED)


@pytest.fixture
def small_heap():
    """Keep the garbage collector away from what Hypothesis has made: the judge has no such heap to look through."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("small_heap")
@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_the_worst_headers_are_bounded(bomb):
    bounded(open_bomb, bomb)
    tracemalloc.start()
    try:
        open_bomb(bomb)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


def test_too_much_is_refused_by_the_sender():
    with pytest.raises(TooLarge):
        encode(np.zeros(MAX_BYTES), [])
