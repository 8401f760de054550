"""Sentences on their way through a model: watched, translated, sampled, as vectors."""

from types import SimpleNamespace

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.language_model import init_language_model
from transformer_kit.model import load_model
from transformer_kit.one_sentence import log_softmax, sampled, sentence_vectors, translator, watched, words_before_end
from transformer_kit.one_sentence import writer as language_writer
from transformer_kit.parameters import Sizes
from transformer_kit.vocabulary import BOS, EOS, SPECIAL

FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in reference.__all__})
MODEL = load_model()
WORDS = (*SPECIAL, "a", "b", "c")


def test_watched():
    seen = watched("Do you like the blue shirt", MODEL, FUNCTIONS)
    assert " ".join(seen.source) == "do you like the blue shirt ?"
    assert " ".join(seen.written) == "¿ te gusta la camisa azul ? <eos>"
    assert seen.read == ["<bos>", *seen.written[:-1]]
    assert seen.parts["decoder.1.cross_attention.weights"].shape == (1, 4, 8, 7)
    best = seen.parts["logits"][0].argmax(axis=-1)
    assert [MODEL.target_words[i] for i in best] == seen.written


def test_a_model_that_never_ends_is_stopped():
    endless = MODEL._replace(target_embedding=np.zeros_like(MODEL.target_embedding), max_len=4)
    assert watched("I like cats.", endless, FUNCTIONS).read == ["<bos>"] + 4 * ["<pad>"]


def test_a_translator_is_what_translate_asks():
    asked = translator("The girl eats an apple.", MODEL, reference.encode_source, reference.decode_target)
    for width in (1, 3):
        ids = reference.beam_search(asked, BOS, EOS, width, MODEL.max_len)[0][1]
        words = [MODEL.target_words[i].capitalize() for i in ids[:1]] + [MODEL.target_words[i] for i in ids[1:-2]]
        assert " ".join(words) + "." == reference.translate("The girl eats an apple.", MODEL, width)
    rows = asked(np.array([[BOS, 9], [BOS, 40]]))
    assert rows.shape == (2, len(MODEL.target_words))
    np.testing.assert_allclose(np.exp(rows).sum(axis=1), 1, rtol=1e-5)


def test_log_softmax():
    logits = np.array([[1000.0, 1000.0, 0.0], [-3.0, 2.0, 1.0]])
    np.testing.assert_allclose(log_softmax(logits)[0], [-np.log(2), -np.log(2), -1000 - np.log(2)])
    np.testing.assert_allclose(np.exp(log_softmax(logits)), reference.softmax(logits), rtol=1e-12)


def test_a_writer_is_a_causal_stack():
    model = init_language_model(np.random.default_rng(2), WORDS, 9, Sizes(6, 3, 5, 2))
    prefixes = np.array([[BOS, 4, 6, 5], [BOS, 5, 5, 4]])
    X = model.embedding[prefixes] * np.sqrt(6) + reference.positional_encoding(4, 6)
    for params in model.layers:
        X = reference.encoder_layer(X, params, 3, np.tri(4, dtype=bool))
    expected = np.log(reference.softmax(X[:, -1] @ model.embedding.T))
    found = language_writer(model, FUNCTIONS)(prefixes)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_sampled_sentences_end_where_they_end():
    table = {BOS: 4, 4: 6, 6: EOS, EOS: 5, 5: 5}  # a, c and the end; what comes after it is cut off

    def next_log_probs(prefixes):
        rows = np.eye(7)[[table[int(last)] for last in prefixes[:, -1]]]
        return np.log(np.maximum(rows, 1e-9))

    assert sampled(next_log_probs, np.argmax, 3, 8, WORDS) == [("a", "c")] * 3
    assert sampled(next_log_probs, lambda log_probs: 5, 2, 4, WORDS) == [("b",) * 4] * 2


def test_draws_are_independent():
    rng = np.random.default_rng(1)
    texts = sampled(lambda prefixes: np.zeros((len(prefixes), 7)), lambda row: int(rng.integers(3, 7)), 40, 5, WORDS)
    assert len(texts) == 40
    assert len(set(texts)) > 20


@pytest.mark.parametrize(("ids", "words"), [([4, EOS, 5], ("a",)), ([4, 5], ("a", "b")), ([EOS], ()), ([], ())])
def test_words_before_the_end(ids, words):
    assert words_before_end(ids, WORDS) == words


def test_sentence_vectors_leave_padding_out():
    def read(ids, is_token):
        return reference.encode_source(ids, is_token, MODEL)

    sentences = ["I like cats.", "Where are my two new red shirts?"]
    together = sentence_vectors(sentences, MODEL, read)
    assert together.shape == (2, 64)
    for one, vector in zip(sentences, together, strict=True):
        np.testing.assert_allclose(sentence_vectors([one], MODEL, read)[0], vector, atol=1e-5)
