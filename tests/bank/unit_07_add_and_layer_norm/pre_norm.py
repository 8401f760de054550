"""Functions that learners wrote for `pre_norm`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import layer_norm


@wrong(
    "adds the normalised input instead of the input as it came in",
    names={"normed-residual"},
    line="return normed + sublayer(normed)",
)
def adds_normalised(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    return normed + sublayer(normed)


@wrong(
    "overwrites X with its normalised version, so the residual sum adds the normalised input",
    names={"normed-residual"},
    line="X = reference.layer_norm(X, gamma, beta, eps)",
)
def name_reused(X, sublayer, gamma, beta, eps=1e-5):
    X = reference.layer_norm(X, gamma, beta, eps)
    out = sublayer(X)
    return X + out


@wrong(
    "computes post-norm: the norm of the sum of X and the sub-layer's output",
    names={"post-norm"},
    line="return reference.layer_norm(total, gamma, beta, eps)",
)
def post_norm_instead(X, sublayer, gamma, beta, eps=1e-5):
    total = X + sublayer(X)
    return reference.layer_norm(total, gamma, beta, eps)


@wrong(
    "normalises what the sub-layer returns instead of what it is given",
    names={"norm-on-output"},
    line="return X + reference.layer_norm(out, gamma, beta, eps)",
)
def norm_after_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    return X + reference.layer_norm(out, gamma, beta, eps)


@wrong(
    "forgets the residual sum: returns only what the sub-layer makes of the normalised input",
    names={"no-residual"},
    line="return sublayer(normed)",
)
def no_residual(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    return sublayer(normed)


@wrong("leaves the norm out: the sub-layer sees X as it came in", names={"no-norm"}, line=None)
def no_norm(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(X)


@wrong(
    "does not hand eps on, so the norm always uses 1e-5",
    names={"eps-not-handed-on"},
    line="inside = reference.layer_norm(X, gamma, beta)",
)
def eps_not_passed(X, sublayer, gamma, beta, eps=1e-5):
    inside = reference.layer_norm(X, gamma, beta)
    return X + sublayer(inside)


@wrong(
    "hands beta over as gamma and gamma as beta",
    names={"gamma-and-beta-exchanged"},
    line="inside = reference.layer_norm(X, beta, gamma, eps)",
)
def gamma_and_beta_swapped(X, sublayer, gamma, beta, eps=1e-5):
    inside = reference.layer_norm(X, beta, gamma, eps)
    return X + sublayer(inside)


@wrong("adds to X in place, which changes the argument", names={"in-place"}, line="X += sublayer(normed)")
def adds_in_place(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    X += sublayer(normed)
    return X


@wrong(
    "normalises the result once more at the end",
    names={"normed-twice"},
    line="return reference.layer_norm(Y, gamma, beta, eps)",
)
def norm_at_both_ends(X, sublayer, gamma, beta, eps=1e-5):
    Y = X + sublayer(reference.layer_norm(X, gamma, beta, eps))
    return reference.layer_norm(Y, gamma, beta, eps)


@wrong(
    "subtracts the sub-layer's output from the input instead of adding it", names={"subtracted"}, line="return X - out"
)
def minus(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    out = sublayer(normed)
    return X - out


@wrong(
    "normalises without gamma and beta: the scale and shift are not applied before the sub-layer",
    names={"gamma-and-beta-replaced"},
    line="normed = (X - mu) / np.sqrt(var + eps)",
)
def own_norm_without_scale(X, sublayer, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    normed = (X - mu) / np.sqrt(var + eps)
    return X + sublayer(normed)


@wrong(
    "two: the normalised input is added instead of X, and eps is not handed on",
    names={"eps-not-handed-on", "normed-residual"},
    line="Z = reference.layer_norm(X, gamma, beta)",
)
def sum_and_eps(X, sublayer, gamma, beta, eps=1e-5):
    Z = reference.layer_norm(X, gamma, beta)
    out = sublayer(Z)
    return Z + out


@wrong(
    "adds the normalised input as well as the input, three terms instead of two",
    names={"three-terms"},
    line="return X + normed + sublayer(normed)",
)
def three_terms(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    return X + normed + sublayer(normed)


@wrong(
    "applies gamma and beta to the sub-layer's output instead of to the normalised input",
    names={"scaled-behind-the-sublayer"},
    line="normed = reference.layer_norm(X, ones, zeros, eps)",
)
def scale_after_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    ones, zeros = np.ones_like(gamma), np.zeros_like(beta)
    normed = reference.layer_norm(X, ones, zeros, eps)
    return X + gamma * sublayer(normed) + beta


@wrong("computes the result but returns nothing", line=None)
def no_return(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    result = X + sublayer(normed)
    result.sum()


@wrong(
    "two: the residual sum is missing, and the result is normalised once more",
    names={"no-residual", "normed-twice"},
    line="return reference.layer_norm(out, gamma, beta, eps)",
)
def no_sum_two_norms(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    out = sublayer(normed)
    return reference.layer_norm(out, gamma, beta, eps)


@right
def one_line(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(reference.layer_norm(X, gamma, beta, eps))


@right
def step_by_step(X, sublayer, gamma, beta, eps=1e-5):
    residual = X.copy()
    normed = reference.layer_norm(X, gamma, beta, eps=eps)
    branch = sublayer(normed)
    residual = residual + branch
    return residual


@right
def norm_written_out(X, sublayer, gamma, beta, eps=1e-5):
    centred = X - np.mean(X, axis=-1, keepdims=True)
    var = np.mean(centred**2, axis=-1, keepdims=True)
    normed = centred / np.sqrt(var + eps) * gamma + beta
    return np.add(sublayer(normed), X)


@wrong("gives the sub-layer one token at a time", names={"token-by-token"})
def token_by_token(X, sublayer, gamma, beta, eps=1e-5):
    Z = layer_norm(X, gamma, beta, eps)
    out = np.zeros(X.shape)
    for i in range(X.shape[-2]):
        out[..., i : i + 1, :] = sublayer(Z[..., i : i + 1, :])
    return X + out


@wrong("normalises once more at the end", names={"normed-twice"})
def both_norms(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)


@wrong("gives the sub-layer the sum of the input and its norm", line="Z = X + layer_norm(X, gamma, beta, eps)")
def norm_added_first(X, sublayer, gamma, beta, eps=1e-5):
    Z = X + layer_norm(X, gamma, beta, eps)
    return X + sublayer(Z)


@wrong("takes the norm of the sum and adds the input once more", names={"norm-of-the-sum-added"})
def norms_the_sum(X, sublayer, gamma, beta, eps=1e-5):
    Y = X + sublayer(X)
    return X + layer_norm(Y, gamma, beta, eps)
