"""What a class hands in: folders and zips with notebooks in them, and what intake takes of them."""

import io
import zipfile

import nbformat

from autograder.grading.intake.find.pipeline import find
from autograder.registry import find_unit, units
from tests.support.damaged_notebooks import CORPUS
from tools.course import fill

UNIT, OTHER = "02_scaled_dot_product_attention", "03_masking"
FILE = f"{UNIT}.ipynb"
BOOK = CORPUS["nothing at all"].content


def book_of(unit):
    """Return a notebook of a unit in which nothing was written, by its id."""
    return BOOK if unit == UNIT else nbformat.writes(fill(find_unit(unit), {})).encode()


def zipped(files):
    """Return a zip with these members; a `ZipInfo` instead of a name holds more than the name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def grow(folder, files):
    """Write files with their folders; a dict becomes a zip."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zipped(content) if isinstance(content, dict) else content)
    return folder


def found(folder, files):
    return find(grow(folder, files), units())


def counted(result):
    """Return the notebook that counts by student and number of the unit."""
    return {(c.student, c.unit[:2]): c.attempts[0].item.where for c in result.candidates}
