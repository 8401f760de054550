"""The known mistakes of `softmax_jacobian`."""

import math

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN = "Exercise 2.4: softmax_jacobian"
COUPLED = "Every weight depends on every score"
LARGE = "Numbers too large to exponentiate"
CHAIN = "The divisor and the chain rule"

MISTAKES = KnownMistakes()


def _jacobian(p):
    return np.diag(p) - np.outer(p, p)


@MISTAKES.add(where=COUPLED)
def diagonal_of_p(s, C=1.0):
    """Your function puts the weights on the diagonal and nothing else.

    That would be the derivative if every weight depended on its own score alone and without bound. All the scores meet
    in the denominator.
    """
    return np.diag(reference.softmax(s / C)) / C


@MISTAKES.add(where=COUPLED)
def sigmoid_vector(s, C=1.0):
    """Your function returns one number per weight, the rule for the sigmoid.

    That is the diagonal of the Jacobian. Raising one score also lowers all the other weights.
    """
    p = reference.softmax(s / C)
    return p * (1 - p) / C


@MISTAKES.add(where=COUPLED)
def sigmoid_diagonal(s, C=1.0):
    """Your function leaves everything off the diagonal at 0.

    The diagonal is right. But the weights share a budget of 1: what one gains the others lose.
    """
    return np.diag(sigmoid_vector(s, C))


@MISTAKES.add(where=COUPLED)
def one_minus_p_everywhere(s, C=1.0):
    """Your function uses the diagonal's rule for every pair.

    The entries off the diagonal have another rule, and none of them is positive.
    """
    p = reference.softmax(s / C)
    return np.outer(p, 1 - p) / C


@MISTAKES.add(where=COUPLED)
def inner_product(s, C=1.0):
    """Your function subtracts one number, the product of p with itself, everywhere.

    `p @ p.T` of an array with one axis is a single number: `.T` does nothing there. You need a table of all pairs.
    """
    p = reference.softmax(s / C)
    return (np.diag(p) - p @ p.T) / C


@MISTAKES.add(where=COUPLED)
def entry_products(s, C=1.0):
    """Your function subtracts the squares of p from every row.

    `p * p.T` of an array with one axis multiplies entry by entry: `.T` does nothing there. You need a table of all
    pairs.
    """
    p = reference.softmax(s / C)
    return (np.diag(p) - p * p.T) / C


@MISTAKES.add(where=COUPLED)
def plus(s, C=1.0):
    """Your function adds the products of pairs instead of subtracting them.

    Raising one score takes weight from the others, so what stands off the diagonal is negative.
    """
    p = reference.softmax(s / C)
    return (np.diag(p) + np.outer(p, p)) / C


@MISTAKES.add(where=COUPLED)
def sign_reversed(s, C=1.0):
    """Your function returns the Jacobian with the opposite sign.

    Raising a score raises its own weight: the diagonal is positive.
    """
    return -reference.softmax_jacobian(s, C)


@MISTAKES.add(where=COUPLED)
def identity(s, C=1.0):
    """Your function has ones instead of the weights on the diagonal.

    The slope of a weight is proportional to the weight itself. Check: none of your rows sums to 0.
    """
    p = reference.softmax(s / C)
    return (np.eye(len(p)) - np.outer(p, p)) / C


@MISTAKES.add(where=MAIN)
def scores_as_weights(s, C=1.0):
    """Your function mistakes the scores in s for weights.

    The argument holds scores, before the softmax. The derivative is written with the weights, after it.
    """
    return _jacobian(s / C) / C


@MISTAKES.add(where=CHAIN)
def no_chain_rule(s, C=1.0):
    """Your function divides the scores by C and forgets the derivative of that division.

    Moving s by 1 moves s / C by less, and so the weights. You want the derivative with respect to s.
    """
    return _jacobian(reference.softmax(s / C))


@MISTAKES.add(where=CHAIN)
def ignores_c(s, C=1.0):
    """Your function does not use C.

    C enters twice: in the weights, and through the chain rule.
    """
    return _jacobian(reference.softmax(s))


@MISTAKES.add(where=CHAIN)
def divides_after_only(s, C=1.0):
    """Your function takes the weights without the divisor.

    The factor of the chain rule is there, but the weights are those of softmax(s / C), not of softmax(s).
    """
    return _jacobian(reference.softmax(s)) / C


@MISTAKES.add(where=CHAIN)
def multiplies_by_c(s, C=1.0):
    """Your function multiplies by C where the chain rule divides.

    With a large divisor the weights hardly react to s, so the Jacobian must get smaller.
    """
    return _jacobian(reference.softmax(s / C)) * C


@MISTAKES.add(where=CHAIN)
def root_of_c(s, C=1.0):
    """Your function takes the square root of C.

    C is the divisor itself. The caller passes the square root of d_k.
    """
    return reference.softmax_jacobian(s, math.sqrt(C))


@MISTAKES.add(where=LARGE)
def no_maximum_subtracted(s, C=1.0):
    """Your function exponentiates the scores as they are.

    exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.
    """
    e = np.exp(s / C)
    return _jacobian(e / e.sum()) / C


@MISTAKES.add(where=MAIN)
def in_place(s, C=1.0):
    """Your function divides the caller's scores.

    `/=` writes into the array that you were given, and integers cannot even hold the result. A plain division makes
    a new array.
    """
    s /= C
    return _jacobian(reference.softmax(s)) / C


@MISTAKES.add(where=COUPLED)
def plus_off_the_diagonal(s, C=1.0):
    """Your function has the wrong sign off the diagonal.

    The diagonal is right. But what one weight gains the others lose: off the diagonal every entry is negative.
    """
    p = reference.softmax(s / C)
    return np.where(np.eye(len(p), dtype=bool), p * (1 - p), np.outer(p, p)) / C


@MISTAKES.add(where=COUPLED)
def upper_triangle(s, C=1.0):
    """Your function fills only one half of the matrix.

    The Jacobian of a softmax is symmetric: the numbers below the diagonal are those above it.
    """
    return np.triu(reference.softmax_jacobian(s, C))


@MISTAKES.add(where=CHAIN)
def divides_twice(s, C=1.0):
    """Your function divides by the square of C.

    The chain rule through s / C contributes 1 / C, once. That C is also inside the softmax is a separate matter.
    """
    return reference.softmax_jacobian(s, C) / C


@MISTAKES.add(where=CHAIN)
def multiplies_the_scores(s, C=1.0):
    """Your function multiplies the scores by C instead of dividing them.

    The weights are softmax(s / C). A large divisor makes them more equal, not less.
    """
    return _jacobian(reference.softmax(s * C)) / C


@MISTAKES.add(where=CHAIN)
def divides_one_term(s, C=1.0):
    """Your function divides one of the two terms by C, and not the other.

    The factor 1 / C belongs to the whole matrix. A difference needs brackets before it is divided.
    """
    p = reference.softmax(s / C)
    return np.diag(p) - np.outer(p, p) / C
