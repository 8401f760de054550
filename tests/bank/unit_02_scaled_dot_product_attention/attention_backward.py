"""Functions that learners wrote for `attention_backward`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax_backward


@wrong("forgets the scale 1 / sqrt(d_k) in dQ and dK", names={"scale-forgotten"}, line=None)
def no_scale(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights)
    dQ = d_scores @ K
    dK = np.swapaxes(d_scores, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "applies the scale 1 / sqrt(d_k) to dQ only and not to dK",
    names={"scale-missing-in-dk"},
    line="dK = np.swapaxes(d_scores, -1, -2) @ Q",
)
def scale_in_dq_only(d_output, Q, K, V, weights):
    d_k = Q.shape[-1]
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights)
    dQ = d_scores @ K / np.sqrt(d_k)
    dK = np.swapaxes(d_scores, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "skips the softmax on the way back: the gradient of the weights is used as that of the scores",
    names={"softmax-skipped"},
    line="d_products = d_weights / np.sqrt(Q.shape[-1])",
)
def skips_softmax(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_products = d_weights / np.sqrt(Q.shape[-1])
    dQ = d_products @ K
    dK = np.swapaxes(d_products, -1, -2) @ Q
    return dQ, dK, dV


@wrong("does not transpose the weights in dV", names={"weights-not-transposed"}, line="dV = weights @ d_output")
def weights_not_transposed(d_output, Q, K, V, weights):
    dV = weights @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights) / np.sqrt(K.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, dV


@wrong(
    "does not transpose the gradient of the scores in dK", names={"products-not-transposed"}, line="dK = d_scores @ Q"
)
def scores_not_transposed(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights) / np.sqrt(K.shape[-1])
    dQ = d_scores @ K
    dK = d_scores @ Q
    return dQ, dK, dV


@wrong("returns the gradients in the order dV, dK, dQ", names={"values-first"}, line="return dV, dK, dQ")
def backwards_order(d_output, Q, K, V, weights):
    A_t = np.swapaxes(weights, -1, -2)
    dV = A_t @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA)
    dP = dS / np.sqrt(Q.shape[-1])
    dK = np.swapaxes(dP, -1, -2) @ Q
    dQ = dP @ K
    return dV, dK, dQ


@wrong(
    "computes the weights again from Q and K instead of using the given ones",
    names={"weights-recomputed"},
    line="_, weights = reference.scaled_dot_product_attention(Q, K, V)",
)
def weights_again(d_output, Q, K, V, weights):
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA) / np.sqrt(Q.shape[-1])
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, dV


@wrong(
    "normalises the given weights again, which turns a row of zeros into NaN",
    names={"weights-normalised"},
    line="A = weights / weights.sum(axis=-1, keepdims=True)",
)
def normalises_again(d_output, Q, K, V, weights):
    A = weights / weights.sum(axis=-1, keepdims=True)
    dV = np.swapaxes(A, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(A, dA) / np.sqrt(Q.shape[-1])
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "scales by the width of the values instead of that of the queries",
    names={"root-of-d-v"},
    line="scale = 1 / np.sqrt(V.shape[-1])",
)
def width_of_values(d_output, Q, K, V, weights):
    scale = 1 / np.sqrt(V.shape[-1])
    dV = np.einsum("...qk,...qd->...kd", weights, d_output)
    dA = np.einsum("...qd,...kd->...qk", d_output, V)
    dS = scale * reference.softmax_backward(weights, dA)
    dQ = np.einsum("...qk,...kd->...qd", dS, K)
    dK = np.einsum("...qk,...qd->...kd", dS, Q)
    return dQ, dK, dV


@wrong(
    "multiplies by sqrt(d_k) on the way back instead of dividing",
    names={"scale-multiplied"},
    line="d_products = d_scores * np.sqrt(Q.shape[-1])",
)
def multiplies_by_root(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights)
    d_products = d_scores * np.sqrt(Q.shape[-1])
    return d_products @ K, np.swapaxes(d_products, -1, -2) @ Q, dV


@wrong("divides by d_k instead of its square root", names={"divided-by-d-k"}, line="dS = dS / d_k")
def divides_by_width(d_output, Q, K, V, weights):
    d_k = K.shape[-1]
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dS = reference.softmax_backward(weights, d_output @ np.swapaxes(V, -1, -2))
    dS = dS / d_k
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "sends the gradient back through a softmax over the queries instead of over the keys",
    names={"softmax-over-queries"},
    line="dS = reference.softmax_backward(weights, dA, axis=-2)",
)
def over_queries(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA, axis=-2)
    dS /= np.sqrt(Q.shape[-1])
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, dV


@wrong(
    "has the arguments of softmax_backward swapped",
    names={"arguments-exchanged", "softmax_backward/roles-exchanged"},
    line="dS = reference.softmax_backward(dA, weights)",
)
def swapped_arguments(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(dA, weights)
    dP = dS / np.sqrt(Q.shape[-1])
    return dP @ K, np.swapaxes(dP, -1, -2) @ Q, dV


@wrong(
    "uses .T, which reverses all axes, so batches fail or come out wrong",
    names={"transposes-everything", "transposes-everything-for-dv-first"},
    line="dV = weights.T @ d_output",
)
def dot_t(d_output, Q, K, V, weights):
    dV = weights.T @ d_output
    d_weights = d_output @ V.T
    d_scores = reference.softmax_backward(weights, d_weights) / np.sqrt(Q.shape[-1])
    dQ = d_scores @ K
    dK = d_scores.T @ Q
    return dQ, dK, dV


@wrong(
    "does not transpose the values in the gradient of the weights",
    names={"values-not-transposed"},
    line="d_weights = d_output @ V",
)
def values_not_transposed(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ V
    d_scores = reference.softmax_backward(weights, d_weights) / np.sqrt(Q.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, dV


@wrong(
    "uses the diagonal of the softmax's Jacobian only",
    names={"sigmoid-rule", "diagonal-only"},
    line="dS = weights * (1 - weights) * dA",
)
def diagonal_jacobian(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = weights * (1 - weights) * dA
    dS = dS / np.sqrt(Q.shape[-1])
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "has Q and K exchanged in the last step: dQ is made with Q and dK with K",
    names={"queries-and-keys-exchanged"},
    line="dQ = dS @ Q",
)
def q_and_k_exchanged(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA) / np.sqrt(Q.shape[-1])
    dQ = dS @ Q
    dK = np.swapaxes(dS, -1, -2) @ K
    return dQ, dK, dV


@wrong(
    "applies the scale 1 / sqrt(d_k) to dV as well",
    names={"dv-scaled"},
    line="return dQ * scale, dK * scale, dV * scale",
)
def scale_in_dv_too(d_output, Q, K, V, weights):
    scale = 1 / np.sqrt(Q.shape[-1])
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA)
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ * scale, dK * scale, dV * scale


@wrong(
    "divides by sqrt(d_k) twice: once in the scores' gradient and again in dQ and dK",
    names={"divided-by-d-k"},
    line="dQ = dS @ K / root",
)
def scaled_twice(d_output, Q, K, V, weights):
    root = np.sqrt(Q.shape[-1])
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA) / root
    dQ = dS @ K / root
    dK = np.swapaxes(dS, -1, -2) @ Q / root
    return dQ, dK, dV


@wrong(
    "applies the softmax forwards to the gradient instead of going back through it",
    names={"softmax-forwards"},
    line="dS = reference.softmax(dA)",
)
def softmax_forwards(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax(dA)
    dS = dS / np.sqrt(K.shape[-1])
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, dV


@wrong(
    "uses the gradient of the weights instead of the weights in dV",
    names={"dv-from-gradient-of-weights"},
    line="dV = np.swapaxes(dA, -1, -2) @ d_output",
)
def dv_from_gradient(d_output, Q, K, V, weights):
    dA = d_output @ np.swapaxes(V, -1, -2)
    dV = np.swapaxes(dA, -1, -2) @ d_output
    dS = reference.softmax_backward(weights, dA) / np.sqrt(K.shape[-1])
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ, dK, dV


@wrong("returns dQ alone and forgets dK and dV", line="return dQ")
def only_dq(d_output, Q, K, V, weights):
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA)
    dQ = dS @ K / np.sqrt(K.shape[-1])
    return dQ


@wrong(
    "two: computes the weights again instead of using the given ones, and forgets the scale 1 / sqrt(d_k) in dQ and dK",
    names={"weights-recomputed", "scale-forgotten"},
    line="A = reference.softmax(reference.attention_scores(Q, K))",
)
def again_without_scale(d_output, Q, K, V, weights):
    A = reference.softmax(reference.attention_scores(Q, K))
    dV = np.swapaxes(A, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(A, dA)
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, dV


@wrong(
    "two: skips the softmax on the way back, and forgets the scale 1 / sqrt(d_k)",
    names={"softmax-skipped", "scale-forgotten"},
    line="dQ = dA @ K",
)
def products_only(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dQ = dA @ K
    dK = np.swapaxes(dA, -1, -2) @ Q
    return dQ, dK, dV


@wrong(
    "returns the right gradients of Q and K, but the gradient of the output as that of V",
    line="return dQ, dK, d_output",
)
def output_gradient_for_dv(d_output, Q, K, V, weights):
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights) / np.sqrt(Q.shape[-1])
    dQ = d_scores @ K
    dK = np.swapaxes(d_scores, -1, -2) @ Q
    return dQ, dK, d_output


@wrong(
    "two: does not transpose the gradient of the scores in dK, and divides by d_k instead of its square root",
    names={"weights-not-transposed", "divided-by-d-k"},
    line="dS = reference.softmax_backward(weights, dA) / Q.shape[-1]",
)
def not_transposed_and_width(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dS = reference.softmax_backward(weights, dA) / Q.shape[-1]
    dQ = dS @ K
    dK = dS @ Q
    return dQ, dK, dV


@right
def line_by_line(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = reference.softmax_backward(weights, d_weights)
    d_products = d_scores / np.sqrt(Q.shape[-1])
    dQ = d_products @ K
    dK = np.swapaxes(d_products, -1, -2) @ Q
    return dQ, dK, dV


@right
def with_einsum(d_output, Q, K, V, weights):
    dV = np.einsum("...qk,...qv->...kv", weights, d_output)
    dA = np.einsum("...qv,...kv->...qk", d_output, V)
    inner = np.einsum("...qk,...qk->...q", dA, weights)
    dP = weights * (dA - inner[..., None]) / np.sqrt(K.shape[-1])
    dQ = np.einsum("...qk,...kd->...qd", dP, K)
    dK = np.einsum("...qk,...qd->...kd", dP, Q)
    return dQ, dK, dV


@right
def scale_at_the_end(d_output, Q, K, V, weights):
    def turn(array):
        return np.moveaxis(array, -1, -2)

    scale = Q.shape[-1] ** -0.5
    dA = np.matmul(d_output, turn(V))
    average = (weights * dA).sum(axis=-1, keepdims=True)
    dS = weights * (dA - average)
    return scale * np.matmul(dS, K), scale * np.matmul(turn(dS), Q), np.matmul(turn(weights), d_output)


@right
def matrix_by_matrix(d_output, Q, K, V, weights):
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    root = np.sqrt(Q.shape[-1])
    for place in np.ndindex(Q.shape[:-2]):
        A = weights[place]
        dV[place] = A.T @ d_output[place]
        dS = reference.softmax_backward(A, d_output[place] @ V[place].T) / root
        dQ[place] = dS @ K[place]
        dK[place] = dS.T @ Q[place]
    return dQ, dK, dV


@wrong("does not scale the gradient of K", names={"scale-missing-in-dk"})
def unscaled_dK(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = softmax_backward(weights, d_weights)
    return d_scores @ K / np.sqrt(Q.shape[-1]), np.swapaxes(d_scores, -1, -2) @ Q, dV


@wrong(
    "exchanges the arguments of softmax_backward",
    names={"arguments-exchanged"},
    line="d_scores = softmax_backward(d_weights, weights) / np.sqrt(Q.shape[-1])",
)
def arguments_exchanged(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = softmax_backward(d_weights, weights) / np.sqrt(Q.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, dV


@wrong(
    "takes the slope of a sigmoid for that of the softmax",
    names={"sigmoid-rule"},
    line="d_scores = d_weights * weights * (1 - weights) / np.sqrt(Q.shape[-1])",
)
def diagonal_only(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    d_scores = d_weights * weights * (1 - weights) / np.sqrt(Q.shape[-1])
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, dV


@wrong(
    "transposes with .T, which reverses the leading axes, too",
    names={"transposes-everything", "transposes-everything-for-dv-first"},
    line="dV = weights.T @ d_output",
)
def capital_T_everywhere(d_output, Q, K, V, weights):
    dV = weights.T @ d_output
    dA = d_output @ V.T
    dP = softmax_backward(weights, dA) / np.sqrt(Q.shape[-1])
    return dP @ K, dP.T @ Q, dV


@wrong(
    "multiplies the weights by d_output without swapping their last two axes",
    names={"weights-not-transposed"},
    line="dV = weights @ d_output",
)
def weights_as_they_stand(d_output, Q, K, V, weights):
    dV = weights @ d_output
    dA = d_output @ np.swapaxes(V, -1, -2)
    dP = softmax_backward(weights, dA) / np.sqrt(Q.shape[-1])
    return dP @ K, np.swapaxes(dP, -1, -2) @ Q, dV


@wrong(
    "multiplies the scores' gradient by Q without swapping its last two axes",
    names={"products-not-transposed"},
    line="dK = dS @ Q",
)
def products_as_they_stand(d_output, Q, K, V, weights):
    dV = np.swapaxes(weights, -1, -2) @ d_output
    dS = softmax_backward(weights, d_output @ np.swapaxes(V, -1, -2)) / np.sqrt(Q.shape[-1])
    dQ = dS @ K
    dK = dS @ Q
    return dQ, dK, dV
