"""How the course looks and feels in JupyterLab: start page, keyboard, screen reader, contrast, sliders."""

import re
import statistics

import nbformat
import pytest

from tests.support import needs
from tools.browser.learner import IN_FRONT, expect
from tools.course import source
from tools.pictures import UNIT_02, WRONG
from transformer_kit import reference
from transformer_kit.experiments.widths import weights_at_width

pytestmark = pytest.mark.exhaustive(minutes=3)
QUESTION = "answer-it-is-late"

# What the course writes into the page. All around it (menus, panels, toolbars, the cells' frames and editors) is
# JupyterLab's own, faults included, such as editors without a name: nothing that a course could change.
OURS = {"include": [[f"{IN_FRONT} .jp-MarkdownOutput"], [f"{IN_FRONT} .jp-OutputArea-output"]]}
# In a window this high all cells are in view: what is scrolled away has no colours that could be compared.
HIGH, USUAL = {"width": 1300, "height": 40_000}, {"width": 1300, "height": 900}
SCROLLED = f"{IN_FRONT} .jp-WindowedPanel-outer"
# Notes for every move of a slider how many milliseconds later the browser has painted the figure.
STOPWATCH = """() => {
  window.redraws = [];
  document.addEventListener("input", () => {
    const start = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.redraws.push(performance.now() - start)));
  }, true);
}"""
# Faults that must be found: a figure without words, and pale text.
SPOILT = f"""() => {{
  const [picture] = document.querySelectorAll("{IN_FRONT} .jp-OutputArea-output svg[role=img]");
  picture.removeAttribute("aria-label");
  const paragraphs = [...document.querySelectorAll("{IN_FRONT} .jp-MarkdownOutput p")];
  const text = paragraphs.find((each) => each.childElementCount === 0);
  text.style.cssText = "color: #999; background: #aaa";
}}"""


def faults(page):
    """Return the serious and critical faults that axe-core finds in what the course has written into a page."""
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=needs.BROWSER).Axe
    page.set_viewport_size(HIGH)
    # JupyterLab's body has no height, so axe takes all in it for hidden. Cells are laid out when they are scrolled to.
    page.add_style_tag(content="body { height: 100vh } .jp-Cell { content-visibility: visible !important }")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.wait_for_function(f"document.querySelector('{SCROLLED}').clientHeight > 30_000")
    page.evaluate(f"document.querySelector('{SCROLLED}').scrollTop = 0")
    expect(page.locator(f"{IN_FRONT} .jp-Cell").first).to_be_in_viewport()
    found = Axe().run(page, context=OURS, options={}).response
    assert sum(len(rule["nodes"]) for rule in found["passes"] if rule["id"] == "color-contrast") > 40
    grave = [rule for rule in found["violations"] if rule["impact"] in ("serious", "critical")]
    return [f"{rule['id']}: {node['html']}" for rule in grave for node in rule["nodes"]]


def answered_unit_02(learner):
    """Fill in unit 02 before it is opened: right, wrong and open."""
    path = learner.course / "notebooks" / UNIT_02 / f"{UNIT_02}.ipynb"
    answers = {"softmax": source(UNIT_02, "softmax"), "attention_scores": WRONG, QUESTION: source(UNIT_02, QUESTION)}
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        cell.source = answers.get(cell.id, cell.source)
    nbformat.write(book, path)


def test_the_first_opening(learner):
    """The contents are open, the notebooks are trusted, and a click leads from unit to unit."""
    learner.open_course()
    contents = learner.page.locator(".jp-TableOfContents-content")
    expect(contents.get_by_text("How an exercise works")).to_be_visible()
    trusted = learner.page.locator(".jp-StatusBar-Widget [title^='Notebook trusted']")
    expect(trusted).to_be_visible()
    learner.follow("02 Scaled dot-product attention")
    expect(contents.get_by_text("Exercise 2.1: softmax")).to_be_visible()
    expect(trusted).to_be_visible()
    learner.follow("03 Masking")
    learner.follow("START HERE")


def tab_until(page, element):
    """Press Tab until an element has the focus."""
    for _ in range(40):
        if element.count():
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead there")


def test_keyboard_only(learner):
    """From the start page to a passed check, a hint and a slider, without a mouse."""
    page, press = learner.page, learner.page.keyboard.press
    focus = page.locator(":focus")
    learner.open_course()
    tab_until(page, focus.filter(has_text=re.compile("^02 Scaled")))
    press("Enter")
    learner.wait_for_tab(f"{UNIT_02}.ipynb")
    ids = [cell["id"] for cell in learner.saved_cells()]

    def arrow_to(cell_id):
        cell = learner.cell(cell_id)
        here = int(page.locator(".jp-mod-active.jp-Cell:visible").get_attribute("data-windowed-list-index"))
        for _ in range(ids.index(cell_id) - here):
            press("ArrowDown")
        expect(cell).to_be_focused()
        return cell

    press("ArrowDown")
    press("Shift+Enter")
    for exercise in ("softmax", "attention_scores"):
        arrow_to(exercise)
        press("Enter")
        press("ControlOrMeta+a")
        page.keyboard.insert_text(source(UNIT_02, exercise))
        press("Shift+Enter")
        arrow_to(f"check-{exercise}")
        press("Shift+Enter")
        expect(learner.output(f"check-{exercise}")).to_contain_text("visible checks passed")

    tab_until(page, page.locator("summary:focus").filter(has_text="Hint 1: a question"))
    press("Enter")
    expect(learner.panel.locator("details[open]")).to_contain_text("Hint 1: a question")

    press("Escape")
    moving = next(cell["id"] for cell in learner.saved_cells() if "plots.slider(" in "".join(cell["source"]))
    arrow_to(moving)
    press("ControlOrMeta+Enter")
    knob = learner.panel.get_by_role("slider", name="d_k")
    expect(knob).to_be_visible()
    tab_until(page, page.locator("input:focus"))
    for key, value in (("ArrowRight", "256"), ("Home", "1"), ("ArrowUp", "4")):
        press(key)
        expect(knob).to_have_attribute("aria-valuetext", value)
        shown = weights_at_width(int(value), reference.attention_scores, reference.softmax)["no scale"][0]
        figure = learner.output(moving).get_by_role("img")
        expect(figure).to_have_attribute("aria-label", re.compile(rf"\bno scale: 0 {re.escape(f'{shown:.3g}')},"))


def test_slider_answers_at_once(learner):
    """Each move of the mouse shows its figure within a tenth of a second, even after the kernel is gone."""
    answered_unit_02(learner)
    learner.open_course()
    learner.follow("02 Scaled dot-product attention")
    learner.restart_and_run_all()
    learner.restart()
    knob = learner.panel.get_by_role("slider", name="d_k")
    knob.hover()
    box = knob.bounding_box()
    learner.page.evaluate(STOPWATCH)
    learner.page.mouse.down()
    for step in (*range(10, 0, -1), *range(11)):
        learner.page.mouse.move(box["x"] + box["width"] * step / 10, box["y"] + box["height"] / 2)
    learner.page.mouse.up()
    expect(knob).to_have_attribute("aria-valuetext", "1024")
    times = learner.page.evaluate("window.redraws")
    assert len(times) >= 6
    assert statistics.median(times) < 100


def test_the_controls_of_a_picture_keep_their_keys(learner):
    """JupyterLab would take the arrow keys, and go to another cell."""
    learner.open_course()
    learner.follow("01 Positional encoding")
    learner.begin()
    for exercise in ("angular_frequencies", "positional_encoding"):
        learner.write(exercise, source("01_positional_encoding", exercise))
        learner.run(exercise)
    clocks = next(cell["id"] for cell in learner.saved_cells() if "".join(cell["source"]).startswith("clocks("))
    picture = learner.run(clocks)
    picture.get_by_role("slider", name="position").focus()
    for key in ("ArrowDown", "ArrowUp", "ArrowUp", "Tab", "Tab", "ArrowUp"):
        learner.page.keyboard.press(key)
    expect(picture.locator(".said")).to_have_text("position 8")
    expect(picture.get_by_label("256")).to_be_checked()


def test_no_serious_fault_of_accessibility(learner):
    """In both themes, also the contrast of every text: reports of every kind, questions, figures, hints, progress."""
    answered_unit_02(learner)
    learner.open_course()
    learner.restart_and_run_all()
    start_page = faults(learner.page)
    learner.page.set_viewport_size(USUAL)
    learner.follow("02 Scaled dot-product attention")
    learner.restart_and_run_all()
    light = faults(learner.page)
    learner.page.set_viewport_size(USUAL)
    learner.use_dark_theme()
    assert (start_page, light, faults(learner.page)) == ([], [], [])
    learner.page.evaluate(SPOILT)
    assert sorted(fault.split(":")[0] for fault in faults(learner.page)) == ["color-contrast", "svg-img-alt"]


def names_of_pictures(learner):
    """Return what a screen reader says of the figures of a notebook, also of those that answer to keys.

    Each has a text version.
    """
    outputs = learner.panel.locator(".jp-OutputArea-output")
    pictures = outputs.locator("svg.lm-picture").or_(outputs.get_by_role("img"))
    assert pictures.count() >= outputs.locator("details", has_text="Text version of this figure").count()
    return [pictures.nth(number).get_attribute("aria-label") for number in range(pictures.count())]


def test_a_screen_reader_gets_every_figure_and_report(learner):
    """What the browser tells assistive technology holds the text of reports and figures."""
    answered_unit_02(learner)
    learner.open_course()
    learner.follow("02 Scaled dot-product attention")
    learner.restart_and_run_all()
    report = learner.output("check-attention_scores")
    report.evaluate("output => output.querySelectorAll('details').forEach(fold => { fold.open = true })")
    spoken = report.aria_snapshot()
    for part in ("1.5 of 3 points", "PASS", "FAIL", "divides by the square root of d_model"):
        assert part in spoken
    names = names_of_pictures(learner)
    learner.follow("03 Masking")
    learner.restart_and_run_all()
    names += names_of_pictures(learner)
    assert len(names) >= 8
    assert min(map(len, names)) >= 40
