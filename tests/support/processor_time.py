"""A bound on processor time that means about the same on a slow or busy machine as on a quick and idle one."""

import contextlib
import time

STEPS, USUAL = 200_000, 0.004  # of a loop in Python, and the seconds that an idle core takes for them


@contextlib.contextmanager
def within(seconds):
    """Require of a block that it takes no more processor time than this, on a machine of the usual speed.

    The bounds tell seconds from minutes, not good from better: they are there for what grows with the square.

    Parameters
    ----------
    seconds : float
    """
    slowness = _slowness()
    start = time.process_time()
    try:
        yield
    finally:
        taken = time.process_time() - start
        slowness = max(1, slowness, _slowness())
        assert taken < seconds * slowness, f"{taken:.1f} s of processor time, {slowness:.1f} times as slow as usual"


def _slowness():
    start = time.process_time()
    for _ in range(STEPS):
        pass
    return (time.process_time() - start) / USUAL
