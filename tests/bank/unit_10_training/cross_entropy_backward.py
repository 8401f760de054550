"""Functions that learners wrote for `cross_entropy_backward`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "the sign is wrong: it is the target minus the probabilities",
    names={"sign"},
    line="gradient = (target_distribution - p) / is_token.sum()",
)
def sign_reversed(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    p = reference.softmax(logits)
    gradient = (target_distribution - p) / is_token.sum()
    return gradient * is_token[..., None]


@wrong(
    "the rows are not divided by the number of tokens",
    names={"not-divided"},
    line="return gradient * is_token[..., None]",
)
def not_divided(logits, target_distribution, is_token=None):
    gradient = reference.softmax(logits) - target_distribution
    if is_token is None:
        return gradient
    return gradient * is_token[..., None]


@wrong(
    "divides by all positions, padding included, instead of the real tokens",
    names={"divided-by-everything"},
    line="gradient = gradient / gradient[..., 0].size",
)
def divides_by_positions(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    gradient = p - target_distribution
    gradient = gradient / gradient[..., 0].size
    if is_token is not None:
        gradient[~is_token] = 0
    return gradient


@wrong(
    "the rows of padding are not set to 0, only the number of tokens is that without padding",
    names={"padding-not-zeroed"},
    line="return (p - target_distribution) / n",
)
def padding_not_zero(logits, target_distribution, is_token=None):
    p = reference.softmax(logits, axis=-1)
    if is_token is None:
        n = np.prod(logits.shape[:-1])
    else:
        n = is_token.sum()
    return (p - target_distribution) / n


@wrong(
    "the logits are not turned into probabilities before the target is subtracted",
    names={"without-softmax"},
    line="gradient = logits - target_distribution",
)
def no_softmax(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    gradient = logits - target_distribution
    gradient = np.where(is_token[..., None], gradient, 0)
    return gradient / np.sum(is_token)


@wrong(
    "is_token gets no axis for the words, so it meets the wrong axes of the gradient",
    names={"mask-without-axis"},
    line="return (p - target_distribution) * is_token / count",
)
def mask_without_axis(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
        return (p - target_distribution) / is_token.size
    count = is_token.sum()
    return (p - target_distribution) * is_token / count


@wrong(
    "divides by the number of all entries, words included, instead of the number of tokens",
    names={"divided-by-vocabulary"},
    line="gradient = (p - target_distribution) / logits.size",
)
def divides_by_entries(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    gradient = (p - target_distribution) / logits.size
    if is_token is not None:
        gradient = gradient * is_token[..., None] * is_token.size / is_token.sum()
    return gradient


@wrong(
    "the softmax adds up over the whole array instead of along the words",
    names={"softmax-of-everything"},
    line="p = e / e.sum()",
)
def softmax_over_everything(logits, target_distribution, is_token=None):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    p = e / e.sum()
    g = p - target_distribution
    if is_token is None:
        return g / np.prod(g.shape[:-1])
    g[~is_token] = 0
    return g / is_token.sum()


@wrong(
    "the softmax is taken without subtracting the maximum, so large logits overflow and give nan",
    names={"unstable"},
    line="e = np.exp(logits)",
)
def overflows(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    e = np.exp(logits)
    p = e / e.sum(axis=-1, keepdims=True)
    return np.where(is_token[..., None], p - target_distribution, 0.0) / is_token.sum()


@wrong(
    "divides every sentence by its own number of tokens instead of by that of the whole batch",
    names={"divided-within-sentences", "mean-of-means"},
    line="count = is_token.sum(axis=-1)[..., None, None]",
)
def divides_per_sentence(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    count = is_token.sum(axis=-1)[..., None, None]
    difference = reference.softmax(logits) - target_distribution
    return difference * is_token[..., None] / count


@wrong(
    "returns the gradient with respect to the probabilities, -t / p, instead of the logits",
    names={"of-the-probabilities"},
    line="gradient = -target_distribution / p",
)
def gradient_of_probabilities(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    gradient = -target_distribution / p
    gradient = gradient / is_token.sum()
    gradient[np.logical_not(is_token)] = 0.0
    return gradient


@wrong(
    "returns the rows of the real tokens only, so the axes are lost and padding has no rows",
    names={"padding-dropped"},
    line="gradient = gradient[is_token]",
)
def drops_padding_rows(logits, target_distribution, is_token=None):
    gradient = reference.softmax(logits) - target_distribution
    if is_token is None:
        return gradient / np.prod(logits.shape[:-1])
    gradient = gradient[is_token]
    return gradient / len(gradient)


@wrong(
    "without is_token nothing is divided: the number of tokens is taken as 1",
    names={"not-divided"},
    line="count = 1",
)
def none_counts_as_one(logits, target_distribution, is_token=None):
    gradient = reference.softmax(logits) - target_distribution
    if is_token is None:
        count = 1
    else:
        count = is_token.sum()
        gradient = gradient * is_token[..., np.newaxis]
    return gradient / count


@wrong(
    "two: the rows of the real tokens are set to 0 instead of those of padding, and nothing is divided",
    names={"not-divided"},
    line="gradient[is_token] = 0",
)
def zeroes_tokens(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    gradient = p - target_distribution
    if is_token is not None:
        gradient[is_token] = 0
    return gradient


@wrong(
    "two: log-probabilities are used instead of probabilities, and the padding is not set to 0",
    names={"padding-not-zeroed"},
    line="return (log_p - target_distribution) / n",
)
def log_probabilities(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    n = logits[..., 0].size if is_token is None else is_token.sum()
    return (log_p - target_distribution) / n


@wrong(
    "writes the gradient into the caller's logits, which are changed",
    names={"in-place"},
    line="logits -= logits.max(axis=-1, keepdims=True)",
)
def changes_logits(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    logits -= logits.max(axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=-1, keepdims=True)
    logits -= target_distribution
    logits *= is_token[..., None] / is_token.sum()
    return logits


@right
def masked_difference(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    difference = reference.softmax(logits) - target_distribution
    return difference * is_token[..., None] / is_token.sum()


@right
def padding_by_index(logits, target_distribution, is_token=None):
    gradient = reference.softmax(logits, axis=-1)
    gradient = gradient - target_distribution
    n = gradient[..., 0].size
    if is_token is not None:
        gradient[~is_token] = 0.0
        n = np.count_nonzero(is_token)
    return gradient / n


@right
def row_by_row(logits, target_distribution, is_token=None):
    V = logits.shape[-1]
    result = np.zeros((logits.size // V, V))
    rows, targets = logits.reshape(-1, V), target_distribution.reshape(-1, V)
    real = [True] * len(rows) if is_token is None else list(is_token.ravel())
    for i in range(len(rows)):
        if real[i]:
            e = np.exp(rows[i] - rows[i].max())
            result[i] = (e / e.sum() - targets[i]) / sum(real)
    return result.reshape(logits.shape)


@right
def weights_and_where(logits, target_distribution, is_token=None):
    e = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    p = np.divide(e, np.sum(e, axis=-1)[..., None])
    real = np.full(logits.shape[:-1], True) if is_token is None else is_token
    return np.where(real[..., np.newaxis], p - target_distribution, 0.0) / np.sum(real)
