"""Pictures to show on a page in a browser, and what has to hold for each of them."""

from itertools import combinations

import pytest

from tests.support import needs
from tests.support.attention_pictures import pictures_of_attention
from tests.support.pictures import pictures_of_the_first_units
from tests.support.pictures_in_time import IN_TIME
from tools.browser.learner import expect
from transformer_kit import reference
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.pictures import head_explorer, machine
from transformer_kit.style import FOLD
from transformer_kit.trained.model import load_model

MODEL = load_model()
SEEN = watched("The red car is new.", MODEL, reference)
RESULTS = {heads: f"without {len(heads)}: {sum(heads)}" for n in range(5) for heads in combinations(range(4), n)}
MACHINE, HEADS = machine("04", {"softmax"}), head_explorer(SEEN, query=2)
SWITCHES = head_explorer(SEEN, results=RESULTS)
PICTURES = {"machine": MACHINE, "heads": HEADS, "switches": SWITCHES}
PICTURES |= {**pictures_of_the_first_units(), **pictures_of_attention(), **IN_TIME}


def caption(page):
    """Return the line that says what is shown, and is read out when it changes."""
    return page.locator("[aria-live]")


def check_with_axe(shown, picture, theme):
    """Let axe look at a picture in a theme, with all that can be folded open."""
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=needs.BROWSER).Axe
    page = shown(picture, theme)
    page.locator("svg").first.hover()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    found = Axe().run(page).response
    assert [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]] == []
    assert page.faults == []


def check_width(shown, picture, width):
    """Require that a picture is as wide as its page at the most, and of its own proportions."""
    page = shown(picture, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("svg.lm-picture").bounding_box()
    assert box["width"] <= width
    right, down = picture.narrow[2:] if width < FOLD else picture.size
    assert box["height"] / box["width"] == pytest.approx(down / right, rel=0.02)


def check_without_scripts(shown, picture):
    """Require an image with the title of the picture where no script runs."""
    page = shown(picture, java_script_enabled=False)
    image = page.get_by_role("img", name=picture.title)
    expect(image).to_be_visible()
    assert image.bounding_box()["height"] > 200
    expect(page.locator("svg")).to_have_count(0)
