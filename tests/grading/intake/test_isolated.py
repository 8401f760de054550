"""Reading in a process of its own gives what reading here gives; one that ends early costs its own notebook only."""

import pytest

from autograder.grading.intake import isolated
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.take_in import Intake
from autograder.grading.isolation.client import NoAnswer
from autograder.registry import units
from tests.support.damaged_notebooks import CORPUS
from tools.course import ROOT

UNIT = "02_scaled_dot_product_attention"


@pytest.fixture
def no_answer(monkeypatch):
    """Every process that reads ends too early."""

    def ask(*_):
        raise NoAnswer("it took too long")

    monkeypatch.setattr(isolated, "ask", ask)


LONG = "very long outputs"  # all of the others are quick


@pytest.mark.parametrize("kind", [pytest.param(k, marks=pytest.mark.exhaustive if k == LONG else ()) for k in CORPUS])
def test_the_same_comes_out_as_here(kind):
    handed_in = HandedIn("ann", UNIT, "ann.ipynb", "2026-01-02", CORPUS[kind].content, ROOT, before=("Passed over.",))
    assert isolated.submission_of(handed_in) == handed_in.take_in()


def test_an_unreadable_notebook_has_a_verdict_in_time(no_answer):
    handed_in = HandedIn("ann", UNIT, "ann.ipynb", "", b"{}", ROOT, before=("Passed over.",))
    submission = isolated.submission_of(handed_in)
    assert submission.unreadable == (
        "It cannot be read (it took too long). Ask for the notebook with its outputs cleared."
    )
    assert (submission.student, submission.content, submission.code) == ("ann", b"{}", ())
    assert submission.repairs == ("Passed over.",)
    assert submission.notebook.cells


def test_an_unreadable_notebook_of_unknown_unit_is_refused(no_answer, tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "homework.ipynb").write_bytes(CORPUS["nothing at all"].content)
    (refusal,) = find(tmp_path, units()).refusals
    assert refusal.startswith("ann/homework.ipynb was refused: It cannot be read (it took too long).")


def test_an_earlier_attempt_replaces_an_unreadable_latest(monkeypatch, tmp_path):
    (tmp_path / "ann").mkdir()
    for name in (UNIT, f"{UNIT} (2)"):
        (tmp_path / "ann" / f"{name}.ipynb").write_bytes(CORPUS["nothing at all"].content)
    answers = iter([NoAnswer("it took too long"), ""])

    def ask(*_):
        if isinstance(answer := next(answers), NoAnswer):
            raise answer
        return answer

    monkeypatch.setattr(isolated, "ask", ask)
    (one,) = Intake(tmp_path, ROOT)
    assert one.origin == f"ann/{UNIT}.ipynb"
    assert "(2).ipynb: It cannot be read (it took too long)" in one.before[0]
