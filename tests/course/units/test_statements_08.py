"""What notebook 08 says of the dictionary: after a new training a test fails, not the text."""

import re
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from transformer_kit import corpus, reference
from transformer_kit.corpus.sentences import right_translations, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.dictionary.definitions import define, writer
from transformer_kit.dictionary.pieces import prompt_ids
from transformer_kit.examples.printed_search import PRINTED_SEARCH, printed_model
from transformer_kit.experiments.dictionary.entry import entry
from transformer_kit.experiments.whole_model.one_sentence import translator
from transformer_kit.pictures import translation_card
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

NOUNS = (
    "homework", "teacup", "lighthouse", "bicycle", "pancake", "window", "garden", "umbrella", "blanket", "chocolate",
    "airport", "notebook", "sandwich", "toothbrush", "guitar", "railway", "kitchen", "mirror", "carpet", "lemonade",
    "snowman", "pillow", "hammer", "rainbow", "candle", "spider", "island", "teacher", "doctor", "singer", "painter",
    "village", "forest", "river", "mountain", "cloud", "thunder", "breakfast", "dinner", "holiday", "birthday",
    "football", "chess", "poem", "novel", "song", "dance", "theatre", "cinema", "museum",
)  # fmt: skip


def said(word, ids):
    """Return the text of a definition and its log-probability with two decimals."""
    return word.text(ids), round(reference.sequence_log_prob(word, BOS, ids), 2)


def best(word, width):
    return said(word, reference.beam_search(word, BOS, EOS, width, word.max_len)[0][1])


def test_the_first_card_asks_for_the_red_husband():
    written = translation_card("Where is the red car?", seed=0, temperatures=(0, 1, 1, 2, 2)).words
    assert "4, at temperature 2: ¿Dónde está el esposo rojo? That is wrong." in written
    assert written.count("That is right.") == 4
    assert {"coche", "carro"} <= set(re.findall(r"\w+", written))


@pytest.mark.exhaustive
def test_chance_spoils_translations_at_temperature_two():
    model, rng = load_model("unsmoothed"), np.random.default_rng(8)
    right, lengths = Counter(), []
    for one in corpus.load("held-out", 60):
        sentence = corpus.english_text(one.english)
        next_log_probs = translator(sentence, model, reference.encode_source, reference.decode_target)
        ways = right_translations(sentence)
        for T in (0, 1, 2):
            uniforms = rng.random(model.max_len)
            ids = reference.sample_decode(next_log_probs, BOS, EOS, model.max_len, uniforms, T)
            right[T] += written_sentence(ids, model) in ways
        lengths.append(1 + len(one.spanish))
    assert 8.5 < np.mean(lengths) < 9.5  # the end counts
    assert [right[T] for T in (0, 1, 2)] == [59, 58, 30]


def test_the_greedy_definition_of_homework_is_less_likely():
    homework = entry("homework", "noun")
    ids = reference.greedy_decode(homework, BOS, EOS, homework.max_len)
    text, greedy = said(homework, ids)
    assert text == "a worker who makes things"
    shares = [np.exp(homework(np.array([[BOS, *ids[:i]]]))[0, token]) for i, token in enumerate(ids)]
    assert (len(ids), round(min(shares), 2), round(max(shares), 2)) == (7, 0.07, 0.37)
    assert 64_000 < 1 / np.prod(shares) < 66_000
    text, beam = best(homework, 2)
    assert text == "the work of a home"
    assert greedy == pytest.approx(-11.07, abs=0.011)
    assert np.exp(beam - greedy) > 20


def test_nine_tenths_of_the_first_piece_are_spread():
    def kept(word, p):
        return np.isfinite(reference.top_p_filter(entry(word, "noun")(np.array([[BOS]]))[0], p)).sum()

    assert [kept("homework", p) for p in (0.5, 0.9, 0.99)] == [3, 128, 551]
    assert kept("bicycle", 0.9) == 5
    shares = np.sort(np.exp(entry("homework", "noun")(np.array([[BOS]]))[0]))[::-1]
    assert (len(shares), *shares.cumsum()[[6, 27]].round(2)) == (2048, 0.64, 0.77)


def test_temperature_before_or_after_the_filter_matters():
    log_probs = np.log([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    assert np.isfinite(reference.top_p_filter(log_probs / 2, 0.7)).sum() == 3
    assert np.isfinite(reference.top_p_filter(log_probs, 0.7)).sum() == 2


def test_beam_2_defines_teacup_worse_than_greedy():
    teacup = entry("teacup", "noun")
    greedy = said(teacup, reference.greedy_decode(teacup, BOS, EOS, teacup.max_len))
    assert greedy == ("a person who is teacupied and teacups", pytest.approx(-18.07, abs=0.011))
    assert best(teacup, 2) == ("a person who has been teacupied and teacup", pytest.approx(-18.30, abs=0.011))
    assert best(teacup, 4)[1] > greedy[1] + 5


@pytest.mark.exhaustive
def test_wider_beams_and_empty_definitions_of_fifty_nouns():
    found = []
    for word in (entry(noun, "noun") for noun in NOUNS):
        greedy = reference.greedy_decode(word, BOS, EOS, word.max_len)
        nothing, greedily = (reference.sequence_log_prob(word, BOS, ids) for ids in ([EOS], greedy))
        beam = reference.beam_search(word, BOS, EOS, 2, word.max_len)[0][0]
        found.append((beam - greedily, nothing - greedily, nothing, len(greedy)))
    better, emptier, nothing, lengths = np.array(found).T
    assert (len(NOUNS), (better < -0.01).sum(), (better > 0.01).sum(), (emptier > 0).sum()) == (50, 7, 39, 37)
    assert 55_000 < np.exp(-np.median(nothing)) < 65_000
    assert np.median(lengths) > 10


def test_the_likeliest_umbrella_is_a_plant():
    umbrella = entry("umbrella", "noun")
    greedy = reference.greedy_decode(umbrella, BOS, EOS, umbrella.max_len)
    assert said(umbrella, greedy)[0].startswith("a waist-shaped Gram-shaped")
    text, likeliest = best(umbrella, 4)
    assert text == "any of various plants of the genus umbrella"
    nothing = reference.sequence_log_prob(umbrella, BOS, [EOS])
    assert reference.sequence_log_prob(umbrella, BOS, greedy) + 20 < nothing < likeliest < nothing + 1.5


def test_an_entry_is_the_dictionary_after_its_word():
    model = load_dictionary()
    word, prompt = entry("moonberry", "noun"), prompt_ids("moonberry", "noun", model.pieces)
    assert (word.bos_id, word.eos_id, word.prompt) == (BOS, EOS, prompt)
    both = word(np.array([[BOS, 300, 301], [BOS, 400, 301]]))
    asked = writer(model, reference)(np.array([[*prompt, 300, 301], [*prompt, 400, 301]]))
    assert_allclose(both, asked, rtol=1e-5)
    assert not np.allclose(both[0], both[1])
    with pytest.raises(ValueError, match="bos_id"):
        word(np.array([[EOS, 300]]))


def test_definitions_by_the_sampler_of_unit_08():
    """At temperature 0 both ways of choosing are greedy search; otherwise every piece is drawn by the sampler."""
    model = load_dictionary()
    cold = [
        define("homework", "noun", model, reference, np.random.default_rng(2), 0, sampler=sampler)
        for sampler in (None, reference.sample_decode)
    ]
    assert cold[0] == cold[1] == "a worker who makes things"
    word = entry("homework", "noun")
    drawn = reference.sample_decode(word, BOS, EOS, word.max_len, np.random.default_rng(5).random(60), 0.5, top_p=0.9)
    warm = define("homework", "noun", model, reference, np.random.default_rng(5), sampler=reference.sample_decode)
    assert warm == word.text(drawn)


def test_the_printed_search_as_a_model():
    model, ids = printed_model(), (0, 1, 2, 3, 4)
    assert reference.greedy_decode(model, 5, 4, 10) == ids
    probability = np.exp(reference.sequence_log_prob(model, 5, ids))
    assert_allclose(probability, PRINTED_SEARCH.renormalised_path_probability, rtol=0, atol=5e-7)
    assert_allclose(np.exp(model(np.array([[5], [5]]))).sum(axis=1), 1.0)
    assert model(np.array([[5]]))[0, 5] == -np.inf
