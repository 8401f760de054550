"""A term as an instructor has it who knows only the documents: three units, forty students, two platforms and a server.

Two sections, a pair, three who are late, a PDF, one who drops the course, a retry by mail. Whatever a number stands
in (what commands print, tables, pages, the report, the way back, formgrader, nbgrader's export), it is the same.
"""

import csv
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.plugins.export import CsvExportPlugin

from autograder.nbgrader_config import settings
from autograder.registry import units
from tests.support.course_folder import Course, rows
from tools.course import ROOT, fill, solved
from tools.synthetic_class import submission

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings

FIRST, SECOND, THIRD = WEEKS = units()[0], units()[1], units()[5]
FIRST_NAMES = "Ann", "Bob", "Carl", "Dora", "Eve", "Finn", "Gil", "Hana"
NAMES = [(first, last) for last in ("Lee", "Öl", "Ray", "May", "Oh") for first in FIRST_NAMES]
PEOPLE = {f"{first}{last}".lower().replace("ö", "o"): (first, last) for first, last in NAMES}
IDS = [*PEOPLE]
SECTIONS = {id: f"Section {1 + number % 2}" for number, id in enumerate(IDS)}
PAIR = IDS[2:4]
PDF, DROPPED, BY_MAIL, SILENT, FORGOTTEN = IDS[5], IDS[7], IDS[11], IDS[13], IDS[17]
LATE = {IDS[19]: 1, IDS[23]: 30, IDS[29]: 50}  # hours
PER_DAY = 0.1
PLAN = """\
[units.{0}]
weight = 1
[units.{1}]
weight = 1
[units.{2}]
weight = 2
due = 2025-12-04T12:00:00+01:00
"""


def work(unit, student):
    """Return the notebook that somebody hands in."""
    return nbformat.writes(submission(unit, student, figures=False)).encode()


def zipped(path, files):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


class Term(Course):
    """The instructor's folder, made by `course init`, and what lies in the folder for downloads."""

    def __init__(self, root, downloads):
        self.root, self.room, self.downloads = root.parent, root / "classroom", downloads
        self.run("init", root, *(word for unit in WEEKS for word in ("--unit", unit.id[:2])), "--from", ROOT)
        self.root = root
        (root / "course.toml").write_text(PLAN.format(*(unit.id for unit in WEEKS)))
        settings_ = root / "nbgrader_config.py"
        settings_.write_text(settings_.read_text().replace("# c.AssignLate", "c.AssignLate"))
        self.write_roster(IDS)

    def write_roster(self, students):
        lines = (self.root / "roster.csv").read_text().splitlines()[:1]
        for id in students:
            first, last = PEOPLE[id]
            lines.append(f"{id},{first},{last},{id}@uni.example,{SECTIONS[id]},{'pair' if id in PAIR else ''}")
        (self.root / "roster.csv").write_text("\n".join(lines) + "\n")

    @property
    def config(self):
        return settings(self.root)

    def report(self):
        return (self.room / "report" / "index.html").read_text(encoding="utf-8")

    def page(self, student, unit):
        return (self.room / "feedback" / student / unit.id / f"{unit.id}.html").read_text(encoding="utf-8")


def moodle(students, unit, without=(), documents=()):
    files = {}
    for id in students:
        folder = f"{' '.join(PEOPLE[id])}_{300 + IDS.index(id)}_assignsubmission_file_"
        if id in documents:
            files[f"{folder}/solution.pdf"] = b"%PDF"
        elif id not in without:
            files[f"{folder}/{unit.id}.ipynb"] = work(unit, id)
    return files


def canvas(students, unit, late=()):
    def name(id):
        first, last = PEOPLE[id]
        mark = "_LATE" if id in late else ""
        return f"{last}{first}{mark}_{9000 + IDS.index(id)}_{70000 + IDS.index(id)}_{unit.id}.ipynb".lower()

    return {name(id).replace("_late_", "_LATE_"): work(unit, id) for id in students}


def collected(term, students, unit):
    """Put work where `nbgrader collect` puts it, with the times of the exchange."""
    for id in students:
        folder = term.room / "submitted" / id / unit.id
        folder.mkdir(parents=True)
        (folder / f"{unit.id}.ipynb").write_bytes(work(unit, id))
        hours = 11 + LATE.get(id, -5)
        (folder / "timestamp.txt").write_text(f"2025-12-{4 + hours // 24:02} {hours % 24:02}:00:00.000000 UTC")


@pytest.fixture
def term(tmp_path, backend, monkeypatch):
    made = Term(tmp_path / "algebra", tmp_path / "Downloads")
    monkeypatch.chdir(made.root)
    return made


def test_no_number_of_a_term_disagrees_with_another(term, monkeypatch):
    _first_week(term)
    _second_week(term, monkeypatch)
    _third_week(term)
    _end_of_term(term)


def _first_week(term):
    """By Moodle: one has handed in nothing, one a PDF, and of the pair only one."""
    silent = {SILENT, PAIR[1]}
    week = zipped(term.downloads / "week1.zip", moodle(IDS, FIRST, silent, {PDF}))
    told = term.grade(week, "--roster", "roster.csv", status=1)
    assert (told["in"], told["with_verdict"]) == (40, 38)
    assert told["not_graded"] == {"handed in something else": 1, "nothing handed in": 1}
    assert rows(term)[PDF]["status"] == f"{FIRST.id}: handed in something else (PDF)"
    assert rows(term)[PAIR[0]][FIRST.id] == rows(term)[PAIR[1]][FIRST.id]
    _all_agree(term, [FIRST])
    _is_closed(term)
    told = term.run("export", "--to", "moodle", "--feedback", status=1)  # since one of the pair is not in Moodle's zip
    [(path, missing)] = told["files"].items()
    assert missing == [PAIR[1], SILENT]
    sheet = {line["Full name"]: line for line in read_csv(path)}
    assert len(sheet) == 38
    for id in set(IDS) - {*missing}:
        line = sheet[" ".join(PEOPLE[id])]
        assert line["Identifier"] == f"Participant {300 + IDS.index(id)}"
        assert (float(line["Grade"]), float(line["Maximum Grade"])) == (float(rows(term)[id][FIRST.id]), FIRST.points)
    [(pages, (count, left_out))] = told["feedback"].items()
    assert (count, left_out) == (38, [PAIR[1]])  # the PDF's among them
    with zipfile.ZipFile(pages) as archive:
        first = archive.read(f"{' '.join(PEOPLE[IDS[0]])}_300_assignsubmission_file_/{FIRST.id}.html").decode()
    assert first == term.page(IDS[0], FIRST)


def _second_week(term, monkeypatch):
    """By Canvas: one has left, one comes again by mail, and the other one of the pair hands in."""
    with Gradebook(f"sqlite:///{term.room / 'gradebook.db'}", "transformer-course") as book:
        book.remove_student(DROPPED)  # as `nbgrader db student remove` does
    term.write_roster(id for id in IDS if id != DROPPED)
    there = [id for id in IDS if id not in (DROPPED, SILENT, PAIR[0])]
    files = canvas(there, SECOND, late={IDS[19]})
    unwritten = next(name for name in files if f"_{9000 + IDS.index(BY_MAIL)}_" in name)
    files[unwritten] = nbformat.writes(fill(SECOND, {})).encode()
    week = zipped(term.downloads / "week2.zip", files)
    told = term.grade(week, "--roster", "roster.csv")
    assert (told["in"], told["with_verdict"], told["not_graded"]) == (39, 38, {"nothing handed in": 1})
    assert any(remark.endswith("is marked as late.") for remark in told["remarks"])
    assert DROPPED not in rows(term)
    assert float(rows(term)[BY_MAIL][SECOND.id]) == 0
    mail = term.downloads / "mail" / f"{BY_MAIL}_{SECOND.id}.ipynb"
    mail.parent.mkdir()
    mail.write_bytes(nbformat.writes(fill(SECOND, solved(SECOND))).encode())
    told = term.grade(mail.parent)
    assert (told["in"], told["graded"], told["with_verdict"]) == (2, 1, 1)
    assert float(rows(term)[BY_MAIL][SECOND.id]) == SECOND.points
    assert term.grade(week)["unchanged"] == 38  # the zip of before changes nothing
    assert float(rows(term)[BY_MAIL][SECOND.id]) == SECOND.points
    _all_agree(term, [FIRST, SECOND])
    told = term.run("export", "--to", "canvas", "--unit", "1", "--feedback", status=1)
    [(path, missing)] = told["files"].items()
    assert missing == [PAIR[0], SILENT]
    table = {line["ID"]: line for line in read_csv(path)}
    name = f"{SECOND.id[:2]} {SECOND.title}"
    assert float(table[""][name]) == SECOND.points
    for id in set(rows(term)) - {*missing}:
        assert float(table[f"{9000 + IDS.index(id)}"][name]) == float(rows(term)[id][SECOND.id])


def _third_week(term):
    """By the exchange of a server: three are late, and the pair's file is that of the first one."""
    there = [id for id in IDS if id not in (DROPPED, SILENT, PAIR[1])]
    collected(term, there, THIRD)
    told = term.grade("--unit", "5")
    assert (told["in"], told["with_verdict"], told["not_graded"]) == (39, 38, {"nothing handed in": 1})
    assert sum(" late, which costs " in remark for remark in told["remarks"]) == len(LATE)
    for id, hours in LATE.items():
        made = sum(float(points) for points in points_of(term, id, THIRD))
        share = PER_DAY * (1 + hours // 24)
        assert float(rows(term)[id][THIRD.id]) == pytest.approx(made * (1 - share), abs=1e-4)
        assert f"Your work has {made:g} points. You handed in " in term.page(id, THIRD)
    _all_agree(term, WEEKS)


def _end_of_term(term):
    """One is forgotten, and the term is packed."""
    _nbgrader_exports_the_same(term)
    with_all = rows(term)
    term.run("forget", FORGOTTEN, "--yes")
    assert rows(term) == {id: row for id, row in with_all.items() if id != FORGOTTEN}
    _all_agree(term, WEEKS)
    before = {path: path.read_bytes() for path in term.room.rglob("*") if path.is_file() and path.suffix != ".db"}
    before = {path: content for path, content in before.items() if path.name != "intake.json"}  # names the archive
    told = term.run("archive", term.root / "term.zip")
    assert told["students"] == len(rows(term)) == 38
    with zipfile.ZipFile(term.root / "term.zip") as archive:
        packed = archive.read("grades.csv").decode()
    kept = sorted(float(line["total"]) for line in csv.DictReader(packed.splitlines()))
    assert kept == sorted(float(row["total"]) for row in rows(term).values())
    term.run("report")
    assert {path: path.read_bytes() for path in before} == before


def _nbgrader_exports_the_same(term):
    with Gradebook(f"sqlite:///{term.room / 'gradebook.db'}", "transformer-course") as book:
        CsvExportPlugin(to=str(term.downloads / "nbgrader.csv")).export(book)
    lines = read_csv(term.downloads / "nbgrader.csv")
    most = {unit.id: unit.points for unit in WEEKS}
    assert {(line["assignment"], line["student_id"]) for line in lines} == {(u, id) for u in most for id in rows(term)}
    for line in lines:
        points = float(rows(term)[line["student_id"]][line["assignment"]])
        assert float(line["score"]) == pytest.approx(points, abs=1e-4)
        assert float(line["max_score"]) == most[line["assignment"]]


def _is_closed(term):
    """Nobody else on this machine reads anything of the class but the exchange, which is there for it."""
    assert term.root.stat().st_mode & 0o077 == 0
    assert {path.name for path in term.room.iterdir() if path.stat().st_mode & 0o077} <= {"exchange"}


def read_csv(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def points_of(term, student, unit):
    """Return the judge's points in the gradebook."""
    with Gradebook(f"sqlite:///{term.room / 'gradebook.db'}", "transformer-course") as book:
        return [grade.auto_score for grade in book.find_submission_notebook(unit.id, unit.id, student).grades]


def _all_agree(term, graded):
    """Compare what is said of everybody in all places, with `grades.csv`."""
    table, page = rows(term), term.report()
    term.run("export", "--to", "csv")
    [possible, *exported] = read_csv(term.room / "export" / "grades.csv")
    exported = {line["student"]: line for line in exported}
    parts = _by_exercise(term)
    assert exported.keys() == table.keys()
    for unit in graded:
        name = f"{unit.id[:2]} {unit.title}"
        assert float(possible[name]) == unit.points
        listed = {one["student"]: one for one in NbGraderAPI(config=term.config).get_submissions(unit.id)}
        for id, row in table.items():
            points = float(row[unit.id])
            assert float(row[f"max {unit.id}"]) == unit.points
            assert float(exported[id][name]) == pytest.approx(points, abs=1e-4)
            assert parts[id, unit.id] == pytest.approx(points, abs=1e-3)
            handed_in = not re.search(rf"{unit.id}: (nothing|handed in something)", row["status"])
            assert handed_in == (id in listed)
            if handed_in:
                lost = _lost(term, id, unit)
                assert listed[id]["score"] - lost == pytest.approx(points, abs=1e-4)
                assert listed[id]["max_score"] == unit.points
                assert f"<strong>{points:g} of {unit.points:g} points</strong>" in term.page(id, unit)
                shown = f"{points:.1f}".removesuffix(".0")
                assert f'href="../feedback/{id}/{unit.id}/{unit.id}.html">{shown}</a>' in page
    for row in table.values():
        assert float(row["total"]) == pytest.approx(sum(float(row[unit.id]) for unit in graded), abs=1e-3)
    missing = sum(": nothing handed in" in part for row in table.values() for part in row["status"].split(", "))
    assert f"{len(table)} students in {len(graded)} unit{'s' if len(graded) > 1 else ''}: " in page
    assert f"{missing or 'none'} missing." in page


def _by_exercise(term):
    """Return the sum of somebody's columns in a unit, with a column for each exercise."""
    term.run("export", "--to", "csv", "--exercises", "--into", term.downloads)
    sums = {}
    for line in read_csv(term.downloads / "grades.csv")[1:]:
        for unit in WEEKS:
            columns = [text for name, text in line.items() if name.startswith(f"{unit.id[:2]} {unit.title}: ")]
            sums[line["student"], unit.id] = sum(float(text or 0) for text in columns)
    return sums


def _lost(term, student, unit):
    with Gradebook(f"sqlite:///{term.room / 'gradebook.db'}", "transformer-course") as book:
        return book.find_submission(unit.id, student).late_submission_penalty
