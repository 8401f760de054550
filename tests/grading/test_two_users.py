"""An instructor and two learners with accounts of their own on one server, from release to feedback by the exchange."""

import contextlib
import csv
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from autograder.registry import find_unit
from tests.support import needs
from tools.course import ROOT, fill, solved

pytestmark = [needs.linux, needs.root, pytest.mark.exhaustive]

UNIT = find_unit("05_cross_attention")
COURSE, NBGRADER = (sys.executable, "-m", "autograder.cli"), (sys.executable, "-m", "nbgrader")
NAMED = "--course", "transformer-course"
# Says of each place whether it can be read or, if it is a folder, listed.
LOOK = """
import os, sys
for place in sys.argv[1:]:
    try:
        os.listdir(place) if os.path.isdir(place) else open(place).close()
    except PermissionError:
        print("closed", place)
    else:
        print("open", place)
"""


class Account:
    """A system user with a home folder, in which commands run without any right of root."""

    def __init__(self, name, home):
        self.name, self.home = name, home
        self.entry = pwd.getpwnam(name)
        home.mkdir(mode=0o700)
        self.owns(home)

    def owns(self, path):
        os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def run(self, *command, where="."):
        """Run a command in a folder below the home folder."""
        own = {"HOME": str(self.home), "USER": self.name, "LOGNAME": self.name, "PATH": os.defpath}
        rights = {"user": self.entry.pw_uid, "group": self.entry.pw_gid, "extra_groups": [], "umask": 0o022}
        return subprocess.run(command, cwd=self.home / where, env=own, capture_output=True, text=True, **rights)

    def does(self, *command, where="."):
        """Run a command that must succeed, and return what it printed."""
        done = self.run(*command, where=where)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def sees(self, *places):
        """Return "open" or "closed" for each place."""
        return [line.split()[0] for line in self.does(sys.executable, "-c", LOOK, *map(str, places)).splitlines()]


@pytest.fixture(scope="module")
def accounts():
    """Make three system users and a folder with their homes; everything goes afterwards, also after a failure."""
    if not shutil.which("useradd") or not shutil.which("userdel"):
        pytest.skip(needs.USERS)
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="two-users-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o711)
        found = SimpleNamespace(folder=folder)
        for role in ("teacher", "ann", "bob"):
            name = f"{role}-{os.getpid()}"
            made = subprocess.run(["useradd", "--user-group", "--no-create-home", name], capture_output=True)
            if made.returncode:
                pytest.skip(needs.USERS)
            stack.callback(subprocess.run, ["userdel", "--force", name], capture_output=True)
            setattr(found, role, Account(name, folder / role))
        try:
            reached = not found.ann.run(sys.executable, "-c", "import autograder, nbgrader").returncode
        except PermissionError:  # Python itself lies where nobody else may look
            reached = False
        if not reached:
            pytest.skip(needs.COMMON_PYTHON)
        if found.teacher.run(*COURSE, "sandbox").returncode:
            pytest.skip(needs.SANDBOX)
        yield found


@pytest.fixture(scope="module")
def term(accounts):
    """A unit on its way: released, fetched, handed in by two learners, collected, graded, and given back."""
    teacher, learners = accounts.teacher, (accounts.ann, accounts.bob)
    exchange = accounts.folder / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    for account in (teacher, *learners):
        settings = account.home / ".jupyter" / "nbgrader_config.py"
        settings.parent.mkdir()
        settings.write_text(f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\n")
    teacher.does(*COURSE, "init", "algebra", "--from", str(ROOT), "--unit", "5")
    course = teacher.home / "algebra"
    teacher.does(*NBGRADER, "generate_assignment", UNIT.id, "--force", where=course)
    teacher.does(*NBGRADER, "release_assignment", UNIT.id, where=course)
    for learner, sources in zip(learners, (solved(UNIT), {}), strict=True):
        learner.does(*NBGRADER, "fetch_assignment", UNIT.id, *NAMED)
        nbformat.write(fill(UNIT, sources), learner.home / UNIT.id / f"{UNIT.id}.ipynb")
        learner.does(*NBGRADER, "submit", UNIT.id, *NAMED)
    teacher.does(*NBGRADER, "collect", UNIT.id, where=course)
    printed = teacher.does(*COURSE, "grade", where=course)
    teacher.does(*NBGRADER, "release_feedback", UNIT.id, where=course)
    for learner in learners:
        learner.does(*NBGRADER, "fetch_feedback", UNIT.id, *NAMED)
    return SimpleNamespace(course=course, exchange=exchange / "transformer-course", printed=printed)


def test_both_have_their_points(accounts, term):
    assert "2 in all: 2 with a verdict" in term.printed
    with open(term.course / "classroom" / "grades.csv", newline="") as table:
        points = {row["student"]: float(row["total"]) for row in csv.DictReader(table)}
    assert points == {accounts.ann.name: UNIT.points, accounts.bob.name: 0}


def test_each_learner_gets_only_their_own_page(accounts, term):
    pages = {}
    for learner in (accounts.ann, accounts.bob):
        (page,) = (learner.home / UNIT.id / "feedback").rglob("*.html")
        graded = term.course / "classroom" / "feedback" / learner.name / UNIT.id / f"{UNIT.id}.html"
        assert page.read_text() == graded.read_text()
        assert accounts.teacher.sees(graded) == ["open"]
        pages[learner.name] = page.read_text()
    assert pages[accounts.ann.name] != pages[accounts.bob.name]


def test_a_learner_reads_nothing_of_others(accounts, term):
    """The instructor, asked in the same way, reads all of it."""
    room = term.course / "classroom"
    places = [
        term.course,
        term.course / "solutions" / UNIT.id / f"{UNIT.id}.ipynb",
        *(room / name for name in ("grades.csv", "gradebook.db", "report/index.html", "secret", "submitted")),
        room / "feedback" / accounts.bob.name / UNIT.id / f"{UNIT.id}.html",
        room / "submitted" / accounts.bob.name / UNIT.id / f"{UNIT.id}.ipynb",
        term.exchange / "inbound",
    ]
    assert accounts.teacher.sees(*places) == ["open"] * len(places)
    of_bob = [accounts.bob.home, accounts.bob.home / UNIT.id / f"{UNIT.id}.ipynb", term.exchange / "feedback"]
    assert accounts.bob.sees(*of_bob[:2]) == ["open", "open"]
    assert accounts.ann.sees(*places, *of_bob) == ["closed"] * (len(places) + len(of_bob))


def test_an_open_course_folder_shows_nothing_either(accounts, term):
    """As where the exchange lies in it: mode 711."""
    room = term.course / "classroom"
    closed = [term.course, room / "grades.csv", room / "gradebook.db", room / "submitted", room / "records"]
    accounts.teacher.home.chmod(0o711)
    term.course.chmod(0o711)
    try:
        assert accounts.ann.sees(*closed) == ["closed"] * len(closed)
        assert accounts.ann.sees(term.course / "README.md") == ["open"]
    finally:
        term.course.chmod(0o700)
        accounts.teacher.home.chmod(0o700)


def test_the_start_page_and_learners_commands_work(accounts, term):
    ann = accounts.ann
    assert (ann.home / "START_HERE.ipynb").read_bytes() == (ROOT / "notebooks" / "START_HERE.ipynb").read_bytes()
    assert f"Kept in {ann.home}/my_transformer" in ann.does(*COURSE, "progress").replace("\n", "")
    assert "is as it was released" in ann.does(*COURSE, "reset", "05", "--yes")
    released = term.course / "notebooks" / UNIT.id / f"{UNIT.id}.ipynb"
    assert (ann.home / UNIT.id / released.name).read_bytes() == released.read_bytes()


def test_a_course_closed_to_learners_stops_nobody(accounts, term):
    """As in /etc/jupyter on a hub, where every user's programs read it."""
    settings = accounts.bob.home / ".jupyter" / "nbgrader_config.py"
    settings.write_text(settings.read_text() + f"c.CourseDirectory.root = {str(term.course)!r}\n")
    assert f"{UNIT.id}" in accounts.bob.does(*NBGRADER, "list", *NAMED)
