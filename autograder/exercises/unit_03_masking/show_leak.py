"""Specification of `show_leak`, an open task: what counts is which outputs move."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array, require_size
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.experiments.leaks import mask_on_weights

MAX_WIDTH, MAX_SIZE = 64, 1000
LEAST, ROUNDING = 0.1, 1e-9  # by which an output has to move; less is no movement

EXERCISE = Exercise(
    reference=reference.show_leak,
    asks="two arrays of tokens that begin alike, and whose outputs differ there because of the fault.",
    returns=(Output("X", "(n, d)"), Output("Y", "(n, d)")),
    is_open=True,
)


def _tokens(call, mask, too_late):
    """Call the function, and require two arrays of tokens that attention can be tried on."""
    pair = call.results(mask, too_late)
    for name, value in zip("XY", pair, strict=True):
        fits = is_plain_array(value) and value.ndim == 2 and 1 <= value.shape[1] <= MAX_WIDTH
        if not fits:
            n = len(mask)
            raise WrongResult(f"{name}: expected shape ({n}, d) with d from 1 to {MAX_WIDTH}, got {describe(value)}.")
    shape = len(mask), pair[0].shape[1]
    X, Y = (finite_array(call, value, shape, name).astype(float) for name, value in zip("XY", pair, strict=True))
    require_size((X, Y), MAX_SIZE)
    return X, Y


def _shows(call, mask, too_late=False):
    """Require an output before the first token that differs to move, as it would not if the mask were right."""
    X, Y = _tokens(call, mask, too_late)
    attention = mask_on_weights if too_late else reference.masked_attention
    differ = np.flatnonzero((X != Y).any(axis=1))
    if not differ.size:
        raise WrongResult("X and Y are the same, so no output moves.")
    first = int(differ[0])
    if first == 0:
        raise WrongResult("X and Y differ from position 0 on: they have no common beginning.")
    moves = np.abs(attention(X, X, X, mask)[0] - attention(Y, Y, Y, mask)[0]).max(axis=1)
    at = int(moves[:first].argmax())
    begins = f"X and Y first differ at position {first}"
    if moves[at] < ROUNDING:
        raise WrongResult(f"{begins}, and no output before it moves.")
    if moves[at] < LEAST:
        size = number_text(moves[at], 3)
        most = f"that of position {at} moves most, by {size}, and not by {LEAST}"
        raise WrongResult(f"{begins}. Of the outputs before, {most}.")


def _one_entry(n, leaking, later):
    mask = reference.causal_mask(n)
    mask[leaking, later] = True
    return mask


@EXERCISE.claim(1)
def one_entry(call, rng):
    """gives away a single wrong entry of the mask, wherever it is"""
    for n in rng.permutation([6, 7, 8, 9, 10])[:2].tolist():
        leaking = int(rng.integers(1, n - 3))
        later = int(rng.integers(leaking + 2, n - 1))
        for entry in ((leaking, later), (0, int(rng.integers(1, 3))), (n - 3, int(rng.integers(n - 2, n)))):
            _shows(call, _one_entry(n, *entry))


@EXERCISE.claim(0.5)
def larger_faults(call, rng):
    """gives away larger faults: one position too far, blocks, the wrong way round; and leaves the mask as it is"""
    n = int(rng.integers(7, 11))
    causal = reference.causal_mask(n)
    sparse = causal & (rng.random((n, n)) < 0.5)
    sparse[1, 2] = True
    blocks = np.kron(np.eye(n), np.ones((2, 2), bool))[:n, :n].astype(bool)
    for mask in (np.tri(n, k=1, dtype=bool), causal | blocks, ~causal, np.ones((n, n), bool), sparse):
        _shows(call, mask)
    for trial in call.trials:
        call.is_left_alone(trial)


@EXERCISE.claim(0.5)
def too_late(call, rng):
    """gives away a causal mask that multiplies the weights, and tells it from a wrong entry"""
    for n, leaking in ((int(rng.integers(4, 8)), 0), (int(rng.integers(11, 15)), 8)):
        _shows(call, _one_entry(n, leaking, leaking + 1))
        _shows(call, reference.causal_mask(n), too_late=True)


wrong = WrongAnswers(EXERCISE, globals())

wrong("last-token", {"Y[leak[1]]": "Y[-1]"}, """
    The last token is changed, whoever sees it.
    A wrong mask may show another token. If nobody sees the last one before its time, nothing moves.""")

wrong("all-but-the-first", {"Y[leak[1]]": "Y[1:]"}, """
    All tokens but the first are changed.
    Then only the output of position 0 had to stay. A leak at any other position is not seen.""")

wrong("own-token", {"Y[leak[1]]": "Y[leak[0]]"}, """
    The token of the position that leaks is changed, not the one that it should not see.
    Its output then moves as it may: a position sees itself. What comes later is to be changed, and that token
    stays.""")

wrong("from-the-position-on", {"Y[leak[1]]": "Y[leak[0] :]"}, """
    The tokens are changed from the position that leaks on.
    A position sees itself, so its own token has to stay as it is. Only later ones may change.""")

wrong("first-token", {"Y[leak[1]]": "Y[0]"}, """
    The first token is changed.
    Every later position may see it, so every output may move. It is the later tokens that should stay unnoticed.""")

wrong("nothing-changes", {"Y[leak[1]] = 10.0": "pass"}, """
    X and Y are the same.
    A leak shows when something changes that should be invisible, and something moves that should not.""")

wrong("too-little", {"10.0": "1.001"}, """
    The change is so small that hardly anything moves.
    A weight is a share of 1, so a small change of a token becomes a smaller one of an output.""")

wrong("scores-of-zero", {"np.ones((len(mask), 1))": "np.zeros((len(mask), 1))"}, """
    All queries are 0, so the change of a key changes no score.
    With a mask on the weights the later token reaches an output through the sum below the fraction bar only, which is
    made of scores.""")

wrong("value-alone",
      {"np.ones((len(mask), 1))": "np.eye(2)[np.zeros(len(mask), int)]", "Y[leak[1]]": "Y[leak[1], 1]"}, """
    The token changes in a feature that no query looks at.
    Such a change reaches the values only. With a mask on the weights a value of weight 0 does nothing: it is the
    score of the later token that has to change.""")

wrong("timing-ignored", {"np.ones_like(mask) if too_late else mask": "mask"}, """
    With too_late=True, the leak is looked for in the mask.
    That mask is right. But the softmax has come before it and has seen all keys.""")

wrong("infinite", {"10.0": "np.inf"}, """
    A token becomes infinite.
    Whatever it meets is NaN then, which shows nothing. A change of ordinary size is enough.""")


@wrong.function
def outputs_returned(mask, too_late=False):
    """The outputs of attention are returned, not the tokens.
    What you return is put into the attention that has the fault."""
    X, Y = reference.show_leak(mask, too_late)
    attention = mask_on_weights if too_late else reference.masked_attention
    return attention(X, X, X, mask)[0], attention(Y, Y, Y, mask)[0]


@wrong.function
def mask_repaired(mask, too_late=False):
    """The mask that was given is overwritten.
    It is the caller's, who tries your tokens on it. Look into it, and leave it as it is."""
    X, Y = reference.show_leak(mask, too_late)
    mask &= reference.causal_mask(len(mask))
    return X, Y
