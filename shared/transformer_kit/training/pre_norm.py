"""One layer with the normalisation before each sub-layer, forward and backward: pre-norm.

The functions take and return what those of the same kind in `network` do, so either pair makes a stack.
"""

from transformer_kit.parameters import EncoderLayerParams, LayerNormParams
from transformer_kit.reference import layer_norm, layer_norm_backward
from transformer_kit.training.sublayers import attend, attend_backward, feed_forward, feed_forward_backward


def pre_norm_layer(X, params, n_heads, mask, dropout):
    """One layer of self-attention and feed-forward network, each on a branch that begins with a normalisation.

    Parameters
    ----------
    X : ndarray of shape (B, n, d_model)
    params : EncoderLayerParams
    n_heads : int
    mask : ndarray of bool
        Broadcastable to (B, n, n).
    dropout : Dropout

    Returns
    -------
    output : ndarray of shape (B, n, d_model)
    saved : tuple

    Notes
    -----
    Xiong et al. 2020, *On Layer Normalization in the Transformer Architecture*, figure 1 (b).
    """
    normed = layer_norm(X, *params.norm_1)
    attended, attention = attend(normed, normed, params.attention, n_heads, mask)
    factors = dropout.factors(attended)
    middle = X + attended * factors
    normed = layer_norm(middle, *params.norm_2)
    fed = feed_forward(normed, params.ffn)
    more_factors = dropout.factors(fed)
    return middle + fed * more_factors, (X, attention, factors, middle, normed, more_factors)


def pre_norm_layer_backward(d_output, saved, params, n_heads):
    """Go back through `pre_norm_layer`: the gradient of the output reaches the input untouched, and more is added.

    Parameters
    ----------
    d_output : ndarray of shape (B, n, d_model)
    saved : tuple
    params : EncoderLayerParams
    n_heads : int

    Returns
    -------
    dX : ndarray of shape (B, n, d_model)
    d_params : EncoderLayerParams
    """
    X, attention, factors, middle, normed, more_factors = saved
    d_normed, d_ffn = feed_forward_backward(d_output * more_factors, normed, params.ffn)
    d_more, *d_norm_2 = layer_norm_backward(d_normed, middle, params.norm_2.gamma)
    d_middle = d_output + d_more
    d_query, d_key, d_attention = attend_backward(d_middle * factors, attention, params.attention, n_heads)
    d_more, *d_norm_1 = layer_norm_backward(d_query + d_key, X, params.norm_1.gamma)
    d_norms = LayerNormParams(*d_norm_1), LayerNormParams(*d_norm_2)
    return d_middle + d_more, EncoderLayerParams(d_attention, d_norms[0], d_ffn, d_norms[1])
