"""References that work once on the same arguments, for tests in which these come often."""

import contextlib
import copy
import functools
import pickle

import pytest

from autograder.evaluation import coarse


def remembered(function):
    """Return a function that looks up what it gave for the same arguments, if these can be told by their bytes."""
    found = {}

    @functools.wraps(function)
    def remembering(*args, **kwargs):
        try:
            key = pickle.dumps((args, kwargs))
        except (AttributeError, TypeError, pickle.PicklingError):  # some function of a claim is among them
            return function(*args, **kwargs)
        if key not in found:
            found[key] = function(*args, **kwargs)
        return copy.deepcopy(found[key])

    return remembering


@contextlib.contextmanager
def remembering(exercise):
    """Let the reference, and the search for hidden mistakes, work once on the same arguments."""
    original = coarse.run
    run = functools.cache(lambda function: remembered(functools.partial(original, function)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coarse, "run", lambda function, *rest, **named: run(function)(*rest, **named))
        patch.setattr(exercise, "reference", remembered(exercise.reference))
        yield
