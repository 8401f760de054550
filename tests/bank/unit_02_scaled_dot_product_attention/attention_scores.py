"""Functions that learners wrote for `attention_scores`, each with what is truly wrong with it."""

import math

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong("forgets to divide by the square root of d_k", names={"not-scaled"}, line=None)
def no_scale(Q, K):
    K_t = np.swapaxes(K, -1, -2)
    return Q @ K_t


@wrong("divides by d_k instead of its square root", names={"divides-by-d-k"}, line="return scores / d_k")
def divides_by_width(Q, K):
    d_k = Q.shape[-1]
    scores = Q @ np.swapaxes(K, -1, -2)
    return scores / d_k


@wrong(
    "uses .T, which reverses all axes of K, so batches fail or come out wrong",
    names={"transposes-everything"},
    line="scores = np.matmul(Q, K.T)",
)
def dot_t(Q, K):
    d_k = K.shape[-1]
    scores = np.matmul(Q, K.T)
    return scores / math.sqrt(d_k)


@wrong(
    "divides by the square root of the number of keys instead of that of d_k",
    names={"root-of-n-keys"},
    line="n = K.shape[-2]",
)
def number_of_keys(Q, K):
    n = K.shape[-2]
    scores = Q @ np.swapaxes(K, -1, -2)
    return scores / np.sqrt(n)


@wrong(
    "takes d_k from len(Q), the length of the first axis: the number of queries or the size of the batch",
    names={"root-of-first-axis"},
    line="d_k = len(Q)",
)
def first_axis(Q, K):
    d_k = len(Q)
    products = np.einsum("...qd,...kd->...qk", Q, K)
    return products / np.sqrt(d_k)


@wrong(
    "takes d_k from axis 1, which is right without leading axes only",
    names={"root-of-second-axis"},
    line="d_k = Q.shape[1]",
)
def axis_one(Q, K):
    d_k = Q.shape[1]
    S = Q @ K.swapaxes(-1, -2)
    S = S / d_k**0.5
    return S


@wrong(
    "multiplies by the square root of d_k instead of dividing",
    names={"multiplies"},
    line="return scores * np.sqrt(Q.shape[-1])",
)
def multiplies(Q, K):
    scores = Q @ np.swapaxes(K, -1, -2)
    return scores * np.sqrt(Q.shape[-1])


@wrong(
    "has queries and keys exchanged: rows belong to keys and columns to queries",
    names={"keys-by-queries"},
    line="products = K @ np.swapaxes(Q, -1, -2)",
)
def exchanged(Q, K):
    products = K @ np.swapaxes(Q, -1, -2)
    return products / np.sqrt(K.shape[-1])


@wrong("does not exchange the last two axes of the keys", names={"no-transpose"}, line="S = Q @ K")
def no_transpose(Q, K):
    d_k = Q.shape[-1]
    S = Q @ K
    return S / np.sqrt(d_k)


@wrong(
    "applies the softmax already, so it returns weights and not scores",
    names={"returns-weights"},
    line="return reference.softmax(scores)",
)
def softmax_too(Q, K):
    d_k = Q.shape[-1]
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(d_k)
    return reference.softmax(scores)


@wrong(
    "divides by the square root of 512, the width of the paper's whole model, whatever d_k is",
    names={"root-of-d-model-512", "root-of-d-model-heads", "root-of-d-model-eight-heads"},
    line="d_model = 512",
)
def width_of_model(Q, K):
    d_model = 512
    scores = Q @ np.swapaxes(K, -1, -2)
    return scores / np.sqrt(d_model)


@wrong("divides by the square root of 2, the width of the example, whatever d_k is", line=None)
def width_of_example(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(2)


@wrong("always divides by 8, the divisor of the paper's base model", names={"always-8"}, line="scores = scores / 8")
def always_eight(Q, K):
    scores = np.einsum("...id,...jd->...ij", Q, K)
    scores = scores / 8
    return scores


@wrong(
    "uses np.dot, which for batches pairs every matrix of Q with every matrix of K",
    names={"dot-on-batches"},
    line="scores = np.dot(Q, np.swapaxes(K, -1, -2))",
)
def np_dot(Q, K):
    scores = np.dot(Q, np.swapaxes(K, -1, -2))
    return scores / np.sqrt(K.shape[-1])


@wrong(
    "multiplies entry by entry: query i meets key i only",
    names={"entry-by-entry"},
    line="products = (Q * K).sum(axis=-1)",
)
def pairs_of_same_place(Q, K):
    products = (Q * K).sum(axis=-1)
    return products / np.sqrt(Q.shape[-1])


@wrong(
    "has no brackets around the exponent: it divides by d_k and by 2 instead of by the square root of d_k",
    names={"twice-d-k"},
    line="scores = products / d_k**1 / 2",
)
def no_brackets(Q, K):
    d_k = Q.shape[-1]
    products = Q @ np.swapaxes(K, -1, -2)
    scores = products / d_k**1 / 2
    return scores


@wrong(
    "divides by the lengths of the vectors, so it returns cosines",
    names={"cosines"},
    line="Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)",
)
def cosines(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return Q @ np.swapaxes(K, -1, -2)


@wrong("works for exactly one leading axis only", line="scores = Q @ K.transpose(0, 2, 1)")
def one_leading_axis(Q, K):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(0, 2, 1)
    return scores / np.sqrt(d_k)


@wrong("works without leading axes only", line='S = np.einsum("id,jd->ij", Q, K)')
def no_leading_axes(Q, K):
    S = np.einsum("id,jd->ij", Q, K)
    S /= np.sqrt(Q.shape[1])
    return S


@wrong(
    "divides queries and keys by the square root each, so the scores are divided by d_k",
    names={"divides-by-d-k"},
    line="K = K / np.sqrt(d_k)",
)
def scaled_twice(Q, K):
    d_k = Q.shape[-1]
    Q = Q / np.sqrt(d_k)
    K = K / np.sqrt(d_k)
    return Q @ np.swapaxes(K, -1, -2)


@wrong(
    "cuts the square root of d_k down to an integer",
    names={"root-as-integer"},
    line="scale = int(math.sqrt(Q.shape[-1]))",
)
def integer_root(Q, K):
    scale = int(math.sqrt(Q.shape[-1]))
    products = np.matmul(Q, np.swapaxes(K, -1, -2))
    return products / scale


@wrong(
    "reshapes the keys instead of exchanging their last two axes, which mixes up their entries",
    names={"reshapes-keys"},
    line="columns = K.reshape(*lead, d_k, n_keys)",
)
def reshapes_keys(Q, K):
    *lead, n_keys, d_k = K.shape
    columns = K.reshape(*lead, d_k, n_keys)
    return Q @ columns / np.sqrt(d_k)


@wrong(
    "adds the products up over the keys instead of over the terms of the dot product",
    line="return products.sum(axis=-2) / np.sqrt(Q.shape[-1])",
)
def sum_over_keys(Q, K):
    products = Q[..., :, None, :] * K[..., None, :, :]
    return products.sum(axis=-2) / np.sqrt(Q.shape[-1])


@wrong(
    "two: divides by the square root of the number of keys, and uses .T, which reverses all axes of a batch",
    names={"root-of-n-keys", "transposes-everything"},
    line="S = Q @ K.T",
)
def keys_and_dot_t(Q, K):
    S = Q @ K.T
    S = S / np.sqrt(S.shape[-1])
    return S


@wrong(
    "two: has rows and columns exchanged, rows belong to keys, and divides by d_k instead of its square root",
    names={"keys-by-queries", "divides-by-d-k"},
    line='products = np.einsum("...qd,...kd->...kq", Q, K)',
)
def exchanged_and_width(Q, K):
    products = np.einsum("...qd,...kd->...kq", Q, K)
    return products / Q.shape[-1]


@wrong(
    "returns negative Euclidean distances between queries and keys instead of dot products",
    names={"distances"},
    line="return -np.sqrt((gap**2).sum(axis=-1))",
)
def distances(Q, K):
    gap = Q[..., :, None, :] - K[..., None, :, :]
    return -np.sqrt((gap**2).sum(axis=-1))


@wrong(
    "two: multiplies by the square root instead of dividing, and takes it of the number of keys instead of d_k",
    names={"multiplies", "root-of-n-keys"},
    line="scores = products * np.sqrt(K.shape[-2])",
)
def times_root_of_keys(Q, K):
    products = np.matmul(Q, np.swapaxes(K, -1, -2))
    scores = products * np.sqrt(K.shape[-2])
    return scores


@right
def swapped_axes(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


@right
def with_einsum(Q, K):
    d_k = Q.shape[-1]
    return np.einsum("...qd,...kd->...qk", Q, K) * d_k**-0.5


@right
def scales_queries_first(Q, K):
    d_k = K.shape[-1]
    scaled = Q / math.sqrt(d_k)
    return np.matmul(scaled, np.moveaxis(K, -1, -2))


@wrong(
    "divides in place, which NumPy refuses for an array of whole numbers", line="scores /= np.sqrt(products.shape[-1])"
)
def broadcast_and_sum(Q, K):
    products = Q[..., :, None, :] * K[..., None, :, :]
    scores = products.sum(axis=-1)
    scores /= np.sqrt(products.shape[-1])
    return scores


@right
def key_by_key(Q, K):
    columns = []
    for j in range(K.shape[-2]):
        key = K[..., j : j + 1, :]
        columns.append((Q * key).sum(axis=-1))
    return np.stack(columns, axis=-1) / np.sqrt(Q.shape[-1])


@wrong("divides by d_k to the power of -1, and then by 2", names={"twice-d-k"})
def minus_one_half(Q, K):
    d_k = Q.shape[-1]
    return np.einsum("...id,...jd->...ij", Q, K) * d_k**-1 / 2


@wrong("scales queries and keys both, each by the root", names={"divides-by-d-k"})
def both_scaled(Q, K):
    root = np.sqrt(K.shape[-1])
    return (Q / root) @ np.swapaxes(K / root, -1, -2)


@wrong("divides by the lengths of the vectors: a cosine", names={"cosines"})
def cosine(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return Q @ np.swapaxes(K, -1, -2)


@wrong("computes in single precision and returns float64", line='Q, K = Q.astype("f4"), K.astype("f4")')
def float32_inside(Q, K):
    Q, K = Q.astype("f4"), K.astype("f4")
    return (Q @ K.swapaxes(-1, -2) / np.sqrt(np.float32(Q.shape[-1]))).astype("f8")


@wrong(
    "takes the root of the whole quotient, not of d_k alone",
    names={"root-of-the-quotient"},
    line="return np.sqrt(Q @ np.swapaxes(K, -1, -2) / d_k)",
)
def root_of_everything(Q, K):
    d_k = Q.shape[-1]
    return np.sqrt(Q @ np.swapaxes(K, -1, -2) / d_k)
