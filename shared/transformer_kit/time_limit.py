"""Stop code that runs for too long, where threads can be had."""

import contextlib
import ctypes
import threading
from functools import cache


class TimeLimit(BaseException):
    """Raised inside code that takes too long; not an Exception, so that `except Exception` lets it pass."""


@cache
def can_be_had():
    """Tell whether threads start here, which every limit needs; in a browser they do not."""
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return False
    return True


class TimeWatch:
    """Raises TimeLimit in the thread that made it once the time is over, again and again while it is swallowed."""

    SHOTS = 200

    def __init__(self, seconds):
        self.seconds = seconds
        self.thread = threading.get_ident()
        self.over, self.lock = threading.Event(), threading.Lock()

    def start(self):
        """Begin to count, where threads can be had."""
        with contextlib.suppress(RuntimeError):
            threading.Thread(target=self._watch, daemon=True).start()

    def stop(self):
        """Stop counting; afterwards no TimeLimit is on its way."""
        while True:
            try:
                with self.lock:
                    self.over.set()
                    self._interrupt(None)
                return
            except TimeLimit:  # arrived in the lines above: begin them again
                continue

    def _watch(self):
        delay = self.seconds
        for _ in range(self.SHOTS):
            if self.over.wait(delay):
                return
            delay = 0.2
            with self.lock:
                if not self.over.is_set():
                    self._interrupt(ctypes.py_object(TimeLimit))

    def _interrupt(self, exception):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), exception)
