"""What the next `course grade` would do, found by its own planner on a copy of the gradebook; nothing is written."""

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from traitlets.config import Config

from autograder.grading.commit import Committer
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.take_in import Intake
from autograder.grading.leaving import removed
from autograder.grading.run import Run
from autograder.grading.verdicts.store import Store
from autograder.judge.scratch import folder
from autograder.judge.seeds import read_secret

SQLITE = "sqlite:///"
ANY_SANDBOX = "any"  # verdicts are the same in each


def plan(
    config: Config,
    store: Store,
    intake: Intake,
    root: Path,
    named: Collection[str],
    force: bool,
    older: bool,
    collects: bool,
    trusted: bool,
) -> dict[str, Any]:
    """Return what a run with the same options would do.

    Parameters
    ----------
    config : traitlets.config.Config
        Of nbgrader.
    store : Store
    intake : Intake
        Whoever was taken out of the gradebook, and is not named, is left out of it.
    root : Path
        Folder of the course.
    named : collection of str
        Ids of the students whom the command names.
    force, older, collects : bool
        As `Run` and `Committer` take them.
    trusted : bool
        Whether the code would run without a sandbox.

    Returns
    -------
    dict
        "would_grade" names the submissions, "functions" says how many would be run, and "unchanged" how many
        submissions would not be touched.
    """
    secret = store.folder / "secret"
    known = read_secret(secret) if secret.exists() else b"not made yet"
    with _copied(config) as own, ClassGradebook(own) as gradebook:
        intake.leave_out(removed(store, gradebook) - set(named))
        backend = "none" if trusted else ANY_SANDBOX
        committer = Committer(store, gradebook, lambda unit: skeleton(unit, root), known, backend, collects)
        committer.prepare(intake.units())
        planned = Run(store, committer, known, backend, force, older, lambda student, unit: None).plan(intake)
    new = [f"{student}/{unit}" for student, unit in planned.graded]
    intake.remarks += tuple(sorted(planned.remarks))
    return {"would_grade": new, "functions": planned.n_evaluated, "unchanged": len(planned.unchanged)}


@contextlib.contextmanager
def _copied(config: Config) -> Iterator[Config]:
    """Give a configuration whose gradebook is a copy for a while, an empty one where there is none."""
    with folder() as scratch:
        url = config.CourseDirectory.db_url
        copy = scratch / "gradebook.db"
        path = Path(url.removeprefix(SQLITE))
        if url.startswith(SQLITE) and path.is_file():
            with (
                contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
                contextlib.closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
        own = deepcopy(config)
        own.CourseDirectory.db_url = f"{SQLITE}{copy.as_posix()}"
        yield own
