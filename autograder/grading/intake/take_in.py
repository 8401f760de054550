"""From a folder of whatever was handed in to submissions in the form of the released notebooks."""

from dataclasses import dataclass
from pathlib import Path

from autograder.exercises import units as course_units
from autograder.grading.intake.find import find
from autograder.grading.intake.find_item import Refused, shown
from autograder.grading.intake.read import read
from autograder.grading.intake.repair import repair
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.submission import Submission


class Intake:
    """What a class has handed in. To iterate over it gives one `HandedIn` after the other; none is kept.

    Nothing that lies in the folder raises an error here: what cannot be read becomes a submission without code that
    says why, and what belongs to nobody is a refusal.

    Parameters
    ----------
    folder : path
        As `find` takes it.
    root : path
        Folder of the course.
    units : container of str, optional
        Ids of the units that are wanted; all units of the course when left out.
    students : container of str, optional
        Ids of the students who are wanted; all when left out.

    Attributes
    ----------
    candidates : list of Candidate
        What is wanted, by unit and student.
    refusals : tuple of str
        What may be somebody's work but gets no verdict, one sentence each: what, why, and what to do.
    remarks : tuple of str
        What was decided: ids of students, attempts, files that are left aside or refused.
    """

    def __init__(self, folder, root, units=None, students=None):
        found = find(folder, course_units())
        self.root, self.refusals, self.remarks = root, found.refusals, found.remarks
        self.candidates = [
            candidate
            for candidate in found.candidates
            if (units is None or candidate.unit in units) and (students is None or candidate.student in students)
        ]

    def __len__(self):
        return len(self.candidates)

    def __iter__(self):
        for candidate in self.candidates:
            yield _latest(candidate, self.root)


@dataclass(frozen=True)
class HandedIn:
    """A notebook as it was handed in.

    Attributes
    ----------
    student, unit, origin, timestamp : str
        As the submission will have them.
    content : bytes
        The file; empty if it was refused.
    root : path
        Folder of the course.
    refused : str
        Why there is no content.
    before : tuple of str
        What happened before, to be told with the repairs.
    """

    student: str
    unit: str
    origin: str
    timestamp: str
    content: bytes
    root: Path
    refused: str = ""
    before: tuple[str, ...] = ()

    def take_in(self):
        """Return the Submission; raises `NoSkeleton` where the course itself is incomplete, and nothing else."""
        whose = {name: getattr(self, name) for name in ("student", "unit", "origin", "timestamp", "content")}
        form = skeleton(self.unit, self.root)
        reading = read(self.content)
        why = self.refused or reading.unreadable
        if why:
            return Submission(**whose, notebook=form, repairs=self.before, unreadable=why)
        notebook, code, repairs = _repaired(form, reading.cells)
        return Submission(**whose, notebook=notebook, code=code, repairs=(*self.before, *reading.repairs, *repairs))


def _latest(candidate, root):
    """Return the latest attempt that can be read; the latest of all, if none can."""
    unread, several = [], len(candidate.attempts) > 1
    for attempt in candidate.attempts:
        content, refused = b"", attempt.item.refused
        if not refused:
            try:
                content = attempt.item.read()
            except Refused as why:
                refused = f"{attempt.item.where} was refused: {why}"
        where, before = attempt.item.where, tuple(f"A later attempt was passed over. {other}" for _, other in unread)
        made = HandedIn(candidate.student, candidate.unit, where, attempt.timestamp, content, root, refused, before)
        why = refused or (several and read(content).unreadable)
        if not why:
            return made
        unread.append((made, f"{where}: {why}"))
    return unread[0][0]


def _repaired(form, cells):
    """Repair a notebook; should this program fail on it, its code is graded as it stands, which is never a zero."""
    try:
        return repair(form, cells)
    except Exception as error:
        why = f"{type(error).__name__}: {shown(error)}"
        sentence = f"The notebook was graded as it stands, because the program failed to mend it ({why}). Report it."
        return form, tuple(cell.source for cell in cells if cell.kind == "code"), (sentence,)
