"""Specification of `fold_norm`, an open task: what counts is what comes out of the norm and the map."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import number_text
from autograder.execution.precision import bound_for, rounded_like
from autograder.exercises.inputs import finite_array
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.trained.model import load_model

MOST = 1e-6  # that an output may move by

EXERCISE = Exercise(
    reference=reference.fold_norm,
    asks="a linear map that gives, after a norm without gamma and beta, what the old map gave after the whole norm.",
    returns=(Output("W", "(d_model, d_out)"), Output("b", "(d_out,)")),
    is_open=True,
)


def _draw(rng, d_model, d_out):
    """Draw gamma, beta, W and b, none of them near to what does nothing."""
    gamma, beta = rng.uniform(0.5, 3, d_model), rng.standard_normal(d_model)
    return gamma, beta, rng.standard_normal((d_model, d_out)), rng.standard_normal(d_out)


def _is_unnoticed(call, rng, gamma, beta, W, b):
    """Require the outputs of tokens to stay what they were."""
    folded = call.results(gamma, beta, W, b)
    parts = zip(folded, (W, b), "Wb", strict=True)
    new_W, new_b = (finite_array(call, new, old.shape, name) for new, old, name in parts)
    X = rng.standard_normal((11, len(gamma))) + rng.standard_normal((11, 1))
    before = reference.layer_norm(X, gamma, beta) @ W + b
    gaps = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(beta)) @ new_W + new_b - before
    right = map(rounded_like, reference.fold_norm(gamma, beta, W, b), (new_W, new_b))
    most = bound_for(MOST, *right)  # not those returned: what is added to a column of W may be as large as anything
    if np.abs(gaps).max() > most:
        raise WrongResult(_what_moved(gaps, most))


def _what_moved(gaps, most):
    """Say how many outputs moved, and whether they did so alike for all tokens."""
    moved = int((np.abs(gaps) > most).any(axis=1).sum())
    text = f"the outputs of {moved} of {len(gaps)} tokens move, by up to {number_text(np.abs(gaps).max(), 3)}"
    if np.ptp(gaps, axis=0).max() <= most:
        return f"{text}, and for every token by the same amounts: that is b alone."
    return f"{text}, and from token to token by other amounts: that is not b alone."


@EXERCISE.claim(1)
def any_token(call, rng):
    """no token's output moves, whatever the widths are"""
    for sizes in ((5, 3), (4, 7), (int(rng.integers(8, 12)), 1)):
        _is_unnoticed(call, rng, *_draw(rng, *sizes))


@EXERCISE.claim(0.5)
def switched_off(call, rng):
    """nor where gamma is 0 or negative, or b is 0; and gamma, beta, W and b stay as they are"""
    gamma, beta, W, b = _draw(rng, 7, 4)
    gamma[rng.integers(0, 3)], gamma[rng.integers(3, 7)] = 0.0, -1.5
    _is_unnoticed(call, rng, gamma, beta, W, b)
    _is_unnoticed(call, rng, gamma, beta, W, 0 * b)
    for trial in call.trials:
        call.is_left_alone(trial)


@EXERCISE.claim(0.5)
def trained(call, rng):
    """the translator does not notice that its last norm has moved into its table of words"""
    model = load_model(dtype=np.float64)
    norm, words = model.decoder[-1].norm_3, rng.permutation(len(model.target_words))[:13]
    _is_unnoticed(call, rng, norm.gamma, norm.beta, model.target_embedding[words].T.copy(), np.zeros(len(words)))


wrong = WrongAnswers(EXERCISE, globals())

wrong("gamma-on-columns", {"gamma[:, None] * W": "W * gamma[: W.shape[1]].mean()"}, """
    All of W is multiplied by one number.
    Each feature of a token has a gamma of its own. Ask which numbers of W this feature is multiplied by.""")

wrong("beta-lost", {"beta @ W + b": "b"}, """
    What beta added is lost.
    It was added to every token before the map. After the map it is something else, but there for every token.""")

wrong("beta-through-the-new-map", {"beta @ W": "beta @ (gamma[:, None] * W)"}, """
    Beta is multiplied by gamma as well.
    In the norm, beta is added after gamma has been applied. So only the old map is still to come.""")

wrong("gamma-lost", {"gamma[:, None] * W": "W * 1.0"}, """
    W stays as it is, and gamma is lost.
    The norm no longer multiplies by gamma, so the map has to.""")

wrong("gamma-divided", {"gamma[:, None] * W": "W / np.where(gamma == 0, 1, gamma)[:, None]"}, """
    W is divided by gamma.
    The map is to do what the norm has done. Dividing would undo it.""")

wrong("b-lost", {" + b": ""}, """
    The bias that the map had is lost.
    The new bias has two parts: what it was, and what becomes of beta.""")

wrong("beta-summed", {"beta @ W": "beta.sum()"}, """
    Beta's numbers are added up.
    Each of them passes the map with the feature that it belongs to, and the map weights them differently.""")

wrong("nothing-folded", {"gamma[:, None] * W": "W * 1.0", "beta @ W + b": "b * 1.0"}, """
    W and b stay as they were.
    Without gamma and beta the norm returns something else, so the same map gives something else, too.""")

wrong("gamma-twice", {"gamma[:, None] * W": "gamma[:, None] ** 2 * W"}, """
    Gamma is applied twice.
    It is the map's business now, once.""")

wrong("minus-beta", {"beta @ W + b": "b - beta @ W"}, """
    Beta's part has the wrong sign.
    The norm added beta, so the map has to add what it makes of it.""")

wrong("bias-first", "fold_norm(gamma, beta, W, b)[::-1]", """
    b is returned before W.
    Return the matrix first.""")

wrong("transposed", {"gamma[:, None] * W": "(gamma[:, None] * W).T"}, """
    W is transposed.
    A token is a row and stands on the left of W, before and after.""")


@wrong.function
def in_place(gamma, beta, W, b):
    """The caller's W is overwritten.
    The old map may still be needed. Make a new array."""
    folded = beta @ W + b
    W *= gamma[:, None]
    return W.copy(), folded
