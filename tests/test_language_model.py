"""The small language model: its file, its gradients, its training."""

import hashlib

import numpy as np
import pytest

from tests.course import ROOT
from transformer_kit.evaluation import language_table
from transformer_kit.language_model import FILE, init_language_model, load_language_model, save_language_model
from transformer_kit.model import WEIGHTS, ModelFileError, write_checksums
from transformer_kit.parameters import Sizes
from transformer_kit.training.language import loss_and_gradients, train_and_save, train_language_model
from transformer_kit.training.loop import Settings
from transformer_kit.trees import flatten, named_arrays, unflatten
from transformer_kit.vocabulary import EOS, SPECIAL

WORDS = (*SPECIAL, "a", "b", "c", "d", "e")
SENTENCES = [[4, 7, 5, EOS], [8, 4, EOS], [6, 6, 5, 4, 7, EOS]]


def small_model(seed=1):
    return init_language_model(np.random.default_rng(seed), WORDS, 7, Sizes(6, 3, 5, 2))


def test_it_comes_back_from_its_file(tmp_path):
    model = small_model()
    save_language_model(model, tmp_path / "own.npz")
    loaded = load_language_model(tmp_path / "own.npz")
    np.testing.assert_allclose(flatten(loaded), flatten(model), atol=1e-3)
    assert loaded[2:] == model[2:]
    assert loaded.embedding.dtype == np.float32
    assert list(named_arrays(loaded)) == list(named_arrays(model))


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "own.npz"
    with pytest.raises(ModelFileError, match=r"own\.npz is not there"):
        load_language_model(path)
    save_language_model(small_model(), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelFileError, match=r"own\.npz holds no language model .*: get it anew"):
        load_language_model(path)
    np.savez(path, words=np.array(WORDS))
    with pytest.raises(ModelFileError, match="holds no language model"):
        load_language_model(path)


def test_the_file_of_the_course(tmp_path, monkeypatch):
    content = (WEIGHTS / FILE).read_bytes()
    assert len(content) < 200_000
    assert f"{hashlib.sha256(content).hexdigest()}  {FILE}" in (WEIGHTS / "SHA256SUMS").read_text()
    monkeypatch.setattr("transformer_kit.language_model.WEIGHTS", tmp_path)
    save_language_model(small_model(), tmp_path / FILE)
    write_checksums(tmp_path)
    load_language_model(tmp_path / FILE)
    save_language_model(small_model(seed=2), tmp_path / FILE)
    with pytest.raises(ModelFileError, match="its SHA-256 checksum is not that of"):
        load_language_model(tmp_path / FILE)


def test_gradients_agree_with_finite_differences():
    model = small_model()
    flat = flatten(model, np.float64)
    _, gradients = loss_and_gradients(unflatten(model, flat), SENTENCES)
    gradients, step = flatten(gradients), 1e-6
    for i in np.random.default_rng(0).choice(flat.size, 150, replace=False):
        there, back = flat.copy(), flat.copy()
        there[i] += step
        back[i] -= step
        losses = [loss_and_gradients(unflatten(model, p), SENTENCES)[0] for p in (there, back)]
        assert gradients[i] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-4, abs=2e-8)


def test_it_learns_what_follows_what():
    """The alphabet, from any letter on: after the first word every word is certain."""
    sentences = [[*range(start, 9), EOS] for start in range(4, 9) for _ in range(40)]
    settings = Settings(steps=150, batch_tokens=120, warmup_steps=50)
    losses = []
    trained = train_language_model(small_model(), sentences, settings, 20, lambda step, loss: losses.append(loss))
    assert len(losses) == 150
    assert np.mean(losses[-10:]) < 0.5 * losses[0]
    loss, _ = loss_and_gradients(trained, [[5, 6, 7, 8, EOS]])
    assert loss < 1


@pytest.mark.slow
def test_the_same_training_gives_the_same_file(tmp_path):
    for name in ("one", "two"):
        train_and_save(tmp_path / name, Settings(steps=501, batch_tokens=60, warmup_steps=50), 300)
    assert (tmp_path / "one" / FILE).read_bytes() == (tmp_path / "two" / FILE).read_bytes()
    assert load_language_model(tmp_path / "one" / FILE).layers[1].attention.W_Q.shape == (64, 64)


@pytest.mark.slow
def test_the_model_card_holds_its_figures():
    """On another processor sums round differently, and some draws turn out otherwise."""
    card = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8")
    for line in language_table(load_language_model()).splitlines()[2:]:
        name, *values = line.strip("|").split("|")
        (written,) = (row for row in card.splitlines() if row.startswith(f"|{name}|"))
        there = [float(value.strip(" %")) for value in written.strip("|").split("|")[1:]]
        assert [float(value.strip(" %")) for value in values] == pytest.approx(there, abs=3)
