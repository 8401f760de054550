"""Changed functions and silent heads do what they say, and the trial measures it."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from transformer_kit import corpus, reference
from transformer_kit.corpus.vocabulary import make_vocabulary
from transformer_kit.experiments.whole_model import ablations
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.parameters.tree import named_arrays
from transformer_kit.trained.model import load_model

FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in reference.__all__})


def test_replaced_leaves_the_others_and_the_original():
    changed = ablations.replaced(FUNCTIONS, softmax=len)
    assert changed.softmax is len
    assert changed.layer_norm is FUNCTIONS.layer_norm
    assert FUNCTIONS.softmax is reference.softmax


@pytest.mark.parametrize("head", [0, 2])
def test_a_silent_head_adds_nothing(head):
    vocabulary = make_vocabulary(["abcdef"])
    model = init_model(np.random.default_rng(0), vocabulary, vocabulary, Sizes(6, 3, 5, 2), noise=0.2)
    silent = ablations.without_head(model, "decoder.1.cross_attention", head)
    before, after = named_arrays(model), named_arrays(silent)
    changed = [name for name in before if not np.array_equal(before[name], after[name])]
    assert changed == ["decoder.1.cross_attention.W_O"]
    rows = np.arange(6) // 2 == head
    assert not after[changed[0]][rows].any()
    np.testing.assert_array_equal(after[changed[0]][~rows], before[changed[0]][~rows])
    assert type(silent) is type(model)


def test_a_trial_measures():
    model = load_model()
    trial = ablations.Trial(model, 12)
    assert trial.sentences == corpus.load("held-out", 12)
    unchanged = trial.effect(FUNCTIONS)
    assert unchanged.acceptable >= 11 / 12
    assert unchanged.largest_difference == 0
    mixed_up = model._replace(target_embedding=model.target_embedding[::-1])
    assert trial.effect(FUNCTIONS, mixed_up).acceptable == 0
    silent = ablations.replaced(FUNCTIONS, position_wise_ffn=lambda X, params: 0 * X)
    assert trial.effect(silent).largest_difference > 1


def test_differences_are_those_of_the_logits():
    """On one sentence, whose likeliest translation is known."""
    model = load_model()
    trial = ablations.Trial(model, 1)
    (sentence,) = trial.sentences
    source = reference.encode(" ".join(sentence.english), model.source_vocabulary)[None]
    words = next(iter(corpus.translations(sentence.english)))
    target = np.array([[2, *map(model.target_words.index, words)]])
    silent = ablations.without_head(model, "encoder.0.attention", 1)
    is_token = np.ones(source.shape, dtype=bool)
    before, after = (trace(source, is_token, target, one)["logits"] for one in (model, silent))
    difference = trial.effect(FUNCTIONS, silent).largest_difference
    assert math.isclose(difference, np.abs(after - before).max(), rel_tol=1e-4)
