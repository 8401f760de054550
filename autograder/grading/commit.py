"""Writes what is decided, in a single process: gradebook, autograded notebooks, pages, and last a mark that it is done.

An interrupted commit is repeated by the next run: every step can be repeated, and the mark comes last.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from functools import cached_property
from typing import Any

from nbformat import NotebookNode

from autograder.authoring.stamp import fingerprint as content_of
from autograder.decisions.decided import Decisions
from autograder.grading import autograded
from autograder.grading.counted import counted
from autograder.grading.entry import Entry
from autograder.grading.final import Final
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.submission import Submission
from autograder.grading.intake.take_in import Intake
from autograder.grading.pages import frame, page
from autograder.grading.persons import Persons, persons_of
from autograder.grading.verdicts import fingerprint
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import COLLECTED, Store, hash_of
from autograder.registry import find_unit
from autograder.whole_file import write_atomically


class Committer:
    """Commits submissions of a class.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    released : callable
        Returns the released notebook of a unit, given its id.
    secret : bytes
        Of the course.
    backend : str
        Name of the sandbox.
    collects : bool
        Whether to put what is committed where nbgrader collects, so that its commands and formgrader find it there.
    persons : Persons, optional
        Of the class; as its folder keeps them when left out.
    """

    def __init__(
        self,
        store: Store,
        gradebook: ClassGradebook,
        released: Callable[[str], NotebookNode],
        secret: bytes,
        backend: str,
        collects: bool = False,
        persons: Persons | None = None,
    ) -> None:
        self.store = store
        self.gradebook = gradebook
        self.released = released
        self.collects = collects
        self.persons = persons or persons_of(store)
        self.terms = {"course": fingerprint.course(), "secret": hash_of(secret), "sandboxed": backend != "none"}
        self.released_as: dict[str, str] = {}

    @cached_property
    def entered(self) -> dict[tuple[str, str], Entry]:
        """What the gradebook says before anything is committed here."""
        return self.gradebook.committed()

    def is_done(self, handed_in: HandedIn) -> bool:
        """Return whether exactly this was graded under the same terms, and all of its files are still there, whole."""
        student, unit = handed_in.student, handed_in.unit
        mark = self.store.mark(student, unit)
        entry = self.entered.get((student, unit))
        *shown, original = self._files(student, unit)
        return bool(
            self.store.holds(handed_in)
            and (not handed_in.timestamp or mark["submission"]["timestamp"])
            and mark.get("terms") == self._terms(unit)
            and entry is not None
            and mark["scores"].items() <= entry.scores.items()
            and None not in entry.scores.values()
            and all(map(_is_whole, shown))
            and original.is_file()
            and original.read_bytes() == handed_in.content
            and not (self.collects and lacks(self.store, student, unit))
        )

    def prepare(self, units: Iterable[str]) -> None:
        """Register units; one that cannot be graded as it was released is refused before anybody is graded."""
        for unit in units:
            self._terms(unit)

    def before(self, student: str, unit: str) -> dict[str, Any]:
        """Return the mark of what counts so far; where it is lost, what gradebook and original tell of it."""
        mark = self.store.mark(student, unit)
        entry = self.entered.get((student, unit))
        original = self._files(student, unit)[-1]
        if mark or entry is None or not original.is_file():
            return mark
        time = entry.timestamp.replace(tzinfo=UTC).isoformat() if entry.timestamp else ""
        known = {"timestamp": time, "notes": []}
        return {"content": hash_of(original.read_bytes()), "scores": entry.scores, "submission": known}

    def commit(self, submission: Submission, records: Iterable[Record]) -> Final:
        """Write everything of one submission, whose records are kept already; return its Final."""
        records = _in_order(submission.unit, records)
        autograded.write(self.store, submission, self.counted(records))
        if self.collects and submission.content:
            self.store.collect(submission)
        return self.enter(submission, records)

    def counted(self, records: Iterable[Record]) -> list[Record]:
        """Return records as they count in the class."""
        return counted(self.gradebook.decisions, records)

    def enter(self, submission: Submission, records: Iterable[Record], with_page: bool = True) -> Final:
        """Write everything but what nbgrader writes itself when it autogrades; return the Final.

        Without a page there is none where nbgrader's feedback goes, which it would not replace; an old one of ours
        says what counts now.
        """
        terms = self._terms(submission.unit)
        records = _in_order(submission.unit, records)
        in_class = self.counted(records)
        final = self.gradebook.commit(submission, in_class)
        called = self.persons.labels(_on_page(submission))
        _, shown, original = self._files(submission.student, submission.unit)
        told: dict[str, Any] = {"final": final.plain(), "called": called}
        if with_page or shown.is_file():
            text = page.page(submission, in_class, final, called, self.gradebook.decisions)
            write_atomically(shown, text)
            told["page"] = hash_of(text.encode())
        write_atomically(original, submission.content)
        for record in records if submission.together else ():  # another member's may have been known
            self.store.save(record)
        scores = {record.exercise: record.points for record in in_class}
        self.store.set_mark(submission, records, {"terms": terms, "scores": scores} | told)
        return final

    def add_notes(self, intake: Intake) -> None:
        """Add the notes of an Intake on submissions that are not in it, but were committed by an earlier run."""
        here = {(candidate.student, candidate.unit) for candidate in intake.candidates}
        for student, unit in intake.notes.keys() - here:
            for submission, _ in self.store.committed(student, unit):
                notes = list(dict.fromkeys([*submission.notes, *intake.notes[student, unit]]))
                fields = self.store.mark(student, unit)["submission"] | {"notes": notes}
                self.store.change_mark(student, unit, submission=fields, final=None)  # its page is written again

    def _files(self, student, unit):
        notebook = self.store.place("autograded", student, unit, f"{unit}.ipynb")
        shown = _page(self.store, student, unit)
        return notebook, shown, self.store.place("originals", student, unit, f"{unit}.ipynb")

    def _terms(self, unit):
        """Return what the verdicts of a unit depend on; the first time, register the unit in the gradebook."""
        if unit not in self.released_as:
            released = self.released(unit)
            self.gradebook.register(unit, released)
            self.released_as[unit] = content_of(released)
        return self.terms | {"released": self.released_as[unit]}


def bring_up_to_date(
    store: Store,
    committed: Iterable[tuple[Submission, list[Record]]],
    finals: Mapping[tuple[str, str], Final],
    persons: Persons,
    decisions: Decisions,
) -> None:
    """Write again the pages of submissions on which people have decided something since, or whose names have changed.

    So is a page that is not the one that was written for the submission; where it cannot be, it goes: it may be
    another student's.

    Parameters
    ----------
    store : Store
    committed : list of tuple
        Of a Submission and its Records, as they count in the class.
    finals : dict of Final
        By student and unit.
    persons : Persons
    decisions : Decisions
    """
    for submission, records in committed:
        student, unit = submission.student, submission.unit
        final = finals.get((student, unit))
        if final is None or page_says(store, submission, final, persons):
            continue
        if records and all(record.can_be_shown for record in records):
            called = persons.labels(_on_page(submission))
            text = page.page(submission, records, final, called, decisions)
            write_atomically(_page(store, student, unit), text)
            store.change_mark(student, unit, final=final.plain(), called=called, page=hash_of(text.encode()))
        elif is_of_another(store, student, unit):
            _page(store, student, unit).unlink()


def page_says(store: Store, submission: Submission, final: Final, persons: Persons) -> bool:
    """Return whether somebody's page is there, whole, and written for what counts now, a Final, and for these names."""
    mark = store.mark(submission.student, submission.unit)
    names = persons.labels(_on_page(submission))
    says = mark.get("final") == final.plain() and mark.get("called") == names
    shown = _page(store, submission.student, submission.unit)
    return says and _is_whole(shown) and not is_of_another(store, submission.student, submission.unit)


def is_of_another(store: Store, student: str, unit: str) -> bool:
    """Return whether somebody's page is not the one that was written for what counts: damaged, or another student's.

    nbgrader's own pages, which it writes in place of ours, are not known here.
    """
    shown = _page(store, student, unit)
    content = shown.read_bytes() if shown.is_file() else b""
    return frame.is_page(content) and hash_of(content) != store.mark(student, unit).get("page")


def _on_page(submission):
    """Return the ids of all who are named on a page."""
    return sorted({submission.student, *submission.together})


def lacks(store: Store, student: str, unit: str) -> list[str]:
    """Return the parts of the class's folder in which the notebook of something that was graded is missing."""
    places = {
        part: store.place(part, student, unit, f"{unit}.ipynb") for part in ("originals", "autograded", COLLECTED)
    }
    missing = [part for part, place in places.items() if not place.is_file()]
    was_refused = "originals" not in missing and not places["originals"].stat().st_size  # then nothing was collected
    return [part for part in missing if not (was_refused and part == COLLECTED)]


def _page(store, student, unit):
    return store.place("feedback", student, unit, f"{unit}.html")


def _is_whole(path):
    """Return whether a page or a notebook is there to its end."""
    if not path.is_file():
        return False
    content = path.read_bytes()
    if path.suffix == ".html":
        return content.rstrip().endswith(b"</html>")
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


def _in_order(unit, records):
    order = [exercise.name for exercise in find_unit(unit).exercises]
    return sorted(records, key=lambda record: order.index(record.exercise))
