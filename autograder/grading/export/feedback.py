"""The pages of a unit as the zip that a platform takes back: under the names with which the submissions came."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from autograder.grading.intake.find.missing import SOMETHING_ELSE
from autograder.grading.opened import OpenedClass
from autograder.whole_file import replacing

ENDING = re.compile(r"\.(?:ipynb\.)?[A-Za-z0-9]{1,8}$")  # of a file; the folders of platforms have none
DATE = (1980, 1, 1, 0, 0, 0)  # the same zip for the same pages


def write_feedback(
    opened: OpenedClass,
    unit: str,
    path: str | Path,
    folders: Mapping[str, str] | None = None,
    beside: Mapping[str, str] | None = None,
) -> tuple[int, list[str]]:
    """Write the feedback pages of a unit into a zip that its platform takes back.

    Parameters
    ----------
    opened : OpenedClass
    unit : str
        Id.
    path : path
        Of the zip.
    folders : dict of str, optional
        By student, the folder in the zip; the name that the platform gave when left out.
    beside : dict of str, optional
        By name, the texts of other files that belong into the zip.

    Returns
    -------
    int
        How many pages are in it.
    list of str
        The students whose submissions came without a platform's name; their pages are not in it.
    """
    pages = {}
    missing = []
    graded = {submission.student for submission, _ in opened.committed if submission.unit == unit}
    otherwise = {id for id, its in opened.nothing.items() if its.get(unit, "").startswith(SOMETHING_ELSE)}
    for student in sorted(graded | otherwise):
        came_as = opened.register.given.get(student, {}).get("came as", {}).get(unit)
        name = came_as if folders is None else folders.get(student)
        page = opened.store.place("feedback", student, unit, f"{unit}.html")
        if name and page.is_file():
            pages[_member(name, unit) if folders is None else f"{name}/{unit}.html"] = page
        else:
            missing.append(student)
    if pages:
        with replacing(Path(path)) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in sorted(pages.items()):
                archive.writestr(zipfile.ZipInfo(name, DATE), page.read_bytes(), zipfile.ZIP_DEFLATED)
            for name, text in sorted((beside or {}).items()):
                archive.writestr(zipfile.ZipInfo(name, DATE), text, zipfile.ZIP_DEFLATED)
    return len(pages), missing


def _member(name, unit):
    """Return the place of a page: in the student's folder, or in place of the file of this name."""
    return ENDING.sub(".html", name) if ENDING.search(name) else f"{name}/{unit}.html"
