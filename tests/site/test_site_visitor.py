"""Somebody who visits the site: front page, book, and the way into the notebook, on a desktop and on a phone."""

import re

import pytest

from tests.support import needs
from tests.support.visitor import CHROMIUMS_OWN, HOST, visited
from tools.browser.learner import run_cell
from tools.course import notebook
from transformer_kit.corpus.phrase_book import phrase_book
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.text import normalise
from transformer_kit.corpus.vocabulary import ids_of
from transformer_kit.dictionary.unfit import is_unfit
from transformer_kit.experiments.whole_model.greedy import greedy_translations
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

pytestmark = [pytest.mark.exhaustive(minutes=5), pytest.mark.xdist_group("site visitor")]

UNIT = "02_scaled_dot_product_attention"
DESKTOP = {"viewport": {"width": 1300, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
FRONT_BUDGET, PAGE_BUDGET = 300_000, 1_500_000  # bytes before the first click
FILES = {"index.html": 10, f"{UNIT}.html": 30}


@pytest.fixture(scope="module")
def visitor(pytestconfig, tmp_path_factory):
    with visited(pytestconfig, tmp_path_factory) as visitor:
        yield visitor


@pytest.fixture
def opened(visitor):
    """Return a function that opens a page of the site; it notes errors, and what is loaded."""
    contexts = []

    def open_page(place, **options):
        contexts.append(visitor.browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(120_000)
        page.faults, page.loaded = [], {}
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda note: page.faults.append(note.text) if note.type == "error" else None)
        page.on("requestfinished", lambda asked: page.loaded.update({asked.url: asked.sizes()["responseBodySize"]}))
        page.goto(visitor.address + place, wait_until="load")
        return page

    yield open_page
    for context in contexts:
        context.close()


def pages(site):
    """Return the places of all pages of the book, and of the front page."""
    found = [path.relative_to(site) for path in site.rglob("*.html")]
    return sorted(place.as_posix() for place in found if place.parts[0] not in ("lab", "_static"))


def foreign(visitor):
    """Return the hosts that were asked, without those that Chromium asks by itself."""
    hosts = {address.split("/")[0].split(":")[0] for address in visitor.asked}
    return {host for host in hosts if not host.endswith(CHROMIUMS_OWN)}


def test_the_front_page_leads_to_full_points(opened, visitor):
    reads_unit_02_and_moves_its_picture(opened(f"{UNIT}.html", **PHONE))
    page = opened("", **DESKTOP)
    visitor.asked.clear()
    page.get_by_label("An English sentence").fill("Where is the station?")
    page.get_by_role("button", name="Translate", exact=True).click()
    page.get_by_text("¿Dónde está la estación?").wait_for()
    page.get_by_label("A word", exact=True).fill("moon cat")
    page.get_by_role("button", name="Define", exact=True).click()
    page.locator("#define output.answer").wait_for()
    page.get_by_label("An English sentence").fill("I like blorfs.")
    page.get_by_role("button", name="Translate", exact=True).click()
    page.get_by_text("It does not know “blorfs”").wait_for()

    page.get_by_role("link", name="Read the course").click()
    page.get_by_role("link", name="02 Scaled dot-product attention").first.click()
    page.get_by_role("heading", name="Exercise 2.1: softmax").wait_for()
    assert foreign(visitor) == set()  # nobody outside the site was asked so far
    assert page.faults == []
    page.get_by_role("link", name="Run this unit").click()
    page.get_by_text("Python is starting.").wait_for()
    page.get_by_text("about 50 MB").wait_for()
    page.locator(".jp-TableOfContents-content").get_by_text("Exercise 2.1: softmax").wait_for()
    page.wait_for_function("document.documentElement.dataset.python == 'ready'")
    page.set_viewport_size({"width": 1300, "height": 12_000})  # JupyterLab makes only the cells that can be seen
    solution = next(cell.source for cell in notebook(UNIT).cells if cell.id == "softmax")
    run_cell(page, "import numpy as np")
    run_cell(page, "def softmax(", solution)
    run_cell(page, "check(softmax)").get_by_text("softmax: 4 of 4 points").wait_for()
    assert foreign(visitor) == {HOST}


def reads_unit_02_and_moves_its_picture(page):
    page.get_by_text("To write the code you need a larger one").wait_for()
    picture = page.locator("[data-lm-suppress-shortcuts]", has_text="of 6").first
    told = picture.locator("[aria-live]")
    before = told.text_content()
    picture.get_by_role("button", name="next").tap()
    picture.get_by_text("2 of 6").wait_for()
    assert told.text_content() != before
    hint = page.locator("details", has_text="Hint 1").first
    assert not hint.get_by_text("Which number can you subtract").is_visible()
    hint.locator("summary").tap()
    hint.get_by_text("Which number can you subtract").wait_for()
    assert page.faults == []


def test_a_phone_is_told_to_read(opened):
    page = opened(f"lab/?path={UNIT}/{UNIT}.ipynb", **PHONE)
    page.get_by_role("link", name="Read this unit in the book").click()
    page.get_by_role("heading", name="02 Scaled dot-product attention").wait_for()


@pytest.mark.parametrize(("place", "budget"), [("index.html", FRONT_BUDGET), (f"{UNIT}.html", PAGE_BUDGET)])
def test_what_a_page_costs_before_the_first_click(place, budget, opened, visitor):
    """The first picture waits for nothing: it is in the page itself."""
    page = opened(place, **DESKTOP)
    page.wait_for_load_state("networkidle")
    assert all(address.startswith(visitor.address) for address in page.loaded)
    assert page.loaded[visitor.address + place] <= sum(page.loaded.values()) < budget
    assert len(page.loaded) <= FILES[place]
    assert "svg" in page.evaluate("document.querySelector('main svg.lm-picture, main img[src^=data]').outerHTML")


@pytest.mark.parametrize("place", FILES)
def test_the_first_picture_needs_page_and_styles_only(place, opened):
    page = opened(place, **DESKTOP)
    needed = ("document", "stylesheet")
    page.route("**/*", lambda route: route.continue_() if route.request.resource_type in needed else route.abort())
    page.reload(wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    assert page.locator("main svg.lm-picture, main img[src^=data]").first.bounding_box()["width"] > 100


def test_no_page_is_too_wide_or_broken(opened, visitor):
    page = opened("contents.html", **PHONE)
    found = {}
    for place in pages(visitor.site):
        page.goto(visitor.address + place)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        found[place] = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert {place: more for place, more in found.items() if more > 0} == {}
    assert page.faults == []


STILL = "*, *::before, *::after { animation: none !important; transition: none !important }"


@pytest.mark.parametrize(("options", "step"), [(DESKTOP, 1), (PHONE, -1)], ids=["desktop, light", "phone, dark"])
def test_axe_finds_nothing_grave(options, step, opened, visitor, part_of):
    """On a part of the pages that begins at either end."""
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=needs.BROWSER).Axe
    page = opened("index.html", reduced_motion="reduce", **options)
    found = {}
    for place in part_of([*pages(visitor.site)][::step], 4):
        page.goto(visitor.address + place)
        page.add_style_tag(content=STILL)  # what fades in is pale for a while
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")
        faults = Axe().run(page).response["violations"]
        grave = [rule for rule in faults if rule["impact"] in ("serious", "critical")]
        found[place] = [f"{rule['id']}: {node['html']}" for rule in grave for node in rule["nodes"]]
    assert {place: faults for place, faults in found.items() if faults} == {}


def test_axe_sees_pale_text_and_missing_alternatives(opened):
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=needs.BROWSER).Axe
    page = opened("index.html", **DESKTOP)
    page.evaluate("document.querySelector('.lead').style.color = '#bbb'")
    page.evaluate("document.querySelector('header img').removeAttribute('alt')")
    assert {rule["id"] for rule in Axe().run(page).response["violations"]} >= {"color-contrast", "image-alt"}


def test_the_front_page_translates_like_the_course(opened):
    model = load_model()
    english = [" ".join(words) for words in sorted(phrase_book()) if set(words) <= set(model.source_vocabulary)]
    sentences = [text for text in english if sum(text.count(mark) for mark in ".?") == 1][::4]
    assert len(sentences) > 40
    ids = [ids_of(prepare_sentence(text, model).split(), model.source_vocabulary) for text in sentences]
    expected = [written_sentence(row, model) for row in greedy_translations(ids, model)]
    page = opened("index.html", **DESKTOP)
    found = page.evaluate(
        """async (sentences) => {
          const { read, translate } = await import("./front/transformer.js");
          const model = read(await (await fetch("models/translator.bin")).arrayBuffer());
          return sentences.map((sentence) => translate(sentence, model));
        }""",
        sentences,
    )
    assert found == expected


def test_the_front_page_reads_words_like_the_course(opened):
    typed = ["I'm 25, and she doesn't!", "Ana's cats", "¿Qué?", "...", "Are you OK", "It\u2019s  a   GREY cat"]
    words = ["moon lantern", "Müller-cat", "naïve", "zx9 q"]
    shady = ["a murderer", "a wall", "to kill time", "killing", "an x", "sexton"]
    model = load_dictionary()
    page = opened("index.html", **DESKTOP)
    found = page.evaluate(
        """async ([typed, words, shady]) => {
          const { encode, isUnfit, normalise, read } = await import("./front/transformer.js");
          const file = async (name) => read(await (await fetch(`models/${name}.bin`)).arrayBuffer());
          const [translator, dictionary] = [await file("translator"), await file("dictionary")];
          return [typed.map((text) => normalise(text, translator).join(" ")),
                  words.map((word) => encode(` ${word}`, dictionary.merges)),
                  shady.map((text) => isUnfit(text, dictionary.unfit))];
        }""",
        [typed, words, shady],
    )
    expected = [[normalise(text) for text in typed], [model.pieces.encode(f" {word}") for word in words]]
    assert found == [*expected, [is_unfit(text) for text in shady]]
    assert len(set(found[2])) == 2


def test_dark_and_light_can_be_chosen(opened):
    page = opened(f"{UNIT}.html", **DESKTOP)
    grounds = []
    for name in ("Dark", "Light"):
        page.get_by_role("button", name="Color mode").click()
        page.get_by_role("button", name=name, exact=True).click()
        page.locator(f"html[data-theme={name.lower()}]").wait_for()
        grounds.append(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--wash')"))
    assert grounds == ["#1b2230", "#f3f6fc"]


@pytest.mark.parametrize("place", ["index.html", f"{UNIT}.html"])
def test_a_printed_page_is_light_and_without_buttons(place, opened):
    page = opened(place, **DESKTOP, color_scheme="dark")
    colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('p')).color]"
    screen = page.evaluate(colours)
    page.emulate_media(media="print")
    page.wait_for_function(f"{colours}[0] == 'rgb(255, 255, 255)'")
    for unwanted in (".run-unit, .doors, .write-it, .bd-sidebar-primary, nav", ".bd-article details:not([open])"):
        assert page.locator(unwanted).filter(visible=True).count() == 0
    cut = "[...document.querySelectorAll('.bd-article pre')].filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.evaluate(cut) == 0
    assert max(map(int, re.findall(r"\d+", page.evaluate(colours)[1]))) < 100
    page.emulate_media(media="screen")
    page.wait_for_function(f"{colours}[0] == '{screen[0]}'")


def test_the_search_finds_a_unit(opened, visitor):
    page = opened("search.html?q=softmax", **DESKTOP)
    page.locator("#search-results").get_by_role("link", name="02 Scaled dot-product attention").first.wait_for()
