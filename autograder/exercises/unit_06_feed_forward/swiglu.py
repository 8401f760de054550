"""Specification of `swiglu`."""

import math

import numpy as np
import scipy

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_06_feed_forward import lookalikes
from autograder.exercises.unit_06_feed_forward.inputs import D_FF, D_MODEL
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.swiglu,
    asks="multiply two linear maps of X, one of them after SiLU, and map the product back to d_model.",
    returns=(Output("output", "(..., n, d_model)"),),
    lookalike=lookalikes.SWIGLU,
)


def _weights(rng):
    """Draw W_gate, W_up and W_down so that the numbers before and after the gate have a spread near 1."""
    W_gate, W_up = rng.standard_normal((2, D_MODEL, D_FF)) / math.sqrt(D_MODEL)
    return W_gate, W_up, rng.standard_normal((D_FF, D_MODEL)) / math.sqrt(D_FF)


@EXERCISE.claim(1)
def values(call, rng):
    """equals the definition"""
    # By hand: the gate is ln 3, whose sigmoid is 3/4; the other branch is 2; so 4 · (3/4) ln 3 · 2 = 6 ln 3.
    call.agrees(np.array([[1.0]]), np.array([[math.log(3)]]), np.array([[2.0]]), np.array([[4.0]]))
    call.agrees(rng.standard_normal((5, D_MODEL)), *_weights(rng))


@EXERCISE.claim(0.5)
def far_out(call, rng):
    """is right where the gate or the other branch is ±1000"""
    # Gates of ±1000, ±500 and 0; the other branch and the last map stay of order 1.
    X = np.array([[1000.0, 0.5], [-1000.0, 0.5], [0.0, 2.0]])
    W_gate, W_up = np.array([[1.0, -1.0, 0.5, 0.0], [0, 0, 0, 0]]), np.array([[0.0, 0, 0, 0], [1, 2, -3, 1]])
    call.agrees(X, W_gate, W_up, rng.standard_normal((4, 2)))
    call.agrees(X[::-1], W_up, W_gate, rng.standard_normal((4, 2)))
    for sign in (-1, 1):  # alone, so that no large number hides a small one
        gates = sign * np.array([[25.0, 40.0, 90.0]])
        call.agrees(np.ones((1, 1)), gates, rng.uniform(1, 2, (1, 3)), rng.standard_normal((3, 1)))


@EXERCISE.claim(0.25, side=True)
def leading_axes(call, rng):
    """works for any leading axes, and also takes whole numbers"""
    call.agrees(rng.standard_normal((5, D_MODEL)), *_weights(rng))
    agrees_here(call, rng.standard_normal((3, 5, D_MODEL)), *_weights(rng))
    weights = (W.astype(np.float32) for W in _weights(rng))
    agrees_here(call, rng.standard_normal((2, 3, 5, D_MODEL)).astype(np.float32), *weights)
    agrees_here(call, rng.integers(-3, 4, (5, D_MODEL)), *_weights(rng))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, weights = rng.standard_normal((5, D_MODEL)), _weights(rng)
    call.leaves_inputs_alone(X, *weights)
    call.agrees(X, *weights)


def silu(x):
    return x * scipy.special.expit(x)


wrong = WrongAnswers(EXERCISE, globals())

wrong("branches-exchanged", "swiglu(X, W_up, W_gate, W_down)", """
    SiLU is applied to the branch of W_up.
    SiLU belongs to the branch of W_gate. The other one stays linear.""")

wrong("both-gated", {"@ W_up": "@ W_up * scipy.special.expit(X @ W_up)"}, """
    SiLU is applied to both branches.
    One branch stays linear: it carries the content that the gate lets through.""")

wrong("product-gated", {"gate * scipy.special.expit(gate) * (X @ W_up)": "silu(gate * (X @ W_up))"}, """
    SiLU is applied to the product of both branches.
    It belongs to one branch, before the product.""")

wrong("sigmoid", {"gate * ": ""}, """
    The gate is a sigmoid.
    That is GLU, the original gate. SiLU is the number times its sigmoid.""")

wrong("gelu", {"gate * scipy.special.expit": "gelu"}, """
    The gate is a GELU.
    That is GEGLU, a sister of SwiGLU. SiLU uses the sigmoid in place of the normal probability.""")

wrong("relu", {"gate * scipy.special.expit(gate)": "np.maximum(gate, 0)"}, """
    The gate is a ReLU.
    That is ReGLU, a sister of SwiGLU. SiLU has no corner.""")

wrong("no-gate", {"gate * scipy.special.expit": ""}, """
    The gate has no activation.
    The product of two linear branches is the bilinear variant. SiLU is missing.""")

wrong("added", {"* (X @ W_up)": "+ X @ W_up"}, """
    The two branches are added.
    A gate multiplies: where it is near 0 the content is shut off.""")

wrong("up-missing", {"gate * scipy.special.expit(gate) * (X @ W_up)": "silu(gate)"}, """
    The branch of W_up is missing.
    What is left is an ordinary network with SiLU. The gate has nothing to let through.""")

wrong("silu-at-the-end", "silu(swiglu(X, W_gate, W_up, W_down))", """
    SiLU is applied once more, to the output.
    The output is added to the token's vector, so large negative numbers must be possible.""")

wrong("sigmoid-of-minus-x", {"gate *": "gate *", "(gate)": "(-gate)"}, """
    The sigmoid has the wrong sign inside.
    The sigmoid is near 1 for large numbers and near 0 for very negative ones. Yours runs the other way.""")

wrong("two-exponentials", {"scipy.special.expit(gate)": "np.exp(gate) / (1 + np.exp(gate))"}, """
    The sigmoid of a large number is NaN, as the quotient of two exponentials is.
    At 1000 both are infinite, and infinity divided by infinity is NaN.""")

wrong("not-brought-back", {" @ W_down": ""}, """
    The last map is missing.
    The product has the width d_ff. W_down brings it back to d_model.""")

wrong("matrix-product", {" * (X @ W_up)": " @ (X @ W_up)"}, """
    The two branches are multiplied as matrices.
    A gate acts number by number: each hidden unit has its own.""")

wrong("transposed", "silu(X @ W_gate.T) * (X @ W_up.T) @ W_down.T", """
    The weights are transposed first.
    In this course a weight matrix has one row for every input, so a row of X can be multiplied by it as it stands.""")


@wrong.function
def fractions_cut(X, W_gate, W_up, W_down):
    """The results are cut to whole numbers when X is whole.
    An array made like X has the dtype of X, and integers have no room for fractions."""
    output = np.empty_like(X)
    output[...] = reference.swiglu(X, W_gate, W_up, W_down)
    return output


wrong("gate-twice", "swiglu(X, W_gate, W_gate, W_down)", """
    Both branches are made with W_gate.
    What is let through has a matrix of its own, W_up. Otherwise the gate lets through itself.""")

wrong("silu-before-the-map", {"gate * scipy.special.expit(gate)": "silu(X) @ W_gate"}, """
    SiLU is applied to the tokens, before the map of the gate.
    First the map, then its bend: SiLU is applied to the gate's hidden numbers.""")

wrong("gate-clipped", {"gate * scipy.special.expit(gate)": "silu(np.clip(gate, -20, 20))"}, """
    The gate itself is cut off, not only the number inside its exponential.
    SiLU of 1000 is 1000. If you clip to avoid an overflow, multiply by the number as it was.""")

wrong("minus-in-the-sigmoid", {"* scipy.special.expit(gate)": "/ (1 - np.exp(-gate))"}, """
    The sigmoid divides by 1 minus the exponential, not by 1 plus the exponential.
    With the minus it would be infinite at 0, and negative below.""")

wrong("sigmoid-without-brackets", {"gate * scipy.special.expit(gate)": "gate * (1 / 1 + np.exp(-gate))"}, """
    The sum below the fraction bar of the sigmoid lacks its brackets.
    `1 / 1 + np.exp(-x)` is 1 + exp(-x): only the 1 is divided. What comes out is the inverse of the sigmoid.""")

wrong("silu-without-brackets", {"gate * scipy.special.expit(gate)": "(gate / 1 + np.exp(-gate))"}, """
    The sum below the fraction bar of SiLU lacks its brackets.
    `x / 1 + np.exp(-x)` is x + exp(-x): only the 1 is below the bar.""")

wrong("sigmoid-of-up",
      {"gate * scipy.special.expit(gate)": "gate", "* (X @ W_up)": "* scipy.special.expit(X @ W_up)"}, """
    The gate is a sigmoid, and it is made of the branch of W_up.
    SiLU is x times its sigmoid, and x is what W_gate makes. The branch of W_up is multiplied as it is.""")

wrong.small("branches-exchanged sigmoid", values, far_out)
