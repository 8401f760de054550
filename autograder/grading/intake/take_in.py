"""What a class has handed in, one notebook at a time."""

from collections import Counter
from dataclasses import replace

from autograder.grading.intake import apart
from autograder.grading.intake.find.item import MAX_FILE, MIB, Refused
from autograder.grading.intake.find.latest import latest, why_tied
from autograder.grading.intake.find.nothing import NOTHING, Nothing
from autograder.grading.intake.find.submissions import find
from autograder.grading.intake.find.teams import handed_in_together
from autograder.grading.intake.handed_in import HandedIn
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
    units : sequence of str, optional
        Ids of the units that are wanted; all units of the course when left out. A single one is also that of those
        without a notebook whose unit nothing tells.
    students : container of str, optional
        Ids of the students who are wanted; all when left out.
    register : Register, optional
        Of the class; see `find`.
    roster : Roster, optional
        Of the class. Whoever is on it and hands in nothing is told, and whoever hands in and is not on it.
    collected : bool
        Whether this is the folder in which nbgrader collects; see `find`.

    Attributes
    ----------
    candidates : list of Candidate
        Those that are wanted, by unit and student.
    refusals : tuple of str
        What may be somebody's work but gets no verdict; each sentence says what, why, and what to do.
    remarks : tuple of str
        What was decided about ids of students, attempts and files that are ignored or refused.
    nothing : list of Nothing
        Those who are wanted and have handed in no notebook.
    absent : list of Nothing
        Those on the roster for whom there is not even a place, at every unit that somebody has handed in.
    notes : dict of list of str
        By student and unit, what a page says that was handed in under another student's name.
    former : dict of set
        By student and unit, the ids under which the same senders have handed in before.
    """

    def __init__(self, folder, root, units=None, students=None, register=None, roster=None, collected=False):
        found = find(folder, course_units(), register, roster, collected)
        self.root, self.refusals, self.remarks, self.notes = root, found.refusals, found.remarks, found.notes
        self.former = found.former

        def wanted(one):
            return (units is None or one.unit in ("", *units)) and (students is None or one.student in students)

        teams = roster.teams() if roster else {}
        if students is not None:
            students = {*students, *(mate for student in students for mate in teams.get(student, ()))}
        groups = found.groups
        joined = handed_in_together(found.candidates, lambda who, unit: teams.get(who) or groups.get((who, unit), ()))
        self.candidates = list(filter(wanted, joined))
        self.remarks += tuple(filter(None, (one.choice() for one in self.candidates)))
        only_unit = units[0] if units and len(units) == 1 else ""
        by_mates = {key for one in joined for key in ((one.student, one.unit), (one.student, ""))}
        nothing = [one for one in found.nothing if wanted(one) and (one.student, one.unit) not in by_mates]
        self.nothing = [replace(one, unit=one.unit or only_unit) for one in nothing]
        known = set(roster.ids.values()) if roster else set()
        there = {(one.student, one.unit) for one in (*self.candidates, *self.nothing)}
        expected = [Nothing(student, unit, NOTHING) for unit in self.units() for student in sorted(known)]
        self.absent = [
            one for one in expected if wanted(one) and not there & {(one.student, one.unit), (one.student, "")}
        ]
        strangers = sorted({one.student for one in self.candidates} - known) if roster else []
        if strangers:
            self.remarks += (f"Not on the roster: {', '.join(strangers)}.",)

    def leave_out(self, students):
        """Leave out whoever is one of several students."""
        for name in ("candidates", "nothing", "absent"):
            setattr(self, name, [one for one in getattr(self, name) if one.student not in students])

    def units(self):
        """Return the ids of the units that somebody has handed in, in their order."""
        return sorted({candidate.unit for candidate in self.candidates})

    def __len__(self):
        return len(self.candidates)

    def __iter__(self):
        earlier = Counter()
        for candidate in self.candidates:
            yield _latest(candidate, self.root, earlier)


def _latest(candidate, root, earlier):
    """Return the latest attempt that can be read, and those that may be as late; simply the first if none can.

    `earlier` counts, by student, the bytes of the attempts that are read because of others.
    """
    reader, rest = _Reader(candidate, root, earlier), candidate.attempts
    while rest and reader.room:
        tied, rest, _ = latest(rest)
        readable = reader.readable(tied)
        if readable:
            before, tie = reader.before(), why_tied(tied)
            one, *rivals = [replace(one, before=(*one.before, *before), tie=tie) for one in readable]
            return replace(one, rivals=tuple(rivals))
    return replace(reader.first, before=(*reader.first.before, *reader.left_out))


class _Reader:
    """Reads the attempts of one student at one unit, as many as there is room for."""

    def __init__(self, candidate, root, earlier):
        self.candidate, self.root, self.earlier = candidate, root, earlier
        self.room, self.first, self.passed_over, self.left_out = MAX_ATTEMPTS, None, [], []

    def readable(self, tied):
        """Return those that can be read, each content once."""
        found, word = [], "Another" if len(tied) > 1 else "A later"
        for attempt in tied:
            made = self._read(attempt)
            why = made and (made.refused or self._why_unreadable(made))
            if why:
                self.passed_over.append(f"{word} attempt was passed over. {attempt.item.where}: {why}")
            elif made and made.content not in [one.content for one in found]:
                found.append(made)
        return found

    def before(self):
        return *self.passed_over, *self.left_out

    def _read(self, attempt):
        """Return an attempt as it was handed in; None where there is no room for it."""
        item, student = attempt.item, self.candidate.student
        why = "" if self.room else TOO_MANY.format(MAX_ATTEMPTS)
        if self.room and self.first and not item.refused:
            why = TOO_MUCH.format(MAX_EARLIER // MIB) if self.earlier[student] + item.size > MAX_EARLIER else ""
            self.earlier[student] += 0 if why else item.size
        self.room -= bool(self.room)
        if why:
            self.left_out.append(f"{item.where} was not looked at: {why}")
            return None
        made = _handed_in(self.candidate, attempt, self.root)
        self.first = self.first or made
        return made

    def _why_unreadable(self, made):
        return len(self.candidate.attempts) > 1 and apart.why_unreadable(made.content)


def _handed_in(candidate, attempt, root):
    """Read an attempt, unless it is refused."""
    item, content, refused = attempt.item, b"", attempt.item.refused
    if not refused:
        try:
            content = item.read()
        except Refused as why:
            refused = f"{item.where} was refused: {why}"
    about = candidate.student, candidate.unit, item.where, attempt.timestamp
    others = tuple(other.timestamp for other in candidate.attempts if other is not attempt and other.timestamp)
    owners = dict(zip(candidate.attempts, candidate.owners, strict=False))
    before = (attempt.remark,) if attempt.remark else ()
    more = {"dated": item.dated, "others": others, "together": candidate.together, "by": owners.get(attempt, "")}
    return HandedIn(*about, content, root, refused, before, candidate.notes, **more)
