"""Functions that learners wrote for `attention_rollout`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "the residual connections are left out",
    names={"no-identity"},
    line="result = layer.mean(axis=0) @ result",
)
def only_the_weights(weights):
    result = np.eye(weights.shape[-1])
    for layer in weights:
        result = layer.mean(axis=0) @ result
    return result


@wrong(
    "multiplies from the right, so the lowest layer stands on the left",
    names={"opposite-order"},
    line="result = result @ (0.5 * layer.mean(axis=0) + 0.5 * np.eye(n))",
)
def from_the_right(weights):
    n = weights.shape[-1]
    result = np.eye(n)
    for layer in weights:
        result = result @ (0.5 * layer.mean(axis=0) + 0.5 * np.eye(n))
    return result


@wrong(
    "adds the identity and does not halve",
    names={"not-halved"},
    line="A = weights.mean(axis=1) + np.eye(weights.shape[-1])",
)
def sum_instead_of_mean(weights):
    A = weights.mean(axis=1) + np.eye(weights.shape[-1])
    result = A[0]
    for layer in A[1:]:
        result = layer @ result
    return result


@wrong(
    "multiplies entry by entry with * where a matrix product is asked for",
    names={"entry-by-entry"},
    line="result = B * result",
)
def with_a_star(weights):
    n = weights.shape[-1]
    result = np.ones((n, n))
    for layer in weights:
        B = 0.5 * layer.mean(axis=0) + 0.5 * np.eye(n)
        result = B * result
    return result


@wrong(
    "averages over the layers, too",
    names={"mean-of-layers"},
    line="return 0.5 * weights.mean(axis=(0, 1)) + 0.5 * np.eye(weights.shape[-1])",
)
def one_mean(weights):
    return 0.5 * weights.mean(axis=(0, 1)) + 0.5 * np.eye(weights.shape[-1])


@wrong(
    "begins with the first layer and multiplies by it once more in the loop",
    names={"first-layer-twice"},
    line="for layer in B:",
)
def first_one_again(weights):
    B = (weights.mean(axis=1) + np.eye(weights.shape[-1])) / 2
    result = B[0]
    for layer in B:
        result = layer @ result
    return result


@right
def step_by_step(weights):
    n_layers, n_heads, n, _ = weights.shape
    result = np.eye(n)
    for number in range(n_layers):
        mean = np.zeros((n, n))
        for head in range(n_heads):
            mean += weights[number, head] / n_heads
        result = np.matmul(0.5 * mean + 0.5 * np.eye(n), result)
    return result


@wrong("multiplies the layers in the wrong order", names={"opposite-order"})
def lowest_on_the_left(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights:
        R = R @ (0.5 * A.mean(axis=0) + 0.5 * np.eye(n))
    return R


@wrong("multiplies entry by entry", names={"entry-by-entry"})
def entry_by_entry(weights):
    B = 0.5 * weights.mean(axis=1) + 0.5 * np.eye(weights.shape[-1])
    return np.prod(B, axis=0)


@wrong("takes the largest weight of the heads instead of the mean", names={"largest-head"})
def largest_of_heads(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights.max(axis=1):
        R = (0.5 * A + 0.5 * np.eye(n)) @ R
    return R


@wrong("halves the attention but not the identity", names={"identity-not-halved"}, line="B = 0.5 * A + np.eye(n)")
def half_the_attention(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for A in weights.mean(axis=1):
        B = 0.5 * A + np.eye(n)
        R = B @ R
    return R


@wrong(
    "every layer begins anew with the identity, so that only the highest one counts",
    names={"last-layer"},
    line="R = B @ np.eye(n)",
)
def highest_layer_alone(weights):
    n = weights.shape[-1]
    for layer in weights:
        B = (layer.mean(axis=0) + np.eye(n)) / 2
        R = B @ np.eye(n)
    return R


@wrong("sums over the heads instead of averaging", names={"heads-added"}, line="A = layer.sum(axis=0)")
def sum_of_heads(weights):
    n = weights.shape[-1]
    R = np.eye(n)
    for layer in weights:
        A = layer.sum(axis=0)
        R = (0.5 * A + 0.5 * np.eye(n)) @ R
    return R
