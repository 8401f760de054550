"""The known mistakes of `ffn_backward` in the form of its results."""

from autograder.exercises.unit_06_feed_forward.ffn_backward_mistakes import SECTION, SHARED
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def parameters_first(d_output, X, params):
    """The gradients of the parameters are returned before dX.

    Return dX and then the parameters, in the order of the arguments.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return d_params, dX


@MISTAKES.add(where=SECTION)
def all_five_in_one_tuple(d_output, X, params):
    """All five gradients are returned side by side.

    Return two results: dX, and the four others together in a FeedForwardParams.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, *d_params


@MISTAKES.add(where=SECTION)
def fields_in_another_order(d_output, X, params):
    """The gradients stand in another order than their parameters.

    A FeedForwardParams holds W_1, b_1, W_2, b_2. Pass them by name, and you cannot mix them up.
    """
    dX, (W_1, b_1, W_2, b_2) = reference.ffn_backward(d_output, X, params)
    return dX, params._make((W_1, W_2, b_1, b_2))


@MISTAKES.add(where=SHARED)
def dX_stays_flat(d_output, X, params):
    """dX is one long matrix of all positions.

    That form is for the sums of the parameters. Every token has a gradient of its own, in the shape of X.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX.reshape(-1, X.shape[-1]), d_params
