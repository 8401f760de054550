"""Training: gradients by finite differences, checkpoints that go on exactly, and a small model that learns."""

import io
import math

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS, EOS, make_vocabulary
from transformer_kit.experiments.recorded.descent import train_translator
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten, with_arrays
from transformer_kit.progress import ProgressBar
from transformer_kit.training import Dropout, Settings, forward, loss_and_gradients, make_batch, train
from transformer_kit.training.checkpoints import load_checkpoint
from transformer_kit.training.loop import batches
from transformer_kit.training.sublayers import NO_DROPOUT

SOURCE, TARGET = make_vocabulary(["abcdefg"]), make_vocabulary(["uvwxyz123"])
SIZES = Sizes(d_model=6, n_heads=3, d_ff=5, n_layers=2)
PAIRS = [([4, 7, 5, 9], [6, 4, EOS]), ([8, 4], [5, 9, 12, 7, EOS]), ([6, 6, 10], [8, 5, 4, EOS])]


def small_model(tied, seed=9):
    return init_model(np.random.default_rng(seed), SOURCE, TARGET, SIZES, tied, noise=0.3)


OTHERS = [pytest.param(*both, marks=pytest.mark.exhaustive) for both in ((0.0, False), (0.2, True))]


@pytest.mark.parametrize(("rate", "tied"), [(0.0, True), (0.2, False), *OTHERS])
def test_every_gradient_agrees_with_finite_differences(tied, rate):
    """Entry by entry in every array, with padding in source and target, smoothing, and the same dropout each time."""
    model, batch = small_model(tied), make_batch(PAIRS)
    flat, step = flatten(model), 1e-6

    def loss(parameters):
        dropout = Dropout(rate, np.random.default_rng(3))
        return loss_and_gradients(unflatten(model, parameters), batch, 0.1, dropout)

    gradients = flatten(loss(flat)[1])
    chosen = np.random.default_rng(0).choice(flat.size, 250, replace=False)
    for i in chosen:
        there, back = flat.copy(), flat.copy()
        there[i] += step
        back[i] -= step
        slope = (loss(there)[0] - loss(back)[0]) / (2 * step)
        assert gradients[i] == pytest.approx(slope, rel=1e-4, abs=2e-8)


@pytest.mark.parametrize("tied", [True, False])
def test_every_array_has_a_gradient_of_its_shape(tied):
    model = small_model(tied)
    _, gradients = loss_and_gradients(model, make_batch(PAIRS), 0.1)
    assert [g.shape for g in named_arrays(gradients).values()] == [a.shape for a in named_arrays(model).values()]
    assert all(np.abs(gradient).max() > 1e-6 for gradient in named_arrays(gradients).values())
    assert type(gradients) is type(model)


def test_the_forward_pass_is_that_of_unit_09():
    """Training and the functions of the course compute the same logits, wherever there is a token."""
    model, batch = small_model(True), make_batch(PAIRS)
    is_token = batch.encoder_mask[:, 0]
    memory = reference.encode_source(batch.source_ids, is_token, model)
    expected = reference.decode_target(batch.decoder_ids, memory, is_token, model)
    logits, _ = forward(model, batch)
    np.testing.assert_allclose(logits[batch.target_is_token], expected[batch.target_is_token], rtol=1e-12, atol=1e-14)


def test_padding_changes_neither_loss_nor_gradients():
    model = small_model(True)
    losses, gradients = zip(*(loss_and_gradients(model, make_batch([pair]), 0.1) for pair in PAIRS), strict=True)
    lengths = [len(target) for _, target in PAIRS]
    loss, together = loss_and_gradients(model, make_batch(PAIRS), 0.1)
    assert loss == pytest.approx(np.average(losses, weights=lengths), rel=1e-12)
    mean = np.average([flatten(g) for g in gradients], axis=0, weights=lengths)
    np.testing.assert_allclose(flatten(together), mean, atol=1e-13)


def test_single_precision_stays_single():
    model = small_model(True)
    model = unflatten(model, flatten(model, np.float32))
    loss, gradients = loss_and_gradients(model, make_batch(PAIRS), 0.1, Dropout(0.1, np.random.default_rng(0)))
    assert isinstance(loss, float)
    assert {gradient.dtype for gradient in named_arrays(gradients).values()} == {np.dtype(np.float32)}


def test_batches():
    batch = make_batch(PAIRS)
    assert batch.source_ids.tolist() == [[4, 7, 5, 9], [8, 4, 0, 0], [6, 6, 10, 0]]
    assert batch.decoder_ids.tolist() == [[BOS, 6, 4, EOS, 0], [BOS, 5, 9, 12, 7], [BOS, 8, 5, 4, EOS]]
    assert batch.target_is_token.sum(axis=1).tolist() == [3, 5, 4]
    assert batch.decoder_mask.shape == (3, 5, 5)


def test_batches_have_as_many_tokens():
    """Every epoch has every pair once, in another order; short pairs come in larger batches."""
    rng = np.random.default_rng(2)
    pairs = [([4] * int(n), [5] * int(m)) for n, m in rng.integers(1, 20, (500, 2))]
    per_epoch = round(sum(len(target) for _, target in pairs) / 100)
    settings = Settings(steps=2 * per_epoch, batch_tokens=100)
    found = list(batches(pairs, settings, 0))
    assert [step for step, _ in found] == list(range(1, settings.steps + 1))
    tokens = [sum(len(target) for _, target in chosen) for _, chosen in found]
    assert 80 <= min(tokens) <= max(tokens) <= 120
    epochs = [[pair for _, chosen in half for pair in chosen] for half in (found[:per_epoch], found[per_epoch:])]
    assert sorted(epochs[0]) == sorted(epochs[1]) == sorted(pairs)
    assert epochs[0] != epochs[1]
    assert list(batches(pairs, settings, 50)) == found[50:]


def test_translations_are_learned_as_often_as_they_come():
    """One word has a short translation in 4 of 10 cases and a long one in 6; neither is preferred."""
    short, long = ([4], [5, EOS]), ([4], [6, 7, 8, 7, 8, EOS])
    pairs = [short] * 240 + [long] * 360
    settings = Settings(
        steps=300, batch_tokens=60, warmup_steps=60, dropout=0.0, label_smoothing=0.0, record_every=50, averaged=3
    )
    model, _ = train(small_model(True), pairs, settings)
    logits, _ = forward(model, make_batch([short]))
    assert reference.softmax(logits[0, 0])[5] == pytest.approx(0.4, abs=0.08)


def test_dropout():
    X = np.ones((200, 300), dtype=np.float32)
    factors = Dropout(0.25, np.random.default_rng(1)).factors(X)
    assert set(np.unique(factors)) == {np.float32(0), np.float32(4 / 3)}
    assert factors.mean() == pytest.approx(1, abs=0.01)
    assert Dropout().factors(X) == 1


def reversal_pairs(rng, count):
    """Words in one direction and in the other."""
    words = [rng.integers(4, 9, rng.integers(2, 5)).tolist() for _ in range(count)]
    return [(word, [*word[::-1], EOS]) for word in words]


def test_a_small_model_learns_to_turn_words_round():
    rng = np.random.default_rng(4)
    vocabulary = make_vocabulary(["abcde"])
    model = init_model(rng, vocabulary, vocabulary, Sizes(16, 2, 32, 1))
    settings = Settings(steps=240, batch_tokens=130, warmup_steps=60, dropout=0.0, record_every=60)
    seen = []
    trained, history = train(
        model, reversal_pairs(rng, 400), settings, reversal_pairs(rng, 40), watch=lambda *step: seen.append(step)
    )
    assert [step for step, _ in seen] == list(range(1, 241))
    assert history[:, 0].tolist() == [60, 120, 180, 240]
    assert history[-1, 1] == pytest.approx(np.mean([loss for _, loss in seen[-60:]]))
    assert history[-1, 2] < 0.6 * history[0, 2]
    assert flatten(trained).shape == flatten(model).shape


def small_training(path=None, steps=21, watch=None, averaged=3):
    settings = Settings(steps=steps, batch_tokens=16, warmup_steps=5, seed=5, record_every=6, averaged=averaged)
    pairs = reversal_pairs(np.random.default_rng(8), 18)
    return train(small_model(True), pairs, settings, pairs[:3], path, watch)


class KilledError(Exception):
    """Stands for the end of the program."""


@pytest.mark.parametrize("last", [3, 6, 13, 20])
def test_an_interrupted_training_goes_on_bit_for_bit(tmp_path, last):
    """Killed after any step, before, at or after a checkpoint, in the first epoch or a later one."""

    def kill(step, loss):
        if step == last:
            raise KilledError

    path = tmp_path / "checkpoint.npz"
    with pytest.raises(KilledError):
        small_training(path, watch=kill)
    steps = []
    model, history = small_training(path, watch=lambda step, loss: steps.append(step))
    expected, expected_history = small_training()
    assert steps[0] == (last - 1) // 6 * 6 + 1
    np.testing.assert_array_equal(flatten(model), flatten(expected))
    np.testing.assert_array_equal(history, expected_history)


def test_the_last_parameters_are_averaged(tmp_path):
    """Steps 12, 18 and 21 count of 6, 12, 18 and 21."""
    kept = {}

    def keep(step, loss):
        if step > 1 and (step - 1) % 6 == 0:
            with np.load(tmp_path / "checkpoint.npz") as file:
                kept[step - 1] = file["parameters"]

    averaged, _ = small_training(tmp_path / "checkpoint.npz", watch=keep)
    last, _ = small_training(averaged=1)
    assert list(kept) == [6, 12, 18]
    np.testing.assert_allclose(flatten(averaged), (kept[12] + kept[18] + flatten(last)) / 3, rtol=1e-12)


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    path = tmp_path / "checkpoint.npz"
    small_training(path, steps=6)
    with pytest.raises(ValueError, match="other settings or sizes: remove it"):
        small_training(path, steps=12)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="is damaged"):
        load_checkpoint(path, small_model(True), Settings())


def test_a_mask_that_leaks_lowers_the_loss():
    """The planted mistake of unit 10: the loss is better, and what is written is not."""

    def leaky(pairs):
        batch = make_batch(pairs)
        n = batch.target_ids.shape[1]
        return batch._replace(decoder_mask=batch.decoder_mask | np.tri(n, k=1, dtype=bool))

    rng = np.random.default_rng(4)
    vocabulary = make_vocabulary(["abcde"])
    model, pairs = init_model(rng, vocabulary, vocabulary, Sizes(16, 2, 32, 1)), reversal_pairs(rng, 300)
    settings = Settings(steps=120, batch_tokens=130, warmup_steps=40, dropout=0.0, label_smoothing=0.0, record_every=40)
    honest, cheating = (
        np.mean([step.loss for step in train_translator(model, pairs, settings, how)][-40:])
        for how in (make_batch, leaky)
    )
    assert cheating < 0.8 * honest


def test_trees():
    model = small_model(False)
    names = list(named_arrays(model))
    assert names[2:4] == ["encoder.0.attention.W_Q", "encoder.0.attention.W_K"]
    assert names[-2:] == ["decoder.1.norm_3.beta", "output_projection"]
    again = unflatten(model, flatten(model))
    assert repr(again) == repr(model)
    doubled = with_arrays(model, [2 * array for array in named_arrays(model).values()])
    np.testing.assert_array_equal(doubled.decoder[1].ffn.b_1, 2 * model.decoder[1].ffn.b_1)
    assert doubled.source_vocabulary is model.source_vocabulary


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_bar():
    seconds = iter([0, 0, 10, 30])
    terminal = Terminal()
    bar = ProgressBar(40, terminal, lambda: next(seconds))
    for step in (10, 20, 40):  # the first ten were done before
        bar.show(step, f"step {step}")
    lines = terminal.getvalue().split("\r")[1:]
    ends = [" ".join(line.split("]")[1].split()) for line in lines]
    assert ends == ["25 % step 10", "50 % 0:20 step 20", "100 % 0:00 step 40"]
    assert lines[-1].endswith("\n")


def test_progress_in_a_file_is_short():
    file = io.StringIO()
    bar = ProgressBar(1000, file, lambda: 0)
    for step in range(1, 1001):
        bar.show(step)
    assert len(file.getvalue().splitlines()) == 11


def test_the_first_loss_is_that_of_guessing():
    """Without training, the model knows nothing: the logarithm of the number of words, about."""
    batch = make_batch(PAIRS)
    model = init_model(np.random.default_rng(0), SOURCE, TARGET, SIZES)
    loss, _ = loss_and_gradients(model, batch, 0.0)
    assert loss == pytest.approx(math.log(len(TARGET)), abs=1.0)


def test_in_the_cooldown_nothing_is_dropped():
    settings = Settings(steps=10, cooldown=0.4, dropout=0.3)
    assert [settings.dropout_at(step) is NO_DROPOUT for step in range(1, 11)] == 7 * [False] + 3 * [True]
    assert [settings.left(step) for step in (1, 7, 8, 10)] == [1, 1, 0.75, 0.25]
    assert Settings(steps=10).left(10) == 1
