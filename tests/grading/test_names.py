"""Everybody has a name, wherever somebody reads of them: by the roster, or rosters of several platforms together."""

import csv
import re
import zipfile

import pytest
from nbgrader.api import Gradebook

from autograder.grading.export.kept_columns import keep_columns, keep_headings, offered
from autograder.grading.intake.find.merge_rosters import joined, merged
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.roster_table import headings, read_roster
from autograder.grading.pages.term import memberships
from autograder.grading.persons import Persons
from autograder.grading.verdicts.store import Store
from tests.support.handed_in import book_of
from tests.support.rosters import MOODLE, ROSTERS
from tests.support.unjudged_class import UNITS, Class, judge_nothing

UNIT = UNITS[0]
BOOK = book_of(UNIT.id)
NAMESAKES = "Student,ID,SIS Login ID,Section\n" + "".join(
    f'"{name}",{number},{login},{section}\n'
    for name, number, login, section in (
        ("Smith, John", 501, "s1012", "Section A"),
        ("Smith, John", 503, "s1013", "Section A and Section B"),
        ("van der Berg, Zoë", 507, "s1019", "Section B"),
    )
)
WORKSHEET = "Identifier,Full name,Email address\nParticipant 71,John Smith,s1012@uni.example\n"
WORKSHEET += "Participant 73,John Smith,s1013@uni.example\nParticipant 79,Zoë van der Berg,zoe@uni.example\n"


def people(folder, text):
    path = folder / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(path)


@pytest.mark.parametrize("platform", ROSTERS)
def test_any_platforms_roster_has_first_and_last_names(tmp_path, platform):
    register = Register(b"secret")
    roster = Roster(people(tmp_path, ROSTERS[platform]), register)
    found = [Persons(roster, register).of(id) for id in roster.ids.values()]
    assert [one.name for one in found] == ["Ann Lee", "Zoë Maria Öl", "Bob Ray"]
    assert [(one.first, one.last) for one in found] == [("Ann", "Lee"), ("Zoë Maria", "Öl"), ("Bob", "Ray")]
    has_addresses = platform in ("Moodle", "Moodle's worksheet", "Brightspace")
    assert [one.email for one in found][1] == ("zoe@uni.example" if has_addresses else "")


def test_an_id_tells_namesakes_apart(tmp_path):
    register = Register(b"secret")
    persons = Persons(Roster(people(tmp_path, NAMESAKES), register), register)
    called = [persons.called(id) for id in ("s1012", "s1013", "s1019", "nobody")]
    assert called == ["John Smith (s1012)", "John Smith (s1013)", "Zoë van der Berg", "nobody"]


def test_what_two_rosters_say_comes_together(tmp_path):
    """Canvas's numbers and sections stay with Moodle's addresses; two of one name are told apart by their usernames."""
    canvas, moodle = people(tmp_path, NAMESAKES), people(tmp_path, WORKSHEET)
    register = Register(b"secret")
    before = list(Roster(canvas, register).ids.values())
    register.write(tmp_path / "ids.json")
    both = merged(canvas, moodle)
    after = list(Roster(both, read_register(tmp_path / "ids.json")).ids.values())
    assert after == before == ["s1012", "s1013", "s1019"]
    assert [(one.section, one.email, one.numbers) for one in both] == [
        ("Section A", "s1012@uni.example", {"Canvas": "501", "Moodle": "71"}),
        ("Section A and Section B", "s1013@uni.example", {"Canvas": "503", "Moodle": "73"}),
        ("Section B", "zoe@uni.example", {"Canvas": "507", "Moodle": "79"}),
    ]
    assert merged(both, canvas)[2].email == "zoe@uni.example"


def test_the_new_roster_says_who_belongs(tmp_path):
    """And what it says of everybody, such as sections, replaces what was said before."""
    known, new = people(tmp_path, NAMESAKES), "Name,Username,Section\nJohn Smith,s1013,Section C\nEve May,emay,\n"
    both = merged(known, people(tmp_path, new))
    assert [(one.name, one.section) for one in both] == [("s1013", "Section C"), ("emay", "")]
    assert both[0].numbers == {"Canvas": "503"}


def test_rosters_of_two_sections_are_one_class(tmp_path):
    first = people(tmp_path, "Name,Username,Section\nAnn Lee,alee7,A\nBo Ray,bray,A\n")
    second = people(tmp_path, "Name,Username,Section\nCy Oh,cyoh,B\nBo Ray,bray,B\n")
    everybody = joined([first, second])
    assert [(one.name, one.section) for one in everybody] == [("alee7", "A"), ("bray", "A, B"), ("cyoh", "B")]


@pytest.mark.parametrize(
    ("texts", "sections"),
    [
        (["A", "A and B", "B"], [("A",), ("A", "B"), ("B",)]),
        (["A", "A and B", ""], [("A",), ("A", "B"), ("none",)]),
        (["A, B, and C", "A, B", "C"], [("A", "B", "C"), ("A", "B"), ("C",)]),
        (["A and B", "B and C", "C and A"], [("A", "B"), ("B", "C"), ("C", "A")]),
        (["Bread and Butter", "Salt"], [("Bread and Butter",), ("Salt",)]),
        (["Physics, Monday", "Physics, Friday"], [("Physics, Monday",), ("Physics, Friday",)]),
        (["", ""], []),
    ],
)
def test_somebody_can_be_in_two_sections(texts, sections):
    assert list(memberships({f"s{number}": text for number, text in enumerate(texts)}).values()) == sections


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course in which nothing is really run, with a roster of three of whom two have handed in."""
    judge_nothing(monkeypatch)
    made = Class(tmp_path)
    made.found(UNIT)
    (tmp_path / "roster.csv").write_text(NAMESAKES, encoding="utf-8")
    (tmp_path / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "week.zip", "w") as archive:
        for name in ("smithjohn_501", "smithjohn_503", "guesteve_509"):
            archive.writestr(f"{name}_70001_{UNIT.id}.ipynb", BOOK)
    return made


@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
def test_names_reach_all_who_read_of_a_class(course):
    assert course.run("grade", "week.zip", "--roster", "roster.csv")[0] == 0
    status, printed = course.run("grade", "week.zip", "--roster", "worksheet.csv")
    assert (status, f"{UNIT.id}: nothing handed in: Zoë van der Berg (s1019)" in printed) == (0, True)
    table = course.table()
    assert {id: (row["name"], row["email"], row["section"]) for id, row in table.items()} == {
        "guesteve": ("", "", ""),
        "s1012": ("John Smith", "s1012@uni.example", "Section A"),
        "s1013": ("John Smith", "s1013@uni.example", "Section A and Section B"),
        "s1019": ("Zoë van der Berg", "zoe@uni.example", "Section B"),
    }
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        entered = {one.id: (one.first_name, one.last_name, one.email) for one in book.students}
    assert entered["s1013"] == ("John", "Smith", "s1013@uni.example")
    assert entered["s1019"] == ("Zoë", "van der Berg", "zoe@uni.example")
    report = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    assert "Zoë van der Berg: no notebook for unit" in report
    assert "Their addresses: zoe@uni.example" in report
    assert "not on the roster: guesteve" in report
    page = (course.room / "feedback" / "s1012" / UNIT.id / f"{UNIT.id}.html").read_text(encoding="utf-8")
    assert "<dd>John Smith (s1012)</dd>" in page
    with (course.room / "report" / "review.csv").open(newline="", encoding="utf-8") as file:
        assert {row["student"]: row["name"] for row in csv.DictReader(file)}["s1019"] == "Zoë van der Berg"
    course.run("archive", "term.zip")
    with zipfile.ZipFile(course.root / "term.zip") as archive:
        assert not [name for name in archive.namelist() if re.search("John|Berg|uni.example", str(archive.read(name)))]


@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
def test_a_name_that_changes_changes_the_pages(course):
    course.run("grade", "week.zip", "--roster", "roster.csv")
    page = course.room / "feedback" / "s1012" / UNIT.id / f"{UNIT.id}.html"
    url = f"sqlite:///{course.room / 'gradebook.db'}"
    with Gradebook(url, "transformer-course") as book:
        book.update_or_create_student("guesteve", first_name="Eve", last_name="May")  # as nbgrader's own command does
    (course.root / "roster.csv").write_text(NAMESAKES.replace("Smith, John", "Smith, Jon", 1), encoding="utf-8")
    course.run("grade", "week.zip", "--roster", "roster.csv")
    assert "<dd>Jon Smith (s1012)</dd>" in page.read_text(encoding="utf-8")
    with Gradebook(url, "transformer-course") as book:
        names = {one.id: one.first_name for one in book.students}
    assert (names["s1012"], names["guesteve"]) == ("Jon", "Eve")


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
def test_namesakes_are_asked_about_until_told_apart(course):
    """Moodle's names alone tell nothing of two John Smiths; its worksheet does, and Canvas's sections stay."""
    with zipfile.ZipFile(course.root / "moodle.zip", "w") as archive:
        for number, book in ((71, BOOK), (73, BOOK + b" ")):
            archive.writestr(f"John Smith_{number}_assignsubmission_file_/{UNIT.id}.ipynb", book)
    printed = course.run("grade", "moodle.zip", "--roster", "roster.csv")[1]
    assert printed.count("was refused: whose is this? It may be s1012 or s1013.") == 2
    assert "such as Moodle's grading worksheet" in printed
    assert "0 submissions graded" in printed
    printed = course.run("grade", "moodle.zip", "--roster", "worksheet.csv")[1]
    assert "2 submissions graded" in printed
    assert "whose is this" not in printed
    assert {id: row["section"] for id, row in course.table().items()} == {
        **{"s1012": "Section A", "s1013": "Section A and Section B", "s1019": "Section B"}
    }


def test_a_column_is_named_once(tmp_path):
    store = Store(tmp_path)
    assert keep_columns(store, "canvas", {UNITS[0].id: "Homework 5 (991)"}) == {UNITS[0].id: "Homework 5 (991)"}
    assert keep_columns(store, "canvas", {UNITS[1].id: "Homework 6 (997)"}).keys() == {one.id for one in UNITS}
    assert keep_columns(store, "canvas", {})[UNITS[0].id] == "Homework 5 (991)"
    assert keep_columns(store, "moodle", {}) == {}
    (tmp_path / "columns.json").write_text("[1]")
    with pytest.raises(ValueError, match="Delete it, and name them again"):
        keep_columns(store, "canvas", {})


def test_the_rosters_own_columns_are_offered(tmp_path):
    store, path = Store(tmp_path), tmp_path / "roster.csv"
    path.write_bytes(ROSTERS["Canvas"].replace(b"Unit 2 (991)", b"Homework 6 (991),Homework 5 (997)"))
    keep_headings(store, headings(path))
    [told] = offered(store, "canvas", [UNITS[0].id])
    assert "No column of the platform is named for 05. It has “Homework 6 (991)”, “Homework 5 (997)”." in told
    assert told.endswith('--column "05=Homework 5 (997)"')
    keep_columns(store, "canvas", {UNITS[0].id: "Homework 5 (997)"})
    assert offered(store, "canvas", [UNITS[0].id]) == []
    assert headings_of(tmp_path, MOODLE) == []


def headings_of(folder, text):
    (folder / "moodle.csv").write_text(text, encoding="utf-8")
    return headings(folder / "moodle.csv")
