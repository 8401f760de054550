"""Specification of `sequence_log_prob`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_08_decoding.models import agrees, long_model, renamed, table
from transformer_kit import reference
from transformer_kit.examples.toy_models import random_model


def _product(call, rng):
    halves = table({(): {1: 0.5, 2: 0.5}, (2,): {1: 0.25, 3: 0.75}})
    agrees(call, halves, 0, (2, 1))  # by hand: a half of a quarter, -3 ln 2
    agrees(call, halves, 0, (1,))
    agrees(call, random_model(rng, 5, bos_id=4), 4, tuple(rng.integers(0, 4, 2).tolist()))


def _whole_prefix(call, rng):
    first, second = rng.uniform(0.2, 0.4), rng.uniform(0.6, 0.8)
    ends = {(2, 4): {1: first, 4: 1 - first}, (3, 4): {1: second, 4: 1 - second}}
    model = table({(): {2: 0.5, 3: 0.5}, (2,): {4: 1.0}, (3,): {4: 1.0}} | ends)
    agrees(call, model, 0, (2, 4, 1))
    agrees(call, model, 0, (3, 4, 1))
    agrees(call, random_model(rng, 6), 0, tuple(rng.integers(1, 6, 7).tolist()))


def _unlikely(call, rng):
    agrees(call, long_model(), 0, tuple(rng.integers(2, 16, 300).tolist()))


def _edges(call, rng):
    half = rng.uniform(0.3, 0.7)
    model, ids = renamed(rng, table({(): {2: half, 3: 1 - half}, (2,): {1: 0.25, 3: 0.75}}))
    agrees(call, model, ids[0], (ids[3], ids[2]))  # impossible: after 3 only the end can come
    agrees(call, model, ids[0], ())
    agrees(call, model, ids[0], (ids[2],))


def _terms(next_log_probs, bos_id, token_ids):
    prefixes = [[bos_id, *token_ids[:i]] for i in range(len(token_ids))]
    return [
        float(next_log_probs(np.array([prefix]))[0, token]) for prefix, token in zip(prefixes, token_ids, strict=True)
    ]


def _log_of_product(next_log_probs, bos_id, token_ids):
    return float(np.log(np.prod(np.exp(_terms(next_log_probs, bos_id, token_ids)))))


def _probability(next_log_probs, bos_id, token_ids):
    return float(np.exp(sum(_terms(next_log_probs, bos_id, token_ids))))


def _sum_of_probabilities(next_log_probs, bos_id, token_ids):
    return float(sum(np.exp(_terms(next_log_probs, bos_id, token_ids))))


def _mean(next_log_probs, bos_id, token_ids):
    return sum(_terms(next_log_probs, bos_id, token_ids)) / max(len(token_ids), 1)


def _negative(next_log_probs, bos_id, token_ids):
    return -reference.sequence_log_prob(next_log_probs, bos_id, token_ids)


def _bits(next_log_probs, bos_id, token_ids):
    return float(reference.sequence_log_prob(next_log_probs, bos_id, token_ids) / np.log(2))


def _last_token_only(next_log_probs, bos_id, token_ids):
    total, prefix = 0.0, [bos_id]
    for token in token_ids:
        total += float(next_log_probs(np.array([prefix]))[0, token])
        prefix = [bos_id, token]
    return total


def _one_distribution(next_log_probs, bos_id, token_ids):
    log_probs = next_log_probs(np.array([[bos_id]]))[0]
    return float(sum(log_probs[token] for token in token_ids))


def _first_skipped(next_log_probs, bos_id, token_ids):
    return float(sum(_terms(next_log_probs, bos_id, token_ids)[1:]))


def _last_skipped(next_log_probs, bos_id, token_ids):
    return float(sum(_terms(next_log_probs, bos_id, token_ids)[:-1]))


def _only_last(next_log_probs, bos_id, token_ids):
    return float(sum(_terms(next_log_probs, bos_id, token_ids)[-1:]))


def _one_late(next_log_probs, bos_id, token_ids):
    total, prefix = 0.0, [bos_id]
    for token in token_ids:
        prefix.append(token)
        total += float(next_log_probs(np.array([prefix]))[0, token])
    return total


SECTION = "Exercise 8.1: sequence_log_prob"
CHAIN = "From a product to a sum"

EXERCISE = Exercise(
    reference=reference.sequence_log_prob,
    asks="the logarithm of the probability that the model gives to this sequence.",
    returns=(Returned("log_prob"),),
    where=CHAIN,
    claims=(
        Claim("equals the logarithm of the product of the conditional probabilities, in nats", 0.5, _product),
        Claim("every token is conditioned on the start symbol and all tokens before it", 0.5, _whole_prefix),
        Claim("a long, very unlikely sequence still gets a finite number", 0.5, _unlikely),
        Claim("the empty sequence gets 0.0, an impossible one -inf", 0.5, _edges),
    ),
    mistakes=(
        Mistake(
            "log-of-product",
            "The probabilities are multiplied first, and the logarithm is taken at the end",
            _log_of_product,
            "That is right on paper. But a product of hundreds of small numbers becomes exactly 0 in floating "
            "point, and its logarithm -inf. Logarithms are there to avoid that product.",
            CHAIN,
        ),
        Mistake(
            "probability",
            "The probability itself is returned",
            _probability,
            "Asked for is its logarithm: a number that is at most 0 and does not vanish for long sequences.",
            SECTION,
        ),
        Mistake(
            "sum-of-probabilities",
            "The probabilities are added",
            _sum_of_probabilities,
            "Probabilities of events that must all happen are multiplied. It is their logarithms that are added.",
            CHAIN,
        ),
        Mistake(
            "mean",
            "The sum is divided by the number of tokens",
            _mean,
            "A mean per token is useful for comparing lengths, but it is not the logarithm of a probability. Length "
            "is dealt with later, in the beam search.",
            SECTION,
        ),
        Mistake(
            "negative",
            "The sign is turned round",
            _negative,
            "The logarithm of a probability is at most 0. Its negative is what training minimises, which is not "
            "asked for here.",
            SECTION,
        ),
        Mistake(
            "bits",
            "The logarithm has base 2",
            _bits,
            "The model speaks in natural logarithms (nats), and so should the sum.",
            SECTION,
        ),
        Mistake(
            "last-token-only",
            "Only the last token is fed back to the model",
            _last_token_only,
            "Two sequences that end alike may go on differently. The model needs everything from the start symbol "
            "to the token before.",
            CHAIN,
        ),
        Mistake(
            "one-distribution",
            "All tokens are looked up in the distribution of the first step",
            _one_distribution,
            "The probabilities change with every token that is known. Ask the model again after each of them.",
            CHAIN,
        ),
        Mistake(
            "first-skipped",
            "The first token is not counted",
            _first_skipped,
            "It has a probability, too: the one after the start symbol alone.",
            CHAIN,
        ),
        Mistake(
            "last-skipped",
            "The last token is not counted",
            _last_skipped,
            "That the sequence ends here, and does not go on, is a decision of the model like any other: the end "
            "symbol counts.",
            CHAIN,
        ),
        Mistake(
            "only-last",
            "Only the last token is counted",
            _only_last,
            "Is the sum overwritten in every turn of the loop?",
            CHAIN,
        ),
        Mistake(
            "one-late",
            "Every token is added to the prefix before its own probability is looked up",
            _one_late,
            "Then you ask how likely the token is to come a second time. First look up, then append.",
            CHAIN,
        ),
    ),
)
