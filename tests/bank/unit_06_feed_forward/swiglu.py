"""Functions that learners wrote for `swiglu`, each with what is truly wrong with it."""

import numpy as np
from scipy import special

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "exchanges the branches: SiLU is applied to the branch of W_up, and the gate stays linear",
    names={"branches-exchanged"},
    line="up = z * special.expit(z)",
)
def wrong_branch(X, W_gate, W_up, W_down):
    gate = X @ W_gate
    z = X @ W_up
    up = z * special.expit(z)
    return (gate * up) @ W_down


@wrong("applies SiLU to both branches", names={"both-gated"}, line="up = silu(X @ W_up)")
def both_branches(X, W_gate, W_up, W_down):
    def silu(z):
        return z * special.expit(z)

    gate = silu(X @ W_gate)
    up = silu(X @ W_up)
    return (gate * up) @ W_down


@wrong(
    "uses the sigmoid alone for the gate (a GLU): the factor z of SiLU is missing",
    names={"sigmoid"},
    line="gate = special.expit(X @ W_gate)",
)
def sigmoid_gate(X, W_gate, W_up, W_down):
    gate = special.expit(X @ W_gate)
    up = X @ W_up
    return (gate * up) @ W_down


@wrong(
    "forms e^z / (1 + e^z), which is infinity over infinity, nan, for large z",
    names={"two-exponentials"},
    line="sigmoid = e / (1 + e)",
)
def overflows(X, W_gate, W_up, W_down):
    z = X @ W_gate
    e = np.exp(z)
    sigmoid = e / (1 + e)
    return (z * sigmoid * (X @ W_up)) @ W_down


@wrong(
    "clips z to ±20 to avoid the overflow and multiplies by the clipped z, so SiLU(1000) is 20",
    names={"gate-clipped"},
    line="z = np.clip(X @ W_gate, -20, 20)",
)
def clipped(X, W_gate, W_up, W_down):
    z = np.clip(X @ W_gate, -20, 20)
    gate = z / (1 + np.exp(-z))
    return (gate * (X @ W_up)) @ W_down


@wrong("adds the two branches instead of multiplying them", names={"added"}, line="hidden = gate + up")
def branches_added(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z * special.expit(z)
    up = X @ W_up
    hidden = gate + up
    return hidden @ W_down


@wrong(
    "applies SiLU to the product of both branches instead of to the gate",
    names={"product-gated"},
    line="h = h * special.expit(h)",
)
def silu_of_product(X, W_gate, W_up, W_down):
    h = (X @ W_gate) * (X @ W_up)
    h = h * special.expit(h)
    return h @ W_down


@wrong(
    "the sigmoid has the wrong sign, 1 / (1 + e^z), so the gate lets through what it should hold back",
    names={"sigmoid-of-minus-x"},
    line="gate = z * special.expit(-z)",
)
def wrong_sign(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z * special.expit(-z)
    up = X @ W_up
    return (gate * up) @ W_down


@wrong("uses ReLU in the gate instead of SiLU", names={"relu"}, line="gate = reference.relu(X @ W_gate)")
def relu_gate(X, W_gate, W_up, W_down):
    gate = reference.relu(X @ W_gate)
    return (gate * (X @ W_up)) @ W_down


@wrong("uses GELU in the gate instead of SiLU", names={"gelu"}, line="gate = reference.gelu(X @ W_gate)")
def gelu_gate(X, W_gate, W_up, W_down):
    gate = reference.gelu(X @ W_gate)
    up = X @ W_up
    return (gate * up) @ W_down


@wrong(
    "multiplies the branches as matrices, gate @ up transposed, instead of number by number",
    names={"matrix-product"},
    line="mixed = gate @ np.swapaxes(up, -1, -2)",
)
def matrix_product(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z * special.expit(z)
    up = X @ W_up
    mixed = gate @ np.swapaxes(up, -1, -2)
    return mixed @ W_down


@wrong(
    "forgets the way back: the result has the width of the hidden layer",
    names={"not-brought-back"},
    line="return gate * (X @ W_up)",
)
def no_way_back(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z * special.expit(z)
    return gate * (X @ W_up)


@wrong("makes both branches with W_gate; W_up is never used", names={"gate-twice"}, line="up = X @ W_gate")
def gate_used_twice(X, W_gate, W_up, W_down):
    up = X @ W_gate
    gate = up * special.expit(up)
    return (gate * up) @ W_down


@wrong(
    "applies SiLU to the tokens before the gate's matrix instead of after it",
    names={"silu-before-the-map"},
    line="gate = (X * special.expit(X)) @ W_gate",
)
def silu_before_map(X, W_gate, W_up, W_down):
    gate = (X * special.expit(X)) @ W_gate
    up = X @ W_up
    return (gate * up) @ W_down


@wrong(
    "two: SiLU sits on the branch of W_up instead of W_gate, and its factor z is missing",
    names={"branches-exchanged", "sigmoid", "sigmoid-of-up"},
    line="up = 1 / (1 + np.exp(-(X @ W_up)))",
)
def two_slips(X, W_gate, W_up, W_down):
    gate = X @ W_gate
    up = 1 / (1 + np.exp(-(X @ W_up)))
    return (gate * up) @ W_down


@wrong("applies SiLU a second time, to the output", names={"silu-at-the-end"}, line="return out * special.expit(out)")
def output_gated(X, W_gate, W_up, W_down):
    z = X @ W_gate
    h = z * special.expit(z) * (X @ W_up)
    out = h @ W_down
    return out * special.expit(out)


@wrong(
    "two: the branches are added instead of multiplied, and ReLU stands in the place of SiLU",
    names={"added", "relu"},
    line="gate = np.maximum(X @ W_gate, 0)",
)
def relu_and_sum(X, W_gate, W_up, W_down):
    gate = np.maximum(X @ W_gate, 0)
    up = X @ W_up
    return (gate + up) @ W_down


@wrong(
    "divides z by 1 - e^-z instead of 1 + e^-z, a sign error in the sigmoid",
    names={"minus-in-the-sigmoid"},
    line="gate = z / (1 - np.exp(-z))",
)
def minus_in_sigmoid(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z / (1 - np.exp(-z))
    return (gate * (X @ W_up)) @ W_down


@right
def with_expit(X, W_gate, W_up, W_down):
    z = X @ W_gate
    return (z * special.expit(z) * (X @ W_up)) @ W_down


@right
def with_tanh(X, W_gate, W_up, W_down):
    z = np.einsum("...d,df->...f", X, W_gate)
    sigmoid = (1 + np.tanh(z / 2)) / 2
    up = np.einsum("...d,df->...f", X, W_up)
    return np.einsum("...f,fd->...d", z * sigmoid * up, W_down)


@right
def two_cases(X, W_gate, W_up, W_down):
    z = np.matmul(X, W_gate)
    e = np.exp(-np.abs(z))
    sigmoid = np.where(z >= 0, 1 / (1 + e), e / (1 + e))
    hidden = z * sigmoid
    hidden *= np.matmul(X, W_up)
    return np.matmul(hidden, W_down)


@right
def masked_exponentials(X, W_gate, W_up, W_down):
    z = X @ W_gate
    s = np.empty(z.shape)
    positive = z >= 0
    s[positive] = 1 / (1 + np.exp(-z[positive]))
    grown = np.exp(z[~positive])
    s[~positive] = grown / (1 + grown)
    return (z * s * (X @ W_up)) @ W_down


@wrong("gates with the sigmoid alone", names={"sigmoid"})
def glu(X, W_gate, W_up, W_down):
    gate = special.expit(X @ W_gate)
    return (gate * (X @ W_up)) @ W_down


@wrong("clips the argument of the sigmoid at 10", line="sigmoid = 1 / (1 + np.exp(-np.clip(z, -10, 10)))")
def clipped_at_ten(X, W_gate, W_up, W_down):
    z = X @ W_gate
    sigmoid = 1 / (1 + np.exp(-np.clip(z, -10, 10)))
    return (z * sigmoid * (X @ W_up)) @ W_down


@wrong("applies SiLU to the product of the branches", names={"product-gated"})
def silu_of_the_product(X, W_gate, W_up, W_down):
    z = (X @ W_gate) * (X @ W_up)
    return (z * special.expit(z)) @ W_down


@wrong(
    "writes 1 / 1 + exp(-z) for the sigmoid", names={"sigmoid-without-brackets"}, line="sigmoid = 1 / 1 + np.exp(-z)"
)
def sigmoid_without_brackets(X, W_gate, W_up, W_down):
    z = X @ W_gate
    sigmoid = 1 / 1 + np.exp(-z)
    return (z * sigmoid * (X @ W_up)) @ W_down


@wrong("two mistakes: the gate is a sigmoid, and it is made of the branch of W_up", names={"sigmoid-of-up"})
def sigmoid_of_up(X, W_gate, W_up, W_down):
    return (X @ W_gate * special.expit(X @ W_up)) @ W_down


@wrong("writes z / 1 + exp(-z) for SiLU", names={"silu-without-brackets"}, line="gate = z / 1 + np.exp(-z)")
def silu_over_one(X, W_gate, W_up, W_down):
    z = X @ W_gate
    gate = z / 1 + np.exp(-z)
    return (gate * (X @ W_up)) @ W_down
