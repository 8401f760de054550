"""What the claims of this unit share: inputs, the sub-layers that are handed over, and what both orders promise."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here
from transformer_kit import reference


def large(rng, *shape):
    """Draw token vectors so long that an eps of 1e-5 does not matter, wherever it is added."""
    return 1e5 * rng.standard_normal(shape)


def small(rng, *shape):
    """Draw token vectors whose variance is about as large as an eps of 0.1."""
    return 0.4 * rng.standard_normal(shape)


def scale_and_shift(rng, d):
    """Draw gamma around 1 and beta around 0, both different for every feature."""
    return 1 + 0.5 * rng.standard_normal(d), rng.standard_normal(d)


def sublayer(rng, d):
    """Make a sub-layer: a pure function that returns a new array of the shape of its input."""
    W = rng.standard_normal((d, d)) / np.sqrt(d)
    return lambda Z: np.tanh(Z @ W) + 0.5


def mixing_sublayer(rng, d):
    """Make a sub-layer in which the tokens of a sentence meet, and sentences have something of their own."""
    function = sublayer(rng, d)
    return lambda Z: function(Z - Z.mean(axis=-2, keepdims=True) + _numbered(Z.shape[:-2]))


def _numbered(shape):
    return np.arange(np.prod(shape, dtype=int)).reshape(*shape, 1, 1)


def exchange_and_double(Z):
    """Play a sub-layer whose result can be computed by hand."""
    return 2 * Z[..., [1, 0, 3, 2]]


def hands_eps_on(call, rng):
    """Test `post_norm` or `pre_norm` with values of eps that matter."""
    _agrees(call, rng)
    agrees_here(call, small(rng, 5, 7), sublayer(rng, 7), *scale_and_shift(rng, 7), 0.1)
    agrees_here(call, small(rng, 3, 6), sublayer(rng, 6), *scale_and_shift(rng, 6), eps=0.5)


def _agrees(call, rng):
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


def takes_leading_axes(call, rng):
    """Test `post_norm` or `pre_norm` with sub-layers that must be given everything at once."""
    _agrees(call, rng)
    for shape in ((3, 5), (2, 3, 5), (2, 4, 3, 5)):
        agrees_here(call, rng.standard_normal(shape), mixing_sublayer(rng, 5), *scale_and_shift(rng, 5))


def leaves_inputs_alone(call, rng):
    """Test `post_norm` or `pre_norm` also with sub-layers that return the very array that they are given, or zeros."""
    X, gamma_and_beta = rng.standard_normal((3, 5)), scale_and_shift(rng, 5)
    for function in (sublayer(rng, 5), lambda Z: Z, lambda Z: np.zeros(Z.shape)):
        call.leaves_inputs_alone(X, function, *gamma_and_beta)
    call.agrees(X, sublayer(rng, 5), *gamma_and_beta)


def _moved(call, rng, place, X, *args):
    """Return how far each output moves when the token at one place is changed."""
    changed = X + rng.standard_normal(X.shape[-1]) * (np.arange(len(X)) == place)[:, None]
    before, after = (call.array(X.shape, tokens, *args) for tokens in (X, changed))
    return np.abs(after - before).max(axis=-1)


def hides_padding(call, rng, X, params, n_heads, norm_first):
    """Require of `encoder_layer` that a mask hides two tokens from the others, and shows them without it."""
    is_token = np.array([True, True, True, False, False])
    padded = reference.padding_mask(is_token)
    moved = _moved(call, rng, 3, X, params, n_heads, padded, norm_first)
    leak = moved[is_token].max()
    call.holds(leak < 1e-9, f"changing a hidden token moves the output of a visible one by {leak:.3g}.")
    call.holds(moved[3] > 1e-6, "changing a hidden token does not move its own output.")
    moved = _moved(call, rng, 0, X, params, n_heads, padded, norm_first)[1]
    call.holds(moved > 1e-6, "changing visible token 0 does not move token 1: the tokens do not meet.")
    moved = _moved(call, rng, 3, X, params, n_heads, None, norm_first)[is_token].max()
    call.holds(moved > 1e-6, "without a mask, the token that it hides does not move the others either.")


def hides_the_future(call, rng, X, params, n_heads, norm_first):
    """Require of `encoder_layer` that with a causal mask a token moves itself and later ones, and no other."""
    moved = _moved(call, rng, 3, X, params, n_heads, reference.causal_mask(len(X)), norm_first)
    listed = np.flatnonzero(moved > 1e-9).tolist()
    call.holds(listed == [3, 4], f"with a causal mask, changing token 3 moves the outputs {listed}, not 3 and 4.")


def masks_every_sentence(call, X, params, n_heads, norm_first):
    """Require of `encoder_layer` that every sentence of a batch keeps its mask, and may be padding as a whole."""
    masks = np.array([[[True, True, False, True, False]], [[False] * 5]])
    together = call.array(X.shape, X, params, n_heads, masks, norm_first)
    alone = [call.array(X[i].shape, X[i], params, n_heads, masks[i], norm_first) for i in range(len(X))]
    call.holds(
        bool(np.isfinite(together).all()), "a sentence of nothing but padding gives numbers that are not finite."
    )
    slack = bound_for(1e-8, together)
    same = np.allclose(together, alone, atol=slack)
    call.holds(same, "a sentence with its mask gives other numbers in a batch than alone.")
    silent = params._replace(attention=_silent(params))
    without = call.array(X[1].shape, X[1], silent, n_heads, None, norm_first)
    same = np.allclose(together[1], without, atol=slack)
    call.holds(same, "a sentence of nothing but padding gets something else than 0 from the attention.")


def _silent(params):
    """Return an attention that gives 0."""
    return params.attention._replace(W_O=np.zeros_like(params.attention.W_O))
