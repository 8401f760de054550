"""Models in files, damaged files, sentences in and out, and the trained models of the course."""

import hashlib
import re

import numpy as np
import pytest

from autograder.judge.wire import values
from tools.course import ROOT
from transformer_kit import corpus, parameters, reference
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import EOS, SPECIAL, ids_of, make_vocabulary, words_of
from transformer_kit.experiments.whole_model import evaluation
from transformer_kit.experiments.whole_model.greedy import greedy_translations
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.parameters.tree import flatten, named_arrays
from transformer_kit.trained.model import (
    TRAINED,
    WEIGHTS,
    ModelFileError,
    load_model,
    read_model,
    save_model,
    write_checksums,
)

SOURCE, TARGET = make_vocabulary([("i", "like", "cats", "apples", ".", "?")]), make_vocabulary([["me", "gustan", "."]])


def small_model(tied=True):
    return init_model(np.random.default_rng(1), SOURCE, TARGET, Sizes(6, 3, 5, 2), tied, noise=0.2, lengths=(5, 7))


@pytest.mark.parametrize("tied", [True, False])
def test_a_model_comes_back_from_its_file(tmp_path, tied):
    path, model = tmp_path / "own.npz", small_model(tied)
    save_model(model, path, history=np.ones((2, 3)), seed=4)
    loaded, facts = read_model(path, np.float64)
    assert {name: a.shape for name, a in named_arrays(loaded).items()} == {
        name: a.shape for name, a in named_arrays(model).items()
    }
    np.testing.assert_allclose(flatten(loaded), flatten(model), rtol=1e-3, atol=1e-6)
    assert loaded[5:] == model[5:]
    assert facts["history"].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert int(facts["seed"]) == 4
    assert load_model(str(path)).source_embedding.dtype == np.float32
    assert [p.name for p in tmp_path.iterdir()] == ["own.npz"]


def damaged(path, how):
    content = path.read_bytes()
    if how == "cut off":
        path.write_bytes(content[:-300])
    elif how == "a bit turned round":
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    elif how == "something else":
        path.write_text("no arrays")
    elif how == "nothing":
        path.write_bytes(b"")
    elif how == "pickled":
        np.savez(path, n_heads=np.array([{"a": 1}], dtype=object))
    elif how == "one array":
        np.save(path.with_suffix(".npy"), np.ones(3))
        path.with_suffix(".npy").replace(path)


@pytest.mark.parametrize("how", ["cut off", "something else", "nothing", "pickled", "one array"])
def test_a_damaged_file_is_refused(tmp_path, how):
    path = tmp_path / "own.npz"
    save_model(small_model(), path)
    damaged(path, how)
    with pytest.raises(ModelFileError, match=r"own\.npz is damaged, or is not a file of arrays .*: get it again"):
        load_model(path)


def test_a_file_that_is_not_there():
    with pytest.raises(ModelFileError, match=r"nothing\.npz is not there; .* 'smoothed' and 'unsmoothed'"):
        load_model("nothing.npz")


@pytest.mark.parametrize("name", ["n_heads", "target_words", "decoder.1.norm_3.beta"])
def test_an_incomplete_file_is_refused(tmp_path, name):
    path = tmp_path / "own.npz"
    save_model(small_model(), path)
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files if key != name}
    np.savez(path, **arrays)
    with pytest.raises(ModelFileError, match=f"it has no {name}"):
        load_model(path)


def test_words_and_rows_have_to_be_as_many(tmp_path):
    path = tmp_path / "own.npz"
    save_model(small_model()._replace(target_words=tuple(SOURCE)), path)
    with pytest.raises(ModelFileError, match=r"\(10, 7\) rows of embeddings for \(10, 10\) words"):
        load_model(path)


@pytest.mark.parametrize("how", ["cut off", "a bit turned round", "nothing"])
def test_trained_models_are_compared_with_their_checksums(tmp_path, monkeypatch, how):
    monkeypatch.setattr("transformer_kit.trained.model.WEIGHTS", tmp_path)
    for name in TRAINED:
        save_model(small_model(), tmp_path / f"{name}.npz")
    write_checksums(tmp_path)
    assert load_model("unsmoothed").n_heads == 3
    damaged(tmp_path / "smoothed.npz", how)
    with pytest.raises(
        ModelFileError, match=r"smoothed\.npz is damaged: its SHA-256 checksum is not that of SHA256SUMS"
    ):
        load_model()
    load_model("unsmoothed")


def test_sentences_in():
    model = small_model()
    assert prepare_sentence(" I like CATS", model) == "i like cats ."
    assert prepare_sentence("Cats?", model) == "cats ?"


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "expected an English sentence, got '': try 'I like cats.'"),
        (" ?! ", "expected an English sentence, got ' ?! '"),
        ("I like appels", "does not know the word 'appels' (did you mean apples?)."),
        (
            "I klie zebras",
            "the words 'klie' (did you mean like?), 'zebras'. It knows 4 English words: try a more common",
        ),
        ("me gustan los", "the words 'me', 'gustan', 'los'. It reads only English, and only 4 words of it."),
        ("I like cats 😀", "reads words and numbers, not signs such as '😀': write it as a word"),
        ("<pad> cats", "does not know the word 'pad'"),
        ("I like cats. I like apples.", "expected one sentence at a time, got 'i like cats . i like apples .'"),
        ("I like cats apples cats", "has 6 words and marks of punctuation, and the model has seen none of more than 5"),
    ],
)
def test_sentences_that_are_refused(sentence, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        prepare_sentence(sentence, small_model())
    with pytest.raises(ValueError, match=re.escape(message)):
        reference.translate(sentence, small_model())


def test_sentences_out():
    model = small_model()
    ids = [2, *ids_of(("me", "gustan", "."), TARGET), EOS, 0]
    assert written_sentence(ids, model) == "Me gustan."
    assert written_sentence((), model) == ""


def test_vocabularies():
    assert list(SOURCE)[:6] == [*SPECIAL, ".", "?"]
    assert words_of(np.array([4, 8]), SOURCE) == [".", "i"]
    with pytest.raises(KeyError, match="dogs"):
        ids_of(["dogs"], SOURCE)


def test_greedy_translation_of_many_is_that_of_one():
    """With padding and a cache; some sentences end before others."""
    model = load_model()
    sentences = [one.english for one in corpus.load("new", 20)]
    results = greedy_translations([ids_of(words, model.source_vocabulary) for words in sentences], model, 7)
    for words, ids in zip(sentences, results, strict=True):
        assert written_sentence(ids, model) == reference.translate(corpus.english_text(words), model)


@pytest.mark.parametrize("name", TRAINED)
@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("I like cats.", "Me gustan los gatos."),
        ("I like cats", "Me gustan los gatos."),
        ("The red car", "El coche rojo."),
        ("The girl eats an apple.", "La niña come una manzana."),
        ("The water is cold.", "El agua está fría."),
        ("I don't see the boy's key.", "No veo la llave del niño."),
        ("Do you like the blue shirt?", "¿Te gusta la camisa azul?"),
        ("Where are my keys?", "¿Dónde están mis llaves?"),
        ("How many oranges do you want?", "¿Cuántas naranjas quieres?"),
        ("There are three black dogs in the garden.", "Hay tres perros negros en el jardín."),
        ("My mother is tired today.", "Mi madre está cansada hoy."),
        ("We are not hungry.", "No tenemos hambre."),
    ],
)
def test_translations(name, english, spanish):
    assert reference.translate(english, load_model(name)) == spanish


@pytest.mark.parametrize("name", TRAINED)
def test_beam_search_finds_what_greedy_decoding_misses(name):
    """English "they" does not say whether they are men or women, so the way that begins with "a" splits up."""
    model = load_model(name)
    for thing in ("cats", "dogs", "books"):
        greedy = reference.translate(f"They like {thing}.", model)
        assert greedy.startswith("A ell")
        assert reference.translate(f"They like {thing}.", model, beam_width=2).startswith("Les gustan")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TRAINED)
def test_a_hundred_held_out_sentences(name):
    model, sentences = load_model(name), corpus.load("held-out", 100)
    result = evaluation.score(model, sentences, [corpus.translations(one.english) for one in sentences])
    assert result.acceptable >= 97
    assert result.acceptable + len(result.mistakes) == 100


@pytest.mark.parametrize("name", TRAINED)
def test_half_precision_is_enough(name):
    """Loaded in double precision, the same file gives the same logits but for rounding."""
    logits = []
    for dtype in (np.float32, np.float64):
        model = load_model(name, dtype)
        source = reference.encode("the boy likes the red cars .", model.source_vocabulary)[None]
        is_token = np.ones(source.shape, bool)
        target = np.array([[2, *map(model.target_words.index, ["al", "niño", "le", "gustan", "los"])]])
        memory = reference.encode_source(source, is_token, model)
        logits.append(reference.decode_target(target, memory, is_token, model))
    np.testing.assert_allclose(*logits, atol=1e-4)


def test_files_of_the_trained_models():
    """Small, with the checksums beside them, and no other word than in the training data."""
    sums = (WEIGHTS / "SHA256SUMS").read_text().split()
    for name in TRAINED:
        content = (WEIGHTS / f"{name}.npz").read_bytes()
        assert len(content) < 1_000_000
        assert sums[sums.index(f"{name}.npz") - 1] == hashlib.sha256(content).hexdigest()
    with np.load(WEIGHTS / "smoothed.npz", allow_pickle=False) as file:
        assert file["encoder.0.attention.W_Q"].dtype == np.float16


def test_a_trained_model_crosses_to_a_worker():
    """The judge hands it over as an argument of unit 09: plain values within its limits."""
    model, blobs, named = (
        load_model(),
        [],
        {name: kind for name, kind in vars(parameters).items() if hasattr(kind, "_fields")},
    )
    tree = values.encode(model, blobs, named)
    again = values.decode(tree, blobs, named)
    assert type(again) is type(model)
    assert again[5:] == model[5:]
    np.testing.assert_array_equal(flatten(again), flatten(model))


def test_every_word_of_the_grammar_is_known():
    """So a sentence of the grammar is never refused for a word."""
    model = load_model()
    for one in corpus.load("held-out", 1000):
        assert set(one.english) <= model.source_vocabulary.keys()
        assert set(one.spanish) <= set(model.target_words)


@pytest.mark.exhaustive
def test_the_model_card_holds_the_evaluations_figures():
    """Counts of sentences may differ by a few on another processor, whose sums round differently."""
    card = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8")
    figures = evaluation.figures()
    assert figures["data"] in card
    assert figures["curve"] in card
    results = card.partition("<!-- results:")[2].partition("<!-- end -->")[0]
    for line in figures["results"].splitlines()[2:]:
        name, *values = [cell.strip(" %kB") for cell in line.strip("|").split("|")]
        (written,) = (row for row in results.splitlines() if row.startswith(f"| {name} "))
        for value, there in zip(values, written.strip("| ").split("|")[1:], strict=True):
            assert float(value.replace(",", "")) == pytest.approx(float(there.strip(" %kB").replace(",", "")), abs=0.5)
        if "held-out" in name and "acceptable" in name:
            assert min(map(float, values)) >= 98
