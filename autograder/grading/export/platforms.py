"""The forms in which platforms import points.

Each function takes the rows and the columns, and returns the file as text, the bytes' encoding, and the students who
cannot be in it, since nothing tells how the platform calls them.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.grading.export.ilias import STATUS, status_file
from autograder.grading.export.people import Row
from autograder.grading.export.points import Column

POSSIBLE = "Points Possible"
EXCUSED = "EX"  # as Canvas takes it; elsewhere the cell stays empty
WORKSHEET = ("Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Last modified (grade)")


@dataclass(frozen=True)
class Export:
    """A file for a platform; `missing` are the students who are not in it."""

    name: str
    text: str
    missing: list[str]
    encoding: str = "utf-8"


def canvas(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return the table that Canvas's gradebook imports: by its own number of the student, or the login."""
    head = "Student", "ID", "SIS User ID", "SIS Login ID", "Section"
    lines = [[*head, *(column.name for column in columns)]]
    lines.append([f"    {POSSIBLE}", "", "", "", "", *(f"{column.most:g}" for column in columns)])
    missing = []
    for one in people:
        is_canvas = one.cell("Student") and one.cell("ID")
        number = one.cell("ID") if is_canvas else one.accounts.get("Canvas", "")
        sis = one.cell("SIS User ID"), one.cell("SIS Login ID")
        if number or any(sis):
            section = one.cell("Section")
            points = [EXCUSED if one.student in column.excused else column.text(one.student) for column in columns]
            lines.append([one.cell("Student") or one.name, number, *sis, section, *points])
        else:
            missing.append(one.student)
    return [Export("canvas.csv", _csv(lines), missing)]


def moodle(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return a grading worksheet for each assignment whose identifiers are known, and a table of all other units."""
    exports: list[Export] = []
    others: list[Column] = []
    for unit in dict.fromkeys(column.unit for column in columns):
        its = [column for column in columns if column.unit == unit]
        known = {one.student: _identifier(one, unit) for one in people}
        if unit and any(known.values()) and len(its) == 1:
            exports.append(_worksheet(people, its[0], known))
        else:
            others += its
    return exports + ([_grade_import(people, others)] if others else [])


def _identifier(one, unit):
    number = one.accounts.get(f"Moodle {unit}")
    return f"Participant {number}" if number else one.cell("Identifier")


def _worksheet(people, column, known):
    there = [one for one in people if known[one.student]]
    lines = [WORKSHEET]
    for one in there:
        who = known[one.student], one.cell("Full name") or one.name, one.cell("Email address")
        lines.append((*who, column.text(one.student), f"{column.most:g}", "-"))
    missing = [one.student for one in people if one not in there]
    return Export(f"moodle-{column.unit}.csv", _csv(lines), missing)


def _grade_import(people, columns):
    """Return what *Grades > Import* takes: mapped by address or by number."""
    lines = [["First name", "Last name", "ID number", "Email address", *(column.name for column in columns)]]
    missing = []
    for one in people:
        known = one.cell("ID number"), one.cell("Email address")
        if any(known):
            lines.append([one.cell("First name"), one.cell("Last name", "Surname"), *known, *_points(one, columns)])
        else:
            missing.append(one.student)
    return Export("moodle.csv", _csv(lines), missing)


def brightspace(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return the table that *Enter Grades > Import* takes: by OrgDefinedId and Username."""
    heads = [f"{column.name} Points Grade <Numeric MaxPoints:{column.most:g}>" for column in columns]
    lines = [["OrgDefinedId", "Username", *heads, "End-of-Line Indicator"]]
    missing = []
    for one in people:
        known = one.cell("OrgDefinedId"), one.cell("Username")
        if any(known):
            lines.append([*known, *_points(one, columns), "#"])
        else:
            missing.append(one.student)
    return [Export("brightspace.csv", _csv(lines), missing)]


def blackboard(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return the table that *Work Offline > Upload* takes: by username, in Blackboard's own encoding."""
    lines = [["Last Name", "First Name", "Username", "Student ID", *map(_heading, columns)]]
    missing = []
    for one in people:
        username = one.cell("Username") or (
            one.name if any(key.startswith("Blackboard ") for key in one.accounts) else ""
        )
        if username:
            known = one.cell("Last Name"), one.cell("First Name"), username, one.cell("Student ID")
            lines.append([*known, *_points(one, columns)])
        else:
            missing.append(one.student)
    text = io.StringIO(newline="")
    csv.writer(text, dialect="excel-tab", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(lines)
    return [Export("blackboard.xls", text.getvalue(), missing, "utf-16")]


def _heading(column):
    """Return a column's heading; one that names Blackboard's own number, such as "… |4711", stays as it is."""
    return column.name if re.search(r"\|\d+$", column.name) else f"{column.name} [Total Pts: {column.most:g} Score]"


def table(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return a plain table of the points, for no platform in particular."""
    lines = [["student", "name", "section", *(column.name for column in columns)]]
    lines.append([POSSIBLE.lower(), "", "", *(f"{column.most:g}" for column in columns)])
    lines += [[one.student, one.name, one.section, *_points(one, columns)] for one in people]
    return [Export("grades.csv", _csv(lines), [])]


def ilias(people: Sequence[Row], columns: Sequence[Column]) -> list[Export]:
    """Return a status file for each assignment: its name is the same for all, so each has a folder."""
    exports: dict[str, Export] = {}
    for column in columns:
        name = f"ilias-{column.unit or 'weighted'}/{STATUS}"
        if name in exports:
            raise ValueError("ILIAS has one mark for each assignment: leave out --exercises.")
        exports[name] = Export(name, *status_file(people, column))
    return list(exports.values())


PLATFORMS = {
    "canvas": canvas,
    "moodle": moodle,
    "brightspace": brightspace,
    "blackboard": blackboard,
    "ilias": ilias,
    "csv": table,
}


def _points(one, columns):
    return [column.text(one.student) for column in columns]


def _csv(lines):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return text.getvalue()
