"""Right functions of unit 07 in other styles than the reference's."""

import math

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import EncoderLayerParams


def norm_with_var(X, gamma, beta, eps=1e-5):
    mean = np.mean(X, axis=-1, keepdims=True)
    variance = np.var(X, axis=-1, keepdims=True)
    return gamma * (X - mean) / np.sqrt(variance + eps) + beta


def norm_by_loops(X, gamma, beta, eps=1e-5):
    output = np.zeros(X.shape)
    for place in np.ndindex(X.shape[:-1]):
        token = [float(entry) for entry in X[place]]
        mean = sum(token) / len(token)
        variance = sum((entry - mean) ** 2 for entry in token) / len(token)
        for j, entry in enumerate(token):
            output[(*place, j)] = gamma[j] * (entry - mean) / math.sqrt(variance + eps) + beta[j]
    return output


def norm_over_rows(X, gamma, beta, eps=1e-5):
    """All leading axes as one, and a new axis where keepdims would have kept one."""
    rows = X.reshape(-1, X.shape[-1]).astype(float)
    rows = rows - rows.mean(axis=1)[:, None]
    return (rows / (rows.std(axis=1) ** 2 + eps)[:, None] ** 0.5 * gamma + beta).reshape(X.shape)


def norm_with_einsum(X, gamma, beta, eps=1e-5):
    d = X.shape[-1]
    centred = X - np.einsum("...d->...", X)[..., None] / d
    variance = np.einsum("...d,...d->...", centred, centred) / d
    return np.einsum("...d,...,d->...d", centred, (variance + eps) ** -0.5, gamma) + beta


def norm_as_a_product(X, gamma, beta, eps=1e-5):
    """Centring is a linear map."""
    d = len(gamma)
    centred = X @ (np.eye(d) - 1 / d)
    return centred * np.reciprocal(np.sqrt((centred**2).sum(-1, keepdims=True) / d + eps)) * gamma + beta


def norm_along_axis(X, gamma, beta, eps=1e-5):
    def one(token):
        return (token - token.mean()) / np.hypot(token.std(), np.sqrt(eps)) * gamma + beta

    return np.apply_along_axis(one, -1, X)


def post_norm_in_two_lines(X, sublayer, gamma, beta, eps=1e-5):
    total = np.add(X, sublayer(X))
    return reference.layer_norm(total, gamma, beta, eps=eps)


def post_norm_written_out(X, sublayer, gamma, beta, eps=1e-5):
    total = sublayer(X.copy()) + X
    return norm_with_var(total, gamma, beta, eps)


def post_norm_in_place_on_its_own(X, sublayer, gamma, beta, eps=1e-5):
    total = X.copy()
    total += sublayer(X)
    return norm_with_einsum(total, gamma, beta, eps)


def pre_norm_in_two_lines(X, sublayer, gamma, beta, eps=1e-5):
    normed = reference.layer_norm(X, gamma=gamma, beta=beta, eps=eps)
    return sublayer(normed) + X


def pre_norm_written_out(X, sublayer, gamma, beta, eps=1e-5):
    return np.sum([X, sublayer(norm_with_var(X, gamma, beta, eps))], axis=0)


def pre_norm_in_place_on_its_own(X, sublayer, gamma, beta, eps=1e-5):
    output = X.copy()
    output += sublayer(norm_by_loops(X, gamma, beta, eps))
    return output


def layer_in_two_branches(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    if norm_first:
        normed = reference.layer_norm(X, *params.norm_1, eps)
        X = X + reference.multi_head_attention(normed, normed, params.attention, n_heads, mask)[0]
        return X + reference.position_wise_ffn(reference.layer_norm(X, *params.norm_2, eps), params.ffn)
    output, _ = reference.multi_head_attention(X, X, params.attention, n_heads, mask=mask)
    X = reference.layer_norm(X + output, params.norm_1.gamma, params.norm_1.beta, eps)
    return reference.layer_norm(X + reference.position_wise_ffn(X, params.ffn), *params.norm_2, eps=eps)


def layer_with_named_sublayers(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]

    def feed_forward(Z):
        hidden = np.maximum(0, Z @ params.ffn.W_1 + params.ffn.b_1)
        return hidden @ params.ffn.W_2 + params.ffn.b_2

    arrange = {True: pre_norm_written_out, False: post_norm_written_out}[norm_first]
    for sublayer, norm in ((attend, params.norm_1), (feed_forward, params.norm_2)):
        X = arrange(X, sublayer, norm.gamma, norm.beta, eps)
    return X


def layer_head_by_head(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attention, norm_1, ffn, norm_2 = EncoderLayerParams(*params)
    Z = norm_with_var(X, *norm_1, eps) if norm_first else X
    output = 0
    parts = (np.split(W, n_heads, axis=1) for W in attention[:3])
    for W_Q, W_K, W_V, W_O in zip(*parts, np.split(attention.W_O, n_heads), strict=True):
        output = output + reference.masked_attention(Z @ W_Q, Z @ W_K, Z @ W_V, mask)[0] @ W_O
    X = X + output if norm_first else norm_with_var(X + output, *norm_1, eps)
    Z = norm_with_var(X, *norm_2, eps) if norm_first else X
    before = Z @ ffn.W_1 + ffn.b_1
    X = X + (before * (before > 0) @ ffn.W_2 + ffn.b_2)
    return X if norm_first else norm_with_var(X, *norm_2, eps)


def backward_with_jacobians(d_output, X, gamma, eps=1e-5):
    """The whole Jacobian of every token, entry by entry of the chain rule."""
    d = X.shape[-1]
    dX, d_gamma, d_beta = np.zeros(X.shape), np.zeros(d), np.zeros(d)
    for place in np.ndindex(X.shape[:-1]):
        centred = X[place] - X[place].mean()
        deviation = np.sqrt((centred**2).mean() + eps)
        of_centring = np.eye(d) - np.ones((d, d)) / d
        of_dividing = np.eye(d) / deviation - np.outer(centred, centred) / (d * deviation**3)
        dX[place] = (d_output[place] * gamma) @ of_dividing @ of_centring
        d_gamma += d_output[place] * centred / deviation
        d_beta += d_output[place]
    return dX, d_gamma, d_beta


def backward_step_by_step(d_output, X, gamma, eps=1e-5):
    """One line of the forward function after the other, each turned round."""
    d = X.shape[-1]
    centred = X - X.mean(-1, keepdims=True)
    variance = X.var(-1, keepdims=True)
    inverse = 1 / np.sqrt(variance + eps)
    d_normed = d_output * gamma
    d_inverse = (d_normed * centred).sum(-1, keepdims=True)
    d_variance = -0.5 * (variance + eps) ** -1.5 * d_inverse
    d_centred = d_normed * inverse + d_variance * 2 * centred / d
    dX = d_centred - d_centred.mean(-1, keepdims=True)
    rows = (d_output * centred * inverse).reshape(-1, d)
    return dX, rows.sum(axis=0), d_output.reshape(-1, d).sum(axis=0)


def backward_in_one_fraction(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    g = d_output * gamma
    centred = X - X.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = centred / deviation
    top = d * g - g.sum(axis=-1, keepdims=True) - normed * (g * normed).sum(axis=-1, keepdims=True)
    ones = np.ones(d_output.size // d)
    d_gamma = np.einsum("td,td->d", d_output.reshape(-1, d), normed.reshape(-1, d))
    return [top / (d * deviation), d_gamma, ones @ d_output.reshape(-1, d)]


def rms_with_power(X, gamma, eps=1e-5):
    return gamma * X * (np.mean(np.square(X), axis=-1, keepdims=True) + eps) ** -0.5


def rms_by_loops(X, gamma, eps=1e-5):
    output = np.zeros(X.shape)
    for place in np.ndindex(X.shape[:-1]):
        square = sum(float(entry) ** 2 for entry in X[place]) / X.shape[-1]
        output[place] = [g * entry / math.sqrt(square + eps) for g, entry in zip(gamma, X[place], strict=True)]
    return output


def rms_with_einsum(X, gamma, eps=1e-5):
    square = np.einsum("...d,...d->...", X, X) / X.shape[-1]
    return X / np.sqrt(square + eps)[..., np.newaxis] * gamma


def rms_with_length(X, gamma, eps=1e-5):
    length = np.linalg.norm(X, axis=-1, keepdims=True)
    return X / np.hypot(length / np.sqrt(X.shape[-1]), np.sqrt(eps)) * gamma


STYLES = {
    "layer_norm": (
        norm_with_var,
        norm_by_loops,
        norm_over_rows,
        norm_with_einsum,
        norm_as_a_product,
        norm_along_axis,
    ),
    "post_norm": (post_norm_in_two_lines, post_norm_written_out, post_norm_in_place_on_its_own),
    "pre_norm": (pre_norm_in_two_lines, pre_norm_written_out, pre_norm_in_place_on_its_own),
    "encoder_layer": (layer_in_two_branches, layer_with_named_sublayers, layer_head_by_head),
    "layer_norm_backward": (backward_with_jacobians, backward_step_by_step, backward_in_one_fraction),
    "rms_norm": (rms_with_power, rms_by_loops, rms_with_einsum, rms_with_length),
}
