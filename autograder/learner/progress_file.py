"""What a learner has done, in one small file: points, mistakes, hints, questions, and what is kept in the library."""

import dataclasses
import datetime
import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from autograder.evaluation.evaluate import Verdict
from autograder.learner import files
from autograder.whole_file import write_atomically

NAME = "progress.json"
FORMAT, VERSION = "transformer-course progress", 1


@dataclass
class Entry:
    """What is known of one exercise; times are in UTC, as in 2025-11-21T16:52:00.

    `mistakes` counts how often each known mistake was met, `overcome` lists those met before all points were reached.
    `stuck_on` is the cause of the latest failures in a row and `stuck` their number. `hints` is the number of hints
    opened, and `opened` are their numbers from 0, where these are not the first ones. `kept` is the hash of the
    definition that a check wrote into the library.
    """

    best: float = 0.0
    last: float = 0.0
    checks: int = 0
    first_check: str = ""
    last_check: str = ""
    mistakes: dict = field(default_factory=dict)
    overcome: list = field(default_factory=list)
    stuck_on: str = ""
    stuck: int = 0
    hints: int = 0
    solution: bool = False
    kept: str = ""
    opened: list = field(default_factory=list)

    @property
    def open_hints(self) -> list[int]:
        """The numbers of the hints that are open."""
        return self.opened or list(range(self.hints))

    def open_hint(self, number: int) -> None:
        """Note that a hint was opened."""
        self.opened = sorted({*self.open_hints, number})
        self.hints = len(self.opened)


@dataclass
class Progress:
    """Entries by the name of the exercise, and for each answered question whether the answer was right."""

    exercises: dict = field(default_factory=dict)
    questions: dict = field(default_factory=dict)

    def of(self, name: str) -> Entry:
        """Return the entry of an exercise; a new one at first."""
        return self.exercises.setdefault(name, Entry())


class Unreadable(ValueError):
    """A file that holds no progress that this version of the course can read."""


def read(folder: Path) -> tuple[Progress, str]:
    """Read the progress of a folder; set aside a file that cannot be read.

    Returns
    -------
    progress : Progress
        Empty for a folder without the file.
    notice : str
        What happened to an unreadable file, as a sentence; otherwise empty.
    """
    path = folder / NAME
    if not path.exists():
        return Progress(), ""
    try:
        return parse(path.read_text(encoding="utf-8")), ""
    except (Unreadable, UnicodeDecodeError, IsADirectoryError) as error:
        aside = next(p for p in files.dated(folder, "progress-unreadable", ".json") if not p.exists())
        path.rename(aside)
        why = error if isinstance(error, Unreadable) else "it is no text"
        return Progress(), f"the progress file could not be read ({why}). It is now {aside.name}, and a new one begins."


def parse(text: str) -> Progress:
    """Turn the text of a progress file into a Progress; raises Unreadable."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is no JSON") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Unreadable("it is no progress of this course")
    if data.get("version") != VERSION:
        raise Unreadable(f"its version is {data.get('version')!r:.20}, and this course reads version {VERSION}")
    exercises, questions = data.get("exercises"), data.get("questions")
    if not isinstance(exercises, dict) or not isinstance(questions, dict):
        raise Unreadable("a part of it is missing")
    entries = {name: _entry(name, fields) for name, fields in exercises.items()}
    return Progress(entries, {id: right for id, right in questions.items() if isinstance(right, bool)})


def _entry(name, fields):
    """Return an entry; a field that is missing or unknown, as in another version, does no harm."""
    entry = Entry()
    for attribute in dataclasses.fields(Entry):
        value = fields.get(attribute.name, getattr(entry, attribute.name)) if isinstance(fields, dict) else None
        kind = int | float if attribute.type is float else attribute.type
        if not isinstance(value, kind) or (isinstance(value, int | float) and not 0 <= value < math.inf):
            raise Unreadable(f"`{attribute.name}` of {name:.40} is not what it should be")
        setattr(entry, attribute.name, value)
    counted = all(isinstance(count, int) for count in entry.mistakes.values())
    if not counted or not all(id in [*entry.mistakes] for id in entry.overcome):  # in a list: an id may be anything
        raise Unreadable(f"`mistakes` of {name:.40} is not what it should be")
    return entry


def write(folder: Path, progress: Progress) -> None:
    """Write the progress of a folder; call this while `files.writing` keeps others away."""
    entries = {name: dataclasses.asdict(entry) for name, entry in sorted(progress.exercises.items())}
    data = {"format": FORMAT, "version": VERSION, "exercises": entries, "questions": progress.questions}
    write_atomically(folder / NAME, json.dumps(data, indent=1, sort_keys=True) + "\n")


def note_check(entry: Entry, verdict: Verdict) -> None:
    """Add one check to an entry; that of an unwritten function does not count."""
    if verdict.status == "not written":
        return
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    entry.checks += 1
    entry.first_check = entry.first_check or now
    entry.last_check = now
    entry.last = verdict.points
    entry.best = max(entry.best, verdict.points)
    if verdict.status == "passed":
        entry.overcome = sorted(entry.mistakes)
        entry.stuck = 0
        entry.stuck_on = ""
        return
    for mistake in verdict.cause.own if verdict.cause else ():
        entry.mistakes[mistake.id] = entry.mistakes.get(mistake.id, 0) + 1
        entry.overcome = [id for id in entry.overcome if id != mistake.id]
    cause = verdict.mistake.id if verdict.mistake else next(r.name for r in verdict.results if not r.passed)
    entry.stuck = entry.stuck + 1 if entry.stuck_on == cause else 1
    entry.stuck_on = cause
