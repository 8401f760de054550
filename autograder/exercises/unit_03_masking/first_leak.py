"""Specification of `first_leak`."""

import numpy as np

from autograder.evaluation.trials import Failed
from autograder.execution.handed import Numbers
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_03_masking import calls
from autograder.exercises.unit_03_masking.attends import (
    WIDTH,
    backwards,
    leaking,
    looks_back,
    noisy,
    normalised,
    peeking,
    renormalised,
    self_attention,
    shifted,
    swaying,
    turning,
)
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
        "a function that only looks back": looks_back,
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
        "a mask on the weights, renormalised": self_attention(rng, causal, renormalised),
        "a mask with one wrong entry": self_attention(rng, _one_wrong_entry(rng, n)),
    }
    _judge_all(call, rng, cases, X)


def _odd_leaks(call, rng, causal, X):
    """Judge leaks that are seen only by changes and comparisons of every kind; none depends on the amounts."""
    last, signs = np.eye(WIDTH)[-1], np.resize([1.0, -1.0], WIDTH)
    cases = {
        "a leak in the last feature only": leaking(causal, 1, lambda X: last * X[5]),
        "a leak whose entries sum to 0": leaking(causal, 3, lambda X: signs * X[4, 0]),
        "a leak of squares": leaking(causal, 2, lambda X: X[3] ** 2),
        "a leak that keeps the length of the output": turning(causal, at=3, token=5),
    }
    _judge_all(call, rng, cases, X)
    begun = np.where(np.arange(len(X))[:, None] < 3, X, 0.0)
    cases = {
        "a leak from a token of zeros": peeking(causal, at=3, token=4),
        "a leak that only lowers entries": leaking(causal, 2, lambda X: -np.abs(X[4])),
        "a leak of 2e-9": leaking(causal, 4, lambda X: 2e-9 * np.sign(X[5])),
    }
    _judge_all(call, rng, cases, begun)
    cases = {  # in each of them, changes of some regular kind cancel, and what rounding leaves of them is cut off
        "a leak behind a layer norm": leaking(causal, 1, lambda X: normalised(X[5]).round(3)),
        "a leak of the sum of a token's entries": leaking(causal, 2, lambda X: X[5].sum().round(3)),
        "a leak of the sum of all later tokens": leaking(causal, 3, lambda X: X[4:].sum(axis=0).round(3)),
        "a leak of the difference of two tokens": leaking(causal, 1, lambda X: (X[5] - X[4]).round(3)),
        "a leak that repeats with every whole number": leaking(causal, 2, lambda X: np.sin(2 * np.pi * X[4]).round(3)),
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
        "a weak leak": swaying(shifted(causal), *_leak(rng, n), strength=1e-6),
        "causal attention with rounding noise": noisy(causal),
    }
    _judge_all(call, rng, cases, X)
    _odd_leaks(call, rng, causal, X)


@EXERCISE.claim(0.5, side=True)
def input_left_alone(call, rng):
    """leaves X alone"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {"causal attention": causal, "a leak in the middle": swaying(causal, *_leak(rng, n))}
    for attend in cases.values():
        call.leaves_inputs_alone(attend, X)
    with presupposed():
        _judge_all(call, rng, {**cases, "a function that reverses the tokens": lambda X: backwards(X).copy()}, X)
    _judge_all(call, rng, {"a function that returns a view of the tokens in reverse order": backwards}, X)


wrong = WrongAnswers(EXERCISE, globals())


def changed_rows(X, rows, seed):
    """Return a copy of X with random numbers added to some rows."""
    changed = X.copy()
    changed[rows] += np.random.default_rng(seed).standard_normal(changed[rows].shape)
    return changed


def first(positions):
    """Return the first of these positions, or None."""
    return positions[0] if positions else None


def judged(attend, X, seed, moved):
    """Change the right tokens, and judge the movement of one output by a function."""
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if moved(after[position] - before[position]):
            return position
    return None


wrong.at(MEANING)
wrong("only-the-next", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[position + 1] += rng.standard_normal(X.shape[1])",
}, """
    Only the next token is changed.
    A leak may come from any later token, also from one far away.""")

wrong("only-the-last", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[-1] += rng.standard_normal(X.shape[1])",
}, """
    Only the last token is changed.
    A leak may come from any later token, also from the very next one.""")

wrong("itself-too", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[position:] += rng.standard_normal(changed[position:].shape)",
}, """
    The token at the position itself is changed too.
    Every output depends on its own token, and may. Only tokens after the position are of interest.""")

wrong("earlier-tokens", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[:position] += rng.standard_normal(changed[:position].shape)",
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

wrong.at(MEANING)
wrong("any-output", {
    "np.abs(attend(changed)[position] - before[position]).max() > 1e-9":
        "np.abs(attend(changed) - before).max() > 1e-9",
}, """
    A position is reported although its own output has not moved.
    Compare the output of that one position before and after the change. The outputs after it are meant to move, and an
    output is not the token itself.""")

wrong("loose-comparison", {
    "np.abs(attend(changed)[position] - before[position]).max() > 1e-9":
        "not np.allclose(attend(changed)[position], before[position])",
}, """
    Small movements go unnoticed.
    `np.allclose` allows a difference of a hundred-thousandth of the size. The bound here is 1e-9, in absolute
    terms.""")

wrong("bound-too-large", {"> 1e-9": "> 3e-7"}, """
    Movements that are small, but above the bound, go unnoticed.
    Your comparison lets through more than 1e-9. A weak leak is a leak: training finds it and makes use of it.""")

wrong("sign-matters", "judged(attend, X, seed, lambda movement: movement.max() > 1e-9)", """
    Movements downwards go unnoticed.
    An entry that falls has moved as well. What counts is the size of a movement, without its sign.""")

wrong("first-feature-only", {
    "np.abs(attend(changed)[position] - before[position]).max() > 1e-9":
        "np.abs(attend(changed)[position] - before[position])[0] > 1e-9",
}, """
    Only the first entry of an output is compared.
    An output is a whole row. A leak may sit in any of its entries, also in the last.""")

wrong("movements-cancel", "judged(attend, X, seed, lambda movement: np.abs(movement.sum()) > 1e-9)", """
    The movements of the entries are summed with their signs.
    One entry that rises and one that falls can cancel in a sum or a mean. Take the size of each movement first.""")

wrong("later-tokens-set-to-0", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)": "changed[position + 1 :] = 0",
}, """
    The later tokens are changed so that a 0 stays 0.
    A token of zeros is then not changed at all. Add an amount to every token, so that all of them change.""")

wrong("later-tokens-negated", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)": "changed[position + 1 :] *= -1",
}, """
    The later tokens get the opposite sign.
    What depends on squares or sizes does not notice a sign, and a 0 has none. Add an amount to every token.""")


@wrong.function
def exact_comparison(attend, X, seed=0):
    """Rounding noise is taken for a leak.
    Right code may move by the last binary digit, depending on how sums are ordered. The bound is 1e-9, not 0."""
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if not np.array_equal(after[position], before[position]):
            return position
    return None


wrong("sign-matters-for-other-amounts", {
    "np.abs(attend(changed)[position] - before[position]).max()":
        "(attend(changed)[position] - before[position]).max()",
}, """
    Movements downwards go unnoticed.
    An entry that falls has moved as well. What counts is the size of a movement, without its sign.""")

wrong("sum-of-movements", {
    "np.abs(attend(changed)[position] - before[position]).max()":
        "(attend(changed)[position] - before[position]).sum()",
}, """
    The movements of the entries are summed with their signs, and a sum below 0 goes unnoticed.
    Entries that rise and entries that fall can cancel in a sum. Take the size of each movement first.""")

wrong.at()
wrong("only-position-0", "0 if first_leak(attend, X, seed) == 0 else None", """
    The search ends after the first position.
    A `return None` inside the loop ends the function at once. Only after the last position is it certain that nothing
    leaks.""")

wrong("cut-off", {
    "np.abs(attend(changed)[position] - before[position]).max() > 1e-9":
        "np.abs(attend(X[: position + 1])[position] - before[position]).max() > 1e-9",
}, """
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
    `X[...] += ...` changes the array that was given. Change a copy of it.""")

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

wrong("same-amount", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)": "changed[position + 1 :] += 1.0",
}, """
    Every later token is changed by the same amount.
    A layer norm subtracts the mean of a token, and a constant with it: a leak behind one goes unnoticed. Draw random
    amounts, one for every entry.""")

wrong("one-amount-per-token", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[position + 1 :] += rng.standard_normal((len(X) - position - 1, 1))",
}, """
    All entries of a later token are changed by the same amount.
    A layer norm subtracts the mean of a token, and the amount with it: a leak behind one goes unnoticed. Draw an amount
    for every entry.""")

wrong("one-row-for-all-tokens", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[position + 1 :] += rng.standard_normal(X.shape[1])",
}, """
    The same row of amounts is added to all later tokens.
    What depends on the difference of two of them stays as it was. Draw amounts for every token.""")

wrong("amounts-that-sum-to-0", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "amounts = rng.standard_normal(changed[position + 1 :].shape)\n"
        "        changed[position + 1 :] += amounts - amounts.mean(axis=-1, keepdims=True)",
}, """
    The amounts of every later token sum to 0.
    What depends on the sum or the mean of a token stays as it was. Draw the amounts, and use them as they are.""")

wrong("later-tokens-shuffled", {
    "changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)":
        "changed[position + 1 :] = rng.permutation(changed[position + 1 :])",
}, """
    The later tokens are only put in another order.
    A sum or a mean of them stays the same, and a single later token stays where it is. Change the numbers.""")
