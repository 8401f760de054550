"""How much memory a function takes while it runs."""

import tracemalloc


def memory_of(function, *arguments):
    """Call a function, and measure what it holds at most while it runs, its result included.

    Parameters
    ----------
    function : callable
    *arguments : object

    Returns
    -------
    result : object
    megabytes : float
    """
    tracemalloc.start()
    try:
        result = function(*arguments)
        return result, tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
