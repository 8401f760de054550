"""The pictures of units 05, 08 and 09 in a browser: stepped through and walked over, by pointer and keyboard."""

import re
from xml.etree import ElementTree

import pytest

from tests.support.pictures import THEMES, data_of
from tests.support.shown_pictures import caption, check_width, check_with_axe, check_without_scripts
from tools.browser.learner import expect
from transformer_kit import reference
from transformer_kit.examples.toy_models import BEAM_LOSES, GREEDY_LOSES
from transformer_kit.pictures import beam_tree, cross_ribbons, finale, ribbons
from transformer_kit.pictures.card import Sense, card
from transformer_kit.trained.model import load_model

pytestmark = pytest.mark.exhaustive
SENTENCE = "The red car is new."
SMALL = ribbons([[0.99, 0.01], [0.4, 0.6], [0.5, 0.5]], ["x", "y", "<z>"], ["a", "b"], "Three words look at two")
BEAM = beam_tree(reference.beam_search, BEAM_LOSES, [1, 2, 3, 4], start=2)
GREEDY = beam_tree(reference.greedy_decode, GREEDY_LOSES)
SENSES = [Sense(0, "a berry"), Sense(0.5, "a moon"), Sense(1.5, 9 * "of a moon ")]
CARD = card("moonberry", "noun", SENSES, ["written by 3 functions"])
PICTURES = {
    "ribbons": cross_ribbons(SENTENCE),
    "beam": BEAM,
    "greedy": GREEDY,
    "card": CARD,
    "finale": finale(SENTENCE, load_model(), reference.translate, reference),
}
each = pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)


@each
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(shown, picture, theme):
    check_with_axe(shown, picture, theme)


@each
@pytest.mark.parametrize("width", [360, 650, 1300])
def test_it_fits_into_any_page(shown, picture, width):
    check_width(shown, picture, width)


@each
def test_without_scripts_there_is_an_image(shown, picture):
    check_without_scripts(shown, picture)


def lit(page):
    return page.locator(".word.lit text").all_text_contents()


def test_ribbons_answer_to_the_pointer(shown):
    page, sentences = shown(SMALL), data_of(SMALL)["sentences"]
    expect(caption(page)).to_have_text(re.compile("^Point at a word"))
    expect(page.locator(".lit")).to_have_count(0)
    page.get_by_role("button", name="y", exact=True).hover()
    expect(caption(page)).to_have_text(sentences[1])
    expect(page.locator(".ribbon.lit")).to_have_count(2)
    assert sorted(lit(page)) == ["a", "b", "y"]
    page.get_by_role("button", name="b", exact=True).hover()
    expect(caption(page)).to_have_text(sentences[4])
    assert sorted(lit(page)) == ["<z>", "b", "y"]  # x looks too little at b to be drawn
    assert page.faults == []


def test_each_side_has_one_tab_stop_and_arrows(shown):
    page, sentences = shown(SMALL), data_of(SMALL)["sentences"]
    page.keyboard.press("Tab")
    expect(caption(page)).to_have_text(sentences[0])
    for key, number in [("ArrowDown", 1), ("End", 2), ("ArrowDown", 2), ("ArrowUp", 1), ("Home", 0)]:
        page.keyboard.press(key)
        expect(caption(page)).to_have_text(sentences[number])
    page.keyboard.press("Tab")
    expect(caption(page)).to_have_text(sentences[3])
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()


def fates(page):
    classes = page.locator(".node").evaluate_all("nodes => nodes.map(node => node.getAttribute('class'))")
    return [name.removeprefix("node ") for name in classes]


def test_a_search_goes_step_by_step(shown):
    """At every step candidates appear, and then their fates; what was returned is marked at the end."""
    page, data = shown(BEAM), data_of(BEAM)
    told, steps, ends = data["told"][1], data["steps"], data["fates"][1]
    for state, sentence in enumerate(told):
        expect(caption(page)).to_have_text(sentence)
        for step, fate, end in zip(steps, fates(page), ends, strict=True):
            if not end:
                assert fate == "away"
            elif 2 * step - 1 > state:
                assert fate == "later"
            elif 2 * step - 1 == state:
                assert fate == "fresh"
            else:
                assert fate == (end if state == len(told) - 1 else end.replace(" returned", ""))
        if sentence != told[-1]:
            page.get_by_role("button", name="next").click()
    expect(page.get_by_role("button", name="next")).to_be_disabled()
    assert "finished returned" in fates(page)
    page.get_by_role("button", name="back").click()
    expect(caption(page)).to_have_text(told[-2])
    assert "finished returned" not in fates(page)
    assert page.faults == []


def test_the_last_state_is_the_image(shown):
    page = shown(BEAM)
    page.get_by_role("button", name="next").focus()
    page.keyboard.press("End")
    still = [
        group.get("class") for group in ElementTree.fromstring(BEAM.svg).iter() if "node" in group.get("class", "")
    ]
    assert [f"node {fate}" for fate in fates(page)] == still


def test_steps_and_width_answer_to_the_keyboard(shown):
    page, told = shown(BEAM), data_of(BEAM)["told"]
    page.keyboard.press("Tab")
    for key, state in [("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("Home", 0), ("End", len(told[1]) - 1)]:
        page.keyboard.press(key)
        expect(caption(page)).to_have_text(told[1][state])
    page.keyboard.press("Tab")
    expect(page.get_by_label("beam width")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("3")
    expect(caption(page)).to_have_text(told[2][-1])
    page.keyboard.press("Home")
    expect(caption(page)).to_have_text(told[0][-1])
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()


def test_a_greedy_search_has_no_width_to_choose(shown):
    page = shown(GREEDY)
    expect(page.locator("input")).to_have_count(0)
    page.get_by_role("button", name="next").click()
    expect(caption(page)).to_have_text(data_of(GREEDY)["told"][0][1])


def test_the_definitions_of_a_card_come_singly(shown):
    page, told = shown(CARD), data_of(CARD)["told"]
    expect(caption(page)).to_have_text(told[0])
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_have_text(told[1])
    expect(page.locator(".sense.on")).to_have_count(1)
    expect(page.locator(".sense.on")).to_contain_text("a moon")
    page.get_by_role("button", name="next").click()
    expect(caption(page)).to_have_text(told[2])
    expect(page.get_by_role("group", name="steps")).to_contain_text("3 of 3")


def test_two_pictures_of_a_page_are_independent(shown):
    page = shown(type("Two", (), {"html": SMALL.html + CARD.html}))
    page.get_by_role("button", name="next").click()
    page.get_by_role("button", name="y", exact=True).hover()
    expect(caption(page).first).to_have_text(data_of(SMALL)["sentences"][1])
    expect(caption(page).last).to_have_text(data_of(CARD)["told"][1])
    assert page.faults == []
