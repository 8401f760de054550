"""The recorded training runs: what they show, how they are loaded, and that the programs still record the same."""

import hashlib
from functools import cache

import numpy as np
import pytest

from tools.course import ROOT
from transformer_kit import corpus
from transformer_kit.corpus.vocabulary import ids_of
from transformer_kit.experiments.floor import best_loss
from transformer_kit.experiments.recorded import __main__ as program
from transformer_kit.experiments.recorded import film, leaking, norms
from transformer_kit.experiments.recorded.figures import LAST, figures, film_table
from transformer_kit.parameters import DecoderOnly, init_encoder_layer
from transformer_kit.parameters.tree import flatten, unflatten
from transformer_kit.trained.model import ModelFileError, write_checksums
from transformer_kit.trained.recorded import KINDS, RECORDINGS, load_recording, save_recording
from transformer_kit.training import live, make_batch

LEAKING, NORMS, FILM = (load_recording(name) for name in ("leaking", "norms", "film"))
pytestmark = pytest.mark.xdist_group("recorded")  # so that the data are drawn once


@pytest.fixture(autouse=True, scope="module")
def data_drawn_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "small_task", cache(live.small_task))
        yield


def right_texts(sentence):
    """Return all right translations of a typed sentence, as text."""
    words = sentence.lower().replace(".", " .").replace("?", " ?").split()
    return {corpus.spanish_text(words) for words in corpus.translations(tuple(words))}


def test_the_leaking_model_writes_rubbish_with_lower_loss():
    causal, ahead = range(2)
    assert LEAKING.runs.tolist() == ["causal", "one ahead"]
    assert LEAKING.steps.tolist() == list(range(50, 1001, 50))
    for loss in (LEAKING.training_loss, LEAKING.development_loss):
        assert (loss[ahead, 3:] < 0.5 * loss[causal, 3:]).all()
        assert loss[ahead, -1] < 0.1 * loss[causal, -1]
    assert (LEAKING.share_right[ahead] <= 0.02).all()
    assert LEAKING.share_right[causal, -1] > 0.6
    right = [
        [text in right_texts(one) for one, text in zip(LEAKING.english, run, strict=True)] for run in LEAKING.written
    ]
    assert sum(right[causal]) >= 3
    assert not any(right[ahead])


@pytest.mark.exhaustive
def test_unit_10_opens_with_an_impossible_loss():
    _, others, model = live.small_task()
    losses = {"model A": LEAKING.development_loss[0, -1], "model B": LEAKING.development_loss[1, -1]}
    losses["somebody who knows the grammar by heart"] = best_loss(others, model, 0.0)
    text = (ROOT / "solutions" / "10_training.py").read_text(encoding="utf-8")
    for name, loss in losses.items():
        assert f"# | {name} | {loss:.3f} |" in text
    assert (LEAKING.steps[-1], live.N_PAIRS) == (1000, 6000)
    assert set(LEAKING.written[1]) == {""}  # "it writes nothing", says a reply
    assert sum(len(target) for _, target in others) > 1000


def test_only_post_norm_without_warm_up_stalls():
    assert NORMS.runs.tolist() == ["post-norm", "post-norm, warm-up", "pre-norm"]
    assert_one_run_stalls(NORMS)


def assert_one_run_stalls(recording):
    """The bounds that the docstring of `norms` names."""
    stalled, *others = np.asarray(recording.loss)[:, LAST].mean(axis=1) / recording.frequency_loss
    assert 0.85 < stalled < 1.1
    assert max(others) < 0.6
    lowest, top = np.asarray(recording.gradient_norm)[:, LAST][..., [0, -1]].mean(axis=1).T
    assert lowest[0] < 1e-3 * top[0]
    assert (lowest[1:] > 0.5 * top[1:]).all()


def test_the_three_learning_rates_end_equal():
    plain, warmed, first = NORMS.learning_rate
    assert (plain == first).all()
    assert (plain == plain[0]).all()
    assert (warmed[norms.WARMUP_STEPS - 1 :] == plain[0]).all()
    assert warmed[0] == pytest.approx(plain[0] / norms.WARMUP_STEPS)
    np.testing.assert_array_equal(NORMS.gradient_norm[0, 0], NORMS.gradient_norm[1, 0])  # before the first update


def test_the_film_ends_with_the_right_translation():
    right = right_texts(" ".join(FILM.english))
    assert corpus.spanish_text(FILM.spanish[:-1]) in right
    assert FILM.spanish[-1] == "<eos>"
    assert right.isdisjoint(FILM.written[:3])
    assert FILM.written[-1] in right
    assert np.mean([text in right for text in FILM.written[-10:]]) >= 0.8
    assert FILM.steps.tolist() == list(range(0, 1501, 50))
    assert FILM.loss[-1] < 0.1 * FILM.loss[0]


def test_the_film_shows_how_attention_develops():
    """Spread at first; in the end a head looks at the noun for the noun, and at its adjective for the adjective."""
    assert FILM.attention.shape == (31, 4, len(FILM.spanish), len(FILM.english))
    np.testing.assert_allclose(FILM.attention.sum(axis=-1), 1, atol=1e-5)
    assert FILM.attention[0].mean(axis=0).max() < 0.5
    spanish, english = FILM.spanish.tolist(), FILM.english.tolist()
    for word, source in (("pájaros", "birds"), ("negros", "black")):
        assert FILM.attention[-1, :, spanish.index(word), english.index(source)].max() > 0.6


@pytest.mark.exhaustive(minutes=2)
def test_nobody_trained_on_the_sentence_that_is_filmed():
    pairs, _, model = live.small_task()
    assert ids_of(film.ENGLISH, model.source_vocabulary) not in [source for source, _ in pairs]


@pytest.mark.parametrize("name", KINDS)
def test_the_files_are_small_and_have_checksums(name):
    content = (RECORDINGS / f"{name}.npz").read_bytes()
    assert len(content) < 300_000
    line = f"{hashlib.sha256(content).hexdigest()}  {name}.npz"
    assert line in (RECORDINGS / "SHA256SUMS").read_text().splitlines()
    assert {array.dtype for array in load_recording(name) if array.dtype.kind == "f"} == {np.dtype(np.float32)}


@pytest.mark.exhaustive(minutes=2)
def test_the_first_steps_of_leaking_recorded_anew():
    again = leaking.record(leaking.SETTINGS._replace(steps=50))
    for field in ("steps", "training_loss", "development_loss", "share_right"):
        np.testing.assert_allclose(getattr(again, field), getattr(LEAKING, field)[..., :1], rtol=1e-3)


@pytest.mark.exhaustive
def test_the_first_steps_of_the_norms_recorded_anew():
    again = norms.record(norms.SETTINGS._replace(steps=4))
    for field in ("steps", "learning_rate", "loss"):
        np.testing.assert_allclose(getattr(again, field), getattr(NORMS, field)[..., :4], rtol=1e-3)
    np.testing.assert_allclose(again.gradient_norm, NORMS.gradient_norm[:, :4], rtol=1e-2)
    np.testing.assert_allclose(again.norm_input, NORMS.norm_input[:, :5], rtol=1e-2)
    assert again.frequency_loss == pytest.approx(float(NORMS.frequency_loss))


def test_the_first_frames_recorded_anew():
    again = film.record(film.SETTINGS._replace(steps=50))
    np.testing.assert_allclose(again.loss, FILM.loss[:2], rtol=1e-3)
    np.testing.assert_allclose(again.attention, FILM.attention[:2], atol=1e-2)
    assert (again.english.tolist(), again.spanish.tolist()) == (FILM.english.tolist(), FILM.spanish.tolist())


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.hours) for seed in (3, 4))])
def test_other_seeds_stall_alike(seed):
    assert_one_run_stalls(norms.record(norms.SETTINGS._replace(seed=seed)))


@pytest.mark.parametrize("norm_first", [False, True])
def test_gradients_of_the_stack_match_finite_differences(norm_first):
    rng = np.random.default_rng(7)
    layers = tuple(init_encoder_layer(rng, 6, 3, 5, noise=0.3) for _ in range(2))
    stack = DecoderOnly(rng.normal(size=(11, 6)), layers, 3)
    batch = make_batch([([4], [6, 4, 3]), ([5, 7], [5, 9, 10, 7, 3])])
    flat, step = flatten(stack), 1e-6
    gradients = flatten(norms.loss_and_gradients(stack, batch, norm_first)[1])
    for i in rng.choice(flat.size, 120, replace=False):
        there, back = flat.copy(), flat.copy()
        there[i] += step
        back[i] -= step
        losses = [norms.loss_and_gradients(unflatten(stack, one), batch, norm_first)[0] for one in (there, back)]
        assert gradients[i] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-4, abs=2e-8)


def test_the_loss_of_the_frequencies():
    """Of four words that are said, two are the same: a half and two quarters."""
    assert norms.frequency_loss([([8], [5, 6]), ([9], [5, 7])]) == pytest.approx(1.5 * np.log(2))


def test_statements_on_a_shifted_mask_are_true():
    batch = leaking.batch_that_sees([([4, 5], [6, 7, 8, 3])], 1)
    assert batch.decoder_mask[0].astype(int).tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1]]
    right, causal = make_batch([([4, 5], [6, 7, 8, 3])]), leaking.batch_that_sees([([4, 5], [6, 7, 8, 3])], 0)
    np.testing.assert_array_equal(causal.decoder_mask, right.decoder_mask)


def test_the_model_card_holds_the_figures():
    card = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8")
    for name, table in figures().items():
        assert f"<!-- {name}: written by `make card` -->\n\n{table}\n\n<!-- end -->" in card
    rate, warmup = norms.LEARNING_RATE, norms.WARMUP_STEPS
    assert f"a constant learning rate of {rate}, which the run with warm-up reaches at step {warmup}" in card
    assert f"d_model = {norms.D_MODEL}, {norms.N_HEADS} heads, d_ff = {norms.D_FF}, trained with Adam" in card


def test_the_table_of_the_film_shows_what_changes():
    """Frames 0, 2 and 3 bring another translation; the last one is shown in any case."""
    short = FILM._replace(steps=np.arange(5) * 7, loss=np.arange(5.0), written=np.array(["", "", "La.", "El.", "El."]))
    rows = film_table(short).splitlines()[2:]
    assert rows == ["| 0 | 0.00 |  |", "| 14 | 2.00 | La. |", "| 21 | 3.00 | El. |", "| 28 | 4.00 | El. |"]


def test_a_recording_that_does_not_exist():
    with pytest.raises(ModelFileError, match="no recording 'films'; there are 'leaking', 'norms', 'film'"):
        load_recording("films")


def test_a_recording_that_is_gone_damaged_or_another(tmp_path):
    with pytest.raises(ModelFileError, match=r"film\.npz is not there: get it again, .* `make record`"):
        load_recording("film", tmp_path)
    save_recording("film", FILM, tmp_path)
    save_recording("norms", LEAKING, tmp_path)
    write_checksums(tmp_path)
    np.testing.assert_array_equal(load_recording("film", tmp_path).attention, FILM.attention)
    with pytest.raises(ModelFileError, match=r"norms\.npz holds no recording 'norms' .*: get it again"):
        load_recording("norms", tmp_path)
    content = bytearray((tmp_path / "film.npz").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "film.npz").write_bytes(content)
    with pytest.raises(ModelFileError, match=r"checksum is not that of SHA256SUMS; .* `make record`"):
        load_recording("film", tmp_path)


def test_the_program_writes_recordings_and_checksums(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(program, "PROGRAMS", {"film": lambda: FILM, "norms": lambda: NORMS})
    program.main(["--output", str(tmp_path / "new")])
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"film.npz", "norms.npz", "SHA256SUMS"}
    np.testing.assert_array_equal(load_recording("norms", tmp_path / "new").loss, NORMS.loss)
    assert "film: 0 s" in capsys.readouterr().out
