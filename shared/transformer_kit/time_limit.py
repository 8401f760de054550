"""Stop code that runs for too long: by a timer signal, or from a thread where there is none."""

import contextlib
import ctypes
import signal
import threading
import time
from functools import cache

SECONDS_BETWEEN_STRIKES = 0.05
PATIENCE = 3  # how much longer a call may take on the wall than in the processor, where a machine is busy


class TimeLimit(BaseException):
    """Raised inside code that takes too long; not an Exception, so that `except Exception` lets it pass."""


@cache
def is_supported():
    """Return whether code can be stopped here; in a browser, which has neither timer signals nor threads, it cannot."""
    if hasattr(signal, "setitimer"):
        return True
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return False
    return True


def call_within(seconds, function, /, *args, **kwargs):
    """Call a function, and stop it when its time is over.

    After that nothing strikes any more, however the call ended. Where `is_supported` is false there is no limit; a call
    that stays in compiled code is stopped when it comes back.

    Parameters
    ----------
    seconds : float or None
        None for no limit.
    function : callable
    *args, **kwargs
        Its arguments.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeLimit
        Inside the function once the time is over, and again and again while it swallows that.
    """
    if seconds is None:
        return function(*args, **kwargs)
    return _limited(Alarm(seconds) if Alarm.is_free() else Watch(seconds), function, *args, **kwargs)


def call_within_processor_time(seconds, function, /, *args, **kwargs):
    """Call a function, and stop it when it has computed for too long; waiting costs it nothing.

    So a busy machine stops nobody who would have come to an end on an idle one. In the main thread alone, and only
    where there are timer signals.

    Parameters
    ----------
    seconds : float
    function : callable
    *args, **kwargs
        Its arguments.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeLimit
        As in `call_within`.
    """
    return _limited(Alarm(seconds, signal.SIGPROF, signal.ITIMER_PROF), function, *args, **kwargs)


def call_patiently(seconds, function, /, *args, **kwargs):
    """Call a function, and stop it when it has computed for too long, or on the wall for `PATIENCE` times as long.

    Where the time of the processor cannot strike, only the clock on the wall does. All else is as in `call_within`.
    """
    if seconds is None:
        return function(*args, **kwargs)
    if not Alarm.is_free("SIGPROF", "ITIMER_PROF"):
        return call_within(seconds * PATIENCE, function, *args, **kwargs)
    return call_within(seconds * PATIENCE, call_within_processor_time, seconds, function, *args, **kwargs)


def _limited(limit, function, /, *args, **kwargs):
    try:
        try:
            limit.start()
            return function(*args, **kwargs)
        finally:
            limit.stop()
    except BaseException:
        limit.stop()  # once more: this exception may have come while the limit was being lifted
        raise


class Alarm:
    """Strikes the main thread by a timer signal, which the clock on the wall gives, or that of the processor."""

    def __init__(self, seconds, number=None, timer=None):
        self.seconds = seconds
        self.number = signal.SIGALRM if number is None else number
        self.timer = signal.ITIMER_REAL if timer is None else timer
        self.handler = signal.getsignal(self.number)

    @staticmethod
    def is_free(number="SIGALRM", timer="ITIMER_REAL"):
        """Return whether there is an alarm here that nobody else uses; some systems have no such signal or timer."""
        return (
            hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(getattr(signal, number)) in (signal.SIG_DFL, signal.SIG_IGN)
            and signal.getitimer(getattr(signal, timer)) == (0, 0)
        )

    def start(self):
        """Begin to count."""
        signal.signal(self.number, self._strike)
        signal.setitimer(self.timer, self.seconds, SECONDS_BETWEEN_STRIKES)

    def stop(self):
        """Stop counting, and leave the alarm as it was."""
        signal.setitimer(self.timer, 0)
        signal.signal(self.number, signal.SIG_IGN)  # drops a last signal, which by default would end the process
        signal.signal(self.number, self.handler)

    def _strike(self, _, frame):
        """Raise inside the call. Where it has ended, since `stop` was struck before it was done, stop for good."""
        while frame and not (frame.f_code is _limited.__code__ and frame.f_locals["limit"] is self):
            frame = frame.f_back
        if frame:
            raise TimeLimit
        self.stop()


class Watch:
    """Strikes the thread that made it, from another one.

    The struck thread takes no lock that the other one needs: a strike could keep it from giving that back.
    """

    def __init__(self, seconds):
        self.seconds = seconds
        self.thread = threading.get_ident()
        self.over = self.striking = False
        self.pause = threading.Lock()
        self.pause.acquire()

    def start(self):
        """Begin to count, where threads can start."""
        with contextlib.suppress(RuntimeError):
            threading.Thread(target=self._watch, daemon=True).start()

    def stop(self):
        """Stop counting, and let a strike that was sent arrive.

        It is not taken back: once `PyThreadState_SetAsyncExc` has done that, or found nothing to take back, Python 3.11
        hangs as soon as it traces or profiles.
        """
        self.over = True
        if self.pause.locked():
            self.pause.release()
        while self.striking:
            time.sleep(0)
        for _ in range(10):  # it arrives at one of these steps
            pass

    def _watch(self):
        delay = self.seconds
        while not self.over and not self.pause.acquire(timeout=delay):
            self.striking = True
            if not self.over:
                target, exception = ctypes.c_ulong(self.thread), ctypes.py_object(TimeLimit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(target, exception)
            self.striking = False
            delay = SECONDS_BETWEEN_STRIKES
