"""A notebook as it was handed in, and how it becomes a submission in the form of the released one."""

from dataclasses import dataclass
from pathlib import Path

from autograder.grading.intake.bare import bare_of, digest_of
from autograder.grading.intake.find.wording import printable
from autograder.grading.intake.read.cells import read
from autograder.grading.intake.repair.notebook import Repaired, repair
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.submission import Submission

TAKEN_OVER = ("student", "unit", "origin", "timestamp", "content", "notes", "dated", "together", "by")


@dataclass(frozen=True)
class HandedIn:
    """A notebook as it was handed in."""

    student: str  # as the submission will have them
    unit: str
    origin: str
    timestamp: str
    content: bytes  # the file; empty if it was refused
    root: Path  # folder of the course
    refused: str = ""  # why there is no content
    before: tuple[str, ...] = ()  # what happened earlier, to be reported with the repairs
    notes: tuple[str, ...] = ()  # as the submission will have them
    dated: str = ""
    others: tuple[str, ...] = ()  # when the same student's other attempts were handed in, as far as that is known
    together: tuple[str, ...] = ()  # as the submission will have them
    by: str = ""
    # the same student's other attempts where nothing tells which is the latest: the one with the most points counts
    rivals: tuple["HandedIn", ...] = ()
    tie: str = ""  # why nothing tells

    def take_in(self) -> Submission:
        """Return the Submission; raises `NoSkeleton` where the course itself is incomplete, and nothing else."""
        fields = {name: getattr(self, name) for name in TAKEN_OVER}
        form = skeleton(self.unit, self.root)
        reading = read(self.content)
        reason = self.refused or reading.unreadable
        if reason:
            return Submission(**fields, notebook=form, repairs=self.before, unreadable=reason)
        notebook, code, repairs, absent = _repaired(form, reading.cells)
        repairs = (*self.before, *reading.repairs, *repairs)
        bare = bare_of(code)
        runs, lines = tuple(cell.text for cell in bare), tuple(cell.lines for cell in bare)
        repaired = {"notebook": notebook, "code": code, "runs": runs, "lines": lines, "bare": digest_of(runs)}
        return Submission(**fields, **repaired, absent=absent, repairs=repairs)


def _repaired(form, cells):
    """Repair a notebook; if that fails because of a bug here, grade its code as it stands: never a zero."""
    try:
        return repair(form, cells)
    except Exception as error:
        bug = f"{type(error).__name__}: {printable(error)}"
        sentence = f"The notebook was graded as it stands, because the program failed to repair it ({bug}). Report it."
        return Repaired(form, tuple(cell.source for cell in cells if cell.kind == "code"), (sentence,), {})
