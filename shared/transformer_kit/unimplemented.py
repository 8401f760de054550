"""Cells that wait for a function which the learner has not written yet."""

from contextlib import contextmanager
from traceback import walk_tb


def unwritten_function(error):
    """Name the function that raised a NotImplementedError.

    Parameters
    ----------
    error : NotImplementedError
        As caught.

    Returns
    -------
    str or None
        The innermost function of the traceback that has a name; None when the error was raised outside any function.
    """
    names = [frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)]
    named = [name for name in names if not name.startswith("<")]
    return named[-1] if named else None


@contextmanager
def skip_if_unimplemented():
    """Run a block that needs the learner's own functions; say so in one line when one of them is not written yet.

    Only NotImplementedError is caught, so "Run all" goes on past an unwritten function and still stops at a wrong one.

    Examples
    --------
    >>> def softmax(x):
    ...     raise NotImplementedError
    >>> with skip_if_unimplemented():
    ...     print(softmax([1.0, 2.0]))
    This cell waits for `softmax`: write it above, then run the cell again.
    """
    try:
        yield
    except NotImplementedError as error:
        name = unwritten_function(error)
        in_block = name == skip_if_unimplemented.__name__  # the innermost name when the block itself raised
        needed = f"`{name}`" if name and not in_block else "a function that is not written yet"
        print(f"This cell waits for {needed}: write it above, then run the cell again.")
