"""The pictures of unit 13 in a browser: the turning clocks and the map of all heads, by pointer and keyboard."""

import numpy as np
import pytest

from tests.support.pictures import THEMES
from tests.support.shown_pictures import caption, check_width, check_with_axe, check_without_scripts
from tools.browser.learner import expect
from transformer_kit import reference
from transformer_kit.pictures import head_costs, rotary_clocks
from transformer_kit.trained.recorded import load_recording

pytestmark = pytest.mark.exhaustive
RECORDED = load_recording("chat")
COSTS, CLOCKS = head_costs(RECORDED), rotary_clocks(reference.rotate)
PICTURES = {"clocks": CLOCKS, "heads": COSTS}
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


def said_of(block, head):
    costs = (round(float(costs[block, head]), 2) + 0.0 for costs in (RECORDED.copying_cost, RECORDED.english_cost))
    return "Head {}.{} silent: copying {:+.2f}, English {:+.2f}.".format(block, head, *costs)


def test_the_map_tells_what_each_head_costs(shown):
    page = shown(COSTS)
    page.get_by_role("button", name="head 3.7", exact=True).hover()
    expect(caption(page)).to_have_text(said_of(3, 7))
    page.get_by_role("button", name="head 1.4", exact=True).hover()  # it has a frame
    expect(caption(page)).to_have_text(said_of(1, 4))
    assert page.faults == []


def test_arrows_walk_over_the_map(shown):
    page = shown(COSTS)
    block, head = np.unravel_index(RECORDED.copying_cost.argmax(), RECORDED.copying_cost.shape)
    page.keyboard.press("Tab")
    expect(caption(page)).to_have_text(said_of(block, head))
    for key, down, right in (("ArrowDown", 1, 0), ("ArrowRight", 0, 1), ("ArrowUp", -1, 0), ("ArrowLeft", 0, -1)):
        page.keyboard.press(key)
        block, head = block + right, head + down
        expect(caption(page)).to_have_text(said_of(block, head))
    page.keyboard.press("End")
    expect(caption(page)).to_have_text(said_of(29, 8))
    page.keyboard.press("Tab")
    expect(page.locator("summary")).to_be_focused()


@pytest.mark.parametrize("position", [20, 33, 40])
@pytest.mark.parametrize("distance", [0, 3, 17])
def test_the_sum_follows_distance_and_not_position(shown, position, distance):
    page = shown(CLOCKS)
    page.get_by_role("slider", name="both moved").fill(str(position))
    page.get_by_role("slider", name="distance").fill(str(distance))
    first, second = reference.rotate(np.tile([1.0, 0.0], (2, 32)), np.array([0, distance]), 100_000.0)
    told = f"Query at {position}, key at {position - distance}: sum of the 32 products: {first @ second:.1f}."
    expect(caption(page)).to_have_text(told)
    assert page.faults == []
