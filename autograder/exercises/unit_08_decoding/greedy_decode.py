"""Specification of `greedy_decode`."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, agrees_renamed, endless_model, table
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.greedy_decode,
    asks="the sequence that results from taking the likeliest next token at every step.",
    returns=(Output("token_ids"),),
    calls=calls.GREEDY_DECODE,
    hands=HANDS,
    lookalike=lookalikes.GREEDY_DECODE,
)


@EXERCISE.claim(0.5)
def likeliest(call, rng):
    """takes the likeliest token at every step"""
    first = {(): {2: 0.3, 3: 0.6, 1: 0.1}, (3,): {2: 0.7, 1: 0.3}}
    agrees(call, table(first), 0, 1, 2)  # by hand: 3, then 2
    for vocab_size in (5, 7):

        def draw(vocab_size=vocab_size):
            return endless_model(rng, vocab_size, eos_id=1), 0, 1, 2

        agrees(call, *telling(EXERCISE, draw, "single-pass", alike=["stops-at-start-symbol"]))


@EXERCISE.claim(0.5)
def stops(call, rng):
    """stops at the end symbol, which belongs to the result"""
    chain = {(): {4: 0.6, 2: 0.4}, (4,): {1: 0.8, 3: 0.2}}
    agrees_renamed(call, rng, table(chain, otherwise={4: 0.75, 1: 0.25}), 0, 1, 7)
    agrees_renamed(call, rng, table({(): {5: 0.9, 2: 0.1}}, otherwise={3: 0.75, 5: 0.25}, bos_id=6), 6, 5, 4)
    start_again = {(): {0: 0.6, 2: 0.4}, (0,): {3: 0.7, 0: 0.3}}  # the start symbol is a token like any other
    agrees_renamed(call, rng, table(start_again), 0, 1, 5)
    agrees_renamed(call, rng, table(chain), 0, 1, 2)  # the end takes the last place
    agrees_renamed(call, rng, table({(): {1: 0.6, 3: 0.4}}), 0, 1, 5)  # and here the first


@EXERCISE.claim(0.25)
def max_len(call, rng):
    """returns at most max_len ids; the start symbol is not one of them"""
    endless = table({}, otherwise={4: 0.5, 3: 0.3, 2: 0.2}, bos_id=5)
    for max_len in (1, 3, int(rng.integers(240, 300))):
        agrees(call, endless, 5, 2, max_len)


@EXERCISE.claim(0.25)
def whole_prefix(call, rng):
    """asks the model with the whole prefix"""
    for first, other in ((2, 3), (3, 2)):
        opening = {(): {first: 0.75, other: 0.25}, (2,): {4: 1.0}, (3,): {4: 1.0}}
        model = table(opening | {(2, 4): {5: 0.75, 6: 0.25}, (3, 4): {6: 0.75, 5: 0.25}})
        agrees_renamed(call, rng, model, 0, 1, 5)


@EXERCISE.claim(0.25)
def ties(call, rng):
    """of equally likely tokens takes the lowest id"""
    tied = {(): {3: 0.375, 4: 0.375, 2: 0.25}, (3,): {6: 0.5, 5: 0.5}}
    agrees_renamed(call, rng, table(tied), 0, 1, 2)
    agrees_renamed(call, rng, table({}, otherwise={0: 0.25, 5: 0.375, 2: 0.375}, bos_id=7), 7, 1, 2)
    agrees_renamed(call, rng, table({(): {2: 0.5, 5: 0.5}}), 0, 5, 2)  # the end symbol has no precedence


@EXERCISE.claim(0.25)
def other_ids(call, rng):
    """takes bos_id and eos_id from its arguments"""
    chain = {(): {0: 0.6, 1: 0.4}, (0,): {1: 0.7, 3: 0.3}, (0, 1): {3: 0.6, 0: 0.4}}
    model = table(chain | {(1,): chain[0, 1]}, otherwise={0: 1.0}, bos_id=2)
    agrees(call, model, 2, 3, 6)
    agrees_renamed(call, rng, model, 2, 3, 6)


def _decode(next_log_probs, bos_id, eos_id, max_len, choose=np.argmax, seen=lambda ids: ids):
    ids = []
    while len(ids) < max_len and eos_id not in ids[-1:]:
        ids.append(int(choose(next_log_probs(np.array([[bos_id, *seen(ids)]]))[0])))
    return tuple(ids)


wrong = WrongAnswers(EXERCISE, globals())

wrong("goes-on", "_decode(next_log_probs, bos_id, None, max_len)", """
    Decoding goes on after the end symbol.
    What a model says after the end means nothing: it has never seen anything there in training.""")

wrong("padded", {"return token_ids": "return token_ids + (eos_id,) * (max_len - len(token_ids))"}, """
    The result is filled up with end symbols to the length max_len.
    One sequence needs no padding. The end symbol appears in it once, as its last id.""")

wrong("end-left-out", {"return token_ids": "return token_ids[:-1] if token_ids[-1] == eos_id else token_ids"}, """
    The end symbol is left out of the result.
    In this course a finished sequence keeps its end symbol, so that one can tell it from one that was cut off at
    max_len.""")

wrong("start-included", "(bos_id, *greedy_decode(next_log_probs, bos_id, eos_id, max_len))", """
    The start symbol is part of the result.
    The start symbol was given, not produced. It belongs to the prefix only.""")

wrong("start-counted", "greedy_decode(next_log_probs, bos_id, eos_id, max_len - 1)", """
    The start symbol is counted in max_len.
    Your sequences end one token early: max_len counts the ids that were produced.""")

wrong("no-limit", "greedy_decode(next_log_probs, bos_id, eos_id, 50)", """
    The limit max_len is ignored.
    A model may never produce its end symbol. Without a limit the loop would go on for ever.""")

wrong("one-more", "greedy_decode(next_log_probs, bos_id, eos_id, max_len + 1)", """
    One id too many is produced.
    What does the condition of your loop say once there are max_len ids?""")

wrong("last-token-only", "_decode(next_log_probs, bos_id, eos_id, max_len, seen=lambda ids: ids[-1:])", """
    Only the last token is fed back to the model.
    The next token depends on everything that came before. Give the model the whole prefix.""")

wrong("single-pass",
      'tuple(np.argsort(-next_log_probs(np.array([[bos_id]]))[0], kind="stable")[:max_len].tolist())', """
    All tokens are taken from the first distribution, in descending order.
    One pass gives the probabilities of one token. Every further token needs a further pass, in which its predecessors
    are known.""")

wrong("highest-id", {"np.argmax(log_probs[0])": "log_probs.shape[1] - 1 - np.argmax(log_probs[0, ::-1])"}, """
    Of equally likely tokens the one with the highest id is taken.
    Which one is right is a convention, but a search should always give the same result. Here the lowest id wins.""")

wrong("least-likely", "_decode(next_log_probs, bos_id, eos_id, max_len, choose=np.argmin)", """
    The least likely token is taken.
    Log-probabilities are negative: the likeliest token has the one nearest to 0, which is the largest.""")

wrong("always-0", "_decode(next_log_probs, bos_id, eos_id, max_len, choose=lambda log_probs: 0)", """
    The id 0 is always taken.
    The model gives one row for each prefix, and the words lie along the last axis. Over which axis do you look for the
    maximum?""")

wrong("ends-at-1", "_decode(next_log_probs, bos_id, 1, max_len)", """
    The id 1 is taken for the end symbol, whatever eos_id is.
    In our toy models the end has id 1, but other models number their tokens differently.""")

wrong("log-prob-too", {"return ": "return sequence_log_prob(next_log_probs, bos_id, token_ids), "}, """
    The log-probability is returned as well.
    Return the tuple of ids alone; `sequence_log_prob` gives the other number.""")

wrong.at("A model that says what comes next")
wrong("without-start", {"np.array([(bos_id, *token_ids)])": "np.array([token_ids], dtype=np.intp)"}, """
    The prefixes do not begin with the start symbol.
    The start symbol is not part of the result, but the model has to see it at the front of every prefix.""")

wrong("one-axis", "_decode(lambda prefixes: next_log_probs(prefixes[0]), bos_id, eos_id, max_len)", """
    The model gets a prefix of shape (t,).
    It takes several prefixes at once, one in each row. A single one is an array of shape (1, t).""")

wrong.at()
wrong("stops-at-start-symbol",
      {"return token_ids": "return token_ids[:token_ids.index(bos_id) + 1] if bos_id in token_ids else token_ids"}, """
    The search also stops when the start symbol has been produced.
    Only the end symbol ends a sequence. The start symbol is a token like any other when the model produces it.""")


@wrong.function
def at_least_one_word(next_log_probs, bos_id, eos_id, max_len):
    """The end symbol is never taken first.
    It is a token like any other: where it is the likeliest, even at the beginning, it is taken."""

    def without_end(prefixes):
        log_probs = np.array(next_log_probs(prefixes))
        log_probs[:, eos_id] = np.where(prefixes.shape[1] > 1, log_probs[:, eos_id], -np.inf)
        return log_probs

    return reference.greedy_decode(without_end, bos_id, eos_id, max_len)


wrong("end-always-added",
      {"return token_ids": "return token_ids if token_ids[-1:] == (eos_id,) else (*token_ids, eos_id)"}, """
    The end symbol is put at the end even if the model has not produced it.
    Only what was produced belongs to the result, so that a sequence that was cut off at max_len can be told.""")

wrong("end-lost-at-max-len", {
    "return token_ids": "return token_ids[:-1] if len(token_ids) == max_len and token_ids[-1] == eos_id else token_ids",
}, """
    An end symbol that takes the last of max_len places is lost.
    It was produced, and there is room for it.""")
