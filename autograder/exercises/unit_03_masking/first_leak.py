"""Specification of `first_leak`."""

import numpy as np

from autograder.evaluation.trials import Failed
from autograder.execution.handed import Numbers
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_03_masking import attends, calls, lookalikes
from autograder.exercises.unit_03_masking.attends import WIDTH, peeking, self_attention, swaying
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.experiments.leaks import mask_on_weights

MEANING = "What counts as a leak"

EXERCISE = Exercise(
    reference=reference.first_leak,
    asks="the first position whose output moves when later tokens are changed, or None.",
    returns=(Output("position", may_be_none=True),),
    calls=calls.FIRST_LEAK,
    hands={"attend": (Numbers(axes=2),)},
    lookalike=lookalikes.FIRST_LEAK,
)


def _tokens(rng, n=None):
    """Draw how many tokens there are, and the tokens."""
    n = n or int(rng.integers(6, 10))
    return n, rng.standard_normal((n, WIDTH))


def _leak(rng, n):
    """Draw a position after the first, and a later token that is neither the next nor the last."""
    at = int(rng.integers(1, n - 3))
    return at, int(rng.integers(at + 2, n - 1))


def _one_wrong_entry(rng, n):
    """Return a causal mask that lets one position see a later token."""
    mask = reference.causal_mask(n)
    mask[_leak(rng, n)] = True
    return mask


def _judge_all(call, rng, cases, X):
    """Require the reference's verdicts, in any order, so that none can be known beforehand."""
    names = list(cases)
    for number in rng.permutation(len(names)):
        what = names[number]
        try:
            call.agrees(cases[what], X)
        except Failed as failed:
            raise Failed(f"given {what}: {failed.text}", failed.difference) from None


@EXERCISE.claim(0.5)
def no_mask_at_all(call, rng):
    """tells causal attention from attention without a mask"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {
        "a function that only looks back": attends.looks_back,
        "causal attention": causal,
        "attention without a mask": self_attention(rng, None),
        "attention with one leak": swaying(causal, *_leak(rng, n)),
    }
    for attend in cases.values():
        call(attend, _tokens(rng, n)[1])  # all of them first: together they tell the mistakes apart
    _judge_all(call, rng, cases, X)


@EXERCISE.claim(0.5)
def broken_masks(call, rng):
    """judges masks that are off by one, inverted, or put on the weights"""
    n, X = _tokens(rng)
    causal = reference.causal_mask(n)
    cases = {
        "a mask that is one position too far": self_attention(rng, np.tri(n, k=1, dtype=bool)),
        "an inverted mask": self_attention(rng, ~causal),
        "a mask on the weights": self_attention(rng, causal, mask_on_weights),
        "a mask on the weights, renormalised": self_attention(rng, causal, attends.renormalised),
        "a mask with one wrong entry": self_attention(rng, _one_wrong_entry(rng, n)),
    }
    _judge_all(call, rng, cases, X)


@EXERCISE.claim(0.5)
def hidden_leaks(call, rng):
    """finds a leak at any position, from any later token, however weak"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {
        "a leak at the last position but one": peeking(causal, at=n - 2, token=n - 1),
        "a leak from the last token only": peeking(causal, at=0, token=n - 1),
        "two leaks": peeking(peeking(causal, at=4, token=5), at=2, token=3),
        "a weak leak": swaying(attends.shifted(causal), *_leak(rng, n), strength=1e-6),
        "causal attention with rounding noise": attends.noisy(causal),
    }
    _judge_all(call, rng, cases, X)
    _judge_all(call, rng, attends.odd_leaks(causal), X)
    _judge_all(call, rng, attends.leaks_beside_zeros(causal), np.where(np.arange(n)[:, None] < 3, X, 0.0))
    _judge_all(call, rng, attends.cancelling_leaks(causal), X)


@EXERCISE.claim(0.5, side=True)
def input_left_alone(call, rng):
    """leaves X alone"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {"causal attention": causal, "a leak in the middle": swaying(causal, *_leak(rng, n))}
    for attend in cases.values():
        call.leaves_inputs_alone(attend, X)
    with presupposed():
        _judge_all(call, rng, {**cases, "a function that reverses the tokens": lambda X: X[::-1].copy()}, X)
    _judge_all(call, rng, {"a function that returns a view of the tokens in reverse order": attends.backwards}, X)


wrong = WrongAnswers(EXERCISE, globals())


def judged(attend, X, seed, moved):
    """Add the same random numbers for every position to the later tokens, and judge the movement of one output."""
    before = attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] += np.random.default_rng(seed).standard_normal(changed[position + 1 :].shape)
        if moved(attend(changed)[position] - before[position]):
            return position
    return None


# As they stand in the reference.
CHANGE = "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)"
MOVED = "np.abs(attend(changed)[position] - before[position]).max() > 1e-9"

wrong.at(MEANING)
wrong("only-the-next", {CHANGE: "changed[position + 1] += rng.standard_normal(X.shape[1])"}, """
    Only the next token is changed.
    A leak may come from any later token, also from one far away.""")

wrong("only-the-last", {CHANGE: "changed[-1] += rng.standard_normal(X.shape[1])"}, """
    Only the last token is changed.
    A leak may come from any later token, also from the very next one.""")

wrong("itself-too", {CHANGE: "changed[position:] += rng.standard_normal(changed[position:].shape)"}, """
    The token at the position itself is changed too.
    Every output depends on its own token, and may. Only tokens after the position are of interest.""")

wrong("earlier-tokens", {
    CHANGE: "changed[:position] += rng.standard_normal(changed[:position].shape)",
    "len(X) - 1": "len(X)",
}, """
    The tokens before the position are changed.
    Looking back is allowed. A leak is information that comes from a later position.""")

wrong.at()
wrong("last-leak", {"in range(len(X) - 1)": "in reversed(range(len(X) - 1))"}, """
    The last leaking position is returned.
    Several positions may leak. The first one tells you most about the mask, and it lets you stop early.""")

wrong("token-index", {"return position": "return position + 1"}, """
    The index is one too high.
    The result is the position whose output moves, counted from 0, not the first token that was changed.""")


@wrong.function
def changed_token(attend, X, seed=0):
    """The first token whose change leaks is returned, not the first position that it leaks to.
    Two positions belong to a leak: a later token, which you change, and an earlier output, which moves. The result is
    the position of the output."""
    before = attend(X)
    for token in range(1, len(X)):
        changed = X.copy()
        changed[token] += np.random.default_rng(seed).standard_normal(X.shape[1])
        if np.abs(attend(changed)[:token] - before[:token]).max() > 1e-9:
            return token
    return None


wrong.at(MEANING)
wrong("any-output", {MOVED: "np.abs(attend(changed) - before).max() > 1e-9"}, """
    A position is reported although its own output has not moved.
    Compare the output of that one position before and after the change. The outputs after it are meant to move, and an
    output is not the token itself.""")

wrong("loose-comparison", {MOVED: "not np.allclose(attend(changed)[position], before[position])"}, """
    Small movements go unnoticed.
    `np.allclose` allows a difference of a hundred-thousandth of the size. The bound here is 1e-9, in absolute
    terms.""")

wrong("bound-too-large", {"> 1e-9": "> 3e-7"}, """
    Movements that are small, but above the bound, go unnoticed.
    Your comparison lets through more than 1e-9. A weak leak is a leak: training finds it and makes use of it.""")

wrong("sign-matters", "judged(attend, X, seed, lambda movement: movement.max() > 1e-9)", """
    Movements downwards go unnoticed.
    An entry that falls has moved as well. What counts is the size of a movement, without its sign.""")

wrong("first-feature-only", {MOVED: "np.abs(attend(changed)[position] - before[position])[0] > 1e-9"}, """
    Only the first entry of an output is compared.
    An output is a whole row. A leak may sit in any of its entries, also in the last.""")

wrong("movements-cancel", "judged(attend, X, seed, lambda movement: np.abs(movement.sum()) > 1e-9)", """
    The movements of the entries are summed with their signs.
    One entry that rises and one that falls can cancel in a sum or a mean. Take the size of each movement first.""")

wrong("later-tokens-set-to-0", {CHANGE: "changed[position + 1 :] = 0"}, """
    The later tokens are changed so that a 0 stays 0.
    A token of zeros is then not changed at all. Add an amount to every token, so that all of them change.""")

wrong("later-tokens-negated", {CHANGE: "changed[position + 1 :] *= -1"}, """
    The later tokens get the opposite sign.
    What depends on squares or sizes does not notice a sign, and a 0 has none. Add an amount to every token.""")

wrong("exact-comparison", "judged(attend, X, seed, np.any)", """
    Rounding noise is taken for a leak.
    Right code may move by the last binary digit, depending on how sums are ordered. The bound is 1e-9, not 0.""")

wrong("sign-matters-for-other-amounts", {MOVED: "(attend(changed)[position] - before[position]).max() > 1e-9"}, """
    Movements downwards go unnoticed.
    An entry that falls has moved as well. What counts is the size of a movement, without its sign.""")

wrong("sum-of-movements", {MOVED: "(attend(changed)[position] - before[position]).sum() > 1e-9"}, """
    The movements of the entries are summed with their signs, and a sum below 0 goes unnoticed.
    Entries that rise and entries that fall can cancel in a sum. Take the size of each movement first.""")

wrong.at()
wrong("only-position-0", "0 if first_leak(attend, X, seed) == 0 else None", """
    The search ends after the first position.
    A `return None` inside the loop ends the function at once. Only after the last position is it certain that nothing
    leaks.""")

wrong("cut-off", {MOVED: "np.abs(attend(X[: position + 1])[position] - before[position]).max() > 1e-9"}, """
    The later tokens are cut off instead of changed.
    `attend` takes a sequence of the full length: its mask does not fit a shorter one.""")

wrong("minus-one", {"return None": "return -1"}, """
    -1 is returned when nothing leaks.
    -1 is a legal index in Python, the last position, so it cannot also mean “none”.""")

wrong("yes-or-no", "first_leak(attend, X, seed) is not None", """
    The answer is True or False.
    Say where it leaks: an index, or None.""")

wrong("restored", {
    "changed = X.copy()": "changed, given = X, X.copy()",
    "        if np.abs": "        after = attend(changed)\n        X[...] = given\n        if np.abs",
    "attend(changed)[position] -": "after[position] -",
}, """
    The tokens of the caller are overwritten and restored later.
    In between, everything that shares memory with X changes with it, even an output that was kept for comparison.
    Change a copy.""")

wrong("in-place", {"changed = X.copy()": "changed = X"}, """
    The tokens of the caller are overwritten.
    Whatever is written into X, or into an array that is X under another name, the caller finds in it. Change a
    copy.""")

wrong.at(MEANING)
wrong("changes-pile-up",
      {"    for position": "    changed = X.copy()\n    for position", "        changed = X.copy()\n": ""}, """
    The changes of one position stay for the next.
    The copy is made once, before the loop. Then at position 1 its own token has been changed already. Begin every round
    with a new copy of X.""")

wrong("position-0-left-out", {"range(len(X) - 1)": "range(1, len(X) - 1)"}, """
    The search begins at position 1.
    Positions count from 0, and the first one can leak like any other.""")

wrong("amounts-too-small", {"+= rng": "+= 1e-8 * rng"}, """
    The later tokens are changed by tiny amounts.
    A weak leak then moves the output by less than the bound. The amounts should be of order 1.""")

wrong("same-amount", {CHANGE: "changed[position + 1 :] += 1.0"}, """
    Every later token is changed by the same amount.
    A layer norm subtracts the mean of a token, and a constant with it: a leak behind one goes unnoticed. Draw random
    amounts, one for every entry.""")

wrong("one-amount-per-token", {
    CHANGE: "changed[position + 1 :] += rng.standard_normal((len(X) - position - 1, 1))",
}, """
    All entries of a later token are changed by the same amount.
    A layer norm subtracts the mean of a token, and the amount with it: a leak behind one goes unnoticed. Draw an amount
    for every entry.""")

wrong("one-row-for-all-tokens", {CHANGE: "changed[position + 1 :] += rng.standard_normal(X.shape[1])"}, """
    The same row of amounts is added to all later tokens.
    What depends on the difference of two of them stays as it was. Draw amounts for every token.""")

wrong("amounts-that-sum-to-0", {
    CHANGE: "amounts = rng.standard_normal(changed[position + 1 :].shape)\n"
        "        changed[position + 1 :] += amounts - amounts.mean(axis=-1, keepdims=True)",
}, """
    The amounts of every later token sum to 0.
    What depends on the sum or the mean of a token stays as it was. Draw the amounts, and use them as they are.""")

wrong("later-tokens-shuffled", {CHANGE: "changed[position + 1 :] = rng.permutation(changed[position + 1 :])"}, """
    The later tokens are only put in another order.
    A sum or a mean of them stays the same, and a single later token stays where it is. Change the numbers.""")
