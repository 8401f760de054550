"""The training that unit 10 shows: it learns its task, and a mask that is off by one deceives the loss only."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.course import solution_functions
from transformer_kit import corpus
from transformer_kit.evaluation import score
from transformer_kit.training import live, make_batch, train
from transformer_kit.trees import flatten


def test_the_small_task():
    """Nothing that is to be translated later is among what is trained on."""
    pairs, others, model = live.small_task(300, 10)
    assert len(pairs) == 300
    assert 0 < len(others) <= 10
    assert len(model.encoder) == len(model.decoder) == 1
    assert {tuple(source) for source, _ in pairs}.isdisjoint(tuple(source) for source, _ in others)
    assert np.array_equal(flatten(live.small_task(300, 10)[2]), flatten(model))


def off_by_one(pairs):
    batch = make_batch(pairs)
    return batch._replace(decoder_mask=batch.decoder_mask | np.tri(batch.target_ids.shape[1], k=1, dtype=bool))


def share_right(model, split):
    sentences = corpus.load(split, 100, corpus.SMALL_WORDS)
    return score(model, sentences, [corpus.translations(s.english) for s in sentences]).acceptable / 100


@pytest.mark.slow
def test_the_solutions_train_and_a_leak_deceives_the_loss_only():
    functions = SimpleNamespace(**solution_functions("10_training"))
    pairs, _, untrained = live.small_task()
    losses, models = {}, {}
    for name, collate, steps in (("right", make_batch, live.SETTINGS.steps), ("off by one", off_by_one, 500)):
        settings = live.SETTINGS._replace(steps=steps)
        models[name], history = train(untrained, pairs, settings, collate=collate, functions=functions)
        losses[name] = history[-1, 1]
    assert losses["off by one"] < losses["right"] - 0.05
    assert share_right(models["right"], "new") >= 0.9
    assert share_right(models["right"], "held-out") >= 0.75
    assert share_right(models["off by one"], "new") <= 0.05
