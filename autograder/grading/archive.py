"""A term in one file, with pseudonyms in place of students: points, verdicts, mistakes, and nothing that they wrote."""

import math
import random
from dataclasses import replace
from datetime import date
from pathlib import Path

from autograder.decisions.counted import units_of_class
from autograder.grading.archives import write_archive
from autograder.grading.opened import OpenedClass
from autograder.grading.pages import tables
from autograder.grading.pages.statistics import of_class
from autograder.grading.verdicts import fingerprint

DAY = 86400  # seconds
VERDICTS = ("student", "unit", "exercise", "points", "max points", "verdict", "mistakes", "claims that failed")
ABOUT = """\
A term of the course, packed on {date}: {students} students, {submissions} submissions.

grades.csv     the points that count, of every student and unit
verdicts.csv   the verdict on every exercise of every submission, by the judge alone
exercises.csv  how the exercises went
mistakes.csv   which known mistakes were made, and how often

The students are numbered at random, and the same number is the same student in all tables. There are no names, ids,
addresses or sections here, and nothing tells on which day or at what time somebody worked: how late something was is
rounded up to whole days. Nothing that a student has written is here. In a small class, somebody who knows a student's
points can still tell which line is that student's.

Graded with {versions}.
"""


def pack(opened: OpenedClass, path: str | Path) -> dict[str, str]:
    """Write a zip of a class with pseudonyms.

    Parameters
    ----------
    opened : OpenedClass
    path : path
        Of the zip; an existing file is replaced.

    Returns
    -------
    dict
        The pseudonyms by id.
    """
    students = list(opened.statistics().students)
    numbers = random.SystemRandom().sample(range(1, len(students) + 1), len(students))
    width = len(str(len(students)))
    names = {id: f"student-{number:0{width}}" for id, number in zip(students, numbers, strict=True)}
    records = [replace(record, student=names[record.student]) for record in opened.records]
    submissions = [replace(submission, student=names[submission.student]) for submission in opened.submissions]
    nothing = {names[id]: places for id, places in opened.nothing.items()}
    finals = {(names[id], unit): _in_days(final) for (id, unit), final in opened.finals.items() if id in names}
    decisions = opened.decisions.renamed(names)
    units = units_of_class(decisions)
    statistics = of_class(records, submissions, units, names.values(), nothing, finals, decisions)
    about = {"date": date.today().isoformat(), "students": len(students), "submissions": len(submissions)}
    versions = ", ".join(f"{name} {version}" for name, version in fingerprint.versions().items())
    files = {
        "README.txt": ABOUT.format(**about, versions=versions),
        "grades.csv": tables.as_csv(tables.grades(statistics)),
        "verdicts.csv": tables.as_csv([VERDICTS, *sorted(map(_verdict, records))]),
        "exercises.csv": tables.as_csv(tables.exercises(statistics)),
        "mistakes.csv": tables.as_csv(tables.mistakes(statistics)),
    }
    write_archive(Path(path), files)
    return names


def _in_days(final):
    """Return a Final that tells the days of lateness alone: the hour would tell when somebody works."""
    return replace(final, seconds_late=math.ceil(final.seconds_late / DAY) * DAY)


def _verdict(record):
    mistakes = ", ".join((record.cause or {}).get("mistakes", []))
    failed = ", ".join(claim["name"] for claim in record.claims if not claim["passed"])
    points = record.points, record.max_points, record.status
    return record.student, record.unit, record.exercise, *points, mistakes, failed
