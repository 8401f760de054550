"""A class that hands in one unit from week to week, and what its tables and pages say."""

import zipfile

import nbformat
from nbgrader.api import Gradebook

from autograder.registry import find_unit
from tests.support.course_folder import rows
from tools.course import fill, solved

UNIT = find_unit("05_cross_attention")
ID, POINTS, FIRST = UNIT.id, UNIT.points, UNIT.exercises[0]
ALL, ONE, NONE = (nbformat.writes(fill(UNIT, solved(UNIT, wanted))).encode() for wanted in (None, {FIRST.name}, set()))
BLACKBOARD = f"{ID}_{{}}_attempt_2026-11-{{}}-10-00-00_{ID}.ipynb"


def week(course, files, name="week.zip", date=(2026, 11, 20, 10, 0, 0)):
    """Write a zip of the class's files, all of one date; return its path."""
    path = course.root / name
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in files.items():
            archive.writestr(zipfile.ZipInfo(member, date), content)
    return path


def total(course, student):
    return float(rows(course)[student]["total"])


def page(course, student):
    return (course.room / "feedback" / student / ID / f"{ID}.html").read_text(encoding="utf-8")


def book(course):
    return Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course")
