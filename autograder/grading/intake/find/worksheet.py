"""When something was handed in, as Moodle's grading worksheet says it: the names of Moodle's files do not."""

import csv
import re
from collections.abc import Iterable
from datetime import tzinfo
from pathlib import Path

from autograder.grading.intake.find.platforms import MOODLE
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.roster_table import decoded
from autograder.grading.intake.find.times import time_without_zone
from autograder.grading.intake.find.wording import printable

WHO, WHEN = "Identifier", "Last modified (submission)"
NEVER = ("", "-")


def times_in(path: str | Path, roster: Roster, zone: tzinfo) -> tuple[dict[str, str], list[str]]:
    """Return when students have handed in, by their ids, and what has to be said of it.

    Parameters
    ----------
    path : path
        Of a roster; only Moodle's worksheet of an assignment has times.
    roster : Roster
        With the people of this file.
    zone : tzinfo
        In which the times are, since Moodle writes none.

    Returns
    -------
    times : dict of str
        In ISO 8601, in UTC.
    remarks : list of str
    """
    written = {
        roster.ids[number]: text
        for identifier, text in _rows(decoded(Path(path).read_bytes()))
        if (number := roster.by_account.get((MOODLE, identifier))) is not None and text not in NEVER
    }
    times = {student: time_without_zone(text, zone) for student, text in written.items()}
    unread = [f"{student}: “{printable(written[student])}”" for student, time in times.items() if not time]
    remarks = [f"{path}: no time can be read in {WHEN} of {entry}, so nothing of it is late." for entry in unread]
    return {student: time for student, time in times.items() if time}, remarks


def _rows(text: str) -> Iterable[tuple[str, str]]:
    """Yield the number and the time of each row."""
    for row in csv.DictReader(text.splitlines()):
        if row.get(WHO) and row.get(WHEN) is not None:
            yield re.sub(r"\D", "", row[WHO]), row[WHEN].strip()
