"""The files that grading a class leaves behind: where each of them lies, and the records among them."""

import contextlib
import glob
import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.submission import Submission
from autograder.grading.nbgraders_files import NBGRADERS, TIMESTAMP
from autograder.grading.verdicts.mark import fields_of, is_mark, submission_in
from autograder.grading.verdicts.record import Record, record_of
from autograder.grading.verdicts.state import State, read_json
from autograder.judge.seeds import read_secret
from autograder.whole_file import DRAFTS, write_atomically

KEY_LENGTH = 16  # characters of a key in a file's name
EXCHANGE = "exchange"  # nbgrader's, which learners write to
MARK = "committed.json"
COLLECTED = "submitted"  # where nbgrader collects
TRACES = ("records", "originals")  # where nobody else writes
PARTS = ("autograded", "feedback", "originals", "records", "report")


def _restrict(path, allowed):
    """Take rights from a file; another grader's file is another grader's to close."""
    with contextlib.suppress(PermissionError, FileNotFoundError):
        path.chmod(path.stat().st_mode & allowed)


class Store:
    """The folder of a class.

    Parameters
    ----------
    folder : path
        Such as ``classroom``.

    Attributes
    ----------
    folder : Path
    grades : Path
        Of the table.
    state : State
        What a run leaves for the next one.
    ids : Path
        Of the file that says which student has which id; see `autograder.grading.intake.find.register`.
    roster : Path
        Of the file that says who is in the class; see `autograder.grading.intake.find.roster`.
    collected : Path
        The folder in which nbgrader collects, and `collect` puts what came by another way.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.ids = self.folder / "ids.json"
        self.roster = self.folder / "roster.json"
        self.state = State(self.folder / "intake.json")
        self.grades = self.folder / "grades.csv"
        self.collected = self.folder / COLLECTED

    def place(self, part: str, student: str, unit: str, name: str) -> Path:
        """Return the path of one student's file: of the `part` "records", "originals", "autograded" or "feedback"."""
        return self.folder / part / student / unit / name

    def collect(self, submission: Submission) -> None:
        """Put what counts where nbgrader collects, in place of an attempt that does not count any more."""
        path = self.place(COLLECTED, submission.student, submission.unit, f"{submission.unit}.ipynb")
        if path.is_file() and path.read_bytes() == submission.content:
            return
        for name in NBGRADERS:  # of the other attempt
            path.with_name(name).unlink(missing_ok=True)
        write_atomically(path, submission.content)
        if submission.timestamp:
            write_atomically(path.with_name(TIMESTAMP), submission.timestamp)

    def begin(self) -> None:
        """Make the files that later runs must find, where nothing was graded yet: a run may end at any time."""
        if self.traces():
            return
        if not self.ids.exists():
            write_atomically(self.ids, "{}\n")
        if not self.state.path.exists():
            self.state.note()

    def secret(self) -> bytes:
        """Return the secret of the class, which is made once, before anything is graded."""
        return read_secret(self.folder / "secret", is_first=not self.traces())

    def close_to_others(self, shared_with_group: bool = False) -> None:
        """Let nobody else on this machine read what is kept of the class; through the folder they reach the exchange.

        Parameters
        ----------
        shared_with_group : bool
            The owner's group may do what the owner may, as nbgrader's `CourseDirectory.groupshared` says.
        """
        allowed = 0o770 if shared_with_group else 0o700
        for path in self.folder.iterdir():
            if path.name != EXCHANGE and not path.is_symlink():
                _restrict(path, allowed)
        _restrict(self.folder, allowed | 0o011)

    def tidy(self) -> None:
        """Remove the drafts of a run that was killed while it wrote; only for the one process that writes."""
        for part in (".", *PARTS):
            for draft in (self.folder / part).glob(DRAFTS if part == "." else f"**/{DRAFTS}"):
                draft.unlink()

    def record(self, student: str, unit: str, exercise: str, key: str) -> Record | None:
        """Return the record of an exercise with this key; None without one, and for one of an older form."""
        record = record_of(read_json(self._place_of_record(student, unit, exercise, key)))
        about = record and (record.student, record.unit, record.exercise, record.key)
        return record if about == (student, unit, exercise, key) else None

    def split(self, task: dict[str, Any]) -> tuple[list[Record], dict[str, Any]]:
        """Divide a task into what is known and what is left.

        Returns
        -------
        records : list of Record
            Of its exercises that have a verdict.
        task : dict
            The same without these exercises.
        """
        kept = {name: self._record_of_group(task, name, key) for name, _, key in task["exercises"]}
        known = {name: record for name, record in kept.items() if record and record.points is not None}
        return list(known.values()), task | {"exercises": [one for one in task["exercises"] if one[0] not in known]}

    def _record_of_group(self, task, exercise, key):
        """Return a record of the student, or of another who has handed in the same with them."""
        for one in (task["student"], *task["together"]):
            record = self.record(one, task["unit"], exercise, key)
            if record:
                return replace(record, student=task["student"])
        return None

    def save(self, record: Record) -> None:
        """Keep a record; an older one of the same exercise stays beside it."""
        path = self._place_of_record(record.student, record.unit, record.exercise, record.key)
        write_atomically(path, json.dumps(vars(record)) + "\n")

    def students(self) -> set[str]:
        """Return the ids of those of whom something is committed."""
        return {path.parts[-3] for path in self.folder.glob(f"records/*/*/{MARK}")}

    def _place_of_record(self, student, unit, exercise, key):
        return self.place("records", student, unit, f"{exercise}.{key[:KEY_LENGTH]}.json")

    def mark(self, student: str, unit: str) -> dict[str, Any]:
        """Return what was noted when a submission had been committed; an empty dict where that cannot be read."""
        mark = read_json(self.place("records", student, unit, MARK))
        return mark if is_mark(mark, student, unit) else {}

    def holds(self, handed_in: HandedIn) -> bool:
        """Return whether just this content has been committed, of the same people, with these notes at least.

        What cannot be read any more was not: its mark, and each of its records.
        """
        student, unit = handed_in.student, handed_in.unit
        mark = self.mark(student, unit)
        known = mark.get("submission", {})
        same = mark.get("content") == hash_of(handed_in.content)
        same = same and known.get("together", []) == list(handed_in.together)
        same = same and set(handed_in.notes) <= set(known.get("notes", []))
        return same and None not in self._named(mark, student, unit)

    def set_mark(self, submission: Submission, records: Iterable[Record], mark: dict[str, Any]) -> None:
        """Note that a submission is committed, the last thing that is written of it, and what a report needs of it.

        Parameters
        ----------
        submission : Submission
        records : list of Record
        mark : dict
        """
        keys = {record.exercise: record.key for record in records}
        mark = mark | {"content": hash_of(submission.content), "keys": keys, "submission": fields_of(submission)}
        self._write_mark(submission.student, submission.unit, mark)

    def change_mark(self, student: str, unit: str, **fields: Any) -> None:
        """Change fields in the mark of a submission that is committed."""
        self._write_mark(student, unit, self.mark(student, unit) | fields)

    def _write_mark(self, student, unit, mark):
        write_atomically(self.place("records", student, unit, MARK), json.dumps(mark, indent=1) + "\n")

    def committed(self, student: str = "*", unit: str = "*") -> list[tuple[Submission, list[Record]]]:
        """Return (Submission without its notebook, list of Record) of all that can be read, in fixed order.

        Parameters
        ----------
        student, unit : str
            Those of one submission, or everybody's.
        """
        found = []
        names = [name if name == "*" else glob.escape(name) for name in (student, unit)]
        for path in sorted(self.folder.glob("/".join(["records", *names, MARK]))):
            mark = self.mark(*path.parts[-3:-1])
            records = self._named(mark, *path.parts[-3:-1])
            if mark and None not in records:
                found.append((submission_in(mark), records))
        return found

    def traces(self) -> set[tuple[str, str]]:
        """Return student and unit of everything that was ever graded, whether it can be read or not."""
        folders = (path for part in TRACES for path in self.folder.glob(f"{part}/*/*/") if any(path.iterdir()))
        return {(path.parent.name, path.name) for path in folders}

    def _named(self, mark, student, unit):
        """Return the records that a mark names; None in the place of one that cannot be read."""
        return [self.record(student, unit, name, key) for name, key in mark.get("keys", {}).items()]


def hash_of(content: bytes) -> str:
    """Return the SHA-256 (hex) of bytes."""
    return hashlib.sha256(content).hexdigest()
