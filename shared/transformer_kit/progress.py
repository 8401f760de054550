"""A progress bar for a long computation."""

import sys
import time

WIDTH = 30


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
