"""Functions that learners wrote for `masked_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import attention_scores, softmax
from transformer_kit import reference


@wrong(
    "forgets to divide the scores by the root of d_k", names={"not-scaled"}, line="scores = Q @ np.swapaxes(K, -1, -2)"
)
def unscaled(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    weights = reference.masked_softmax(scores, mask)
    output = weights @ V
    return output, weights


@wrong(
    "divides by the root of d_k twice: attention_scores has already done it",
    names={"scaled-twice"},
    line="scores = scores / np.sqrt(d_k)",
)
def scaled_twice(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = reference.attention_scores(Q, K)
    scores = scores / np.sqrt(d_k)
    weights = reference.masked_softmax(scores, mask, axis=-1)
    return weights @ V, weights


@wrong(
    "does not pass the mask on: nothing is hidden",
    names={"mask-ignored"},
    line="weights = reference.softmax(scores, axis=-1)",
)
def mask_unused(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores, axis=-1)
    output = np.matmul(weights, V)
    return output, weights


@wrong(
    "multiplies the weights by the mask after the softmax, so hidden scores stay in the denominator",
    names={"weights-times-mask"},
    line="weights = weights * mask",
)
def mask_on_the_weights(Q, K, V, mask=None):
    weights = reference.softmax(reference.attention_scores(Q, K))
    if mask is not None:
        weights = weights * mask
    output = weights @ V
    return output, weights


@wrong("returns weights and output in the wrong order", names={"results-exchanged"}, line="return weights, output")
def weights_first(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.masked_softmax(scores, mask)
    output = weights @ V
    return weights, output


@wrong("returns only the output, without the weights", names={"output-alone"}, line="return output")
def only_output(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.masked_softmax(scores, mask)
    output = weights @ V
    return output


@wrong(
    "transposes all axes of K with .T, which is wrong (or raises) as soon as there are leading axes",
    names={"all-axes-reversed"},
    line="scores = Q @ K.T / np.sqrt(K.shape[-1])",
)
def full_transpose(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    weights = reference.masked_softmax(scores, mask)
    return weights @ V, weights


@wrong(
    "divides by the root of the width of V instead of that of the keys",
    names={"scaled-by-values"},
    line="d_k = V.shape[-1]",
)
def width_of_values(Q, K, V, mask=None):
    d_k = V.shape[-1]
    scores = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(d_k)
    weights = reference.masked_softmax(scores, mask)
    return np.einsum("...ij,...jd->...id", weights, V), weights


@wrong(
    "takes the softmax along the queries (axis -2) instead of along the keys",
    names={"sum-over-queries"},
    line="weights = reference.masked_softmax(scores, mask, axis=-2)",
)
def columns_sum_to_one(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.masked_softmax(scores, mask, axis=-2)
    return weights @ V, weights


@wrong(
    "multiplies the scores by the mask before the softmax, so hidden scores become 0 and still get weight",
    names={"scores-times-mask"},
    line="scores = scores * mask",
)
def mask_times_scores(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    if mask is not None:
        scores = scores * mask
    weights = reference.softmax(scores)
    return weights @ V, weights


@wrong(
    "inverts the mask: hides what may be attended to and lets through what is hidden",
    names={"inverted"},
    line="mask = ~mask",
)
def hides_the_visible(Q, K, V, mask=None):
    if mask is not None:
        mask = ~mask
    weights = reference.masked_softmax(reference.attention_scores(Q, K), mask)
    output = weights @ V
    return output, weights


@wrong(
    "adds -1e9 instead of -inf, so a query that sees nothing gets equal weights and an output instead of 0",
    names={"large-number"},
    line="scores = np.where(mask, scores, -1e9)",
)
def minus_a_billion(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = reference.softmax(scores, axis=-1)
    return weights @ V, weights


@wrong(
    "uses the ordinary softmax on scores with -inf, so a query that sees nothing gets NaN instead of 0",
    names={"minus-infinity-only"},
    line="weights = e / e.sum(axis=-1, keepdims=True)",
)
def ordinary_softmax(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    if mask is not None:
        scores = scores + reference.additive_mask(mask)
    largest = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(largest == -np.inf, 0, largest))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong(
    "divides by d_k instead of its square root",
    names={"scaled-twice"},
    line="scores = Q @ np.swapaxes(K, -2, -1) / d_k",
)
def no_root(Q, K, V, mask=None):
    d_k = K.shape[-1]
    scores = Q @ np.swapaxes(K, -2, -1) / d_k
    weights = reference.masked_softmax(scores, mask)
    return weights @ V, weights


@wrong(
    "divides by half of d_k: `d_k**1/2` is (d_k ** 1) / 2, not the root",
    names={"half-of-d-k"},
    line="scale = d_k**1 / 2",
)
def precedence(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scale = d_k**1 / 2
    scores = Q @ K.swapaxes(-1, -2) / scale
    weights = reference.masked_softmax(scores, mask)
    return weights @ V, weights


@wrong(
    "swaps queries and keys when it asks for the scores, so the score matrix is transposed",
    names={"attention_scores/keys-by-queries", "keys-ask"},
    line="scores = reference.attention_scores(K, Q)",
)
def keys_ask(Q, K, V, mask=None):
    scores = reference.attention_scores(K, Q)
    weights = reference.masked_softmax(scores, mask)
    output = weights @ V
    return output, weights


@wrong(
    "multiplies the weights with the keys instead of the values", names={"averages-keys"}, line="output = weights @ K"
)
def keys_as_values(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.masked_softmax(scores, mask)
    output = weights @ K
    return output, weights


@wrong(
    "two: does not divide by the root of d_k, and returns weights and output in the wrong order",
    names={"not-scaled", "results-exchanged"},
    line="s = np.matmul(Q, np.moveaxis(K, -1, -2))",
)
def unscaled_and_swapped(Q, K, V, mask=None):
    s = np.matmul(Q, np.moveaxis(K, -1, -2))
    w = reference.masked_softmax(s, mask)
    o = np.matmul(w, V)
    return w, o


@wrong(
    "two: divides by the root of the number of queries instead of that of d_k, and does not use the mask",
    names={"attention_scores/root-of-n-queries", "mask-ignored"},
    line="scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])",
)
def root_of_rows(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])
    weights = reference.masked_softmax(scores)
    output = weights @ V
    return output, weights


@wrong("ignores the given mask and always takes a causal one", line="mask = reference.causal_mask(n_queries, n_keys)")
def always_causal(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    n_queries, n_keys = scores.shape[-2:]
    mask = reference.causal_mask(n_queries, n_keys)
    weights = reference.masked_softmax(scores, mask)
    return weights @ V, weights


@right
def from_helpers(Q, K, V, mask=None):
    scores = reference.attention_scores(Q, K)
    weights = reference.masked_softmax(scores, mask)
    return weights @ V, weights


@right
def with_einsum(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5
    if mask is None:
        mask = np.array(True)
    w = reference.masked_softmax(s, mask, axis=-1)
    return np.einsum("...qk,...kv->...qv", w, V), w


@right
def all_by_itself(Q, K, V, mask=None):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    largest[largest == -np.inf] = 0.0
    weights = np.exp(scores - largest)
    total = weights.sum(axis=-1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return np.matmul(weights, V), weights


@right
def scales_the_queries(Q, K, V, mask=None):
    scaled = Q / np.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(scaled @ K.swapaxes(-2, -1), mask=mask)
    output = weights @ V
    return (output, weights)


@wrong("adds the boolean mask to the scores", names={"mask-added", "masked_softmax/mask-added"}, line="s = s + mask")
def adds_the_mask(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        s = s + mask
    w = softmax(s)
    return w @ V, w
