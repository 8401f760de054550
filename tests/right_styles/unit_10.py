"""Right functions of unit 10 in other styles than the reference's."""

import math

import numpy as np
from scipy.special import log_softmax, logsumexp
from scipy.special import softmax as scipy_softmax

from transformer_kit import reference
from transformer_kit.parameters import TrainingState


def shift_by_concatenating(target_ids, bos_id):
    start = np.full((target_ids.shape[0], 1), bos_id, dtype=target_ids.dtype)
    return np.concatenate([start, target_ids[:, :-1]], axis=1)


def shift_by_rolling(target_ids, bos_id):
    """What comes round is overwritten; whether rows or the whole batch are rolled does not matter then."""
    shifted = np.roll(target_ids, 1)
    shifted[:, 0] = bos_id
    return shifted


def shift_by_lists(target_ids, bos_id):
    return np.array([[bos_id, *row[:-1]] for row in target_ids.tolist()])


def shift_by_loops(target_ids, bos_id):
    shifted = target_ids.copy()
    for row in shifted:
        for t in range(len(row) - 1, 0, -1):  # backwards, so that nothing is overwritten too early
            row[t] = row[t - 1]
        row[0] = bos_id
    return shifted


def shift_by_padding(target_ids, bos_id):
    return np.pad(target_ids, ((0, 0), (1, 0)), constant_values=bos_id)[:, :-1].copy()


def smooth_with_where(token_ids, vocab_size, epsilon):
    right = np.expand_dims(token_ids, -1) == np.arange(vocab_size)
    return np.where(right, 1 - epsilon + epsilon / vocab_size, epsilon / vocab_size)


def smooth_with_eye(token_ids, vocab_size, epsilon):
    return ((1 - epsilon) * np.eye(vocab_size) + epsilon / vocab_size)[token_ids]


def smooth_by_putting(token_ids, vocab_size, epsilon):
    output = np.full((*np.shape(token_ids), vocab_size), epsilon / vocab_size)
    np.put_along_axis(output, np.asarray(token_ids)[..., None], 1 - epsilon + epsilon / vocab_size, axis=-1)
    return output


def smooth_by_loops(token_ids, vocab_size, epsilon):
    output = np.zeros((*token_ids.shape, vocab_size))
    for place in np.ndindex(token_ids.shape):
        for word in range(vocab_size):
            output[(*place, word)] = epsilon / vocab_size
        output[(*place, token_ids[place])] += 1 - epsilon
    return output


def entropy_with_scipy(logits, target_distribution, is_token=None):
    losses = -np.einsum("...v,...v->...", target_distribution, log_softmax(logits.astype(float), axis=-1))
    return np.mean(losses if is_token is None else losses[is_token])


def entropy_with_weights(logits, target_distribution, is_token=None):
    is_token = np.ones(logits.shape[:-1]) if is_token is None else is_token
    shifted = logits - np.max(logits, axis=-1, keepdims=True)
    log_probs = shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))
    losses = -np.sum(target_distribution * log_probs, axis=-1)
    return float(np.sum(losses * is_token) / np.sum(is_token))


def entropy_by_loops(logits, target_distribution, is_token=None):
    total, count = 0.0, 0
    for place in np.ndindex(logits.shape[:-1]):
        if is_token is not None and not is_token[place]:
            continue
        row = [float(logit) for logit in logits[place]]
        largest = max(row)
        log_sum = largest + math.log(sum(math.exp(logit - largest) for logit in row))
        shares = target_distribution[place].tolist()
        total -= sum(share * (logit - log_sum) for share, logit in zip(shares, row, strict=True))
        count += 1
    return total / count


def entropy_as_gap(logits, target_distribution, is_token=None):
    """The logarithm of the sum minus the mean logit: rows of the target sum to 1."""
    losses = logsumexp(logits, axis=-1) - (target_distribution * logits).sum(-1)
    return np.average(losses, weights=is_token)


def entropy_of_rows(logits, target_distribution, is_token=None):
    """All leading axes as one; padding is cut out before anything is computed."""
    n_classes = logits.shape[-1]
    rows, wanted = logits.reshape(-1, n_classes), target_distribution.reshape(-1, n_classes)
    if is_token is not None:
        rows, wanted = rows[is_token.ravel()], wanted[is_token.ravel()]
    log_probs = rows - np.logaddexp.reduce(rows, axis=1)[:, None]
    return -np.vdot(wanted, log_probs) / len(rows)


def gradient_with_scipy(logits, target_distribution, is_token=None):
    gradient = scipy_softmax(logits, axis=-1) - target_distribution
    if is_token is None:
        return gradient / np.prod(logits.shape[:-1])
    return np.where(is_token[..., None], gradient / np.count_nonzero(is_token), 0)


def gradient_by_loops(logits, target_distribution, is_token=None):
    is_token = np.ones(logits.shape[:-1], dtype=bool) if is_token is None else is_token
    gradient = np.zeros(logits.shape)
    for place in np.ndindex(logits.shape[:-1]):
        if is_token[place]:
            gradient[place] = (reference.softmax(logits[place]) - target_distribution[place]) / is_token.sum()
    return gradient


def gradient_by_selection(logits, target_distribution, is_token=None):
    is_token = np.full(logits.shape[:-1], True) if is_token is None else is_token
    gradient = np.zeros_like(logits)
    gradient[is_token] = (reference.softmax(logits[is_token]) - target_distribution[is_token]) / is_token.sum()
    return gradient


def gradient_through_jacobians(logits, target_distribution, is_token=None):
    """The chain rule as it stands: the gradient of the logarithm, then that of the log-softmax."""
    weights = np.ones(logits.shape[:-1]) if is_token is None else is_token.astype(float)
    d_log_probs = -target_distribution * (weights / weights.sum())[..., None]
    probs = np.exp(logits - logsumexp(logits, axis=-1, keepdims=True))
    return d_log_probs - probs * d_log_probs.sum(axis=-1, keepdims=True)


def rate_with_a_branch(step, d_model, warmup_steps):
    peak = 1 / math.sqrt(d_model * warmup_steps)
    if step < warmup_steps:
        return peak * step / warmup_steps
    return peak * math.sqrt(warmup_steps / step)


def rate_with_numpy(step, d_model, warmup_steps):
    return np.minimum(1 / np.sqrt(step), step / np.sqrt(warmup_steps) ** 3) / np.sqrt(d_model)


def rate_with_powers(step, d_model, warmup_steps):
    return pow(d_model, -0.5) * min(pow(step, -0.5), step * pow(warmup_steps, -1.5))


def rate_by_logarithms(step, d_model, warmup_steps):
    rising = math.log(step) - 1.5 * math.log(warmup_steps)
    return math.exp(-0.5 * math.log(d_model) + min(-0.5 * math.log(step), rising))


def adam_as_in_the_paper(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m_new = beta_1 * m + (1 - beta_1) * grad
    v_new = beta_2 * v + (1 - beta_2) * np.square(grad)
    m_hat = m_new / (1 - np.power(beta_1, step))
    v_hat = v_new / (1 - np.power(beta_2, step))
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m_new, v_new


def adam_by_differences(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """A running mean moves towards what is new."""
    m = m + (1 - beta_1) * (grad - m)
    v = v + (1 - beta_2) * (grad * grad - v)
    size = np.sqrt(v) / math.sqrt(1 - beta_2**step) + eps
    return param - lr / (1 - beta_1**step) * m / size, m, v


def adam_by_loops(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    param, m, v = (np.array(array, dtype=float) for array in (param, m, v))
    for i in np.ndindex(param.shape):
        m[i] = beta_1 * m[i] + (1 - beta_1) * grad[i]
        v[i] = beta_2 * v[i] + (1 - beta_2) * grad[i] ** 2
        param[i] -= lr * (m[i] / (1 - beta_1**step)) / (math.sqrt(v[i] / (1 - beta_2**step)) + eps)
    return param, m, v


def adam_on_copies(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    param, m, v = param.copy(), m.copy(), v.copy()
    m *= beta_1
    m += (1 - beta_1) * grad
    v *= beta_2
    v += (1 - beta_2) * grad**2
    param -= lr * (m / (1 - beta_1**step)) / ((v / (1 - beta_2**step)) ** 0.5 + eps)
    return [param, m, v]


def training_piece_by_piece(state, batch, forward, backward, settings):
    """Nothing is called but what was handed over."""
    number = state.step + 1
    read = np.full_like(batch.target_ids, settings.bos_id)
    read[:, 1:] = batch.target_ids[:, :-1]
    logits = forward(state.params, batch.source_ids, read)
    log_probs = log_softmax(logits, axis=-1)
    wanted = smooth_with_eye(batch.target_ids, logits.shape[-1], settings.epsilon)
    n_tokens = batch.is_token.sum()
    loss = -(wanted * log_probs)[batch.is_token].sum() / n_tokens
    d_logits = np.where(batch.is_token[..., None], np.exp(log_probs) - wanted, 0) / n_tokens
    gradient = backward(d_logits, state.params, batch.source_ids, read)
    rate = rate_with_a_branch(number, settings.d_model, settings.warmup_steps)
    params, m, v = adam_as_in_the_paper(state.params, gradient, state.m, state.v, number, rate)
    return state._replace(step=number, params=params, m=m, v=v), float(loss)


def training_with_plain_tuples(state, batch, forward, backward, settings):
    step, params, m, v = state
    source_ids, target_ids, is_token = batch
    bos_id, epsilon, d_model, warmup_steps = settings
    step = step + 1
    read = reference.shift_right(target_ids, bos_id)
    logits = forward(params, source_ids, read)
    wanted = reference.smooth_labels(target_ids, logits.shape[2], epsilon)
    gradient = backward(reference.cross_entropy_backward(logits, wanted, is_token), params, source_ids, read)
    rate = rate_with_powers(step, d_model, warmup_steps)
    moved = adam_on_copies(params, gradient, m, v, step, rate)
    return [[step, *moved], reference.cross_entropy(logits, wanted, is_token)]


def training_of_real_tokens(state, batch, forward, backward, settings):
    """Loss and gradient are computed on the rows of tokens alone; padding keeps the zeros."""
    read = shift_by_concatenating(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, read)
    said = logits[batch.is_token]
    wanted = smooth_with_where(batch.target_ids[batch.is_token], logits.shape[-1], settings.epsilon)
    d_logits = np.zeros(logits.shape)
    d_logits[batch.is_token] = reference.cross_entropy_backward(said, wanted)
    gradient = backward(d_logits, state.params, batch.source_ids, read)
    rate = rate_by_logarithms(state.step + 1, settings.d_model, settings.warmup_steps)
    moved = adam_by_loops(state.params, gradient, state.m, state.v, state.step + 1, rate)
    return TrainingState(state.step + 1, *moved), reference.cross_entropy(said, wanted)


STYLES = {
    "shift_right": (shift_by_concatenating, shift_by_rolling, shift_by_lists, shift_by_loops, shift_by_padding),
    "smooth_labels": (smooth_with_where, smooth_with_eye, smooth_by_putting, smooth_by_loops),
    "cross_entropy": (
        entropy_with_scipy,
        entropy_with_weights,
        entropy_by_loops,
        entropy_as_gap,
        entropy_of_rows,
    ),
    "cross_entropy_backward": (
        gradient_with_scipy,
        gradient_by_loops,
        gradient_by_selection,
        gradient_through_jacobians,
    ),
    "noam_learning_rate": (rate_with_a_branch, rate_with_numpy, rate_with_powers, rate_by_logarithms),
    "adam_update": (adam_as_in_the_paper, adam_by_differences, adam_by_loops, adam_on_copies),
    "train_step": (training_piece_by_piece, training_with_plain_tuples, training_of_real_tokens),
}
