"""Functions that learners wrote for `cross_entropy`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong(
    "the terms of a token are averaged over the vocabulary instead of added, so the loss is V times too small",
    names={"over-vocabulary"},
    line="losses = -(target_distribution * log_p).mean(axis=-1)",
)
def mean_over_words(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).mean(axis=-1)
    if is_token is None:
        return float(losses.mean())
    return float(losses[is_token].mean())


@wrong(
    "the losses of the tokens are added and not divided by their number",
    names={"sum"},
    line="return float(losses.sum())",
)
def sum_over_tokens(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.sum())


@wrong(
    "the sign is not turned round: the result is negative",
    names={"sign"},
    line="token_loss = np.sum(target_distribution * log_p, axis=-1)",
)
def without_minus(logits, target_distribution, is_token=None):
    c = np.max(logits, axis=-1, keepdims=True)
    log_p = logits - c - np.log(np.sum(np.exp(logits - c), axis=-1, keepdims=True))
    token_loss = np.sum(target_distribution * log_p, axis=-1)
    if is_token is None:
        is_token = np.ones(token_loss.shape, dtype=bool)
    return float(np.mean(token_loss[is_token]))


@wrong(
    "padding is left out of the sum but not of the number of tokens: it divides by all positions",
    names={"padding-in-the-count"},
    line="return float(losses.mean())",
)
def divides_by_all(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses * is_token
    return float(losses.mean())


@wrong(
    "is_token is ignored, so padding counts as a token",
    names={"padding-ignored"},
    line="return float(-log_likelihood.mean())",
)
def padding_counts(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    log_likelihood = (target_distribution * log_p).sum(axis=-1)
    return float(-log_likelihood.mean())


@wrong(
    "takes the mean of every sentence first and then that of the sentences, so tokens of short sentences count more",
    names={"mean-of-means"},
    line="per_sentence = (losses * is_token).sum(axis=-1) / is_token.sum(axis=-1)",
)
def mean_of_means(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is None:
        is_token = np.ones(losses.shape)
    per_sentence = (losses * is_token).sum(axis=-1) / is_token.sum(axis=-1)
    return float(per_sentence.mean())


@wrong(
    "takes the logarithm of the softmax, which is 0 in floating point for unlikely words and gives inf or nan",
    names={"log-of-softmax"},
    line="log_p = np.log(p)",
)
def log_of_softmax(logits, target_distribution, is_token=None):
    p = reference.softmax(logits)
    log_p = np.log(p)
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "the maximum is not subtracted, so large logits overflow to inf or nan",
    names={"not-shifted"},
    line="log_sum = np.log(np.exp(logits).sum(axis=-1, keepdims=True))",
)
def overflows(logits, target_distribution, is_token=None):
    log_sum = np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    log_p = logits - log_sum
    losses = -np.sum(target_distribution * log_p, axis=-1)
    if is_token is None:
        return float(np.mean(losses))
    return float(np.mean(losses[is_token]))


@wrong(
    "takes the logits for probabilities and puts a logarithm on them without a softmax",
    line="losses = -(target_distribution * np.log(logits)).sum(axis=-1)",
)
def log_of_logits(logits, target_distribution, is_token=None):
    losses = -(target_distribution * np.log(logits)).sum(axis=-1)
    if is_token is None:
        return float(losses.mean())
    return float(losses[is_token].sum() / is_token.sum())


@wrong(
    "subtracts the largest logit of the whole array instead of each row's, so a row far below it gives inf or nan",
    names={"max-of-all"},
    line="z = logits - logits.max()",
)
def one_maximum_for_all(logits, target_distribution, is_token=None):
    z = logits - logits.max()
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "counts only the word with the largest share of the target and leaves the others out, as if it was not smoothed",
    names={"right-token-only"},
    line="right_word = target_distribution.argmax(axis=-1)",
)
def largest_share_only(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    right_word = target_distribution.argmax(axis=-1)
    losses = -np.take_along_axis(log_p, right_word[..., None], axis=-1)[..., 0]
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "asks `if is_token:`, which raises a ValueError for an array of several entries",
    names={"truth-of-mask"},
    line="if is_token:",
)
def truth_of_array(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "the loss is in bits instead of nats: the log-probabilities are turned to base 2",
    names={"bits"},
    line="log_p = (z - np.log(np.exp(z).sum(axis=-1, keepdims=True))) / np.log(2)",
)
def in_bits(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = (z - np.log(np.exp(z).sum(axis=-1, keepdims=True))) / np.log(2)
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "returns the KL divergence: the entropy of the target is subtracted",
    names={"divergence"},
    line="losses = losses - entropy",
)
def kl_divergence(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    entropy = -(target_distribution * np.log(np.maximum(target_distribution, 1e-300))).sum(axis=-1)
    losses = losses - entropy
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "normalises along the positions (axis -2) instead of the vocabulary",
    names={"other-axis"},
    line="c = logits.max(axis=-2, keepdims=True)",
)
def over_positions(logits, target_distribution, is_token=None):
    c = logits.max(axis=-2, keepdims=True)
    log_p = logits - c - np.log(np.exp(logits - c).sum(axis=-2, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@wrong(
    "two: the logarithm of the sum of the exponentials is not subtracted, and padding counts as a token",
    names={"logits-as-they-are", "padding-ignored"},
    line="losses = -(target_distribution * z).sum(axis=-1)",
)
def unnormalised_and_padding(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    losses = -(target_distribution * z).sum(axis=-1)
    return float(np.mean(losses))


@wrong(
    "two: is_token is taken the wrong way round, so only padding counts, and the losses are added instead of averaged",
    names={"only-padding", "sum"},
    line="losses = losses[~is_token]",
)
def padding_only_sum(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[~is_token]
    return float(losses.sum())


@right
def select_and_mean(logits, target_distribution, is_token=None):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    if is_token is not None:
        losses = losses[is_token]
    return float(losses.mean())


@right
def with_logaddexp(logits, target_distribution, is_token=None):
    log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    losses = -np.einsum("...v,...v->...", target_distribution, log_p)
    weights = np.ones(losses.shape) if is_token is None else is_token.astype(float)
    return float(np.average(losses, weights=weights))


@right
def token_by_token(logits, target_distribution, is_token=None):
    V = logits.shape[-1]
    rows, targets = logits.reshape(-1, V), target_distribution.reshape(-1, V)
    real = np.ones(len(rows), dtype=bool) if is_token is None else is_token.ravel()
    total, count = 0.0, 0
    for z, t, counts in zip(rows, targets, real):
        if not counts:
            continue
        c = z.max()
        total -= np.sum(t * (z - c - np.log(np.sum(np.exp(z - c)))))
        count += 1
    return float(total / count)


@right
def where_and_count(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    c = np.amax(logits, axis=-1)[..., None]
    log_sum = np.log(np.sum(np.exp(logits - c), axis=-1))[..., None] + c
    terms = target_distribution * (log_sum - logits)
    return float(np.where(is_token, terms.sum(axis=-1), 0.0).sum() / np.count_nonzero(is_token))


@wrong(
    "takes the mean of the sentences' means, so that short sentences count as much as long ones",
    names={"mean-of-means"},
)
def mean_of_means_too(logits, target_distribution, is_token=None):
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1) * is_token
    return float(np.mean(losses.sum(axis=-1) / is_token.sum(axis=-1)))


@wrong(
    "subtracts the maximum of the whole batch, so that the sum of a row may vanish",
    names={"max-of-all"},
    line="z = logits - logits.max()",
)
def one_maximum(logits, target_distribution, is_token=None):
    z = logits - logits.max()
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_p).sum(axis=-1)
    return float(losses.mean() if is_token is None else losses[is_token].mean())


@wrong("exchanges target and prediction", names={"roles-exchanged"})
def other_way_round(logits, target_distribution, is_token=None):
    p = softmax(logits)
    log_t = np.log(np.where(target_distribution > 0, target_distribution, 1.0))
    losses = -(p * log_t).sum(axis=-1)
    return float(losses.mean() if is_token is None else losses[is_token].mean())
