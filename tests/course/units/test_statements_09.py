"""What notebook 09 says of the shipped model: after a new training a test fails, not the text."""

from types import SimpleNamespace

import numpy as np
import pytest

from autograder import compare_layers
from tools.course import notebook, solution_functions
from transformer_kit import corpus, reference
from transformer_kit.corpus.vocabulary import BOS, EOS, words_of
from transformer_kit.experiments.multiplications import count_multiplications
from transformer_kit.experiments.whole_model import ablations
from transformer_kit.experiments.whole_model.one_sentence import translator
from transformer_kit.parameters.cache import start_cache
from transformer_kit.parameters.tree import named_arrays
from transformer_kit.trained.model import load_model

UNIT = "09_transformer"
MODEL = load_model()
FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in reference.__all__})


@pytest.fixture(scope="module")
def borrowed():
    """The functions of the course, with the attention that notebook 09 has borrowed."""
    (cell,) = (cell for cell in notebook(UNIT).cells if cell.source.startswith("def borrowed_attention"))
    namespace = solution_functions(UNIT)
    exec(cell.source, namespace)
    return ablations.replaced(FUNCTIONS, multi_head_attention=namespace["borrowed_attention"])


def test_a_mistake_inside_spoils_no_translation(borrowed):
    trial = ablations.Trial(MODEL, 60)
    effect = trial.effect(borrowed)
    assert effect.acceptable == trial.effect(FUNCTIONS).acceptable == 59 / 60
    assert effect.largest_difference > 4
    assert np.exp(4) > 50


def test_the_layers_show_the_mistake_and_its_name(borrowed):
    comparison = compare_layers(borrowed)
    assert comparison.first == "encoder.0.attention"
    assert [exercise for exercise, _ in comparison.mistakes] == ["multi_head_attention"]
    assert "divided by the square root of the width of all heads" in repr(comparison)


def next_log_probs(sentence):
    return translator(sentence, MODEL, reference.encode_source, reference.decode_target)


def test_the_first_words():
    first = np.exp(next_log_probs("They like cats.")(np.array([[BOS]]))[0])
    best = np.argsort(-first)[:3]
    assert [MODEL.target_words[i] for i in best[:2]] == ["a", "les"]
    assert 0.5 < first[best[0]] < 0.6
    assert 0.3 < first[best[1]] < 0.37
    assert first[best[2]] < 0.01


def test_the_likeliest_translation_begins_with_another_word():
    they = next_log_probs("They like cats.")
    right = corpus.translations(("they", "like", "cats", "."))
    assert [words[0] for words in right] == ["les", "a", "a"]
    ids = [[*map(MODEL.target_words.index, words), EOS] for words in right]
    les, *two = (reference.sequence_log_prob(they, BOS, one) for one in ids)
    assert les > max(two) + np.log(1.4)
    assert abs(two[0] - two[1]) < np.log(1.4)  # "about half and half"


@pytest.mark.parametrize(("width", "first"), [(1, "a"), (4, "les")])
def test_the_beam_finds_it(width, first):
    _, ids = reference.beam_search(next_log_probs("They like cats."), BOS, EOS, width, MODEL.max_len)[0]
    assert MODEL.target_words[ids[0]] == first


def test_the_parameters_of_the_model_are_counted():
    d_model, d_ff = MODEL.encoder[0].ffn.W_1.shape
    ours = reference.count_transformer_parameters(len(MODEL.target_words), d_model, d_ff, len(MODEL.encoder))
    held = sum(array.size for array in named_arrays(MODEL).values())
    assert (d_model, len(MODEL.encoder), len(MODEL.decoder), MODEL.n_heads) == (64, 2, 2, 4)
    assert ours + MODEL.source_embedding.size == held


def test_the_sizes_of_the_base_model():
    count = reference.count_transformer_parameters
    total, table = count(37000, 512, 2048, 6), count(37000, 512, 2048, 0)
    networks = total - table - count(0, 512, 0, 6)
    assert total == 63_045_632
    assert [round(100 * part / total) for part in (table, networks)] == [30, 40]


def continued(english, begun):
    """Return the words that the model writes after a beginning that somebody else has chosen."""
    likely, ids = next_log_probs(english), [BOS, *map(MODEL.target_words.index, begun.split())]
    while ids[-1] != EOS and len(ids) < MODEL.max_len:
        ids.append(int(likely(np.array([ids])).argmax()))
    return words_of(ids[1:-1], MODEL.target_words)


@pytest.mark.parametrize(("her", "his"), [("sister", "brother"), ("mother", "father"), ("daughter", "son")])
def test_an_adjective_agrees_with_the_source(her, his):
    hers, theirs = (reference.translate(f"My {noun} is tall.", MODEL).split()[1] for noun in (her, his))
    found = []
    for adjective in ("tall", "tired", "sick", "famous"):
        for noun, other, ending in ((her, theirs, "a"), (his, hers, "o")):
            words = continued(f"My {noun} is {adjective}.", f"mi {other}")
            assert words[:2] == ["mi", other]
            found.append(words[3].endswith(ending) and words[4:] == ["."])
    assert all(found)
    assert len(found) == 24 / 3


@pytest.mark.exhaustive
def test_five_bits_are_enough_and_four_are_not():
    trial = ablations.Trial(MODEL, 60)
    effects = {bits: trial.effect(FUNCTIONS, ablations.rounded(MODEL, bits)) for bits in (8, 5, 4, 3)}
    assert [round(60 * effect.acceptable) for effect in effects.values()] == [59, 59, 15, 0]
    assert effects[5].largest_difference > 8


def test_a_rounded_model_has_the_same_vectors():
    before, after = (named_arrays(model) for model in (MODEL, ablations.rounded(MODEL, 3)))
    for name, array in after.items():
        assert array.dtype == before[name].dtype
        if array.ndim == 1:
            np.testing.assert_array_equal(array, before[name])
        else:
            assert len(np.unique(array)) <= 7
            assert np.abs(array).max() == pytest.approx(np.abs(before[name]).max())


def test_twenty_words_cost_tenfold_without_the_cache():
    source, real, ids = np.array([[5, 8, 13, 21, 34, 4]]), np.ones((1, 6), dtype=bool), np.arange(4, 24)[None]
    memory = reference.encode_source(source, real, MODEL)
    cache, whole, cached = start_cache(memory, MODEL, reference.project_memory), 0, 0
    for t in range(20):
        whole += count_multiplications(reference.decode_target, ids[:, : t + 1], memory, real, MODEL)[0]
        count, (_, cache) = count_multiplications(reference.cached_decode_step, ids[:, t], cache, real, MODEL)
        cached += count
    assert 10 < whole / cached < 12
