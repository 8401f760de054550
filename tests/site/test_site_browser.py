"""The static site in Chromium, as a learner uses it: this machine plays its CDN, and nobody else is asked."""

import json
from types import SimpleNamespace

import pytest

from autograder.grading.intake.find.pipeline import find
from autograder.registry import units
from tests.support.visitor import CHROMIUMS_OWN, HOST, visited
from tools.course import notebook
from tools.site.lab.build import START_PAGE

pytestmark = pytest.mark.exhaustive(minutes=2)

UNIT, NEXT_UNIT = "02_scaled_dot_product_attention", "03_masking"
LONG = {"width": 1200, "height": 16_000}  # JupyterLab makes only the cells that can be seen
SLIDER = "plots.slider("
IDLE = ".jp-Notebook-ExecutionIndicator[data-status='idle']"  # before a kernel is there, keys have no effect
RED = "[data-mime-type='application/vnd.jupyter.stderr']"  # where Matplotlib says that it looks for fonts


@pytest.fixture(scope="module")
def learner(pytestconfig, tmp_path_factory):
    """A page in Chromium, the site's address, and what was asked of the rest of the world."""
    with visited(pytestconfig, tmp_path_factory) as visitor:
        page = visitor.browser.new_page(viewport=LONG)
        page.set_default_timeout(120_000)
        yield SimpleNamespace(page=page, address=visitor.address, asked=visitor.asked)


def open_notebook(learner, place):
    """Load the page anew with one notebook, and so with one new kernel: no variable is left of what was there."""
    lab = f"{learner.address}lab/lab/index.html"
    learner.page.goto(f"{lab}?reset")  # or the notebooks of before would be opened, too
    learner.page.locator(".jp-Launcher").wait_for()
    learner.page.goto(f"{lab}?path={place}")
    panel(learner.page).locator(IDLE).wait_for()


def panel(page):
    """The notebook in front."""
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


def cell(page, code):
    """The first cell with a piece of code."""
    return panel(page).locator(".jp-CodeCell", has_text=code).first


def run(page, code, instead=None):
    """Run the cell with a piece of code, perhaps with other code in it; return its output."""
    cell(page, code).locator(".cm-content").click()
    if instead:
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(instead)
    page.keyboard.press("Control+Enter")
    return cell(page, code).locator(".jp-OutputArea")


def first_cell(unit_id):
    """The first code cell of a notebook."""
    return next(cell.source for cell in notebook(unit_id).cells if cell.cell_type == "code")


def choose(page, menu, item):
    """Choose an item of the menu bar."""
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.locator(".lm-Menu").get_by_text(item, exact=True).click()


def test_a_learner_corrects_a_mistake_and_hands_in(learner, tmp_path):
    """From the start page to full points, a reload, and the file that a class would be graded from."""
    page, right = learner.page, {cell.id: cell.source for cell in notebook(UNIT).cells}
    page.goto(f"{learner.address}lab/")
    page.get_by_role("heading", name="Start here").last.wait_for()
    choose(page, "Run", "Run All Cells")
    page.get_by_text("Cause:").wait_for()  # of the softmax that is wrong on purpose
    page.get_by_text("You have not started yet").wait_for()
    page.get_by_role("link", name="02 Scaled dot-product attention").first.click()
    panel(page).get_by_role("heading", name="Exercise 2.6").wait_for()

    shown = run(page, "import numpy as np", f"{first_cell(UNIT)}\nimport os\nprint(os.getcwd())")
    shown.get_by_text(f"/drive/{UNIT}").wait_for()  # the notebook's own folder, as everywhere
    run(page, "def softmax(", right["softmax"])
    run(page, "check(softmax)").get_by_text("softmax: 4 of 4 points").wait_for()
    run(page, "def attention_scores(", right["attention_scores"].replace("Q.shape[-1]", "K.shape[-2]"))
    run(page, "check(attention_scores)").get_by_text("divides by the square root of the number of keys").wait_for()
    cell(page, "check(attention_scores)").get_by_text("cannot be stopped here: choose Kernel").wait_for()
    run(page, "def attention_scores(", right["attention_scores"])
    run(page, "check(attention_scores)").get_by_text("attention_scores: 3 of 3 points").wait_for()
    knob = run(page, SLIDER).get_by_role("slider")
    before = knob.get_attribute("aria-valuetext")
    knob.fill("0")
    assert knob.get_attribute("aria-valuetext") != before
    cell(page, SLIDER).locator("svg[role=img]:visible").wait_for()
    run(page, "import numpy as np", f"{first_cell(UNIT)}\nfrom autograder import hint\nhint('softmax')")
    cell(page, "import numpy as np").get_by_text("Hint 1 of 3.").wait_for()
    assert panel(page).locator(RED).count() == 0

    choose(page, "File", "Save Notebook")
    with page.expect_download() as download:
        choose(page, "File", "Download")
    open_notebook(learner, f"{UNIT}/{UNIT}.ipynb")
    panel(page).get_by_text("attention_scores: 3 of 3 points").wait_for()
    assert download.value.suggested_filename == f"{UNIT}_{UNIT}.ipynb"

    handed_in = tmp_path / "ann" / download.value.suggested_filename
    download.value.save_as(handed_in)
    (candidate,) = find(tmp_path, units()).candidates
    assert (candidate.student, candidate.unit) == ("ann", UNIT)
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(handed_in.read_text())["cells"]}
    assert cells["attention_scores"] == right["attention_scores"]


def test_what_passed_is_there_after_a_reload(learner):
    """The learner of the test above opens the next unit and the start page, each in a new Python."""
    page = learner.page
    open_notebook(learner, f"{NEXT_UNIT}/{NEXT_UNIT}.ipynb")
    run(page, 'load("attention_scores"').get_by_text("Yours: attention_scores, softmax.").wait_for()

    open_notebook(learner, START_PAGE)
    table = run(page, "progress()")
    table.get_by_text(f"7 of {sum(unit.points for unit in units()):g} points").wait_for()
    row = table.get_by_role("row").filter(has_text="02 Scaled dot-product attention")
    for text in ("7 of 20", "1 of 1", "1 hint"):  # points, mistakes overcome, help taken
        row.get_by_text(text, exact=True).wait_for()


def test_only_site_and_cdn_are_asked(learner):
    hosts = {address.split("/")[0] for address in learner.asked}
    assert {host for host in hosts if not host.endswith(CHROMIUMS_OWN)} == {HOST}
    files = {address.split("/")[-1].split("-")[0] for address in learner.asked if address.startswith(HOST)}
    assert {"pyodide.mjs", "numpy", "scipy", "matplotlib"} <= files
