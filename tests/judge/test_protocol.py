"""The conversation between judge and worker: whatever is malformed, late or too large is refused."""

import json
import socket
import threading
import time

import numpy as np
import pytest

from autograder.execution.handed import Handed, Numbers, Undeclared
from autograder.judge import replies
from autograder.judge.wire.npy import MAX_BYTES, ProtocolError
from autograder.judge.wire.protocol import MAGIC, PREFIX, Channel, Ended, Late, Peer
from autograder.judge.worker.child import NAMED


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    with one, other:
        yield Channel(one), other


def frame(header, body=b""):
    header = header if isinstance(header, bytes) else json.dumps(header).encode()
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


RIGHT = {"op": "answer", "id": 0, "sizes": [], "value": None}


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        PREFIX.pack(b"XXXX", 2, 0) + b"{}",
        PREFIX.pack(MAGIC, 2**31, 0),
        PREFIX.pack(MAGIC, 2, MAX_BYTES + 1) + b"{}",
        frame(b"no json"),
        frame(b"\xff\xfe"),
        frame(b"[" * 100_000),
        frame(b"9" * 10_000),
        frame([]),
        frame({}),
        frame(RIGHT | {"more": 1}),
        frame(RIGHT | {"op": None}),
        frame(RIGHT | {"id": "0"}),
        frame(RIGHT | {"id": True}),
        frame(RIGHT | {"sizes": 0}),
        frame(RIGHT | {"sizes": [-8, 8]}),
        frame(RIGHT | {"sizes": [1.0]}, b"x"),
        frame(RIGHT | {"sizes": [4]}, b"x"),
        frame(RIGHT | {"sizes": [0] * 2000}),
    ],
)
def test_a_malformed_frame_is_refused(ends, data):
    channel, other = ends
    other.sendall(frame(RIGHT) + data)
    assert channel.receive() == ("answer", 0, None, [])
    channel.deadline = time.monotonic() + 1
    with pytest.raises(ProtocolError):
        channel.receive()


def test_an_end_in_the_middle_is_told(ends):
    channel, other = ends
    other.sendall(frame(RIGHT)[:-3])
    other.close()
    with pytest.raises(Ended):
        channel.receive()
    with pytest.raises(Ended):
        channel.send("call", 0, None, [])


def test_a_trickle_does_not_stretch_the_deadline(ends):
    """One byte now and then is not an answer."""
    channel, other = ends
    over = threading.Event()

    def trickle():
        for byte in 100 * frame(RIGHT):
            if over.wait(0.05):
                return
            other.sendall(bytes([byte]))

    thread = threading.Thread(target=trickle)
    thread.start()
    start = time.monotonic()
    channel.deadline = start + 0.3
    with pytest.raises(Late):
        channel.receive()
    over.set()
    thread.join()
    assert time.monotonic() - start < 5


def test_frames_sent_early_do_not_extend_the_deadline(ends):
    """There is always more to read."""
    channel, other = ends
    channel.deadline = time.monotonic() + 0.2
    other.sendall(frame(RIGHT) * 1000)

    def read():
        while True:
            channel.receive()
            channel.ahead.clear()
            other.sendall(frame(RIGHT))

    with pytest.raises(Late):
        read()


def test_nobody_who_reads_nothing_holds_up_a_sender(ends):
    channel, _ = ends
    channel.deadline = time.monotonic() + 0.2
    with pytest.raises(Late):
        channel.send("call", 0, None, [bytes(MAX_BYTES)])


@pytest.fixture
def peers():
    """A judge's peer, and one that serves in a thread."""
    one, other = socket.socketpair()
    handlers = {"apply": lambda value: value[0](*value[1])}
    served = Peer(Channel(other), NAMED, handlers, lambda answer, reason: reason, strict=False)

    def serve():
        try:
            served.serve()
        except ProtocolError:
            other.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with one:
        yield Peer(Channel(one), NAMED), served
        one.shutdown(socket.SHUT_RDWR)
        thread.join()


def handed(function, n_arguments=1):
    """Let a function of arrays of numbers be called back."""
    return Handed("function", function, (Numbers(),) * n_arguments)


def test_functions_cross_as_callbacks(peers):
    judge, _ = peers
    assert judge.ask("apply", (handed(lambda x, y: x - y, 2), (5, 3))) == 2
    nested = judge.ask("apply", (handed(lambda x: judge.ask("apply", (handed(lambda y: 10 * y), (x,)))), (7,)))
    assert nested == 70


@pytest.mark.parametrize("value", [np.tanh, print, object(), np.array([print]), {"f": (np.tanh,)}])
def test_what_is_not_declared_is_not_sent(peers, value):
    judge, served = peers
    served.handlers["apply"] = lambda value: pytest.fail("it was sent")
    with pytest.raises(Undeclared):
        judge.ask("apply", (value, 1))


def test_no_function_crosses_in_a_callback(ends, peers):
    """An honest worker sends its description instead; from another one it is refused."""
    judge, served = peers

    def apply(value):
        with pytest.raises(TypeError, match=r"expected an array of .*, got something else") as info:
            value[0](print)
        return str(info.value)

    served.handlers["apply"] = apply
    assert "builtin_function" in judge.ask("apply", (handed(abs), 1))
    channel, other = ends
    strict = Peer(channel, NAMED)
    strict.register(handed(abs))
    args = {"tuple": [0, {"tuple": [{"callback": 0}]}, {"tuple": []}]}
    other.sendall(frame(RIGHT | {"op": "callback", "value": args}))
    with pytest.raises(ProtocolError, match="where none may be"):
        strict.ask("call", None)


def test_a_view_of_an_argument_stays_a_view(peers):
    """As in one process, so that a function which changes what it passed on sees it change."""
    judge, served = peers
    X, found = np.arange(6.0).reshape(3, 2), []
    served.handlers["apply"] = lambda value: found.extend(value(array) for array in (X, X.T))
    for view in (lambda x: x[::-1, :1], lambda x: x.copy()[::-1, :1]):
        judge.ask("apply", handed(view))
    for got, given in zip(found, (X, X.T) * 2, strict=True):
        np.testing.assert_array_equal(got, given[::-1, :1])
    assert [np.shares_memory(got, X) for got in found] == [True, False, False, False]


def test_an_error_in_a_callback_stays_itself(peers):
    judge, served = peers
    caught = []

    def apply(value):
        with pytest.raises(ValueError, match="no 5") as info:
            value[0](*value[1])
        caught.append(info.value)

    served.handlers["apply"] = apply

    def refuse(x):
        raise ValueError(f"no {x}")

    judge.ask("apply", (handed(refuse), (5,)))
    assert caught


def test_functions_are_forgotten(peers):
    judge, _ = peers
    judge.ask("apply", (handed(lambda: 1, 0), ()))
    judge.release()
    assert judge.callables == {}


def test_an_answer_that_is_too_large_is_replaced(peers):
    """The conversation goes on, in both directions."""
    judge, served = peers
    served.handlers["many"] = lambda value: [0] * 100_000
    assert "values" in judge.ask("many", None)
    caught = []

    def apply(value):
        with pytest.raises(ValueError, match="cannot be sent") as info:
            value()
        caught.append(info.value)

    served.handlers["apply"] = apply
    judge.ask("apply", handed(lambda: [0] * 100_000, 0))
    assert caught


@pytest.mark.parametrize(
    "reply",
    [
        RIGHT | {"id": 1},
        RIGHT | {"op": "call"},
        RIGHT | {"op": "begin"},
        RIGHT | {"op": "callback", "value": None},
        RIGHT | {"op": "callback", "value": {"tuple": [9, {"tuple": []}, {"tuple": []}]}},
        RIGHT | {"op": "callback", "value": {"tuple": [0, {"list": []}, {"tuple": []}]}},
        RIGHT | {"op": "callback", "value": {"tuple": [0, {"tuple": []}, {"tuple": [1]}]}},
        RIGHT | {"value": {"callback": 0}},
    ],
)
def test_an_answer_to_another_question_is_refused(ends, reply):
    channel, other = ends
    judge = Peer(channel, NAMED)
    judge.register(print)
    other.sendall(frame(reply))
    with pytest.raises(ProtocolError):
        judge.ask("call", None)


def test_questions_about_questions_end(ends):
    """A worker that only asks back does not exhaust the judge's stack."""
    channel, other = ends
    judge = Peer(channel, NAMED)
    judge.register(lambda: judge.ask("callback", (0, (), ())))
    request = frame(RIGHT | {"op": "callback", "value": {"tuple": [0, {"tuple": []}, {"tuple": []}]}})
    other.sendall(request * 100)
    with pytest.raises(ProtocolError, match="without end"):
        judge.ask("call", None)


REFUSAL = ("AxisError", "no", 3, "raise", ("ValueError", "Exception"))
GOOD = ("raised", None, REFUSAL, ("x",), (), ("shares",), ("W",), "text")


def test_a_reply_of_the_right_form():
    outcome = replies.outcome(GOOD, ["x"])
    assert (outcome.status, str(outcome.error), outcome.changed, outcome.earlier) == (
        "raised",
        'AxisError: no at line 3 of your cell: "raise"',
        ("x",),
        ("shares",),
    )
    assert outcome.error.is_a("ValueError")
    assert not outcome.error.is_a("KeyError")
    assert replies.beginning(("", ("softmax",), 3), ["softmax"]) == ("", ("softmax",), 3)


@pytest.mark.parametrize(
    ("place", "part"),
    [
        (0, "passed"),
        (0, "returned"),
        (0, ["raised"]),
        (0, np.array(["raised"])),
        (2, None),
        (2, "ValueError"),
        (2, np.zeros(0, bool)),
        (2, ()),
        (2, ("ValueError", "no", 3, "raise")),
        (2, ("ValueError", "no", 3.5, "raise", ())),
        (2, ("ValueError", "no", True, "raise", ())),
        (2, ("x" * 3000, "no", 3, "raise", ())),
        (2, ("ValueError", "no", 3, "raise", ("x",) * 1000)),
        (2, ("ValueError", "no", 3, "raise", (1,))),
        (3, ("y",)),
        (3, [["x"]]),
        (3, (np.zeros(2),)),
        (4, ({},)),
        (4, "x"),
        (5, ("x",)),
        (5, "shares"),
        (5, (np.zeros(2),)),
        (6, ("W",) * 1000),
        (6, (1,)),
        (7, None),
    ],
)
def test_a_reply_of_another_form_is_refused(place, part):
    with pytest.raises(ProtocolError):
        replies.outcome((*GOOD[:place], part, *GOOD[place + 1 :]), ["x"])


@pytest.mark.parametrize(
    "answer",
    [
        *(None, ("",), ("", ["softmax"], 1), ("", ("relu",), 1), ("", (np.zeros(2),), 1), ("", ({},), 1)),
        *((None, (), 1), ("", (), True), ("", (), "1")),
    ],
)
def test_a_beginning_of_another_form_is_refused(answer):
    with pytest.raises(ProtocolError):
        replies.beginning(answer, ["softmax"])


def test_texts_cannot_steer_a_terminal():
    outcome = replies.outcome((*GOOD[:7], "a\n\x1b[2J\u202eb\x00 é ✓"), ["x"])
    assert outcome.printed == "a\n\ufffd[2J\ufffdb\ufffd é ✓"
