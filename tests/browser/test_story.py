"""A learner works in a real browser: right, wrong and unfinished answers, figures, hints, restarts and reloads."""


import pytest

from tests.course import notebook

expect = pytest.importorskip("playwright.sync_api", reason="needs Playwright: `make browser` installs it").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNIT_00, UNIT_01 = "00_tokens_and_shapes", "01_positional_encoding"
UNIT_02, UNIT_03 = "02_scaled_dot_product_attention", "03_masking"
WRONG = '''def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key."""
    d_model = 512
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_model)'''


def solution(unit_id, cell_id):
    """Return the code of a cell of the instructor's notebook."""
    return next(cell.source for cell in notebook(unit_id).cells if cell.id == cell_id)


def exercises(unit_id):
    """Return the names of a unit's exercises, in order."""
    ids = [cell.id for cell in notebook(unit_id).cells]
    return [cell_id.removeprefix("check-") for cell_id in ids if cell_id.startswith("check-")]


def test_from_the_start_page_to_full_points(learner):
    learner.open_course()
    contents = learner.page.locator(".jp-TableOfContents-content")
    expect(contents.get_by_text("How an exercise works")).to_be_visible()
    learner.follow("02 Scaled dot-product attention")
    expect(contents.get_by_text("Exercise 2.1: softmax")).to_be_visible()
    learner.begin()

    learner.run("softmax")
    expect(learner.run("check-softmax")).to_contain_text("softmax: 0 of 4 points, not written yet")
    expect(learner.answer("softmax", solution(UNIT_02, "softmax"))).to_contain_text("4 of 4 points, visible checks passed")

    report = learner.answer("attention_scores", WRONG)
    expect(report).to_contain_text("1.5 of 3 points")
    expect(report).to_contain_text("Likely cause: division by the square root of d_model")
    report = learner.answer("attention_scores", solution(UNIT_02, "attention_scores"))
    expect(report).to_contain_text("3 of 3 points")
    expect(report).not_to_contain_text("Likely cause")

    expect(learner.run("answer-ten-times-the-scores")).to_contain_text("OPEN.")
    learner.write("answer-ten-times-the-scores", 'answer = "A"\npredict("ten-times-the-scores", answer)')
    expect(learner.run("answer-ten-times-the-scores")).to_contain_text("NOT QUITE.")

    learner.restart_and_run_all()
    expect(learner.output("check-attention_scores")).to_contain_text("3 of 3 points")
    expect(learner.output("check-attention_backward")).to_contain_text("not written yet")
    expect(learner.panel.locator(".jp-OutputArea-output[data-mime-type*=error]")).to_have_count(0)

    learner.save()
    learner.reload()
    expect(learner.output("check-attention_scores")).to_contain_text("3 of 3 points")
    learner.follow("03 Masking")
