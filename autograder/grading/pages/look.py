"""Which submissions and exercises an instructor should look at, and why."""

from collections import Counter
from dataclasses import dataclass

from autograder.grading.pages.statistics import MISSING, UNDONE

KINDS = {  # the most urgent first
    "internal error": "the grader failed, which is not the student's fault: grade it by hand, or run again",
    "killed": "the process that ran the code died, or sent what no honest answer is",
    "memory": "the code used more memory than it may",
    "timeout": "the code did not come to an end in time",
    "unreadable": "nothing could be made of the notebook; it has 0 points",
    "refused": "something that was handed in was not taken",
    UNDONE: "some exercises have no verdict",
    "several attempts": "there is more than one notebook",
    "repaired": "the notebook was damaged, and mended",
    MISSING: "there is no notebook",
}
FROM_RECORDS = ("internal error", "killed", "memory", "timeout")
HARD, EASY = 0.6, 0.95  # mean share of the points
TELLS_LITTLE = 0.1  # discrimination
COMMON_MISTAKE, FEWEST = 0.2, 3  # share of the class, and students


@dataclass(frozen=True, order=True)
class Look:
    """One reason to look at a submission.

    Attributes
    ----------
    student, unit : str
        The student may be unknown, and then is empty.
    kind : str
        One of `KINDS`.
    exercises : tuple of str
        Those it is about; empty for the whole notebook.
    detail : str
        What is known of it.
    """

    student: str
    unit: str
    kind: str
    exercises: tuple[str, ...] = ()
    detail: str = ""


def looks(records, submissions, statistics):
    """Find the submissions of a class that need a look.

    Parameters
    ----------
    records : iterable of Record
    submissions : iterable of Submission
    statistics : ClassStatistics
        Of the same class.

    Returns
    -------
    list of Look
        See `in_order`.
    """
    submissions = list(submissions)
    found = [*_of_records(records), *_of_submissions(submissions)]
    found += [
        Look(result.student, result.unit, result.status)
        for unit in statistics.units
        for result in unit.results
        if result.status in (MISSING, UNDONE)
    ]
    return in_order(found)


def in_order(found):
    """Sort looks: the submissions with the most urgent reason first, the reasons of one submission together."""
    urgency = {kind: number for number, kind in enumerate(KINDS)}
    first = {}
    for look in found:
        whose = look.student, look.unit
        first[whose] = min(urgency[look.kind], first.get(whose, len(urgency)))
    return sorted(found, key=lambda look: (first[look.student, look.unit], look.unit, look.student, urgency[look.kind]))


def _of_records(records):
    """Return what happened while the code ran; the same in several exercises is told once."""
    exercises = {}
    for record in records:
        if record.status in FROM_RECORDS:
            detail = record.note.strip().rpartition("\n")[2]  # of a traceback the last line
            exercises.setdefault((record.student, record.unit, record.status, detail), []).append(record.exercise)
    return [Look(*about[:3], tuple(names), about[3]) for about, names in exercises.items()]


def _of_submissions(submissions):
    found = [Look(s.student, s.unit, "unreadable", detail=s.unreadable) for s in submissions if s.unreadable]
    found += [Look(s.student, s.unit, "repaired", detail=" ".join(s.repairs)) for s in submissions if s.repairs]
    attempts = Counter((submission.student, submission.unit) for submission in submissions)
    for (student, unit), count in attempts.items():
        if count > 1:
            places = [s.origin for s in submissions if (s.student, s.unit) == (student, unit)]
            found.append(Look(student, unit, "several attempts", detail=", ".join(places)))
    return found


def hints(statistics):
    """Say why an exercise may be worth a word in class, or a look by its author.

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
        if count.students >= max(FEWEST, COMMON_MISTAKE * count.of):
            found.append(f"{count.students} made the same mistake: discuss it in class")
    tells_little = statistics.discrimination is not None and statistics.discrimination < TELLS_LITTLE
    if tells_little and statistics.share < EASY:
        found.append("those who did well elsewhere did no better here: read its text and its claims again")
    return found
