"""Specification of `sequence_log_prob`."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, long_model, renamed, table
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.toy_models import random_model

EXERCISE = Exercise(
    reference=reference.sequence_log_prob,
    asks="the logarithm of the probability that the model gives to this sequence.",
    returns=(Output("log_prob"),),
    calls=calls.SEQUENCE_LOG_PROB,
    hands=HANDS,
    lookalike=lookalikes.SEQUENCE_LOG_PROB,
)


@EXERCISE.claim(0.25)
def product(call, rng):
    """equals the logarithm of the product of the conditional probabilities, in nats"""
    halves = table({(): {1: 0.5, 2: 0.5}, (2,): {1: 0.25, 3: 0.75}})
    agrees(call, halves, 0, (2, 1))  # by hand: a half of a quarter, -3 ln 2
    agrees(call, halves, 0, (1,))
    agrees(call, random_model(rng, 5, bos_id=4), 4, tuple(rng.permutation([0, 2, 3])[:2].tolist()))


@EXERCISE.claim(0.25)
def whole_prefix(call, rng):
    """every token is conditioned on the start symbol and all tokens before it"""
    first, second = rng.uniform(0.2, 0.4), rng.uniform(0.6, 0.8)
    ends = {(2, 4): {1: first, 4: 1 - first}, (3, 4): {1: second, 4: 1 - second}}
    model = table({(): {2: 0.5, 3: 0.5}, (2,): {4: 1.0}, (3,): {4: 1.0}} | ends)
    agrees(call, model, 0, (2, 4, 1))
    agrees(call, model, 0, (3, 4, 1))
    agrees(call, random_model(rng, 6), 0, tuple(rng.integers(1, 6, 7).tolist()))
    agrees(call, random_model(rng, 6, bos_id=2), 2, tuple([*rng.permutation(6).tolist(), *rng.permutation(6).tolist()]))


@EXERCISE.claim(0.25)
def unlikely(call, rng):
    """a long, very unlikely sequence still gets a finite number"""
    agrees(call, long_model(), 0, tuple(rng.integers(2, 16, 300).tolist()))


@EXERCISE.claim(0.25)
def edges(call, rng):
    """the empty sequence gets 0.0, an impossible one -inf"""
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


wrong = WrongAnswers(EXERCISE, globals())

wrong("log-of-product", "float(np.log(np.prod(np.exp(_terms(next_log_probs, bos_id, token_ids)))))", """
    Long sequences get -inf, as where probabilities are multiplied before the logarithm.
    On paper that product is right. But a product of hundreds of small numbers becomes exactly 0 in floating point, and
    its logarithm -inf. Logarithms are there to avoid that product.""")

wrong("probability", "float(np.exp(sum(_terms(next_log_probs, bos_id, token_ids))))", """
    The probability itself is returned.
    Return its logarithm: a number that is at most 0 and does not vanish for long sequences.""")

wrong("sum-of-probabilities", "float(sum(np.exp(_terms(next_log_probs, bos_id, token_ids))))", """
    The probabilities are added.
    Probabilities of events that must all happen are multiplied. It is their logarithms that are added.""")

wrong("mean", "sum(_terms(next_log_probs, bos_id, token_ids)) / max(len(token_ids), 1)", """
    The sum is divided by the number of tokens.
    A mean per token is useful for comparing lengths, but it is not the logarithm of a probability. Length is dealt with
    later, in the beam search.""")

wrong("negative", "-sequence_log_prob(next_log_probs, bos_id, token_ids)", """
    The sign is reversed.
    The logarithm of a probability is at most 0. Its negative is what training minimises, but it is not what this
    function returns.""")

wrong("bits", "float(sequence_log_prob(next_log_probs, bos_id, token_ids) / np.log(2))", """
    The logarithm has base 2.
    The model speaks in natural logarithms (nats), and so should the sum.""")

wrong("last-token-only", {"prefix.append(int(token))": "prefix = [bos_id, int(token)]"}, """
    Only the last token is fed back to the model.
    Two sequences that end alike may go on differently. The model needs everything from the start symbol to the token
    before.""")

wrong("last-token-alone", {"prefix.append(int(token))": "prefix = [int(token)]"}, """
    Only the last token is fed back to the model.
    What comes next depends on all that stands before. The prefix begins with the start symbol and grows by one token a
    step.""")

wrong("one-distribution", "float(sum(next_log_probs(np.array([[bos_id]]))[0][token] for token in token_ids))", """
    All tokens are looked up in the distribution of the first step.
    The probabilities change with every token that is known. Ask the model again after each of them.""")

wrong("first-skipped", "float(sum(_terms(next_log_probs, bos_id, token_ids)[1:]))", """
    The first token is not counted.
    It has a probability, too: the one after the start symbol alone.""")

wrong("last-skipped", "float(sum(_terms(next_log_probs, bos_id, token_ids)[:-1]))", """
    The last token is not counted.
    That the sequence ends here, and does not go on, is a decision of the model like any other: the end symbol
    counts.""")

wrong("only-last", "float(sum(_terms(next_log_probs, bos_id, token_ids)[-1:]))", """
    Only the last token is counted.
    Is the sum overwritten in every turn of the loop?""")

wrong("one-late", {"[prefix]": "[[*prefix, token]]"}, """
    Every token is added to the prefix before its own probability is looked up.
    Then you ask how likely the token is to come a second time. First look up, then append.""")

wrong("returns-in-loop", {"        prefix.append(int(token))\n    return total": "        return total"}, """
    Only the first token is counted, as where `return` stands within the loop.
    A return ends the function at once. It belongs after the loop, where the sum is complete.""")

wrong("likeliest-tokens", {"[0, token]": ".max()"}, """
    The largest log-probability of every step is added.
    It does not matter which token the model prefers. Look up the token that the sequence really has.""")


@wrong.function
def without_start(next_log_probs, bos_id, token_ids):
    """The prefixes do not begin with the start symbol.
    Every prefix does, and so the first token has a prefix, too: the start symbol alone."""
    prefixes = [token_ids[:i] for i in range(1, len(token_ids))]
    pairs = zip(prefixes, token_ids[1:], strict=True)
    return float(sum(next_log_probs(np.array([prefix]))[0, token] for prefix, token in pairs))


wrong.at("A model that says what comes next")
wrong("one-axis", {"np.array([prefix]))[0, token]": "np.array(prefix))[token]"}, """
    The model gets a prefix of shape (t,).
    It takes several prefixes at once, one in each row. A single one is an array of shape (1, t).""")

wrong.at()
wrong("small-number-added", "float(np.log(np.exp(sequence_log_prob(next_log_probs, bos_id, token_ids)) + 1e-300))", """
    A small number is added to a product of probabilities before the logarithm.
    Then every sequence that is less likely than that number gets the same result, an impossible one too. Add the
    logarithms instead: their sum needs no such help.""")

wrong("log-of-sum", "float(np.log(sum(np.exp(_terms(next_log_probs, bos_id, token_ids)))))", """
    The probabilities are added, and the logarithm is taken of the sum.
    The logarithm of a product is the sum of the logarithms: first the logarithms, then the sum.""")


@wrong.function
def first_occurrence(next_log_probs, bos_id, token_ids):
    """The prefix of a token ends where the token comes up for the first time.
    `index` finds the first place only. Where a token is repeated, its prefix is longer: count the places."""
    ids = list(token_ids)
    prefixes = [[bos_id, *ids[: ids.index(token)]] for token in ids]
    return float(sum(next_log_probs(np.array([p]))[0, t] for p, t in zip(prefixes, ids, strict=True)))


@wrong.function
def ends_at_1(next_log_probs, bos_id, token_ids):
    """The sum ends at id 1, taken for the end symbol.
    Which id ends a sequence does not matter here: all the tokens that are given count."""
    ids = list(token_ids)
    return sum(_terms(next_log_probs, bos_id, ids[: ids.index(1) + 1] if 1 in ids else ids))
