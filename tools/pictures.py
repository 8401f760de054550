"""Make the README's pictures from real pages: `make pictures` (needs Chromium; see maintainers.md)."""

import inspect
import tempfile
from pathlib import Path

from tools.bank import specimens
from tools.browser.lab import CHROMIUM, chromium, course_lab, fresh_course
from tools.browser.learner import Learner, expect
from tools.course import ROOT, notebook, source
from tools.site.pictures import photograph
from transformer_kit.pictures import machine

UNIT_02 = "02_scaled_dot_product_attention"
WRONG = '''def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key."""
    d_model = 512
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_model)'''
PICTURES, SITE = ROOT / "docs" / "pictures", ROOT / "site"
REPORTS = PICTURES / "reports"
WINDOW, HIGH = {"width": 1200, "height": 820}, {"width": 1200, "height": 2400}  # in the higher one all is in view
# A report of each kind: the exercise, and the name of a function of the bank or a source
KINDS = {
    "most-likely": ("softmax", "log_softmax"),
    "two-mistakes": ("softmax", "formula_on_everything"),
    "the-line": ("scaled_dot_product_attention", "star"),
    "shapes-that-meet": ("attention_scores", "no_leading_axes"),
    "what-came-back": ("scaled_dot_product_attention", "unscaled_wrong_order"),
    "time-limit": ("softmax", "def softmax(x, axis=-1):\n    while True:\n        x = np.exp(x - x.max())"),
    "not-judged-yet": ("scaled_dot_product_attention", "averages_keys"),
    "unstable": ("softmax", "def softmax(x, axis=-1):\n    return np.random.default_rng().random(x.shape)"),
    "not-valid-python": ("softmax", "def softmax(x, axis=-1):\n    return np.exp(x"),
    "not-written": ("softmax_jacobian", "def softmax_jacobian(s, C=1.0):\n    raise NotImplementedError"),
    "renamed": ("softmax_backward", "def softmax_back(p, d_p, axis=-1):\n    return p * d_p"),
    "passed": ("softmax_backward", source(UNIT_02, "softmax_backward")),
}
OPENED = {"not-judged-yet"}  # which checks these are stands in the details
SLIDER = next(cell.id for cell in notebook(UNIT_02).cells if "plots.slider(" in cell.source)


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
        learner.cell(cell_id).scroll_into_view_if_needed()
        expect(learner.cell(cell_id)).to_be_in_viewport(ratio=1)
    take(learner, "named-mistake", "attention_scores", "check-attention_scores")
    reports(learner)
    for exercise in ("softmax", "attention_scores"):  # instead of the last of those whose reports were taken
        learner.answer(exercise, source(UNIT_02, exercise))
    learner.run(SLIDER)
    page.get_by_role("slider").press("ArrowRight")
    take(learner, "slider", SLIDER, SLIDER)
    page.set_viewport_size(WINDOW)
    learner.use_dark_theme()
    learner.answer("attention_scores", WRONG)
    take(learner, "dark-theme")


def source_of(exercise, name):
    """Return the source of a function of the bank as it would stand in the notebook; a source stays as it is."""
    specimen = next((s for s in specimens(exercise) if s.function.__name__ == name), None)
    if specimen is None:
        return name
    code = inspect.getsource(specimen.function)
    return code.replace(f"def {name}(", f"def {exercise}(").replace("reference.", "")


def reports(learner):
    """Photograph a report of each kind."""
    for kind, (exercise, name) in KINDS.items():
        learner.answer(exercise, source_of(exercise, name))
        if kind in OPENED:
            learner.output(f"check-{exercise}").get_by_text("Details").click()
        learner.output(f"check-{exercise}").screenshot(path=REPORTS / f"{kind}.png")


def main():
    """Make every picture."""
    if CHROMIUM is None:
        raise SystemExit("Chromium is needed: install it (on Debian: apt-get install chromium) and try again.")
    REPORTS.mkdir(parents=True, exist_ok=True)
    (PICTURES / "machine.svg").write_text(machine().svg, encoding="utf-8", newline="\n")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        photograph(browser, SITE, PICTURES)
        folder = Path(folder)
        fresh_course(folder)
        with course_lab(folder) as address:
            page = browser.new_page(viewport=WINDOW, device_scale_factor=1.5)
            work(Learner(page, folder, address))


if __name__ == "__main__":
    main()
