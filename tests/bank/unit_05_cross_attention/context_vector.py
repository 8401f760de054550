"""Functions that learners wrote for `context_vector`, each with what is truly wrong with it."""

import math

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong("forgets to divide the scores by the root of d_k", names={"not-scaled"}, line="scores = keys @ query")
def unscaled(query, keys, values):
    scores = keys @ query
    weights = reference.softmax(scores)
    context = weights @ values
    return context, weights


@wrong(
    "divides by the root of the number of source tokens instead of that of d_k",
    names={"scaled-by-length"},
    line="d_k = len(keys)",
)
def root_of_tokens(query, keys, values):
    d_k = len(keys)
    scores = keys @ query / np.sqrt(d_k)
    weights = reference.softmax(scores)
    return weights @ values, weights


@wrong(
    "divides by the root of the width of the values instead of that of query and keys",
    names={"scaled-by-values"},
    line="scores = keys @ query / np.sqrt(values.shape[1])",
)
def root_of_d_v(query, keys, values):
    scores = keys @ query / np.sqrt(values.shape[1])
    weights = reference.softmax(scores)
    return weights @ values, weights


@wrong("divides by d_k instead of its square root", names={"no-root"}, line="scores = np.dot(keys, query) / d_k")
def no_root(query, keys, values):
    d_k = query.shape[0]
    scores = np.dot(keys, query) / d_k
    weights = reference.softmax(scores)
    context = np.dot(weights, values)
    return context, weights


@wrong(
    "hard-codes the divisor 2 of the example instead of the root of d_k",
    names={"always-2"},
    line="scores = keys @ query / 2",
)
def divisor_of_the_example(query, keys, values):
    scores = keys @ query / 2
    weights = reference.softmax(scores)
    context = (weights[:, None] * values).sum(axis=0)
    return context, weights


@wrong("sums the keys instead of the values", names={"averages-keys"}, line="context = weights @ keys")
def sums_keys(query, keys, values):
    scores = keys @ query / np.sqrt(len(query))
    weights = reference.softmax(scores)
    context = weights @ keys
    return context, weights


@wrong("returns weights and context in the wrong order", names={"results-exchanged"}, line="return weights, context")
def weights_first(query, keys, values):
    scores = keys @ query / math.sqrt(query.shape[-1])
    weights = reference.softmax(scores)
    context = weights @ values
    return weights, context


@wrong("returns only the context, without the weights", line="return weights @ values")
def only_context(query, keys, values):
    scores = (keys * query).sum(axis=1) / np.sqrt(keys.shape[1])
    weights = reference.softmax(scores)
    return weights @ values


@wrong(
    "weights the values but does not sum them: the context is one row per source token",
    names={"not-summed"},
    line="context = weights[:, None] * values",
)
def not_summed(query, keys, values):
    scores = keys @ query / np.sqrt(keys.shape[-1])
    weights = reference.softmax(scores)
    context = weights[:, None] * values
    return context, weights


@wrong(
    "averages the weighted values instead of summing them: divides by the number of source tokens once more",
    names={"mean-not-sum"},
    line="context = (weights[:, np.newaxis] * values).mean(axis=0)",
)
def mean_instead_of_sum(query, keys, values):
    scores = keys @ query / np.sqrt(keys.shape[-1])
    weights = reference.softmax(scores)
    context = (weights[:, np.newaxis] * values).mean(axis=0)
    return context, weights


@wrong(
    "sums the weighted values over their columns instead of over the source tokens",
    names={"over-columns"},
    line="context = np.sum(weights[:, None] * values, axis=1)",
)
def sums_the_columns(query, keys, values):
    scores = keys @ query / np.sqrt(len(query))
    weights = reference.softmax(scores)
    context = np.sum(weights[:, None] * values, axis=1)
    return context, weights


@wrong(
    "keeps an axis for queries: context and weights have the shapes (1, d_v) and (1, n)",
    names={"axis-kept"},
    line="return reference.masked_attention(Q, keys, values)",
)
def keeps_the_axis(query, keys, values):
    Q = query[None, :]
    return reference.masked_attention(Q, keys, values)


@wrong(
    "takes only the value of the best key instead of the weighted sum",
    names={"best-only", "scaled_dot_product_attention/best-key-only"},
    line="context = values[np.argmax(weights)]",
)
def only_the_best(query, keys, values):
    scores = keys @ query / np.sqrt(len(query))
    weights = reference.softmax(scores)
    context = values[np.argmax(weights)]
    return context, weights


@wrong(
    "takes exponentials of unshifted scores, which overflow for large ones",
    names={"overflow"},
    line="e = np.exp(scores)",
)
def own_unsafe_softmax(query, keys, values):
    scores = keys.dot(query) / np.sqrt(query.size)
    e = np.exp(scores)
    weights = e / e.sum()
    context = weights.dot(values)
    return context, weights


@wrong(
    "divides the scores by their sum instead of taking the softmax",
    names={"no-exponentials"},
    line="weights = scores / scores.sum()",
)
def shares_without_exponentials(query, keys, values):
    scores = keys @ query / np.sqrt(query.shape[0])
    weights = scores / scores.sum()
    context = weights @ values
    return context, weights


@wrong(
    "multiplies the transposed keys with the query, which sums over the tokens and raises unless n equals d_k",
    names={"keys-transposed"},
    line="scores = keys.T @ query / np.sqrt(d_k)",
)
def transposed_keys(query, keys, values):
    d_k = query.shape[0]
    scores = keys.T @ query / np.sqrt(d_k)
    weights = reference.softmax(scores)
    return weights @ values, weights


@wrong(
    "returns the scores instead of the weights as its second result",
    names={"scaled_dot_product_attention/returns-scores", "scores-returned"},
    line="return context, scores",
)
def returns_scores(query, keys, values):
    scores = keys @ query / np.sqrt(query.shape[0])
    weights = reference.softmax(scores)
    context = weights @ values
    return context, scores


@wrong(
    "multiplies by the root of d_k instead of dividing by it",
    names={"scaled_dot_product_attention/multiplies", "times-root"},
    line="scores = keys @ query * np.sqrt(len(query))",
)
def times_the_root(query, keys, values):
    scores = keys @ query * np.sqrt(len(query))
    weights = reference.softmax(scores, axis=-1)
    context = weights @ values
    return context, weights


@wrong(
    "divides after the softmax instead of before it, so the weights do not sum to 1",
    names={"scaled-after-softmax"},
    line="weights = reference.softmax(keys @ query) / np.sqrt(query.shape[0])",
)
def scale_after_softmax(query, keys, values):
    weights = reference.softmax(keys @ query) / np.sqrt(query.shape[0])
    context = weights @ values
    return context, weights


@wrong(
    "two: forgets the division by the root of d_k, and returns weights and context in the wrong order",
    names={"not-scaled", "results-exchanged"},
    line="s = np.array([np.dot(query, k) for k in keys])",
)
def unscaled_and_swapped(query, keys, values):
    s = np.array([np.dot(query, k) for k in keys])
    a = reference.softmax(s)
    c = sum(a_j * v_j for a_j, v_j in zip(a, values))
    return a, c


@wrong(
    "two: compares the query with the values instead of the keys, and sums the keys instead of the values",
    names={"averages-keys"},
    line="scores = values @ query / np.sqrt(query.shape[0])",
)
def keys_and_values_exchanged(query, keys, values):
    scores = values @ query / np.sqrt(query.shape[0])
    weights = reference.softmax(scores)
    context = weights @ keys
    return context, weights


@wrong("its loop leaves out the last source token when it sums the values", line="for j in range(n - 1):")
def last_token_missing(query, keys, values):
    n, d_k = keys.shape
    weights = reference.softmax(keys @ query / np.sqrt(d_k))
    context = np.zeros(values.shape[1])
    for j in range(n - 1):
        context += weights[j] * values[j]
    return context, weights


@wrong(
    "compares by distance instead of the scaled dot product: a key gets the more weight the nearer it is to the query",
    line="distances = np.sqrt(((keys - query) ** 2).sum(axis=1))",
)
def nearest_key(query, keys, values):
    distances = np.sqrt(((keys - query) ** 2).sum(axis=1))
    weights = reference.softmax(-distances)
    context = weights @ values
    return context, weights


@right
def two_products(query, keys, values):
    scores = keys @ query / np.sqrt(query.shape[-1])
    weights = reference.softmax(scores)
    return weights @ values, weights


@right
def token_by_token(query, keys, values):
    scores = np.array([np.dot(query, key) / math.sqrt(len(query)) for key in keys])
    weights = reference.softmax(scores)
    context = np.zeros(values.shape[1])
    for share, value in zip(weights, values):
        context = context + share * value
    return context, weights


@right
def attention_of_one_query(query, keys, values):
    output, weights = reference.masked_attention(query[None], keys, values)
    return output[0], weights[0]


@right
def with_einsum(query, keys, values):
    s = np.einsum("d,jd->j", query, keys) * query.size**-0.5
    e = np.exp(s - s.max())
    a = e / e.sum()
    return np.einsum("j,jd->d", a, values), a


@wrong(
    "divides by the root of the number of keys",
    names={"scaled-by-length"},
    line="scores = keys @ query / np.sqrt(len(keys))",
)
def root_of_n(query, keys, values):
    scores = keys @ query / np.sqrt(len(keys))
    weights = softmax(scores)
    return weights @ values, weights


@wrong("returns the weights as a column")
def weights_as_column(query, keys, values):
    weights = softmax(keys @ query / np.sqrt(len(query)))[:, None]
    context = (weights * values).sum(axis=0)
    return context, weights


@wrong(
    "takes the mean of the weighted values instead of their sum",
    names={"mean-not-sum"},
    line="context = np.mean(weights[:, None] * values, axis=0)",
)
def mean_for_sum(query, keys, values):
    weights = softmax(keys @ query / np.sqrt(keys.shape[-1]))
    context = np.mean(weights[:, None] * values, axis=0)
    return context, weights
