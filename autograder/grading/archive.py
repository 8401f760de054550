"""A term in one file, with pseudonyms in place of students: points, verdicts, mistakes, and nothing that they wrote."""

import csv
import io
import random
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from autograder.grading.opened import OpenedClass
from autograder.grading.pages import tables
from autograder.grading.pages.statistics import of_class
from autograder.grading.verdicts import fingerprint
from autograder.registry import units
from autograder.whole_file import replacing

VERDICTS = ("student", "unit", "exercise", "points", "max points", "verdict", "mistakes", "claims that failed")
ABOUT = """\
A term of the course, packed on {date}: {students} students, {submissions} submissions.

grades.csv     the points that count, of every student and unit
verdicts.csv   the verdict on every exercise of every submission, by the judge alone
exercises.csv  how the exercises went
mistakes.csv   which known mistakes were made, and how often

The students are numbered at random, and the same number is the same student in all tables. There are no names, ids,
addresses, sections or times of day here, and nothing that a student has written. In a small class, somebody who knows
a student's points can still tell which line is that student's.

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
    finals = {(names[id], unit): final for (id, unit), final in opened.finals.items() if id in names}
    statistics = of_class(records, submissions, units(), names.values(), nothing, finals)
    about = {"date": date.today().isoformat(), "students": len(students), "submissions": len(submissions)}
    versions = ", ".join(f"{name} {version}" for name, version in fingerprint.versions().items())
    files = {
        "README.txt": ABOUT.format(**about, versions=versions),
        "grades.csv": tables.as_csv(tables.grades(statistics)),
        "verdicts.csv": tables.as_csv([VERDICTS, *sorted(map(_verdict, records))]),
        "exercises.csv": tables.as_csv(tables.exercises(statistics)),
        "mistakes.csv": tables.as_csv(tables.mistakes(statistics)),
    }
    with replacing(Path(path)) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return names


def as_key(names: Mapping[str, str]) -> str:
    """Return the table of pseudonyms as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        [("pseudonym", "student"), *sorted((n, i) for i, n in names.items())]
    )
    return text.getvalue()


def _verdict(record):
    mistakes = ", ".join((record.cause or {}).get("mistakes", []))
    failed = ", ".join(claim["name"] for claim in record.claims if not claim["passed"])
    points = record.points, record.max_points, record.status
    return record.student, record.unit, record.exercise, *points, mistakes, failed
