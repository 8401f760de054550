"""Make the README's pictures from real pages: `make pictures` (needs Chromium; see maintainers.md)."""

import tempfile
from pathlib import Path

from tests.browser.lab import CHROMIUM, chromium, course_lab, fresh_course
from tests.browser.learner import Learner, expect
from tests.browser.test_story import UNIT_02, WRONG, source
from tests.course import ROOT

PICTURES = ROOT / "docs" / "pictures"
WINDOW, HIGH = {"width": 1200, "height": 820}, {"width": 1200, "height": 2400}  # in the higher one all is in view
SLIDER = "exercise-2-2-attention-scores-move-the-width-2"


def take(learner, name, *cells):
    """Photograph the window, or the cells from the first to the last that are named."""
    clip = None
    if cells:
        first, last = (learner.cell(cell_id).bounding_box() for cell_id in cells)
        clip = first | {"height": last["y"] + last["height"] - first["y"]}
    learner.page.screenshot(path=PICTURES / f"{name}.png", clip=clip)


def work(learner):
    """Go through the main states, and photograph each."""
    page = learner.page
    learner.open_course()
    take(learner, "start-page")
    learner.follow("02")
    learner.write("softmax", source(UNIT_02, "softmax"))
    learner.write("attention_scores", WRONG)
    learner.restart_and_run_all()
    page.set_viewport_size(HIGH)
    for cell_id in ("attention_scores", "check-attention_scores"):
        learner.cell(cell_id).locator(".jp-InputArea-prompt").click()
        expect(learner.cell(cell_id)).to_be_in_viewport(ratio=1)
    take(learner, "named-mistake", "attention_scores", "check-attention_scores")
    learner.answer("attention_scores", source(UNIT_02, "attention_scores"))
    learner.run(SLIDER)
    page.get_by_role("slider").press("ArrowRight")
    take(learner, "slider", SLIDER, SLIDER)
    page.set_viewport_size(WINDOW)
    learner.use_dark_theme()
    learner.answer("attention_scores", WRONG)
    take(learner, "dark-theme")


def main():
    """Make every picture."""
    if CHROMIUM is None:
        raise SystemExit("Chromium is needed: install it (on Debian: apt-get install chromium) and try again.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        folder = Path(folder)
        fresh_course(folder)
        with course_lab(folder) as address:
            page = browser.new_page(viewport=WINDOW, device_scale_factor=1.5)
            work(Learner(page, folder, address))


if __name__ == "__main__":
    main()
