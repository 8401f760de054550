"""The dictionary: its file, its gradients, its training, and how it is asked, on small models."""

import math

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.dictionary import definitions as asked
from transformer_kit.dictionary.definitions import continued, define, definitions, writer
from transformer_kit.dictionary.pieces import FIRST_BYTE, FIRST_MERGE, Pieces
from transformer_kit.experiments.dictionary.ngrams import Ngrams
from transformer_kit.parameters import Sizes
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten
from transformer_kit.trained.dictionary import FILE, init_dictionary, load_dictionary, read_dictionary, save_dictionary
from transformer_kit.trained.model import ModelFileError, write_checksums
from transformer_kit.training.__main__ import main as train_main
from transformer_kit.training.dictionary import loss_and_gradients, mean_loss, train_dictionary
from transformer_kit.training.loop import Settings

PIECES = Pieces([(FIRST_BYTE + 32, FIRST_BYTE + 97), (FIRST_MERGE, FIRST_BYTE + 98)])  # " a" and " ab"
EXAMPLES = [([BOS, 9, 4], [7, 5, EOS]), ([BOS, 8, 4, 6], [EOS]), ([BOS, 5, 5], [6, 5, 4, 7, EOS])]


def small_model(seed=1):
    return init_dictionary(np.random.default_rng(seed), PIECES, Sizes(6, 3, 5, 2), (7, 9))


def test_it_comes_back_from_its_file(tmp_path):
    model = small_model()
    save_dictionary(model, tmp_path / "own.npz", note=5)
    loaded, facts = read_dictionary(tmp_path / "own.npz")
    np.testing.assert_allclose(flatten(loaded), flatten(model), atol=1e-3)
    assert (loaded.n_heads, loaded.longest_word, loaded.max_len) == (3, 7, 9)
    assert loaded.pieces.merges == PIECES.merges
    assert loaded.embedding.dtype == np.float32
    assert list(named_arrays(loaded)) == list(named_arrays(model))
    assert facts == {"note": 5}


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "own.npz"
    with pytest.raises(ModelFileError, match=r"own\.npz is not there"):
        load_dictionary(path)
    save_dictionary(small_model(), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelFileError, match=r"own\.npz holds no dictionary .*: get it again"):
        load_dictionary(path)
    np.savez(path, merges=np.array([[1, 2]]))
    with pytest.raises(ModelFileError, match="holds no dictionary"):
        load_dictionary(path)


def test_the_shipped_file_has_its_checksum(tmp_path, monkeypatch):
    monkeypatch.setattr("transformer_kit.trained.dictionary.WEIGHTS", tmp_path)
    save_dictionary(small_model(), tmp_path / FILE)
    write_checksums(tmp_path)
    load_dictionary(tmp_path / FILE)
    save_dictionary(small_model(seed=2), tmp_path / FILE)
    with pytest.raises(ModelFileError, match="its SHA-256 checksum is not that of"):
        load_dictionary(tmp_path / FILE)


def test_gradients_agree_with_finite_differences():
    model = small_model()
    flat = flatten(model, np.float64)
    _, gradients = loss_and_gradients(unflatten(model, flat), EXAMPLES)
    gradients, step = flatten(gradients), 1e-6
    rows = model.embedding.shape[1] * 10  # the first ten ids, of which some occur
    rng = np.random.default_rng(0)
    chosen = [*rng.choice(rows, 40), *rng.choice(np.arange(model.embedding.size, flat.size), 100)]
    for i in chosen:
        there, back = flat.copy(), flat.copy()
        there[i] += step
        back[i] -= step
        losses = [loss_and_gradients(unflatten(model, p), EXAMPLES)[0] for p in (there, back)]
        assert gradients[i] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-4, abs=2e-8)


def test_the_loss_is_that_of_the_definitions_alone():
    """As the course's own layers and loss have it, one entry at a time."""
    model = small_model()
    total = 0
    for prompt, definition in EXAMPLES:
        next_log_probs = writer(model, reference)
        for i, piece in enumerate(definition):
            total -= next_log_probs(np.array([[*prompt, *definition[:i]]]))[0, piece]
    loss, gradients = loss_and_gradients(model, EXAMPLES, with_gradients=False)
    assert loss == pytest.approx(total / 9, rel=1e-5)
    assert gradients is None
    assert mean_loss(model, EXAMPLES, batch_size=2) == pytest.approx(loss, rel=1e-5)


def test_the_learning_rate_rises_and_goes_to_nothing():
    settings = Settings(steps=1000, warmup_steps=100, cooldown=0.42)
    rates = [settings.rate(step, 160) for step in range(1, 1001)]
    assert np.argmax(rates) == 99
    assert rates[579] == reference.noam_learning_rate(580, 160, 100)
    assert rates[-1] == pytest.approx(reference.noam_learning_rate(1000, 160, 100) / 420)
    assert 0 < rates[-1] < rates[749] < rates[579]


def test_it_learns_and_resumes(tmp_path):
    """Words of one piece with their own definitions; interrupted, training comes to the same end."""
    examples = [([BOS, 10 + i, 4], [20 + i, 30 + i, EOS]) for i in range(8)] * 10
    settings = Settings(steps=120, batch_tokens=60, warmup_steps=30, dropout=0.1, record_every=50)
    losses = []
    whole, history = train_dictionary(
        small_model(), examples, examples[:8], settings, watch=lambda *one: losses.append(one)
    )
    assert [step for step, _ in losses] == list(range(1, 121))
    assert history[:, 0].tolist() == [50, 100, 120]
    assert history[-1, 2] < 0.5 * losses[0][1]

    def stop(step, loss):
        if step == 70:
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint.npz"
    with pytest.raises(KeyboardInterrupt):
        train_dictionary(small_model(), examples, examples[:8], settings, checkpoint, stop)
    resumed, again = train_dictionary(small_model(), examples, examples[:8], settings, checkpoint)
    assert np.array_equal(flatten(resumed), flatten(whole))
    assert np.array_equal(again, history)


def test_the_program_says_where_wordnet_comes_from(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        train_main(["--output", str(tmp_path), "--wordnet", str(tmp_path / "nowhere")])
    assert stopped.value.code == 2
    assert "apt-get install wordnet-base" in capsys.readouterr().err


def test_a_writer_is_a_causal_stack():
    model = small_model()
    prefixes = np.array([[BOS, 4, 6, 5], [BOS, 5, 5, 4]])
    X = model.embedding[prefixes] * np.sqrt(6) + reference.positional_encoding(4, 6)
    for params in model.layers:
        X = reference.encoder_layer(X, params, 3, reference.causal_mask(4))
    expected = reference.softmax(X[:, -1] @ model.embedding.T)
    np.testing.assert_allclose(np.exp(writer(model, reference)(prefixes)), expected, rtol=1e-5)


def test_each_continuation_ends_by_itself():
    """The next id is one more than the last, and after 12 comes the end."""

    def next_log_probs(prefixes):
        assert not (prefixes == EOS).any()
        return np.log(np.eye(20)[np.where(prefixes[:, -1] == 12, EOS, prefixes[:, -1] + 1)] + 1e-9)

    found = continued([[BOS, 9], [BOS, 12], [BOS, 4]], next_log_probs, lambda rows: rows.argmax(axis=1), 5)
    assert found == [[10, 11, 12], [], [5, 6, 7, 8, 9]]


def test_draws_are_those_of_unit_08():
    """With one word after another, and with words of different lengths side by side."""
    model, words = small_model(), [("a", "noun"), ("abc", "verb"), ("a", "adverb")]
    greedy = definitions(words, model, reference, np.random.default_rng(1), temperature=0)
    for word, text in zip(words, greedy, strict=True):
        assert definitions([word], model, reference, np.random.default_rng(2), 0) == [text]
        prompt = asked.prompt_ids(*word, PIECES)
        next_log_probs = writer(model, reference)
        ids = []
        while len(ids) < model.max_len and EOS not in ids:
            ids.append(int(next_log_probs(np.array([[*prompt, *ids]]))[0].argmax()))
        assert PIECES.decode([i for i in ids if i != EOS]).strip() == text


def test_definitions_are_drawn_again_until_one_is_fit(monkeypatch):
    texts = iter(["", "a naked thing", "a thing"])
    monkeypatch.setattr(asked, "definitions", lambda *arguments: [next(texts)])
    assert define(" Aba ", "noun", small_model(), reference, np.random.default_rng(0)) == "a thing"
    monkeypatch.setattr(asked, "definitions", lambda *arguments: ["a naked thing"])
    with pytest.raises(ValueError, match="20 definitions of 'aba' were not fit"):
        define("aba", "noun", small_model(), reference, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("aba", "pronoun", "noun, verb, adjective, adverb; got 'pronoun'"),
        ("brothel", "noun", "nothing to say about 'brothel'"),
        ("  ", "noun", "1 to 7 pieces; '' has 0"),
        ("abcdefghij", "noun", "1 to 7 pieces; 'abcdefghij' has 9"),
    ],
)
def test_words_that_it_does_not_define(word, kind, message):
    with pytest.raises(ValueError, match=message):
        define(word, kind, small_model(), reference, np.random.default_rng(0))


def test_ngrams_are_probabilities_and_back_off():
    model = Ngrams([([1], [2, 3, 2, 4]), ([1], [2, 3, 0])], 5, order=3)
    for before in ((1, 2), (2, 3), (4, 4), (0, 1)):
        assert sum(model.probability((*before, piece)) for piece in range(5)) == pytest.approx(1)
    assert model.probability((1, 2, 3)) > 0.6
    assert model.probability((4, 4, 3)) == model.probability((0, 0, 3))  # neither was seen
    bits = model.bits([1], [2, 3])
    assert bits == pytest.approx(-math.log2(model.probability((0, 1, 2)) * model.probability((1, 2, 3))))
