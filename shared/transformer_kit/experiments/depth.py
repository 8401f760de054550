"""What becomes of signals and gradients in a deep stack of untrained encoder layers."""

import numpy as np

from transformer_kit.parameters import init_encoder_layer
from transformer_kit.reference import (
    attention_backward,
    ffn_backward,
    masked_attention,
    merge_heads,
    multi_head_attention,
    position_wise_ffn,
    split_heads,
)

N_TOKENS, D_MODEL, N_HEADS, D_FF = 16, 64, 4, 256
N_LAYERS = 12
SEEDS = range(8)  # results are means over these stacks


def random_stack(seed, n_layers=N_LAYERS):
    """Draw the input and the layers of a stack.

    Parameters
    ----------
    seed : int
    n_layers : int

    Returns
    -------
    X : ndarray of shape (N_TOKENS, D_MODEL)
        Entries of standard deviation 1.
    stack : list of EncoderLayerParams
        gamma is 1, and beta and the biases are 0.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_TOKENS, D_MODEL))
    return X, [init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF) for _ in range(n_layers)]


def top_gradient(seed):
    """Draw the gradient of a loss with respect to the output of a stack; the length of the whole array is 1."""
    gradient = np.random.default_rng([seed, 1]).standard_normal((N_TOKENS, D_MODEL))
    return gradient / np.linalg.norm(gradient)


def without_norm(residual, n_layers=N_LAYERS):
    """Measure a stack whose sub-layers follow each other without any normalisation.

    Parameters
    ----------
    residual : bool
        Whether every sub-layer's input is added to its output.
    n_layers : int

    Returns
    -------
    scales : ndarray of shape (n_layers + 1,)
        Root mean square of the token vectors, from the input of the stack to its output.
    gradients : ndarray of shape (n_layers + 1,)
        Length of the gradient of the loss with respect to the same vectors.
    """
    scales, gradients = zip(*(_one_without_norm(seed, residual, n_layers) for seed in SEEDS), strict=True)
    return np.mean(scales, axis=0), np.mean(gradients, axis=0)


def _one_without_norm(seed, residual, n_layers):
    X, stack = random_stack(seed, n_layers)
    inputs, scales = [], [_root_mean_square(X)]
    for params in stack:
        middle = residual * X + attend(X, params)
        inputs.append((X, middle))
        X = residual * middle + position_wise_ffn(middle, params.ffn)
        scales.append(_root_mean_square(X))
    gradient = top_gradient(seed)
    gradients = [np.linalg.norm(gradient)]
    for params, (X, middle) in zip(stack[::-1], inputs[::-1], strict=True):
        gradient = residual * gradient + ffn_backward(gradient, middle, params.ffn)[0]
        gradient = residual * gradient + attend_backward(gradient, X, params)
        gradients.append(np.linalg.norm(gradient))
    return scales, gradients[::-1]


def weight_gradients(encoder_layer, layer_norm, layer_norm_backward, norm_first, n_layers=N_LAYERS):
    """Measure the gradients of the weights of every layer's feed-forward network.

    Parameters
    ----------
    encoder_layer, layer_norm, layer_norm_backward : callable
        The functions of unit 07.
    norm_first : bool
        True: pre-norm, with one more normalisation at the top of the stack. False: post-norm.
    n_layers : int

    Returns
    -------
    ndarray of shape (n_layers,)
        Length of the gradient of a loss with respect to all the weights and biases of the network, first
        layer first.
    """
    walk = _pre_norm_backward if norm_first else _post_norm_backward
    norms = []
    for seed in SEEDS:
        X, stack = random_stack(seed, n_layers)
        states = [X]
        for params in stack:
            states.append(encoder_layer(states[-1], params, N_HEADS, None, norm_first))
        gradient = top_gradient(seed)
        if norm_first:
            gradient = layer_norm_backward(gradient, states[-1], np.ones(D_MODEL))[0]
        norms.append([])
        for params, X in zip(stack[::-1], states[-2::-1], strict=True):
            gradient, d_ffn = walk(gradient, X, params, layer_norm, layer_norm_backward)
            norms[-1].append(np.sqrt(sum((d**2).sum() for d in d_ffn)))
    return np.mean(norms, axis=0)[::-1]


def _post_norm_backward(gradient, X, params, layer_norm, layer_norm_backward):
    """Go back through one post-norm layer: every gradient passes both normalisations."""
    first_sum = X + attend(X, params)
    middle = layer_norm(first_sum, *params.norm_1)
    second_sum = middle + position_wise_ffn(middle, params.ffn)
    gradient = layer_norm_backward(gradient, second_sum, params.norm_2.gamma)[0]
    d_middle, d_ffn = ffn_backward(gradient, middle, params.ffn)
    gradient = layer_norm_backward(gradient + d_middle, first_sum, params.norm_1.gamma)[0]
    return gradient + attend_backward(gradient, X, params), d_ffn


def _pre_norm_backward(gradient, X, params, layer_norm, layer_norm_backward):
    """Go back through one pre-norm layer: the normalisations lie on the branches only."""
    normed = layer_norm(X, *params.norm_1)
    middle = X + attend(normed, params)
    d_normed, d_ffn = ffn_backward(gradient, layer_norm(middle, *params.norm_2), params.ffn)
    gradient = gradient + layer_norm_backward(d_normed, middle, params.norm_2.gamma)[0]
    d_normed = attend_backward(gradient, normed, params)
    return gradient + layer_norm_backward(d_normed, X, params.norm_1.gamma)[0], d_ffn


def attend(X, params):
    """Return the output of a layer's self-attention without its residual; no mask."""
    return multi_head_attention(X, X, params.attention, N_HEADS)[0]


def attend_backward(d_output, X, params):
    """Return the gradient with respect to the input X of `attend`, which enters as query, key and value.

    Parameters
    ----------
    d_output, X : ndarray of shape (n, D_MODEL)
    params : EncoderLayerParams

    Returns
    -------
    ndarray of shape (n, D_MODEL)
    """
    W_Q, W_K, W_V, W_O = params.attention
    Q, K, V = (split_heads(X @ W, N_HEADS) for W in (W_Q, W_K, W_V))
    _, weights = masked_attention(Q, K, V)
    d_heads = split_heads(d_output @ W_O.T, N_HEADS)
    gradients = attention_backward(d_heads, Q, K, V, weights)
    return sum(merge_heads(d) @ W.T for d, W in zip(gradients, (W_Q, W_K, W_V), strict=True))


def _root_mean_square(X):
    return np.sqrt((X**2).mean())
