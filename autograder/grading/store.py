"""The files that a class leaves behind: where each lies, and how one is written whole or not at all."""

import contextlib
import hashlib
import json
import os
import secrets
from dataclasses import asdict
from pathlib import Path

from autograder.grading.intake.submission import Submission
from autograder.grading.record import Record

KEY_LENGTH = 16  # characters of a key in a file's name
MARK = "committed.json"
REFUSED = "refused.json"
PARTS = ("autograded", "feedback", "originals", "records", "report")
DRAFTS = ".*.part"
TOLD = ("student", "unit", "origin", "code", "repairs", "unreadable", "timestamp")  # what is noted of a submission


def write_whole(path, content):
    """Write a file so that at every moment there is the old one or the new one, also after a power cut.

    Parameters
    ----------
    path : Path
        Its folder is made.
    content : bytes or str
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{secrets.token_hex(4)}.part")  # as DRAFTS
    try:
        with open(draft, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


class Store:
    """The folder of a class.

    Parameters
    ----------
    folder : path
        Such as ``classroom``.
    """

    def __init__(self, folder):
        self.folder = Path(folder)

    def place(self, part, student, unit, name):
        """Return the path of one student's file: of the `part` "records", "originals", "autograded" or "feedback"."""
        return self.folder / part / student / unit / name

    def tidy(self):
        """Remove the drafts of a run that was killed while it wrote; only for the one process that writes."""
        for part in (".", *PARTS):
            for draft in (self.folder / part).glob(DRAFTS if part == "." else f"**/{DRAFTS}"):
                draft.unlink()

    def record(self, student, unit, exercise, key):
        """Return the record of an exercise with this key, or None."""
        told = _read(self._place_of_record(student, unit, exercise, key))
        with contextlib.suppress(TypeError, AttributeError):
            record = Record(**(told or {}))
            return record if record.key == key else None
        return None

    def split(self, task):
        """Divide a task into what is known and what is left.

        Returns
        -------
        records : list of Record
            Of its exercises that have a verdict.
        task : dict
            The same without these exercises.
        """
        kept = {name: self.record(task["student"], task["unit"], name, key) for name, _, key in task["exercises"]}
        known = {name: record for name, record in kept.items() if record and record.points is not None}
        return list(known.values()), task | {"exercises": [one for one in task["exercises"] if one[0] not in known]}

    def save(self, record):
        """Keep a record; an older one of the same exercise stays beside it."""
        path = self._place_of_record(record.student, record.unit, record.exercise, record.key)
        write_whole(path, json.dumps(asdict(record), indent=1) + "\n")

    def note_refusals(self, sentences):
        """Keep what the last run did not take, for the report."""
        write_whole(self.folder / "records" / REFUSED, json.dumps(list(sentences), indent=1) + "\n")

    def refusals(self):
        """Return what the last run did not take."""
        return _read(self.folder / "records" / REFUSED) or []

    def _place_of_record(self, student, unit, exercise, key):
        return self.place("records", student, unit, f"{exercise}.{key[:KEY_LENGTH]}.json")

    def mark(self, student, unit):
        """Return what was noted when a submission had been committed, or an empty dict."""
        return _read(self.place("records", student, unit, MARK)) or {}

    def holds(self, handed_in):
        """Tell whether just this content has been committed."""
        return self.mark(handed_in.student, handed_in.unit).get("content") == hash_of(handed_in.content)

    def set_mark(self, submission, records, mark):
        """Note that a submission is committed, the last thing that is written of it, and what a report needs of it.

        Parameters
        ----------
        submission : Submission
        records : list of Record
        mark : dict
        """
        told = {name: getattr(submission, name) for name in TOLD}
        keys = {record.exercise: record.key for record in records}
        mark = mark | {"content": hash_of(submission.content), "keys": keys, "submission": told}
        path = self.place("records", submission.student, submission.unit, MARK)
        write_whole(path, json.dumps(mark, indent=1) + "\n")

    def committed(self):
        """Return (Submission without its notebook, list of Record) of everything that is committed, in fixed order."""
        found = []
        for path in sorted(self.folder.glob(f"records/*/*/{MARK}")):
            mark = _read(path)
            with contextlib.suppress(TypeError, KeyError):
                told = {name: tuple(v) if isinstance(v, list) else v for name, v in mark["submission"].items()}
                submission = Submission(**told, content=b"", notebook=None)
                whose = submission.student, submission.unit
                records = [self.record(*whose, name, key) for name, key in mark["keys"].items()]
                if all(records):
                    found.append((submission, records))
        return found


def hash_of(content):
    """Return the SHA-256 (hex) of bytes."""
    return hashlib.sha256(content).hexdigest()


def _read(path):
    """Return the JSON in a file; None where there is none, or something else."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
