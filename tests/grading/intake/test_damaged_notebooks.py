"""Every damaged notebook has its verdict, and where the functions are right the full points."""

import ast
import contextlib
import json
from functools import cache

import nbformat
import pytest

from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.read.cells import read
from autograder.grading.intake.skeleton import skeleton
from autograder.learner.check import check
from autograder.registry import units
from tests.support.damaged_notebooks import DAMAGES, FULL, KINDS, UNREADABLE, corpus, wide
from tools.course import ROOT

PART = b"MIME-Version: 1.0\nContent-Type: multipart/"
OTHER_KINDS = {
    "TextEdit's": (b"{\\rtf1\\ansi\\cocoartf2761\n{\\fonttbl} def softmax(x):\\\n", "a text with formatting (RTF)"),
    "RTF with a mark": (b"\xef\xbb\xbf{\\RTF1 x}", "a text with formatting (RTF)"),
    "Chrome's": (b"From: <Saved by Blink>\nSubject: 02\n" + PART + b"related;\n\n<html>", "a saved web page (MHTML)"),
    "Safari's": (PART + b"related\n\n<html>def f(x):</html>", "a saved web page (MHTML)"),
    "a mail": (b"From: Ann <ann@x.org>\nSubject: my work\n\nIt is attached.", "a mail"),
    "Markdown": (b"# My work\n\n```python\ndef softmax(x):\n    return x\n```\n", "a Markdown text"),
    "a part of a page": (b"<div class='cell'>def softmax(x):</div>", "a web page"),
    "UTF-16": ("# My work\n\nIt is *done*.".encode("utf-16"), "a Markdown text"),
}

UNITS = {unit.id: unit for unit in units()}
TRIED = ("02_scaled_dot_product_attention", "05_cross_attention")


def taken_in(unit_id, content):
    return HandedIn("ann", unit_id, "ann.ipynb", "", content, ROOT).take_in()


@cache
def points(unit_id, code):
    """Run code as a worker does, statement by statement, and return the points of each function."""
    namespace = {"__name__": "submission"}
    for source in code:
        with contextlib.suppress(SyntaxError):
            for statement in ast.parse(source).body:
                with contextlib.suppress(Exception):
                    exec(compile(ast.Module([statement], []), "<cell>", "exec"), namespace)
    functions = {exercise.name: namespace.get(exercise.name) for exercise in UNITS[unit_id].exercises}
    return {name: float(check(function)) if callable(function) else 0 for name, function in functions.items()}


def released(notebook, unit_id):
    """Return the cells of a rebuilt notebook that were released, by id, each without what a student may write."""
    ids = [cell.id for cell in skeleton(unit_id, ROOT).cells]
    return [(c.id, c.cell_type, c.metadata) for c in notebook.cells if c.id in ids]


def each():
    """Yield every kind of damage with two units, of which `make test` takes one and the other by turns."""
    for number, kind in enumerate(KINDS):
        for unit_id in TRIED:
            yield pytest.param(unit_id, kind, marks=() if unit_id == TRIED[number % 2] else pytest.mark.exhaustive)


@pytest.mark.parametrize(("unit_id", "kind"), [*each()])
def test_a_damaged_notebook_earns_what_works(unit_id, kind):
    content, expected = corpus(unit_id)[kind]
    submission = taken_in(unit_id, content)
    form = skeleton(unit_id, ROOT)
    assert submission.content is content
    assert released(submission.notebook, unit_id) == released(form, unit_id)
    nbformat.validate(submission.notebook)
    json.dumps(submission.notebook).encode()
    "".join(submission.code).encode()
    if expected == UNREADABLE:
        assert submission.unreadable.endswith(".")
        assert (submission.code, submission.notebook) == ((), form)
        return
    full = {exercise.name: exercise.points for exercise in UNITS[unit_id].exercises}
    assert not submission.unreadable
    assert points(unit_id, submission.code) == (full if expected == FULL else expected)


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_file_of_another_kind_is_identified(kind):
    content, what = OTHER_KINDS[kind]
    unreadable = taken_in(TRIED[0], content).unreadable
    assert what in unreadable
    assert unreadable.endswith("Ask for the .ipynb file that Jupyter saves.")


def test_one_bad_byte_leaves_other_letters_intact():
    content, _ = corpus(TRIED[0])["nothing at all"]
    spoilt = content.replace(b"# 02", b"# \xff2", 1)
    assert not content.isascii()
    assert read(spoilt).cells[1:] == read(content).cells[1:]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("mark", [True, False])
def test_a_bad_utf_16_byte_costs_one_cell(mark, damage):
    whole = corpus(TRIED[0])["nothing at all"].content
    for encoding, its in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        cells = read(wide(json.loads(whole), encoding, its * mark, damage)).cells
        assert read(whole).cells[2:-1] == cells[-len(read(whole).cells) + 2 : -1]


@pytest.mark.parametrize("n_zeros", range(9))
def test_zeros_before_a_notebook_cost_nothing(n_zeros):
    content = corpus(TRIED[0])["nothing at all"].content
    assert read(bytes(n_zeros) + content).cells == read(content).cells


WHERE_ZEROS_ARE = {
    "after it": lambda content, zeros: content + zeros,
    "before it": lambda content, zeros: zeros + content,
    "within it": lambda content, zeros: content[:40] + zeros + content[40:],
    "in its middle": lambda content, zeros: content.replace(b'"cells"', zeros + b'"cells"'),
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32-be"])
@pytest.mark.parametrize("where", WHERE_ZEROS_ARE)
def test_blocks_of_zeros_cost_nothing_wherever_they_stand(where, encoding):
    """As a disk leaves them that was full, or lost its power."""
    whole = corpus(TRIED[0])["nothing at all"].content
    for size in (4096, 64 * 4096):  # less than the notebook, and more
        content = WHERE_ZEROS_ARE[where](whole.decode().encode(encoding), bytes(size))
        assert read(content).cells == read(whole).cells


def test_a_block_of_zeros_costs_its_content_only():
    content = corpus(TRIED[0])["nothing at all"].content
    cells, start = read(content).cells, len(content) // 2
    lost = content[:start] + bytes(4096) + content[start + 4096 :]
    assert len(lost) == len(content)
    left = [cell for cell in read(lost).cells if cell in cells]
    assert len(left) > len(cells) // 2


def test_what_was_wrong_with_the_bytes_is_told():
    damaged = corpus(TRIED[0])
    zeros, first = (taken_in(TRIED[0], damaged[kind].content) for kind in ("nuls before it", "a wrong first byte"))
    assert zeros.repairs == ("The file held bytes that are zero; they were left out.",)
    n_cells = len(read(damaged["nothing at all"].content).cells)
    assert first.repairs == (f"The file is damaged or cut off; the {n_cells} cells that are whole were taken.",)
