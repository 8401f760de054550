"""A learner works in a real browser: right, wrong and unfinished answers, the own library, restarts and reloads."""

import json
import re

import pytest

from autograder.registry import units
from autograder.sources import source_of
from tools.browser.learner import expect
from tools.course import notebook, source
from tools.pictures import UNIT_02, WRONG

pytestmark = pytest.mark.exhaustive(minutes=2.5)

UNIT_00, UNIT_01 = "00_tokens_and_shapes", "01_positional_encoding"
UNIT_03 = "03_masking"
UNIT_09 = "09_transformer"
PAYOFF = re.compile(r"^\w+\(.*\bscaled_dot_product_attention\b", re.M)  # of unit 02: a picture by one's own attention
QUESTION = "answer-it-is-late"


def exercises(unit_id):
    """Return the names of a unit's exercises, in order."""
    ids = [cell.id for cell in notebook(unit_id).cells]
    return [cell_id.removeprefix("check-") for cell_id in ids if cell_id.startswith("check-")]


def write_library(folder, units):
    """Write what a learner has after some units: their functions, which take those of other units from their files."""
    everything = [exercise.name for unit in units for exercise in unit.exercises]
    for unit in units:
        own = [exercise.name for exercise in unit.exercises]
        borrowed = [f'{name} = functions("{name}")' for name in everything if name not in own]
        parts = [*map(source_of, own), "from transformer_kit.workbench import functions", *borrowed]
        (folder / f"unit_{unit.id}.py").write_text("\n".join(parts), encoding="utf-8")


def progress_file(course):
    return json.loads((course / "notebooks" / "my_transformer" / "progress.json").read_text(encoding="utf-8"))


def test_one_unit(learner):
    """Unfinished, right and wrong answers in unit 02; the same after a restart and after a reload."""
    learner.open_course()
    learner.follow("02 Scaled dot-product attention")
    learner.begin()

    learner.run("softmax")
    expect(learner.run("check-softmax")).to_contain_text("softmax: 0 of 4 points, not written yet")
    expect(learner.answer("softmax", source(UNIT_02, "softmax"))).to_contain_text("4 of 4 points")
    report = learner.answer("attention_scores", WRONG)
    expect(report).to_contain_text("1.5 of 3 points")
    expect(report).to_contain_text("Cause: your function divides by the square root of d_model")
    report = learner.answer("attention_scores", source(UNIT_02, "attention_scores"))
    expect(report).to_contain_text("3 of 3 points, visible checks passed")
    expect(report).not_to_contain_text("Cause:")

    expect(learner.run(QUESTION)).to_contain_text("OPEN.")
    for letter, reply in (("B", "NOT QUITE."), ("A", "RIGHT.")):
        learner.write(QUESTION, f'answer = "{letter}"\npredict("it-is-late", answer)')
        expect(learner.run(QUESTION)).to_contain_text(reply)

    hint = learner.panel.locator("details", has_text="Hint 1: a question").first
    hint.locator("summary").click()
    expect(hint).to_have_attribute("open", "")

    learner.restart_and_run_all()
    for _ in ("in the page", "from the file"):
        expect(learner.output("check-attention_scores")).to_contain_text("3 of 3 points")
        expect(learner.output("check-attention_backward")).to_contain_text("not written yet")
        expect(learner.output(QUESTION)).to_contain_text("RIGHT.")
        expect(learner.panel.get_by_role("slider")).to_have_accessible_name("d_k")
        expect(learner.panel.locator('[data-mime-type="application/vnd.jupyter.error"]')).to_have_count(0)
        learner.save()
        learner.reload()
    learner.follow("03 Masking")


def test_three_units_and_what_comes_of_them(learner):
    """Units 00 to 02 with a named mistake; then the own functions in unit 03, and the points on the start page."""
    learner.open_course()
    for unit_id in (UNIT_00, UNIT_01, UNIT_02):
        learner.follow(unit_id[:2])
        learner.begin()
        for exercise in exercises(unit_id):
            if exercise == "attention_scores":
                expect(learner.answer(exercise, WRONG)).to_contain_text("divides by the square root of d_model")
            expect(learner.answer(exercise, source(unit_id, exercise))).to_contain_text("visible checks passed")
        learner.save()
    learner.follow("03 Masking")
    loading = next(cell["id"] for cell in learner.saved_cells() if "load(" in "".join(cell["source"]))
    expect(learner.run(loading)).to_contain_text("Yours: attention_scores, softmax.")

    learner.go_to("START_HERE")
    start = next(cell["id"] for cell in learner.saved_cells() if "progress()" in "".join(cell["source"]))
    table = learner.run(start)
    rows = table.get_by_role("row")
    for unit_id, points in ((UNIT_00, 10), (UNIT_01, 20), (UNIT_02, 20)):
        expect(rows.filter(has_text=re.compile(rf"^\s*{unit_id[:2]}\b"))).to_contain_text(f"DONE {points} of {points}")
    expect(rows.filter(has_text="02 ")).to_contain_text("1 of 1")  # mistakes overcome
    expect(table).to_contain_text("Next: 03 Masking")
    table.get_by_role("link", name="03 Masking").last.click()
    learner.wait_for_tab(f"{UNIT_03}.ipynb")


def test_two_notebooks_a_restart_and_a_reload(learner):
    """Two kernels write into one library; what was written lasts, saved or not."""
    learner.open_course()
    answers = {UNIT_00: ("one_hot", "00"), UNIT_02: ("softmax", "02")}
    for unit_id, (exercise, number) in answers.items():
        learner.go_to("START_HERE")
        learner.follow(number)
        learner.begin()
        learner.write(exercise, source(unit_id, exercise))
        learner.run(exercise)
    for unit_id, (exercise, _) in answers.items():
        learner.go_to(unit_id)
        learner.start(f"check-{exercise}")
    for unit_id, (exercise, _) in answers.items():
        learner.go_to(unit_id)
        expect(learner.output(f"check-{exercise}")).to_contain_text("visible checks passed")
    library = learner.course / "notebooks" / "my_transformer"
    for unit_id, (exercise, _) in answers.items():
        assert f"def {exercise}(" in (library / f"unit_{unit_id}.py").read_text(encoding="utf-8")
    assert set(progress_file(learner.course)["exercises"]) == {"one_hot", "softmax"}

    learner.restart()
    expect(learner.output("check-softmax")).to_contain_text("4 of 4 points")
    learner.save()
    learner.write("attention_scores", WRONG)
    with learner.page.expect_event("dialog") as asked:  # JupyterLab asks before it forgets what is not saved
        learner.page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    expect(learner.cell("attention_scores")).to_contain_text("d_model = 512")
    learner.menu("File", "Save All")
    expect(learner.page.locator(".lm-DockPanel-tabBar .jp-mod-dirty")).to_have_count(0)
    learner.reload()
    expect(learner.cell("attention_scores")).to_contain_text("d_model = 512")
    expect(learner.output("check-softmax")).to_contain_text("4 of 4 points")
    learner.go_to(UNIT_00)
    expect(learner.output("check-one_hot")).to_contain_text("visible checks passed")


def test_from_the_start_page_to_the_finale(learner):
    """Unit 02 and its payoff; then, with the units between in the library, unit 09, whose card names the learner."""
    learner.open_course()
    learner.follow(UNIT_02[:2])
    learner.begin()
    for exercise in exercises(UNIT_02):
        expect(learner.answer(exercise, source(UNIT_02, exercise))).to_contain_text("visible checks passed")
    payoff = [cell["id"] for cell in learner.saved_cells() if PAYOFF.search("".join(cell["source"]))][-1]
    expect(learner.run(payoff).locator("svg").first).to_be_visible()
    learner.save()

    write_library(learner.course / "notebooks" / "my_transformer", units()[:9])
    learner.go_to("START_HERE")
    learner.follow(UNIT_09[:2])
    learner.begin()
    expect(learner.run("a-sentence-first-2")).to_contain_text(
        re.compile(r"by \d+ functions of yours and \d+ of the course")
    )
    expect(learner.run("layer-by-layer-2")).to_contain_text("parts of the trained model are right, with your functions")
    for exercise in exercises(UNIT_09):
        expect(learner.answer(exercise, source(UNIT_09, exercise))).to_contain_text("visible checks passed")
    learner.write("the-finale-1", 'my_sentence = "The cat is hungry."')
    learner.run("the-finale-1")
    card = learner.run("the-finale-2")
    expect(card).to_contain_text("El gato tiene hambre.")
    expect(card).to_contain_text("computed by 24 functions of yours")
    expect(card).not_to_contain_text("of the course")
