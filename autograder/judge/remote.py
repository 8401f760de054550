"""The trusted side of a call: requests it from the child in which the learner's function lives.

No reply is trusted: its form and its size are checked, and whatever goes wrong becomes an `Outcome`, never an
exception in the evaluation. What a child does to itself costs only the exercise at hand.
"""

import functools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.execution.call import MAX_MESSAGE_LENGTH, SECONDS_PER_CALL
from autograder.execution.handed import Undeclared
from autograder.execution.outcome import LearnerError, Outcome
from autograder.judge import replies
from autograder.judge.server import Ending, Process, WorkerError
from autograder.judge.wire.npy import TooLarge
from autograder.judge.wire.protocol import Ended, Late, Peer
from autograder.judge.worker.child import NAMED
from autograder.specification import Exercise
from transformer_kit.time_limit import PATIENCE

SECONDS_FOR_CELLS, SECONDS_PER_EXERCISE = 6, 30
GRACE = 1.5  # seconds beyond the limit at which the worker itself stops a call
MIN_PEAK = 16 << 20  # bytes; Python itself may need that much for a learner's cells
Written = Sequence[Sequence[tuple[int, str]]]
WHOLE, LEAN = False, True  # all statements of the cells, or only those that the function needs


class RemoteRunner:
    """Performs calls in a child, as `autograder.execution.call.LocalRunner` does here.

    Attributes
    ----------
    missing : str
        Why there is no function to call; empty when there is one.
    ended : str
        "" while all goes well; "timeout" once a call took too long; "memory", "disk", "killed" or "forged" (it sent
        what no worker sends) when the child had to be given up.
    note : str
        The same in words, and what had gone wrong before a second attempt succeeded.
    substituted : tuple of str
        Names of the earlier exercises' functions that the learner's function really uses: the reference's stand in.
    """

    def __init__(
        self,
        fork: Callable[[], Process],
        exercise: Exercise,
        cells: tuple[str, ...],
        earlier: tuple[str, ...],
        sources: tuple[str, ...],
        written: Written = (),
    ) -> None:
        self.fork, self.exercise = fork, exercise
        self.cells = cells
        self.earlier = earlier
        self.sources = sources
        self.written = written
        self.lines: Sequence[tuple[int, str]] = ()  # of the cell that defines the function
        self.parameters = exercise.signature.parameters
        self.missing = self.ended = self.note = ""
        self.substituted: tuple[str, ...] = ()
        self.fault: WorkerError | None = None
        self.process: Process | None = None
        self.peer: Any = None
        self.over: Outcome | None = None
        self.until: float | None = None
        self.suspicious = False  # code that ends its process or sends nonsense may have tried more

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the earlier exercises' functions that the learner's function calls."""
        return self.substituted

    def begin(self, *ways: bool) -> None:
        """Start a child; if it ends or does not find the function, try the next way in a new child."""
        cells = np.frombuffer(json.dumps(self.cells).encode(), np.uint8)  # so that they may be as large as an array
        described = tuple((p.name, int(p.kind), p.default is not p.empty) for p in self.parameters.values())
        notes = []
        for lean in ways:
            self.end()
            self.missing = self.ended = ""
            self.over = None
            self.process = self.fork()
            self.peer = Peer(self.process.channel, NAMED)
            task = (cells, self.exercise.name, described, self.earlier, self.sources, lean)
            self._ask(SECONDS_FOR_CELLS / (1 + lean), "begin", task, self._begun)
            notes += [f"with all cells, {self.note}"] if self.ended and not lean else []
            if not (self.ended or (self.missing and lean)):
                break
        self.note = "; ".join(notes)
        self.until = time.monotonic() + SECONDS_PER_EXERCISE

    def end(self) -> Ending:
        """End the child; return its Ending."""
        return self.process.end() if self.process else Ending("", "")

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], measure_memory: bool = False) -> Outcome:
        """Return the Outcome of one call, whatever the child does; Undeclared for arguments that must not be sent."""
        if measure_memory and not self.over:
            return self._measured(args, kwargs)
        read = functools.partial(replies.outcome, arguments=self.parameters)
        outcome = self._ask(SECONDS_PER_CALL * PATIENCE + GRACE, "call", (args, tuple(kwargs.items())), read)
        if outcome and outcome.status == "timeout":
            self.ended, self.note = "timeout", "a call took too long"
        return self.over or self._placed(outcome)

    def _placed(self, outcome):
        """Name the line that the learner wrote, in place of the one that has run."""
        error = outcome.error
        if not (self.written and error and error.line_number):
            return outcome
        known = 0 < error.line_number <= len(self.lines)
        number, line = self.lines[error.line_number - 1] if known else (None, "")
        return replace(outcome, error=replace(error, line_number=number, line=line[:MAX_MESSAGE_LENGTH]))

    def _measured(self, args, kwargs):
        """Perform one call in a child of its own, whose memory the kernel measures."""
        for ways in ((LEAN, WHOLE), (WHOLE,)):
            apart = RemoteRunner(self.fork, self.exercise, self.cells, self.earlier, self.sources, self.written)
            try:
                apart.begin(*ways)
                outcome = apart(args, kwargs)
            except WorkerError as error:  # raised by `child`: the evaluation expects only the learner's errors
                self.fault = error
                return Outcome("raised", error=LearnerError("WorkerError", str(error)))
            finally:
                peak = apart.end().peak
            self.suspicious |= apart.suspicious
            if outcome.status == "returned":
                break
        self.ended, self.note = self.ended or apart.ended, self.note or apart.note
        return replace(outcome, peak_bytes=peak if peak >= MIN_PEAK else 0)

    def _ask(self, seconds, op, value, read):
        """Send a request and read the answer; whatever goes wrong ends the conversation."""
        if self.over:
            return None
        until = time.monotonic() + seconds
        self.peer.channel.deadline = min(until, self.until or until)
        try:
            return read(self.peer.ask(op, value))
        except Late:
            self._give_up("timeout", "it took too long")
        except Ended:
            ending = self.process.end(patiently=True)
            self._give_up(ending.kind or "killed", f"the process that ran your code {ending.words}")
        except TooLarge as error:
            self._give_up("killed", f"your code does not fit into the process that should run it: {error}")
        except Undeclared:  # by the specification, before anything was sent
            raise
        except Exception as error:  # a ProtocolError, or something unforeseen
            self._give_up("forged", f"the process that ran your code gave an answer that made no sense: {error}")
        finally:
            self.peer.release()
        return None

    def _give_up(self, kind, words):
        self.end()
        self.ended, self.note = kind, words
        self.suspicious |= kind in ("killed", "forged")
        error = LearnerError("MemoryError" if kind == "memory" else "Stopped", words)
        self.over = Outcome("timeout") if kind == "timeout" else Outcome("raised", error=error)

    def _begun(self, answer):
        self.missing, self.substituted, cell = replies.beginning(answer, self.earlier)
        self.lines = self.written[cell - 1] if 0 < cell <= len(self.written) else ()
        if self.missing:
            self.over = Outcome("raised", error=LearnerError("NameError", self.missing))
