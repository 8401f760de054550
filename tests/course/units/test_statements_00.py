"""What notebook 00 says of the trained model and of its recurrent networks."""

import math

import numpy as np
import pytest

from tools.course import notebook
from transformer_kit import reference
from transformer_kit.examples.tokens import EMBEDDINGS, next_words
from transformer_kit.experiments.whole_model import inside
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model

MODEL = load_model()


def cosines(words):
    rows = reference.embed(reference.encode(" ".join(words), MODEL.source_vocabulary), MODEL.source_embedding)
    rows = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(float)
    return rows @ rows.T


def test_gustan_looks_at_the_verb_and_what_pleases():
    seen = watched("I like cats.", MODEL, reference)
    weights = seen.parts["decoder.1.cross_attention.weights"][0].mean(axis=0)[seen.written.index("gustan")]
    shares = dict(zip(seen.source, np.rint(100 * weights), strict=True))
    assert (shares["like"], shares["cats"], shares["i"]) == (70, 23, 5)


def test_los_comes_from_cats_most():
    seen = watched("I like cats.", MODEL, reference)
    weights = seen.parts["decoder.1.cross_attention.weights"][0].mean(axis=0)[seen.written.index("los")]
    assert seen.source[weights.argmax()] == "cats"


def test_without_an_end_probabilities_exceed_one():
    total, unfinished, seen = 0.0, {(): 1.0}, {}
    while unfinished:
        prefix, p = unfinished.popitem()
        following = {(*prefix, word): p * share for word, share in next_words(prefix).items() if word != "<end>"}
        total += sum(following.values())
        unfinished |= following
        seen |= following
    assert total == pytest.approx(3.704)
    lengths = [sum(p for prefix, p in seen.items() if len(prefix) == n) for n in (1, 2, 3)]
    assert lengths == pytest.approx([1, 1, 0.94])


@pytest.mark.exhaustive
def test_the_english_table_knows_the_spanish_genders():
    assert MODEL.source_embedding.shape == (916, 64)
    found = cosines(["cat", "cats", "table", "milk", "shoe"])[0, 1:]
    assert found.round(2).tolist() == [0.32, -0.13, -0.14, 0.55]
    father, house = cosines(["mother", "father", "house"])[0, 1:]
    assert father < 0.2 < house
    articles = inside.articles(MODEL)
    others = cosines(articles.nouns) - 2 * np.eye(75)
    assert (articles.right[others.argmax(axis=1)] == articles.right).all()


@pytest.fixture(scope="module")
def road():
    """The functions and arrays of the notebook: the road to attention."""
    cells = [cell.source for cell in notebook("00_tokens_and_shapes").cells if cell.cell_type == "code"]
    names = {name: getattr(reference, name) for name in reference.__all__}
    names |= {"np": np, "math": math, "EMBEDDINGS": EMBEDDINGS}
    for start in ("rng = np.random", "def influence", "random_sentences", "def write"):
        (source,) = (cell for cell in cells if cell.startswith(start))
        exec(source.partition("\nwith skip_if_unimplemented")[0], names)
    return names


def test_the_last_word_moves_the_last_state_most(road):
    moved = np.mean([road["influence"](road["rnn_states"], X)[-1] for X in road["random_sentences"]], axis=0)
    assert moved[-1] / moved[0] == pytest.approx(532, abs=0.5)


def test_attention_brings_the_first_word_near(road):
    def first_word(attends):
        def read(X):
            return road["write"](road["rnn_states"](X), 1, attends)

        return np.mean([road["influence"](read, X)[0, 0] for X in road["random_sentences"]])

    without, with_it = first_word(False), first_word(True)
    assert (without, with_it) == pytest.approx((0.0006, 0.018), rel=0.03)
    assert with_it / without == pytest.approx(30, abs=1)


def test_the_decoder_returns_distributions(road):
    distributions = road["write"](np.random.default_rng(3).standard_normal((5, 16)), 6, attends=True)
    assert distributions.shape == (6, 9)
    np.testing.assert_allclose(distributions.sum(axis=-1), 1)
