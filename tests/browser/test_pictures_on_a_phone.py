"""What changes on a phone: figures drawn anew, folded pictures, type that can be read; and the slider."""

import numpy as np
import pytest

from tests.support.shown_pictures import PICTURES
from tools.browser.learner import expect
from transformer_kit import plots

pytestmark = pytest.mark.exhaustive
PHONE, PAGE = {"width": 360, "height": 800}, {"width": 1280, "height": 800}
LEAST = 6.5  # CSS pixels of type on the screen
SHOWN = """svg => [...svg.querySelectorAll("text")].filter((text) => text.getClientRects().length && text.textContent)
  .map((text) => [parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a, text.textContent])"""
WORDS = ["the", "table", "is", "red", "and", "it", "is", "big", "."]
FIGURES = {
    "bars": plots.bars(np.linspace(0.01, 0.2, 9), WORDS, limits=(0, 1)),
    "curves": plots.curves(range(20), {"with attention": range(20), "last state only": range(1, 21)}, log_y=True),
    "rows": plots.heatmap(np.eye(6, 4), [f"sentence {i}, token 0" for i in range(6)]),
    "twins": plots.beside(plots.heatmap(np.eye(3)), plots.heatmap(np.ones((3, 3))), title="Twins"),
}
WEIGHTS = {1: [0.5, 0.25, 0.25], 4: [1.0, 0.0, 0.0], 9: [0.2, 0.2, 0.6]}


@pytest.mark.parametrize("name", [*PICTURES, *FIGURES])
def test_type_can_be_read(shown, name):
    drawing = shown({**PICTURES, **FIGURES}[name], viewport=PHONE).locator("svg.lm-picture")
    small = [(size, text) for size, text in drawing.evaluate(SHOWN) if size < LEAST]
    assert small == []


def test_a_figure_follows_the_width_of_the_page(shown):
    page = shown(FIGURES["twins"], viewport=PAGE)
    drawing = page.get_by_role("img", name="Twins")
    beside = drawing.bounding_box()
    page.set_viewport_size(PHONE)
    expect(drawing).to_have_attribute("width", str(FIGURES["twins"].narrow.width))
    below = drawing.bounding_box()
    assert beside["width"] > 1.5 * beside["height"]
    assert below["height"] > below["width"]
    page.set_viewport_size(PAGE)
    expect(drawing).to_have_attribute("width", str(FIGURES["twins"].wide.width))
    assert page.faults == []


@pytest.mark.parametrize("viewport", [PHONE, PAGE], ids=["phone", "page"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_slider_redraws_and_tells(shown, viewport, theme):
    weights = {value: plots.bars(3 * row, limits=(0, 1)) for value, row in WEIGHTS.items()}
    page = shown(plots.slider(weights.get, "d_k", WEIGHTS, start=4), theme, viewport=viewport)
    knob, words = page.get_by_role("slider", name="d_k"), page.locator("details div")
    page.keyboard.press("Tab")
    expect(knob).to_be_focused()
    for key, value in (("Home", 1), ("ArrowRight", 4), ("End", 9), ("ArrowLeft", 4)):
        page.keyboard.press(key)
        expect(knob).to_have_attribute("aria-valuetext", str(value))
        expect(page.get_by_role("img")).to_have_attribute("aria-label", weights[value].alt)
        assert words.text_content() == weights[value].alt
        shape = weights[value].narrow if viewport is PHONE else weights[value].wide
        bars = page.locator("svg.lm-picture path[fill^='#']").first.get_attribute("d")
        assert bars in shape.source
    assert page.faults == []


def test_words_stand_beside_the_picture_given_room(shown):
    page = shown(PICTURES["heads"], viewport=PAGE)
    drawing, told = page.locator("svg.lm-picture"), page.locator("[aria-live]")
    assert told.bounding_box()["x"] > drawing.bounding_box()["x"] + drawing.bounding_box()["width"]
    page.set_viewport_size(PHONE)
    assert told.bounding_box()["y"] > drawing.bounding_box()["y"] + drawing.bounding_box()["height"] - 1
