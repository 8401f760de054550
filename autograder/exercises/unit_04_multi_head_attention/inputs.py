"""What the claims of this unit share: inputs, and what they ask of a result before they look at its numbers."""

import numpy as np

from autograder.execution.describe import describe
from autograder.execution.precision import bound_for, rounded_like
from transformer_kit import reference
from transformer_kit.parameters import init_attention


def labelled(n, d):
    """Return 100 times the token plus the channel, of shape (n, d): shows where every number went."""
    return 100.0 * np.arange(n)[:, None] + np.arange(d)


def sequences(rng, n_queries, n_keys, d_model, leading=()):
    """Draw X_query and X_memory."""
    return tuple(rng.standard_normal((*leading, n, d_model)) for n in (n_queries, n_keys))


def fused(params):
    """Return W_QKV and W_O of separate projections."""
    return np.concatenate(params[:3], axis=1), params.W_O


def self_attention_inputs(rng, n, n_heads, d_model, leading=()):
    """Draw X, W_QKV and W_O with scores of standard deviation near 1."""
    return rng.standard_normal((*leading, n, d_model)), *fused(init_attention(rng, d_model, n_heads))


def rearranged(call, shape, X, *args):
    """Call a function that only moves numbers; require the right shape, and in it every number of X."""
    result = call(X, *args)
    right = isinstance(result, np.ndarray) and result.shape == shape
    call.holds(right, f"expected an array of shape {shape}, got {describe(result)}.")
    same = np.array_equal(np.sort(result, axis=None), np.sort(rounded_like(X, result), axis=None))
    call.holds(same, "the result does not hold the same numbers as the input.")


def attention_of(call, shapes, *args):
    """Call an attention, and require an output and weights of these shapes that are distributions over the keys."""
    output, weights = call.results(*args)
    for name, value, shape in zip(("output", "weights"), (output, weights), shapes, strict=True):
        call.is_array(value, shape, "f", name)
        call.holds(np.isfinite(value).all(), f"{name}: {int((~np.isfinite(value)).sum())} entries are not finite.")
    call.holds(bool(np.ptp(output) > 0), f"every entry of the output is the same, {output.flat[0]}.")
    return output, weights


def require_distributions(call, weights):
    """Require weights that are not negative and sum to 1 over the keys."""
    sums = weights.sum(axis=-1)
    right = bool((weights >= 0).all() and np.allclose(sums, 1))
    message = f"in every head the weights of a query sum to 1; here the first sums are {sums.flat[:3].round(4)}."
    call.holds(right, message)


def require_mixed(call, output, weights, X_memory, W_V, W_O):
    """Require that the output is made of these weights: every head averages its values, and W_O mixes the heads."""
    require_distributions(call, weights)
    values = reference.split_heads(X_memory @ W_V, weights.shape[-3])
    gap = np.abs(output - reference.merge_heads(weights @ values) @ W_O).max()
    message = (
        "the output does not follow from the weights that you return, the values X_memory @ W_V and the matrix W_O: "
        f"it differs by up to {gap:.6g}."
    )
    call.holds(gap < bound_for(1e-9, output, weights), message)


def require_masked(call, weights, plain, mask):
    """Require of every head that the mask hides what it should, and changes nothing else but the total."""
    require_distributions(call, plain)
    visible = np.broadcast_to(mask[..., None, :, :], weights.shape)
    wrong = np.argwhere(~visible & (weights != 0))
    if len(wrong):
        *_, head, query, key = (int(i) for i in wrong[0])
        first = f"{weights[tuple(wrong[0])]:.6g} for key {key} from query {query} in head {head}"
        call.holds(False, f"{len(wrong)} hidden pairs have a weight that is not 0; the first is {first}.")
    kept = np.where(visible, plain, 0)
    expected = kept / kept.sum(axis=-1, keepdims=True)
    gap = np.abs(weights - expected).max()
    message = "the visible weights should be those without a mask, divided by their sum; "
    call.holds(gap < bound_for(1e-9, weights), f"{message}they differ by up to {gap:.6g}.")


def require_nothing(call, output, weights, query):
    """Require weights and output of 0 for the query that may attend to nothing, and of the other queries weights."""
    nothing = np.all(weights[..., query, :] == 0) and np.all(output[..., query, :] == 0)
    found = f"query {query} may attend to nothing, but its weights begin {weights[0, query, :2].round(4)} "
    call.holds(nothing, f"{found}and its output begins {output[query, :2].round(4)}.")
    sums = np.delete(weights, query, axis=-2).sum(axis=-1)
    call.holds(np.allclose(sums, 1), f"the weights of the other queries sum to {sums.flat[:3].round(4)}, not to 1.")
