"""Units 05 to 07: right parts keep their points, and claims about other things are not broken by wrong numbers."""

from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.registry import units
from transformer_kit import reference
from transformer_kit.reference import relu

EXERCISES = {exercise.name: exercise for unit in units() for exercise in unit.exercises}


def verdict_on(name, function):
    exercise = EXERCISES[name]
    return evaluate(exercise, LocalRunner(function, signature(exercise.reference)))


def transposed_keys(memory, params, n_heads):
    K, V = reference.project_memory(memory, params, n_heads)
    return K.swapaxes(-1, -2), V


def mean_of_the_maps(X_decoder, memory, params, n_heads, memory_is_token=None):
    output, weights = reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)
    return output, weights.mean(axis=-3)


def entropy_in_bits(weights):
    best, entropy = reference.alignment(weights)
    return best, entropy / np.log(2)


def five_gradients(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, *d_params


@pytest.mark.parametrize(
    ("name", "function", "points"),
    [
        ("project_memory", transposed_keys, 1),
        ("cross_attention", mean_of_the_maps, 2.25),
        ("alignment", entropy_in_bits, 1.25),
        ("ffn_backward", five_gradients, 1.5),
    ],
)
def test_right_parts_keep_their_points(name, function, points):
    """What is right among several results earns its part, in whatever form the others come."""
    assert verdict_on(name, function).points == points


def no_first_bias(X, params, activation=relu):
    return activation(X @ params.W_1) @ params.W_2 + params.b_2


def over_tokens(X, gamma, beta, eps=1e-5):
    return reference.layer_norm(X.T, np.ones(len(X)), np.zeros(len(X)), eps).T * gamma + beta


@pytest.mark.parametrize(("name", "function"), [("position_wise_ffn", no_first_bias), ("layer_norm", over_tokens)])
def test_wrong_numbers_accuse_of_nothing_else(name, function):
    """Where the numbers are wrong, no claim about other things fails, and none is held."""
    results = verdict_on(name, function).results
    assert {result.status for result in results if result.claim.side} == {"not judged"}
    assert "failed" in {result.status for result in results if not result.claim.side}


def always_relu(X, params, activation=relu):
    return reference.position_wise_ffn(X, params)


def two_axes_only(X, gamma, beta, eps=1e-5):
    n, d = X.shape
    return reference.layer_norm(X.reshape(n, d), gamma, beta, eps)


def own_eps(X, gamma, eps=1e-5):
    return reference.rms_norm(X, gamma)


@pytest.mark.parametrize(
    ("name", "function", "claim"),
    [
        ("position_wise_ffn", always_relu, "uses the activation that it is given"),
        ("layer_norm", two_axes_only, "every token by itself, whatever the leading axes"),
        ("rms_norm", own_eps, "eps is inside the root, and zeros stay zeros"),
    ],
)
def test_what_a_side_claim_is_about_can_fail(name, function, claim):
    """Where the numbers are right in the plain case, a side claim that is broken fails, and no other one does."""
    results = verdict_on(name, function).results
    assert [result.name for result in results if not result.passed] == [claim]
    assert [result.status for result in results if not result.passed] == ["failed"]
