"""The dictionary that comes with the course."""

import hashlib

import numpy as np
import pytest

from tests.support.processor_time import within
from tests.support.whole_library import library
from tools.course import ROOT
from tools.judged import JUDGED_SEED, judged_definitions, share_of_good_grammar
from transformer_kit import reference
from transformer_kit.dictionary.definitions import define
from transformer_kit.dictionary.entries import WORDNET, load_entries, split_entries
from transformer_kit.dictionary.pieces import FIRST_BYTE
from transformer_kit.dictionary.unfit import is_unfit
from transformer_kit.experiments.dictionary.figures import (
    bits_per_byte,
    figures,
    numbered,
    sample_counts,
    samples,
)
from transformer_kit.trained.dictionary import FILE, load_dictionary
from transformer_kit.trained.model import WEIGHTS
from transformer_kit.training.dictionary import mean_loss, training_data

MODEL = load_dictionary()
INVENTED = [
    *[(word, "noun") for word in ("moonberry", "bananaology", "wobblefish", "megasadness", "homeworker")],
    *[("unbreakfast", "verb"), ("sockify", "verb")],
    *[("glimmerish", "adjective"), ("snowless", "adjective"), ("quietfully", "adverb")],
]
BITS_PER_BYTE = 1.45
CARD = ROOT / "docs" / "model_card.md"
needs_wordnet = pytest.mark.skipif(not WORDNET.is_dir(), reason="WordNet is not installed (package wordnet-base)")


@pytest.fixture(scope="module")
def splits():
    return split_entries(load_entries())


def test_the_file():
    content = (WEIGHTS / FILE).read_bytes()
    assert len(content) < 3_000_000
    assert f"{hashlib.sha256(content).hexdigest()}  {FILE}" in (WEIGHTS / "SHA256SUMS").read_text()
    assert "Princeton University" in (WEIGHTS / "WORDNET_LICENSE").read_text(encoding="ascii")
    with within(0.5):
        load_dictionary()


def test_a_definition_is_reproducible():
    first, again = (define("moonberry", "noun", MODEL, reference, np.random.default_rng(9)) for _ in range(2))
    assert first == again
    others = {define("moonberry", "noun", MODEL, reference, np.random.default_rng(seed)) for seed in range(8)}
    assert len(others) > 6


def test_a_learners_functions_define_words(monkeypatch):
    """With nothing of the reference to call, in less than two seconds for each word."""
    expected = [define(word, kind, MODEL, reference, np.random.default_rng(9)) for word, kind in INVENTED]
    own = library()
    for name in vars(own):
        monkeypatch.setattr(reference, name, None)
    for (word, kind), text in zip(INVENTED, expected, strict=True):
        with within(2):
            assert define(word, kind, MODEL, own, np.random.default_rng(9)) == text


def test_it_writes_nothing_but_pieces_of_text():
    """Marks such as "<bos>" were never to be predicted, and have no place in a definition."""
    assert MODEL.pieces.contents[:FIRST_BYTE] == [b""] * FIRST_BYTE
    texts = [define("glimmerish", "adjective", MODEL, reference, np.random.default_rng(seed)) for seed in range(20)]
    assert all(text.isprintable() and "�" not in text for text in texts)


def test_the_judged_definitions():
    """Chosen by nobody: those of the card's figure, and none of them unfit."""
    judged = judged_definitions()
    assert len(judged) == 100
    assert not any(is_unfit(text) for *_, text, _ in judged)
    assert share_of_good_grammar() in CARD.read_text(encoding="utf-8")


@needs_wordnet
def test_held_out_definitions_take_few_bits(splits):
    held_out = splits[1][::10]
    pieces = sum(len(ids) for _, ids in numbered(held_out, MODEL.pieces))
    bits = mean_loss(MODEL, numbered(held_out, MODEL.pieces)) / np.log(2) * pieces
    assert bits / sum(len(entry.definition) for entry in held_out) < BITS_PER_BYTE


@needs_wordnet
@pytest.mark.exhaustive
def test_it_has_the_pieces_of_its_data(splits):
    assert max(len(prompt) for prompt, _ in numbered(splits[0], MODEL.pieces)) == MODEL.longest_word + 2
    assert max(len(text) for _, text in numbered(splits[0], MODEL.pieces)) == MODEL.max_len


@needs_wordnet
@pytest.mark.exhaustive
def test_pieces_learned_anew_are_the_same():
    *_, pieces = training_data(WORDNET)
    assert pieces.merges == MODEL.pieces.merges


@needs_wordnet
@pytest.mark.exhaustive
def test_the_judged_definitions_are_those_that_nobody_picked(splits):
    """On another processor sums round differently, and some draws turn out otherwise."""
    drawn = samples(MODEL, splits, 100, JUDGED_SEED)
    same = [one == other[:3] for one, other in zip(drawn, judged_definitions(), strict=True)]
    assert np.mean(same) > 0.8


@needs_wordnet
@pytest.mark.exhaustive
def test_the_model_card_holds_its_figures(splits):
    card = CARD.read_text(encoding="utf-8")
    own, ngrams = bits_per_byte(MODEL, splits)
    assert f"| {own:.3f} | {ngrams:.3f} |" in card
    assert figures(n_samples=20)["dictionary-data"] in card


@needs_wordnet
@pytest.mark.exhaustive
def test_a_thousand_definitions_are_their_own_and_fit(splits):
    copies, unfit, left = sample_counts(MODEL, splits, 1000)
    assert copies < 50
    assert unfit < 20
    assert left == 0
