"""Functions that learners wrote for `post_norm`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "computes pre-norm: normalises the sub-layer's input, and adds X unnormalised",
    names={"norm-before-sublayer"},
    line="normed = reference.layer_norm(X, gamma, beta, eps)",
)
def pre_norm_instead(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma, beta, eps)
    return X + sublayer(normed)


@wrong(
    "normalises the sub-layer's output alone and adds X after the norm",
    names={"norm-before-adding"},
    line="normed = reference.layer_norm(out, gamma, beta, eps)",
)
def sum_after_norm(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    normed = reference.layer_norm(out, gamma, beta, eps)
    return X + normed


@wrong(
    "leaves the residual sum out: normalises the sub-layer's output alone",
    names={"no-residual"},
    line="return reference.layer_norm(out, gamma, beta, eps)",
)
def no_residual(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    return reference.layer_norm(out, gamma, beta, eps)


@wrong(
    "does not hand eps on, so the norm always uses 1e-5",
    names={"eps-not-handed-on"},
    line="return reference.layer_norm(total, gamma, beta)",
)
def eps_not_passed(X, sublayer, gamma, beta, eps=1e-5):
    total = X + sublayer(X)
    return reference.layer_norm(total, gamma, beta)


@wrong(
    "hands gamma and beta over in the wrong order",
    names={"gamma-and-beta-exchanged"},
    line="return reference.layer_norm(total, beta, gamma, eps)",
)
def gamma_and_beta_swapped(X, sublayer, gamma, beta, eps=1e-5):
    total = X + sublayer(X)
    return reference.layer_norm(total, beta, gamma, eps)


@wrong(
    "adds the sub-layer's output to X in place, which changes the argument",
    names={"in-place"},
    line="X += sublayer(X)",
)
def adds_in_place(X, sublayer, gamma, beta, eps=1e-5):
    X += sublayer(X)
    return reference.layer_norm(X, gamma, beta, eps)


@wrong(
    "adds the function to the array instead of what the function returns, which raises",
    names={"no-sublayer", "not-called"},
    line="total = X + sublayer",
)
def not_called(X, sublayer, gamma, beta, eps=1e-5):
    total = X + sublayer
    return reference.layer_norm(total, gamma, beta, eps)


@wrong(
    "adds X once more after the norm, so what leaves the block is not normalised",
    names={"added-again"},
    line="return X + normed",
)
def second_residual(X, sublayer, gamma, beta, eps=1e-5):
    total = X + sublayer(X)
    normed = reference.layer_norm(total, gamma, beta, eps)
    return X + normed


@wrong(
    "subtracts X from the sub-layer's output instead of adding it", names={"subtracted"}, line="total = sublayer(X) - X"
)
def minus(X, sublayer, gamma, beta, eps=1e-5):
    total = sublayer(X) - X
    return reference.layer_norm(total, gamma, beta, eps)


@wrong(
    "normalises the sub-layer's input as well as the sum",
    names={"normed-twice"},
    line="inside = sublayer(reference.layer_norm(X, gamma, beta, eps))",
)
def norm_twice(X, sublayer, gamma, beta, eps=1e-5):
    inside = sublayer(reference.layer_norm(X, gamma, beta, eps))
    return reference.layer_norm(X + inside, gamma, beta, eps)


@wrong("returns the sum without the norm", names={"no-norm"}, line="return X + out")
def no_norm(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    return X + out


@wrong("multiplies input and output of the sub-layer instead of adding them", line="Y = X * sublayer(X)")
def product(X, sublayer, gamma, beta, eps=1e-5):
    Y = X * sublayer(X)
    return reference.layer_norm(Y, gamma, beta, eps)


@wrong(
    "normalises X only, before the sum, and leaves the sum unnormalised",
    names={"normed-residual"},
    line="return reference.layer_norm(X, gamma, beta, eps) + out",
)
def norm_of_input_only(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    return reference.layer_norm(X, gamma, beta, eps) + out


@wrong("runs the sub-layer a second time, on the sum, and normalises that", line="out = sublayer(X + sublayer(X))")
def sublayer_twice(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X + sublayer(X))
    return reference.layer_norm(out, gamma, beta, eps)


@wrong(
    "two: the residual sum is missing, and eps is not handed on",
    names={"eps-not-handed-on", "no-residual"},
    line=None,
)
def sum_and_eps(X, sublayer, gamma, beta, eps=1e-5):
    return reference.layer_norm(sublayer(X), gamma, beta)


@wrong(
    "normalises with its own lines and forgets gamma and beta",
    names={"gamma-and-beta-replaced"},
    line="return (Y - mean) / np.sqrt(var + eps)",
)
def own_norm_without_scale(X, sublayer, gamma, beta, eps=1e-5):
    Y = X + sublayer(X)
    mean = Y.mean(axis=-1, keepdims=True)
    var = Y.var(axis=-1, keepdims=True)
    return (Y - mean) / np.sqrt(var + eps)


@wrong(
    "two: gamma and beta are handed over in the wrong order, and eps is not handed on",
    names={"eps-not-handed-on", "gamma-and-beta-exchanged"},
    line="return reference.layer_norm(added, beta, gamma)",
)
def order_and_eps(X, sublayer, gamma, beta, eps=1e-5):
    added = np.add(X, sublayer(X))
    return reference.layer_norm(added, beta, gamma)


@wrong(
    "adds X in place into what the sub-layer returned, which changes X where the sub-layer returns its argument",
    names={"in-place", "into-what-came-back"},
    line="out += X",
)
def adds_into_returned_array(X, sublayer, gamma, beta, eps=1e-5):
    out = sublayer(X)
    out += X
    return reference.layer_norm(out, gamma, beta, eps)


@right
def one_line(X, sublayer, gamma, beta, eps=1e-5):
    return reference.layer_norm(X + sublayer(X), gamma, beta, eps)


@right
def with_names(X, sublayer, gamma, beta, eps=1e-5):
    branch = sublayer(X)
    total = np.add(X, branch)
    return reference.layer_norm(X=total, gamma=gamma, beta=beta, eps=eps)


@right
def norm_written_out(X, sublayer, gamma, beta, eps=1e-5):
    total = np.array(X, dtype=float)
    total += sublayer(X)
    total -= total.mean(axis=-1, keepdims=True)
    scale = np.sqrt((total**2).mean(axis=-1, keepdims=True) + eps)
    return total / scale * gamma + beta
