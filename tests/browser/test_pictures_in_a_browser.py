"""The pictures of the kit on a page of their own: pointer, keyboard, themes, widths, and without scripts."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.support.pictures import THEMES, data_of
from tests.support.shown_pictures import (
    HEADS,
    MACHINE,
    PICTURES,
    SEEN,
    SWITCHES,
    caption,
    check_width,
    check_with_axe,
    check_without_scripts,
)
from tools.browser.learner import expect
from transformer_kit.plots import heatmap

pytestmark = pytest.mark.exhaustive
FIGURE = heatmap([[0.25, 0.75], [1, 0]], title="Weights", alt="The first token looks at the second.")


@pytest.mark.parametrize("theme", THEMES)
def test_a_figure_takes_the_colours_of_the_page(shown, theme):
    page = shown(FIGURE, theme, viewport={"width": 360, "height": 800})
    drawing = page.get_by_role("img", name=FIGURE.alt)
    expect(drawing).to_have_class("lm-picture live")
    expect(page.locator("img")).to_have_count(0)
    looks = drawing.locator("text").first.evaluate("text => [getComputedStyle(text).fill, innerWidth]")
    assert looks == [{"light": "rgb(26, 26, 26)", "dark": "rgb(232, 232, 232)"}[theme], 360]
    assert drawing.bounding_box()["width"] <= 360
    assert page.faults == []


def test_a_figure_is_an_image_without_scripts(shown):
    image = shown(FIGURE, "dark", java_script_enabled=False).get_by_role("img", name=FIGURE.alt)
    assert image.evaluate("image => image.tagName") == "IMG"
    assert image.bounding_box()["height"] == pytest.approx(float(image.get_attribute("width")) * 0.75, rel=0.4)


def test_pictures_of_a_kind_share_a_style_sheet(shown):
    page = shown(FIGURE)
    page.evaluate("page => document.body.append(document.createRange().createContextualFragment(page))", FIGURE.html)
    expect(page.locator("svg.live")).to_have_count(2)
    expect(page.locator("svg style")).to_have_count(0)
    sheets = page.locator("head style").evaluate_all("all => all.map((sheet) => sheet.textContent)")
    assert len([sheet for sheet in sheets if ".lm-picture" in sheet]) == 1
    looks = page.locator("svg.live text").evaluate_all("texts => texts.map((text) => getComputedStyle(text).fill)")
    assert set(looks) == {"rgb(26, 26, 26)"}


@pytest.mark.parametrize("picture", [*PICTURES.values(), FIGURE], ids=[*PICTURES, "figure"])
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(shown, picture, theme):
    check_with_axe(shown, picture, theme)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize("width", [360, 650, 1300])
def test_it_fits_into_any_page(shown, picture, width):
    """A phone; a window of 1300 pixels at 200 %; a window."""
    check_width(shown, picture, width)


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_without_scripts_there_is_an_image(shown, picture):
    check_without_scripts(shown, picture)


def test_the_part_under_the_pointer_is_explained(shown):
    page = shown(MACHINE)
    expect(caption(page)).to_have_text(re.compile("Orange: what this unit is about. Blue: what you have written."))
    page.get_by_role("button", name="feed-forward").last.hover()
    expect(caption(page)).to_have_text(re.compile(r"feed-forward \(decoder, unit 06\)"))


def test_the_machine_has_one_tab_stop_and_arrows(shown):
    """It begins at the unit's part."""
    page = shown(MACHINE)
    page.keyboard.press("Tab")
    expect(caption(page)).to_have_text(re.compile(r"self-attention \(encoder"))
    page.keyboard.press("ArrowUp")
    expect(caption(page)).to_have_text(re.compile(r"add & norm \(encoder"))
    page.keyboard.press("End")
    expect(caption(page)).to_have_text(re.compile("next word"))
    page.keyboard.press("ArrowUp")
    expect(caption(page)).to_have_text(re.compile("next word"))
    page.keyboard.press("Home")
    expect(caption(page)).to_have_text(re.compile("words to ids"))
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()


def said(name, head, query):
    """Return what the caption should say of a query."""
    weights = np.rint(100 * SEEN.parts[f"{name}.weights"][0, head, query]).astype(int)
    words = SEEN.source if "cross" in name or "encoder" in name else SEEN.read
    best = sorted(zip(-weights, range(len(words)), strict=True))[:3]
    return ", ".join(f"{words[j]} {-percent} %" for percent, j in best if -percent >= 3)


def test_heads_and_words_answer_to_the_pointer(shown):
    page = shown(HEADS)
    expect(caption(page)).to_contain_text(f"decoder 1, cross, head 0: “{SEEN.written[2]}” looks at")
    expect(caption(page)).to_contain_text(said("decoder.1.cross_attention", 0, 2))
    page.get_by_role("button", name="encoder 0, head 3").hover()
    expect(caption(page)).to_contain_text(f"encoder 0, head 3: “car” looks at {said('encoder.0.attention', 3, 2)}")
    page.get_by_role("button", name="query is").hover()
    expect(caption(page)).to_contain_text(f"“is” looks at {said('encoder.0.attention', 3, 3)}")
    expect(page.locator(".chosen")).to_have_count(1)


def test_heads_and_words_answer_to_the_keyboard(shown):
    page = shown(HEADS)
    page.keyboard.press("Tab")
    expect(caption(page)).to_contain_text("decoder 1, cross, head 0")
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_contain_text("decoder 1, cross, head 1")
    page.keyboard.press("ArrowUp")
    expect(caption(page)).to_contain_text("decoder 1, self, head 1")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(caption(page)).to_contain_text(f"“{SEEN.read[3]}”")
    expect(page.get_by_role("button", name=f"query {SEEN.read[3]}")).to_be_focused()
    assert page.faults == []


def test_switches_silence_heads(shown):
    page = shown(SWITCHES)
    written = page.locator("output")
    expect(written).to_have_text("It writes: without 0: 0")
    page.get_by_label("head 1", exact=True).check()
    page.get_by_label("head 3", exact=True).focus()
    page.keyboard.press("Space")
    expect(written).to_have_text("Now it writes: without 2: 4")
    page.get_by_label("head 1", exact=True).uncheck()
    expect(written).to_have_text("Now it writes: without 1: 3")
    assert page.faults == []


DRAWN = """names => [...document.querySelectorAll(".open *")].map(
  element => [...names.map(name => element.getAttribute(name)), element.textContent])"""


def test_what_the_script_draws_is_what_was_drawn(shown):
    """The same paths, words and bars as in the image that stands there without scripts."""
    names = ("x", "y", "width", "d", "class")
    groups = (group for group in ElementTree.fromstring(HEADS.svg).iter() if group.get("class") == "open")
    still = [[*map(element.get, names), element.text] for group in groups for element in group]

    def plain(*entries):
        return str([*(round(float(number or 0), 3) for number in entries[:3]), *(text or "" for text in entries[3:])])

    assert len(still) > 20
    assert sorted(plain(*e) for e in shown(HEADS).evaluate(DRAWN, names)) == sorted(plain(*e) for e in still)


def test_one_query_is_followed_by_buttons_and_keys(shown):
    page = shown(PICTURES["one query"])
    said = np.reshape(PICTURES["one query"].words.splitlines(), (3, 6)).tolist()
    expect(caption(page)).to_have_text(said[0][0])
    expect(page.locator(".part.later")).to_have_count(5)
    page.get_by_role("button", name="next").click()
    expect(caption(page)).to_have_text(said[0][1])
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_have_text(said[0][2])
    expect(page.locator(".part:not(.later):not(.dim)")).to_have_count(2)
    page.keyboard.press("End")
    expect(caption(page)).to_have_text(said[0][5])
    expect(page.locator(".later")).to_have_count(0)
    page.get_by_label("poem", exact=True).check()
    expect(caption(page)).to_have_text(said[2][5])
    expect(page.locator("[data-part=output] text.n")).to_have_text(["3.506", "2.237"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-part=query] text.n")).to_have_text(["1.110", "0.787", "a"])
    assert page.faults == []


def blend_of(page):
    circle = page.locator(".blend")
    return float(circle.get_attribute("cx")), float(circle.get_attribute("cy"))


def test_a_query_is_turned_by_keys_and_pointer(shown):
    """The arrow follows the pointer; 135 degrees is up and left of the centre."""
    page, data = shown(PICTURES["turner"]), data_of(PICTURES["turner"])
    first = blend_of(page)
    page.get_by_label("angle").focus()
    page.keyboard.press("ArrowRight")
    expect(caption(page)).to_contain_text("A query of length 2 at 45°")
    assert blend_of(page) != first
    page.get_by_label("length").focus()
    page.keyboard.press("Home")
    expect(caption(page)).to_have_text("A query of length 0 at 45°: coffee 33 %, tea 33 %, cake 33 %.")
    assert blend_of(page) == pytest.approx(np.mean(data["corners"], axis=0), abs=0.1)
    page.keyboard.press("End")
    box = page.locator(".field").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1] - 60)
    page.mouse.up()
    weights = data["percent"][-1][135 // data["step"]]
    listed = ", ".join(f"{word} {share} %" for word, share in zip(data["words"], weights, strict=True))
    expect(caption(page)).to_have_text(f"A query of length 10 at 135°: {listed}.")
    expect(page.get_by_label("angle")).to_have_attribute("aria-valuetext", "135°")
    page.mouse.move(middle[0] + 60, middle[1])
    expect(caption(page)).to_contain_text("135°")
    assert page.faults == []


def test_script_and_image_draw_the_same_query(shown):
    """The arrow, three lines and corners, the blend, three shares, and the field that is touched."""
    names = ("d", "r", "cx", "cy", "stroke-width", "transform")
    parts = [part for part in ElementTree.fromstring(PICTURES["turner"].svg).iter() if part.get("class") == "turning"]
    still = [[*map(part.get, names), part.text] for part in parts[0]]
    live = shown(PICTURES["turner"]).evaluate(DRAWN.replace(".open", ".turning"), names)

    def plain(entry):
        return re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]):g}", entry or "")

    assert len(still) == 13
    assert [list(map(plain, part)) for part in live] == [list(map(plain, part)) for part in still]


def places_of_numbers(page):
    script = "cells => cells.map(cell => cell.style.transform.match(/\\d+/g).map(Number))"
    return page.locator(".moving g").evaluate_all(script)


@pytest.mark.parametrize("name", ["split", "merge", "plain reshape"])
def test_numbers_travel(shown, name):
    page, data = shown(PICTURES[name]), data_of(PICTURES[name])
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    for frame, said in enumerate(data["said"][0]):
        expect(caption(page)).to_have_text(said)
        assert places_of_numbers(page) == data["at"][0][frame]
        expect(page.locator(".frame.later")).to_have_count(len(data["at"][0]) - 1 - frame)
        page.keyboard.press("ArrowRight")
    page.get_by_label("3", exact=True).check()
    expect(caption(page)).to_have_text(data["said"][1][-1])
    assert places_of_numbers(page) == data["at"][1][-1]
    assert page.locator("path.wrong").get_attribute("d") == data["wrong"][1]
    page.get_by_role("button", name="back").click()
    assert places_of_numbers(page) == data["at"][1][-2]
    assert page.faults == []


@pytest.mark.parametrize(("motion", "seconds"), [("reduce", "0s"), ("no-preference", "0.9s")])
def test_numbers_jump_where_motion_is_reduced(shown, motion, seconds):
    page = shown(PICTURES["split"], reduced_motion=motion)
    duration = "cell => getComputedStyle(cell).transitionDuration"
    assert page.locator(".moving g").first.evaluate(duration) == seconds


@pytest.mark.parametrize("picture", [*PICTURES.values(), FIGURE], ids=[*PICTURES, "figure"])
def test_a_picture_works_within_a_fold(shown, picture):
    """As on a page of the book, which folds what a question asks for."""

    class Folded:
        html = f"<details open><summary>Answer</summary><div>{picture.html}</div></details>"

    assert shown(Folded).faults == []


def test_two_pictures_on_a_page_are_independent(shown):
    """The choice and the steps of one leave the other as it is, and the machine's rules are for the machine."""
    first, second = PICTURES["split"], PICTURES["one query"]

    class All:
        html = MACHINE.html + first.html + second.html

    page = shown(All)
    page.get_by_role("button", name="next").last.click()
    page.get_by_label("3", exact=True).check()
    expect(caption(page).nth(1)).to_have_text(data_of(first)["said"][1][0])
    expect(caption(page).last).to_have_text(second.words.splitlines()[1])
    expect(page.get_by_label("write", exact=True)).to_be_checked()
    dashes = "frames => frames.map(frame => getComputedStyle(frame).strokeDasharray)"
    drawings = page.locator("svg.lm-picture")
    assert drawings.first.locator(".frame").evaluate_all(dashes) == ["4px, 4px"] * 2
    assert drawings.nth(1).locator(".frame").evaluate_all(dashes) == ["none"] * 3
    assert page.faults == []
