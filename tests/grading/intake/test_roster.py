"""Rosters as platforms export them: who is in the class, whose a submission is, and who has handed in nothing.

The columns are those of the platforms' own documents: Canvas's gradebook, Moodle's participants and grading worksheet,
Brightspace's and Blackboard's grades.
"""

import pytest

from autograder.grading.intake.find.missing import WithoutNotebook
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster, read_people, write_people
from autograder.grading.intake.find.roster_table import read_roster
from autograder.grading.intake.take_in import Intake
from autograder.grading.pages import class_report, tables
from autograder.grading.pages.statistics import of_class
from autograder.grading.pages.term import Share, of_term
from autograder.registry import units
from tests.support.class_records import synthetic_class
from tests.support.handed_in import BOOK, FILE, OTHER, UNIT, grow
from tests.support.rosters import ROSTERS, ZIPS, roster_of
from tools.course import ROOT


@pytest.mark.parametrize("platform", ROSTERS)
def test_only_people_on_the_roster_have_lines(tmp_path, platform):
    register = Register(b"secret")
    roster = roster_of(tmp_path, platform, register)
    ann, zoe, bob = roster.ids.values()
    sections = ["", "", ""] if platform in ("Blackboard", "ILIAS") else ["Section 1", "Section 2", "Section 1"]
    assert list(roster.sections().values()) == sections
    grow(tmp_path / "class", dict(zip(ZIPS[platform], (BOOK, b"%PDF", BOOK), strict=True)))
    intake = Intake(tmp_path / "class", ROOT, register=register, roster=roster)
    [eve] = {candidate.student for candidate in intake.candidates} - {ann}
    assert intake.without_notebook == [WithoutNotebook(bob, UNIT, "handed in something else (PDF)")]
    assert intake.absent == [WithoutNotebook(zoe, UNIT, "nothing handed in")]
    assert f"Not on the roster: {eve}." in intake.remarks
    assert eve not in roster.ids.values()
    assert not any("because another student" in remark for remark in intake.remarks)


def test_comments_are_kept_for_ilias_alone(tmp_path):
    """It wants to see again what tutors have written; of a grading worksheet the state of a submission is no use."""
    kept = {platform: set(roster_of(tmp_path, platform, Register(b"secret")).people[0].cells) for platform in ROSTERS}
    assert {"status", "comment"} <= kept["ILIAS"]
    assert [platform for platform, cells in kept.items() if cells & {"status", "Status"}] == ["ILIAS"]


@pytest.mark.parametrize("platform", ROSTERS)
def test_the_same_roster_gives_the_same_ids(tmp_path, platform):
    register = Register(b"secret")
    first = roster_of(tmp_path, platform, register).ids
    register.write(tmp_path / "ids.json")
    assert roster_of(tmp_path, platform, read_register(tmp_path / "ids.json")).ids == first


def test_an_id_outlives_the_arrival_of_a_roster(tmp_path):
    register = Register(b"secret")
    grow(tmp_path / "class", {ZIPS["Canvas"][0]: BOOK, f"raybob_4_56789_{FILE}": BOOK})
    Intake(tmp_path / "class", ROOT, register=register)
    roster = roster_of(tmp_path, "Canvas", register)
    assert list(roster.ids.values()) == ["leeann", "zoel", "bray"]  # another Bob Ray, by his number


def test_one_roster_joins_the_names_of_two_platforms(tmp_path):
    register = Register(b"secret")
    roster = roster_of(tmp_path, "Canvas", register)
    grow(tmp_path / "1", {f"leeann_12345_67890_{FILE}": BOOK})
    grow(tmp_path / "2", {f"Ann Lee_321_assignsubmission_file_/{OTHER}.ipynb": BOOK})
    for name in ("1", "2"):
        intake = Intake(tmp_path / name, ROOT, register=register, roster=roster)
        assert [one.student for one in intake.candidates] == ["alee7"]


def test_moodles_worksheet_numbers_hold_for_one_assignment(tmp_path):
    register = Register(b"secret")
    roster = roster_of(tmp_path, "Moodle's worksheet", register)
    grow(tmp_path / "next", {f"Ann Lee_777_assignsubmission_file_/{OTHER}.ipynb": BOOK})
    intake = Intake(tmp_path / "next", ROOT, register=register, roster=roster)
    assert [one.student for one in intake.candidates] == [roster.ids[0]]


def test_possible_namesakes_match_nobody_on_the_roster(tmp_path):
    """With Moodle's numbers two students of one name, of whom the roster knows one."""
    register = Register(b"secret")
    roster = roster_of(tmp_path, "Moodle", register)
    grow(tmp_path / "class", {f"Ann Lee_{n}_assignsubmission_file_/{FILE}": BOOK for n in (11, 12)})
    intake = Intake(tmp_path / "class", ROOT, register=register, roster=roster)
    assert len({one.student for one in intake.candidates}) == 2
    later = {f"Bob Ray_{n}_assignsubmission_file_/{FILE}": BOOK for n in (13,)}
    other = {f"Bob Ray_{n}_assignsubmission_file_/{FILE}": BOOK for n in (14,)}
    found = [
        Intake(grow(tmp_path / name, files), ROOT, register=register, roster=roster)
        for name, files in (("b", later), ("c", other))
    ]
    bob, stranger = (one.candidates[0].student for one in found)
    assert bob == roster.ids[2]
    assert stranger not in roster.ids.values()


NAMESAKES = "Username,Name\nbsmith,Bob Smith\nbsmith2,Bob Smith\nann,Ann Lee\n"


@pytest.mark.parametrize(
    "path",
    [
        f"Bob Smith/{UNIT}/{FILE}",
        f"bob_smith/{UNIT}/{FILE}",
        f"Smith, Bob/{UNIT}/{FILE}",
        f"Bob Smith/{FILE}",
        f"Bob Smith_11_assignsubmission_file_/{FILE}",
    ],
)
def test_which_of_two_namesakes_is_asked(tmp_path, path):
    (tmp_path / "roster.csv").write_text(NAMESAKES)
    roster = Roster(read_roster(tmp_path / "roster.csv"), Register(b"secret"))
    given = {path: BOOK, f"ann/{UNIT}/{FILE}": BOOK, f"bsmith2/{OTHER}/{OTHER}.ipynb": BOOK}
    intake = Intake(grow(tmp_path / "class", given), ROOT, register=roster.register, roster=roster)
    assert [one.student for one in intake.candidates] == ["ann", "bsmith2"]
    assert set(roster.register.given) == {"ann", "bsmith", "bsmith2"}
    advice = "A roster with the platform's numbers" if "assignsubmission" in path else "Put it into a folder"
    assert [text for text in intake.refusals if f"whose is this? It may be bsmith or bsmith2. {advice} " in text]


def test_the_people_are_kept_as_they_are(tmp_path):
    (tmp_path / "roster.csv").write_bytes(ROSTERS["Canvas"])
    people = read_roster(tmp_path / "roster.csv")
    write_people(people, tmp_path / "roster.json")
    assert read_people(tmp_path / "roster.json") == people
    assert [person.numbers for person in people] == [{"Canvas": "12345"}, {"Canvas": "12346"}, {"Canvas": "12347"}]
    assert read_people(tmp_path / "none.json") == []


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\n"])
def test_what_is_no_roster_is_refused(tmp_path, text):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(ValueError, match="does not say who is in the class"):
        read_roster(tmp_path / "roster.csv")


def test_an_empty_roster_is_refused(tmp_path):
    (tmp_path / "roster.csv").write_text("Student,ID\nPoints Possible,\n,\n")
    with pytest.raises(ValueError, match="nobody in it"):
        read_roster(tmp_path / "roster.csv")


def test_sections_are_in_the_tables(tmp_path):
    """Of three students who have all points, two are in section B; zoe of section A has handed in nothing."""
    records, submissions = synthetic_class(3, chosen=(2,), held=1)
    unit, sections = units()[2], {"s000": "B", "s001": "B", "zoe": "A"}
    statistics = of_class(records, submissions, units(), sections)
    [term] = of_term(statistics, sections)
    assert term.shares == (Share("", 4, 3, 1), Share("A", 1, 0, None), Share("B", 2, 2, 1), Share("none", 1, 1, 1))
    [alone] = of_term(statistics, dict.fromkeys(sections, ""))
    assert alone.shares == (Share("", 4, 3, 1),)
    head, *rows = tables.grades(statistics, sections)
    assert head[:2] == ["student", "section"]
    assert [row[:2] for row in rows] == [["s000", "B"], ["s001", "B"], ["s002", ""], ["zoe", "A"]]
    page = class_report.write(tmp_path, records, submissions, units(), sections=sections).read_text(encoding="utf-8")
    assert "<bdi>B</bdi>" in page.split('aria-label="The term, unit by unit"')[1]
    assert "not on the roster" in (tmp_path / "report" / "review.csv").read_text(encoding="utf-8")
    assert f"zoe,A,0.0,0.0,{unit.points}" in (tmp_path / "grades.csv").read_text(encoding="utf-8")
