"""How far a long computation is: a bar in a terminal, and a line in a notebook that is gone when it is done."""

import os
import sys
import time

WIDTH = 30
QUIET = ("NBGRADER_EXECUTION", "TRANSFORMER_KIT_QUIET")  # environment variables: nobody is waiting
SOON, OFTEN = 1.0, 0.25  # seconds until a line is shown, and between two


class ProgressBar:
    """One line that is overwritten again and again; where it cannot be, a new line for every tenth of the way.

    Parameters
    ----------
    total : int
        The number of steps.
    stream : file, optional
        Standard error when left out.
    clock : callable
        Returns seconds.
    """

    def __init__(self, total, stream=None, clock=time.monotonic):
        self.total, self.stream, self._clock = total, stream or sys.stderr, clock
        self._start, self._first, self._shown = clock(), None, None

    def show(self, done, text=""):
        """Show how many steps are done.

        Parameters
        ----------
        done : int
        text : str
            For the end of the line.
        """
        line, tenths = self.line(done, text), 10 * done // self.total
        if self.stream.isatty():
            self.stream.write(f"\r{line:<100}" + "\n" * (done == self.total))
        elif tenths != self._shown:
            self._shown = tenths
            self.stream.write(line + "\n")
        self.stream.flush()

    def line(self, done, text=""):
        """Return the line for a number of steps, to be shown elsewhere than in the stream; arguments as in `show`."""
        if self._first is None:
            self._first, self._start = done, self._clock()  # what was done before does not count
        share = done / self.total
        bar = "#" * int(WIDTH * share)
        return f"[{bar:<{WIDTH}}] {100 * share:3.0f} %  {self._left(done)}  {text}".rstrip()

    def _left(self, done):
        if done <= self._first:
            return "     "
        seconds = (self._clock() - self._start) / (done - self._first) * (self.total - done)
        return f"{int(seconds) // 60:2d}:{int(seconds) % 60:02d}"


def waited_for(steps, what, stream=None, clock=time.monotonic):
    """Yield some steps, and say in a notebook's cell which one it is, from the second second on.

    Parameters
    ----------
    steps : iterable
    what : str
        Stands before the number, such as "translating, word".
    stream : file, optional
        Standard output when left out: of a notebook's kernel, since elsewhere nothing is said.
    clock : callable
        Returns seconds.

    Yields
    ------
    object
        Of `steps`.
    """
    stream = stream or sys.stdout
    begun, shown, last = clock(), 0, 0.0
    spoken_to = type(stream).__module__.startswith("ipykernel") and not any(name in os.environ for name in QUIET)
    try:
        for number, step in enumerate(steps, 1):
            now = clock() - begun
            if spoken_to and now > SOON and now - last > OFTEN:
                line, last = f"{what} {number} ...", now
                stream.write(f"\r{line:<{shown}}")
                stream.flush()
                shown = max(shown, len(line))
            yield step
    finally:
        if shown:
            stream.write(f"\r{'':<{shown}}\r")
            stream.flush()
