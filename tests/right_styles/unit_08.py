"""Right functions of unit 08 in other styles than the reference's."""

import heapq
import math
from bisect import bisect_right
from itertools import accumulate

import numpy as np
from scipy.special import log_softmax
from scipy.special import softmax as scipy_softmax


def log_prob_one_pass_per_token(next_log_probs, bos_id, token_ids):
    total = 0
    for i in range(len(token_ids)):
        prefix = np.array([bos_id, *token_ids[:i]]).reshape(1, -1)
        total = total + next_log_probs(prefix)[0][token_ids[i]]
    return total


def log_prob_by_recursion(next_log_probs, bos_id, token_ids):
    if len(token_ids) == 0:
        return 0.0
    *before, last = token_ids
    log_probs = next_log_probs(np.array([[bos_id, *before]], dtype=np.int32))
    return log_prob_by_recursion(next_log_probs, bos_id, before) + log_probs[0, last]


def log_prob_by_sum(next_log_probs, bos_id, token_ids):
    ids = [bos_id, *token_ids]
    return np.sum([next_log_probs(np.array(ids[:t])[None])[0, ids[t]] for t in range(1, len(ids))])


def log_prob_exactly(next_log_probs, bos_id, token_ids):
    prefix, terms = np.array([[bos_id]]), []
    for token in token_ids:
        terms.append(next_log_probs(prefix).flatten()[token])
        prefix = np.append(prefix, [[token]], axis=1)
    return math.fsum(terms)


def greedy_by_for(next_log_probs, bos_id, eos_id, max_len):
    prefix = [bos_id]
    for _ in range(max_len):
        prefix.append(int(next_log_probs(np.array([prefix])).argmax()))
        if prefix[-1] == eos_id:
            break
    return tuple(prefix[1:])


def greedy_growing_an_array(next_log_probs, bos_id, eos_id, max_len):
    prefix = np.full((1, 1), bos_id)
    while prefix.shape[1] <= max_len:
        best = next_log_probs(prefix).argmax(axis=-1)
        prefix = np.concatenate([prefix, best[:, None]], axis=1)
        if best[0] == eos_id:
            break
    return tuple(prefix[0, 1:])


def greedy_as_a_list(next_log_probs, bos_id, eos_id, max_len):
    ids = []
    while True:
        probs = np.exp(next_log_probs(np.array([[bos_id, *ids]]))[0])
        ids.append(max(range(len(probs)), key=lambda token: probs[token]))
        if ids[-1] == eos_id or len(ids) == max_len:
            return ids


def greedy_by_recursion(next_log_probs, bos_id, eos_id, max_len, ids=()):
    if len(ids) == max_len or (ids and ids[-1] == eos_id):
        return ids
    row = next_log_probs(np.array([[bos_id, *ids]]))[0]
    best = int(np.flatnonzero(row == row.max())[0])
    return greedy_by_recursion(next_log_probs, bos_id, eos_id, max_len, (*ids, best))


def temperature_by_scipy(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature = {temperature}")
    if temperature == 0:
        return np.eye(logits.shape[-1])[np.argmax(logits, axis=-1)]
    return scipy_softmax(logits / temperature, axis=-1)


def temperature_as_a_power(logits, temperature):
    if temperature > 0:
        log_probs = log_softmax(np.asarray(logits, dtype=float), axis=-1)
        return np.exp(log_softmax(log_probs * (1 / temperature), axis=-1))
    if temperature == 0:
        probs = np.zeros(np.shape(logits))
        np.put_along_axis(probs, np.argmax(logits, axis=-1, keepdims=True), 1.0, axis=-1)
        return probs
    raise ValueError("a negative temperature: " + str(temperature))


def temperature_row_by_row(logits, temperature):
    if temperature < 0.0:
        raise ValueError(f"expected a temperature of at least 0, not {temperature:g}")
    flat = logits.reshape(-1, logits.shape[-1])
    result = np.zeros(flat.shape)
    for row, target in zip(flat, result, strict=True):
        if temperature == 0:
            target[row.argmax()] = 1
        else:
            exponentials = np.exp((row - max(row)) / temperature)
            target[:] = exponentials / sum(exponentials)
    return result.reshape(logits.shape)


def top_k_row_by_row(logits, k):
    if k < 1:
        raise ValueError(f"k = {k}")
    flat = logits.reshape(-1, logits.shape[-1])
    result = np.full(flat.shape, -np.inf)
    for i, row in enumerate(flat):
        for token in sorted(range(len(row)), key=lambda token: (-row[token], token))[:k]:
            result[i, token] = row[token]
    return result.reshape(logits.shape)


def top_k_by_ranks(logits, k):
    """A token stays if fewer than k others beat it: larger logits, or equal ones of lower ids."""
    if k <= 0:
        raise ValueError(f"expected k >= 1, got {k}")
    ids = np.arange(logits.shape[-1])
    mine, other = logits[..., :, None], logits[..., None, :]
    beaten_by = (other > mine) | ((other == mine) & (ids[None, :] < ids[:, None]))
    return np.where(beaten_by.sum(axis=-1) < k, logits, -np.inf)


def top_k_by_lexsort(logits, k):
    if k < 1:
        raise ValueError(f"k must be positive: {k}")
    ids = np.broadcast_to(np.arange(logits.shape[-1]), logits.shape)
    dropped = np.lexsort((ids, -logits), axis=-1)[..., k:]
    result = logits.astype(np.result_type(logits, np.float32) if logits.dtype.kind == "f" else float)
    np.put_along_axis(result, dropped, -np.inf, axis=-1)
    return result


def top_k_by_maxima(logits, k):
    if not k >= 1:
        raise ValueError(f"nothing would be left with k = {k}")
    rest, kept = logits.astype(float), np.zeros(logits.shape, dtype=bool)
    for _ in range(min(k, logits.shape[-1])):
        best = rest.argmax(axis=-1)[..., None]
        np.put_along_axis(kept, best, True, axis=-1)
        np.put_along_axis(rest, best, -np.inf, axis=-1)
    return np.where(kept, logits, -np.inf)


def top_p_row_by_row(logits, p):
    """The loop of the definition, without any allowance for rounding."""
    if p <= 0 or p > 1:
        raise ValueError(f"p = {p}")
    flat = logits.reshape(-1, logits.shape[-1])
    result = np.full(flat.shape, -np.inf)
    for row, target in zip(flat, result, strict=True):
        probs = scipy_softmax(row.astype(float))
        total = 0.0
        for token in sorted(range(len(row)), key=lambda token: -probs[token]):
            if probs[token] == 0 or (total >= p and p < 1):
                break
            target[token] = row[token]
            total += probs[token]
    return result.reshape(logits.shape)


def top_p_by_counting(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"expected 0 < p <= 1, got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.exp(log_softmax(logits.astype(float), axis=-1))
    cumulative = np.cumsum(np.take_along_axis(probs, order, axis=-1), axis=-1)
    count = 1 + (cumulative < p).sum(axis=-1, keepdims=True)  # those that fall short, and the one that crosses
    if p == 1:
        count = (probs > 0).sum(axis=-1, keepdims=True)
    rank = np.argsort(order, axis=-1, kind="stable")
    return np.where(rank < count, logits, -np.inf)


def top_p_with_shifted_mask(logits, p):
    """As many libraries do it: drop what comes after the crossing, then scatter back."""
    if not (p > 0 and p <= 1):
        raise ValueError(f"p should be in (0, 1] but is {p}")
    if p == 1:
        return np.where(logits > -np.inf, logits, -np.inf)
    order = np.argsort(-logits, axis=-1, kind="stable")
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    probs = exponentials / exponentials.sum(axis=-1, keepdims=True)
    enough = np.take_along_axis(probs, order, axis=-1).cumsum(axis=-1) >= p - 1e-9
    drop = np.zeros_like(enough)
    drop[..., 1:] = enough[..., :-1]
    inverse = np.argsort(order, axis=-1)
    return np.where(np.take_along_axis(drop, inverse, axis=-1), -np.inf, logits)


def sample_by_loop(probs, u):
    total = 0.0
    for token, prob in enumerate(probs):
        total += prob
        if u < total:
            return token
    return max(token for token, prob in enumerate(probs) if prob > 0)


def sample_by_searchsorted(probs, u):
    token = np.searchsorted(np.cumsum(probs), u, side="right")
    return min(token, np.flatnonzero(probs)[-1])


def sample_by_bisection(probs, u):
    cumulative = list(accumulate(probs.tolist()))
    token = bisect_right(cumulative, u)
    while token >= len(probs) or probs[token] == 0:
        token -= 1
    return token


def sample_with_the_last_end_at_one(probs, u):
    cumulative = np.cumsum(probs, dtype=float)
    cumulative[np.nonzero(probs)[0].max() :] = 1.0
    return int((cumulative > u).argmax())


def sampling_by_for(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    """Sorted tokens: both filters cut off the end of a list."""
    prefix = [bos_id]
    for u in list(uniforms)[:max_len]:
        row = next_log_probs(np.array([prefix]))[0].astype(float)
        order = np.argsort(-row, kind="stable")[: 1 if temperature == 0 else top_k]
        probs = scipy_softmax(row[order] / (temperature or 1))
        if top_p is not None and top_p < 1:
            order = order[: 1 + int(np.sum(np.cumsum(probs) < top_p - 1e-12))]
        dense = np.zeros(len(row))
        dense[order] = probs[: len(order)] / probs[: len(order)].sum()
        prefix.append(sample_by_loop(dense, u))
        if prefix[-1] == eos_id:
            break
    return tuple(prefix[1:])


def sampling_greedily_at_zero(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    if temperature == 0:
        return greedy_by_for(next_log_probs, bos_id, eos_id, max_len)
    ids = []
    while len(ids) < max_len and (not ids or ids[-1] != eos_id):
        logits = next_log_probs(np.array([[bos_id, *ids]]))[0] / temperature
        logits = top_k_by_ranks(logits, top_k or len(logits))
        logits = logits if top_p is None else top_p_with_shifted_mask(logits, top_p)
        ids.append(sample_by_bisection(scipy_softmax(logits), uniforms[len(ids)]))
    return ids


def sampling_by_recursion(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None, ids=()
):
    if len(ids) == max_len or (ids and ids[-1] == eos_id):
        return ids
    probs = temperature_by_scipy(next_log_probs(np.array([[bos_id, *ids]], dtype=np.int32)), temperature)
    for keep, limit in ((top_k_row_by_row, top_k), (top_p_row_by_row, top_p)):
        if limit is not None:
            with np.errstate(divide="ignore"):
                kept = np.isfinite(keep(np.log(probs), limit))
            probs = np.where(kept, probs, 0) / np.sum(probs, where=kept)
    token = sample_by_searchsorted(probs[0], uniforms[len(ids)])
    options = temperature, top_k, top_p
    return sampling_by_recursion(next_log_probs, bos_id, eos_id, max_len, uniforms, *options, (*ids, int(token)))


def beam_with_arrays(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """The live beam as two arrays; candidates are ranked in one flat sort."""
    prefixes, totals, finished = np.array([[bos_id]]), np.zeros(1), []
    for step in range(max_len):
        log_probs = next_log_probs(prefixes)
        vocab_size = log_probs.shape[1]
        flat = (totals[:, None] + log_probs).ravel()
        order = np.argsort(-flat, kind="stable")
        order = order[flat[order] > -np.inf]
        parents, tokens = np.divmod(order, vocab_size)
        ended = tokens == eos_id
        for place in np.flatnonzero(ended[:beam_width]):
            ids = (*prefixes[parents[place], 1:], tokens[place])
            finished.append((flat[order[place]], ids))
        on = np.flatnonzero(~ended)[:beam_width]
        prefixes = np.concatenate([prefixes[parents[on]], tokens[on][:, None]], axis=1)
        totals = flat[order[on]]
        if len(on) == 0:
            break
        if step + 1 < max_len and len(finished) >= beam_width:
            totals = totals[:0]
            break
    finished += [(total, tuple(prefix[1:])) for total, prefix in zip(totals, prefixes, strict=False)]
    scored = [(float(total) / ((5 + len(ids)) / 6) ** alpha, ids) for total, ids in finished]
    return sorted(scored, key=lambda pair: pair[0], reverse=True)[:beam_width]


def beam_one_hypothesis_at_a_time(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Plain loops; ties are settled by the order in which candidates were made."""

    def score(ids, total):
        return total / ((5.0 + len(ids)) / 6.0) ** alpha

    live, done = [([], 0.0)], []
    while live:
        candidates = []
        for ids, total in live:
            row = next_log_probs(np.array([[bos_id, *ids]]))[0]
            for token in range(len(row)):
                if not np.isneginf(row[token]):
                    candidates.append(([*ids, token], total + row[token]))
        candidates.sort(key=lambda candidate: candidate[1], reverse=True)
        live = []
        for rank, (ids, total) in enumerate(candidates):
            if ids[-1] != eos_id:
                if len(live) < beam_width:
                    live.append((ids, total))
            elif rank < beam_width:
                done.append((ids, total))
        if live and len(live[0][0]) == max_len:
            done += live
            break
        if len(done) >= beam_width:
            break
    done.sort(key=lambda hypothesis: score(*hypothesis), reverse=True)
    return [[score(ids, total), ids] for ids, total in done[:beam_width]]


def beam_with_heaps(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Candidates carry the rank of their parent, so that comparing tuples settles ties."""
    live, finished, length = [(0.0, ())], [], 0
    while live and length < max_len and (length == 0 or len(finished) < beam_width):
        length += 1
        log_probs = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        heap = [
            (-(live[parent][0] + log_probs[parent, token]), parent, token)
            for parent, token in zip(*np.nonzero(log_probs > -np.inf), strict=True)
        ]
        ranked = heapq.nsmallest(beam_width * 2, heap)  # at most beam_width of them can end
        chosen = [(-cost, (*live[parent][1], int(token))) for cost, parent, token in ranked]
        finished += [hypothesis for hypothesis in chosen[:beam_width] if hypothesis[1][-1] == eos_id]
        live = [hypothesis for hypothesis in chosen if hypothesis[1][-1] != eos_id][:beam_width]
    if length == max_len:
        finished = finished + live
    scores = [total * (6 / (5 + len(ids))) ** alpha for total, ids in finished]
    best = np.argsort(-np.array(scores), kind="stable")[:beam_width]
    return tuple((scores[i], finished[i][1]) for i in best)


STYLES = {
    "sequence_log_prob": (
        log_prob_one_pass_per_token,
        log_prob_by_recursion,
        log_prob_by_sum,
        log_prob_exactly,
    ),
    "greedy_decode": (greedy_by_for, greedy_growing_an_array, greedy_as_a_list, greedy_by_recursion),
    "apply_temperature": (temperature_by_scipy, temperature_as_a_power, temperature_row_by_row),
    "top_k_filter": (top_k_row_by_row, top_k_by_ranks, top_k_by_lexsort, top_k_by_maxima),
    "top_p_filter": (top_p_row_by_row, top_p_by_counting, top_p_with_shifted_mask),
    "sample_token": (
        sample_by_loop,
        sample_by_searchsorted,
        sample_by_bisection,
        sample_with_the_last_end_at_one,
    ),
    "sample_decode": (sampling_by_for, sampling_greedily_at_zero, sampling_by_recursion),
    "beam_search": (beam_with_arrays, beam_one_hypothesis_at_a_time, beam_with_heaps),
}
