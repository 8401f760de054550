"""Functions that learners wrote for `softmax_jacobian`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong(
    "uses p @ p.T for the outer product, which for one axis is a single number",
    names={"inner-product"},
    line="return (np.diag(p) - p @ p.T) / C",
)
def inner_for_outer(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.diag(p) - p @ p.T) / C


@wrong("forgets the factor 1 / C of the chain rule", names={"no-chain-rule"}, line="return np.diag(p) - np.outer(p, p)")
def no_chain_rule(s, C=1.0):
    p = reference.softmax(s / C)
    return np.diag(p) - np.outer(p, p)


@wrong(
    "does not divide the scores by C before the softmax", names={"divides-after-only"}, line="p = reference.softmax(s)"
)
def scores_not_divided(s, C=1.0):
    p = reference.softmax(s)
    J = np.diag(p) - np.outer(p, p)
    return J / C


@wrong("ignores C altogether", names={"ignores-c"}, line="p = reference.softmax(s)")
def ignores_c(s, C=1.0):
    p = reference.softmax(s)
    J = np.diag(p) - p[:, None] * p[None, :]
    return J


@wrong(
    "multiplies by C at the end instead of dividing",
    names={"multiplies-by-c"},
    line="return C * (np.diag(p) - np.outer(p, p))",
)
def multiplies_by_c(s, C=1.0):
    p = reference.softmax(s / C)
    return C * (np.diag(p) - np.outer(p, p))


@wrong(
    "multiplies the scores by C instead of dividing",
    names={"multiplies-the-scores"},
    line="p = reference.softmax(s * C)",
)
def scores_times_c(s, C=1.0):
    p = reference.softmax(s * C)
    J = np.diag(p) - np.outer(p, p)
    return J / C


@wrong("has the opposite sign everywhere", names={"sign-reversed"}, line="J = np.outer(p, p) - np.diag(p)")
def opposite_sign(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.outer(p, p) - np.diag(p)
    return J / C


@wrong("adds the outer product instead of subtracting it", names={"plus"}, line="J = np.diag(p) + np.outer(p, p)")
def plus_outer(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.diag(p) + np.outer(p, p)
    return J / C


@wrong(
    "gives the diagonal p (1 - p) only: beside it stand zeros",
    names={"sigmoid-diagonal"},
    line="return np.diag(p * (1 - p)) / C",
)
def diagonal_only(s, C=1.0):
    p = reference.softmax(s / C)
    return np.diag(p * (1 - p)) / C


@wrong("returns a vector with p (1 - p), not a matrix", names={"sigmoid-vector"}, line="return p * (1 - p) / C")
def vector(s, C=1.0):
    p = reference.softmax(s / C)
    return p * (1 - p) / C


@wrong(
    "uses p_i (1 - p_j) for all entries, also beside the diagonal",
    names={"one-minus-p-everywhere"},
    line="J[i, j] = p[i] * (1 - p[j]) / C",
)
def one_formula_for_all(s, C=1.0):
    p = reference.softmax(s / C)
    n = len(s)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[j]) / C
    return J


@wrong("has the wrong sign beside the diagonal", names={"plus", "plus-off-the-diagonal"}, line="J[i, j] = p[i] * p[j]")
def plus_beside_diagonal(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            if i == j:
                J[i, j] = p[i] * (1 - p[i])
            else:
                J[i, j] = p[i] * p[j]
    return J / C


@wrong(
    "takes the identity matrix instead of the diagonal matrix of the weights",
    names={"identity"},
    line="J = np.eye(len(p)) - np.outer(p, p)",
)
def identity_for_diagonal(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.eye(len(p)) - np.outer(p, p)
    return J / C


@wrong("uses the scores in place of the weights", names={"scores-as-weights"}, line="x = s / C")
def scores_for_weights(s, C=1.0):
    x = s / C
    return (np.diag(x) - np.outer(x, x)) / C


@wrong("divides by C squared instead of C", names={"divides-twice"}, line="return J / C**2")
def c_squared(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.diag(p) - np.outer(p, p)
    return J / C**2


@wrong("takes the square root of C, though C is the divisor already", names={"root-of-c"}, line="C = np.sqrt(C)")
def root_of_c(s, C=1.0):
    C = np.sqrt(C)
    p = reference.softmax(s / C)
    return (np.diag(p) - np.outer(p, p)) / C


@wrong(
    "divides the outer product only by C, not the diagonal matrix",
    names={"divides-one-term"},
    line="return np.diag(p) - np.outer(p, p) / C",
)
def brackets_missing(s, C=1.0):
    p = reference.softmax(s / C)
    return np.diag(p) - np.outer(p, p) / C


@wrong(
    "fills the upper triangle only: below the diagonal stay zeros",
    names={"upper-triangle"},
    line="for j in range(i, n):",
)
def upper_triangle(s, C=1.0):
    p = reference.softmax(s / C)
    n = s.size
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            delta = 1 if i == j else 0
            J[i, j] = p[i] * (delta - p[j]) / C
    return J


@wrong("has the size 3 of the example hard-coded", line="J = np.zeros((3, 3))")
def size_of_example(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J / C


@wrong(
    "has a softmax of its own without subtracting the maximum, so large scores overflow to NaN",
    names={"no-maximum-subtracted"},
    line="e = np.exp(s / C)",
)
def own_softmax_overflows(s, C=1.0):
    e = np.exp(s / C)
    p = e / e.sum()
    J = np.diag(p) - np.outer(p, p)
    return J / C


@wrong(
    "multiplies the finished matrix by the weights once more, row i by weight i",
    line="J = p[:, None] * (np.diag(p) - np.outer(p, p))",
)
def p_once_more(s, C=1.0):
    p = reference.softmax(s / C)
    J = p[:, None] * (np.diag(p) - np.outer(p, p))
    return J / C


@wrong("approximates the derivative by a difference with the much too large step 0.1", line="h = 0.1")
def coarse_differences(s, C=1.0):
    h = 0.1
    columns = []
    for j in range(len(s)):
        moved = np.array(s, dtype=float)
        moved[j] += h
        columns.append((reference.softmax(moved / C) - reference.softmax(s / C)) / h)
    return np.stack(columns, axis=1)


@wrong("returns the weights themselves instead of their derivatives", line=None)
def no_derivative(s, C=1.0):
    return reference.softmax(s / C)


@wrong(
    "two: uses p @ p for the outer product, which is a single number, and forgets the factor 1 / C",
    names={"inner-product", "no-chain-rule"},
    line="J = np.diag(p) - p @ p",
)
def inner_without_chain_rule(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.diag(p) - p @ p
    return J


@wrong(
    "two: does not divide the scores by C, and has the opposite sign everywhere",
    names={"divides-after-only", "sign-reversed"},
    line="p = reference.softmax(s)",
)
def undivided_and_sign(s, C=1.0):
    p = reference.softmax(s)
    J = np.outer(p, p) - np.diag(p)
    return J / C


@wrong(
    "two: gives the diagonal only, beside it stand zeros, and forgets the factor 1 / C of the chain rule",
    names={"sigmoid-diagonal", "no-chain-rule"},
    line="J[i, i] = p[i] * (1 - p[i])",
)
def diagonal_without_chain_rule(s, C=1.0):
    p = reference.softmax(s / C)
    J = np.zeros((len(s), len(s)))
    for i in range(len(s)):
        J[i, i] = p[i] * (1 - p[i])
    return J


@right
def diag_minus_outer(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.diag(p) - np.outer(p, p)) / C


@right
def two_loops(s, C=1.0):
    p = reference.softmax(np.asarray(s) / C)
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                J[i, i] = p[i] * (1 - p[i]) / C
            else:
                J[i, j] = -p[i] * p[j] / C
    return J


@right
def identity_minus_row(s, C=1.0):
    p = reference.softmax(s / C)
    return p[:, None] * (np.eye(p.size) - p) / C


@right
def outer_then_diagonal(s, C=1.0):
    p = reference.softmax(s / C)
    J = -np.einsum("i,j->ij", p, p)
    J[np.diag_indices(len(p))] += p
    J /= C
    return J


@wrong(
    "subtracts the sum of the squares instead of the outer product",
    names={"inner-product"},
    line="J = np.diag(p) - np.dot(p, p)",
)
def dot_for_outer(s, C=1.0):
    p = softmax(s / C)
    J = np.diag(p) - np.dot(p, p)
    return J / C


@wrong("has the square of its own weight off the diagonal", line="J[i, j] = -p[i] * p[i]")
def own_square(s, C=1.0):
    p = softmax(s / C)
    n = len(p)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                J[i, j] = p[i] * (1 - p[i])
            else:
                J[i, j] = -p[i] * p[i]
    return J / C


@wrong("divides s by C for the diagonal alone")
def two_softmaxes(s, C=1.0):
    p, q = softmax(s / C), softmax(s)
    return (np.diag(p) - np.outer(q, q)) / C
