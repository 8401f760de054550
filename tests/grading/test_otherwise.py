"""Who hands in something else than a notebook has a page, too: why it has no points, and what to do."""

import zipfile

import pytest

from autograder.grading.otherwise import UNKNOWN, write_pages
from autograder.grading.pages import no_notebook
from autograder.grading.persons import persons_of
from autograder.grading.verdicts.store import Store
from tests.support.given_back import words
from tests.support.handed_in import book_of
from tests.support.unjudged_class import UNITS, Class, judge_nothing

UNIT = UNITS[0]
BOOK = book_of(UNIT.id)
PDF, TEXT = f"raybob_503_70003_{UNIT.id}.pdf", "ohcy_507_text.html"
KINDS = {
    "PDF": "A PDF is a picture of a notebook",
    "HTML": "typed into the platform",
    "PY, TXT": "has lost the cells",
    "a notebook of no unit": "none of a unit of this course",
    "a notebook of another unit": "are those of another unit",
    "a file of unknown kind": "That takes the notebook itself",
}


@pytest.mark.parametrize("kinds", KINDS)
def test_the_page_says_why_and_what_to_do(kinds):
    text = words(no_notebook.page("Bob Ray (bray)", UNIT, f"handed in something else ({kinds})"))
    assert KINDS[kinds] in text
    assert f"What came {kinds} " in text
    assert f"the file {UNIT.id}.ipynb that Jupyter saves" in text
    assert "In JupyterLab, choose File > Download" in text


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course in which nothing is really run."""
    judge_nothing(monkeypatch)
    made = Class(tmp_path)
    made.found(UNIT)
    return made


def week(course, files):
    with zipfile.ZipFile(course.root / "week.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return course.root / "week.zip"


@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
def test_a_pdf_and_a_typed_text_have_pages(course):
    book = f"leeann_501_70001_{UNIT.id}.ipynb"
    course.run("grade", week(course, {book: BOOK, PDF: b"%PDF", TEXT: b"<p>"}))
    pages = course.room / "feedback"
    bob = pages / "raybob" / UNIT.id / f"{UNIT.id}.html"
    assert "A PDF is a picture" in bob.read_text(encoding="utf-8")
    assert "typed into the platform" in (pages / "ohcy" / UNIT.id / f"{UNIT.id}.html").read_text(encoding="utf-8")
    status, printed = course.run("export", "--to", "canvas", "--feedback")
    assert (status, "(3 pages)" in printed) == (0, True)
    with zipfile.ZipFile(course.room / "export" / f"canvas-feedback-{UNIT.id}.zip") as archive:
        assert sorted(archive.namelist()) == [
            *(name.rpartition(".")[0] + ".html" for name in (book, TEXT, PDF)),
        ]
    report = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    assert f'<a href="../feedback/raybob/{UNIT.id}/{UNIT.id}.html"><bdi>raybob</bdi></a>' in report
    course.run("grade", week(course, {f"raybob_503_70013_{UNIT.id}.ipynb": BOOK}))
    assert "A PDF is a picture" not in bob.read_text(encoding="utf-8")
    assert "At a glance" in bob.read_text(encoding="utf-8")


def test_a_notebook_ends_the_page_without_a_unit(tmp_path):
    store, nothing = Store(tmp_path), {"ann": {"": "handed in something else (PDF)"}, "bob": {"": "nothing handed in"}}
    page = tmp_path / "feedback" / "ann" / UNKNOWN / f"{UNKNOWN}.html"
    write_pages(store, nothing, set(), persons_of(store))
    assert "Your submission" in page.read_text(encoding="utf-8")
    assert not (tmp_path / "feedback" / "bob").exists()
    write_pages(store, nothing, {("ann", UNIT.id)}, persons_of(store))
    assert not page.exists()
