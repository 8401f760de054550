"""What notebook 07 says of the recorded runs and of the translator: after a new training a test fails, not the text."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from transformer_kit import corpus, reference
from transformer_kit.corpus.text import english_text
from transformer_kit.experiments import norms
from transformer_kit.experiments.whole_model.one_change import count_right
from transformer_kit.experiments.whole_model.one_sentence import translated, watched
from transformer_kit.trained.model import load_model
from transformer_kit.trained.recorded import load_recording

MODEL, RUNS = load_model(), load_recording("norms")
POST, WARM, PRE = range(3)


def test_one_run_learns_no_more_than_frequencies():
    assert list(RUNS.runs) == ["post-norm", "post-norm, warm-up", "pre-norm"]
    last = RUNS.loss[:, -40:].mean(axis=1)
    assert_allclose(last[POST], RUNS.frequency_loss, rtol=0.02)
    assert last[PRE] < last[WARM] < 0.6 * last[POST]
    assert last[WARM] - last[PRE] < 0.5
    assert np.isfinite(RUNS.loss).all()


def test_its_gradients_fade_within_ten_steps():
    assert RUNS.steps[9] == 10
    assert RUNS.gradient_norm[POST, 9, 0] < 0.01
    assert RUNS.gradient_norm[[WARM, PRE], 9, 0].min() > 0.4
    assert (RUNS.learning_rate[WARM, :200] < RUNS.learning_rate[PRE, :200]).sum() == 199


def test_twelve_norms_in_a_row_stop_its_gradients():
    before, after = RUNS.norm_input[:, 0], RUNS.norm_input[:, -1]
    assert RUNS.norm_input.shape == (3, 11, 12)
    assert [f"{product:,.0f}" for product in (before[POST].prod(), after[POST].prod())] == ["22", "11,529"]
    assert after[WARM].prod() < 1.2 * before[WARM].prod()
    assert 1.5 < after[POST].mean() / before[POST].mean() < 2
    assert (after[PRE][2:] > after[POST][2:]).all()
    assert RUNS.gradient_norm[POST, 0, 0] > 0.9 * RUNS.gradient_norm[POST, 0, -1]


def test_the_translators_layer_is_an_encoder_layer():
    parts = watched("The red car is new.", MODEL).parts
    yours = reference.encoder_layer(parts["source"], MODEL.encoder[0], MODEL.n_heads)
    assert yours.shape == (1, 6, 64)
    assert_allclose(yours, parts["encoder.0.norm_2"], rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("sentence", "translation"),
    [
        ("The red car is new.", "el coche rojo es nuevo ."),
        ("My sister lives in Madrid.", "mi hermana vive en Madrid ."),
    ],
)
def test_in_the_other_order_it_writes_full_stops(sentence, translation):
    assert translated(sentence, MODEL, reference.encoder_layer) == translation
    words = translated(sentence, MODEL, partial(reference.encoder_layer, norm_first=True)).split()
    assert words.count(".") >= len(words) - 1 > 10


def test_a_tiny_spread_stays_small():
    """A standard deviation of 0.0001 becomes 0.03."""
    tiny = 1e-4 * np.array([-1.0, 1.0, -1.0, 1.0])
    assert_allclose(reference.layer_norm(tiny, np.ones(4), np.zeros(4)).std(), 0.0316, rtol=0, atol=5e-5)


@pytest.mark.parametrize(
    ("norm", "right"),
    [
        (reference.layer_norm, 39),
        (lambda X, gamma, beta: reference.layer_norm(X, np.ones_like(gamma), beta), 17),
        (lambda X, gamma, beta: reference.layer_norm(X, gamma, np.zeros_like(beta)), 0),
        (lambda X, gamma, beta: reference.rms_norm(X, gamma) + beta, 39),
    ],
    ids=["as trained", "gamma = 1", "beta = 0", "without the mean"],
)
def test_which_part_of_the_norm_is_missed(norm, right):
    assert count_right(layer_norm=norm) == right


@pytest.mark.parametrize(("layers", "right"), [((0, 0, 1), 39), ((1, 0), 20), ((0,), 18)])
def test_a_layer_twice_does_no_harm(layers, right):
    assert count_right(MODEL._replace(encoder=tuple(MODEL.encoder[i] for i in layers))) == right


def test_without_the_sums_nothing_is_right():
    def without_sums(X, params, n_heads, mask=None):
        attended, _ = reference.multi_head_attention(X, X, params.attention, n_heads, mask)
        X = reference.layer_norm(attended, *params.norm_1)
        return reference.layer_norm(reference.position_wise_ffn(X, params.ffn), *params.norm_2)

    for sentence in corpus.load("held-out", 40):
        words = translated(english_text(sentence.english), MODEL, without_sums).split()
        assert tuple(words) not in corpus.translations(sentence.english)


def test_a_second_round_changes_little():
    found = watched("The red car is new.", MODEL).parts
    once = found["encoder.0.norm_2"]
    twice = reference.encoder_layer(once, MODEL.encoder[0], MODEL.n_heads)
    cosines = (once * twice).sum(axis=-1) / np.linalg.norm(once, axis=-1) / np.linalg.norm(twice, axis=-1)
    assert cosines.mean() > 0.9
    assert_allclose((twice**2).mean() / (once**2).mean(), 1, atol=0.2)


def test_the_pictures_say_what_they_show():
    assert "layer norm" in norms.who_shares_a_mean().alt
    assert "With a sum, both grow" in norms.layers_without_norm().alt
    assert "larger after ten steps" in norms.norm_inputs_in_training(RUNS).alt
    yours = reference.encoder_layer, reference.layer_norm, reference.layer_norm_backward
    assert list(norms.gradients_by_layer(*yours).figures) == [6, 12, 24]


def test_most_means_are_small():
    ratios = []

    def layer_norm(X, gamma, beta):
        ratios.extend((np.abs(X.mean(axis=-1)) / X.std(axis=-1)).ravel())
        return reference.layer_norm(X, gamma, beta)

    count_right(layer_norm=layer_norm)
    assert np.median(ratios) < 1 / 20


def test_the_translator_has_ten_norms():
    assert 2 * len(MODEL.encoder) + 3 * len(MODEL.decoder) == 10


def with_beta_at_zero(names):
    """Return the translator without the shift of these norms, each as (side, the name of the norm)."""
    sides = {
        side: tuple(
            layer._replace(
                **{
                    name: getattr(layer, name)._replace(beta=np.zeros(64, np.float32))
                    for name in layer._fields
                    if (side, name) in names
                }
            )
            for layer in getattr(MODEL, side)
        )
        for side in ("encoder", "decoder")
    }
    return MODEL._replace(**sides)


def units_on(model):
    """Return how many sentences are right, and how many units of a network are on at a word, on average."""
    on = []

    def watched_ffn(X, params):
        before = X @ params.W_1 + params.b_1
        on.append((before > 0).sum(axis=-1).mean())
        return reference.position_wise_ffn(X, params)

    return count_right(model, position_wise_ffn=watched_ffn), np.mean(on)


def test_why_the_shifts_matter():
    """The reply to gamma-or-beta: those in front of a network switch its units off, the others can be spared."""
    in_front = {("encoder", "norm_1"), ("decoder", "norm_2")}
    others = {("encoder", "norm_2"), ("decoder", "norm_1"), ("decoder", "norm_3")}
    lowered = [layer.norm_1.beta @ layer.ffn.W_1 for layer in MODEL.encoder]
    lowered += [layer.norm_2.beta @ layer.ffn.W_1 for layer in MODEL.decoder]
    means = [-shift.mean() for shift in lowered]
    assert (min(means), max(means)) == pytest.approx((1.2, 2.0), abs=0.05)
    assert count_right(with_beta_at_zero(others)) == 39
    (right, on), (wrong, too_many) = units_on(MODEL), units_on(with_beta_at_zero(in_front))
    assert (right, wrong) == (39, 0)
    assert (round(float(on)), round(float(too_many))) == (16, 53)
