"""Functions that learners wrote for `greedy_decode`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "leaves the loop before it appends the end symbol, so eos_id is missing from the result",
    names={"end-left-out"},
    line="if token == eos_id:",
)
def eos_not_appended(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) < max_len:
        log_probs = next_log_probs(np.array([[bos_id] + ids]))
        token = int(np.argmax(log_probs[0]))
        if token == eos_id:
            break
        ids.append(token)
    return tuple(ids)


@wrong("the result begins with the start symbol", names={"start-included"}, line="return tuple(ids)")
def with_bos(next_log_probs, bos_id, eos_id, max_len):
    ids = [bos_id]
    for _ in range(max_len):
        token = int(next_log_probs(np.array([ids]))[0].argmax())
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "counts the start symbol towards max_len, so it stops one id too early",
    names={"start-counted"},
    line="while len(ids) < max_len:",
)
def bos_counts(next_log_probs, bos_id, eos_id, max_len):
    ids = [bos_id]
    while len(ids) < max_len:
        log_probs = next_log_probs(np.array([ids]))
        token = int(np.argmax(log_probs[0]))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids[1:])


@wrong("does not stop at the end symbol: always produces max_len ids", names={"goes-on"}, line=None)
def never_stops_early(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))
        ids.append(int(np.argmax(log_probs[0])))
    return tuple(ids)


@wrong(
    "ignores max_len, so it never ends with a model that never produces the end symbol",
    names={"no-limit"},
    line="while token != eos_id:",
)
def no_limit(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    token = None
    while token != eos_id:
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))
        token = int(np.argmax(log_probs[0]))
        ids.append(token)
    return tuple(ids)


@wrong(
    "of equally likely tokens takes the one with the highest id",
    names={"highest-id"},
    line='token = int(np.argsort(log_probs, kind="stable")[-1])',
)
def ties_to_highest(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))[0]
        token = int(np.argsort(log_probs, kind="stable")[-1])
        ids.append(token)
        if token == eos_id:
            return tuple(ids)
    return tuple(ids)


@right
def returns_list(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) < max_len and (not ids or ids[-1] != eos_id):
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))
        ids.append(int(log_probs[0].argmax()))
    return ids


@wrong(
    "shows the model only the last token instead of the whole prefix",
    names={"last-token-only"},
    line="prefix = np.array([[token]])",
)
def last_token_only(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    prefix = np.array([[bos_id]])
    while len(ids) < max_len:
        token = int(np.argmax(next_log_probs(prefix)[0]))
        ids.append(token)
        if token == eos_id:
            break
        prefix = np.array([[token]])
    return tuple(ids)


@wrong(
    "takes id 1 for the end symbol, as in the example, instead of eos_id",
    names={"ends-at-1"},
    line="if token == 1:",
)
def fixed_end(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        scores = next_log_probs(np.array([[bos_id] + ids]))[0]
        token = int(np.argmax(scores))
        ids.append(token)
        if token == 1:
            break
    return tuple(ids)


@wrong(
    "takes the least likely token: argmin instead of argmax",
    names={"least-likely"},
    line="token = int(np.argmin(log_probs))",
)
def least_likely(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id] + ids]))[0]
        token = int(np.argmin(log_probs))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "draws the next token at random from the probabilities instead of taking the likeliest",
    line="token = int(np.random.choice(len(probs), p=probs / probs.sum()))",
)
def draws(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        probs = np.exp(next_log_probs(np.array([[bos_id] + ids]))[0])
        token = int(np.random.choice(len(probs), p=probs / probs.sum()))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong("the loop runs once too often: up to max_len + 1 ids", names={"one-more"}, line="while len(ids) <= max_len:")
def one_too_many(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) <= max_len:
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))
        token = int(log_probs[0].argmax())
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "two: the start symbol is part of the result, and it counts towards max_len",
    names={"start-counted", "start-included"},
    line="while len(ids) < max_len:",
)
def bos_counts_and_stays(next_log_probs, bos_id, eos_id, max_len):
    ids = [bos_id]
    while len(ids) < max_len:
        token = int(np.argmax(next_log_probs(np.array([ids]))[0]))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "asks the model once only and takes the max_len likeliest first tokens, in order, as the sentence",
    names={"single-pass"},
    line='order = np.argsort(-log_probs, kind="stable")[:max_len]',
)
def one_pass(next_log_probs, bos_id, eos_id, max_len):
    log_probs = next_log_probs(np.array([[bos_id]]))[0]
    ids = []
    order = np.argsort(-log_probs, kind="stable")[:max_len]
    for token in order:
        ids.append(int(token))
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "hands the model a prefix of shape (t,) instead of (1, t)",
    names={"one-axis"},
    line="log_probs = next_log_probs(np.array(prefix))",
)
def flat_prefix(next_log_probs, bos_id, eos_id, max_len):
    prefix = [bos_id]
    for _ in range(max_len):
        log_probs = next_log_probs(np.array(prefix))
        token = int(np.argmax(log_probs))
        prefix.append(token)
        if token == eos_id:
            break
    return tuple(prefix[1:])


@wrong(
    "the prefixes do not begin with the start symbol; the first one is empty",
    names={"without-start"},
    line="prefix = np.array(ids, dtype=int).reshape(1, -1)",
)
def without_bos(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        prefix = np.array(ids, dtype=int).reshape(1, -1)
        token = int(np.argmax(next_log_probs(prefix)[0]))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "two: the end symbol is left out of the result, and the result is a list instead of a tuple",
    names={"end-left-out"},
    line="if best == eos_id:",
)
def list_without_end(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        best = int(np.argmax(next_log_probs(np.array([[bos_id, *ids]]))[0]))
        if best == eos_id:
            return ids
        ids.append(best)
    return ids


@right
def while_loop(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) < max_len:
        token = int(np.argmax(next_log_probs(np.array([[bos_id, *ids]]))[0]))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@right
def growing_array(next_log_probs, bos_id, eos_id, max_len):
    prefix = np.array([[bos_id]])
    for _ in range(max_len):
        token = next_log_probs(prefix).argmax(axis=-1)
        prefix = np.hstack([prefix, token[:, None]])
        if token[0] == eos_id:
            break
    return tuple(prefix[0, 1:].tolist())


@right
def own_maximum(next_log_probs, bos_id, eos_id, max_len):
    result = ()
    while len(result) != max_len and eos_id not in result[-1:]:
        row = list(next_log_probs(np.array([(bos_id,) + result]))[0])
        result += (row.index(max(row)),)
    return result


@wrong("goes on while either condition holds, and so past the end symbol or past max_len")
def either_condition(next_log_probs, bos_id, eos_id, max_len):
    ids = [bos_id]
    while ids[-1] != eos_id or len(ids) - 1 < max_len:
        ids.append(int(next_log_probs(np.array([ids]))[0].argmax()))
    return tuple(ids[1:])


@wrong("shows the model the last token only")
def last_token_only_too(next_log_probs, bos_id, eos_id, max_len):
    token, ids = bos_id, []
    for _ in range(max_len):
        token = int(np.argmax(next_log_probs(np.array([[token]]))[0]))
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong("counts the start symbol towards max_len", names={"start-counted"})
def start_counts(next_log_probs, bos_id, eos_id, max_len):
    prefix = [bos_id]
    while len(prefix) < max_len and (len(prefix) == 1 or prefix[-1] != eos_id):
        log_probs = next_log_probs(np.array(prefix)[None])
        prefix.append(int(log_probs[0].argmax()))
    return tuple(prefix[1:])


@wrong(
    "never takes the end symbol first, so that a sentence has at least one word",
    names={"at-least-one-word"},
    line="if not ids:",
)
def at_least_one_word(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) < max_len:
        scores = np.array(next_log_probs(np.array([[bos_id, *ids]]))[0])
        if not ids:
            scores[eos_id] = -np.inf
        ids.append(int(scores.argmax()))
        if ids[-1] == eos_id:
            break
    return tuple(ids)


@wrong(
    "puts the end symbol at the end even where the model has not produced it",
    names={"end-always-added"},
    line="return tuple(ids) + (eos_id,)",
)
def always_ended(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    for _ in range(max_len):
        token = int(np.argmax(next_log_probs(np.array([[bos_id, *ids]]))[0]))
        if token == eos_id:
            break
        ids.append(token)
    return tuple(ids) + (eos_id,)


@wrong("loses an end symbol that takes the last of max_len places", names={"end-lost-at-max-len"})
def last_place_is_not_for_the_end(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while len(ids) < max_len:
        token = int(np.argmax(next_log_probs(np.array([[bos_id, *ids]]))[0]))
        if token == eos_id and len(ids) == max_len - 1:
            break
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)
