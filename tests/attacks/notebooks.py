"""Hostile notebooks: the attack is in the file, not in what its functions do."""

import copy
import json
import os
import zipfile

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.attacks.stalls import CALLS, IFS, nested, web
from tools.course import tags

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


def under_other_names(folder):
    """Put notebooks that look like others' hand-ins beside one's own: in folders and zips, as platforms name them."""
    book = b'{"cells": []}'
    for name in ("honest-1", "zoe", "honest-1_1_assignsubmission_file_", "zoe_12345_67890_x"):
        place = folder / "deeper" / name / folder.name / f"{folder.name}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_bytes(book)
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            archive.writestr(f"deeper/{name}/{folder.name}.ipynb", book)


def write(book, folder):
    """Write a notebook where nbgrader looks for it."""
    folder.mkdir(parents=True)
    (folder / f"{folder.name}.ipynb").write_text(json.dumps(book), encoding="utf-8")  # half characters and all


# Sources that are hard on whoever parses, compares, quotes or sends them; none defines softmax.
SOURCES = {
    "signs": "x = " + "-" * 200_000 + "1",
    "dots": "x = a" + ".b" * 100_000,
    "sums": "x = 1" + " + 1" * 100_000,
    "calls": "x = f" + "()" * 100_000,
    "parentheses": "x = " + "(" * 190 + ")" * 190,
    "brackets": "x = " + "[" * 150 + "]" * 150,
    "lambdas": "x = " + "lambda: " * 20_000 + "1",
    "targets": "x = " * 50_000 + "1",
    "ifs": "".join(" " * n + "if 1:\n" for n in range(99)) + " " * 99 + "pass",
    "elses": "x = " + "1 if 0 else " * 20_000 + "1",
    "digits": "x = " + "9" * 100_000,
    "signs-that-fit-into-a-cell": "x = " + "-" * 95_000 + "1",
    "sums-that-fit-into-a-cell": "x = 1" + " + 1" * 20_000,
    "spaces": "x x\n" + " " * 95_000,
    "spaces-and-commas": "x x\n" + "a, " * 30_000,
    "finally-in-finally": nested(["try: pass", "finally:"], 19, "x = 1"),
    "returns-through-finally": f"def f(x):\n try:\n{IFS} finally:\n{CALLS}",
    "a-web-of-names": web(4000, "f"),
    "a-text-of-two-megabytes": f"x = {'y' * 2_000_000!r}",
    "a-comment-of-two-megabytes": "# " + "?" * 2_000_000,
    "ten-thousand-functions": "".join(f"def f{n}(x): return x + {n}\n" for n in range(10_000)),
    "zeros": "x = 1\x00\ndef softmax(x, axis=-1): return 4",
    "half-characters": "x = '\ud800'\n# \udfff",
    "escapes": "# \x1b[2J\x1b]0;forged\x07 \u202e\u2066 \u2028\u2029\x85\x0c\r\r\n%%html\n" + SCRIPT,
    "other-letters": "def \u017foftmax(x, axis=-1): return 4\ndef \uff53\uff4f\uff46tmax_(x): return 4",
    "another-encoding": "# -*- coding: utf-7 -*-\n# +AAo-print('4 of 4')",
    "magic-without-end": "?\n" * 50_000 + "%" * 50_000 + "!" * 50_000,
    "marks-of-the-solution": "### BEGIN SOLUTION\n" * 1000 + "### END HIDDEN TESTS\n" * 1000,
}


def with_source(name):
    """Return a change that writes a hostile source into the cell of softmax."""

    def change(book):
        next(cell for cell in book.cells if tags(cell).get("grade_id") == "softmax").source = SOURCES[name]

    return change


# Names of students' folders.
NAMES = (
    "<img src=x onerror=alert(1)>",
    "=HYPERLINK(1)",
    "@SUM(1)",
    "-rf",
    "a\nb",
    ".hidden",
    "x" * 200,
    "honest\u20101",
    "\u202etsenoh",
    "$(touch planted)",
    "secret",
    "con",
)
