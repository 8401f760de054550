"""The known mistakes of `swiglu`."""

import numpy as np
from scipy import special

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 6.7: swiglu"
WHICH = "Which branch is the gate"
CALM = "A sigmoid for large numbers"


def silu(x):
    return x * special.expit(x)


def _branches_exchanged(X, W_gate, W_up, W_down):
    return reference.swiglu(X, W_up, W_gate, W_down)


def _both_gated(X, W_gate, W_up, W_down):
    return (silu(X @ W_gate) * silu(X @ W_up)) @ W_down


def _product_gated(X, W_gate, W_up, W_down):
    return silu((X @ W_gate) * (X @ W_up)) @ W_down


def _sigmoid(X, W_gate, W_up, W_down):
    return (special.expit(X @ W_gate) * (X @ W_up)) @ W_down


def _gelu(X, W_gate, W_up, W_down):
    return (reference.gelu(X @ W_gate) * (X @ W_up)) @ W_down


def _relu(X, W_gate, W_up, W_down):
    return (np.maximum(X @ W_gate, 0) * (X @ W_up)) @ W_down


def _no_gate(X, W_gate, W_up, W_down):
    return ((X @ W_gate) * (X @ W_up)) @ W_down


def _added(X, W_gate, W_up, W_down):
    return (silu(X @ W_gate) + X @ W_up) @ W_down


def _up_missing(X, W_gate, W_up, W_down):
    return silu(X @ W_gate) @ W_down


def _silu_at_the_end(X, W_gate, W_up, W_down):
    return silu(reference.swiglu(X, W_gate, W_up, W_down))


def _sigmoid_of_minus_x(X, W_gate, W_up, W_down):
    gate = X @ W_gate
    return (gate * special.expit(-gate) * (X @ W_up)) @ W_down


def _two_exponentials(X, W_gate, W_up, W_down):
    gate = X @ W_gate
    return (gate * np.exp(gate) / (1 + np.exp(gate)) * (X @ W_up)) @ W_down


def _not_brought_back(X, W_gate, W_up, W_down):
    return silu(X @ W_gate) * (X @ W_up)


def _matrix_product(X, W_gate, W_up, W_down):
    return (silu(X @ W_gate) @ (X @ W_up)) @ W_down


def _transposed(X, W_gate, W_up, W_down):
    return (silu(X @ W_gate.T) * (X @ W_up.T)) @ W_down.T


def _fractions_cut(X, W_gate, W_up, W_down):
    output = np.empty_like(X)
    output[...] = reference.swiglu(X, W_gate, W_up, W_down)
    return output


MISTAKES = (
    Mistake(
        "branches-exchanged",
        "SiLU is applied to the branch of W_up",
        _branches_exchanged,
        "The branch named gate is the one that passes SiLU. The other one stays linear.",
        WHICH,
    ),
    Mistake(
        "both-gated",
        "SiLU is applied to both branches",
        _both_gated,
        "One branch stays linear: it carries the content that the gate lets through.",
        WHICH,
    ),
    Mistake(
        "product-gated",
        "SiLU is applied to the product of both branches",
        _product_gated,
        "It belongs to one branch, before the product.",
        WHICH,
    ),
    Mistake(
        "sigmoid",
        "The gate is a sigmoid",
        _sigmoid,
        "That is GLU, the original gate. SiLU is the number times its sigmoid.",
        SECTION,
    ),
    Mistake(
        "gelu",
        "The gate is a GELU",
        _gelu,
        "That is GEGLU, a sister of SwiGLU. SiLU uses the sigmoid in place of the normal probability.",
        SECTION,
    ),
    Mistake(
        "relu",
        "The gate is a ReLU",
        _relu,
        "That is ReGLU, a sister of SwiGLU. SiLU has no corner.",
        SECTION,
    ),
    Mistake(
        "no-gate",
        "The gate has no activation",
        _no_gate,
        "The product of two linear branches is the bilinear variant. SiLU is missing.",
        SECTION,
    ),
    Mistake(
        "added",
        "The two branches are added",
        _added,
        "A gate multiplies: where it is near 0 the content is shut off.",
        WHICH,
    ),
    Mistake(
        "up-missing",
        "The branch of W_up is missing",
        _up_missing,
        "What is left is an ordinary network with SiLU. The gate has nothing to let through.",
        WHICH,
    ),
    Mistake(
        "silu-at-the-end",
        "SiLU is applied once more, to the output",
        _silu_at_the_end,
        "The output is added to the token's vector and must be free to be negative.",
        SECTION,
    ),
    Mistake(
        "sigmoid-of-minus-x",
        "The sigmoid has the wrong sign inside",
        _sigmoid_of_minus_x,
        "The sigmoid is near 1 for large numbers and near 0 for very negative ones. Yours runs the other way.",
        CALM,
    ),
    Mistake(
        "two-exponentials",
        "The sigmoid is a quotient of two exponentials that both overflow",
        _two_exponentials,
        "At 1000 both are infinite, and infinity divided by infinity is NaN.",
        CALM,
    ),
    Mistake(
        "not-brought-back",
        "The last map is missing",
        _not_brought_back,
        "The product has the width d_ff. W_down brings it back to d_model.",
        SECTION,
    ),
    Mistake(
        "matrix-product",
        "The two branches are multiplied as matrices",
        _matrix_product,
        "A gate acts number by number: each hidden unit has its own.",
        WHICH,
    ),
    Mistake(
        "transposed",
        "The weights are transposed first",
        _transposed,
        "In this course a weight matrix has one row for every input, so a row of X can be multiplied by it as it "
        "stands.",
        SECTION,
    ),
    Mistake(
        "fractions-cut",
        "The results are cut to whole numbers when X is whole",
        _fractions_cut,
        "An array made like X has the dtype of X, and integers have no room for fractions.",
        SECTION,
    ),
)
