"""The pages of a unit as the zip that a platform takes back: under the names with which the submissions came."""

import zipfile
from pathlib import Path

from autograder.grading.intake.find.names import ENDING
from autograder.grading.opened import OpenedClass
from autograder.whole_file import replacing

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
    for submission, _ in opened.committed:
        if submission.unit == unit:
            name = opened.register.given.get(submission.student, {}).get("came as", {}).get(unit)
            page = opened.store.place("feedback", submission.student, unit, f"{unit}.html")
            if name and page.is_file():
                pages[_member(name, unit)] = page
            else:
                missing.append(submission.student)
    if pages:
        with replacing(Path(path)) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in sorted(pages.items()):
                archive.writestr(zipfile.ZipInfo(name, DATE), page.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(pages), missing


def _member(name, unit):
    """Return the place of a page: in the student's folder, or in place of the notebook or zip of this name."""
    return ENDING.sub(".html", name) if ENDING.search(name) else f"{name}/{unit}.html"
