"""Ask a learner's function for the numbers of a picture, and say in a sentence why there is nothing to draw."""

from copy import deepcopy
from functools import wraps
from html import escape

import numpy as np

from transformer_kit.plots.attempt import attempt
from transformer_kit.unimplemented import unwritten_function


class NothingToDraw(Exception):
    """Why, in a sentence for the learner."""


class Message:
    """What is said in place of a picture."""

    def __init__(self, text):
        self.text = text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": f"<p>{escape(self.text)}</p>", "text/plain": self.text}

    def __repr__(self):
        return self.text


def or_message(draw):
    """Let a function that draws a picture return a `Message` where there is nothing to draw."""

    @wraps(draw)
    def drawn(*args, **options):
        try:
            return draw(*args, **options)
        except NothingToDraw as reason:
            return Message(str(reason))

    return drawn


def numbers_of(function, *args, shape, name=None):
    """Call a learner's function, with copies of the arguments.

    Parameters
    ----------
    function : callable
    *args : object
    shape : tuple of int
        What the result should have.
    name : str, optional
        How messages call the function; its own name where it is left out.

    Returns
    -------
    ndarray of the given shape, float

    Raises
    ------
    NothingToDraw
        If it is not written yet, raises an error, or returns anything but finite numbers of this shape.
    """
    name = name or f"`{function.__name__}`"
    try:
        result = function(*deepcopy(args))
    except NotImplementedError as error:
        needed = f"`{unwritten_function(error)}`"
        raise NothingToDraw(f"This picture waits for {needed}: write it above, then run the cell again.") from None
    except Exception as error:
        raise NothingToDraw(f"Nothing to draw: {name} raises {type(error).__name__}: {error}") from None
    return finite(result, shape, f"{name} returns")


def finite(result, shape, told):
    """Return a result as an array of floats; raise NothingToDraw unless it has this shape and finite numbers only."""
    try:
        array = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        raise NothingToDraw(f"Nothing to draw: {told} something other than an array of numbers.") from None
    if result is None:
        raise NothingToDraw(f"Nothing to draw: {told} None. Is there a `return`?")
    if array.shape != shape:
        raise NothingToDraw(f"Nothing to draw: {told} shape {array.shape} where {shape} is expected.")
    if not np.isfinite(array).all():
        raise NothingToDraw(f"Nothing to draw: {told} numbers that are not finite.")
    return array


def computed(function, args, expected, pick=None):
    """Call a learner's function for a picture.

    Parameters
    ----------
    function : callable
    args : tuple
    expected : ndarray, or tuple of them
        What it should return; shape and kind have to be these.
    pick : int, optional
        Which of several results is wanted.

    Returns
    -------
    result : ndarray
        Finite numbers.
    verdict : str
        "same numbers", or how they differ from what is expected.

    Raises
    ------
    NothingToDraw
        With the reason, if there is no such array.
    """
    result, verdict = attempt(function, args, pick, expected)
    if result is not None and not np.isfinite(result).all():
        result, verdict = None, "returns numbers that are not finite"
    if result is None:
        raise NothingToDraw(f"This picture is drawn from what your function {function.__name__} returns: {verdict}.")
    return result, verdict
