"""Specification of `greedy_decode`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_08_decoding.models import agrees, agrees_renamed, endless_model, table
from transformer_kit import reference


def _likeliest(call, rng):
    first = {(): {2: 0.3, 3: 0.6, 1: 0.1}, (3,): {2: 0.7, 1: 0.3}}
    agrees(call, table(first), 0, 1, 2)  # by hand: 3, then 2
    for vocab_size in (5, 7):
        agrees(call, endless_model(rng, vocab_size, eos_id=1), 0, 1, 2)


def _stops(call, rng):
    chain = {(): {4: 0.6, 2: 0.4}, (4,): {1: 0.8, 3: 0.2}}
    agrees_renamed(call, rng, table(chain, otherwise={4: 0.75, 1: 0.25}), 0, 1, 7)
    agrees_renamed(call, rng, table({(): {5: 0.9, 2: 0.1}}, otherwise={3: 0.75, 5: 0.25}, bos_id=6), 6, 5, 4)


def _max_len(call, rng):
    endless = table({}, otherwise={4: 0.5, 3: 0.3, 2: 0.2}, bos_id=5)
    for max_len in (1, 3, int(rng.integers(4, 8))):
        agrees(call, endless, 5, 2, max_len)


def _whole_prefix(call, rng):
    for first, other in ((2, 3), (3, 2)):
        opening = {(): {first: 0.75, other: 0.25}, (2,): {4: 1.0}, (3,): {4: 1.0}}
        model = table(opening | {(2, 4): {5: 0.75, 6: 0.25}, (3, 4): {6: 0.75, 5: 0.25}})
        agrees_renamed(call, rng, model, 0, 1, 5)


def _ties(call, rng):
    tied = {(): {3: 0.375, 4: 0.375, 2: 0.25}, (3,): {6: 0.5, 5: 0.5}}
    agrees_renamed(call, rng, table(tied), 0, 1, 2)
    agrees_renamed(call, rng, table({}, otherwise={0: 0.25, 5: 0.375, 2: 0.375}, bos_id=7), 7, 1, 2)


def _other_ids(call, rng):
    chain = {(): {0: 0.6, 1: 0.4}, (0,): {1: 0.7, 3: 0.3}, (0, 1): {3: 0.6, 0: 0.4}}
    model = table(chain | {(1,): chain[0, 1]}, otherwise={0: 1.0}, bos_id=2)
    agrees(call, model, 2, 3, 6)
    agrees_renamed(call, rng, model, 2, 3, 6)


def _decode(next_log_probs, bos_id, eos_id, max_len, choose=np.argmax, seen=lambda ids: ids):
    ids = []
    while len(ids) < max_len and eos_id not in ids[-1:]:
        ids.append(int(choose(next_log_probs(np.array([[bos_id, *seen(ids)]]))[0])))
    return tuple(ids)


def _goes_on(next_log_probs, bos_id, eos_id, max_len):
    return _decode(next_log_probs, bos_id, None, max_len)


def _padded(next_log_probs, bos_id, eos_id, max_len):
    ids = reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return ids + (eos_id,) * (max_len - len(ids))


def _end_left_out(next_log_probs, bos_id, eos_id, max_len):
    ids = reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return ids[:-1] if ids[-1] == eos_id else ids


def _start_included(next_log_probs, bos_id, eos_id, max_len):
    return (bos_id, *reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len))


def _start_counted(next_log_probs, bos_id, eos_id, max_len):
    return reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len - 1)


def _one_more(next_log_probs, bos_id, eos_id, max_len):
    return reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len + 1)


def _no_limit(next_log_probs, bos_id, eos_id, max_len):
    return reference.greedy_decode(next_log_probs, bos_id, eos_id, 50)


def _last_token_only(next_log_probs, bos_id, eos_id, max_len):
    return _decode(next_log_probs, bos_id, eos_id, max_len, seen=lambda ids: ids[-1:])


def _single_pass(next_log_probs, bos_id, eos_id, max_len):
    return tuple(np.argsort(-next_log_probs(np.array([[bos_id]]))[0], kind="stable")[:max_len].tolist())


def _highest_id(next_log_probs, bos_id, eos_id, max_len):
    def last_maximum(row):
        return len(row) - 1 - np.argmax(row[::-1])

    return _decode(next_log_probs, bos_id, eos_id, max_len, choose=last_maximum)


def _least_likely(next_log_probs, bos_id, eos_id, max_len):
    return _decode(next_log_probs, bos_id, eos_id, max_len, choose=np.argmin)


def _ends_at_1(next_log_probs, bos_id, eos_id, max_len):
    return _decode(next_log_probs, bos_id, 1, max_len)


def _log_prob_too(next_log_probs, bos_id, eos_id, max_len):
    ids = reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return reference.sequence_log_prob(next_log_probs, bos_id, ids), ids


SECTION = "Exercise 8.2: greedy_decode"
STOP = "When to stop"

EXERCISE = Exercise(
    reference=reference.greedy_decode,
    asks="the sequence that comes of taking the likeliest next token at every step.",
    returns=(Returned("token_ids"),),
    where=SECTION,
    claims=(
        Claim("takes the likeliest token at every step", 0.5, _likeliest),
        Claim("stops at the end symbol, which belongs to the result", 0.5, _stops),
        Claim("returns at most max_len ids; the start symbol is not one of them", 0.5, _max_len),
        Claim("asks the model with the whole prefix", 0.5, _whole_prefix),
        Claim("of equally likely tokens takes the lowest id", 0.5, _ties),
        Claim("takes bos_id and eos_id from its arguments", 0.5, _other_ids),
    ),
    mistakes=(
        Mistake(
            "goes-on",
            "Decoding goes on after the end symbol",
            _goes_on,
            "What a model says after the end means nothing: it has never seen anything there in training.",
            STOP,
        ),
        Mistake(
            "padded",
            "The result is filled up with end symbols to the length max_len",
            _padded,
            "One sequence needs no padding. The end symbol stands in it once, as its last id.",
            STOP,
        ),
        Mistake(
            "end-left-out",
            "The end symbol is left out of the result",
            _end_left_out,
            "In this course a finished sequence keeps its end symbol, so that one can tell it from one that was cut "
            "off at max_len.",
            STOP,
        ),
        Mistake(
            "start-included",
            "The start symbol is part of the result",
            _start_included,
            "The start symbol was given, not produced. It belongs to the prefix only.",
            STOP,
        ),
        Mistake(
            "start-counted",
            "The start symbol is counted in max_len",
            _start_counted,
            "Your sequences end one token early: max_len counts the ids that were produced.",
            STOP,
        ),
        Mistake(
            "one-more",
            "One id too many is produced",
            _one_more,
            "Look at the condition of your loop when exactly max_len ids are there already.",
            STOP,
        ),
        Mistake(
            "no-limit",
            "The limit max_len is ignored",
            _no_limit,
            "A model may never produce its end symbol. Without a limit the loop would go on for ever.",
            STOP,
        ),
        Mistake(
            "last-token-only",
            "Only the last token is fed back to the model",
            _last_token_only,
            "The next token depends on everything that came before. Hand the model the whole prefix.",
            SECTION,
        ),
        Mistake(
            "single-pass",
            "All tokens are taken from the first distribution, in descending order",
            _single_pass,
            "One pass gives the probabilities of one token. Every further token needs a further pass, in which its "
            "predecessors are known.",
            SECTION,
        ),
        Mistake(
            "highest-id",
            "Of equally likely tokens the one with the highest id is taken",
            _highest_id,
            "Which one is right is a convention, but a search should always give the same result. Here the lowest "
            "id wins.",
            SECTION,
        ),
        Mistake(
            "least-likely",
            "The least likely token is taken",
            _least_likely,
            "Log-probabilities are negative: the likeliest token has the one nearest to 0, which is the largest.",
            SECTION,
        ),
        Mistake(
            "ends-at-1",
            "The id 1 is taken for the end symbol, whatever eos_id is",
            _ends_at_1,
            "In our toy models the end has id 1, but other models number their tokens differently.",
            SECTION,
        ),
        Mistake(
            "log-prob-too",
            "The log-probability is returned as well",
            _log_prob_too,
            "Asked for is the tuple of ids alone; `sequence_log_prob` gives the other number.",
            SECTION,
        ),
    ),
)
