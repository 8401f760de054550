"""Pictures that move, in a browser: the scrubber, the button, and what is told meanwhile."""

import pytest

from tests.support.pictures import data_of
from tests.support.pictures_in_time import IN_TIME
from tools.browser.learner import expect

pytestmark = pytest.mark.exhaustive
CORNERS, FILM = IN_TIME["corners"], IN_TIME["film"]
DRAWN = """[...document.querySelector(".moving").children].map(element =>
  Object.fromEntries([["text", element.textContent], ...[...element.attributes].map(a => [a.name, a.value])]))"""


def frame(picture, index):
    """Return what should be drawn in a frame; JavaScript writes 0 for 0.0."""
    return [str(values[index]).removesuffix(".0") for _, values in data_of(picture)["moving"]]


def drawn(page, picture):
    """Return what is drawn."""
    shown = zip(page.evaluate(DRAWN), data_of(picture)["moving"], strict=True)
    return [element[attribute] for element, (attribute, _) in shown]


def line(picture, index):
    return picture.words.splitlines()[index].split("\t")[0]


@pytest.mark.parametrize("picture", IN_TIME.values(), ids=IN_TIME)
def test_the_keyboard_walks_through_the_frames(shown, picture):
    page, last = shown(picture), len(data_of(picture)["steps"]) - 1
    told, scrubber = page.locator("[aria-live]"), page.get_by_role("slider", name="step of training")
    expect(told).to_have_text(line(picture, -1))
    assert drawn(page, picture) == frame(picture, -1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play")).to_be_focused()
    page.keyboard.press("Tab")
    expect(scrubber).to_be_focused()
    for key, index in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowRight", last)):
        page.keyboard.press(key)
        expect(told).to_have_text(line(picture, index))
        expect(scrubber).to_have_attribute("aria-valuetext", f"step {data_of(picture)['steps'][index]}")
        assert drawn(page, picture) == frame(picture, index)
    assert page.faults == []


def test_the_pointer_takes_the_scrubber_to_its_middle(shown):
    page, last = shown(CORNERS), len(data_of(CORNERS)["steps"]) - 1
    page.get_by_role("slider").click()
    index = page.get_by_role("slider").evaluate("range => range.valueAsNumber")
    assert abs(index - last / 2) <= 1
    expect(page.locator("[aria-live]")).to_have_text(line(CORNERS, index))


def test_the_button_plays_from_the_beginning_and_stops(shown):
    """While it plays, nothing is read aloud: nobody could follow."""
    page = shown(FILM)
    button, told = page.get_by_role("button"), page.locator("p")
    expect(told).to_have_attribute("aria-live", "polite")
    button.click()
    expect(button).to_have_text("Pause")
    expect(told).to_have_attribute("aria-live", "off")
    expect(told).not_to_have_text(line(FILM, 0))
    button.click()
    expect(button).to_have_text("▶ Play")
    expect(told).to_have_attribute("aria-live", "polite")
    index = page.get_by_role("slider").evaluate("range => range.valueAsNumber")
    page.wait_for_timeout(500)
    expect(told).to_have_text(line(FILM, index))
    button.click()
    expect(told).to_have_text(line(FILM, index + 1))
    expect(told).to_have_text(line(FILM, -1), timeout=20_000)
    expect(button).to_have_text("▶ Play")
    assert page.faults == []


def test_without_motion_there_is_a_scrubber_alone(shown):
    page = shown(FILM, reduced_motion="reduce")
    expect(page.get_by_role("button")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.get_by_role("slider")).to_be_focused()


def test_two_pictures_on_a_page_are_independent(shown):
    page = shown(FILM)
    page.evaluate(
        """html => { const place = document.createElement("div"); document.querySelector("main").append(place);
        place.append(document.createRange().createContextualFragment(html)); }""",
        CORNERS.html,
    )
    page.get_by_role("slider").last.press("Home")
    expect(page.locator("[aria-live]").last).to_have_text(line(CORNERS, 0))
    expect(page.locator("[aria-live]").first).to_have_text(line(FILM, -1))
    assert page.faults == []
