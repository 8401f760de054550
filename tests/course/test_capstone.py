"""From notebook 00 to a translated sentence on nothing but a learner's own functions, and one mistake at a time."""

import numpy as np
import pytest

from autograder import compare_layers
from autograder.registry import find
from tests.support.whole_library import UPTO_09, library
from transformer_kit import corpus, reference
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.trained.model import load_model

pytestmark = pytest.mark.exhaustive
N_SENTENCES = 36
MODEL = load_model()


def sentences():
    return [corpus.english_text(sentence.english) for sentence in corpus.load("held-out", N_SENTENCES)]


def test_a_learners_library_translates(monkeypatch):
    """Nothing in the package `reference` can be called meanwhile, so what translates is the learner's."""
    given, some = sentences(), sentences()[:6]
    greedy = [reference.translate(sentence, MODEL) for sentence in given]
    beam = [reference.translate(sentence, MODEL, 3, 0.6) for sentence in some]
    own = library()
    for name in vars(own):
        monkeypatch.setattr(reference, name, None)
    assert [own.translate(sentence, MODEL) for sentence in given] == greedy
    assert [own.translate(sentence, MODEL, 3, 0.6) for sentence in some] == beam


def test_right_functions_are_right_layer_by_layer():
    report = compare_layers(library())
    assert report.first is None
    assert max(part.difference for part in report.parts) < 1e-4


PLANTED = {  # one mistake in each unit: where it shows first
    ("embed", "scaled"): "source",
    ("positional_encoding", "halves"): "source",
    ("positional_encoding", "positions-from-1"): "source",
    ("attention_scores", "not-scaled"): "encoder.0.attention",
    ("masked_softmax", "weights-times-mask"): "encoder.0.attention",
    ("causal_mask", "one-ahead"): "decoder.0.self_attention",
    ("multi_head_attention", "no-output-matrix"): "encoder.0.attention",
    ("cross_attention", "mask-ignored"): "decoder.0.cross_attention",
    ("position_wise_ffn", "no-b-2"): "encoder.0.ffn",
    ("layer_norm", "sample-variance"): "encoder.0.norm_1",
}


def planted_function(name, id):
    return next(mistake.function for mistake in find(name).mistakes if mistake.id == id)


@pytest.mark.parametrize(("name", "id"), PLANTED)
def test_a_planted_mistake_is_named_where_it_begins(name, id):
    report = compare_layers(library(**{name: planted_function(name, id)}))
    assert report.first == PLANTED[name, id]
    assert report.mistakes == ((name, id),)
    assert all(part.right for part in report.parts[:-1])


def test_every_forward_unit_has_a_planted_mistake():
    names = {name for name, _ in PLANTED}
    without = [unit.id for unit in UPTO_09[:8] if not names & {exercise.name for exercise in unit.exercises}]
    assert without == []


def test_right_translations_prove_little():
    """Why numbers are compared: with a mistake that every part shows, most translations stay what they were."""
    own = library(attention_scores=planted_function("attention_scores", "not-scaled"))
    same = [own.translate(s, MODEL) == reference.translate(s, MODEL) for s in sentences()]
    assert np.mean(same) > 0.7


def test_the_trace_of_a_library_is_its_translation():
    """What `compare_layers` looks at is what `translate` runs: the logits are those of the learner's functions."""
    own = library()
    source_ids = own.encode("i like black cats .", MODEL.source_vocabulary)[None]
    is_token, target_ids = np.ones(source_ids.shape, bool), np.array([[2, 300, 41, 7]])
    memory = own.encode_source(source_ids, is_token, MODEL)
    logits = own.decode_target(target_ids, memory, is_token, MODEL)
    parts = trace(source_ids, is_token, target_ids, MODEL, own)
    np.testing.assert_allclose(parts["logits"], logits, rtol=1e-4, atol=1e-4)
