"""Functions that learners wrote for `softmax_backward`, each with what is truly wrong with it."""

import numpy as np
from transformer_kit import reference

from tests.bank import right, wrong


@wrong(
    "builds the whole Jacobian, so the memory grows like n squared",
    names={"builds-jacobian"},
    line="J = p_row[:, None] * (np.eye(n) - p_row)",
)
def builds_jacobian(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    n = p.shape[-1]
    out = np.empty(p.shape)
    for place in np.ndindex(p.shape[:-1]):
        p_row = p[place]
        J = p_row[:, None] * (np.eye(n) - p_row)
        out[place] = J @ d_p[place]
    return np.moveaxis(out, -1, axis)


@wrong(
    "two: builds the Jacobian with diag and outer, so the memory grows like n squared, and works for one axis only",
    names={"builds-jacobian", "jacobian-of-one-vector", "one-vector-only"},
    line="J = np.diag(p) - np.outer(p, p)",
)
def jacobian_of_one_row(p, d_p, axis=-1):
    J = np.diag(p) - np.outer(p, p)
    return J.T @ d_p


@wrong("uses the diagonal of the Jacobian only", names={"sigmoid-rule"}, line=None)
def diagonal_only(p, d_p, axis=-1):
    return p * (1 - p) * d_p


@wrong("forgets the second term: it only multiplies by p", names={"diagonal-only"}, line=None)
def first_term_only(p, d_p, axis=-1):
    return p * d_p


@wrong(
    "forgets keepdims, so the sums do not line up with the rows",
    names={"axis-dropped"},
    line="inner = np.sum(p * d_p, axis=axis)",
)
def no_keepdims(p, d_p, axis=-1):
    inner = np.sum(p * d_p, axis=axis)
    return p * (d_p - inner)


@wrong("sums over all entries instead of along the axis", names={"sum-of-everything"}, line="average = np.sum(p * d_p)")
def sum_of_all(p, d_p, axis=-1):
    average = np.sum(p * d_p)
    return p * (d_p - average)


@wrong(
    "ignores the argument axis and always works along the last axis",
    names={"always-last-axis"},
    line="average = (p * d_p).sum(axis=-1, keepdims=True)",
)
def always_last_axis(p, d_p, axis=-1):
    average = (p * d_p).sum(axis=-1, keepdims=True)
    return p * (d_p - average)


@wrong(
    "puts the summed axis back at the end whatever axis is given",
    names={"axis-put-back-last"},
    line="inner = (p * d_p).sum(axis=axis)[..., None]",
)
def axis_back_at_the_end(p, d_p, axis=-1):
    inner = (p * d_p).sum(axis=axis)[..., None]
    out = p * d_p - p * inner
    return out


@wrong("does not multiply by p at the end", names={"not-multiplied"}, line="return d_p - average")
def not_weighted(p, d_p, axis=-1):
    average = np.sum(p * d_p, axis=axis, keepdims=True)
    return d_p - average


@wrong(
    "subtracts the sum of the gradient, not weighted by p",
    names={"sum-without-weights"},
    line="total = d_p.sum(axis=axis, keepdims=True)",
)
def unweighted_sum(p, d_p, axis=-1):
    total = d_p.sum(axis=axis, keepdims=True)
    return p * (d_p - total)


@wrong(
    "subtracts the plain mean of the gradient instead of its average weighted by p",
    names={"mean-of-gradient"},
    line="average = np.mean(d_p, axis=axis, keepdims=True)",
)
def plain_mean(p, d_p, axis=-1):
    average = np.mean(d_p, axis=axis, keepdims=True)
    return p * (d_p - average)


@wrong(
    "divides the weighted sum by n, though the weights sum to 1 already",
    names={"mean-of-products"},
    line="average = np.mean(p * d_p, axis=axis, keepdims=True)",
)
def mean_of_products(p, d_p, axis=-1):
    average = np.mean(p * d_p, axis=axis, keepdims=True)
    return p * (d_p - average)


@wrong(
    "multiplies the sum by d_p instead of by p in the second term",
    names={"roles-exchanged"},
    line="second = d_p * np.sum(p * d_p, axis=axis, keepdims=True)",
)
def second_term_with_gradient(p, d_p, axis=-1):
    first = p * d_p
    second = d_p * np.sum(p * d_p, axis=axis, keepdims=True)
    return first - second


@wrong(
    "multiplies by p twice at the end instead of once", names={"weighted-twice"}, line="return p * p * (d_p - inner)"
)
def p_twice(p, d_p, axis=-1):
    inner = np.sum(p * d_p, axis=axis, keepdims=True)
    return p * p * (d_p - inner)


@wrong("forgets the factor p in the second term", names={"second-term-without-p"}, line=None)
def factor_missing(p, d_p, axis=-1):
    return p * d_p - np.sum(p * d_p, axis=axis, keepdims=True)


@wrong("has the opposite sign", names={"opposite-sign"}, line="return p * (average - d_p)")
def opposite_sign(p, d_p, axis=-1):
    average = np.sum(p * d_p, axis=axis, keepdims=True)
    return p * (average - d_p)


@wrong("adds the second term instead of subtracting it", names={"plus"}, line="return p * d_p + p * inner")
def plus_second_term(p, d_p, axis=-1):
    inner = np.sum(p * d_p, axis=axis, keepdims=True)
    return p * d_p + p * inner


@wrong(
    "applies the softmax to p once more, though p is its result already",
    names={"softmax-again"},
    line="p = reference.softmax(p, axis=axis)",
)
def softmax_again(p, d_p, axis=-1):
    p = reference.softmax(p, axis=axis)
    average = np.sum(p * d_p, axis=axis, keepdims=True)
    return p * (d_p - average)


@wrong("uses p @ d_p, which is right for one axis only", names={"one-vector-only"}, line="average = p @ d_p")
def one_axis_only(p, d_p, axis=-1):
    average = p @ d_p
    return p * (d_p - average)


@wrong(
    "squares p in the sum instead of multiplying p by d_p",
    names={"squares-of-p"},
    line="norm = np.sum(p**2, axis=axis, keepdims=True)",
)
def sum_of_squares(p, d_p, axis=-1):
    norm = np.sum(p**2, axis=axis, keepdims=True)
    return p * (d_p - norm)


@wrong(
    "two: divides d_p by p instead of multiplying, and subtracts the plain sum of d_p instead of p times the weighted "
    "sum",
    names={"sum-without-weights"},
    line=None,
)
def of_logarithm(p, d_p, axis=-1):
    return d_p / p - np.sum(d_p, axis=axis, keepdims=True)


@wrong(
    "subtracts the product of each entry from itself instead of the sum over the row", names={"sigmoid-rule"}, line=None
)
def no_sum(p, d_p, axis=-1):
    return p * (d_p - p * d_p)


@wrong(
    "two: ignores the argument axis and always works along the last axis, and does not multiply by p at the end",
    names={"always-last-axis", "not-multiplied"},
    line="average = (d_p * p).sum(-1, keepdims=True)",
)
def last_axis_not_weighted(p, d_p, axis=-1):
    average = (d_p * p).sum(-1, keepdims=True)
    return d_p - average


@wrong(
    "two: sums over all entries instead of along the axis, and has the opposite sign",
    names={"opposite-sign", "sum-of-everything"},
    line="total = (p * d_p).sum()",
)
def sum_of_all_and_sign(p, d_p, axis=-1):
    total = (p * d_p).sum()
    out = p * total - p * d_p
    return out


@wrong("normalises the gradient with a softmax instead of going back through it", line=None)
def softmax_of_gradient(p, d_p, axis=-1):
    return reference.softmax(d_p, axis=axis)


@right
def average_subtracted(p, d_p, axis=-1):
    average = np.sum(p * d_p, axis=axis, keepdims=True)
    return p * (d_p - average)


@right
def two_terms(p, d_p, axis=-1):
    weighted = p * d_p
    return weighted - p * weighted.sum(axis=axis, keepdims=True)


@right
def axis_moved(p, d_p, axis=-1):
    p_last = np.moveaxis(p, axis, -1)
    d_last = np.moveaxis(d_p, axis, -1)
    inner = np.einsum("...i,...i->...", p_last, d_last)[..., None]
    return np.moveaxis(p_last * (d_last - inner), -1, axis)


@right
def row_by_row(p, d_p, axis=-1):
    p_last, d_last = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    out = np.zeros(p_last.shape)
    for place in np.ndindex(p_last.shape[:-1]):
        out[place] = p_last[place] * (d_last[place] - p_last[place] @ d_last[place])
    return np.moveaxis(out, -1, axis)
