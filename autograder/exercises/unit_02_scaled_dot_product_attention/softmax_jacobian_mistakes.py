"""The known mistakes of `softmax_jacobian`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

MAIN = "Exercise 2.4: softmax_jacobian"
COUPLED = "Every weight depends on every score"
LARGE = "Numbers too large to exponentiate"
CHAIN = "The divisor and the chain rule"


def _jacobian(p):
    return np.diag(p) - np.outer(p, p)


def _diagonal_of_p(s, C=1.0):
    return np.diag(reference.softmax(s / C)) / C


def _sigmoid_vector(s, C=1.0):
    p = reference.softmax(s / C)
    return p * (1 - p) / C


def _sigmoid_diagonal(s, C=1.0):
    return np.diag(_sigmoid_vector(s, C))


def _all_pairs_p_one_minus_p(s, C=1.0):
    p = reference.softmax(s / C)
    return np.outer(p, 1 - p) / C


def _inner_product(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.diag(p) - p @ p.T) / C


def _entry_products(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.diag(p) - p * p.T) / C


def _plus(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.diag(p) + np.outer(p, p)) / C


def _sign_reversed(s, C=1.0):
    return -reference.softmax_jacobian(s, C)


def _identity(s, C=1.0):
    p = reference.softmax(s / C)
    return (np.eye(len(p)) - np.outer(p, p)) / C


def _scores_as_weights(s, C=1.0):
    return _jacobian(s / C) / C


def _no_chain_rule(s, C=1.0):
    return _jacobian(reference.softmax(s / C))


def _ignores_C(s, C=1.0):
    return _jacobian(reference.softmax(s))


def _divides_after_only(s, C=1.0):
    return _jacobian(reference.softmax(s)) / C


def _multiplies_by_C(s, C=1.0):
    return _jacobian(reference.softmax(s / C)) * C


def _root_of_C(s, C=1.0):
    return reference.softmax_jacobian(s, math.sqrt(C))


def _no_maximum_subtracted(s, C=1.0):
    e = np.exp(s / C)
    return _jacobian(e / e.sum()) / C


def _in_place(s, C=1.0):
    s /= C
    return _jacobian(reference.softmax(s)) / C


MISTAKES = (
    Mistake(
        "diagonal-of-p",
        "Your function puts the weights on the diagonal and nothing else",
        _diagonal_of_p,
        "That would be the derivative if every weight depended on its own score alone and without bound. "
        "All the scores meet in the sum below the fraction line.",
        COUPLED,
    ),
    Mistake(
        "sigmoid-vector",
        "Your function returns one number per weight, the rule for the sigmoid",
        _sigmoid_vector,
        "That is the diagonal of the Jacobian. Raising one score also lowers all the other weights.",
        COUPLED,
    ),
    Mistake(
        "sigmoid-diagonal",
        "Your function leaves everything beside the diagonal at 0",
        _sigmoid_diagonal,
        "The diagonal is right. But the weights share a budget of 1: what one gains the others lose.",
        COUPLED,
    ),
    Mistake(
        "one-minus-p-everywhere",
        "Your function uses the diagonal's rule for every pair",
        _all_pairs_p_one_minus_p,
        "The entries beside the diagonal have another rule, and none of them is positive.",
        COUPLED,
    ),
    Mistake(
        "inner-product",
        "Your function subtracts one number, the product of p with itself, everywhere",
        _inner_product,
        "`p @ p.T` of an array with one axis is a single number: `.T` does nothing there. "
        "A table of all pairs is wanted.",
        COUPLED,
    ),
    Mistake(
        "entry-products",
        "Your function subtracts the squares of p from every row",
        _entry_products,
        "`p * p.T` of an array with one axis multiplies equal places: `.T` does nothing there. "
        "A table of all pairs is wanted.",
        COUPLED,
    ),
    Mistake(
        "plus",
        "Your function adds the products of pairs where it should subtract them",
        _plus,
        "Raising one score takes weight from the others, so what stands beside the diagonal is negative.",
        COUPLED,
    ),
    Mistake(
        "sign-reversed",
        "Your function returns the Jacobian with the opposite sign",
        _sign_reversed,
        "Raising a score raises its own weight: the diagonal is positive.",
        COUPLED,
    ),
    Mistake(
        "identity",
        "Your function has ones in place of the weights on the diagonal",
        _identity,
        "The slope of a weight is in proportion to the weight itself. Check: no row of yours sums to 0.",
        COUPLED,
    ),
    Mistake(
        "scores-as-weights",
        "Your function takes the numbers in s for weights",
        _scores_as_weights,
        "The argument holds scores, before the softmax. The derivative is written with the weights, after it.",
        MAIN,
    ),
    Mistake(
        "no-chain-rule",
        "Your function divides the scores by C and forgets the derivative of that division",
        _no_chain_rule,
        "Moving s by 1 moves s / C by less, and so the weights. The derivative is asked for with respect to s.",
        CHAIN,
    ),
    Mistake(
        "ignores-c",
        "Your function does not use C",
        _ignores_C,
        "C enters twice: in the weights, and through the chain rule.",
        CHAIN,
    ),
    Mistake(
        "divides-after-only",
        "Your function takes the weights without the divisor",
        _divides_after_only,
        "The factor of the chain rule is there, but the weights are those of softmax(s / C), not of softmax(s).",
        CHAIN,
    ),
    Mistake(
        "multiplies-by-c",
        "Your function multiplies by C where the chain rule divides",
        _multiplies_by_C,
        "With a large divisor the weights hardly react to s, so the Jacobian must get smaller.",
        CHAIN,
    ),
    Mistake(
        "root-of-c",
        "Your function takes the square root of C",
        _root_of_C,
        "C is the divisor itself. Whoever calls the function passes the square root of d_k.",
        CHAIN,
    ),
    Mistake(
        "no-maximum-subtracted",
        "Your function exponentiates the scores as they are",
        _no_maximum_subtracted,
        "exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.",
        LARGE,
    ),
    Mistake(
        "in-place",
        "Your function divides the caller's scores",
        _in_place,
        "`/=` writes into the array that you were given, and integers cannot even hold the result. "
        "A plain division makes a new array.",
        MAIN,
    ),
)
