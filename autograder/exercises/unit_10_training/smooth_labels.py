"""Specification of `smooth_labels`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _epsilon(rng):
    return float(rng.uniform(0.2, 0.4))


def _shares(call, rng):
    call.agrees(np.array([2, 0]), 4, 0.2)  # by hand: 0.85 and three times 0.05
    call.agrees(rng.integers(0, 9, 5), 9, _epsilon(rng))


def _sums(call, rng):
    result = call.array((6, 8), rng.integers(0, 8, 6), 8, _epsilon(rng), kinds="f")
    call.holds(bool((result > 0).all()), "every token should get a share; an entry is not positive.")
    gap = np.abs(result.sum(axis=-1) - 1).max()
    call.holds(gap < 1e-9, f"the sum of a row is off from 1 by up to {gap:.3g}.")


def _ends(call, rng):
    token_ids = rng.permutation(11)[:5]
    call.agrees(token_ids, 11, 0.0)
    call.agrees(token_ids, 11, 1.0)


def _any_shape(call, rng):
    call.agrees(rng.permutation(17)[:6].reshape(2, 3), 17, _epsilon(rng))
    call.agrees(rng.integers(0, 7, (2, 3, 4)), 7, _epsilon(rng))
    call.agrees(np.array(int(rng.integers(1, 6))), 7, _epsilon(rng))  # a single id


def _inputs(call, rng):
    token_ids, epsilon = rng.integers(0, 10, (3, 4)), _epsilon(rng)
    call.agrees(token_ids, 10, epsilon)
    call.leaves_inputs_alone(token_ids, 10, epsilon)


def _with_shares(token_ids, vocab_size, right, others):
    """Give the right token one share and every other token another one."""
    hot = reference.one_hot(token_ids, vocab_size)
    return hot * right + (1 - hot) * others


def _others_only(token_ids, vocab_size, epsilon):
    return _with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / (vocab_size - 1))


def _own_share_forgotten(token_ids, vocab_size, epsilon):
    return _with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / vocab_size)


def _one_too_few(token_ids, vocab_size, epsilon):
    return (1 - epsilon) * reference.one_hot(token_ids, vocab_size) + epsilon / (vocab_size - 1)


def _without_padding(token_ids, vocab_size, epsilon):
    output = _with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / (vocab_size - 2))
    output[..., 0] = 0
    return output


def _not_smoothed(token_ids, vocab_size, epsilon):
    return reference.one_hot(token_ids, vocab_size)


def _not_divided(token_ids, vocab_size, epsilon):
    return (1 - epsilon) * reference.one_hot(token_ids, vocab_size) + epsilon


def _exchanged(token_ids, vocab_size, epsilon):
    return reference.smooth_labels(token_ids, vocab_size, 1 - epsilon)


def _nothing_taken_away(token_ids, vocab_size, epsilon):
    return reference.one_hot(token_ids, vocab_size) + epsilon / vocab_size


def _always_a_tenth(token_ids, vocab_size, epsilon):
    return reference.smooth_labels(token_ids, vocab_size, 0.1)


def _divided_by_tokens(token_ids, vocab_size, epsilon):
    return (1 - epsilon) * reference.one_hot(token_ids, vocab_size) + epsilon / np.size(token_ids)


def _every_id_in_every_row(token_ids, vocab_size, epsilon):
    output = np.full((*token_ids.shape, vocab_size), epsilon / vocab_size)
    output[..., token_ids] += 1 - epsilon
    return output


def _whole_numbers(token_ids, vocab_size, epsilon):
    return reference.smooth_labels(token_ids, vocab_size, epsilon).astype(np.int64)


def _flattened(token_ids, vocab_size, epsilon):
    return reference.smooth_labels(token_ids, vocab_size, epsilon).reshape(-1, vocab_size)


def _normalised_sum(token_ids, vocab_size, epsilon):
    output = reference.one_hot(token_ids, vocab_size) + epsilon
    return output / output.sum(axis=-1, keepdims=True)


SECTION = "Exercise 10.2: smooth_labels"
SHARES = "Who gets which share"

EXERCISE = Exercise(
    reference=reference.smooth_labels,
    asks="for every token the distribution that the model should come close to.",
    returns=(Returned("distribution", "(..., V)"),),
    where=SHARES,
    claims=(
        Claim("the right token gets 1 - epsilon + epsilon / V, every other one epsilon / V", 1, _shares),
        Claim("every row is a distribution in which no token is impossible", 0.5, _sums),
        Claim("epsilon = 0 changes nothing, and epsilon = 1 leaves nothing but even shares", 0.5, _ends),
        Claim("takes ids of any shape, also a single one", 0.5, _any_shape),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "others-only",
            "epsilon is shared out among the other tokens only",
            _others_only,
            "That is a distribution, too, and some libraries use it. But in the paper that introduced label smoothing, "
            "and here, the even shares go to the whole vocabulary, the right token included.",
            SHARES,
        ),
        Mistake(
            "own-share-forgotten",
            "The right token does not get its part of the even shares",
            _own_share_forgotten,
            "The rows then sum to less than 1. The even shares go to all tokens, and the right one is among them.",
            SHARES,
        ),
        Mistake(
            "one-too-few",
            "epsilon is divided by V - 1, although all V tokens get a share",
            _one_too_few,
            "The rows then sum to more than 1. Divide by the number of those who get something.",
            SHARES,
        ),
        Mistake(
            "without-padding",
            "Padding gets nothing, and epsilon is divided by V - 2",
            _without_padding,
            "A well-known implementation does so. Here no id is special, and padding is left out later, in the loss.",
            SHARES,
        ),
        Mistake(
            "not-smoothed",
            "The labels are not smoothed",
            _not_smoothed,
            "A 1 for the right token and 0 for all others is where smoothing begins, not where it ends.",
            SHARES,
        ),
        Mistake(
            "not-divided",
            "Every token gets the whole epsilon",
            _not_divided,
            "epsilon is what all tokens get together.",
            SHARES,
        ),
        Mistake(
            "exchanged",
            "epsilon and 1 - epsilon are exchanged",
            _exchanged,
            "epsilon is small, and it is the part that is taken from the right token.",
            SHARES,
        ),
        Mistake(
            "nothing-taken-away",
            "The even shares are added, and nothing is taken away from the right token",
            _nothing_taken_away,
            "The rows then sum to more than 1. What is shared out has to come from somewhere.",
            SHARES,
        ),
        Mistake(
            "always-a-tenth",
            "epsilon is always 0.1",
            _always_a_tenth,
            "0.1 is the value of the paper. The function gets its own epsilon as an argument.",
            SECTION,
        ),
        Mistake(
            "divided-by-tokens",
            "epsilon is divided by the number of tokens, not by the size of the vocabulary",
            _divided_by_tokens,
            "The shares go to the words of the vocabulary. How many tokens are smoothed at once does not matter.",
            SHARES,
        ),
        Mistake(
            "every-id-in-every-row",
            "Every row gives the large share to all tokens of the batch",
            _every_id_in_every_row,
            "Indexing the last axis with all ids writes them into each row. Every row has one right token: its own.",
            SECTION,
        ),
        Mistake(
            "whole-numbers",
            "The shares are cut to whole numbers",
            _whole_numbers,
            "An array that was made for whole numbers keeps only these of what is written into it.",
            SECTION,
        ),
        Mistake(
            "flattened",
            "All leading axes become one",
            _flattened,
            "The result has the axes of the ids, and one more.",
            SECTION,
        ),
        Mistake(
            "normalised-sum",
            "epsilon is added everywhere, and the rows are divided by their sums",
            _normalised_sum,
            "The rows are distributions then, but the right token loses more, the larger the vocabulary is.",
            SHARES,
        ),
    ),
)
