"""A course folder of the instructor's own, apart from the repository: made, and brought to a newer version."""

import shutil
import subprocess
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path

from autograder.authoring.own_cells import write_own_cells
from autograder.course import CLASSROOM
from autograder.decisions.reading import NAME as PLAN
from autograder.decisions.template import template
from autograder.grading.opened import OpenedClass
from autograder.grading.verdicts.task import key_of
from autograder.judge.seeds import seed_of
from autograder.registry import find_unit, units

TEMPLATES = {  # by their names in the course folder
    "nbgrader_config.py": "nbgrader_config.txt",
    "roster.csv": "roster.csv",
    "README.md": "README.md",
    ".gitignore": "gitignore",
}
COURSES = ("solutions/start.py", "notebooks/START_HERE.ipynb")  # of the course, beside the folders of its units

class NotPossible(Exception):
    """The folder cannot be made or updated; the message says why."""


def found(folder: str | Path, source: str | Path, chosen: Collection[str] | None = None) -> None:
    """Make a course folder: the course's notebooks, a plan, nbgrader's settings, a roster to fill in, and git.

    Parameters
    ----------
    folder : path
        Must not exist, or be empty.
    source : path
        Folder of the course.
    chosen : collection of str, optional
        Ids of the units that have a section in the plan; all when left out.

    Raises
    ------
    NotPossible
    """
    folder = Path(folder).resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotPossible(f"{folder} exists already. Choose another name; `course update` renews a course folder.")
    _require_source(source)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    (folder / CLASSROOM).mkdir()
    _copy_course(Path(source), folder)
    for target, name in TEMPLATES.items():
        (folder / target).write_bytes((files("autograder.grading") / "templates" / name).read_bytes())
    (folder / PLAN).write_text(template([unit for unit in units() if unit.id in (chosen or _ids())]), encoding="utf-8")
    _git(folder, "init", "--quiet")
    _commit(folder, "The course, as it was released")


def update(folder: str | Path, source: str | Path) -> list[str]:
    """Bring the course's notebooks in a course folder to the version of another folder; what is the class's stays.

    Parameters
    ----------
    folder : path
        Made by `found`.
    source : path
        Folder of the course.

    Returns
    -------
    list of str
        The files that have changed.

    Raises
    ------
    NotPossible
    """
    folder, source = Path(folder).resolve(), Path(source).resolve()
    if folder == source or not (folder / PLAN).is_file():
        raise NotPossible(
            f"{folder} is no course folder that `course init` has made. Run the command in such a folder."
        )
    _require_source(source)
    _commit(folder, "What was changed before the update")
    _copy_course(source, folder)
    write_own_cells(folder)
    changed = _git(folder, "status", "--porcelain", "--untracked-files=all").splitlines()
    _commit(folder, "A newer version of the course")
    return sorted(line[3:] for line in changed)


def verdicts_that_change(opened: OpenedClass, secret: bytes) -> dict[str, int]:
    """Return how many verdicts of a class will be found anew, since what decides them is not what it was.

    Parameters
    ----------
    opened : OpenedClass
    secret : bytes
        Of the class.

    Returns
    -------
    dict
        By unit and exercise, how many.
    """
    changed: dict[str, int] = {}
    graded = {(submission.student, submission.unit) for submission in opened.submissions}
    for submission, records in opened.store.committed():  # also of exercises that are left out: they are run as well
        if (submission.student, submission.unit) not in graded:
            continue
        exercises = {exercise.name: exercise for exercise in find_unit(submission.unit).exercises}
        for record in records:
            seed = seed_of(secret, record.exercise, submission.drawn_from)
            backend = record.sandbox.get("backend", "")
            if record.key != key_of(submission, exercises[record.exercise], seed, backend):
                key = f"{submission.unit}: {record.exercise}"
                changed[key] = changed.get(key, 0) + 1
    return changed


def _ids():
    return [unit.id for unit in units()]


def _require_source(source):
    missing = [name for name in COURSES if not Path(source, name).is_file()]
    if missing:
        raise NotPossible(
            f"{source} does not hold the course: {missing[0]} is missing. Name its repository with --from."
        )


def _copy_course(source, folder):
    """Copy the notebooks of all units; a unit that is not in the course any more goes."""
    for part in ("solutions", "notebooks"):
        for unit in _ids():
            target = folder / part / unit
            if target.exists():
                shutil.rmtree(target)
            shutil.copytree(source / part / unit, target, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    for name in COURSES:
        shutil.copyfile(source / name, folder / name)


def _commit(folder, message):
    """Commit everything that git does not ignore, if anything has changed."""
    _git(folder, "add", "--all")
    if _git(folder, "status", "--porcelain"):
        who = "-c", "user.name=course", "-c", "user.email=course@localhost"
        _git(folder, *who, "commit", "--quiet", "--no-gpg-sign", "--message", message)


def _git(folder, *arguments):
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise NotPossible("the program git is not there. Install it: with it, an update can be undone.") from None
    if done.returncode:
        raise NotPossible(f"git {arguments[0]} has failed in {folder}: {done.stderr.strip()}")
    return done.stdout
