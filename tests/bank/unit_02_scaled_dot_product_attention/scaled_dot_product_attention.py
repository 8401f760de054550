"""Functions that learners wrote for `scaled_dot_product_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import attention_scores, softmax


@wrong("returns weights and output in the wrong order", names={"weights-first"}, line="return weights, output")
def wrong_order(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores)
    output = weights @ V
    return weights, output


@wrong(
    "takes the softmax over the queries instead of over the keys",
    names={"softmax-over-queries"},
    line="weights = reference.softmax(scores, axis=-2)",
)
def over_queries(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores, axis=-2)
    return weights @ V, weights


@wrong(
    "takes the softmax along the first axis instead of the last",
    names={"softmax-over-axis-0"},
    line="weights = reference.softmax(scores, axis=0)",
)
def along_first_axis(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores, axis=0)
    output = np.matmul(weights, V)
    return output, weights


@wrong(
    "multiplies the values by the transposed weights",
    names={"weights-transposed"},
    line="output = np.swapaxes(weights, -1, -2) @ V",
)
def transposed_weights(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K))
    output = np.swapaxes(weights, -1, -2) @ V
    return output, weights


@wrong(
    "does not divide the scores by the square root of d_k",
    names={"not-scaled"},
    line="scores = Q @ np.swapaxes(K, -1, -2)",
)
def unscaled(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2)
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong("returns the output only and not the weights", names={"output-only"}, line="return weights @ V")
def only_output(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K), axis=-1)
    return weights @ V


@wrong(
    "forgets the softmax: the raw scores are used as weights",
    names={"no-softmax"},
    line="weights = reference.attention_scores(Q, K)",
)
def no_softmax(Q, K, V):
    weights = reference.attention_scores(Q, K)
    output = weights @ V
    return output, weights


@wrong(
    "returns the scores instead of the weights as its second result",
    names={"returns-scores"},
    line="return output, scores",
)
def scores_returned(Q, K, V):
    scores = reference.attention_scores(Q, K)
    output = reference.softmax(scores) @ V
    return output, scores


@wrong(
    "applies the softmax to the product of scores and values instead of to the scores",
    names={"softmax-of-the-output"},
    line="output = reference.softmax(scores @ V)",
)
def softmax_at_the_end(Q, K, V):
    scores = reference.attention_scores(Q, K)
    output = reference.softmax(scores @ V)
    weights = reference.softmax(scores)
    return output, weights


@wrong("averages the keys instead of the values", names={"averages-keys"}, line="output = weights @ K")
def averages_keys(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K))
    output = weights @ K
    return output, weights


@wrong("multiplies weights and values entry by entry instead of as matrices", line="return weights * V, weights")
def star(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores)
    return weights * V, weights


@wrong(
    "has queries and keys swapped in the call of attention_scores",
    names={"attention_scores/keys-by-queries", "keys-ask"},
    line="scores = reference.attention_scores(K, Q)",
)
def swapped_arguments(Q, K, V):
    scores = reference.attention_scores(K, Q)
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong(
    "compares the queries with the values instead of the keys",
    names={"values-as-keys"},
    line="scores = reference.attention_scores(Q, V)",
)
def values_for_keys(Q, K, V):
    scores = reference.attention_scores(Q, V)
    weights = reference.softmax(scores)
    output = weights @ V
    return output, weights


@wrong(
    "divides by the square root of d_k a second time",
    names={"divides-by-d-k"},
    line="scores = reference.attention_scores(Q, K) / np.sqrt(d_k)",
)
def scaled_twice(Q, K, V):
    d_k = Q.shape[-1]
    scores = reference.attention_scores(Q, K) / np.sqrt(d_k)
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong(
    "divides by the square root of d_k after the softmax instead of before it",
    names={"scales-weights"},
    line="weights = reference.softmax(Q @ np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])",
)
def scaled_after_softmax(Q, K, V):
    weights = reference.softmax(Q @ np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])
    output = weights @ V
    return output, weights


@wrong(
    "scales by the width of the values instead of that of the queries", names={"root-of-d-v"}, line="d_k = V.shape[-1]"
)
def width_of_values(Q, K, V):
    d_k = V.shape[-1]
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(d_k)
    weights = reference.softmax(scores)
    return np.einsum("...qk,...kd->...qd", weights, V), weights


@wrong(
    "normalises with the sum over all queries and keys, so all weights together sum to 1 and not those of each query",
    names={"softmax-over-everything"},
    line="weights = e / e.sum(axis=(-1, -2), keepdims=True)",
)
def one_budget_for_all(Q, K, V):
    scores = reference.attention_scores(Q, K)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=(-1, -2), keepdims=True)
    return weights @ V, weights


@wrong(
    "has a softmax of its own without subtracting the maximum, so large scores overflow to NaN",
    names={"no-maximum-subtracted"},
    line="weights = np.exp(scores)",
)
def own_softmax_overflows(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong(
    "lets every query see only the keys up to its own place, a mask that nobody asked for",
    line="scores = np.where(allowed, scores, -np.inf)",
)
def causal(Q, K, V):
    scores = reference.attention_scores(Q, K)
    allowed = np.tri(*scores.shape[-2:], dtype=bool)
    scores = np.where(allowed, scores, -np.inf)
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong(
    "takes the value of the best key alone instead of the average of all values",
    names={"best-key-only"},
    line="best = weights.argmax(axis=-1)",
)
def best_key_only(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K))
    best = weights.argmax(axis=-1)
    output = np.take_along_axis(V, best[..., None], axis=-2)
    return output, weights


@wrong(
    "works without leading axes only, because .T reverses all axes of K",
    names={"transposes-everything"},
    line="scores = Q @ K.T / np.sqrt(K.shape[-1])",
)
def dot_t(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong(
    "divides the output by the number of keys, though the weights sum to 1 already",
    names={"divided-by-n-keys"},
    line="output = weights @ V / K.shape[-2]",
)
def divided_by_keys(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K))
    output = weights @ V / K.shape[-2]
    return output, weights


@wrong("applies the softmax twice", names={"softmax-twice"}, line="weights = reference.softmax(weights)")
def softmax_twice(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K))
    weights = reference.softmax(weights)
    return weights @ V, weights


@wrong(
    "two: takes the softmax over the queries instead of the keys, and does not scale the scores",
    names={"softmax-over-queries", "not-scaled"},
    line="scores = Q @ np.swapaxes(K, -1, -2)",
)
def over_queries_unscaled(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2)
    weights = reference.softmax(scores, axis=-2)
    return weights @ V, weights


@wrong(
    "two: averages the keys instead of the values, and returns the scores instead of the weights",
    names={"averages-keys", "returns-scores"},
    line="output = reference.softmax(scores) @ K",
)
def keys_and_scores(Q, K, V):
    scores = reference.attention_scores(Q, K)
    output = reference.softmax(scores) @ K
    return output, scores


@wrong(
    "gives every key the same weight, whatever the queries are",
    names={"equal-weights"},
    line="weights = np.ones(scores.shape) / scores.shape[-1]",
)
def equal_weights(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = np.ones(scores.shape) / scores.shape[-1]
    return weights @ V, weights


@wrong(
    "two: does not divide the scores by the square root of d_k, and returns weights and output in the wrong order",
    names={"not-scaled", "weights-first"},
    line='scores = np.einsum("...qd,...kd->...qk", Q, K)',
)
def unscaled_wrong_order(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    weights = reference.softmax(scores)
    output = weights @ V
    return weights, output


@right
def with_helpers(Q, K, V):
    weights = reference.softmax(reference.attention_scores(Q, K), axis=-1)
    return weights @ V, weights


@right
def with_einsum(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    scores -= scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    weights = e / e.sum(axis=-1, keepdims=True)
    output = np.einsum("...qk,...kv->...qv", weights, V)
    return output, weights


@right
def query_by_query(Q, K, V):
    outputs, shares = [], []
    for i in range(Q.shape[-2]):
        scores = reference.attention_scores(Q[..., i : i + 1, :], K)
        p = reference.softmax(scores)
        shares.append(p)
        outputs.append(np.matmul(p, V))
    return np.concatenate(outputs, axis=-2), np.concatenate(shares, axis=-2)


@right
def weighted_sum(Q, K, V):
    d_k = Q.shape[-1]
    scores = np.matmul(Q, np.swapaxes(K, -2, -1)) / d_k**0.5
    A = reference.softmax(scores)
    output = (A[..., None] * V[..., None, :, :]).sum(axis=-2)
    return output, A


@wrong("takes the value of the best key instead of an average", names={"best-key-only"})
def hard_choice(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    best = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, best[..., None], axis=-2), weights


@wrong("rounds the weights to three digits", line="weights = np.round(softmax(attention_scores(Q, K)), 3)")
def rounded(Q, K, V):
    weights = np.round(softmax(attention_scores(Q, K)), 3)
    return weights @ V, weights


@wrong("scales the caller's queries in place", names={"in-place"})
def scales_in_place(Q, K, V):
    Q /= np.sqrt(Q.shape[-1])
    weights = softmax(Q @ np.swapaxes(K, -1, -2))
    return weights @ V, weights
