"""The pages of a unit as the zip that a platform takes back: under the names with which the submissions came."""

import re
import zipfile
from pathlib import Path

from autograder.grading.intake.find.missing import SOMETHING_ELSE
from autograder.grading.opened import OpenedClass
from autograder.whole_file import replacing

ENDING = re.compile(r"\.(?:ipynb\.)?[A-Za-z0-9]{1,8}$")  # of a file; the folders of platforms have none
DATE = (1980, 1, 1, 0, 0, 0)  # the same zip for the same pages


def write_feedback(opened: OpenedClass, unit: str, path: str | Path) -> tuple[int, list[str]]:
    """Write the feedback pages of a unit into a zip that its platform takes back.

    Parameters
    ----------
    opened : OpenedClass
    unit : str
        Id.
    path : path
        Of the zip.

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
        name = opened.register.given.get(student, {}).get("came as", {}).get(unit)
        page = opened.store.place("feedback", student, unit, f"{unit}.html")
        if name and page.is_file():
            pages[_member(name, unit)] = page
        else:
            missing.append(student)
    if pages:
        with replacing(Path(path)) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in sorted(pages.items()):
                archive.writestr(zipfile.ZipInfo(name, DATE), page.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(pages), missing


def _member(name, unit):
    """Return the place of a page: in the student's folder, or in place of the file of this name."""
    return ENDING.sub(".html", name) if ENDING.search(name) else f"{name}/{unit}.html"
