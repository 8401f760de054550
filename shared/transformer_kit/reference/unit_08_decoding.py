"""Unit 08: from log-probabilities to a sequence.

A model is a function ``next_log_probs(prefixes)``: an int array of shape (k, t) whose rows start with
`bos_id` becomes an array of shape (k, V) of log-probabilities of the next token. A decoded sequence is a
tuple of ids without the start symbol and with `eos_id` where it was produced.
"""

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_02_scaled_dot_product_attention import softmax

ROUNDING = 1e-12  # a sum of probabilities that misses p by no more than this has reached it


def sequence_log_prob(next_log_probs, bos_id, token_ids):
    """Return the log-probability of a sequence: the sum over its tokens, each given those before.

    Parameters
    ----------
    next_log_probs : callable
    bos_id : int
    token_ids : sequence of int

    Returns
    -------
    float
        In nats; 0.0 for the empty sequence.
    """
    prefix, total = [bos_id], 0.0
    for token in token_ids:
        total += float(next_log_probs(np.array([prefix]))[0, token])
        prefix.append(int(token))
    return total


def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
    """Take the likeliest next token again and again.

    Parameters
    ----------
    next_log_probs : callable
    bos_id, eos_id : int
    max_len : int
        The largest number of ids.

    Returns
    -------
    tuple of int
        Ties go to the lowest id.
    """
    token_ids = ()
    while len(token_ids) < max_len and token_ids[-1:] != (eos_id,):
        log_probs = next_log_probs(np.array([(bos_id, *token_ids)]))
        token_ids += (int(np.argmax(log_probs[0])),)
    return token_ids


def apply_temperature(logits, temperature):
    """Return the probabilities of logits divided by a temperature.

    Parameters
    ----------
    logits : ndarray of shape (..., V)
    temperature : float
        0 puts all probability on the largest logit, the lowest id on ties.

    Returns
    -------
    ndarray of shape (..., V)

    Raises
    ------
    ValueError
        If the temperature is negative.
    """
    logits = as_float(logits)
    if temperature < 0:
        raise ValueError(f"the temperature must be 0 or more; got {temperature}")
    if temperature == 0:
        best = logits.argmax(axis=-1)[..., None]
        return (best == np.arange(logits.shape[-1])).astype(logits.dtype)
    return softmax(logits / float(temperature))


def _keep(logits, kept):
    return np.where(kept, logits, -np.inf)


def _descending(logits):
    """Return the ids of every row from the largest logit down, ties by id."""
    return np.argsort(-logits, axis=-1, kind="stable")


def top_k_filter(logits, k):
    """Keep the k largest logits of every row and set the others to -inf.

    Parameters
    ----------
    logits : ndarray of shape (..., V)
    k : int
        With k >= V all are kept.

    Returns
    -------
    ndarray of shape (..., V)
        Exactly k are kept; on a tie those of the lowest ids.

    Raises
    ------
    ValueError
        If k is below 1.
    """
    logits = as_float(logits)
    if k < 1:
        raise ValueError(f"at least one token must be kept; got k = {k}")
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, _descending(logits)[..., :k], True, axis=-1)
    return _keep(logits, kept)


def top_p_filter(logits, p):
    """Keep the likeliest tokens of every row until their probabilities reach p.

    Parameters
    ----------
    logits : ndarray of shape (..., V)
    p : float
        In (0, 1]. The token that crosses p is kept; p = 1 keeps every token of non-zero probability.

    Returns
    -------
    ndarray of shape (..., V)
        -inf where dropped.

    Raises
    ------
    ValueError
        If p is not in (0, 1].

    Notes
    -----
    Holtzman et al. 2020, nucleus sampling.
    """
    logits = as_float(logits)
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1; got {p}")
    order = _descending(logits)
    probs = np.take_along_axis(softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs  # the probability of all tokens that come earlier
    kept = np.zeros(logits.shape, dtype=bool)
    needed = before < p - ROUNDING if p < 1 else probs > 0
    needed[..., 0] = True  # even where p is smaller than the rounding
    np.put_along_axis(kept, order, needed, axis=-1)
    return _keep(logits, kept)


def sample_token(probs, u):
    """Draw a token with a uniform random number.

    Parameters
    ----------
    probs : ndarray of shape (V,)
    u : float
        In [0, 1).

    Returns
    -------
    int
        The smallest id whose cumulative probability exceeds u; if rounding leaves none, the last id of
        positive probability.
    """
    probs = as_float(probs)
    above = np.flatnonzero(np.cumsum(probs) > u)
    return int(above[0] if above.size else np.flatnonzero(probs)[-1])


def sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    """Draw the next token again and again.

    Parameters
    ----------
    next_log_probs : callable
    bos_id, eos_id : int
    max_len : int
        The largest number of ids.
    uniforms : sequence of float
        In [0, 1); number i decides the i-th token. There are at least as many as tokens.
    temperature : float
        Comes before the filters; 0 gives the likeliest token at every step.
    top_k : int, optional
    top_p : float, optional
        Comes after top-k.

    Returns
    -------
    tuple of int
    """
    token_ids = ()
    while len(token_ids) < max_len and token_ids[-1:] != (eos_id,):
        log_probs = next_log_probs(np.array([(bos_id, *token_ids)]))[0]
        with np.errstate(divide="ignore"):  # the logarithm of 0 is -inf, as in a filter
            logits = np.log(apply_temperature(log_probs, temperature))
        if top_k is not None:
            logits = top_k_filter(logits, top_k)
        if top_p is not None:
            logits = top_p_filter(logits, top_p)
        token_ids += (sample_token(softmax(logits), uniforms[len(token_ids)]),)
    return token_ids


def beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Keep the `beam_width` likeliest unfinished sequences at every step, and rank those that finished.

    Parameters
    ----------
    next_log_probs : callable
    bos_id, eos_id : int
    beam_width : int
    max_len : int
        The largest number of ids.
    alpha : float
        Strength of the length penalty; 0 for none.

    Returns
    -------
    list of (float, tuple of int)
        Score and ids, best first, at most `beam_width`. The score is the log-probability divided by
        ((5 + L) / 6) to the power alpha, L the number of ids.

    Notes
    -----
    The penalty is that of Wu et al. 2016, equation 14, used by Vaswani et al. 2017, section 6.1.
    """
    live, finished = [(0.0, ())], []
    for length in range(1, max_len + 1):
        candidates = _extensions(next_log_probs, bos_id, live)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if not live or (length < max_len and len(finished) >= beam_width):
            live = []
            break
    scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, ids) for log_prob, ids in finished + live]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])[:beam_width]


def _extensions(next_log_probs, bos_id, live):
    """Return every possible extension of the live hypotheses, likeliest first; ties as they come."""
    log_probs = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))  # (n_live, V)
    extended = [
        (log_prob + more, (*ids, token))
        for (log_prob, ids), row in zip(live, np.asarray(log_probs).tolist(), strict=True)
        for token, more in enumerate(row)
        if more > -np.inf
    ]
    return sorted(extended, key=lambda hypothesis: -hypothesis[0])


def losing_beam(width):
    """Return next-word probabilities with which a beam of this width finds less than greedy search does.

    Parameters
    ----------
    width : int

    Returns
    -------
    ndarray of shape (V, V)
        Row i has the probabilities of the word after word i; word 0 is the start, and word 1 the end.

    Notes
    -----
    One right answer of many. Greedy search takes word 2, then one of many that are equally likely, and is done. After
    word 3 there are just enough likelier ones to fill the beam, and each of them leads to ten words, none likely.
    """
    n_after_2, n_dull = 2 * width, 10
    V = 4 + n_after_2 + width + n_dull
    after_2, after_3, dull = np.split(np.arange(4, V), [n_after_2, n_after_2 + width])
    P = np.zeros((V, V))
    P[0, [2, 3]] = 0.55, 0.45
    P[2, after_2] = 1 / len(after_2)
    P[3, after_3] = 1 / len(after_3)
    P[np.ix_(after_3, dull)] = 1 / len(dull)
    P[[1, *after_2, *dull], 1] = 1
    return P
