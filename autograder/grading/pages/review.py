"""Which submissions and exercises an instructor should review, and why."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import astuple, dataclass

from autograder.decisions.decided import MISSING, NOT_DUE
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.discrimination import interval
from autograder.grading.pages.result import UNDONE
from autograder.grading.pages.statistics import ClassStatistics, ExerciseStatistics
from autograder.grading.verdicts.record import Record

EMPTY, STRANGER, LIBRARY, SAME = "no notebook", "not on the roster", "missing library", "same file"
KINDS = {  # the most urgent first
    "internal error": "the grader failed, which is not the student's fault: grade it by hand, or run again",
    "killed": "the process that ran the code died, or sent what no honest answer would be",
    "memory": "the code used more memory than it is allowed",
    "disk": "the code wrote more into its folder than this may hold",
    "timeout": "the code did not finish in time",
    "unreadable": "nothing could be made of the notebook; it has 0 points",
    "refused": "something that was handed in was not accepted",
    EMPTY: "there is a place for it, and no notebook in it",
    UNDONE: "some exercises have no verdict",
    LIBRARY: "the code imports what is not there when it is graded, so what needs it has no points",
    "course's solution": "the functions are the course's own, with most of its names: a copy of its solution",
    SAME: "others have handed in this very file, byte for byte, with work in it",
    "much code": "there is far more code than the exercises need, so not all of it was compared with that of others",
    "several attempts": "there is more than one notebook",
    STRANGER: "there is a roster, and nobody like this on it",
    "repaired": "the notebook was damaged or altered, and has been repaired",
    MISSING: "there is no notebook",
}
NO_LIBRARY = re.compile(r"No module named '([\w.]{1,60})'")
WITHOUT_WORK = ("not written", "not defined", "unreadable")
FROM_RECORDS = ("internal error", "killed", "memory", "disk", "timeout")
MARK_LENGTH = 12  # hexadecimal digits
HARD, EASY = 0.6, 0.95  # mean share of the points
LOW_DISCRIMINATION = 0.3  # usual for an exercise that separates those who can from those who cannot
COMMON_MISTAKE, MIN_STUDENTS = 0.2, 3  # share of the class, and students


@dataclass(frozen=True, order=True)
class ReviewFlag:
    """One reason to review a submission.

    Attributes
    ----------
    student, unit : str
        The student may be none in particular, and then is empty.
    kind : str
        One of `KINDS`.
    exercises : tuple of str
        Those it concerns; empty for the whole notebook.
    detail : str
        What is known of it.
    """

    student: str
    unit: str
    kind: str
    exercises: tuple[str, ...] = ()
    detail: str = ""

    @property
    def mark(self) -> str:
        """What stands for it where it has been ticked off: another one as soon as anything of it changes."""
        return hashlib.sha256(repr(astuple(self)).encode(errors="surrogatepass")).hexdigest()[:MARK_LENGTH]


def review_flags(
    records: Collection[Record], submissions: Iterable[Submission], statistics: ClassStatistics
) -> list[ReviewFlag]:
    """Return the reasons to review submissions of a class, one flag for each.

    Parameters
    ----------
    records : collection of Record
    submissions : iterable of Submission
    statistics : ClassStatistics
        Of the same class.

    Returns
    -------
    list of ReviewFlag
        In the order of `most_urgent_first`.
    """
    submissions = list(submissions)
    flags = [*_of_records(records), *_missing_libraries(records), *_of_submissions(submissions)]
    flags += [
        ReviewFlag(result.student, result.unit, EMPTY if result.words else result.status, detail=result.words)
        for unit in statistics.units
        for result in unit.results
        if result.status in (MISSING, UNDONE) or (result.status == NOT_DUE and result.words)
    ]
    return most_urgent_first(flags)


def most_urgent_first(flags: Collection[ReviewFlag]) -> list[ReviewFlag]:
    """Sort flags: the submissions with the most urgent reason first, the reasons of one submission together."""
    urgency = {kind: number for number, kind in enumerate(KINDS)}
    first: dict[tuple[str, str], int] = {}
    for flag in flags:
        key = flag.student, flag.unit
        first[key] = min(urgency[flag.kind], first.get(key, len(urgency)))
    return sorted(flags, key=lambda flag: (first[flag.student, flag.unit], flag.unit, flag.student, urgency[flag.kind]))


def _of_records(records):
    """Return what happened while the code ran, once for several exercises to which the same happened."""
    exercises = {}
    for record in records:
        if record.status in FROM_RECORDS:
            detail = record.note.strip().rpartition("\n")[2]  # of a traceback the last line
            exercises.setdefault((record.student, record.unit, record.status, detail), []).append(record.exercise)
    return [ReviewFlag(*about[:3], tuple(names), about[3]) for about, names in exercises.items()]


def _missing_libraries(records):
    """Return who imports what is not there, once for each library."""
    exercises = {}
    for record in records:
        texts = [record.note, *(claim.get("message", "") for claim in record.claims)]
        for library in {name for text in texts for name in NO_LIBRARY.findall(text)}:
            exercises.setdefault((record.student, record.unit, library), []).append(record.exercise)
    return [ReviewFlag(who, unit, LIBRARY, tuple(its), library) for (who, unit, library), its in exercises.items()]


def _of_submissions(submissions):
    flags = [ReviewFlag(s.student, s.unit, "unreadable", detail=s.unreadable) for s in submissions if s.unreadable]
    flags += [ReviewFlag(s.student, s.unit, "refused", detail=" ".join(s.notes)) for s in submissions if s.notes]
    flags += [ReviewFlag(s.student, s.unit, "repaired", detail=" ".join(s.repairs)) for s in submissions if s.repairs]
    attempts = Counter((submission.student, submission.unit) for submission in submissions)
    for (student, unit), count in attempts.items():
        if count > 1:
            places = [s.origin for s in submissions if (s.student, s.unit) == (student, unit)]
            flags.append(ReviewFlag(student, unit, "several attempts", detail=", ".join(places)))
    return flags


def same_files(contents: Mapping[tuple[str, str], str], records: Iterable[Record]) -> list[ReviewFlag]:
    """Flag whoever has handed in the same file as somebody else, if there is work in it.

    Parameters
    ----------
    contents : dict of str
        By student and unit, a digest of the file; without those who hand in together.
    records : iterable of Record

    Returns
    -------
    list of ReviewFlag
    """
    worked = {(record.student, record.unit) for record in records if record.status not in WITHOUT_WORK}
    groups: dict[tuple[str, str], list[str]] = {}
    for (student, unit), content in sorted(contents.items()):
        if (student, unit) in worked:
            groups.setdefault((unit, content), []).append(student)
    return [
        ReviewFlag(student, unit, SAME, detail=", ".join(other for other in students if other != student))
        for (unit, _), students in groups.items()
        for student in students
        if len(students) > 1
    ]


def hints(statistics: ExerciseStatistics) -> list[str]:
    """Say why an exercise may deserve discussion in class, or a review by its author.

    Parameters
    ----------
    statistics : ExerciseStatistics

    Returns
    -------
    list of str
        Empty for most.
    """
    found = []
    if statistics.share is not None and statistics.share < HARD:
        found.append("hard: discuss it in class")
    for count in statistics.mistakes[:1]:
        if count.students >= max(MIN_STUDENTS, COMMON_MISTAKE * count.of):
            found.append(f"{count.students} made the same mistake: discuss it in class")
    if statistics.discrimination is not None and statistics.share is not None and statistics.share < EASY:
        low, high = interval(statistics.discrimination, statistics.students)
        if high < LOW_DISCRIMINATION:
            found.append(
                f"those who did well elsewhere did hardly better here (correlation {statistics.discrimination:.2f}, "
                f"95 % interval from {low:.2f} to {high:.2f}): read its text and its claims again"
            )
    return found
