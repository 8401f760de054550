"""What is to be reviewed: the unit at which the class is comes first, and what was seen to is ticked off."""

import csv
import re

import pytest

from autograder.grading.pages import class_report
from autograder.grading.pages.review import ReviewFlag, same_files
from autograder.grading.ticked import read_ticked, tick, write_ticked
from autograder.grading.verdicts.store import Store
from autograder.registry import units
from tests.support.class_records import record, synthetic_class

FIRST, LAST = units()[2], units()[3]
REPAIRED = "A locked cell was changed, and the released one was put back: check-softmax."


@pytest.fixture
def store(tmp_path):
    """A class of five in two units, in which there is something to review in both."""
    store = Store(tmp_path / "classroom")
    write(store)
    return store


def write(store, *more):
    records, submissions = synthetic_class(5, chosen=(2, 3))
    flags = [
        ReviewFlag("s000", FIRST.id, "memory", ("softmax",), "3 GiB"),
        ReviewFlag("s000", LAST.id, "repaired", (), REPAIRED),
        ReviewFlag("s003", LAST.id, "timeout", ("causal_mask",)),
        ReviewFlag("", "", "refused", (), "x.rar was not opened."),
        *more,
    ]
    ticked = read_ticked(store)
    page = class_report.write(store.folder, records, submissions, units(), flags=flags, ticked=ticked)
    return page.read_text(encoding="utf-8")


def review(page):
    """Return what the page lists: first of the unit at which the class is, then of others."""
    part = page[page.index('<h2 id="review">') : page.index('<h2 id="points">')]
    now, _, others = part.partition("<summary>Other units")
    return [re.findall(r"<li><strong>([\w ]+)</strong>", one) for one in (now, others)]


def test_the_current_unit_comes_first(store):
    page = write(store)
    assert review(page) == [["timeout", "refused", "repaired"], ["memory"]]
    assert f"Submissions of unit {LAST.id[:2]} to review" in page
    assert "Other units: 1 submission<" in page


def test_what_is_ticked_off_is_listed_no_more(store):
    assert tick(store, ["s000"]) == {"ticked": 2, "left": 2}
    page = write(store)
    assert review(page) == [["timeout", "refused"], []]
    assert "2 reasons ticked off" in page
    assert "1 submission needs review" not in page
    assert "2 submissions need review" in page
    with (store.folder / "report" / "review.csv").open(newline="", encoding="utf-8") as file:
        assert {row["reason"]: row["ticked off"] for row in csv.DictReader(file)} == {
            **{"timeout": "no", "refused": "no", "repaired": "yes", "memory": "yes"}
        }
    assert tick(store, ["s000"], undo=True) == {"ticked": 2, "left": 4}
    assert review(write(store)) == [["timeout", "refused", "repaired"], ["memory"]]


def test_a_new_reason_is_listed_again(store):
    tick(store)
    assert review(write(store)) == [[], []]
    again = ReviewFlag("s003", LAST.id, "timeout", ("causal_mask", "masked_softmax"))
    assert review(write(store, again)) == [["timeout"], []]


def test_a_unit_is_ticked_off_at_once(store):
    assert tick(store, units=[LAST.id]) == {"ticked": 2, "left": 2}
    assert review(write(store)) == [["refused"], ["memory"]]


def test_what_cannot_be_ticked_off_is_told(store, tmp_path):
    with pytest.raises(ValueError, match="no reason to review eve; it lists s000, s003"):
        tick(store, ["eve"])
    (store.folder / "ticked.json").write_text("[")
    with pytest.raises(ValueError, match="Delete it, and tick again"):
        read_ticked(store)
    with pytest.raises(ValueError, match="Grade first"):
        tick(Store(tmp_path / "new"))
    write_ticked(store, {"a": "ann"})
    assert read_ticked(store) == {"a": "ann"}


def test_equal_files_with_work_in_them_are_told():
    """Not those of another unit, nor the notebook as it was released."""
    unit, other = units()[2], units()[3]
    contents = {(who, unit.id): digest for who, digest in zip("abcde", ("x", "y", "x", "z", "z"), strict=True)}
    contents |= {("b", other.id): "x", ("f", unit.id): "x"}
    records = [
        record(who, one, exercise, 0, status="not written" if who in "de" else None)
        for one, students in ((unit, "abcdef"), (other, "b"))
        for who in students
        for exercise in one.exercises
    ]
    found = [(flag.student, flag.unit, flag.kind, flag.detail) for flag in same_files(contents, records)]
    expected = {"a": "c, f", "c": "a, f", "f": "a, c"}
    assert found == [(who, unit.id, "same file", detail) for who, detail in expected.items()]
