"""Unit 10: what a model learns from: targets, loss, learning rate, update (Vaswani et al. 2017, section 5)."""

import numpy as np

from transformer_kit.parameters import TrainingState
from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_00_tokens_and_shapes import one_hot
from transformer_kit.reference.unit_02_scaled_dot_product_attention import softmax


def shift_right(target_ids, bos_id):
    """Return what the decoder reads while it learns to write the target: everything one place later.

    Parameters
    ----------
    target_ids : ndarray of shape (B, n), int
    bos_id : int
        The start symbol, which comes first.

    Returns
    -------
    ndarray of shape (B, n), int64
    """
    target_ids = np.asarray(target_ids)
    shifted = np.empty(target_ids.shape, dtype=np.int64)
    shifted[:, 0] = bos_id
    shifted[:, 1:] = target_ids[:, :-1]
    return shifted


def smooth_labels(token_ids, vocab_size, epsilon):
    """Return the distributions that the model should come close to.

    Parameters
    ----------
    token_ids : ndarray of shape (...), int
    vocab_size : int
    epsilon : float
        The share that is spread evenly over the whole vocabulary, the right token included.

    Returns
    -------
    ndarray of shape (..., vocab_size)

    Notes
    -----
    Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4, with epsilon = 0.1.
    """
    return (1 - epsilon) * one_hot(token_ids, vocab_size) + epsilon / vocab_size


def cross_entropy(logits, target_distribution, is_token=None):
    """Return how many nats per token the model needs, on average, for the target.

    Parameters
    ----------
    logits : ndarray of shape (..., n, V)
    target_distribution : ndarray of shape (..., n, V)
        Rows sum to 1.
    is_token : ndarray of shape (..., n), bool, optional
        False where the target is padding, which does not count.

    Returns
    -------
    float
        Not an ndarray of shape ().
    """
    logits, target_distribution = as_float(logits), as_float(target_distribution)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_probs).sum(axis=-1)  # (..., n)
    return float(losses.mean() if is_token is None else losses[np.asarray(is_token)].mean())


def cross_entropy_backward(logits, target_distribution, is_token=None):
    """Return the gradient of `cross_entropy` with respect to the logits.

    Parameters
    ----------
    logits : ndarray of shape (..., n, V)
    target_distribution : ndarray of shape (..., n, V)
    is_token : ndarray of shape (..., n), bool, optional

    Returns
    -------
    ndarray of shape (..., n, V)
        0 where the target is padding.
    """
    logits = as_float(logits)
    d_logits = softmax(logits) - as_float(target_distribution)
    if is_token is None:
        return d_logits / (logits.size // logits.shape[-1])
    is_token = np.asarray(is_token)
    return d_logits * (is_token / is_token.sum()).astype(d_logits.dtype)[..., None]


def noam_learning_rate(step, d_model, warmup_steps):
    """Return the learning rate of a step: a straight line up, then the inverse square root down.

    Parameters
    ----------
    step : int
        From 1.
    d_model : int
    warmup_steps : int
        The step of the largest rate.

    Returns
    -------
    float

    Notes
    -----
    Vaswani et al. 2017, equation 3.
    """
    return float(d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5))


def adam_update(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Move a parameter against its gradient, by steps of about the learning rate.

    Parameters
    ----------
    param, grad, m, v : ndarray of any shape
        The parameter, its gradient, and the running means of the gradient and of its square.
    step : int
        From 1.
    lr, beta_1, beta_2, eps : float

    Returns
    -------
    param, m, v : ndarray of the shape of `param`

    Notes
    -----
    Kingma and Ba 2015, algorithm 1; the betas and eps of Vaswani et al. 2017, section 5.3.
    """
    param, grad, m, v = map(as_float, (param, grad, m, v))
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    mean, mean_square = m / (1 - beta_1**step), v / (1 - beta_2**step)  # without the pull towards the 0 they began at
    return param - lr * mean / (np.sqrt(mean_square) + eps), m, v


def train_step(state, batch, forward, backward, settings):
    """Take one step of training: read a batch, compare, go back, move every parameter.

    Parameters
    ----------
    state : TrainingState
        Its `step` is the number of steps that have been made.
    batch : SentencePairs
    forward : callable
        ``forward(params, source_ids, decoder_ids)`` returns logits of shape (B, n_target, V).
    backward : callable
        ``backward(d_logits, params, source_ids, decoder_ids)`` returns the gradient with respect to `params`.
    settings : TrainingSettings

    Returns
    -------
    state : TrainingState
        A new one, after the step.
    loss : float
        Of the batch, before the step.

    Notes
    -----
    Vaswani et al. 2017, section 5.
    """
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    wanted = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, wanted, batch.is_token)
    d_logits = cross_entropy_backward(logits, wanted, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    rate = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    return TrainingState(step, *adam_update(state.params, gradient, state.m, state.v, step, rate)), loss
