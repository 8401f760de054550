"""The cause of all that does not hold: named when it explains what was seen, and never otherwise."""

import functools
import inspect
import time
from dataclasses import replace

import numpy as np
import pytest

from autograder.evaluation import cause, outcomes
from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.deviations import can_warn, deviation, is_same, without_warnings
from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.outcomes import known_outcomes
from autograder.evaluation.probes import probes
from autograder.execution.call import LocalRunner
from autograder.execution.outcome import LearnerError, Outcome
from autograder.registry import find
from transformer_kit import reference

rng = np.random.default_rng(7)


def verdict(name, function, seed=None):
    exercise = find(name)
    runner = LocalRunner(function, inspect.signature(exercise.reference))
    return evaluate(exercise, runner, visible_seed(exercise) if seed is None else seed)


def named(name, function, seed=None):
    """Return how sure the cause is, and its mistakes."""
    found = verdict(name, function, seed).cause
    return found and (found.kind, *zip(found.helpers, (mistake.id for mistake in found.mistakes), strict=True))


def softmax_over_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


def test_the_same_mistake_written_differently_is_certain():
    assert named("softmax", softmax_over_everything) == ("certain", ("", "over-everything"))


@pytest.mark.parametrize("seed", [0, [3, 4]])
def test_the_inputs_of_the_claims_do_not_matter(seed):
    assert named("softmax", softmax_over_everything, seed) == ("certain", ("", "over-everything"))


def test_what_explains_nearly_all_is_likely():
    def function(x, axis=-1):
        x = np.asarray(x)
        if x.ndim == 1:
            return np.zeros(x.shape)
        return softmax_over_everything(x, axis)

    assert named("softmax", function) == ("likely", ("", "over-everything"))


def test_a_claim_that_fails_otherwise_stands_apart(frozen_course):
    """The mask on the weights, and an axis that is fixed: the one does not explain the other."""

    def function(scores, mask=None, axis=-1):
        e = np.exp(scores - scores.max(-1, keepdims=True))
        weights = e / e.sum(-1, keepdims=True)
        return weights if mask is None else weights * mask

    found = verdict("masked_softmax", function)
    assert (found.cause.kind, found.mistake.id) == ("likely", "weights-times-mask")
    unexplained_claims = [found.results[number].name for number in found.cause.unexplained_claims]
    assert unexplained_claims == ["works along any axis"]


def test_what_explains_half_is_not_named():
    def function(x, axis=-1):
        return softmax_over_everything(x, axis) if np.asarray(x).ndim == 3 else np.zeros(np.shape(x))

    assert named("softmax", function) is None


def exponentials(x):
    return np.exp(x - x.max())


def softmax_over_everything_with_help(x, axis=-1):
    e = exponentials(x)
    return e / e.sum()


def test_what_is_called_is_not_called_missing(monkeypatch):
    def saying_that_it_is_not_called(exercise, helper=""):
        entries = known_outcomes(exercise, helper)
        return [replace(e, mistake=replace(e.mistake, unless_called=frozenset({"exponentials"}))) for e in entries]

    monkeypatch.setattr(cause, "known_outcomes", saying_that_it_is_not_called)
    assert named("softmax", softmax_over_everything) == ("certain", ("", "over-everything"))
    assert named("softmax", softmax_over_everything_with_help) is None


def test_waiting_for_the_processor_costs_no_call(monkeypatch):
    monkeypatch.setattr(cause, "NOTEBOOK_CPU_SECONDS", 0.2)
    exercise = find("softmax")
    runner, made = LocalRunner(exercise.reference, inspect.signature(exercise.reference)), []

    def run(args, kwargs):
        made.append(args)
        time.sleep(0.02)
        return runner(args, kwargs)

    cause.find(exercise, run, [], visible_seed(exercise))
    assert len(made) == len(probes(exercise)) > 0.2 / 0.02


def test_two_mistakes_that_each_explain_part_are_named():
    def function(x, axis=-1):
        e = np.exp(x - x.max())
        return e / e.sum(axis=-1, keepdims=True)

    kind, *mistakes = named("softmax", function)
    assert (kind, {id for _, id in mistakes}) == ("two", {"maximum-of-everything", "always-last-axis"})


def any_of(*masks):
    masks = [mask for mask in masks if mask is not None]
    return functools.reduce(np.logical_or, masks) if masks else None


def test_the_pair_least_wrong_elsewhere_is_named():
    """A single mask comes back itself. It also does where the first is written into, but not all else is the same."""
    kind, *mistakes = named("combine_masks", any_of)
    assert (kind, {id for _, id in mistakes}) == ("two", {"or", "only-mask-itself"})


def test_of_tied_pairs_the_common_one_is_named():
    """Whether the mask is not passed on, or hidden scores are 0, cannot be seen in scores that are not scaled."""

    def function(Q, K, V, mask=None):
        scores = Q @ np.swapaxes(K, -1, -2)
        weights = reference.softmax(scores if mask is None else scores * mask)
        return weights @ V, weights

    assert named("masked_attention", function) == ("likely", ("", "not-scaled"))


def test_a_message_without_numbers_has_another_cause():
    def function(n_queries, n_keys=None):
        n_keys = n_keys or n_queries
        if n_keys < n_queries:
            raise ValueError("too few keys")
        return reference.causal_mask(n_queries, n_keys)

    cause = verdict("causal_mask", function).cause
    assert cause is None or cause.kind != "certain"


def test_too_few_digits_have_another_cause():
    """An odd width is accepted, which says nothing of what float32 takes from the numbers of another claim."""

    def function(d_model, base=10000.0):
        return 1 / base ** (np.arange(0, d_model, 2, dtype=np.float32) / d_model)

    graded = verdict("angular_frequencies", function, seed=0)
    values, base, odd = graded.results
    assert (graded.cause.kind, graded.cause.mistakes[0].id) == ("certain", "odd-rounded-up")
    assert graded.cause.unexplained_claims == {0}
    assert (values.passed, base.passed, odd.passed) == (False, True, False)
    assert values.called == "", "no single call is the wrong one"
    assert odd.called


def test_of_two_mistakes_the_visible_is_likely():
    """Keys first, and the mask not passed on: where there is a mask, what comes out is that of neither alone."""

    def function(X, W_QKV, W_O, n_heads, mask=None):
        K, Q, V = (reference.split_heads(block, n_heads) for block in np.split(X @ W_QKV, 3, axis=-1))
        heads, weights = reference.masked_attention(Q, K, V)
        return reference.merge_heads(heads) @ W_O, weights

    found = verdict("fused_self_attention", function)
    assert (found.cause.kind, found.mistake.id) == ("likely", "keys-first")
    unexplained_claims = [found.results[number].name for number in found.cause.unexplained_claims]
    assert unexplained_claims
    assert all("mask" in name for name in unexplained_claims)


def test_errors_alone_do_not_decide_between_mistakes():
    def function(X, W_QKV, W_O, n_heads, mask=None):
        if mask is None:
            raise ValueError("never mind")
        return reference.fused_self_attention(X, W_QKV, W_O, n_heads)

    assert verdict("fused_self_attention", function).cause is None


def test_a_mistake_in_an_inlined_function_is_found():
    def function(Q, K, V):
        scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
        e = np.exp(scores)
        weights = e / e.sum(axis=-1, keepdims=True)
        return weights @ V, weights

    kind, (helper, id) = named("scaled_dot_product_attention", function)
    assert (kind, helper, id) in (
        ("certain", "softmax", "no-maximum-subtracted"),
        ("certain", "", "no-maximum-subtracted"),
    )


def test_random_results_are_told_and_nothing_else():
    found = verdict("softmax", lambda x, axis=-1: rng.random(np.shape(x)))
    assert (found.is_unstable, found.cause) == (True, None)


def test_a_wrong_but_steady_function_is_not_unstable():
    assert not verdict("softmax", softmax_over_everything).is_unstable


@pytest.mark.parametrize("make", [lambda x: ValueError("no axis"), lambda x: [row for row in x].__iter__()])
def test_an_exception_in_return_is_not_unstable(make):
    """An exception that is returned in place of being raised, and an iterator, are other ones in every call."""
    assert not verdict("softmax", lambda x, axis=-1: make(x)).is_unstable


def test_right_results_are_not_diagnosed_by_wrong_ones(frozen_course):
    """Only the claim about the arguments fails, so only a mistake about arguments can be the cause."""

    def function(x, axis=-1):
        result = reference.softmax(x, axis)
        if np.asarray(x).dtype == float:
            x[...] = 7.0
        return result

    found = verdict("softmax", function)
    assert found.cause is None or "in" in found.mistake.id
    assert [result.name for result in found.results if not result.passed] == ["leaves its input alone"]


def test_a_passing_check_asks_for_no_cause(monkeypatch):
    monkeypatch.setattr(cause, "find", lambda *args: pytest.fail("asked"))
    assert verdict("softmax", reference.softmax).status == "passed"


def test_an_endless_function_is_not_called_every_time(monkeypatch):
    calls = []
    exercise = find("softmax")

    def run(args, kwargs, measure_memory=False):
        calls.append(args)
        return Outcome("timeout")

    evaluate(exercise, run, visible_seed(exercise))
    assert len(calls) <= 2 * len(exercise.claims)


@pytest.fixture
def probe():
    return next(p for p in probes(find("softmax")) if p.trial.outcome.value.shape == (2, 3))


def test_deviations(probe):
    right = probe.trial.outcome.value
    assert deviation(Outcome("returned", right + 1e-12), probe) is None
    one, other = (deviation(Outcome("returned", right * factor), probe) for factor in (2, 2 + 1e-12))
    assert is_same(one, other, probe)
    for value in (right * 3, right.T, right.astype(int), np.full((2, 3), np.nan), None, "text", [right], {"a": 1}):
        assert not is_same(one, deviation(Outcome("returned", value), probe), probe)


def test_own_errors_are_alike_and_numpys_by_text(probe):
    def raised(text, line):
        return deviation(Outcome("raised", error=LearnerError("ValueError", text, 3, line)), probe)

    assert raised("a", "raise ValueError('a')") == raised("b", "raise ValueError('b')")
    assert raised("shapes (2,3) and (4,5)", "a @ b") != raised("shapes (2,3) and (4,6)", "a @ b")


def test_huge_numbers_do_not_hide_the_others(probe):
    one, other = np.full((2, 3), 1e300), np.full((2, 3), 1e300)
    other[0, 0] = 1.0
    assert not is_same(*(deviation(Outcome("returned", v), probe) for v in (one, other)), probe)


@pytest.fixture
def nothing_warns(monkeypatch):
    """As in a browser, where NumPy cannot tell of an overflow."""
    monkeypatch.setattr(outcomes, "can_warn", lambda: False)
    outcomes._known.cache_clear()
    yield
    outcomes._known.cache_clear()


@pytest.mark.parametrize("name", ["masked_softmax", "cross_entropy"])
def test_mistakes_are_known_without_warnings(nothing_warns, name):
    exercise = find(name)
    assert can_warn()
    assert not any("warns" in what for one in known_outcomes(exercise) for what, *_ in one.deviations.values())
    for mistake in exercise.mistakes:
        loud = LocalRunner(mistake.function, inspect.signature(exercise.reference))
        found = evaluate(exercise, lambda *args, loud=loud, **kwargs: replace(loud(*args, **kwargs), warnings=()))
        assert found.mistake.id == mistake.id if found.points < exercise.points else mistake.id == "nan-replaced"


def test_a_call_wrong_only_by_warning_otherwise_passes():
    deviations = {1: ("warns; =", 2.0, 3.0), 2: ("warns; ", 0.0, 0.0), 5: ("=", 1.0, 1.0)}
    assert without_warnings(deviations) == {1: ("=", 2.0, 3.0), 5: ("=", 1.0, 1.0)}


@pytest.mark.parametrize("is_from_here", [True, False])
def test_an_error_of_another_version_is_known(monkeypatch, is_from_here):
    exercise = find("gelu")
    (stored,) = [one for one in known_outcomes(exercise) if one.mistake.id == "pythons-erf"]
    assert {what.split(":")[0] for what, *_ in stored.deviations.values()} == {"raised TypeError"}
    other = replace(
        stored,
        deviations={k: ("raised TypeError: other words", 0.0, 0.0) for k in stored.deviations},
        is_from_here=is_from_here,
    )
    monkeypatch.setattr(cause, "known_outcomes", lambda exercise, helper="": () if helper else (other,))
    assert (verdict("gelu", stored.mistake.function).mistake is stored.mistake) is not is_from_here
