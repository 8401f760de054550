"""Pictures without a browser: what is drawn, said and shipped."""

from itertools import combinations

import numpy as np
import pytest

from autograder.registry import find, unit_of, units
from tests.support.attention_pictures import pictures_of_attention
from tests.support.pictures import MAX_BYTES, data_of, drawing, groups, pictures_of_the_first_units
from tools.course import ROOT
from transformer_kit import reference
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.experiments.whole_model.one_sentence import Watched, watched
from transformer_kit.pictures import head_explorer, machine
from transformer_kit.pictures.parts import parts_of
from transformer_kit.pictures.picture import STYLE
from transformer_kit.style import RULES
from transformer_kit.trained.model import load_model

MODEL = load_model()
SEEN = watched("The red car is new.", MODEL, reference)
PICTURES = {
    "machine": machine("04", {"softmax", "relu"}),
    "whole machine": machine(model=MODEL, verdicts={"source": True, "encoder.0.attention": False}),
    "heads": head_explorer(SEEN),
    **pictures_of_attention(),
    **pictures_of_the_first_units(),
}


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_small_and_has_words(picture):
    assert len(picture.html.encode()) < MAX_BYTES
    assert drawing(picture).get("viewBox") == f"0 0 {picture.size[0]} {picture.size[1]}"
    assert f'alt="{picture.title}"' in picture.html.replace("&quot;", '"')
    assert picture.words.splitlines()[0] in repr(picture)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_own_style_rules_name_their_kind_of_picture(picture):
    """In a page each style sheet applies everywhere, so a picture's own rules name its kind."""
    kind = drawing(picture).get("class").split()[1]
    (sheet,) = (element.text for element in drawing(picture) if element.tag.endswith("style"))
    own = sheet.removeprefix(RULES + STYLE)
    assert f".{kind} " in own
    assert ".lm-picture" not in own


def test_the_drawing_of_the_readme_is_in_step():
    """`make pictures` writes it."""
    assert (ROOT / "docs" / "pictures" / "machine.svg").read_text(encoding="utf-8") == machine().svg


def test_every_function_of_the_machine_is_an_exercise():
    """But for softmax at the end, and what an attention borrows from earlier units."""
    for part in parts_of():
        numbers = {unit_of(find(name)).id[:2] for name in part.functions}
        assert numbers & set(part.units), part.key


def test_units_of_the_paper_have_their_parts():
    """Units 12 and 13 are about models that have other parts."""
    placed = {number for part in parts_of() for number in part.units}
    assert placed == {unit.id[:2] for unit in units()} - {"12", "13"}


def test_the_machine_has_the_parts_of_a_trace():
    keys = [part.key for part in parts_of(MODEL)]
    traced = trace(np.array([[4, 5]]), np.ones((1, 2), bool), np.array([[2, 7, 8]]), MODEL)
    assert {name.removesuffix(".weights") for name in traced} <= set(keys)
    assert len(keys) == len(set(keys)) == 3 + 2 * 4 + 3 + 2 * 6 + 3


def test_a_part_is_filled_by_what_is_written():
    (relu,) = {float(group[1].get("width")) for group in groups(PICTURES["machine"], "part") if "feed" in group[3].text}
    assert relu == 95  # one of two functions, of 190
    assert "Yours: relu. Still to write: position_wise_ffn." in PICTURES["machine"].words
    assert all(float(group[1].get("width")) == 0 for group in groups(machine(), "part"))
    full = machine(written={exercise.name for unit in units() for exercise in unit.exercises})
    assert all(float(group[1].get("width")) == 190 for group in groups(full, "part"))


def test_the_parts_of_a_unit_come_first():
    assert [group[3].text for group in groups(PICTURES["machine"], "here")] == [
        "self-attention",
        "masked self-attention",
    ]
    start = data_of(PICTURES["machine"])["start"]
    assert data_of(PICTURES["machine"])["sentences"][start].startswith("self-attention (encoder, units 02, 03, 04, 11)")
    assert groups(machine(), "here") == []


def test_verdicts_have_a_mark_and_a_colour():
    right, wrong = (groups(PICTURES["whole machine"], name) for name in ("right", "wrong"))
    assert [group[3].text for group in right] == ["✓ + positions"]
    assert [group[3].text for group in wrong] == ["✗ self-attention"]


def test_sizes_are_those_of_the_model():
    words = PICTURES["whole machine"].words
    assert f"E: {MODEL.source_embedding.size:,} numbers" in words
    assert f"W_Q, W_K, W_V, W_O: {4 * 64 * 64:,} numbers" in words


def test_the_heads_are_those_of_the_sentence():
    data, parts = data_of(PICTURES["heads"]), SEEN.parts
    assert [row["name"] for row in data["rows"]][-1] == "decoder 1, cross"
    weights = np.array(data["rows"][-1]["heads"])
    np.testing.assert_allclose(weights / 100, parts["decoder.1.cross_attention.weights"][0], atol=0.0051)
    assert data["rows"][-1]["words"] == [SEEN.written, SEEN.source]
    assert data["rows"][-2]["words"] == [SEEN.read, SEEN.read]
    assert data["rows"][0]["words"] == [SEEN.source, SEEN.source]
    assert [data["rows"][at]["next"] for at in (0, -2, -1)] == [[], SEEN.written, []]
    assert len(groups(PICTURES["heads"], "head")) == 6 * MODEL.n_heads
    assert len(groups(PICTURES["heads"], "chosen")) == 1


def test_layers_are_counted_from_0():
    """As in code: `model.decoder[0]`, `decoder.0` and "decoder 0" are the same layer."""
    names = [row["name"] for row in data_of(PICTURES["heads"])["rows"]]
    quiet = (text.text for text in groups(PICTURES["whole machine"], "quiet"))
    in_machine = {text for text in quiet if text.startswith("layer")}
    assert {name.split(",")[0] for name in names} == {"encoder 0", "encoder 1", "decoder 0", "decoder 1"}
    assert in_machine == {"layer 0", "layer 1"}


def test_the_opened_head_is_drawn():
    """Three queries, two keys: one weight is too small to be drawn, and the shares stand beside their words."""
    weights = np.array([[[[0.99, 0.01], [0.4, 0.6], [0.5, 0.5]]]])
    seen = Watched(["a", "<b>"], ["x", "y", "z"], ["y", "z", "."], {"decoder.0.cross_attention.weights": weights})
    picture = head_explorer(seen, "decoder.0.cross_attention", query=1)
    assert len(groups(picture, "link")) == 5
    assert len(groups(picture, "lit")) == 2
    assert [text.text for text in groups(picture, "on")] == ["z", "a", "40 %", "<b>", "60 %"]
    assert "decoder 0, cross, head 0: y at a 99 %; z at <b> 60 %; . at a 50 %." in picture.words


def test_switches_need_a_result_for_all_heads():
    results = {heads: f"silent: {heads}" for n in range(5) for heads in combinations(range(4), n)}
    picture = head_explorer(SEEN, results=results)
    assert data_of(picture)["results"]["0,2"] == "silent: (0, 2)"
    assert "With all heads: silent: ()\nWithout heads 0: silent: (0,)" in picture.words
    assert len(picture.html.encode()) < MAX_BYTES
    assert data_of(PICTURES["heads"])["results"] == {}
    with pytest.raises(ValueError, match="expected 16 results"):
        head_explorer(SEEN, results={(): "all"})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("encoder.7.attention",), "expected one of encoder.0.attention"),
        (("encoder.0.attention", 4), "has 4 heads"),
        (("encoder.0.attention", 0, 6), "6 queries"),
    ],
)
def test_what_is_not_there_cannot_be_opened(arguments, words):
    with pytest.raises(ValueError, match=words):
        head_explorer(SEEN, *arguments)
