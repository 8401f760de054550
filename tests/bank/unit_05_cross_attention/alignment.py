"""Functions that learners wrote for `alignment`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "averages over the first axis, which is the batch and not the heads when there is a leading axis",
    names={"first-axis"},
    line="mean = weights.mean(axis=0)",
)
def first_axis(weights):
    mean = weights.mean(axis=0)
    best_source = mean.argmax(axis=-1)
    safe = np.where(mean > 0, mean, 1.0)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    return best_source, entropy


@wrong(
    "takes no care of weights of 0: 0 * log(0) gives NaN",
    names={"nan"},
    line="entropy = -np.sum(mean * np.log(mean), axis=-1)",
)
def log_of_zero(weights):
    mean = weights.mean(axis=-3)
    best_source = np.argmax(mean, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.sum(mean * np.log(mean), axis=-1)
    return best_source, entropy


@wrong(
    "takes the logarithm to base 2, so the entropy is in bits instead of nats",
    names={"bits"},
    line="entropy = -(mean * np.log2(safe)).sum(axis=-1)",
)
def in_bits(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean == 0, 1, mean)
    entropy = -(mean * np.log2(safe)).sum(axis=-1)
    return mean.argmax(axis=-1), entropy


@wrong(
    "forgets the minus sign of the entropy",
    names={"sign-lost"},
    line="entropy = np.sum(a * np.log(np.where(a > 0, a, 1)), axis=-1)",
)
def negative_entropy(weights):
    a = np.mean(weights, axis=-3)
    best = np.argmax(a, axis=-1)
    entropy = np.sum(a * np.log(np.where(a > 0, a, 1)), axis=-1)
    return best, entropy


@wrong(
    "averages the entropies of the heads instead of taking the entropy of the mean weights",
    names={"mean-of-entropies"},
    line="entropy = -(weights * np.log(safe)).sum(axis=-1).mean(axis=-2)",
)
def mean_of_entropies(weights):
    best_source = weights.mean(axis=-3).argmax(axis=-1)
    safe = np.where(weights > 0, weights, 1.0)
    entropy = -(weights * np.log(safe)).sum(axis=-1).mean(axis=-2)
    return best_source, entropy


@wrong(
    "takes the head with the single largest weight (the maximum over the heads) instead of the mean for the best "
    "source position",
    names={"best-by-max-over-heads", "max-over-heads"},
    line="best_source = weights.max(axis=-3).argmax(axis=-1)",
)
def maximum_over_heads(weights):
    best_source = weights.max(axis=-3).argmax(axis=-1)
    mean = weights.mean(axis=-3)
    terms = np.zeros_like(mean)
    seen = mean > 0
    terms[seen] = mean[seen] * np.log(mean[seen])
    return best_source, -terms.sum(axis=-1)


@wrong(
    "sums over the heads instead of averaging, so the entropy is not that of shares that sum to 1",
    names={"sum-over-heads"},
    line="total = weights.sum(axis=-3)",
)
def sum_over_heads(weights):
    total = weights.sum(axis=-3)
    best_source = total.argmax(axis=-1)
    safe = np.where(total > 0, total, 1)
    entropy = -np.sum(total * np.log(safe), axis=-1)
    return best_source, entropy


@wrong(
    "takes the last one of several equal weights instead of the first",
    names={"last-of-ties"},
    line="best_source = n - 1 - np.argmax(mean[..., ::-1], axis=-1)",
)
def last_on_a_tie(weights):
    mean = weights.mean(axis=-3)
    n = mean.shape[-1]
    best_source = n - 1 - np.argmax(mean[..., ::-1], axis=-1)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    return best_source, entropy


@wrong(
    "returns the largest mean weight instead of its position",
    names={"largest-weight"},
    line="best_source = mean.max(axis=-1)",
)
def weight_instead_of_place(weights):
    mean = weights.mean(axis=-3)
    best_source = mean.max(axis=-1)
    logs = np.log(np.where(mean > 0, mean, 1))
    return best_source, -(mean * logs).sum(axis=-1)


@wrong(
    "looks for the best target position of every source token: argmax along axis -2 instead of the last one",
    names={"best-target", "best-target-only"},
    line="best_source = np.argmax(mean, axis=-2)",
)
def best_target(weights):
    mean = weights.mean(axis=-3)
    best_source = np.argmax(mean, axis=-2)
    safe = np.where(mean > 0, mean, 1)
    entropy = -np.sum(mean * np.log(safe), axis=-1)
    return best_source, entropy


@wrong(
    "takes argmax of the whole array: one flat position instead of one per target position",
    names={"flat-position"},
    line="best_source = np.argmax(mean)",
)
def argmax_of_everything(weights):
    mean = weights.mean(axis=-3)
    best_source = np.argmax(mean)
    safe = np.where(mean > 0, mean, 1)
    entropy = -np.sum(mean * np.log(safe), axis=-1)
    return best_source, entropy


@wrong(
    "sums the entropy over the target positions instead of the source",
    names={"entropy-over-targets"},
    line="entropy = -(mean * np.log(safe)).sum(axis=-2)",
)
def entropy_of_columns(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-2)
    return mean.argmax(axis=-1), entropy


@wrong(
    "divides the entropy by the logarithm of the number of source tokens, so it is no longer in nats",
    names={"share-of-largest"},
    line="entropy = entropy / np.log(mean.shape[-1])",
)
def normalised(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    entropy = entropy / np.log(mean.shape[-1])
    return mean.argmax(axis=-1), entropy


@wrong(
    "returns the exponential of the entropy (a number of words) instead of the entropy",
    names={"effective-number"},
    line="return mean.argmax(axis=-1), np.exp(entropy)",
)
def number_of_words(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    return mean.argmax(axis=-1), np.exp(entropy)


@wrong(
    "returns entropy and best source in the wrong order",
    names={"results-exchanged"},
    line="return entropy, best_source",
)
def entropy_first(weights):
    mean = weights.mean(axis=-3)
    best_source = mean.argmax(axis=-1)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    return entropy, best_source


@wrong(
    "adds 0.01 to all weights inside the logarithm, so the entropy comes out too small",
    names={"visible-epsilon"},
    line="entropy = -(mean * np.log(mean + 0.01)).sum(axis=-1)",
)
def large_epsilon(weights):
    mean = weights.mean(axis=-3)
    best_source = mean.argmax(axis=-1)
    entropy = -(mean * np.log(mean + 0.01)).sum(axis=-1)
    return best_source, entropy


@wrong(
    "takes one best position per head: argmax of the weights before the mean",
    names={"best-of-every-head", "every-head"},
    line="best_source = weights.argmax(axis=-1)",
)
def best_of_every_head(weights):
    best_source = weights.argmax(axis=-1)
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    return best_source, -(mean * np.log(safe)).sum(axis=-1)


@wrong(
    "averages the best positions of the heads instead of taking the best position of the mean",
    line="best_source = weights.argmax(axis=-1).mean(axis=-2).astype(int)",
)
def mean_of_positions(weights):
    best_source = weights.argmax(axis=-1).mean(axis=-2).astype(int)
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    entropy = -(mean * np.log(safe)).sum(axis=-1)
    return best_source, entropy


@wrong(
    "forgets to multiply the logarithms by the weights",
    names={"only-logarithms"},
    line="entropy = -np.log(safe).sum(axis=-1)",
)
def only_logarithms(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1)
    entropy = -np.log(safe).sum(axis=-1)
    return mean.argmax(axis=-1), entropy


@wrong(
    "writes ones over the zeros of the weights that it was given (changes its argument, and the mean is wrong)",
    names={"in-place"},
    line="weights[weights == 0] = 1",
)
def ones_into_the_weights(weights):
    weights[weights == 0] = 1
    mean = weights.mean(axis=-3)
    entropy = -(mean * np.log(mean)).sum(axis=-1)
    return mean.argmax(axis=-1), entropy


@wrong(
    "two: takes no care of weights of 0 (NaN), and the logarithm is to base 2 instead of e",
    names={"bits", "nan"},
    line="entropy = -np.sum(mean * np.log2(mean), axis=-1)",
)
def bits_and_nan(weights):
    mean = np.mean(weights, axis=-3)
    entropy = -np.sum(mean * np.log2(mean), axis=-1)
    return np.argmax(mean, axis=-1), entropy


@wrong(
    "two: averages over the target positions instead of the heads, and forgets the minus sign of the entropy",
    names={"sign-lost"},
    line="mean = weights.mean(axis=-2)",
)
def wrong_mean_and_sign(weights):
    mean = weights.mean(axis=-2)
    best_source = mean.argmax(axis=-1)
    safe = np.where(mean > 0, mean, 1)
    return best_source, (mean * np.log(safe)).sum(axis=-1)


@wrong(
    "adds random numbers to the mean weights to break ties, so entropy and best source are random",
    line="mean = mean + 0.05 * np.random.random(mean.shape)",
)
def noise_against_ties(weights):
    mean = weights.mean(axis=-3)
    mean = mean + 0.05 * np.random.random(mean.shape)
    best_source = mean.argmax(axis=-1)
    safe = np.where(mean > 0, mean, 1)
    return best_source, -(mean * np.log(safe)).sum(axis=-1)


@right
def with_where(weights):
    mean = weights.mean(axis=-3)
    safe = np.where(mean > 0, mean, 1.0)
    return mean.argmax(axis=-1), -(mean * np.log(safe)).sum(axis=-1)


@right
def logarithms_where_needed(weights):
    a = np.mean(weights, axis=-3)
    logs = np.zeros(a.shape)
    np.log(a, out=logs, where=a > 0)
    entropy = -np.einsum("...s,...s->...", a, logs)
    return np.argmax(a, axis=-1), entropy


@right
def row_by_row(weights):
    mean = weights.sum(axis=-3) / weights.shape[-3]
    best, entropy = np.zeros(mean.shape[:-1], dtype=int), np.zeros(mean.shape[:-1])
    for place in np.ndindex(mean.shape[:-1]):
        row = mean[place]
        seen = row[row > 0]
        best[place] = row.argmax()
        entropy[place] = np.sum(seen * np.log(1 / seen))
    return best, entropy


@wrong("takes the mean of the heads' entropies instead of the entropy of their mean", names={"mean-of-entropies"})
def mean_of_entropies_too(weights):
    mean = weights.mean(axis=-3)
    logs = np.log(np.where(weights > 0, weights, 1.0))
    entropies = -(weights * logs).sum(axis=-1)
    return mean.argmax(axis=-1), entropies.mean(axis=-2)


@wrong("divides the entropy by that of an even distribution", names={"share-of-largest"})
def share_of_the_largest(weights):
    a = weights.mean(axis=-3)
    entropy = -(a * np.log(np.where(a > 0, a, 1.0))).sum(axis=-1)
    return a.argmax(axis=-1), entropy / np.log(weights.shape[-1])


@wrong("takes the last of equal positions", names={"last-of-ties"})
def last_of_equals(weights):
    a = weights.mean(axis=-3)
    entropy = -(a * np.log(np.where(a > 0, a, 1.0))).sum(axis=-1)
    best = a.shape[-1] - 1 - a[..., ::-1].argmax(axis=-1)
    return best, entropy


@wrong("leaves weights below 0.01 out of the entropy", line="seen = mean > 0.01")
def small_ones_left_out(weights):
    mean = weights.mean(axis=-3)
    seen = mean > 0.01
    terms = np.where(seen, mean * np.log(np.where(seen, mean, 1)), 0)
    return mean.argmax(axis=-1), -terms.sum(axis=-1)


@wrong(
    "takes the mean of the heads' logarithms instead of the logarithm of their mean",
    names={"logarithms-averaged"},
    line="logs = np.log(np.where(weights > 0, weights, 1)).mean(axis=-3)",
)
def mean_of_logs(weights):
    mean = weights.mean(axis=-3)
    logs = np.log(np.where(weights > 0, weights, 1)).mean(axis=-3)
    return mean.argmax(axis=-1), -(mean * logs).sum(axis=-1)


@wrong(
    "takes the best source position from the first head alone",
    names={"best-of-head-0"},
    line="best = weights[..., 0, :, :].argmax(axis=-1)",
)
def best_of_first_head(weights):
    mean = weights.mean(axis=-3)
    best = weights[..., 0, :, :].argmax(axis=-1)
    safe = np.where(mean > 0, mean, 1)
    return best, -(mean * np.log(safe)).sum(axis=-1)
