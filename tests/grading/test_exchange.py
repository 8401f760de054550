"""From release to feedback by nbgrader's exchange, and the machine's own settings of nbgrader."""

import os
import shutil
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import nbformat
import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import cli, nbgrader_config
from autograder.authoring.stamp import is_edited
from autograder.grading import exchange
from autograder.nbgrader_config import JUDGE, configure, settings
from autograder.registry import find_unit
from tests.support.classroom import Classroom
from tools.course import ROOT, fill, solved

UNIT = find_unit("05_cross_attention")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Write the machine's configuration, or the user's."""
    folders = [tmp_path / "local", tmp_path / "etc", tmp_path / "user"]
    monkeypatch.setattr(nbgrader_config, "SYSTEM_CONFIG_PATH", list(map(str, folders[:2])))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folders[2]))

    def write(text, folder=1):
        folders[folder].mkdir(exist_ok=True)
        (folders[folder] / "nbgrader_config.py").write_text(f"c = get_config()\n{text}\n")

    return write


def test_what_the_machine_says_holds(machine, tmp_path):
    """Jupyter reads the environment's configuration after the machine's: the course must not override it."""
    machine("c.Exchange.root = '/srv/exchange'\nc.CourseDirectory.course_id = 'far'")
    machine("c.CourseDirectory.course_id = 'near'", folder=0)
    config = Config()
    configure(config)
    assert (config.Exchange.root, config.CourseDirectory.course_id) == ("/srv/exchange", "near")
    assert JUDGE in config.Autograde.autograde_preprocessors
    assert settings(tmp_path).Exchange.root == "/srv/exchange"


def test_a_server_elsewhere_finds_the_named_course(machine, tmp_path):
    """As JupyterHub does, in the home folder; `course grade` grades the course that it is asked for."""
    course = tmp_path / "srv" / "course"
    machine(f"c.CourseDirectory.root = {str(course)!r}")
    config = Config()
    configure(config)
    assert config.CourseDirectory.root == str(course.resolve())
    assert config.CourseDirectory.db_url.endswith("/srv/course/classroom/gradebook.db")
    assert settings(tmp_path).CourseDirectory.root == str(tmp_path.resolve())


def test_what_the_user_says_overrides_the_machine(machine, tmp_path):
    """In an environment of the user's own, Jupyter reads `~/.jupyter` before the environment's configuration."""
    machine("c.Exchange.root = '/srv/exchange'\nc.CourseDirectory.course_id = 'far'")
    machine(f"c.CourseDirectory.course_id = 'near'\nc.CourseDirectory.root = {str(tmp_path / 'algebra')!r}", folder=2)
    config = Config()
    configure(config)
    assert (config.Exchange.root, config.CourseDirectory.course_id) == ("/srv/exchange", "near")
    assert config.CourseDirectory.db_url.endswith("/algebra/classroom/gradebook.db")
    assert settings(tmp_path / "other").CourseDirectory.course_id == "near"


def test_the_machine_may_call_the_courses_settings(machine):
    """As the documents say it of `stock`."""
    machine("from autograder.nbgrader_config import configure\nconfigure(c, stock=True)")
    config = Config()
    configure(config)
    assert JUDGE not in config.Autograde.autograde_preprocessors


def test_without_a_course_the_exchange_is_nbgraders(machine, tmp_path):
    """A learner's folder is no place for an exchange."""
    for folder, has_solutions in ((tmp_path / "home", False), (tmp_path / "course", True)):
        (folder / "solutions").mkdir(parents=True) if has_solutions else folder.mkdir()
        config = Config()
        configure(config, folder)
        assert ("root" in config.Exchange) is has_solutions


def nbgrader(folder, home, *arguments):
    """Run an nbgrader command; return what it printed."""
    own = {"HOME": str(home), "JUPYTER_DATA_DIR": str(home / "data"), "PATH": os.defpath}
    program = Path(sys.executable).parent / "nbgrader"
    done = subprocess.run([program, *arguments], cwd=folder, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def term(backend, tmp_path_factory):
    """A unit released, fetched, solved, submitted, collected, graded, and given back; and somebody's by mail."""
    folder = tmp_path_factory.mktemp("term")
    room, home, shared = Classroom(folder / "course"), folder / "home", folder / "exchange"
    home.mkdir()
    shared.mkdir()
    shared.chmod(0o777)
    for place in (room.root, home):
        (place / "nbgrader_config.py").write_text(f"c = get_config()\nc.Exchange.root = {str(shared)!r}\n")
    named = "--course", "transformer-course"
    nbgrader(room.root, folder, "generate_assignment", UNIT.id, "--force")
    nbgrader(room.root, folder, "release_assignment", UNIT.id)
    nbgrader(home, home, "fetch_assignment", UNIT.id, *named)
    nbformat.write(fill(UNIT, solved(UNIT)), home / UNIT.id / f"{UNIT.id}.ipynb")
    nbgrader(home, home, "submit", UNIT.id, *named)
    nbgrader(room.root, folder, "collect", UNIT.id)
    room.submit(UNIT, "by-mail", fill(UNIT, {}))
    course = [sys.executable, "-m", "autograder.cli", "grade"]
    graded = subprocess.run(course, cwd=room.root, capture_output=True, text=True)
    assert graded.returncode == 0, graded.stdout + graded.stderr
    released = nbgrader(room.root, folder, "release_feedback", UNIT.id)
    nbgrader(home, home, "fetch_feedback", UNIT.id, *named)
    return room.root, home, released


needs_exchange = pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows")


@needs_exchange
@pytest.mark.exhaustive
def test_feedback_comes_back_by_the_exchange(term):
    """Also where somebody in the class handed in by another way."""
    root, home, released = term
    (page,) = (home / UNIT.id / "feedback").rglob("*.html")
    assert page.read_text() == (root / "classroom" / "feedback" / getuser() / UNIT.id / f"{UNIT.id}.html").read_text()
    assert "nothing can be fetched there: by-mail" in released


@needs_exchange
@pytest.mark.exhaustive
def test_feedback_comes_back_after_nbgraders_own_commands(term, tmp_path):
    root, home, _ = term
    nbgrader(root, tmp_path, "autograde", UNIT.id, "--force")
    nbgrader(root, tmp_path, "generate_feedback", UNIT.id, "--force")
    assert "Feedback released" in nbgrader(root, tmp_path, "release_feedback", UNIT.id)
    nbgrader(home, home, "fetch_feedback", UNIT.id, "--course", "transformer-course")
    (page,) = (home / UNIT.id / "feedback").rglob("*.html")
    assert page.read_text() == (root / "classroom" / "feedback" / getuser() / UNIT.id / f"{UNIT.id}.html").read_text()


def transfer(step, **folders):
    """Take a step of nbgrader's exchange with the unit."""
    config = Config()
    configure(config, folders["course"])
    config.CourseDirectory.assignment_id = UNIT.id
    config.Exchange.root, config.Exchange.assignment_dir = str(folders["shared"]), str(folders["home"])
    step(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config).start()


@pytest.fixture
def released(tmp_path):
    """The folders of a course, of an exchange to which it has released the unit, and of a learner."""
    folders = {name: tmp_path / name for name in ("course", "shared", "home")}
    for folder in folders.values():
        folder.mkdir()
    folders["shared"].chmod(0o777)
    shutil.copytree(ROOT / "notebooks" / UNIT.id, folders["course"] / "notebooks" / UNIT.id)
    shutil.copyfile(ROOT / "notebooks" / "START_HERE.ipynb", folders["course"] / "notebooks" / "START_HERE.ipynb")
    transfer(exchange.ReleaseAssignment, **folders)
    return folders


@needs_exchange
def test_fetching_a_unit_keeps_an_existing_start_page(released):
    page = released["home"] / "START_HERE.ipynb"
    page.write_text("with notes")
    transfer(exchange.FetchAssignment, **released)
    assert page.read_text() == "with notes"
    page.unlink()
    shutil.rmtree(released["home"] / UNIT.id)
    transfer(exchange.FetchAssignment, **released)
    assert page.read_bytes() == (ROOT / "notebooks" / page.name).read_bytes()
    assert os.access(released["shared"] / "transformer-course" / page.name, os.R_OK)


@needs_exchange
def test_the_exchange_gives_what_the_class_decides(released):
    due = "4 December 2026, 23:59 (UTC+01:00)"
    (released["course"] / "course.toml").write_text(f"[units.{UNIT.id}]\ndue = 2026-12-04T23:59:00+01:00\n")
    (released["course"] / "solutions").mkdir()  # nbgrader looks there for what is released again
    shutil.rmtree(released["shared"] / "transformer-course" / "outbound" / UNIT.id)
    transfer(exchange.ReleaseAssignment, **released)
    transfer(exchange.FetchAssignment, **released)
    unit, page = released["home"] / UNIT.id / f"{UNIT.id}.ipynb", released["home"] / "START_HERE.ipynb"
    assert f"points, due on {due}, " in unit.read_text(encoding="utf-8")
    assert f".ipynb), due on {due}" in page.read_text(encoding="utf-8")
    assert not is_edited(unit)
    assert os.access(unit, os.W_OK)


@needs_exchange
@pytest.mark.parametrize("has_page", [True, False], ids=["with the start page", "without"])
def test_the_learners_commands_work_on_what_was_fetched(released, monkeypatch, capsys, has_page):
    home = released["home"]
    transfer(exchange.FetchAssignment, **released)
    if not has_page:
        (home / "START_HERE.ipynb").unlink()
    monkeypatch.chdir(home)
    book = home / UNIT.id / f"{UNIT.id}.ipynb"
    nbformat.write(fill(UNIT, solved(UNIT)), book)
    assert cli.main(["progress"]) == 0
    assert cli.main(["reset", UNIT.id[:2], "--yes"]) == 0
    assert "is as it was released" in capsys.readouterr().out
    assert book.read_bytes() == (ROOT / "notebooks" / UNIT.id / book.name).read_bytes()


@needs_exchange
def test_an_assignment_of_another_course_is_fetched_unchanged(released):
    """The environment of a hub serves all courses."""
    (released["shared"] / "transformer-course" / "START_HERE.ipynb").unlink()
    transfer(exchange.FetchAssignment, **released)
    assert [path.name for path in released["home"].iterdir()] == [UNIT.id]


@pytest.fixture
def collected(tmp_path):
    """The step that releases pages, and where Eve's files were collected and where her page lies."""
    config = Config()
    configure(config, tmp_path)
    step = exchange.ReleaseFeedback(CourseDirectory(config=config), config=config)
    folders = [tmp_path / "classroom" / name / "eve" / UNIT.id for name in ("submitted", "feedback")]
    for folder in folders:
        folder.mkdir(parents=True)
    (folders[0] / "timestamp.txt").write_text("2026-11-23 10:00:00 UTC")
    return step, *folders


def test_a_link_in_a_submission_is_not_followed(collected, tmp_path):
    """A learner could name the instructor's own files."""
    step, handed_in, page = collected
    (tmp_path / "private").write_text("own")
    (handed_in / "submission_secret.txt").symlink_to(tmp_path / "private")
    assert not step._is_stamped(page)
    assert sorted(path.name for path in page.iterdir()) == ["timestamp.txt"]


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"x" * 2_000_000], ids=["no text", "far too much"])
def test_what_nbgrader_cannot_read_costs_its_owner_only(collected, bad):
    """It would stop there, and release nobody's page."""
    step, handed_in, page = collected
    (handed_in / "submission_secret.txt").write_bytes(b"0" * 32)
    assert step._is_stamped(page)
    (handed_in / "timestamp.txt").write_bytes(bad)
    (page / "timestamp.txt").write_bytes(bad)  # as nbgrader's own generate_feedback brings it
    assert not step._is_stamped(page)
