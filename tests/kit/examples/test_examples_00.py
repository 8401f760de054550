"""The examples of unit 00: ids, table and toy translator fit together."""

import math

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.examples import tokens


def test_ids_of_the_sentences():
    encoded = [reference.encode(text, tokens.VOCABULARY) for text in tokens.SENTENCES]
    token_ids, is_token = reference.pad_batch(encoded, tokens.VOCABULARY["<pad>"])
    np.testing.assert_array_equal(token_ids, tokens.TOKEN_IDS, strict=True)
    np.testing.assert_array_equal(is_token, tokens.IS_TOKEN, strict=True)


def test_printed_ids():
    token_ids = reference.encode(tokens.SENTENCES[0], tokens.PRINTED_VOCABULARY)
    np.testing.assert_array_equal(token_ids, tokens.PRINTED_IDS)


def test_one_row_per_word_and_no_two_alike():
    assert sorted(tokens.VOCABULARY.values()) == list(range(len(tokens.EMBEDDINGS)))
    assert len(np.unique(tokens.EMBEDDINGS, axis=0)) == len(tokens.EMBEDDINGS)


@pytest.mark.parametrize("prefix", tokens.CONTINUATIONS)
def test_next_words_share_the_probability(prefix):
    assert math.isclose(sum(tokens.next_words(prefix).values()), 1)


@pytest.mark.parametrize("sentence", tokens.SENTENCE_PROBABILITIES)
def test_sentence_probabilities(sentence):
    words = (*sentence.split(), "<end>")
    factors = [tokens.next_words(words[:i])[word] for i, word in enumerate(words)]
    assert math.isclose(math.prod(factors), tokens.SENTENCE_PROBABILITIES[sentence])


def test_the_sentences_are_all_there_are():
    assert math.isclose(sum(tokens.SENTENCE_PROBABILITIES.values()), 1)
