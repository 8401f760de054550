"""Ribbons, the card of the dictionary and the finale, without a browser; no number of a trained model is known here."""

import re
from itertools import pairwise
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest

from tests.support.pictures import MAX_BYTES, data_of, drawing, groups
from transformer_kit import reference
from transformer_kit.dictionary.definitions import define
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.pictures import cross_ribbons, dictionary_card, finale, ribbons, translation_card
from transformer_kit.pictures.card import ALIKE, TEMPERATURES, Sense, card
from transformer_kit.pictures.learners import at_work, credit
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

MODEL = load_model()
SENTENCE = "The red car is new."
SEEN = watched(SENTENCE, MODEL, reference)
LAST = SEEN.parts[f"decoder.{len(MODEL.decoder) - 1}.cross_attention.weights"][0].mean(axis=0)
SMALL = ribbons([[0.99, 0.01], [0.4, 0.6], [0.5, 0.5]], ["x", "y", "<z>"], ["a", "b"], "Three words")
PICTURES = {
    "by hand": SMALL,
    "cross": cross_ribbons(SENTENCE),
    "finale": finale(SENTENCE, MODEL, reference.translate, reference),
    "card": card(
        "moonberry",
        "noun",
        [Sense(0, "a berry"), Sense(1.5, "<b>" + 30 * " moon")],
        ["written by 3 functions of yours"],
    ),
}


def copied(*names):
    """Return the course's functions, some of them as if a learner had written them (but for defaults: relu)."""
    own = {"__name__": "my_transformer.unit"}

    def copy(function):
        return FunctionType(function.__code__, own, function.__name__, function.__defaults__)

    own |= {name: copy(getattr(reference, name)) for name in names}
    for name in names:
        for other, value in getattr(reference, name).__globals__.items():
            helper = isinstance(value, FunctionType) and other not in reference.__all__ and other.startswith("_")
            own.setdefault(other, copy(value) if helper else value)
    lent = {name: getattr(reference, name) for name in reference.__all__}
    return SimpleNamespace(**lent | {name: own[name] for name in names})


def texts(picture, name):
    return ["".join(group.itertext()) for group in groups(picture, name)]


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_small_and_has_words(picture):
    assert len(picture.html.encode()) < MAX_BYTES
    assert drawing(picture).get("viewBox") == f"0 0 {picture.size[0]} {picture.size[1]}"
    assert picture.words.splitlines()[0] in repr(picture)


def test_ribbons_by_hand():
    """One weight of six is too small to be drawn; a bar is as high as all that ends in it."""
    assert data_of(SMALL)["links"] == [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1]]
    assert len(groups(SMALL, "ribbon")) == 5
    assert texts(SMALL, "query") == ["x", "y", "<z>"]
    assert texts(SMALL, "key") == ["a", "b"]
    bars = [float(bar.get("height")) for bar in groups(SMALL, "bar")]
    np.testing.assert_allclose(np.array(bars) / bars[0], [1, 1, 1, 1.89, 1.11], atol=0.01)
    assert data_of(SMALL)["sentences"] == [
        "Before “x” is written, the model looks at “a” 99 %.",
        "Before “y” is written, the model looks at “b” 60 %, “a” 40 %.",
        "Before “<z>” is written, the model looks at “a” 50 %, “b” 50 %.",
        "“a” is looked at for “x” 99 %, “y” 40 %, “<z>” 50 %.",
        "“b” is looked at for “y” 60 %, “<z>” 50 %.",
    ]


def test_a_ribbon_has_its_weights_thickness():
    heights = [float(bar.get("height")) for bar in groups(SMALL, "bar")]
    for ribbon, weight in zip(groups(SMALL, "ribbon"), [0.99, 0.4, 0.6, 0.5, 0.5], strict=True):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", ribbon.get("d"))]
        left, right = numbers[-1] - numbers[1], numbers[8] - numbers[7]
        np.testing.assert_allclose([left, right], weight * heights[0], atol=0.11)


def test_neighbouring_bars_do_not_touch():
    crowd = ribbons(np.tile([0.0, 1.0, 0.0], (9, 1)), list("abcdefghi"), list("xyz"), "A crowd")
    bars = sorted((float(bar.get("y")), float(bar.get("height"))) for bar in groups(crowd, "bar") if bar.get("x") < "2")
    assert all(y + height < after for (y, height), (after, _) in pairwise(bars))


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones((2, 3)), "expected weights of shape (3, 2), got (2, 3)"),
        ([[0.5, 0.5], [1.5, -0.5], [1, 0]], "some are negative"),
        ([[0.5, 0.5], [np.nan, 1], [1, 0]], "not a number"),
        ([[1], [1, 0], [1, 0]], "setting an array element"),
    ],
)
def test_what_are_no_weights_is_said(weights, words):
    said = repr(ribbons(weights, ["x", "y", "z"], ["a", "b"], "Three words"))
    assert said.startswith("There is nothing to draw: ")
    assert words in said


def test_the_ribbons_of_a_translation_are_weights():
    sentences = data_of(PICTURES["cross"])["sentences"]
    assert len(sentences) == len(SEEN.written) + len(SEEN.source)
    for word, weights, sentence in zip(SEEN.written, LAST, sentences, strict=False):
        best = weights.argmax()
        assert sentence.startswith(f"Before “{word}” is written, the model looks at “{SEEN.source[best]}” ")
        assert f"“{SEEN.source[best]}” {np.rint(100 * weights[best]):.0f} %" in sentence


def test_a_wrong_cross_attention_shows_what_it_computes():
    def evenly(X, memory, params, n_heads, is_token=None):
        output, weights = reference.cross_attention(X, memory, params, n_heads, is_token)
        return output, np.full_like(weights, 1 / weights.shape[-1])

    n = len(SEEN.source)
    assert all(f" {100 / n:.0f} %" in sentence for sentence in data_of(cross_ribbons(SENTENCE, evenly))["sentences"])
    said = repr(cross_ribbons(SENTENCE, lambda *_: np.ones((2, 2, 2)) @ np.ones(3)))
    assert said.startswith("There is nothing to draw: matmul")


def test_the_finale_gives_every_words_probability():
    picture = PICTURES["finale"]
    translation = reference.translate(SENTENCE, MODEL)
    assert picture.title == f"{SENTENCE} → {translation} Ribbons between their words"
    assert {SENTENCE, translation} <= {text.text for text in groups(picture, "entry")[0]}
    logits = SEEN.parts["logits"][0].astype(float)
    ids = [MODEL.target_words.index(word) for word in SEEN.written]
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    written = [float(text.removesuffix(" %")) for text in texts(picture, "chance")]
    np.testing.assert_allclose(written, 100 * likely[range(len(ids)), ids], atol=0.06)


def test_the_finale_counts_whose_functions_were_at_work():
    """Those that are only there, such as the beam search that a greedy translation does not need, do not count."""
    own = copied("embed", "positional_encoding", "beam_search", "softmax")
    picture = finale(SENTENCE, MODEL, reference.translate, own)
    assert re.search(r"computed by 2 functions of yours and \d+ of the course", picture.words)
    everything = copied(*reference.__all__)
    picture = finale(SENTENCE, MODEL, everything.translate, everything)
    counted = re.match(r"This was computed by (\d+) functions of yours and 1 of the course", picture.words)  # relu
    of_course = re.match(r"This was computed by (\d+) functions of the course", PICTURES["finale"].words)
    assert int(counted[1]) + 1 == int(of_course[1])


def test_the_finale_remarks_on_a_wrong_translation():
    """This sentence of the grammar is one that the model of the course gets wrong."""
    picture = finale("I get up at seven.", MODEL, reference.translate, reference)
    told = "This translation is wrong. A right one is: Me levanto a las siete."
    assert told in picture.words
    assert told in picture.html
    assert "translation is" not in PICTURES["finale"].words


def test_what_the_model_cannot_take_is_said():
    said = repr(finale("I like libary books.", MODEL, reference.translate, reference))
    assert said.startswith("There is nothing to draw: ")
    assert "libary" in said


def test_a_mistake_of_a_learner_has_its_place():
    def translate(sentence, model):
        return sentence + 1

    line = translate.__code__.co_firstlineno + 1
    said = repr(finale(SENTENCE, MODEL, translate, reference))
    assert said.startswith("There is nothing to draw: TypeError: can only concatenate str")
    assert said.endswith(f"(line {line} of its file or cell, in translate)")


def test_who_was_at_work():
    own = copied("split_heads")
    _, mine, lent = at_work(lambda: own.split_heads(reference.softmax(np.ones((3, 4))), 2))
    assert (mine, lent) == ({"split_heads"}, {"softmax"})
    assert credit(mine, lent) == "by 1 function of yours and 1 of the course"
    assert credit({"a", "b"}, set()) == "by 2 functions of yours"
    assert credit(set(), {"a"}) == "by 1 function of the course"


def test_namesakes_elsewhere_are_not_the_courses_functions():
    def embed(x):
        return x

    assert at_work(lambda: embed(1)) == (1, set(), set())


def test_a_card_has_every_definition_and_its_temperature():
    senses = texts(PICTURES["card"], "sense")
    assert senses[0] == "1a berryT = 0"
    assert senses[1].startswith("2<b> moon")
    assert senses[1].endswith("T = 1.5")
    lines = [span.text for span in groups(PICTURES["card"], "sense")[1][2]]
    assert " ".join(lines) == "<b>" + 30 * " moon"
    assert max(map(len, lines)) <= 42
    assert data_of(PICTURES["card"])["told"][0] == "1, at temperature 0: a berry."
    assert PICTURES["card"].words.startswith("moonberry (noun), written by 3 functions of yours")


def test_the_cards_definitions_are_those_of_the_functions():
    """The three functions of unit 08 are a learner's."""
    own = copied("top_p_filter", "apply_temperature", "sample_token")
    handed = [own.top_p_filter, own.apply_temperature, own.sample_token]
    picture = dictionary_card("glimmerish", "adjective", handed, temperatures=TEMPERATURES[:2])
    rng = np.random.default_rng(8)
    texts = [define("glimmerish", "adjective", load_dictionary(), reference, rng, T) for T in TEMPERATURES[:2]]
    assert [told.partition(": ")[2] for told in data_of(picture)["told"]] == [f"{text}." for text in texts]
    assert re.search(r"written by 3 functions of yours and \d+ of the course", picture.words)
    assert ALIKE in picture.words.splitlines()


def test_a_translation_is_judged_by_the_grammar():
    written = iter([["¿", "dónde", "está", "el", "carro", "rojo", "?"], ["rojo"]])

    def sampler(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature):
        assert len(uniforms) == max_len
        return [MODEL.target_words.index(word) for word in next(written)]

    picture = translation_card("Where is the red car?", temperatures=(0, 2.5), sampler=sampler)
    assert texts(picture, "sense") == ["1¿Dónde está el carro rojo?T = 0, right", "2RojoT = 2.5, wrong"]
    assert data_of(picture)["told"] == [
        "1, at temperature 0: ¿Dónde está el carro rojo? That is right.",
        "2, at temperature 2.5: Rojo. That is wrong.",
    ]


def test_sentences_outside_the_grammar_are_not_judged():
    picture = translation_card("Cats like I.", temperatures=(0,))
    assert texts(picture, "sense")[0].endswith("T = 0")


def test_translations_are_written_by_the_functions():
    """Those of units 00 to 07 that the model is run with, and those of unit 08 that choose."""
    own = copied("layer_norm", "apply_temperature", "sample_decode")
    picture = translation_card("I like cats.", [own.layer_norm], temperatures=(0, 1), sampler=own.sample_decode)
    assert re.search(r"written by 3 functions of yours and \d+ of the course", picture.words)
    assert picture.words.count("Me gustan los gatos.") == 2


def test_a_word_that_cannot_be_defined_is_said():
    assert repr(dictionary_card("", "noun")).startswith("There is nothing to draw: a word has to have 1 to ")
    assert "a word is one of noun" in repr(dictionary_card("tree", "nonsense"))
