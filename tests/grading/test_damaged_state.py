"""What is kept of a class is lost or damaged: it is found anew or named, and nobody vanishes from a table."""

import errno
import itertools
import json
import os
import shutil
import sqlite3

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import OperationalError
from traitlets.config import Config

from autograder import file_errors
from autograder.grading import exchange, run
from autograder.grading.commit import Committer
from autograder.grading.database import in_words
from autograder.judge import scratch
from autograder.nbgrader_config import configure
from tests.support.unjudged_class import UNITS, Class, judge_nothing, judged
from tools.course import fill

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings


@pytest.fixture(autouse=True)
def without_a_sandbox(monkeypatch):
    judge_nothing(monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A class that was graded, and its undisturbed tables."""
    made = Class(tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patch:
        judge_nothing(patch)
        made.hand_in()
        assert made.run("grade", "--roster", "roster.csv")[0] == 0
    shutil.copytree(made.room, made.root / "kept")
    return made, made.tables()


@pytest.fixture
def course(whole):
    """The same class, whatever the test before has done to it."""
    made, _ = whole
    shutil.rmtree(made.room)
    shutil.copytree(made.root / "kept", made.room)
    return made


def with_an_unknown_field(path):
    content = json.loads(path.read_bytes())
    known = content[0] if isinstance(content, list) else content.get("submission", content)
    known["unknown"] = 1
    path.write_text(json.dumps(content))


def halved(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES = {
    "deleted": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut": halved,
    "given an unknown field": with_an_unknown_field,
}
COMMANDS = {
    "grade": ("grade",),
    "grade another unit": ("grade", "--unit", UNITS[1].id[:2]),
    "report": ("report",),
    "export": ("export", "--to", "csv", "--exercises"),
}
KINDS = (
    *("records/ann/05*/alignment.*.json", "records/ann/05*/committed.json", "ids.json", "intake.json", "roster.json"),
    *("secret", "gradebook.db", "grading.lock", "originals/ann/05*/*.ipynb", "autograded/ann/05*/*.ipynb"),
    *("feedback/ann/05*/*.html", "grades.csv", "report/*.html", "report/exercises.csv", "report/slides.md"),
)
REMEDIES = ("Grade it again: ", "Take it from a backup. ", "Take the file from a backup", "Put back a backup, or ")
OF_ANN = f"ann, {UNITS[0].id}: "


LONG = [pytest.mark.exhaustive(minutes=2), pytest.mark.one_in(4)]


def sweep():
    """Yield what is done to which file before which command; some of it in `make test`."""
    for kind, damage, command in itertools.product(KINDS, DAMAGES, COMMANDS):
        in_json = kind.endswith((".json", ".ipynb"))
        if in_json or damage != "given an unknown field":
            marks = [] if command in FEW.get((kind, damage), ()) else LONG
            yield pytest.param(kind, damage, command, marks=marks, id=f"{kind}-{damage}-{command}")


FEW = {
    ("records/ann/05*/alignment.*.json", "deleted"): ("grade", "grade another unit", "report"),
    ("records/ann/05*/alignment.*.json", "given an unknown field"): ("report",),
    ("records/ann/05*/committed.json", "deleted"): ("grade",),
    ("records/ann/05*/committed.json", "given an unknown field"): ("report",),
    ("gradebook.db", "cut"): ("grade",),
    ("ids.json", "deleted"): ("grade",),
    ("intake.json", "emptied"): ("grade",),
    ("feedback/ann/05*/*.html", "cut"): ("grade",),
}


@pytest.mark.parametrize(("kind", "damage", "command"), [*sweep()])
def test_what_is_lost_is_found_or_named(course, whole, kind, damage, command):
    [path] = course.room.glob(kind)
    path.chmod(0o600)
    DAMAGES[damage](path)
    status, printed = course.run(*COMMANDS[command])
    assert "Traceback" not in printed
    before = whole[1]
    if status == 0:
        assert course.table() == before["table"]
        assert command == "export" or course.tables() == before
    else:
        assert str(path) in printed or OF_ANN in printed
        assert any(remedy in printed for remedy in REMEDIES)
        rows = course.table() if course.room.joinpath("grades.csv").exists() else before["table"]
        assert rows.keys() == before["table"].keys()
        unknown = {UNITS[0].id: "", "total": "", "status": f"{UNITS[0].id}: not graded yet"}
        assert rows["ann"] in (before["table"]["ann"], before["table"]["ann"] | unknown)
        assert {who: row for who, row in rows.items() if who != "ann"} == {
            who: row for who, row in before["table"].items() if who != "ann"
        }


@pytest.mark.parametrize(
    "command", ["grade", *(pytest.param(command, marks=pytest.mark.exhaustive) for command in [*COMMANDS][1:])]
)
def test_another_students_page_is_replaced(course, whole, command):
    """Each page is whole, and one of the course's: what it says is somebody else's."""
    exchanged(course, "ann", "bob")
    assert course.run(*COMMANDS[command])[0] == 0
    assert course.tables() == whole[1]


def test_a_page_of_another_unit_is_replaced(course, whole):
    shutil.copyfile(page_of(course, "ann", UNITS[1]), page_of(course, "ann", UNITS[0]))
    assert course.run("report")[0] == 0
    assert course.tables() == whole[1]


def test_another_students_page_goes_at_least(course):
    exchanged(course, "ann", "bob")
    path = next(course.room.glob("records/ann/05*/alignment.*.json"))
    record = json.loads(path.read_text())
    one = record["claims"][0] | {"points": 0, "passed": False}
    path.write_text(json.dumps(record | {"claims": [*record["claims"], *[one] * 40]}))
    status, printed = course.run("report")
    assert (status, f"{OF_ANN}its page cannot be written" in printed) == (1, True)
    assert not page_of(course, "ann", UNITS[0]).exists()


def test_nbgraders_own_page_stays(course):
    page_of(course, "ann", UNITS[0]).write_text("<html>made by nbgrader</html>")
    assert course.run("report")[0] == 0
    assert page_of(course, "ann", UNITS[0]).read_text() == "<html>made by nbgrader</html>"


@pytest.mark.skipif(os.name == "nt", reason="nbgrader has no exchange on Windows")
def test_another_students_page_is_not_released(course, caplog):
    exchanged(course, "ann", "bob")
    config = Config()
    configure(config, course.root)
    config.CourseDirectory.assignment_id = UNITS[0].id
    step = exchange.ReleaseFeedback(CourseDirectory(config=config), config=config)
    step.src_path = course.room / "feedback" / "*" / UNITS[0].id
    with caplog.at_level("WARNING"):
        assert step._of_others() == ["ann", "bob"]
    assert "Not released" in caplog.text
    assert course.run("report")[0] == 0
    assert step._of_others() == []


def page_of(course, student, unit):
    return course.room / "feedback" / student / unit.id / f"{unit.id}.html"


def exchanged(course, *students):
    """Exchange the pages of two students."""
    pages = [page_of(course, student, UNITS[0]) for student in students]
    for page, content in zip(pages, reversed([page.read_bytes() for page in pages]), strict=True):
        page.write_bytes(content)


@pytest.mark.parametrize(
    "part", ["originals", *(pytest.param(part, marks=pytest.mark.exhaustive) for part in ("submitted", "autograded"))]
)
def test_a_missing_notebook_is_named_until_graded(course, whole, part):
    mail = course.root / "mail"
    shutil.copytree(course.room / "submitted" / "ann", mail / "ann")
    shutil.rmtree(course.room / part / "ann" / UNITS[0].id)
    for command in (("report",), ("grade", "--student", "bob")):
        status, printed = course.run(*command)
        assert (status, f"{OF_ANN}its notebook is missing from {course.room}/{part}. Grade " in printed) == (1, True)
    status, _ = course.run("grade", mail)
    shutil.rmtree(mail)
    assert status == 0
    assert course.tables()["table"] == whole[1]["table"]
    assert (course.room / part / "ann" / UNITS[0].id / f"{UNITS[0].id}.ipynb").is_file()


FOLDERS = ("ids.json", "intake.json", "gradebook.db", "grades.csv", "originals/ann/05*/*.ipynb")
FOLDERS += ("roster.json", "secret", "grading.lock", "autograded/ann/05*/*.ipynb", "feedback/ann/05*/*.html")


@pytest.mark.parametrize(
    "kind", [*FOLDERS[:2], *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in FOLDERS[2:])]
)
def test_a_folder_instead_of_a_file_is_told(course, kind):
    [path] = course.room.glob(kind)
    path.unlink()
    path.mkdir()
    status, printed = course.run("grade")
    assert status == 1
    assert f"course grade: {path} has to be a file, and is a folder. Rename the folder, and run the same " in printed
    path.rmdir()


def test_a_file_instead_of_a_folder_is_told(course):
    folder = course.room / "records" / "ann"
    shutil.rmtree(folder)
    folder.touch()
    status, printed = course.run("grade")
    assert status == 1
    assert f"course grade: {folder} has to be a folder, and is a file. Rename the file, and run the same" in printed


def test_unreadable_ids_without_backup_can_begin_anew(course, whole):
    course.room.joinpath("ids.json").write_text("{'")
    status, printed = course.run("grade")
    assert (status, "Without one, write {} into it" in printed) == (1, True)
    course.room.joinpath("ids.json").write_text("{}")
    assert course.run("grade")[0] == 0
    assert course.table() == whole[1]["table"]


GONE = {("ids.json", "intake.json"): "ids.json is missing, which says ", ("secret",): "secret should hold 64 hexa"}


@pytest.mark.parametrize("names", GONE, ids=" and ".join)
def test_what_cannot_be_found_anew_stops_a_run(course, whole, names):
    kept = {name: course.room.joinpath(name).read_bytes() for name in names}
    for name in names:
        course.room.joinpath(name).unlink()
    for _ in range(2):
        status, printed = course.run("grade")
        assert (status, f"{course.room}/{GONE[names]}" in printed) == (1, True)
    assert "Take " in printed
    for name, content in kept.items():
        course.room.joinpath(name).write_bytes(content)
    assert course.run("grade")[0] == 0
    assert course.tables() == whole[1]


def test_a_secret_without_backup_can_be_new(course):
    path = course.room / "secret"
    path.unlink()
    assert "write the word new into it" in course.run("grade")[1]
    path.write_text("new\n")
    assert course.run("grade")[0] == 0
    assert len(path.read_text()) == 64


def test_an_interrupted_first_run_can_go_on(course, whole, monkeypatch):
    for path in course.room.iterdir():
        if path.name != "submitted":
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def interrupted(*of):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Committer, "commit", interrupted)
        assert course.run("grade", "--roster", "roster.csv")[0] == 130
    assert "is missing" not in course.run("report")[1]
    assert course.run("grade", "--roster", "roster.csv")[0] == 0
    assert course.table() == whole[1]["table"]


def test_every_kind_of_file_is_in_the_sweep(course):
    """The files of another student and unit are of the same kinds, and so are the tables of the report."""

    def kind(path):
        return path.relative_to(course.room).parts[0], path.suffix, path.name == "committed.json"

    swept = {kind(path) for pattern in KINDS for path in course.room.glob(pattern)}
    assert {kind(p) for p in course.room.rglob("*") if p.is_file() and "submitted" not in p.parts} == swept


def test_a_forgotten_mark_does_not_revive_older_attempts(course):
    """What is lost with the mark is in the gradebook, and in what was handed in."""
    next(course.room.glob("records/ann/05*/committed.json")).unlink()
    mail = course.root / "mail" / "ann" / UNITS[0].id / f"{UNITS[0].id}.ipynb"
    mail.parent.mkdir(parents=True)
    nbformat.write(fill(UNITS[0], {}), mail)
    judge_nothing = run.perform
    try:
        run.perform = lambda task: judged(task | {"student": "zoe"})  # half a point for everything
        status, printed = course.run("grade", course.root / "mail")
    finally:
        run.perform = judge_nothing
        shutil.rmtree(course.root / "mail")
    assert status == 1
    unit = UNITS[0]
    told = f"would lower the points from {unit.points:g} to {len(unit.exercises) / 2:g}, and nothing says that it is"
    assert f"{told} newer" in printed
    assert (
        f"{OF_ANN}its verdicts in {course.room}/records/ann/{UNITS[0].id} are incomplete or cannot be read" in printed
    )


def test_a_student_without_any_verdicts_is_named(course):
    folder = course.room / "records" / "ann" / UNITS[0].id
    shutil.rmtree(folder)
    status, printed = course.run("report")
    assert status == 1
    assert f"{OF_ANN}its verdicts are missing: there is no {folder}, so it has no points in the tables." in printed


@pytest.mark.exhaustive
def test_lost_manual_points_are_named(course):
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        name = UNITS[0].exercises[0].name
        book.find_grade(f"check-{name}", UNITS[0].id, UNITS[0].id, "bob").manual_score = 3
        book.db.commit()
    assert course.run("report")[0] == 0
    (course.room / "gradebook.db").unlink()
    status, printed = course.run("grade")
    assert status == 1
    assert f"bob, {UNITS[0].id}: points that people have given are not in the gradebook any more" in printed
    assert course.run("grade")[0] == 1


def test_a_verdict_on_removed_claims_keeps_its_points(course):
    """The table says them, its page cannot be written anew, and that is told."""
    path = next(course.room.glob("records/ann/05*/alignment.*.json"))
    record = json.loads(path.read_text())
    one = record["claims"][0] | {"points": 0, "passed": False}
    path.write_text(json.dumps(record | {"claims": [*record["claims"], *[one] * 40]}))
    assert course.run("report")[0] == 0
    next(course.room.glob("feedback/ann/05*/*.html")).unlink()
    status, printed = course.run("report")
    assert status == 1
    assert f"{OF_ANN}its page cannot be written, since its verdicts are those of another version" in printed
    assert float(course.table()["ann"][UNITS[0].id]) == UNITS[0].points


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "class/a file")
FULL_DATABASE = OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))


@pytest.mark.parametrize(
    "error", [FULL, pytest.param(FULL_DATABASE, marks=pytest.mark.exhaustive)], ids=["system", "database"]
)
def test_a_full_disk_is_cleared_once_then_told(course, whole, error, monkeypatch):
    """Nothing is lost: the same command goes on where there is room again."""
    commit, ended = Committer.commit, []
    monkeypatch.setattr(run.client, "restart", lambda: ended.append(True))

    def once(self, submission, records):
        if submission.student == "bob" and not ended:
            raise error
        return commit(self, submission, records)

    def always(self, submission, records):
        if submission.student == "bob":
            raise error
        return commit(self, submission, records)

    monkeypatch.setattr(Committer, "commit", once)
    assert course.run("grade", "--force")[0] == 0
    assert ended == [True]
    monkeypatch.setattr(Committer, "commit", always)
    status, printed = course.run("grade", "--force")
    assert (status, len(ended)) == (1, 2)
    last = printed.splitlines()[-1]
    where = course.room / "gradebook.db" if error is FULL_DATABASE else course.root / "class"
    assert last.startswith(f"course grade: the disk that holds {where} is full (")
    assert "MB are free). Make room. Then run the same command again: what is done stays done, and nothing is" in last
    monkeypatch.setattr(Committer, "commit", commit)
    assert course.run("grade", "--force")[0] == 0
    assert course.tables() == whole[1]


def test_a_full_temporary_folder_is_told(course, monkeypatch):
    """In the summary, with the folder, after one more try."""
    tried = []

    def without_room(task):
        tried.append(task["student"])
        why = file_errors.full("/tmp", scratch.ADVICE)
        return [
            fields | {"points": None, "status": "internal error", "note": f"Traceback\n{why}"}
            for fields in judged(task)
        ]

    monkeypatch.setattr(run, "perform", without_room)
    status, printed = course.run("grade", "--student", "bob", "--unit", UNITS[0].id[:2], "--force")
    assert (status, tried) == (1, ["bob", "bob"])
    count = len(UNITS[0].exercises)
    assert f"Why ({count} of {count} functions): the disk that holds /tmp is full (" in printed
    assert "Make room, or let TMPDIR name a folder on another disk. Then run the same command again" in printed


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("database is locked", "another program is writing to /class/gradebook.db. "),
        ("attempt to write a readonly database", "/class/gradebook.db may not be written to"),
        ("file is not a database", "/class/gradebook.db is damaged (file is not a database). Put back a backup, or "),
    ],
)
def test_what_a_database_says_becomes_a_sentence(said, told):
    error = OperationalError("BEGIN", {}, sqlite3.OperationalError(said))
    assert in_words(error, "sqlite:////class/gradebook.db").startswith(told)
