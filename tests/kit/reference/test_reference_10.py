"""The reference functions of unit 10 against SciPy, finite differences, cases by hand and the course's rules."""

import math

import numpy as np
import pytest
from scipy import special

from autograder.exercises.unit_10_training.inputs import SmallModel, step_of_training
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import SentencePairs, TrainingSettings, TrainingState

RNG = np.random.default_rng(1010)
LOGITS = RNG.standard_normal((2, 5, 7))
TARGET_IDS = RNG.integers(0, 7, (2, 5))
IS_TOKEN = np.array([[True] * 5, [True] * 3 + [False] * 2])
WANTED = reference.smooth_labels(TARGET_IDS, 7, 0.2)


def test_shift_right():
    ids = np.array([[5, 6, 3], [7, 3, 0]], dtype=np.int32)
    shifted = reference.shift_right(ids, 2)
    assert shifted.tolist() == [[2, 5, 6], [2, 7, 3]]
    assert shifted.dtype == np.int64
    assert ids.tolist() == [[5, 6, 3], [7, 3, 0]]
    assert reference.shift_right(np.array([[4]]), 1).tolist() == [[1]]


def test_smooth_labels_by_hand():
    """0.8 + 0.2 / 4 for the right one of four, 0.2 / 4 for the others."""
    np.testing.assert_allclose(reference.smooth_labels(2, 4, 0.2), [0.05, 0.05, 0.85, 0.05], rtol=1e-15)
    smoothed = reference.smooth_labels(TARGET_IDS, 7, 0.1)
    assert smoothed.shape == (2, 5, 7)
    np.testing.assert_allclose(smoothed.sum(axis=-1), 1, rtol=1e-15)
    np.testing.assert_array_equal(reference.smooth_labels(TARGET_IDS, 7, 0.0), reference.one_hot(TARGET_IDS, 7))


def test_cross_entropy_by_hand():
    """Logits log 1, log 2, log 5: probabilities 1/8, 2/8, 5/8."""
    logits = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 1.0]])
    wanted = np.array([[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    assert reference.cross_entropy(logits, wanted) == pytest.approx((math.log(4) + math.log(3)) / 2)
    assert reference.cross_entropy(logits, wanted, np.array([True, False])) == pytest.approx(math.log(4))
    assert type(reference.cross_entropy(logits, wanted)) is float


def test_cross_entropy_is_scipys():
    log_probs = special.log_softmax(LOGITS, axis=-1)
    losses = -(WANTED * log_probs).sum(axis=-1)
    assert reference.cross_entropy(LOGITS, WANTED) == pytest.approx(losses.mean(), rel=1e-13)
    assert reference.cross_entropy(LOGITS, WANTED, IS_TOKEN) == pytest.approx(losses[IS_TOKEN].mean(), rel=1e-13)


def test_large_logits():
    """Neither overflow nor the logarithm of 0."""
    logits, wanted = 1000 * LOGITS, reference.one_hot(LOGITS.argmin(axis=-1), 7)
    spread = 1000 * (LOGITS.max(axis=-1) - LOGITS.min(axis=-1))
    assert reference.cross_entropy(logits, wanted) == pytest.approx(spread.mean(), rel=1e-3)
    assert np.isfinite(reference.cross_entropy_backward(logits, wanted)).all()


@pytest.mark.parametrize("is_token", [None, IS_TOKEN], ids=["no padding", "padding"])
def test_cross_entropy_backward_agrees_with_finite_differences(is_token):
    gradient = reference.cross_entropy_backward(LOGITS, WANTED, is_token)
    slope = numerical_gradient(lambda logits: reference.cross_entropy(logits, WANTED, is_token), LOGITS)
    np.testing.assert_allclose(gradient, slope, atol=1e-9)
    if is_token is not None:
        assert (gradient[~is_token] == 0).all()


def test_learning_rate_by_hand():
    """d_model = 64 and 1000 steps up: a peak of 1 / sqrt(64 * 1000)."""
    rates = [reference.noam_learning_rate(step, 64, 1000) for step in (1, 500, 1000, 4000)]
    peak = 1 / math.sqrt(64000)
    np.testing.assert_allclose(rates, [peak / 1000, peak / 2, peak, peak / 2], rtol=1e-12)
    assert type(rates[0]) is float
    assert reference.noam_learning_rate(1, 512, 4000) == pytest.approx(1.7469e-7, rel=1e-4)


def test_adam_by_hand():
    """The first update is the learning rate in the direction of the sign, whatever the size of the gradient."""
    param, zero = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    moved, m, v = reference.adam_update(param, np.array([0.5, -8.0, 1e-3]), zero, zero, 1, 0.25)
    np.testing.assert_allclose(moved, [0.75, 2.25, 2.75], rtol=1e-6)
    np.testing.assert_allclose(m, [0.05, -0.8, 1e-4], rtol=1e-12)
    np.testing.assert_allclose(v, [0.005, 1.28, 2e-8], rtol=1e-12)
    again, m, v = reference.adam_update(np.array([1.0]), np.array([2.0]), np.array([1.0]), np.array([4.0]), 2, 0.1)
    mean, mean_square = (0.9 + 0.2) / (1 - 0.81), (0.98 * 4 + 0.08) / (1 - 0.9604)
    assert again == pytest.approx(1 - 0.1 * mean / (math.sqrt(mean_square) + 1e-9))


def test_any_leading_axes():
    logits, wanted = RNG.standard_normal((2, 3, 4, 7)), reference.smooth_labels(RNG.integers(0, 7, (2, 3, 4)), 7, 0.3)
    single = [
        reference.cross_entropy(logits[place][None], wanted[place][None]) for place in np.ndindex(logits.shape[:-1])
    ]
    assert reference.cross_entropy(logits, wanted) == pytest.approx(np.mean(single), rel=1e-13)
    rows = reference.cross_entropy_backward(logits.reshape(-1, 7), wanted.reshape(-1, 7))
    np.testing.assert_allclose(reference.cross_entropy_backward(logits, wanted).reshape(-1, 7), rows, rtol=1e-13)


def test_what_padding_holds_does_not_matter():
    other = np.where(IS_TOKEN[..., None], LOGITS, 1000 * LOGITS[::-1])
    for function in (reference.cross_entropy, reference.cross_entropy_backward):
        np.testing.assert_array_equal(function(other, WANTED, IS_TOKEN), function(LOGITS, WANTED, IS_TOKEN))


def test_the_smallest_loss_is_the_targets_entropy():
    """0.92 and four times 0.02: any other distribution costs more."""
    wanted = reference.smooth_labels(np.array([0]), 5, 0.1)
    floor = -(0.92 * math.log(0.92) + 4 * 0.02 * math.log(0.02))
    assert reference.cross_entropy(np.log(wanted), wanted) == pytest.approx(floor, rel=1e-12)
    others = np.log(wanted) + 0.3 * RNG.standard_normal((100, 1, 5))
    assert min(reference.cross_entropy(logits, wanted) for logits in others) > floor


def test_precision_is_kept_and_inputs_are_left_alone():
    low = [a.astype(np.float32) for a in (LOGITS, WANTED)]
    before = [a.copy() for a in low]
    assert reference.cross_entropy_backward(*low, IS_TOKEN).dtype == np.float32
    assert reference.cross_entropy_backward(*low).dtype == np.float32
    assert reference.cross_entropy(*low, IS_TOKEN) == pytest.approx(
        reference.cross_entropy(LOGITS, WANTED, IS_TOKEN), 1e-5
    )
    results = reference.adam_update(low[0], low[1], low[0], low[1], 3, 0.1)
    assert {result.dtype for result in results} == {np.dtype(np.float32)}
    for array, copy in zip(low, before, strict=True):
        np.testing.assert_array_equal(array, copy)
        assert not any(np.may_share_memory(array, result) for result in results)


def test_a_training_step_by_hand():
    """Three parameters are the logits. They move by the rate, 1/2, against the gradient (0.125, -0.75, 0.625)."""
    before = np.log([1.0, 2.0, 5.0])
    state, loss = reference.train_step(
        TrainingState(0, before, np.zeros(3), np.zeros(3)),
        SentencePairs(np.array([[2]]), np.array([[1]]), np.array([[True]])),
        lambda params, source_ids, decoder_ids: params[None, None],
        lambda d_logits, params, source_ids, decoder_ids: d_logits[0, 0],
        TrainingSettings(bos_id=0, epsilon=0.0, d_model=4, warmup_steps=1),
    )
    assert state.step == 1
    assert loss == pytest.approx(math.log(4))
    np.testing.assert_allclose(state.params, before + np.array([-0.5, 0.5, -0.5]), rtol=1e-6)
    np.testing.assert_allclose(state.m, 0.1 * np.array([0.125, -0.75, 0.625]))


def test_training_steps_overfit_a_batch():
    """The loss of a batch comes near its floor, and the decoder reads shifted ids all the time."""
    state, batch, forward, backward, settings = step_of_training(np.random.default_rng(4), lengths=(1, 1, 1))
    read, losses = [], []

    def noted(params, source_ids, decoder_ids):
        read.append(decoder_ids)
        return forward(params, source_ids, decoder_ids)

    for _ in range(400):
        state, loss = reference.train_step(state, batch, noted, backward, settings)
        losses.append(loss)
    wanted = reference.smooth_labels(batch.target_ids, forward(state.params, batch.source_ids, read[0]).shape[-1], 0.0)
    assert state.step == len(read) == 400
    assert (np.array(read) == settings.bos_id).all()
    assert losses[-1] < losses[0]
    answers = forward(state.params, batch.source_ids, read[0]).argmax(axis=-1)
    np.testing.assert_array_equal(answers, wanted.argmax(axis=-1))


def test_the_model_of_the_claims_goes_backwards_rightly():
    state, batch, forward, backward, _ = step_of_training(np.random.default_rng(3), lengths=(4, 2))
    shifted = reference.shift_right(batch.target_ids, 2)
    d_logits = np.random.default_rng(5).standard_normal(forward(state.params, batch.source_ids, shifted).shape)
    slope = numerical_gradient(
        lambda params: (d_logits * forward(params, batch.source_ids, shifted)).sum(), state.params
    )
    np.testing.assert_allclose(backward(d_logits, state.params, batch.source_ids, shifted), slope, atol=1e-8)
    assert SmallModel(5, 2).shape == (2, 5, 2)
