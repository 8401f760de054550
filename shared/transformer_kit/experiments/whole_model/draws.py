"""Translations whose words are drawn, not chosen."""

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.corpus.text import english_text
from transformer_kit.corpus.vocabulary import BOS, EOS, words_of
from transformer_kit.experiments.whole_model.one_sentence import translator


def share_of_acceptable_draws(model, sample_decode, n_sentences=60, seed=10, **settings):
    """Translate held-out sentences by drawing every word.

    Parameters
    ----------
    model : Model
    sample_decode : callable
        The function of unit 08.
    n_sentences, seed : int
    **settings
        Of `sample_decode`: temperature, top_k, top_p.

    Returns
    -------
    float
        Share of the sentences whose translation is one of the grammar's.
    """
    rng, found = np.random.default_rng(seed), []
    for sentence in corpus.load("held-out", n_sentences):
        likely = translator(english_text(sentence.english), model, reference.encode_source, reference.decode_target)
        ids = sample_decode(likely, BOS, EOS, model.max_len, rng.random(model.max_len), **settings)
        words = words_of([i for i in ids if i != EOS], model.target_words)
        found.append(tuple(words) in corpus.translations(sentence.english))
    return float(np.mean(found))
