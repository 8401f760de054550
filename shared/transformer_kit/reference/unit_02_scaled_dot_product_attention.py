"""Unit 02: scaled dot-product attention and its derivatives (Vaswani et al. 2017, section 3.2.1)."""

import math

import numpy as np

from transformer_kit.reference.floats import as_float


def softmax(x, axis=-1):
    """Turn the numbers along `axis` into positive weights that sum to 1.

    Parameters
    ----------
    x : ndarray of any shape
        Finite numbers, or -inf for a weight of exactly 0; at least one finite number along `axis`.
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray of the shape of `x`
    """
    x = as_float(x)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))  # the largest exponent is 0: no overflow
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)

    Returns
    -------
    ndarray of shape (..., n_queries, n_keys)

    Notes
    -----
    The argument of the softmax in Vaswani et al. 2017, equation 1.
    """
    Q, K = as_float(Q), as_float(K)
    # math.sqrt gives a Python float, which keeps float32 arrays float32; np.sqrt would not
    return Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])


def scaled_dot_product_attention(Q, K, V):
    """Return, for every query, the average of the values weighted by how well their keys match.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        Every row sums to 1.

    Notes
    -----
    Vaswani et al. 2017, equation 1.
    """
    weights = softmax(attention_scores(Q, K), axis=-1)
    return weights @ as_float(V), weights


def one_word_back(n):
    """Return queries and keys with which every word looks at the word before it.

    Parameters
    ----------
    n : int
        Number of words.

    Returns
    -------
    Q, K : ndarray of shape (n, 2)
        The first word, which has none before it, looks at itself.

    Notes
    -----
    One right answer of many. The score of position i for j is 2 j (i - 1) - j**2, which is largest for j = i - 1, and
    smaller by 1, 4, 9, ... for its neighbours; all of it ten times.
    """
    position = np.arange(float(n))
    Q = 10 * np.stack([2 * (position - 1), -np.ones(n)], axis=-1)
    K = np.stack([position, position**2], axis=-1)
    return Q, K


def softmax_jacobian(s, C=1.0):
    """Return the Jacobian of ``softmax(s / C)`` with respect to `s`.

    Parameters
    ----------
    s : ndarray of shape (n,)
    C : float
        The divisor; for attention the square root of d_k.

    Returns
    -------
    ndarray of shape (n, n)
        Entry (i, j) is the derivative of weight i with respect to s[j].
    """
    p = softmax(as_float(s) / C)
    return (np.diag(p) - np.outer(p, p)) / C


def softmax_backward(p, d_p, axis=-1):
    """Return the gradient before the softmax, given the gradient after it, without building a Jacobian.

    Parameters
    ----------
    p : ndarray of shape (..., n)
        What the softmax returned.
    d_p : ndarray of shape (..., n)
        Gradient of a loss with respect to `p`.
    axis : int
        The axis of the softmax.

    Returns
    -------
    ndarray of shape (..., n)
        Gradient of the loss with respect to the softmax's argument.
    """
    p, d_p = as_float(p), as_float(d_p)
    return p * (d_p - (p * d_p).sum(axis=axis, keepdims=True))


def attention_backward(d_output, Q, K, V, weights):
    """Return the gradients of a loss with respect to Q, K and V.

    Parameters
    ----------
    d_output : ndarray of shape (..., n_queries, d_v)
        Gradient of the loss with respect to the attention's output.
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        The weights of the forward pass, masked or not.

    Returns
    -------
    dQ : ndarray of shape (..., n_queries, d_k)
    dK : ndarray of shape (..., n_keys, d_k)
    dV : ndarray of shape (..., n_keys, d_v)
    """
    d_output, Q, K, V, weights = map(as_float, (d_output, Q, K, V, weights))
    dV = weights.swapaxes(-1, -2) @ d_output  # (..., n_keys, d_v)
    d_weights = d_output @ V.swapaxes(-1, -2)  # (..., n_queries, n_keys)
    d_products = softmax_backward(weights, d_weights) / math.sqrt(Q.shape[-1])
    return d_products @ K, d_products.swapaxes(-1, -2) @ Q, dV
