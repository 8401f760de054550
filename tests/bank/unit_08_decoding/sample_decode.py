"""Functions that learners might write for `sample_decode`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import apply_temperature, sample_token, softmax, top_k_filter, top_p_filter


@wrong(
    "filters the model's own log-probabilities and divides by the temperature afterwards",
    names={"temperature-last"},
)
def filters_then_temperature(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    ids = []
    for i in range(max_len):
        logits = next_log_probs(np.array([[bos_id] + ids]))[0]
        if top_k is not None:
            logits = top_k_filter(logits, top_k)
        if top_p is not None:
            logits = top_p_filter(logits, top_p)
        token = sample_token(apply_temperature(logits, temperature), uniforms[i])
        ids.append(token)
        if token == eos_id:
            break
    return tuple(ids)


@wrong(
    "breaks before the end symbol is appended, so it is missing from the result",
    names={"end-left-out"},
    line="if token == eos_id:",
)
def breaks_early(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = []
    for i in range(max_len):
        with np.errstate(divide="ignore"):
            logits = np.log(apply_temperature(next_log_probs(np.array([[bos_id] + ids]))[0], temperature))
        if top_k is not None:
            logits = top_k_filter(logits, top_k)
        if top_p is not None:
            logits = top_p_filter(logits, top_p)
        token = sample_token(softmax(logits), uniforms[i])
        if token == eos_id:
            break
        ids.append(token)
    return tuple(ids)


@wrong("with top_k given the elif never reaches top_p", names={"one-filter-alone"}, line="elif top_p is not None:")
def either_filter(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = []
    while len(ids) < max_len:
        with np.errstate(divide="ignore"):
            logits = np.log(apply_temperature(next_log_probs(np.array([[bos_id, *ids]]))[0], temperature))
        if top_k is not None:
            logits = top_k_filter(logits, top_k)
        elif top_p is not None:
            logits = top_p_filter(logits, top_p)
        ids.append(sample_token(softmax(logits), uniforms[len(ids)]))
        if ids[-1] == eos_id:
            break
    return tuple(ids)


@wrong(
    "hands probabilities to filters that take logits: top-p then uses the softmax of probabilities",
    line="probs = softmax(top_p_filter(probs, top_p))",
)
def filters_on_probabilities(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    ids = []
    while len(ids) < max_len:
        probs = apply_temperature(next_log_probs(np.array([[bos_id, *ids]]))[0], temperature)
        if top_k is not None:
            kept = np.isfinite(top_k_filter(probs, top_k))
            probs = np.where(kept, probs, 0.0) / probs[kept].sum()
        if top_p is not None:
            probs = softmax(top_p_filter(probs, top_p))
        ids.append(sample_token(probs, uniforms[len(ids)]))
        if ids[-1] == eos_id:
            break
    return tuple(ids)


@right
def with_a_helper(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    def distribution(ids):
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))[0]
        logits = log_probs if temperature == 0 else log_probs / temperature
        if top_k:
            logits = top_k_filter(logits, top_k)
        if top_p:
            logits = top_p_filter(logits, top_p)
        return apply_temperature(logits, 0 if temperature == 0 else 1)

    ids = []
    for u in uniforms[:max_len]:
        ids.append(sample_token(distribution(ids), u))
        if ids[-1] == eos_id:
            break
    return tuple(ids)


@wrong("loses an end symbol that takes the last of max_len places", names={"end-lost-at-max-len"})
def end_lost_at_max_len(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = reference.sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature, top_k, top_p)
    return ids[:-1] if len(ids) == max_len and ids[-1] == eos_id else ids


@wrong("puts the end symbol at the end even where it has not been drawn", names={"end-always-added"})
def always_ended(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = reference.sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature, top_k, top_p)
    return ids if ids and ids[-1] == eos_id else ids + (eos_id,)


@wrong("never draws the end symbol first", names={"at-least-one-word"})
def at_least_one_word(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    def no_end(prefixes):
        out = np.array(next_log_probs(prefixes))
        if prefixes.shape[1] == 1:
            out[:, eos_id] = -np.inf
        return out

    return reference.sample_decode(no_end, bos_id, eos_id, max_len, uniforms, temperature, top_k, top_p)


@wrong(
    "gives the second filter the unfiltered logits, so top-k has no effect where top_p is given",
    names={"top-p-alone"},
    line="z = top_p_filter(logits, top_p)",
)
def top_k_lost(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = []
    while len(ids) < max_len and eos_id not in ids:
        logits = np.log(apply_temperature(next_log_probs(np.array([[bos_id] + ids]))[0], temperature))
        z = logits
        if top_k is not None:
            z = top_k_filter(logits, top_k)
        if top_p is not None:
            z = top_p_filter(logits, top_p)
        ids.append(sample_token(softmax(z), uniforms[len(ids)]))
    return tuple(ids)


@wrong("divides by the temperature before the filters and again after them", names={"temperature-twice"})
def temperature_at_both_ends(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    ids = []
    while len(ids) < max_len and eos_id not in ids:
        z = np.log(apply_temperature(next_log_probs(np.array([[bos_id] + ids]))[0], temperature))
        if top_k is not None:
            z = top_k_filter(z, top_k)
        if top_p is not None:
            z = top_p_filter(z, top_p)
        ids.append(sample_token(apply_temperature(z, temperature), uniforms[len(ids)]))
    return tuple(ids)


@wrong(
    "two mistakes: all tokens are drawn with the first number, and the filters come before the temperature",
    names={"one-number", "temperature-last"},
)
def one_number_and_filters_first(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    ids = []
    while len(ids) < max_len and eos_id not in ids:
        z = next_log_probs(np.array([[bos_id] + ids]))[0]
        with np.errstate(divide="ignore"):
            pass
        if top_k is not None:
            z = top_k_filter(z, top_k)
        if top_p is not None:
            z = top_p_filter(z, top_p)
        ids.append(sample_token(apply_temperature(z, temperature), uniforms[0]))
    return tuple(ids)
