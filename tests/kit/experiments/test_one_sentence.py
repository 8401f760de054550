"""Sentences on their way through a model: watched, translated, as vectors."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS, EOS, SPECIAL
from transformer_kit.examples.toy_models import log_softmax
from transformer_kit.experiments.whole_model.greedy import words_before_end
from transformer_kit.experiments.whole_model.one_sentence import sentence_vectors, translator, watched
from transformer_kit.trained.model import load_model

MODEL = load_model()
WORDS = (*SPECIAL, "a", "b", "c")


def test_watched():
    seen = watched("Do you like the blue shirt", MODEL, reference)
    assert " ".join(seen.source) == "do you like the blue shirt ?"
    assert " ".join(seen.written) == "¿ te gusta la camisa azul ? <eos>"
    assert seen.read == ["<bos>", *seen.written[:-1]]
    assert seen.parts["decoder.1.cross_attention.weights"].shape == (1, 4, 8, 7)
    best = seen.parts["logits"][0].argmax(axis=-1)
    assert [MODEL.target_words[i] for i in best] == seen.written


def test_a_model_that_never_ends_is_stopped():
    endless = MODEL._replace(target_embedding=np.zeros_like(MODEL.target_embedding), max_len=4)
    assert watched("I like cats.", endless, reference).read == ["<bos>"] + 4 * ["<pad>"]


def test_a_translator_is_what_translate_calls():
    next_log_probs = translator("The girl eats an apple.", MODEL, reference.encode_source, reference.decode_target)
    for width in (1, 3):
        ids = reference.beam_search(next_log_probs, BOS, EOS, width, MODEL.max_len)[0][1]
        words = [MODEL.target_words[i].capitalize() for i in ids[:1]] + [MODEL.target_words[i] for i in ids[1:-2]]
        assert " ".join(words) + "." == reference.translate("The girl eats an apple.", MODEL, width)
    rows = next_log_probs(np.array([[BOS, 9], [BOS, 40]]))
    assert rows.shape == (2, len(MODEL.target_words))
    np.testing.assert_allclose(np.exp(rows).sum(axis=1), 1, rtol=1e-5)


def test_log_softmax():
    logits = np.array([[1000.0, 1000.0, 0.0], [-3.0, 2.0, 1.0]])
    np.testing.assert_allclose(log_softmax(logits)[0], [-np.log(2), -np.log(2), -1000 - np.log(2)])
    np.testing.assert_allclose(np.exp(log_softmax(logits)), reference.softmax(logits), rtol=1e-12)


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
