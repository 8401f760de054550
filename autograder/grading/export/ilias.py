"""What ILIAS takes back: pages in the folders of its *Multi-Feedback*, and marks in its status file.

ILIAS itself reads the folders, by the number at the end of their names. The status file is read by the plug-in
ExerciseStatusFile, wherever it lies in the same zip.
"""

import csv
import io
from collections.abc import Sequence

from autograder.grading.export.people import Row
from autograder.grading.export.points import Column
from autograder.grading.intake.find.ilias import FOLDER, folder_name

HEAD = ("update", "usr_id", "login", "lastname", "firstname", "status", "mark", "notice", "comment")
PLAGIARISM = ("plagiarism", "plag_comment")  # the last two columns, which the plug-in wants to see
STATUS, TOP = "status.csv", "multi_feedback_"  # with which the name of the uppermost folder has to begin


def folder_of(one: Row) -> str:
    """Return the name of somebody's folder; empty where ILIAS's number is not known."""
    if one.cell("usr_id"):
        return folder_name(*(one.cell(heading) for heading in ("lastname", "firstname", "login", "usr_id")))
    return one.name if FOLDER.fullmatch(one.name) else ""


def status_file(people: Sequence[Row], column: Column) -> tuple[str, list[str]]:
    """Return the text of the status file of a unit, and the students who cannot be in it.

    Whether somebody has passed stays as the roster says it. A line without points changes nothing.
    """
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow((*HEAD, *PLAGIARISM))
    missing = []
    for one in people:
        known = FOLDER.fullmatch(folder_of(one))
        if not known:
            missing.append(one.student)
            continue
        mark = column.text(one.student)
        own = [one.cell("login") or known["login"], one.cell("lastname") or known["last"]]
        own += [one.cell("firstname") or known["first"], one.cell("status")]
        table.writerow((int(bool(mark)), known["number"], *own, mark, one.cell("notice"), one.cell("comment"), "", ""))
    return text.getvalue(), missing
