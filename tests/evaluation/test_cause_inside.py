"""A mistake of another function is named only where the learner's function does its work, never where it calls it."""

from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.substitution import names_called, substituted
from autograder.feedback.finding import of_cause
from autograder.judge.pool import Worker
from autograder.learner.check import check
from autograder.learner.local import evaluate_locally
from autograder.registry import find, unit_of
from tests.support import needs
from transformer_kit import parameters, reference

STEP = """
def cached_decode_step(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    n_before = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d) + positional_encoding(n_before + 1, d)[n_before]
    source_mask = padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        q = split_heads(x @ layer.self_attention.W_Q, model.n_heads)
        {keys_and_values}
        K = np.concatenate([kept.K, k], axis=-2)
        V = np.concatenate([kept.V, {appended}], axis=-2)
        heads, _ = scaled_dot_product_attention(q, K, V)
        x = layer_norm(x + merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        q = split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = masked_attention(q, kept.K_source, kept.V_source, source_mask)
        x = layer_norm(x + merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        x = layer_norm(x + position_wise_ffn(x, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new_cache)
"""
CALLS = {
    "by its name": "k, v = project_memory(x, layer.self_attention, model.n_heads)",
    "by another name": "k, v = to_keys(x, layer.self_attention, model.n_heads)",
    "through the module": "k, v = reference.project_memory(x, layer.self_attention, model.n_heads)",
    "within": "k, v = (lambda z: project_memory(z, layer.self_attention, model.n_heads))(x)",
    "in a helper": "k, v = of_memory(x, layer, model)",
}
HELPER = """
to_keys = project_memory
def of_memory(x, layer, model):
    return project_memory(x, layer.self_attention, model.n_heads)
"""
OWN_WORK = "k = v = split_heads(x, model.n_heads)"


def defined(source, name):
    """Return a function as a notebook has it that loads all others."""
    cells = vars(reference) | {"np": np, "LayerCache": parameters.LayerCache, "reference": reference}
    exec(source, cells)
    return cells[name]


def cause_of(source, name):
    return evaluate_locally(find(name), defined(source, name))[0].cause


@pytest.mark.parametrize("keys_and_values", CALLS.values(), ids=CALLS)
def test_a_function_that_is_called_is_not_accused(keys_and_values):
    source = HELPER + STEP.format(keys_and_values=keys_and_values, appended="k")
    cause = cause_of(source, "cached_decode_step")
    assert cause is None or "project_memory" not in cause.helpers


@pytest.mark.exhaustive
def test_a_function_that_inlines_is_told_which_work():
    cause = cause_of(STEP.format(keys_and_values=OWN_WORK, appended="v"), "cached_decode_step")
    assert cause.helpers == ("project_memory",)
    title = of_cause(cause, find("cached_decode_step")).title
    assert "where your function does the work of `project_memory`, the memory itself serves as keys" in title


ATTENTION = """
def masked_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K)
    {weights}
    return weights @ V, weights
"""
WRITTEN = "weights = softmax(scores if mask is None else np.where(mask, scores, -10.0))"
CALLED = "weights = masked_softmax(scores if mask is None else np.where(mask, scores, -10.0))"


def test_inlined_work_is_named_in_its_own_words():
    function = defined(ATTENTION.format(weights=WRITTEN), "masked_attention")
    report = check(function).report
    assert "where your function does the work of `masked_softmax`, minus 10 stands for minus infinity" in report
    assert "in its own" not in report
    assert cause_of(ATTENTION.format(weights=CALLED), "masked_attention") is None


def test_what_a_callee_calls_is_not_accused():
    found = verdict_on(WRITTEN, ())
    assert found.helpers == ("masked_softmax",)
    assert verdict_on(WRITTEN, ("masked_attention",)) is None  # which calls it


def verdict_on(weights, called):
    """Return the cause of an attention that is said to call some functions."""
    exercise = find("masked_attention")

    class Runner(LocalRunner):
        pass

    Runner.called = called
    runner = Runner(defined(ATTENTION.format(weights=weights), exercise.name), signature(exercise.reference))
    return evaluate(exercise, runner, visible_seed(exercise)).cause


def test_names_called_include_all_aliases():
    cells = {"np": np, "reference": reference, "softmax": reference.softmax, "weigh": reference.softmax}
    exec("def one(x):\n    return weigh(x), reference.relu(x), np.linalg.norm(x)", cells)
    assert {"weigh", "softmax", "relu"} <= names_called(cells["one"])
    assert "norm" not in names_called(cells["one"])


def test_an_aliased_function_is_replaced_too():
    cells = {}
    exec("def softmax(x):\n    return 0\nweigh = softmax\ndef attend(x):\n    return weigh(x)", cells)
    with substituted(cells["attend"], {"softmax": lambda x: 1}) as used:
        assert cells["attend"](None) == 1
        assert used == ("softmax",)
    assert cells["attend"](None) == 0


@needs.linux
@pytest.mark.parametrize(("weights", "helper"), [(WRITTEN, True), (CALLED, False)], ids=["written out", "called"])
def test_class_and_check_tell_the_same(backend, weights, helper):
    exercise = find("masked_attention")
    source = "import numpy as np\nfrom transformer_kit.reference import softmax, attention_scores\n"
    cells = [source + ATTENTION.format(weights=weights)]
    with Worker(backend.launch) as worker, worker.child(unit_of(exercise), exercise, cells) as runner:
        found = evaluate(exercise, runner, visible_seed(exercise)).cause
    here = cause_of(ATTENTION.format(weights=weights), "masked_attention")
    assert (found and found.helpers) == (here and here.helpers) == (("masked_softmax",) if helper else None)
