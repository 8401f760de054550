"""A worker that listens: it plays right functions, calls what it is handed in hostile ways, and looks at what arrives.

Run as a program, it judges exercises with all free memory full of a pattern, and prints where that pattern arrived.
"""

import contextlib
import functools
import itertools
import re
import socket
import sys
import threading
from inspect import signature

import numpy as np

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import run
from autograder.execution.handed import Handed
from autograder.judge import remote
from autograder.judge.server import Ending
from autograder.judge.wire.protocol import Channel, Peer, ProtocolError, pairs
from autograder.judge.worker.child import NAMED, fields
from autograder.registry import find
from tests.support.hostile_memory import FREED, PATTERN, refill

SEEN = re.compile(b"|".join(b"%c{6,}" % pattern for pattern in (PATTERN, FREED)))
KEYWORDS = (
    *({"where": False}, {"dtype": "g"}, {"dtype": object}, {"casting": "unsafe"}, {"order": "F"}, {"shape": (30, 50)}),
    *({"out": None}, {"axis": 0}, {"subok": False}, {"dtype": np.float64, "where": False, "casting": "unsafe"}),
)
COUNTING = "ablation_table", "asked_once"  # a claim on what was asked of what it hands over, which hostile calls fail
TRIED = (0, 2, 4, 5)  # calls of the learner's function in which it is hostile
ROOM = (np.zeros((3, 4)), np.zeros(7), np.zeros((50, 7)), np.zeros((40, 5)), np.zeros((100, 4)), np.zeros(600))


class Listener:
    """Plays the child process of an exercise, in a thread; `leaks` are the calls in which the pattern arrived.

    Parameters
    ----------
    exercise : Exercise
    """

    def __init__(self, exercise):
        self.exercise, self.leaks = exercise, []
        ours, theirs = socket.socketpair()
        self.channel, self.socket = Channel(ours), ours
        self.peer = Peer(Channel(theirs), NAMED, {"begin": lambda task: ("", (), 0), "call": self.call}, strict=False)
        listen = self.peer.channel.receive
        self.peer.channel.receive = lambda: self.heard(listen())
        self.calling, self.seen = "the arguments", itertools.count()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with self.peer.channel.socket, contextlib.suppress(ProtocolError):  # the connection was closed
            self.peer.serve()

    def heard(self, message):
        """Look at a message from the judge, and hand it on."""
        if any(SEEN.search(blob) for blob in message[3]):
            self.leaks.append(self.calling)
        return message

    def call(self, value):
        """Answer what the reference answers, after hostile calls of all functions that are handed over."""
        args, kwargs = value[0], pairs(value[1])
        arrays = [array for array in args if isinstance(array, np.ndarray)]
        arrays += [np.array([[number]]) for number in args if isinstance(number, int)]  # a prefix, if it is bos_id
        functions = [value for value in (*args, *kwargs.values()) if callable(value)]
        if functions and next(self.seen) in TRIED:
            for function, array in itertools.product(functions, (*arrays, *ROOM)):
                self.try_all(function, array)
        self.calling = "the arguments"
        return fields(run(self.exercise.reference, args, kwargs, signature(self.exercise.reference), seconds=None))

    def try_all(self, function, array):
        """Call a function with this array in every way that might give memory back."""
        odd = (array, np.zeros(array.shape, bool)), (array, np.zeros_like(array)), (array, None, False)
        calls = [((array,), keywords) for keywords in ({}, *KEYWORDS)] + [(args, {}) for args in odd]
        calls += [((array.astype(dtype),), {}) for dtype in ("g", "f2", "f4", "?", object)]
        for args, keywords in calls:
            self.calling = f"a call with {len(args)} arguments, {args[0].dtype}, {keywords}"
            with contextlib.suppress(Exception):
                function(*args, **keywords)

    def end(self, patiently=False):
        """End, as `autograder.judge.server.Process` does."""
        self.socket.close()
        return Ending("", "")


def leaks_of(exercise):
    """Judge the exercise's own reference through the protocol; return the calls in which unwritten memory was sent."""
    listeners = []

    def fork():
        listeners.append(Listener(exercise))
        return listeners[-1]

    runner = remote.RemoteRunner(fork, exercise, (), (), ())
    runner.begin(remote.WHOLE)
    runner.until = None
    verdict = evaluate(exercise, runner)
    runner.end()
    failed = [
        result.message
        for result in verdict.results
        if not result.passed and (exercise.name, result.claim.test.__name__) != COUNTING
    ]
    return [leak for listener in listeners for leak in listener.leaks], failed


def in_hostile_memory(function):
    """Return a function that finds nothing but the pattern in memory that it has not written."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        refill()
        return function(*args, **kwargs)

    return wrapped


def main(names, unguarded=False):
    """Print the leaks of exercises, one per line; `unguarded` hands functions over as they are."""
    remote.SECONDS_PER_CALL = 60
    remote.RemoteRunner._ask = in_hostile_memory(remote.RemoteRunner._ask)
    Handed.__call__ = in_hostile_memory(Handed.__call__)
    if unguarded:
        Handed.__call__ = in_hostile_memory(lambda self, /, *args, **kwargs: self.function(*args, **kwargs))
    for name in names:
        leaks, failed = leaks_of(find(name))
        for text in (*dict.fromkeys(leaks), *failed):
            print(f"{name}: {text}")


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--unguarded"], "--unguarded" in sys.argv)
