"""What a class has handed in, one notebook at a time."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.grading.intake import isolated
from autograder.grading.intake.find.assign_senders import Attempt
from autograder.grading.intake.find.choose_attempts import Candidate, latest, why_tied
from autograder.grading.intake.find.item import MAX_FILE, MIB, Refused
from autograder.grading.intake.find.pipeline import find
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.wording import MAX_LISTED, refusal
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.select import select
from autograder.registry import units as course_units

MAX_ATTEMPTS = 5  # of a student at a unit that are read, until it is known which count
MAX_EARLIER = MAX_FILE  # bytes that are read of all of a student's attempts before the last ones
TOO_MANY = "of attempts of which nothing tells the latest, {} are tried. Hand in alone the one that should count."
TOO_MUCH = "of a student's earlier attempts, at most {} MiB are read. Hand it in alone if it should count."


class Intake:
    """What a class has handed in. Iterating over it gives one `HandedIn` at a time; none is kept.

    Nothing in the folder raises an error here: what cannot be read becomes a submission without code that says why,
    and what belongs to nobody is refused.

    Parameters
    ----------
    folder : path
        As `find` takes it.
    root : path
        Folder of the course.
    units, students : sequence of str, optional
        Ids of those that are wanted; see `select`.
    register : Register, optional
        Of the class; see `find`.
    roster : Roster, optional
        Of the class. Whoever is on it and hands in nothing is told, and whoever hands in and is not on it.
    collected : bool
        Whether this is the folder in which nbgrader collects; see `find`.

    Attributes
    ----------
    times : dict
        By student, when all of this was handed in, where its files do not say so.
    candidates, without_notebook, absent : list
        As a `Selection` has them.
    refusals, remarks, notes, former : tuple or dict
        As `Submissions` have them; among the remarks are those of the `Selection`.
    """

    def __init__(
        self,
        folder: str | Path,
        root: Path,
        units: Sequence[str] | None = None,
        students: Collection[str] | None = None,
        register: Register | None = None,
        roster: Roster | None = None,
        collected: bool = False,
    ) -> None:
        submissions = find(folder, course_units(), register, roster, collected)
        wanted = select(submissions, roster, units, students)
        self.root = root
        self.times: dict[str, str] = {}
        self.candidates = wanted.candidates
        self.without_notebook = wanted.without_notebook
        self.absent = wanted.absent
        self.refusals = submissions.refusals
        self.remarks = (*submissions.remarks, *wanted.remarks)
        self.notes = submissions.notes
        self.former = submissions.former

    def leave_out(self, students: Collection[str]) -> None:
        """Leave out some students, and all that is known of them."""
        for name in ("candidates", "without_notebook", "absent"):
            setattr(self, name, [each for each in getattr(self, name) if each.student not in students])

    def units(self) -> list[str]:
        """Return the ids of the units that somebody has handed in, in their order."""
        return sorted({candidate.unit for candidate in self.candidates})

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[HandedIn]:
        bytes_read: Counter[str] = Counter()
        for candidate in self.candidates:
            chosen = _latest_readable(candidate, self.root, bytes_read)
            first, *rivals = (_dated(handed_in, self.times) for handed_in in (chosen, *chosen.rivals))
            yield replace(first, rivals=tuple(rivals))


def _dated(handed_in, times):
    """Return a notebook with a time that is known by another way than its own."""
    return replace(handed_in, timestamp=handed_in.timestamp or times.get(handed_in.student, ""))


def _latest_readable(candidate, root, bytes_read):
    """Return the latest attempt that can be read, and those that may be as late; simply the first if none can.

    `bytes_read` counts, by student, those of the attempts that are read because of others.
    """
    reader = _Reader(candidate, root, bytes_read)
    remaining = candidate.attempts
    while remaining and reader.attempts_left:
        tied, remaining, _ = latest(remaining)
        readable = reader.readable(tied)
        if readable:
            remarks = (*reader.passed_over, *reader.on_left_out())
            tie = why_tied(tied)
            first, *rivals = [replace(each, before=(*each.before, *remarks), tie=tie) for each in readable]
            return replace(first, rivals=tuple(rivals))
    return replace(reader.first, before=(*reader.first.before, *reader.on_left_out()))


class _Reader:
    """Reads the attempts of one student at one unit, as many as there is room for."""

    def __init__(self, candidate: Candidate, root: Path, bytes_read: Counter[str]) -> None:
        self.candidate = candidate
        self.root = root
        self.bytes_read = bytes_read
        self.attempts_left = MAX_ATTEMPTS
        self.first: HandedIn | None = None  # that was read
        self.passed_over: list[str] = []
        self.left_out: list[str] = []

    def readable(self, tied: Sequence[Attempt]) -> list[HandedIn]:
        """Return those that can be read, each content once."""
        readable: list[HandedIn] = []
        word = "Another" if len(tied) > 1 else "A later"
        for attempt in tied:
            too_much = self._why_left_out(attempt)
            if too_much:
                self.left_out.append(f"{attempt.item.where} was not looked at: {too_much}")
                continue
            handed_in = _handed_in(self.candidate, attempt, self.root)
            self.first = self.first or handed_in
            reason = handed_in.refused or self._why_unreadable(handed_in)
            if reason:
                self.passed_over.append(f"{word} attempt was passed over. {attempt.item.where}: {reason}")
            elif handed_in.content not in [earlier.content for earlier in readable]:
                readable.append(handed_in)
        return readable

    def on_left_out(self) -> list[str]:
        """Return the first sentences on what was not looked at, and how much more there is."""
        more = len(self.left_out) - MAX_LISTED
        return [*self.left_out[:MAX_LISTED], f"{more} more were not looked at."] if more > 0 else self.left_out

    def _why_left_out(self, attempt):
        """Return why there is no room for an attempt; empty where there is, which is less then."""
        if not self.attempts_left:
            return TOO_MANY.format(MAX_ATTEMPTS)
        self.attempts_left -= 1
        if self.first and not attempt.item.refused:
            if self.bytes_read[self.candidate.student] + attempt.item.size > MAX_EARLIER:
                return TOO_MUCH.format(MAX_EARLIER // MIB)
            self.bytes_read[self.candidate.student] += attempt.item.size
        return ""

    def _why_unreadable(self, handed_in):
        return len(self.candidate.attempts) > 1 and isolated.why_unreadable(handed_in.content)


def _handed_in(candidate: Candidate, attempt: Attempt, root: Path) -> HandedIn:
    """Read an attempt, unless it is refused."""
    item = attempt.item
    content = b""
    refused = item.refused
    if not refused:
        try:
            content = item.read()
        except Refused as error:
            refused = refusal(item.path, str(error))
    owners = dict(zip(candidate.attempts, candidate.owners, strict=False))
    return HandedIn(
        candidate.student,
        candidate.unit,
        item.where,
        attempt.timestamp,
        content,
        root,
        refused,
        before=(attempt.time_remark,) if attempt.time_remark else (),
        notes=candidate.notes,
        dated=item.dated,
        others=tuple(other.timestamp for other in candidate.attempts if other is not attempt and other.timestamp),
        together=candidate.together,
        by=owners.get(attempt, ""),
    )
