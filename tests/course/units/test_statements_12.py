"""What notebook 12 and the model card say of the public models: of what was recorded, and of the models themselves."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import needs, small_gpt2
from tools import record_minilm
from tools.course import ROOT, notebook, solution_functions
from transformer_kit import reference
from transformer_kit.experiments.whole_model.ablations import Trial, replaced
from transformer_kit.parameters.tree import named_arrays, with_arrays
from transformer_kit.public import gpt2, minilm
from transformer_kit.public.recorded import load_recorded, save_recorded
from transformer_kit.public.safetensors import read_safetensors
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import ModelFileError, load_model

CARD = (ROOT / "docs" / "model_card.md").read_text(encoding="utf-8")
SOURCE = (ROOT / "solutions" / "12_models_you_know.py").read_text(encoding="utf-8")
TIRED = "The animal didn't cross the street because it was too {}."
BIG = "The trophy didn't fit into the suitcase because it was too {}."


@pytest.fixture(scope="module")
def model():
    if minilm.minilm_folder() is None:
        pytest.skip(needs.MINILM)
    return minilm.load_minilm()


@pytest.fixture(params=["recorded", "installed"])
def reader(request):
    """What the cells of the notebook ask; both give what the text says."""
    return load_recorded() if request.param == "recorded" else request.getfixturevalue("model")


def from_it(text, model, layer=3, head=1):
    """Return where a head looks from "it", by piece."""
    pieces = minilm.pieces(text, model, reference)
    weights = minilm.looks(text, model, reference)[layer, head, pieces.index("it")]
    return dict(zip(pieces, weights, strict=True))


def listed(name):
    """Return a list of texts of the notebook."""
    namespace = {}
    start = SOURCE.index(f"{name} = [")
    exec(SOURCE[start : SOURCE.index("]", start) + 1], namespace)
    return namespace[name]


@pytest.fixture(scope="module")
def defined():
    """Return what some cells of the notebook define, on the solutions."""
    space = solution_functions("12_models_you_know")
    for cell in notebook("12_models_you_know").cells:
        if cell.source.startswith(("translator =", "def learn(", "def colleagues_vectors(")):
            exec(cell.source, space)
    return SimpleNamespace(**space)


@pytest.mark.parametrize(
    ("how", "least", "most"),
    [
        ("embeddings", 0.499, 0.501),
        ("embeddings and positions", 0.499, 0.501),
        ("encoder", 0.895, 0.905),
        ("encoder, end", 0.755, 0.765),
        ("encoder, start", 0.945, 0.955),
    ],
)
def test_only_attention_tells_who_does_it(how, least, most, defined):
    W = defined.learn(defined.read(defined.known[0], how), defined.known[1])
    right = (defined.read(defined.unseen[0], how) @ W).argmax(axis=1) == defined.unseen[1]
    assert least < right.mean() < most


@pytest.mark.parametrize(
    ("activation", "right"),
    [
        (reference.relu, 59),
        (reference.gelu, 60),
        (lambda x: reference.relu(x) ** 2, 57),
        (lambda x: np.maximum(x, 0.1 * x), 0),
        (lambda x: x, 0),
    ],
    ids=["ReLU", "GELU", "ReLU squared", "leaky ReLU", "none"],
)
@pytest.mark.exhaustive
def test_a_model_trained_with_relu_runs_with_gelu(activation, right):
    def position_wise_ffn(X, params):
        return reference.position_wise_ffn(X, params, activation)

    effect = Trial(load_model(), 60).effect(replaced(reference, position_wise_ffn=position_wise_ffn))
    assert round(60 * effect.acceptable) == right
    if right == 60:
        assert 5 < effect.largest_difference < 6
        x = np.linspace(-5, 5, 10001)
        assert np.abs(reference.gelu(x) - reference.relu(x)).max() == pytest.approx(0.17, abs=0.005)


def thin(names, rank):
    """Return a change of a model's arrays: those of these names become the nearest ones of a rank."""

    def change(name, array):
        if name not in names:
            return array
        U, S, Vt = np.linalg.svd(array, full_matrices=False)
        return (U[:, :rank] * S[:rank]) @ Vt[:rank]

    return change


@pytest.mark.parametrize(
    ("change", "right"),
    [
        (lambda name, array: array * (name not in ("b_1", "b_2")), 59),
        (lambda name, array: array * (name != "beta"), 0),
        (thin(["W_Q", "W_K"], 16), 53),
        (thin(["W_V", "W_O"], 16), 1),
        (thin(["W_Q", "W_K"], 32), 59),
        (thin(["W_V", "W_O"], 32), 51),
    ],
    ids=["no biases", "no beta", "thin queries", "thin values", "queries of rank 32", "values of rank 32"],
)
@pytest.mark.exhaustive
def test_what_the_translator_can_do_without(change, right):
    model = load_model()
    arrays = named_arrays(model)
    changed = with_arrays(model, [change(name.rpartition(".")[2], array) for name, array in arrays.items()])
    effect = Trial(model, 60).effect(reference, changed)
    assert round(60 * effect.acceptable) == right
    if right == 59 and change.__name__ == "<lambda>":
        assert sum(array.size for name, array in arrays.items() if name.endswith(("b_1", "b_2"))) == 1280
        assert 3.5 < effect.largest_difference < 4.2


def test_the_biases_are_small_beside_the_products():
    products, biases = [], []

    def position_wise_ffn(X, params):
        products.append((X @ params.W_1).std())
        biases.append(params.b_1.std())
        return reference.position_wise_ffn(X, params)

    Trial(load_model(), 60).effect(replaced(reference, position_wise_ffn=position_wise_ffn))
    assert (np.mean(products).round(1), np.mean(biases).round(1)) == (1.8, 0.1)


@pytest.mark.exhaustive
def test_most_units_are_off_and_far_from_0():
    scores, sizes, activations = [], [], (reference.relu, lambda x: reference.relu(x) ** 2)

    def position_wise_ffn(X, params):
        scores.append((X @ params.W_1 + params.b_1).ravel())
        outputs = [reference.position_wise_ffn(X, params, f) for f in activations]
        sizes.append([(output**2).mean() ** 0.5 for output in outputs])
        return outputs[0]

    Trial(load_model(), 60).effect(replaced(reference, position_wise_ffn=position_wise_ffn))
    scores, (plain, squared) = np.concatenate(scores), np.mean(sizes, axis=0)
    negative = scores[scores < 0]
    assert negative.size / scores.size == pytest.approx(0.94, abs=0.005)
    assert np.median(negative) < -2
    assert -0.1 * negative.sum(dtype=float) / scores[scores > 0].sum(dtype=float) == pytest.approx(4, abs=0.3)
    assert 8 < squared / plain < 13


def test_word_order_moves_the_sentence_vector_a_little(defined):
    one, other = defined.read(["the boy sees the dog .", "the dog sees the boy ."], "encoder")
    assert 0.99 < one @ other < 0.9999


def test_padding_in_the_mean_changes_the_sentence_vector(defined):
    short, both = [defined.short], [defined.short, defined.long]
    assert abs(defined.colleagues_vectors(short)[0] @ defined.colleagues_vectors(both)[0]) < 0.2
    assert defined.read(short, "encoder")[0] @ defined.read(both, "encoder")[0] == pytest.approx(1)


def test_the_dictionary_is_cut_by_the_same_function():
    pieces = load_dictionary().pieces
    texts = [content.decode("latin-1") for content in pieces.contents]
    ranks = {(texts[left], texts[right]): rank for rank, (left, right) in enumerate(pieces.merges)}
    for word in (" moonberry", " quietfully", " attention"):
        cut = reference.byte_pair_merge(list(word), ranks)
        assert cut == [texts[number] for number in pieces.encode(word)]
        assert len(cut) > 1


@pytest.mark.parametrize("text", [minilm.INSTALL, minilm.SHA256])
def test_how_to_get_minilm_is_told_consistently(text):
    assert text in CARD
    assert needs.MINILM.endswith(minilm.INSTALL)
    assert f"# %{minilm.INSTALL}\n" in SOURCE  # in a cell: a terminal's pip may belong to another Python


def test_how_to_get_gpt2_is_told_consistently():
    for name in gpt2.FILES:
        line = f"curl -L -o gpt2/{name} https://huggingface.co/openai-community/gpt2/resolve/main/{name}"
        assert line in CARD
        assert line in SOURCE


def test_gpt2_small_has_the_stated_parameters():
    """Counted in one block of its sizes."""
    arrays = small_gpt2.random_arrays(np.random.default_rng(0), 11, 768, 1, 1024)
    block = sum(array.size for name, array in arrays.items() if name.startswith("h.0."))
    number = 50257 * 768 + arrays["wpe.weight"].size + 12 * block + 2 * 768
    assert number == 124_439_808
    masks = 12 * 1024 * 1024  # are in the public file, too
    assert round(4 * (number + masks), -7) == 550_000_000


def test_nothing_of_the_package_is_run(model):
    assert minilm.PACKAGE not in sys.modules


def test_sizes_of_minilm(model):
    arrays = read_safetensors(minilm.minilm_folder() / "model.safetensors")
    number = sum(array.size for name, array in arrays.items() if name != "embeddings.position_ids")
    assert round(number / 1e6, 1) == 22.7
    assert (len(model.layers), model.embedding.shape, len(model.vocabulary)) == (6, (30522, 384), 30522)


def test_the_search_finds_what_the_text_says(reader):
    sentences, questions = listed("sentences"), listed("questions")
    vectors = [minilm.sentence_vectors(texts, reader, reference) for texts in (questions, sentences)]
    likeness = vectors[0] @ vectors[1].T
    assert [sentences[i].split()[1] for i in likeness.argmax(axis=1)] == ["bakery", "plays", "train", "cat", "soup"]


def test_who_bites_whom(reader):
    vectors = minilm.sentence_vectors(listed("bites"), reader, reference)
    likeness = vectors @ vectors.T
    assert 0.965 < likeness[0, 1] < 0.975
    assert likeness[0, 2] < likeness[0, 1] - 0.05


def test_praise_and_complaints(reader, defined):
    """Four of six are right; the text names the other two."""
    texts = listed("praise") + listed("complaints")
    W = defined.learn(minilm.sentence_vectors(texts, reader, reference), np.repeat([1, 0], 6))
    judged = (minilm.sentence_vectors(listed("to_judge"), reader, reference) @ W).argmax(axis=1)
    assert judged.tolist() == [1, 1, 0, 1, 1, 1]
    assert "takes *The worst book I have ever read* and *It is not good* for praise" in SOURCE


def test_the_head_looks_from_it_to_animal(reader):
    tired, wide, big, small = (
        from_it(text.format(word), reader)
        for text, word in ((TIRED, "tired"), (TIRED, "wide"), (BIG, "big"), (BIG, "small"))
    )
    assert 0.65 < tired["animal"] < 0.7
    assert max(tired, key=tired.get) == "animal"
    assert wide["animal"] < tired["animal"] / 2
    assert wide["street"] < wide["animal"]
    assert big["trophy"] > 0.5
    assert small["trophy"] > 0.5


def test_the_recording_is_what_the_model_says(model, tmp_path):
    """Written anew, it is the same; that the tool finds all texts of the notebook is part of that."""
    kept, new = load_recorded(), record_minilm.recorded()
    save_recorded(new, tmp_path / "new.npz")
    assert kept.pieces == new.pieces == load_recorded(tmp_path / "new.npz").pieces
    for kind in ("vectors", "weights"):
        one, other = getattr(kept, kind), getattr(new, kind)
        assert list(one) == list(other)
        for text, array in one.items():
            np.testing.assert_allclose(array, other[text], atol=5e-4)


def test_every_sentence_of_the_notebook_is_recorded():
    kept = load_recorded()
    texts = [
        text
        for name in ("sentences", "questions", "bites", "praise", "complaints", "to_judge")
        for text in listed(name)
    ]
    assert list(kept.vectors) == [*texts[8:13], *texts[:8], *texts[13:]]
    assert {TIRED.format("tired"), TIRED.format("wide"), BIG.format("big"), BIG.format("small")} == set(kept.weights)


def test_what_is_not_recorded_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(minilm, "minilm_folder", lambda: None)
    kept = minilm.model_or_recording()
    assert capsys.readouterr().out.endswith(f"For sentences of your own: %{minilm.INSTALL}\n")
    with pytest.raises(ModelFileError, match=r"what the model makes of 'Mine\.' is not recorded"):
        minilm.sentence_vectors(["Mine."], kept, reference)
