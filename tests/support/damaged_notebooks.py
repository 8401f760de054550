"""Notebooks as they come back from a class, damaged in every way that is known, each with what it must earn.

All are made from a notebook in which every function is right. `corpus(unit)` has those of a unit by name; CORPUS has
those of unit 02.
"""

import base64
import json
import re
from copy import deepcopy
from functools import cache
from typing import NamedTuple

from autograder.registry import find_unit
from tools.course import fill, solved

FULL, UNREADABLE = "full", "unreadable"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
KINDS = {}


class Damage(NamedTuple):
    """A file, and what its functions must earn: FULL, UNREADABLE, or the points of each."""

    content: bytes
    expected: str | dict


@cache
def corpus(unit_id):
    """Return every kind of damage done to a right notebook of a unit, by name."""
    unit = find_unit(unit_id)
    book = _right(unit)
    return {name: _damaged(make, expected, unit, json.loads(book)) for name, (make, expected) in KINDS.items()}


def kinds(expected):
    """Register a function that damages a notebook; it changes the one it is given, or returns another or bytes."""

    def register(make):
        KINDS[make.__name__.replace("_", " ")] = make, expected
        return make

    return register


def _damaged(make, expected, unit, book):
    made = make(book)
    content = made if isinstance(made, bytes) else as_bytes(book if made is None else made)
    if expected == "last one lost":
        *others, last = unit.exercises
        return Damage(content, {e.name: e.points for e in others} | {last.name: 0})
    return Damage(content, {e.name: 0 for e in unit.exercises} if expected == "nothing" else expected)


def _right(unit):
    """Return, as JSON, a notebook in which everything is right and was run."""
    book = fill(unit, solved(unit), figures=True)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.execution_count = 7
            cell.outputs = [
                {"output_type": "stream", "name": "stdout", "text": "done\n"},
                {"output_type": "display_data", "metadata": {}, "data": {"image/png": PNG, "text/html": "<b>x</b>"}},
            ]
    return json.dumps(book)


def as_bytes(book, **options):
    """Write a notebook as Jupyter does."""
    return json.dumps(book, indent=1, ensure_ascii=False, **options).encode()


def solutions(book):
    """Return the cells of the functions."""
    return [cell for cell in book["cells"] if is_function(cell)]


def is_function(cell):
    return bool(marks(cell).get("solution")) and not marks(cell)["grade_id"].startswith("answer-")


def checks(book):
    """Return the check cells."""
    return [cell for cell in book["cells"] if marks(cell).get("grade")]


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def stub_of(cell):
    """Return a function's cell as it was released."""
    head = cell["source"].partition("    ### BEGIN SOLUTION")[0]
    return cell | {"source": head + "    raise NotImplementedError  # YOUR CODE HERE"}


def own(source, kind="code"):
    """Return a cell that a student added."""
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def behind(book, cell, *new):
    """Put cells behind another one."""
    place = next(number for number, other in enumerate(book["cells"]) if other is cell) + 1
    book["cells"][place:place] = new


# --- bytes and encodings


@kinds(FULL)
def nothing_at_all(book):
    return None


@kinds(FULL)
def with_a_byte_order_mark(book):
    return b"\xef\xbb\xbf" + as_bytes(book)


@kinds(FULL)
def in_utf_16(book):
    return as_bytes(book).decode().encode("utf-16")


@kinds(FULL)
def in_utf_16_without_a_mark(book):
    return as_bytes(book).decode().encode("utf-16-le")


@kinds(FULL)
def in_utf_16_big_endian(book):
    return as_bytes(book).decode().encode("utf-16-be")


@kinds(FULL)
def in_utf_16_with_one_bad_byte(book):
    return wide(book, "utf-16-le", b"\xff\xfe", "changed")


@kinds(FULL)
def in_utf_16_with_one_byte_lost(book):
    return wide(book, "utf-16-be", b"", "lost")


DAMAGES = {
    "changed": lambda content, at: content[:at] + b"\xd8\xd8" + content[at + 2 :],  # half of a pair: no character
    "lost": lambda content, at: content[:at] + content[at + 1 :],
    "gained": lambda content, at: content[:at] + b"\x7f" + content[at:],
    "first lost": lambda content, at: content[1:],
    "last lost": lambda content, at: content[:-1],
}


def wide(book, encoding, mark, damage):
    """Return a notebook in UTF-16 that is damaged in the middle of its first text, which no function needs."""
    content = mark + as_bytes(book).decode().encode(encoding)
    place = content.index("# ".encode(encoding))
    return DAMAGES[damage](content, place + place % 2)


@kinds(FULL)
def in_utf_32_with_one_bad_byte(book):
    content = as_bytes(book).decode().encode("utf-32")
    return content[:4003] + b"\xff" + content[4004:]


@kinds(FULL)
def in_latin_1(book):
    book["cells"] = [own("# résumé: naïve, déjà vu", "markdown"), *(c for c in book["cells"] if marks(c))]
    return as_bytes(book).decode().encode("latin-1", "replace")


@kinds(FULL)
def with_windows_line_ends(book):
    for cell in book["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    return as_bytes(book).replace(b"\n", b"\r\n")


@kinds(FULL)
def with_lone_surrogates_and_nuls(book):
    solutions(book)[0]["source"] += "  # \0 \ud800\udfff \udc00"
    behind(book, solutions(book)[0], own("\ud83d", "markdown"))
    return json.dumps(book).encode()


# --- the first bytes


for _name, _do in {
    "a_wrong_first_byte": lambda content: b"z" + content[1:],
    "without_the_first_byte": lambda content: content[1:],
    "without_the_first_200_bytes": lambda content: content[200:],
    "nuls_before_it": lambda content: bytes(7) + content,
    "nuls_in_it": lambda content: content.replace(b'"metadata"', b'\0"metadata"'),
    "a_bad_byte_before_it": lambda content: b"\xd8" + content,
    "a_mail_before_it": lambda content: b"From: Ann <ann@x.org>\r\nSubject: {my} [1]\r\n\r\nHere it is:\r\n" + content,
    "a_mail_around_it": lambda content: b"MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n" + content + b"\n--x--",
    "a_program_before_it": lambda content: b"def f():\n    return 1\n" + content,
}.items():

    def _first(book, do=_do):
        return do(as_bytes(book))

    _first.__name__ = _name
    kinds(FULL)(_first)


# --- JSON


@kinds(FULL)
def not_a_number_in_the_metadata(book):
    book["metadata"]["score"] = [float("nan"), float("inf")]


@kinds(FULL)
def huge_integers(book):
    return re.sub(rb'"execution_count": 7', b'"execution_count": ' + b"9" * 6000, as_bytes(book))


@kinds(FULL)
def keys_that_come_twice(book):
    text = as_bytes(book).decode()
    return (text.rstrip().removesuffix("}") + ', "cells": [], "nbformat": 4}').encode()


@kinds(FULL)
def sources_that_come_twice(book):
    return re.sub(rb'\n   "source"', rb'\n   "source": "", "source"', as_bytes(book))


@kinds(FULL)
def text_after_the_end(book):
    return as_bytes(book) + b"\n}\n]saved twice"


@kinds(FULL)
def a_notebook_in_a_string(book):
    return json.dumps(as_bytes(book).decode()).encode()


@kinds(FULL)
def a_notebook_in_an_envelope(book):
    return {"name": "x.ipynb", "type": "notebook", "content": book}


@kinds(FULL)
def the_cells_alone(book):
    return as_bytes(book["cells"])


@kinds(FULL)
def a_merge_conflict(book):
    old = '   "execution_count": 7,\n'
    conflict = f'<<<<<<< HEAD\n{old}||||||| base\n=======\n   "execution_count": 9,\n>>>>>>> 1f2e3d (pull)\n'
    return as_bytes(book).decode().replace(old, conflict).encode()


@kinds(FULL)
def raw_line_breaks_in_strings(book):
    return re.sub(rb"(?<!\\)\\n", b"\n", as_bytes(book))  # but not the \\n of a formula's \\neq


@kinds(FULL)
def a_comma_missing(book):
    behind(book, book["cells"][1], own("plot()"))
    return as_bytes(book).replace(b'"source": "plot()",', b'"source": "plot()"')


@kinds(FULL)
def a_bomb_in_the_metadata_of_one_cell(book):
    book["cells"][2]["metadata"]["bomb"] = "BOMB"
    return as_bytes(book).replace(b'"BOMB"', b"[" * 100_000)


@kinds(FULL)
def a_bomb_in_an_output(book):
    solutions(book)[0]["outputs"] = "BOMB"
    book["cells"].append(deepcopy(solutions(book)[0]) | {"outputs": []})
    return as_bytes(book).replace(b'"BOMB"', b'{"a":' * 100_000 + b"1" + b"}" * 100_000)


@kinds(FULL)
def cut_off_behind_the_last_function(book):
    content = as_bytes(book)
    return content[: content.index(b'"grade_id": "check-' + marks(solutions(book)[-1])["grade_id"].encode())]


@kinds("last one lost")
def cut_off_in_the_last_function(book):
    content = as_bytes(book)
    return content[: content.index(b"### BEGIN SOLUTION", content.index(marks(checks(book)[-2])["grade_id"].encode()))]


# --- formats


@kinds(FULL)
def format_3(book):
    for cell in book["cells"]:
        cell.pop("id")
        if cell["cell_type"] == "code":
            cell |= {"input": cell.pop("source").splitlines(keepends=True), "language": "python"}
            cell["prompt_number"] = cell.pop("execution_count")
    heading = {"cell_type": "heading", "level": 2, "metadata": {}, "source": "A heading"}
    return {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [heading, *book["cells"]], "metadata": {}}]}


@kinds(FULL)
def format_4_0_without_ids(book):
    book |= {"nbformat_minor": 0}
    for cell in book["cells"]:
        del cell["id"]


@kinds(FULL)
def a_format_of_the_future(book):
    book |= {"nbformat": 6, "nbformat_minor": 99, "layers": []}


@kinds(FULL)
def no_format_and_no_metadata(book):
    del book["nbformat"], book["nbformat_minor"], book["metadata"]


@kinds(FULL)
def cells_without_their_fields(book):
    for cell in book["cells"]:
        for name in ("outputs", "execution_count", "id"):
            cell.pop(name, None)
    for cell in solutions(book):
        del cell["cell_type"], cell["metadata"]


@kinds(FULL)
def things_among_the_cells_that_are_none(book):
    book["cells"][3:3] = [
        None,
        7,
        "cell",
        [],
        [{}],
        {},
        {"cell_type": "code"},
        {"source": None},
        {"cell_type": ["code"]},
    ]


@kinds(FULL)
def sources_of_every_type(book):
    solutions(book)[0]["source"] = solutions(book)[0]["source"].splitlines(keepends=True)
    solutions(book)[1]["source"] = solutions(book)[1]["source"].splitlines()
    book["cells"] += [own(None), own(7), own(2.5), own({"a": 1}), own([None, "x = 1\n", 3]), own(True)]


@kinds(FULL)
def fields_of_wrong_types(book):
    wrong = [{"metadata": []}, {"metadata": {"nbgrader": "x"}}, {"id": 5}, {"outputs": {}}, {"outputs": [1, None, {}]}]
    book["cells"] += [own("x = 1") | one for one in wrong]
    book["cells"] += [own("x = 1") | {"metadata": {"nbgrader": {"grade_id": ["softmax"], "points": "many"}}}]
    book["metadata"] = "none"


# --- nbgrader's marks


@kinds(FULL)
def marks_stripped(book):
    for cell in book["cells"]:
        cell["metadata"] = {}


@kinds(FULL)
def marks_and_ids_stripped(book):
    for cell in book["cells"]:
        cell["metadata"] = {}
        del cell["id"]


@kinds(FULL)
def grade_ids_renamed(book):
    for number, cell in enumerate(cell for cell in book["cells"] if marks(cell)):
        marks(cell)["grade_id"] = cell["id"] = f"cell-{number}"


@kinds(FULL)
def grade_ids_all_the_same(book):
    for cell in book["cells"]:
        if marks(cell):
            marks(cell)["grade_id"] = cell["id"] = marks(solutions(book)[0])["grade_id"]


@kinds(FULL)
def grade_ids_swapped(book):
    first, second, *_ = solutions(book)
    first["metadata"], second["metadata"] = second["metadata"], first["metadata"]
    first["id"], second["id"] = second["id"], first["id"]


@kinds(FULL)
def points_flags_and_versions_edited(book):
    for cell in book["cells"]:
        if marks(cell):
            cell["metadata"]["nbgrader"] |= {"schema_version": 99, "locked": False, "points": 1000, "task": "yes"}
            cell["metadata"]["nbgrader"] |= {"solution": not marks(cell)["solution"], "grade": not marks(cell)["grade"]}


# --- cells


@kinds(FULL)
def check_cells_deleted(book):
    book["cells"] = [cell for cell in book["cells"] if not marks(cell).get("grade")]


@kinds(FULL)
def check_cells_edited(book):
    for cell in checks(book):
        cell["source"] = "print('5.0 of 5 points')\n5.0"


@kinds(FULL)
def check_cells_duplicated(book):
    book["cells"] += deepcopy(checks(book))


@kinds(FULL)
def functions_turned_into_text(book):
    for cell, kind in zip(solutions(book), ("markdown", "raw", "markdown"), strict=False):
        cell["cell_type"] = kind


@kinds(FULL)
def functions_turned_into_text_without_marks(book):
    for cell in solutions(book):
        cell |= {"cell_type": "markdown", "metadata": {}, "id": f"text-{cell['id']}"}


@kinds(FULL)
def two_functions_in_one_cell(book):
    first, second, *_ = solutions(book)
    first["source"] += "\n\n" + second["source"]
    book["cells"].remove(second)


@kinds(FULL)
def all_functions_in_the_last_cell(book):
    *others, last = solutions(book)
    last["source"] = "\n\n".join(cell["source"] for cell in [*others, last])
    book["cells"] = [cell for cell in book["cells"] if cell not in others]


@kinds(FULL)
def a_helper_in_a_cell_of_its_own(book):
    for place, cell in zip((0, len(book["cells"]) + 1), solutions(book), strict=False):
        name = marks(cell)["grade_id"]
        helper = (
            f"import functools as ft\nshift = 0\ncalls = []\n{cell['source'].replace(f'def {name}(', f'def _{name}(')}"
        )
        cell["source"] = f"@helped\ndef {name}(*args, **kwargs):\n    return _{name}(*args, **kwargs)"
        book["cells"].insert(place, own(helper))
    book["cells"].insert(1, own("import time\ndef helped(function):\n    return function\ntime.sleep(0)"))


@kinds(FULL)
def written_twice_the_right_one_last(book):
    for cell in solutions(book):
        wrong = cell | {"source": re.sub(r"### BEGIN SOLUTION", "return 0", cell["source"])}
        behind(book, cell, deepcopy(cell))
        cell["source"] = wrong["source"]


@kinds(FULL)
def the_released_cell_behind_the_written_one(book):
    for cell in solutions(book):
        behind(book, cell, stub_of(cell))


@kinds(FULL)
def written_above_the_stub_in_the_same_cell(book):
    for cell in solutions(book):
        cell["source"] += "\n\n" + stub_of(cell)["source"]


@kinds(FULL)
def written_in_another_cell(book):
    for cell in solutions(book):
        behind(book, cell, own("# my solution\n" + cell["source"]))
        cell["source"] = stub_of(cell)["source"]


@kinds(FULL)
def written_in_a_cell_at_the_end(book):
    for cell in solutions(book):
        book["cells"].append(own(cell["source"]))
        cell["source"] = stub_of(cell)["source"]


@kinds(FULL)
def written_in_the_check_cell(book):
    for cell, check in zip(solutions(book), checks(book), strict=True):
        check["source"] = f"{cell['source']}\n\n{check['source']}"
        cell["source"] = stub_of(cell)["source"]


@kinds(FULL)
def overwritten_after_the_check(book):
    for cell, check in zip(solutions(book), checks(book), strict=True):
        name = marks(cell)["grade_id"]
        behind(book, check, own(f"{name} = {name}(0)"), own(f"def {name}(*args):\n    return 0  # does this do, too?"))


@kinds(FULL)
def overwritten_and_the_checks_deleted(book):
    for cell in solutions(book):
        behind(book, cell, own(f"{marks(cell)['grade_id']} = {marks(cell)['grade_id']}(0)"))
    check_cells_deleted(book)


@kinds(FULL)
def right_only_in_a_cell_between_the_function_and_its_check(book):
    for cell in solutions(book):
        behind(book, cell, own(f"# better:\n{cell['source']}"))
        cell["source"] = re.sub(r"### BEGIN SOLUTION", "return 0", cell["source"])


@kinds(FULL)
def an_old_version_kept_as_text(book):
    for cell in solutions(book):
        behind(book, cell, own(re.sub(r"### BEGIN SOLUTION", "return 0", cell["source"]), "markdown"))


@kinds(FULL)
def a_helper_overwritten_after_the_check(book):
    for number, (cell, check) in enumerate(zip(solutions(book), checks(book), strict=True)):
        name = f"helper_{number}"
        behind(book, check, own(f"{name} = None\nprint({name})"))
        cell["source"] = f"def {name}():\n    return np\n\n{cell['source']}".replace("np.", f"{name}().")


@kinds(FULL)
def nothing_but_the_functions_left(book):
    book["cells"] = solutions(book)


@kinds(FULL)
def imports_emptied(book):
    next(cell for cell in book["cells"] if cell["cell_type"] == "code")["source"] = ""


@kinds(FULL)
def cells_in_reverse_order(book):
    book["cells"].reverse()


@kinds(FULL)
def own_cells_that_would_end_everything(book):
    for source in (
        "while True:\n    pass",
        "raise SystemExit",
        "import os\nos._exit(1)",
        "this is no Python (",
        "huge = [0] * 10**12",
        "exit()\nquit()",
        "for i in range(10**12):\n    j = i",
        "input('name? ')",
        "answer = input('name? ')",
        "import this_is_not_installed",
        "return 5",
        "x = " + "-" * 40_000 + "1",
        "x = y" + ".z" * 40_000,
    ):
        book["cells"].insert(2, own(source))
        book["cells"].append(own(source))


@kinds(FULL)
def commands_of_the_notebook(book):
    first, second, third, *_ = solutions(book)
    first["source"] = (
        f"%matplotlib inline\n{first['source']}\n!ls -l\nfiles = !ls\n%timeit {marks(first)['grade_id']}(x)"
    )
    second["source"] = f"%%time\n{second['source']}\n{marks(second)['grade_id']}?\n?print"
    third["source"] = third["source"].replace("### BEGIN SOLUTION", "%precision 3\n    ### BEGIN SOLUTION")
    book["cells"].insert(0, own("%%bash\nrm -r nothing"))


@kinds(FULL)
def very_long_outputs(book):
    for cell in solutions(book):
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 2_000_000}] * 2
        cell["outputs"] += [{"output_type": "stream", "name": "stdout", "text": "y\n"}] * 2000


@kinds(FULL)
def very_many_cells(book):
    book["cells"] += [own(f"x = {number}") for number in range(3000)]


@kinds(FULL)
def a_cell_of_three_megabytes(book):
    book["cells"].insert(0, own("x = 1\n" * 500_000))


@kinds(FULL)
def scripts_everywhere(book):
    script = "<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) "
    script += "$\\href{javascript:alert(1)}{x}$"
    book["cells"][0]["source"] = f"# {script}"
    book["cells"] += [own(script, "markdown"), own(script, "raw") | {"metadata": {"raw_mimetype": "text/html"}}]
    data = {"text/html": script, "image/svg+xml": script, "application/javascript": script, "text/plain": "plain"}
    solutions(book)[0]["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
    book["cells"][0]["attachments"] = {"x.svg": {"image/svg+xml": script}}


@kinds(FULL)
def a_program_under_the_name_of_a_notebook(book):
    sources = [cell["source"] for cell in book["cells"] if cell["cell_type"] == "code"]
    return "\n\n# In[ ]:\n\n".join(sources).encode()


# --- what is lost is lost


@kinds("last one lost")
def a_syntax_error_in_the_last_function(book):
    solutions(book)[-1]["source"] = solutions(book)[-1]["source"].replace("):", ")", 1)


@kinds("last one lost")
def the_last_function_deleted(book):
    book["cells"].remove(solutions(book)[-1])


@kinds("last one lost")
def the_last_function_renamed(book):
    solutions(book)[-1]["source"] = solutions(book)[-1]["source"].replace("def ", "def my_")


@kinds("last one lost")
def the_last_function_open(book):
    solutions(book)[-1]["source"] = stub_of(solutions(book)[-1])["source"]


@kinds("nothing")
def another_notebook(book):
    return {"cells": [own("x = 1"), own("some text", "markdown")], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}


def _nothing_to_be_had(name, content):
    def make(book):
        return content

    make.__name__ = name
    kinds(UNREADABLE)(make)


for _name, _content in {
    "an_empty_file": b"",
    "a_file_of_spaces": b" \r\n\t\n",
    "a_file_of_nuls": bytes(1000),
    "a_web_page": b"<!DOCTYPE html>\n<html><body>def softmax(x):</body></html>",
    "an_office_file": b"PK\x03\x04\x14\x00\x06\x00" + bytes(100),
    "a_pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
    "a_picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "a_pickle": b"\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00\x8c\x0bsoftmax\x94.",
    "plain_text": b"I could not upload my notebook, sorry.\nAnn",
    "null": b"null",
    "a_number": b"17",
    "an_empty_object": b"{}",
    "no_cells": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "empty_cells": b'{"cells": [{"cell_type": "code", "source": []}, {"cell_type": "code", "source": " "}]}',
    "cells_of_another_type": b'{"cells": {"0": {"cell_type": "code"}}, "nbformat": 4}',
    "a_bomb_of_brackets": b"[" * 1_000_000,
    "a_bomb_of_objects": b'{"id":' * 200_000,
    "cut_off_in_the_first_cell": b'{\n "cells": [\n  {\n   "cell_type": "markdown",\n   "source": [\n    "# 02 Sca',
    "random_bytes": bytes(range(128, 256)) * 20,
}.items():
    _nothing_to_be_had(_name, _content)

CORPUS = corpus("02_scaled_dot_product_attention")
