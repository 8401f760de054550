"""What notebook 10 says of the shipped translator: after a new training a test fails, not the text."""

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.corpus.text import english_text
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.experiments.whole_model.draws import share_of_acceptable_draws
from transformer_kit.experiments.whole_model.one_sentence import translator
from transformer_kit.trained.model import load_model

MODEL = load_model()


def test_drawn_translations_go_wrong_and_the_nucleus_saves_them():
    assert 0.28 < share_of_acceptable_draws(MODEL, reference.sample_decode, top_p=1.0) < 0.42
    assert share_of_acceptable_draws(MODEL, reference.sample_decode, top_p=0.9) > 0.8
    assert share_of_acceptable_draws(MODEL, reference.sample_decode, temperature=0) == 59 / 60


def test_the_likeliest_word_has_what_smoothing_leaves():
    found = []
    for sentence in corpus.load("held-out", 60):
        likely = translator(english_text(sentence.english), MODEL, reference.encode_source, reference.decode_target)
        ids = [BOS, *reference.greedy_decode(likely, BOS, EOS, MODEL.max_len)]
        found += [np.exp(likely(np.array([ids[:t]])).max()) for t in range(1, len(ids))]
    assert round(float(np.mean(found)), 2) == 0.87
