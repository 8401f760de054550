"""A small network that learns a curve with the reader's own functions of unit 06, by plain gradient descent."""

from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import FeedForwardParams

X = np.linspace(-3.0, 3.0, 41)[:, None]
CURVE = np.sin(2 * X) * np.exp(-0.12 * X**2) + 0.25 * X
for array in (X, CURVE):
    array.setflags(write=False)  # for everybody who learns from them
D_FF, LEARNING_RATE, SEED, STEPS, LAST_FRAME = 16, 0.05, 11, 4000, 30
RUNAWAY = 100  # times the first loss
FAILURES = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)  # of a wrong function


class Learning(NamedTuple):
    """What became of a network of width 1 while it learned a curve.

    Attributes
    ----------
    x, curve : ndarray of shape (n,)
        The points that it learns from.
    steps : list of int
        The steps that are kept, ever further apart.
    losses : list of float
        Half the mean squared distance from the curve; nan if it could not be computed.
    lines : list of (ndarray, ndarray)
        Where the network's line begins, bends and ends, and its heights there.
    corners : list of ndarray of shape (d_ff,)
        Where every unit switches on or off.
    dead : list of ndarray of shape (d_ff,), bool
        Which units are off at all of the points.
    expected : float
        The last loss with the course's own functions.
    stopped : str
        Why it ended before the last step; empty if it did not.
    """

    x: np.ndarray
    curve: np.ndarray
    steps: list
    losses: list
    lines: list
    corners: list
    dead: list
    expected: float
    stopped: str


def learn_a_curve(position_wise_ffn, ffn_backward, d_ff=D_FF, learning_rate=LEARNING_RATE, seed=SEED, steps=STEPS):
    """Train a network of width 1 to follow a curve, and keep some thirty of its states.

    Parameters
    ----------
    position_wise_ffn, ffn_backward : callable
        Those of unit 06, right or wrong.
    d_ff : int
        How many hidden units, and so at most how many corners.
    learning_rate : float
    seed : int
        Of the first parameters.
    steps : int

    Returns
    -------
    Learning

    Raises
    ------
    NotImplementedError
        If one of the functions is not written yet. Whatever else goes wrong ends the training, and is told.
    """
    right, _ = _train(reference.position_wise_ffn, reference.ffn_backward, _first(d_ff, seed), learning_rate, steps)
    states, stopped = _train(position_wise_ffn, ffn_backward, _first(d_ff, seed), learning_rate, steps)
    kept_steps, networks, losses, lines = map(list, zip(*states, strict=True))
    corners = [-params.b_1 / params.W_1[0] for params in networks]
    dead = [(X @ params.W_1 + params.b_1 <= 0).all(axis=0) for params in networks]
    return Learning(X[:, 0], CURVE[:, 0], kept_steps, losses, lines, corners, dead, right[-1][2], stopped)


def _first(d_ff, seed):
    """Draw parameters with corners all over the curve and a little beyond, and a line that is nearly flat."""
    rng = np.random.default_rng(seed)
    W_1 = rng.choice([-1.0, 1.0], (1, d_ff)) * rng.uniform(0.4, 0.8, (1, d_ff))
    b_1 = -W_1[0] * rng.uniform(-3.4, 3.4, d_ff)
    return FeedForwardParams(W_1, b_1, rng.normal(scale=0.1, size=(d_ff, 1)), np.zeros(1))


def _train(position_wise_ffn, ffn_backward, params, learning_rate, steps):
    """Return what is kept of the training, and why it stopped."""
    shown = {round(steps * (frame / LAST_FRAME) ** 3) for frame in range(LAST_FRAME + 1)}
    kept = []
    for step in range(steps + 1):
        try:
            error = _heights(position_wise_ffn, X, params) - CURVE
            loss = float((error**2).mean() / 2)
            if not loss <= RUNAWAY * (kept[0][2] if kept else 1):
                return kept or _nothing(params), f"at step {step} the loss is {loss:.3g}"
            if step in shown:
                kept.append((step, params, loss, _line(position_wise_ffn, params)))
            params = _updated(params, ffn_backward(error / len(X), X, params), learning_rate)
        except FAILURES as fault:
            words = " ".join(str(fault).split())
            return kept or _nothing(params), f"{type(fault).__name__} at step {step}: {words}"
    return kept, ""


def _nothing(params):
    """Return the one state of a network whose output could not be computed."""
    return [(0, params, np.nan, (X[[0, -1], 0], np.zeros(2)))]


def _heights(position_wise_ffn, x, params):
    heights = position_wise_ffn(x, params)
    if np.shape(heights) != x.shape:
        raise ValueError(f"position_wise_ffn returned the shape {np.shape(heights)} for tokens of shape {x.shape}")
    return heights


def _line(position_wise_ffn, params):
    """Return the ends and the corners of what a network computes, from left to right."""
    corners = -params.b_1 / params.W_1[0]
    x = np.unique([X[0, 0], *corners[abs(corners) < X[-1, 0]], X[-1, 0]])
    return x, _heights(position_wise_ffn, x[:, None], params)[:, 0]


def _updated(params, results, learning_rate):
    """Go one step down, if every gradient has the shape of its parameter."""
    if not isinstance(results, tuple) or len(results) != 2:
        raise ValueError("ffn_backward has to return dX and the gradients of the four parameters")
    _, gradients = results
    for name, value, gradient in zip(params._fields, params, gradients, strict=True):
        if np.shape(gradient) != value.shape:
            raise ValueError(f"the gradient of {name} has the shape {np.shape(gradient)}, and {name} has {value.shape}")
    return FeedForwardParams(*(value - learning_rate * g for value, g in zip(params, gradients, strict=True)))
