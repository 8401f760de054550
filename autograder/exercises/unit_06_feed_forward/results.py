"""Partial credit: what is required of one of several results."""

from autograder.call import Failed
from autograder.compare import compare_one, describe, tolerance_for


def results_of(call, *args):
    """Call the function; require as many results as the exercise has, and return them."""
    returns, value = call.exercise.returns, call(*args)
    names = ", ".join(returned.name for returned in returns)
    right = isinstance(value, tuple | list) and len(value) == len(returns)
    call.holds(right, f"expected {len(returns)} results in this order: {names}. Got {describe(value)}.")
    return value


def require(got, expected, returned, args):
    """Require one result, or a part of it, to be right; `args` set the tolerance."""
    difference = compare_one(got, expected, returned, tolerance_for(*args))
    if difference:
        raise Failed(difference.text, difference)


def require_result(call, number, *args):
    """Call the function and require result `number` to be right, whatever the others are."""
    value, expected = results_of(call, *args), call.exercise.reference(*args)
    require(value[number], expected[number], call.exercise.returns[number], args)
