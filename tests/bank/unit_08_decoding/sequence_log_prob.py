"""Functions that learners wrote for `sequence_log_prob`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "conditions each token on the last token only: the prefix never holds more than one id",
    names={"last-token-alone", "last-token-only"},
    line="prefix = np.array([[token]])",
)
def last_token_only(next_log_probs, bos_id, token_ids):
    total = 0.0
    prefix = np.array([[bos_id]])
    for token in token_ids:
        total += next_log_probs(prefix)[0, token]
        prefix = np.array([[token]])
    return float(total)


@wrong(
    "appends the token before it asks the model, so the token is conditioned on itself as well",
    names={"one-late"},
    line="prefix.append(token)",
)
def appends_too_early(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        prefix.append(token)
        log_probs = next_log_probs(np.array([prefix]))
        total += log_probs[0, token]
    return float(total)


@wrong(
    "multiplies the probabilities and takes the logarithm at the end, so long sequences underflow to -inf",
    names={"log-of-product"},
    line="prob *= np.exp(log_probs[0, token])",
)
def product_underflows(next_log_probs, bos_id, token_ids):
    prob = 1.0
    prefix = [bos_id]
    for token in token_ids:
        log_probs = next_log_probs(np.array([prefix]))
        prob *= np.exp(log_probs[0, token])
        prefix.append(token)
    return float(np.log(prob))


@wrong(
    "returns the probability of the sequence instead of its logarithm",
    names={"probability"},
    line="return float(np.exp(total))",
)
def probability(next_log_probs, bos_id, token_ids):
    total, prefix = 0.0, [bos_id]
    for token in token_ids:
        total += next_log_probs(np.array([prefix]))[0, token]
        prefix.append(token)
    return float(np.exp(total))


@wrong(
    "divides by the number of tokens: returns the mean of the log-probabilities, not their sum",
    names={"mean"},
    line="return float(np.mean(logs)) if logs else 0.0",
)
def mean_for_sum(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    logs = []
    for token in token_ids:
        logs.append(next_log_probs(np.array([prefix]))[0, token])
        prefix.append(token)
    return float(np.mean(logs)) if logs else 0.0


@wrong(
    "changes the sign: returns the negative log-probability, a loss",
    names={"negative"},
    line="total -= log_probs[0, token]",
)
def negative(next_log_probs, bos_id, token_ids):
    total = 0.0
    prefix = [bos_id]
    for token in token_ids:
        log_probs = next_log_probs(np.array([prefix]))
        total -= log_probs[0, token]
        prefix.append(token)
    return float(total)


@wrong(
    "leaves the last token (the end symbol, where there is one) out of the sum",
    names={"last-skipped"},
    line="for t in range(len(token_ids) - 1):",
)
def last_factor_missing(next_log_probs, bos_id, token_ids):
    ids = [bos_id, *token_ids]
    total = 0.0
    for t in range(len(token_ids) - 1):
        log_probs = next_log_probs(np.array([ids[: t + 1]]))[0]
        total += log_probs[ids[t + 1]]
    return float(total)


@wrong(
    "forgets the start symbol: the prefixes consist of the tokens only, and the first one has no factor",
    names={"without-start"},
    line="ids = list(token_ids)",
)
def without_bos(next_log_probs, bos_id, token_ids):
    ids = list(token_ids)
    total = 0.0
    for t in range(1, len(ids)):
        log_probs = next_log_probs(np.array([ids[:t]]))
        total += log_probs[0, ids[t]]
    return float(total)


@wrong(
    "hands the model a prefix of shape (t,) instead of (1, t)",
    names={"one-axis"},
    line="log_probs = next_log_probs(np.array(prefix))",
)
def flat_prefix(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        log_probs = next_log_probs(np.array(prefix))
        total += log_probs[token]
        prefix.append(token)
    return float(total)


@wrong(
    "takes the logarithm of what the model returns, which are log-probabilities already, so it gives nan",
    line="total += np.log(p)",
)
def log_of_log(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        p = next_log_probs(np.array([prefix]))[0, token]
        total += np.log(p)
        prefix.append(token)
    return float(total)


@wrong(
    "adds the largest log-probability of each step instead of that of the given token",
    names={"likeliest-tokens"},
    line="total += log_probs[0].max()",
)
def likeliest_for_given(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        log_probs = next_log_probs(np.array([prefix]))
        total += log_probs[0].max()
        prefix.append(token)
    return float(total)


@wrong(
    "the return stands inside the loop, so only the first token counts, and the empty sequence gives None",
    names={"returns-in-loop"},
    line="return float(total)",
)
def returns_in_the_loop(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        log_probs = next_log_probs(np.array([prefix]))
        total += log_probs[0][token]
        prefix.append(token)
        return float(total)


@wrong("always begins with id 0, the start symbol of the example, instead of bos_id", line="prefix = [0]")
def fixed_start(next_log_probs, bos_id, token_ids):
    prefix = [0]
    total = 0.0
    for token in token_ids:
        total += next_log_probs(np.array([prefix]))[0, token]
        prefix.append(token)
    return float(total)


@wrong(
    "two: the token is appended before the model is asked, and the result is the probability, not its logarithm",
    names={"one-late", "probability"},
    line="prefix += [token]",
)
def early_and_exponential(next_log_probs, bos_id, token_ids):
    prefix, total = [bos_id], 0.0
    for token in token_ids:
        prefix += [token]
        total += next_log_probs(np.array([prefix]))[0, token]
    return float(np.exp(total))


@wrong(
    "never adds the tokens to the prefix: every token is conditioned on the start symbol alone",
    names={"one-distribution"},
    line="log_probs = next_log_probs(start)",
)
def prefix_stays(next_log_probs, bos_id, token_ids):
    total = 0.0
    start = np.array([[bos_id]])
    for token in token_ids:
        log_probs = next_log_probs(start)
        total += log_probs[0, token]
    return float(total)


@wrong(
    "uses the logarithm to base 2, so the result is in bits and not in nats",
    names={"bits"},
    line="return float(total / np.log(2))",
)
def in_bits(next_log_probs, bos_id, token_ids):
    total = 0.0
    ids = [bos_id] + [int(i) for i in token_ids]
    for t in range(1, len(ids)):
        total += next_log_probs(np.array([ids[:t]]))[0, ids[t]]
    return float(total / np.log(2))


@wrong(
    "two: the model sees the last token only, and the sum is divided by the number of tokens",
    names={"last-token-alone", "last-token-only", "mean"},
    line="log_probs = next_log_probs(np.array([[previous]]))",
)
def bigrams_averaged(next_log_probs, bos_id, token_ids):
    total = 0.0
    previous = bos_id
    for token in token_ids:
        log_probs = next_log_probs(np.array([[previous]]))
        total += log_probs[0, token]
        previous = token
    return float(total / max(len(token_ids), 1))


@right
def growing_prefix(next_log_probs, bos_id, token_ids):
    prefix = [bos_id]
    total = 0.0
    for token in token_ids:
        total += next_log_probs(np.array([prefix]))[0, token]
        prefix.append(token)
    return float(total)


@right
def sum_of_slices(next_log_probs, bos_id, token_ids):
    ids = np.array([bos_id, *token_ids], dtype=int)
    steps = range(1, len(ids))
    return float(sum((next_log_probs(ids[None, :t])[0, ids[t]] for t in steps), 0.0))


@right
def concatenated(next_log_probs, bos_id, token_ids):
    prefix = np.full((1, 1), bos_id)
    logs = np.zeros(len(token_ids))
    for i, token in enumerate(token_ids):
        logs[i] = next_log_probs(prefix)[0][token]
        prefix = np.concatenate([prefix, [[token]]], axis=1)
    return float(np.sum(logs))


@right
def recursive(next_log_probs, bos_id, token_ids):
    def log_prob(ids):
        if len(ids) == 0:
            return 0.0
        *before, last = ids
        return float(next_log_probs(np.array([[bos_id, *before]]))[0, last]) + log_prob(before)

    return log_prob(token_ids)


@wrong(
    "looks up where the token stands, and finds its first occurrence: the prefix of a repeated token is too short",
    names={"first-occurrence"},
    line="prefix = [bos_id] + ids[: ids.index(token)]",
)
def first_occurrence(next_log_probs, bos_id, token_ids):
    total = 0.0
    ids = list(token_ids)
    for token in ids:
        prefix = [bos_id] + ids[: ids.index(token)]
        total += next_log_probs(np.array([prefix]))[0, token]
    return float(total)


@wrong(
    "adds the probabilities up and takes the logarithm of the sum",
    names={"log-of-sum"},
    line="return float(np.log(total))",
)
def log_of_sum(next_log_probs, bos_id, token_ids):
    total = 0.0
    for t in range(len(token_ids)):
        prefix = np.array([[bos_id, *token_ids[:t]]])
        total += np.exp(next_log_probs(prefix)[0, token_ids[t]])
    return float(np.log(total))


@wrong(
    "adds the largest log-probability of every step, whichever token was asked for",
    names={"likeliest-tokens"},
    line="total += next_log_probs(prefix)[0].max()",
)
def likeliest_instead_of_given(next_log_probs, bos_id, token_ids):
    total = 0.0
    for t in range(len(token_ids)):
        prefix = np.array([[bos_id, *token_ids[:t]]])
        total += next_log_probs(prefix)[0].max()
    return float(total)


@wrong("stops at id 1, the end symbol of the toy models")
def stops_at_the_end_of_the_toys(next_log_probs, bos_id, token_ids):
    total, prefix = 0.0, [bos_id]
    for token in token_ids:
        total += next_log_probs(np.array([prefix]))[0, token]
        prefix.append(token)
        if token == 1:
            break
    return float(total)


@wrong("skips every start symbol among the tokens")
def start_symbols_skipped(next_log_probs, bos_id, token_ids):
    total, prefix = 0.0, [bos_id]
    for token in token_ids:
        if token == bos_id:
            continue
        total += next_log_probs(np.array([prefix]))[0, token]
        prefix.append(token)
    return float(total)
