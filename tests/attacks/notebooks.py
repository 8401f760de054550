"""Hostile notebooks: the attack is in the file, not in what its functions do."""

import copy
import os

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.course import tags

SCRIPT = "<script>document.title='forged'</script><img src=x onerror=alert(1)>"
FORGED = [
    new_output("execute_result", {"text/plain": "4.0", "text/html": SCRIPT}, execution_count=1),
    new_output("display_data", {"text/html": SCRIPT, "text/plain": "softmax: 4 of 4 points"}),
]


def check_cell(book):
    """Return the cell that checks softmax."""
    return next(cell for cell in book.cells if tags(cell).get("grade_id") == "check-softmax")


def more_points(book):
    check_cell(book).metadata.nbgrader["points"] = 500


def own_result(book):
    check_cell(book).outputs = copy.deepcopy(FORGED)
    check_cell(book).execution_count = 1


def other_check(book):
    check_cell(book).source = "from builtins import float as check\ncheck(4.0)"
    check_cell(book).metadata.nbgrader["locked"] = False


def check_that_is_a_solution(book):
    check_cell(book).metadata.nbgrader |= {"grade": False, "solution": True, "points": 4}


def two_checks(book):
    second = copy.deepcopy(check_cell(book))
    second.id = "second"
    second.source = "4.0"
    second.outputs = copy.deepcopy(FORGED)
    book.cells.insert(0, second)


def unknown_schema(book):
    check_cell(book).metadata.nbgrader["schema_version"] = 99


def markup(book):
    for text in (SCRIPT, f"[x](javascript:alert(1)) {SCRIPT}", "![x](attachment:x.svg)", "<iframe src='//localhost'>"):
        cell = new_markdown_cell(text)
        cell["attachments"] = {"x.svg": {"image/svg+xml": f"<svg onload=alert(1)>{SCRIPT}</svg>"}}
        book.cells.insert(1, cell)
    book.cells.append(new_code_cell("1", outputs=copy.deepcopy(FORGED)))


def own_kernel(book):
    book.metadata["kernelspec"] = {"name": "../../own", "display_name": SCRIPT, "language": "bash"}
    book.metadata["language_info"] = {"name": "bash", "version": "0"}
    book.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {SCRIPT: SCRIPT}}}


def programs(book):
    text = "%%bash\ntouch planted\n", "!touch planted\n%run planted.py\n", "get_ipython().system('touch planted')\n"
    book.cells[1:1] = [new_code_cell(source) for source in text]


def much_output(book):
    book.cells.append(new_code_cell("1", outputs=[new_output("stream", name="stdout", text="x" * 30_000_000)]))


BOOKS = {
    "points-of-500": more_points,
    "a-result-of-its-own": own_result,
    "a-check-of-its-own": other_check,
    "a-check-that-is-a-solution": check_that_is_a_solution,
    "two-checks": two_checks,
    "an-unknown-schema": unknown_schema,
    "markup": markup,
    "a-kernel-of-its-own": own_kernel,
    "programs": programs,
    "much-output": much_output,
}


def beside(folder):
    """Put files beside a notebook that would be imported in the place of packages, and links to what is elsewhere."""
    for name in ("numpy", "transformer_kit", "autograder", "sitecustomize", "softmax"):
        (folder / f"{name}.py").write_text("raise SystemExit")
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise SystemExit")
    (folder / "gradebook.json").write_text('{"auto_score": 4.0}')
    os.symlink("../../../secret", folder / "link.txt")
    os.symlink("/", folder / "root")


def link(folder):
    """Put a link to another student's notebook in the place of the notebook."""
    path = next(folder.glob("*.ipynb"))
    path.unlink()
    os.symlink(folder.parent.parent / "honest-1" / folder.name / path.name, path)


def write(book, folder):
    """Write a notebook where nbgrader looks for it."""
    folder.mkdir(parents=True)
    nbformat.write(book, folder / f"{folder.name}.ipynb")
