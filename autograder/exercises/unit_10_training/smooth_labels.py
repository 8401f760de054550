"""Specification of `smooth_labels`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

SHARES = "Who gets which share"

EXERCISE = Exercise(
    reference=reference.smooth_labels,
    asks="for every token the distribution that the model should come close to.",
    returns=(Output("distribution", "(..., V)"),),
    where=SHARES,
    calls=calls.SMOOTH_LABELS,
    lookalike=lookalikes.SMOOTH_LABELS,
)


def _epsilon(rng):
    return float(rng.uniform(0.2, 0.4))


@EXERCISE.claim(0.75)
def shares(call, rng):
    """the right token gets 1 - epsilon + epsilon / V, every other one epsilon / V"""
    call.agrees(np.array([2, 0]), 4, 0.2)  # by hand: 0.85 and three times 0.05
    call.agrees(rng.integers(0, 9, 5), 9, _epsilon(rng))


@EXERCISE.claim(0.25)
def sums(call, rng):
    """every row is a distribution in which no token is impossible"""
    token_ids = rng.permutation(8)[:6]
    result = call.array((6, 8), token_ids, 8, _epsilon(rng), kinds="f")
    call.holds(bool((result.argmax(axis=-1) == token_ids).all()), "the right token should get the largest share.")
    call.holds(bool((result > 0).all()), "every token should get a share; an entry is not positive.")
    gap = np.abs(result.sum(axis=-1) - 1).max()
    call.holds(gap < bound_for(1e-9, result), f"the sum of a row is off from 1 by up to {gap:.3g}.")


@EXERCISE.claim(0.25)
def ends(call, rng):
    """epsilon = 0 changes nothing, and epsilon = 1 leaves nothing but even shares"""
    token_ids = rng.permutation(11)[:5]
    call.agrees(token_ids, 11, 0.0)
    call.agrees(token_ids, 11, 1.0)


@EXERCISE.claim(0.5)
def any_shape(call, rng):
    """takes ids of any shape, also a single one"""
    call.agrees(rng.permutation(17)[:6].reshape(2, 3), 17, _epsilon(rng))
    call.agrees(rng.integers(0, 7, (2, 3, 4)), 7, _epsilon(rng))
    call.agrees(np.array(int(rng.integers(1, 6))), 7, _epsilon(rng))  # a single id
    call.agrees(rng.integers(0, 7, (1, 3, 1)), 7, _epsilon(rng))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    token_ids, epsilon = rng.integers(0, 10, 4), _epsilon(rng)
    call.leaves_inputs_alone(token_ids, 10, epsilon)
    call.agrees(token_ids, 10, epsilon)


def _with_shares(token_ids, vocab_size, right, others):
    """Give the right token one share and every other token another one."""
    hot = reference.one_hot(token_ids, vocab_size)
    return hot * right + (1 - hot) * others


wrong = WrongAnswers(EXERCISE, globals())

wrong("others-only", "_with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / (vocab_size - 1))", """
    epsilon is shared out among the other tokens only.
    That is a distribution too, and some libraries use it. But in the paper that introduced label smoothing, and here,
    the even shares go to the whole vocabulary, the right token included.""")

wrong("own-share-forgotten", "_with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / vocab_size)", """
    The right token does not get its part of the even shares.
    The rows then sum to less than 1. The even shares go to all tokens, and the right one is among them.""")

wrong("one-too-few", {"/ vocab_size": "/ (vocab_size - 1)"}, """
    epsilon is divided by V - 1, although all V tokens get a share.
    The rows then sum to more than 1. Divide by the number of tokens that get a share.""")


@wrong.function
def without_padding(token_ids, vocab_size, epsilon):
    """Padding gets nothing, and epsilon is divided by V - 2.
    A well-known implementation does so. Here no id is special, and padding is left out later, in the loss."""
    output = _with_shares(token_ids, vocab_size, 1 - epsilon, epsilon / (vocab_size - 2))
    output[..., 0] = 0
    return output


wrong("not-smoothed", "one_hot(token_ids, vocab_size)", """
    The labels are not smoothed.
    A 1 for the right token and 0 for all others is where smoothing begins, not where it ends.""")

wrong("not-divided", {" / vocab_size": ""}, """
    Every token gets the whole epsilon.
    epsilon is what all tokens get together.""")

wrong("exchanged", "smooth_labels(token_ids, vocab_size, 1 - epsilon)", """
    epsilon and 1 - epsilon are swapped.
    epsilon is small, and it is the part that is taken from the right token.""")

wrong("nothing-taken-away", {"(1 - epsilon) * ": ""}, """
    The even shares are added, and nothing is taken away from the right token.
    The rows then sum to more than 1. What is shared out has to come from somewhere.""")

wrong.at()
wrong("always-a-tenth", "smooth_labels(token_ids, vocab_size, 0.1)", """
    epsilon is always 0.1.
    0.1 is the value of the paper. The function gets its own epsilon as an argument.""")

wrong.at(SHARES)
wrong("divided-by-tokens", {"/ vocab_size": "/ np.size(token_ids)"}, """
    epsilon is divided by the number of tokens, not by the size of the vocabulary.
    The shares go to the words of the vocabulary. How many tokens are smoothed at once does not matter.""")

wrong.at()


@wrong.function
def every_id_in_every_row(token_ids, vocab_size, epsilon):
    """Every row gives the large share to all tokens of the batch.
    Indexing the last axis with all ids writes them into each row. Every row has one right token: its own."""
    output = np.full((*token_ids.shape, vocab_size), epsilon / vocab_size)
    output[..., token_ids] += 1 - epsilon
    return output


wrong("whole-numbers", "smooth_labels(token_ids, vocab_size, epsilon).astype(np.int64)", """
    The shares are cut to whole numbers.
    An array made for whole numbers keeps only the whole part of what is written into it.""")

wrong("flattened", "smooth_labels(token_ids, vocab_size, epsilon).reshape(-1, vocab_size)", """
    All leading axes become one.
    The result has the axes of the ids, and one more.""")

wrong.at(SHARES)


@wrong.function
def normalised_sum(token_ids, vocab_size, epsilon):
    """epsilon is added everywhere, and the rows are divided by their sums.
    The rows are distributions, but the larger the vocabulary, the more the right token loses."""
    output = reference.one_hot(token_ids, vocab_size) + epsilon
    return output / output.sum(axis=-1, keepdims=True)


wrong("divided-by-the-sum", "(one_hot(token_ids, vocab_size) + epsilon / vocab_size) / (1 + epsilon)", """
    The even shares are added to a whole 1, and the rows are divided by their sums.
    The rows are distributions, but what is spread is less than epsilon. Take epsilon away from the right token
    first.""")

wrong("others-get-nothing", "one_hot(token_ids, vocab_size) * (1 - epsilon + epsilon / vocab_size)", """
    Only the right token gets anything.
    What is taken from the right token has to go somewhere: every token gets its even share.""")

wrong("everything-divided", "((1 - epsilon) * one_hot(token_ids, vocab_size) + epsilon) / vocab_size", """
    The part of the right token is divided by V, too.
    `/` binds more tightly than `+`, and a bracket around the whole sum undoes that. Only epsilon is shared out.""")

wrong("floor-division", {"epsilon /": "epsilon //"}, """
    The even share is cut to a whole number.
    `//` throws the fraction away, and for an epsilon below V nothing else is there. A share is made with `/`.""")

wrong("clipped", "np.clip(one_hot(token_ids, vocab_size), epsilon, 1 - epsilon)", """
    The plain labels are cut off at epsilon and 1 - epsilon.
    Then every wrong word gets the whole share. It is one share, which all words divide among themselves.""")

wrong("too-much-for-the-others",
      "_with_shares(token_ids, vocab_size, 1 - epsilon + epsilon / vocab_size, epsilon / (vocab_size - 1))", """
    The wrong words divide the whole share among themselves, and the right one gets a part all the same.
    Then a row sums to more than 1. All V words get epsilon / V, the right one included.""")

wrong("whole-share-for-everybody", {"+ epsilon / vocab_size": "+ 1 / vocab_size"}, """
    Every token gets 1 / V, not epsilon / V.
    epsilon is what is shared out, and the right token has given it away. With more, the rows sum to more than 1.""")

wrong("brackets-forgotten", {"(1 - epsilon) * one_hot": "1 - epsilon * one_hot"}, """
    epsilon alone is multiplied by the plain labels, because the difference 1 - epsilon lacks its brackets.
    The right token keeps 1 - epsilon. The other plain labels are 0, and stay 0 before the shares are added.""")

wrong.small("one-too-few", shares)
