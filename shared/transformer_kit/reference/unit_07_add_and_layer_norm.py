"""Unit 07: residual connections and layer normalisation (Vaswani et al. 2017, section 3.1; Ba et al. 2016)."""

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_04_multi_head_attention import multi_head_attention
from transformer_kit.reference.unit_06_feed_forward import position_wise_ffn


def layer_norm(X, gamma, beta, eps=1e-5):
    """Give every token vector mean 0 and variance 1, then scale and shift its features.

    Parameters
    ----------
    X : ndarray of shape (..., d)
    gamma, beta : ndarray of shape (d,)
        Scale and shift of every feature.
    eps : float
        Added to the variance, inside the root.

    Returns
    -------
    ndarray of shape (..., d)

    Notes
    -----
    Ba, Kiros and Hinton 2016.
    """
    normed, _ = _normalise(X, eps)
    return normed * gamma + beta


def _normalise(X, eps):
    """Return the normalised vectors and the standard deviations they were divided by."""
    X = as_float(X)
    d = X.shape[-1]
    centred = X - X.sum(axis=-1, keepdims=True) / d
    deviation = np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d + eps)
    return centred / deviation, deviation


def post_norm(X, sublayer, gamma, beta, eps=1e-5):
    """Add what a sub-layer returns to its input, then normalise.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    sublayer : callable
        Takes and returns an array of the shape of `X`.
    gamma, beta : ndarray of shape (d,)
    eps : float

    Returns
    -------
    ndarray of shape (..., n, d)

    Notes
    -----
    Vaswani et al. 2017, section 3.1.
    """
    X = as_float(X)
    return layer_norm(X + sublayer(X), gamma, beta, eps)


def pre_norm(X, sublayer, gamma, beta, eps=1e-5):
    """Add to the input what a sub-layer makes of the normalised input.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    sublayer : callable
        Takes and returns an array of the shape of `X`.
    gamma, beta : ndarray of shape (d,)
    eps : float

    Returns
    -------
    ndarray of shape (..., n, d)

    Notes
    -----
    Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture*, figure 1 (b).
    """
    X = as_float(X)
    return X + sublayer(layer_norm(X, gamma, beta, eps))


def encoder_layer(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """Apply one layer of the encoder: self-attention, then the feed-forward network, each with its residual.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    params : EncoderLayerParams
    n_heads : int
    mask : ndarray of bool, optional
        For the attention; broadcastable to (..., n, n).
    norm_first : bool
        False: post-norm, as in the paper. True: pre-norm.
    eps : float

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Notes
    -----
    Vaswani et al. 2017, figure 1, left.
    """
    add_and_norm = pre_norm if norm_first else post_norm
    X = add_and_norm(X, lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return add_and_norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_2, eps)


def fold_norm(gamma, beta, W, b):
    """Return a linear map that gives the same without `gamma` and `beta` in the norm before it.

    Parameters
    ----------
    gamma, beta : ndarray of shape (d_model,)
        Of the layer norm.
    W : ndarray of shape (d_model, d_out)
    b : ndarray of shape (d_out,)
        Of the linear map that takes what the norm returns.

    Returns
    -------
    W : ndarray of shape (d_model, d_out)
    b : ndarray of shape (d_out,)

    Notes
    -----
    One right answer of many: the entries of a normed token sum to 0, so a number that is added to a whole column of
    `W` changes nothing.
    """
    return gamma[:, None] * W, beta @ W + b


def layer_norm_backward(d_output, X, gamma, eps=1e-5):
    """Return the gradients of a loss through layer normalisation.

    Parameters
    ----------
    d_output : ndarray of shape (..., d)
        Gradient of the loss with respect to the output of `layer_norm`.
    X : ndarray of shape (..., d)
        The input of `layer_norm`.
    gamma : ndarray of shape (d,)
    eps : float

    Returns
    -------
    dX : ndarray of shape (..., d)
    d_gamma : ndarray of shape (d,)
        Summed over all leading axes, as is `d_beta`.
    d_beta : ndarray of shape (d,)
    """
    d_output = as_float(d_output)
    normed, deviation = _normalise(X, eps)
    d_normed = d_output * gamma
    mean = d_normed.mean(axis=-1, keepdims=True)
    along = (d_normed * normed).mean(axis=-1, keepdims=True)
    leading = tuple(range(d_output.ndim - 1))
    return (d_normed - mean - normed * along) / deviation, (d_output * normed).sum(leading), d_output.sum(leading)


def rms_norm(X, gamma, eps=1e-5):
    """Divide every token vector by its root mean square, without centring it.

    Parameters
    ----------
    X : ndarray of shape (..., d)
    gamma : ndarray of shape (d,)
    eps : float
        Added to the mean square, inside the root.

    Returns
    -------
    ndarray of shape (..., d)

    Notes
    -----
    Zhang and Sennrich 2019.
    """
    X = as_float(X)
    return X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps) * gamma
