"""Ripples, clocks and leak meter, by pointer and keyboard; what is shown is what was computed."""

import re

import numpy as np
import pytest

from tests.support.pictures import data_of, drawing, pictures_of_the_first_units
from tools.browser.learner import expect
from transformer_kit import reference

pytestmark = pytest.mark.exhaustive
PICTURES = pictures_of_the_first_units()
RIPPLES, CLOCKS, TURNED, METER = PICTURES.values()
PLACES = ("x", "y", "width", "height", "d")
DRAWN = """places => [...document.querySelectorAll("svg.lm-picture [class]")].map(element => [
  element.getAttribute("class"), element.childElementCount ? "" : element.textContent,
  places.map(name => element.getAttribute(name) || "").join(" ")])"""
NUMBER = re.compile(r"-?\d[\d.]*")


def caption(page):
    return page.locator("p[aria-live]")


def texts(page, name):
    return page.locator(f"svg .{name}").all_text_contents()


def image(picture):
    """Return classes, text and places of every part of the image that has a class."""
    # without the drawing itself and its style sheet, which the script moves into the head of the page
    _, _, *parts = (element for element in drawing(picture).iter() if element.get("class"))
    places = (" ".join(part.get(name) or "" for name in PLACES) for part in parts)
    return [(part.get("class"), part.text or "", place) for part, place in zip(parts, places, strict=True)]


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_what_the_script_draws_is_what_was_drawn(shown, picture):
    """The same classes, texts, places and paths as in the image that stands there without scripts."""
    page = shown(picture)
    live, still = page.evaluate(DRAWN, PLACES), image(picture)
    assert len(live) == len(still) > 20
    for (kind, text, places), (still_kind, still_text, still_places) in zip(live, still, strict=True):
        assert (set(kind.split()), text) == (set(still_kind.split()), still_text)
        assert NUMBER.sub("", places) == NUMBER.sub("", still_places)
        numbers = [[float(number) for number in NUMBER.findall(line)] for line in (places, still_places)]
        np.testing.assert_allclose(*numbers, atol=0.06)
    assert page.faults == []


def test_all_pictures_of_a_page_are_independent(shown):
    class Together:
        html = "".join(picture.html for picture in PICTURES.values())

    page = shown(Together)
    page.get_by_label("one off").check()
    page.get_by_label("256").check()
    expect(page.get_by_label("one off")).to_be_checked()
    page.get_by_role("slider", name="position").last.fill("9")
    expect(caption(page).nth(1)).to_contain_text("Position 7:")
    expect(caption(page).nth(2)).to_contain_text("R(3) turns position 9")
    assert page.faults == []


def bars(page):
    """Return the texts above and below the bars of the ripples, one row for each direction."""
    return np.array(texts(page, "moved"), dtype=float).reshape(2, -1)


def test_a_word_of_the_ripples_follows_the_pointer(shown):
    page = shown(RIPPLES)
    page.get_by_role("button", name="word 6, about").hover()
    expect(caption(page)).to_have_text(RIPPLES.words.splitlines()[6])
    np.testing.assert_array_equal(bars(page), [side[6] for side in data_of(RIPPLES)["moved"]])
    expect(page.locator(".chosen")).to_have_text("about")


def test_words_of_the_ripples_are_one_tab_stop(shown):
    page = shown(RIPPLES)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="word 3, poem")).to_be_focused()
    for key, place in (("ArrowLeft", 2), ("Home", 0), ("ArrowLeft", 0), ("End", 9), ("ArrowRight", 9)):
        page.keyboard.press(key)
        expect(caption(page)).to_have_text(RIPPLES.words.splitlines()[place])
        np.testing.assert_array_equal(bars(page), [side[place] for side in data_of(RIPPLES)["moved"]])
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()
    assert page.faults == []


def test_the_position_of_the_clocks_moves_by_keyboard(shown):
    page = shown(CLOCKS)
    page.keyboard.press("Tab")
    for key, position in (("ArrowRight", 8), ("End", 60), ("Home", 0), ("ArrowUp", 1)):
        page.keyboard.press(key)
        row = reference.positional_encoding(61, 8)[position]
        np.testing.assert_allclose(np.array(texts(page, "number"), dtype=float), row, atol=0.0006)
        assert texts(page, "said") == [f"position {position}"]
    expect(caption(page)).to_have_text(next(line for line in CLOCKS.words.splitlines() if "Position 1:" in line))


def test_the_base_of_the_clocks_is_a_choice(shown):
    page = shown(CLOCKS)
    page.get_by_label("10000").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("256")).to_be_checked()
    page.get_by_label("16").check()
    assert texts(page, "speed") == ["ω = 1", "ω = 0.5", "ω = 0.25", "ω = 0.125"]
    assert texts(page, "number") == [f"{number:.3f}" for number in reference.positional_encoding(8, 8, 16.0)[7]]
    assert page.faults == []


@pytest.mark.parametrize(("position", "offset"), [(7, 5), (60, 12), (4, -4), (2, -9), (33, 0)])
def test_the_matrix_turns_every_hand(shown, position, offset):
    page = shown(TURNED)
    page.get_by_role("slider", name="position").fill(str(position))
    page.get_by_role("slider", name="offset").fill(str(offset))
    row = reference.positional_encoding(73, 8, 16.0)[position]
    turned = row @ reference.shift_matrix(offset, 8, 16.0).T
    found = np.array(texts(page, "number"), dtype=float)
    np.testing.assert_allclose(found, np.stack([row, turned], axis=1).ravel(), atol=0.0006)
    rings = [path.get_attribute("d") for path in page.locator(".clock .ring").all()]
    hands = [path.get_attribute("d").removeprefix("M0 0L") for path in page.locator(".clock .turned").all()]
    if position + offset >= 0:
        expect(caption(page)).to_contain_text(f"That is the row of position {position + offset}.")
        assert all(ring.startswith(f"M{hand}m") for ring, hand in zip(rings, hands, strict=True))
    else:
        assert rings == [""] * 4
        assert texts(page, "said")[-1] == "not in the table"


def test_the_clocks_play_and_pause(shown):
    page = shown(CLOCKS, reduced_motion="no-preference")
    page.get_by_role("slider").fill("58")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(caption(page)).to_have_attribute("aria-live", "off")
    expect(page.get_by_role("button", name="Play")).to_be_visible()  # it has come to the end
    assert texts(page, "said") == ["position 60"]
    expect(caption(page)).to_have_attribute("aria-live", "polite")
    page.get_by_role("button", name="Play").click()  # from the beginning
    page.get_by_role("button", name="Pause").click()
    assert int(page.get_by_role("slider").input_value()) < 20


def test_nothing_plays_where_motion_is_not_wanted(shown):
    page = shown(CLOCKS, reduced_motion="reduce")
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_have_count(0)


def amounts(choice, word):
    return [row[word] for row in data_of(METER)["moved"][choice]]


def test_the_leak_meter_answers_to_the_pointer(shown):
    """Under the causal mask nothing above the stairs moves; one off, the row before the changed word does."""
    page = shown(METER)
    expect(page.locator(".leak")).to_have_count(0)
    page.get_by_role("button", name="change word 4, masks").hover()
    expect(caption(page)).to_have_text(METER.words.splitlines()[9])
    page.get_by_label("one off").check()
    expect(page.locator(".leak")).to_have_count(4)
    expect(page.locator(".leak.lit")).to_have_count(1)
    expect(caption(page)).to_have_text(METER.words.splitlines()[14])
    assert texts(page, "amount") == amounts(2, 4)
    page.get_by_label("no mask").check()
    expect(page.locator(".leak")).to_have_count(10)


def test_the_leak_meter_answers_to_the_keyboard(shown):
    page = shown(METER)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="change word 2, poem")).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert texts(page, "amount") == amounts(1, 3)
    page.keyboard.press("Tab")
    expect(page.get_by_label("causal")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_have_text(METER.words.splitlines()[13])
    assert texts(page, "amount") == amounts(2, 3)
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()
    assert page.faults == []
