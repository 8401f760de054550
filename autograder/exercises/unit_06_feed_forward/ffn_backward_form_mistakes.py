"""The known mistakes of `ffn_backward` in the form of its results, and where a gradient misses the activation."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_06_feed_forward.ffn_backward_mistakes import SECTION, SHARED, STEPS
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


ROWS = "W_1=rows.T @ d_before_rows"
HIDDEN = "rows.T @ (d_output_rows @ params.W_2.T)"


@MISTAKES.add(where=STEPS)
@edited(
    reference.ffn_backward,
    {ROWS: f"W_1={HIDDEN}", "d_before_rows.sum(axis=0)": "(d_output_rows @ params.W_2.T).sum(axis=0)"},
)
def first_map_before_the_gate():
    """The gradients of W_1 and b_1 are computed from a gradient that has not passed the activation.

    Where the hidden layer was cut to 0, W_1 and b_1 had no effect. ReLU lies between them and the output.
    """


@MISTAKES.add(where=STEPS)
@edited(reference.ffn_backward, {ROWS: f"W_1={HIDDEN}"})
def w_1_before_the_gate():
    """The gradient of W_1 is computed from a gradient that has not passed the activation.

    Where the hidden layer was cut to 0, W_1 had no effect. ReLU lies between it and the output.
    """


@MISTAKES.add(where=STEPS)
@edited(reference.ffn_backward, {"return d_before @ params.W_1.T": "return d_output @ params.W_2.T @ params.W_1.T"})
def dx_before_the_gate():
    """dX is computed from a gradient that has not passed the activation.

    Where the hidden layer was cut to 0, X had no effect. ReLU lies between it and the output.
    """
