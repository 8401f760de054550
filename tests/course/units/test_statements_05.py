"""What notebook 05 says of the heads of the trained translator."""

import pytest

from transformer_kit.experiments.whole_model.ablations import without_head
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model

MODEL, SENTENCE, NAME = load_model(), "The red car is new.", "decoder.1.cross_attention"


def test_head_2_looks_at_car_for_el():
    weights = watched(SENTENCE, MODEL).parts[f"{NAME}.weights"][0][:, 0]
    assert weights[2].argmax() == 2
    assert weights[2, 2] == pytest.approx(0.95, abs=0.005)
    assert weights[[0, 1, 3], 2].max() < 0.05


def test_no_head_is_needed():
    written = watched(SENTENCE, MODEL).written
    assert all(watched(SENTENCE, without_head(MODEL, NAME, head)).written == written for head in range(4))
