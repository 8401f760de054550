"""Specification of `softmax_jacobian`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient

COUPLED = "Every weight depends on every score"
LARGE = "Numbers too large to exponentiate"
CHAIN = "The divisor and the chain rule"

EXERCISE = Exercise(
    reference=reference.softmax_jacobian,
    asks="return the matrix of derivatives of the weights softmax(s / C) with respect to the numbers in s.",
    returns=(Output("J", "(n, n)"),),
    lookalike=lookalikes.SOFTMAX_JACOBIAN,
)


def _require_zero_sums(call, s, *C):
    """Require a Jacobian's signs and sums, and return it."""
    J = call.is_array(call(s, *C), (len(s), len(s)), name="J")
    call.holds(np.isfinite(J).all(), f"for scores near {s[0]:.4g}, {np.sum(~np.isfinite(J))} entries are not finite.")
    call.holds((np.diag(J) > 0).all(), "raising a score raises its own weight, but the diagonal is not positive.")
    turned = call.is_array(call(s[::-1], *C), J.shape, name="J")[::-1, ::-1]
    same = np.ptp(np.diag(J)) > 0 and np.allclose(turned, J, atol=bound_for(1e-9, J, turned))
    call.holds(same, "scores in the reverse order have the Jacobian with its rows and columns in the reverse order.")
    for axis, name in ((1, "row"), (0, "column")):
        largest = np.abs(J.sum(axis=axis)).max()
        text = f"every {name} should sum to 0; one of yours sums to {largest:.6g} in size."
        call.holds(largest < J.max() * bound_for(1e-9, J / J.max()), text)
    return J


@EXERCISE.claim(0.5)
def without_divisor(call, rng):
    """is the Jacobian of the softmax at C = 1"""
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand, in 64ths: 7 -2 -5 / -2 12 -10 / -5 -10 15
    call.agrees(rng.standard_normal(5))
    call.agrees(np.array([2, 0, 1, 1]))
    call.agrees(rng.standard_normal(1))  # a single weight, which is always 1


@EXERCISE.claim(0.5)
def sums(call, rng):
    """rows and columns sum to 0, however large the scores"""
    s = rng.standard_normal(5)
    J = _require_zero_sums(call, s)
    for shift in (1000.0, -1000.0):
        moved = np.abs(_require_zero_sums(call, s + shift) - J).max()
        unmoved = moved < bound_for(1e-9, J, s + shift)
        call.holds(unmoved, f"adding {shift:g} to every score changes no weight, but J moved by {moved:.3g}.")


@EXERCISE.claim(0.75)
def with_divisor(call, rng):
    """is the derivative with respect to s for any divisor C"""
    s, C = rng.standard_normal(7), 2.5
    J = call.is_array(call(s, C), (7, 7), name="J")
    slopes = numerical_gradient(lambda s: reference.softmax(s / C), s)
    i, j = np.unravel_index(np.abs(J - slopes).argmax(), J.shape)
    call.holds(
        np.allclose(J, slopes, rtol=1e-6, atol=bound_for(1e-8, J)),
        f"moving s[{j}] a little changes weight {i} of softmax(s / {C}) at the rate {slopes[i, j]:.6g} "
        f"(central difference); your entry [{i}, {j}] is {J[i, j]:.6g}.",
    )
    call.agrees(s, C=math.sqrt(3))


@EXERCISE.claim(0.25, side=True)
def leaves_input_alone(call, rng):
    """leaves its input alone"""
    s = rng.standard_normal(5)
    call.leaves_inputs_alone(s, 2.0)
    with presupposed():
        _require_zero_sums(call, s, 2.0)


wrong = WrongAnswers(EXERCISE, globals())


def _jacobian(p):
    return np.diag(p) - np.outer(p, p)


wrong.at(COUPLED)
wrong("diagonal-of-p", {" - np.outer(p, p)": ""}, """
    Your function puts the weights on the diagonal and nothing else.
    That would be the derivative if every weight depended on its own score alone and without bound. All the scores meet
    in the denominator.""")

wrong("sigmoid-vector", {"np.diag(p) - np.outer(p, p)": "p * (1 - p)"}, """
    Your function returns one number per weight, the rule for the sigmoid.
    That is the diagonal of the Jacobian. Raising one score also lowers all the other weights.""")

wrong("sigmoid-diagonal", {"(np.diag(p) - np.outer(p, p)) / C": "np.diag(p * (1 - p) / C)"}, """
    Your function leaves everything off the diagonal at 0.
    The diagonal is right. But the weights share a budget of 1: what one gains the others lose.""")

wrong("one-minus-p-everywhere", {"diag(p) - np.outer(p, p)": "outer(p, 1 - p)"}, """
    Your function uses the diagonal's rule for every pair.
    The entries off the diagonal have another rule, and none of them is positive.""")

wrong("inner-product", {"np.outer(p, p)": "p @ p.T"}, """
    Your function subtracts one number, the product of p with itself, everywhere.
    `p @ p.T` of an array with one axis is a single number: `.T` does nothing there. You need a table of all pairs.""")

wrong("entry-products", {"np.outer(p, p)": "p * p.T"}, """
    Your function subtracts the squares of p from every row.
    `p * p.T` of an array with one axis multiplies entry by entry: `.T` does nothing there. You need a table of all
    pairs.""")

wrong("plus", {" - np": " + np"}, """
    Your function adds the products of pairs instead of subtracting them.
    Raising one score takes weight from the others, so what stands off the diagonal is negative.""")

wrong("sign-reversed", "-softmax_jacobian(s, C)", """
    Your function returns the Jacobian with the opposite sign.
    Raising a score raises its own weight: the diagonal is positive.""")

wrong("identity", {"diag(p)": "eye(len(p))"}, """
    Your function has ones instead of the weights on the diagonal.
    The slope of a weight is proportional to the weight itself. Check: none of your rows sums to 0.""")

wrong.at()
wrong("scores-as-weights", {"softmax(as_float(s) / C)": "s / C"}, """
    Your function mistakes the scores in s for weights.
    The argument holds scores, before the softmax. The derivative is written with the weights, after it.""")

wrong.at(CHAIN)
wrong("no-chain-rule", {"(np.diag(p) - np.outer(p, p)) / C": "_jacobian(p)"}, """
    Your function divides the scores by C and forgets the derivative of that division.
    Moving s by 1 moves s / C by less, and so the weights. You want the derivative with respect to s.""")

wrong("ignores-c", {"(np.diag(p) - np.outer(p, p)) / C": "_jacobian(softmax(s))"}, """
    Your function does not use C.
    C enters twice: in the weights, and through the chain rule.""")

wrong("divides-after-only", {"as_float(s) / C": "s"}, """
    Your function takes the weights without the divisor.
    The factor of the chain rule is there, but the weights are those of softmax(s / C), not of softmax(s).""")

wrong("multiplies-by-c", {"(np.diag(p) - np.outer(p, p)) /": "_jacobian(p) *"}, """
    Your function multiplies by C where the chain rule divides.
    With a large divisor the weights hardly react to s, so the Jacobian must get smaller.""")

wrong("root-of-c", "softmax_jacobian(s, math.sqrt(C))", """
    Your function takes the square root of C.
    C is the divisor itself. The caller passes the square root of d_k.""")

wrong.at(LARGE)
wrong("no-maximum-subtracted", {"softmax(as_float(s) / C)": "np.exp(s / C) / np.exp(s / C).sum()"}, """
    Your function exponentiates the scores as they are.
    exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.""")

wrong.at()


@wrong.function
def in_place(s, C=1.0):
    """Your function divides the caller's scores.
    An operator such as `/=` writes into the array that you were given, and integers cannot even hold the result. A
    plain division makes a new array."""
    s /= C
    return _jacobian(reference.softmax(s)) / C


wrong.at(COUPLED)
wrong("plus-off-the-diagonal",
      {"diag(p) - np.outer(p, p)": "where(np.eye(len(p), dtype=bool), p * (1 - p), np.outer(p, p))"}, """
    Your function has the wrong sign off the diagonal.
    The diagonal is right. But what one weight gains the others lose: off the diagonal every entry is negative.""")

wrong("upper-triangle", "np.triu(softmax_jacobian(s, C))", """
    Your function fills only one half of the matrix.
    The Jacobian of a softmax is symmetric: the numbers below the diagonal are those above it.""")

wrong.at(CHAIN)
wrong("divides-twice", "softmax_jacobian(s, C) / C", """
    Your function divides by the square of C.
    The chain rule through s / C contributes 1 / C, once. That C is also inside the softmax is a separate matter.""")

wrong("multiplies-the-scores", {"as_float(s) /": "s *"}, """
    Your function multiplies the scores by C instead of dividing them.
    The weights are softmax(s / C). A large divisor makes them more equal, not less.""")

wrong("divides-one-term", {"(np.diag(p) - np.outer(p, p))": "np.diag(p) - np.outer(p, p)"}, """
    Your function divides one of the two terms by C, and not the other.
    The factor 1 / C belongs to the whole matrix. A difference needs brackets before it is divided.""")
