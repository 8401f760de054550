"""The conversation between the judge and a worker: capped frames, and requests that may lead to requests in return.

A frame is a prefix, a header in JSON and a body of .npy blobs. The header names the operation, the number of the
request that it belongs to and the sizes of the blobs, and holds a value as `autograder.judge.wire.values` encodes it.

Both sides use these modules, so they need only the standard library and NumPy.
"""

import builtins
import itertools
import json
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from autograder.execution.handed import require_few
from autograder.judge.wire.npy import MAX_BYTES, ProtocolError, TooLarge, require
from autograder.judge.wire.values import MAX_BLOBS, decode, encode

PREFIX = struct.Struct("!4sII")
MAGIC = b"TFC1"
MAX_HEADER = 1 << 20
MAX_MESSAGE = 2000  # characters of an exception's message
MAX_NESTING = 20
MAX_CALLBACKS = 20_000  # in one conversation
CHUNK = 1 << 18  # bytes read at a time


class Ended(ProtocolError):
    """The other side is gone."""


class Late(ProtocolError):
    """The other side did not answer in time."""


class Channel:
    """Sends and receives frames over a connected socket; `deadline` (of `time.monotonic`) limits both."""

    def __init__(self, socket: socket.socket) -> None:
        self.socket = socket
        self.deadline: float | None = None
        self.ahead = bytearray()

    def send(self, op: str, number: int, tree: object, blobs: Sequence[bytes] = ()) -> None:
        """Send one frame, or raise TooLarge before the first byte."""
        sizes = [len(blob) for blob in blobs]
        header = json.dumps({"op": op, "id": number, "sizes": sizes, "value": tree}).encode()
        if len(header) > MAX_HEADER or sum(sizes) > MAX_BYTES:
            raise TooLarge("more than fits into a message")
        prefix = PREFIX.pack(MAGIC, len(header), sum(sizes))
        self._try(self.socket.sendall, b"".join((prefix, header, *blobs)))

    def receive(self) -> tuple[str, int, Any, list[memoryview]]:
        """Return (op, number, tree, blobs) of the next frame."""
        magic, n_header, n_body = PREFIX.unpack(self._read(PREFIX.size))
        require(magic == MAGIC and n_header <= MAX_HEADER and n_body <= MAX_BYTES, "no frame, or one that is too large")
        try:
            header = json.loads(self._read(n_header))
        except (ValueError, RecursionError):
            raise ProtocolError("a header that is not JSON") from None
        require(isinstance(header, dict) and set(header) == {"op", "id", "sizes", "value"}, "an unknown header")
        op, number, sizes = header["op"], header["id"], header["sizes"]
        require(isinstance(op, str) and type(number) is int and isinstance(sizes, list), "an unknown header")
        require(len(sizes) <= MAX_BLOBS and all(type(n) is int and n >= 0 for n in sizes), "no sizes of blobs")
        require(sum(sizes) == n_body, "sizes of blobs that do not add up")
        body = memoryview(self._read(n_body))
        ends = itertools.accumulate(sizes, initial=0)
        blobs = [body[start:end] for start, end in itertools.pairwise(ends)]
        return op, number, header["value"], blobs

    def _read(self, size):
        while len(self.ahead) < size:
            chunk = self._try(self.socket.recv, CHUNK)
            if not chunk:
                raise Ended("the connection was closed")
            self.ahead += chunk
        data = bytes(memoryview(self.ahead)[:size])
        del self.ahead[:size]
        return data

    def _try(self, action, argument):
        try:
            if self.deadline is not None:
                left = self.deadline - time.monotonic()
                if left <= 0:  # even if there is more to read: it may have been sent in advance, without end
                    raise TimeoutError
                self.socket.settimeout(left)
            return action(argument)
        except TimeoutError:
            raise Late("no answer in time") from None
        except OSError as error:
            raise Ended(str(error)) from None


class Peer:
    """One end of a conversation in which either side may ask the other, even before it answers itself.

    A function crosses in a request only, and there is none in the arguments with which one is called back.

    Parameters
    ----------
    channel : Channel
    named : dict
        The known classes of named tuples by name.
    handlers : dict
        Name of an operation that the other side may ask for, and the function from its value to the answer.
    shorten : callable, optional
        Turns an answer that is too large, and the reason as a text, into a smaller answer.
    strict : bool
        Whether an answer that nobody waits for is an error; otherwise it is dropped.
    """

    def __init__(
        self,
        channel: Channel,
        named: Mapping[str, type],
        handlers: Mapping[str, Callable[[Any], Any]] | None = None,
        shorten: Callable[[Any, str], Any] | None = None,
        strict: bool = True,
    ) -> None:
        self.channel = channel
        self.named = named
        self.handlers = {"callback": self._called_back, **(handlers or {})}
        self.shorten = shorten
        self.strict = strict
        self.callables: dict[int, Callable[..., Any]] = {}
        self._numbers = itertools.count()
        self._ids = itertools.count()
        self._callbacks = itertools.count()
        self._depth = 0

    def ask(self, op: str, value: object) -> Any:
        """Send a request and return the value of its answer, serving the other side meanwhile."""
        number = next(self._ids)
        self._send(op, number, value)
        while True:
            op, answered, tree, blobs = self.channel.receive()
            if op == "answer" and answered == number:
                return decode(tree, blobs, self.named)
            self._serve(op, answered, tree, blobs)

    def serve(self) -> NoReturn:
        """Answer requests until the other side ends the conversation."""
        while True:
            self._serve(*self.channel.receive())

    def register(self, function: Callable[..., Any]) -> int:
        """Let the other side call a function, a `Handed`; return its number."""
        number = next(self._numbers)
        self.callables[number] = function
        return number

    def release(self) -> None:
        """Forget all registered functions."""
        self.callables.clear()

    def _send(self, op, number, value):
        blobs = []
        tree = encode(value, blobs, self.named, None if op in ("answer", "callback") else self.register)
        self.channel.send(op, number, tree, blobs)

    def _serve(self, op, number, tree, blobs):
        if op == "answer" and not self.strict:
            return
        require(op in self.handlers, f"the unexpected operation {op[:20]!r}")
        require(self._depth < MAX_NESTING, "requests within requests without end")
        self._depth += 1
        try:
            answer = self.handlers[op](decode(tree, blobs, self.named, None if op == "callback" else self._proxy))
        finally:
            self._depth -= 1
        try:
            self._send("answer", number, answer)
        except TooLarge as error:
            shorten = _refused if op == "callback" else self.shorten
            self._send("answer", number, shorten(answer, str(error)))

    def _called_back(self, value):
        require(isinstance(value, tuple) and len(value) == 3, "a malformed callback")
        count = next(self._callbacks)
        require(count < MAX_CALLBACKS, f"more than {MAX_CALLBACKS} callbacks")
        number, args, kwargs = value
        require(type(number) is int and number in self.callables, "a callback to a function that was not given")
        require(isinstance(args, tuple), "arguments that are not a tuple")
        return attempt(self.callables[number], args, pairs(kwargs))

    def _proxy(self, number):
        def call_back(*args, **kwargs):
            require_few((args, kwargs))
            return result(self.ask("callback", (number, args, tuple(kwargs.items()))), args)

        return call_back


def pairs(value: Any) -> dict[str, Any]:
    """Return keyword arguments that crossed as pairs of name and value."""
    right = isinstance(value, tuple) and all(isinstance(p, tuple) and len(p) == 2 for p in value)
    require(right and all(isinstance(name, str) for name, _ in value), "keyword arguments that are not pairs")
    return dict(value)


def attempt(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, tuple[str, str] | None, tuple[int, int, tuple[int, ...]] | None]:
    """Call a function; return its value, its error as (type, message), and where it lies if it is a view of `args`."""
    try:
        value = function(*args, **kwargs)
    except ProtocolError:
        raise
    except Exception as error:
        return None, (type(error).__name__, str(error)[:MAX_MESSAGE]), None
    return value, None, _view_of(value, args)


def _view_of(value, args):
    """Return the number of the argument that an array is a view of, with the offset and strides; None for no view."""
    for number, arg in enumerate(args):
        arrays = isinstance(value, np.ndarray) and isinstance(arg, np.ndarray) and value.dtype == arg.dtype
        if arrays and np.may_share_memory(value, arg):
            start, begin = (array.__array_interface__["data"][0] for array in (value, arg))
            return number, start - begin, value.strides
    return None


def _refused(answer, reason):
    return None, ("ValueError", f"the result cannot be sent: {reason}"), None


def result(answer: Any, args: tuple[Any, ...]) -> Any:
    """Return the value of an `attempt` on the other side, as a view of `args` if it was one, or raise its error."""
    require(isinstance(answer, tuple) and len(answer) == 3, "a malformed answer")
    value, error, view = answer
    if error is None and view is None:
        return value
    if error is None:
        number, offset, strides = view
        given = np.asarray(args[number])
        same = given.flags.c_contiguous and given.dtype == value.dtype
        return np.ndarray(value.shape, value.dtype, given, offset, strides) if same else value
    right = isinstance(error, tuple) and len(error) == 2 and all(isinstance(text, str) for text in error)
    require(right, "a malformed error")
    name, message = error
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            raised = kind(message)
        except TypeError:  # such as UnicodeDecodeError, which takes more
            raised = RuntimeError(f"{name}: {message}")
        raise raised
    raise RuntimeError(f"{name}: {message}")
