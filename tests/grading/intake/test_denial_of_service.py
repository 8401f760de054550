"""Nothing that one person hands in keeps the class waiting: all that trusted code does with it takes seconds."""

import ast
import gc
import itertools
import json
import re
import time

import nbformat
import pytest

from autograder.feedback.html import escaped
from autograder.grading.intake import isolated, isolated_operation
from autograder.grading.intake.bare import bare_of
from autograder.grading.intake.find.names import label_of, student_id, unit_and_version
from autograder.grading.intake.find.short_forms import without_forms
from autograder.grading.intake.find.wording import printable
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.read.cells import Cell, read
from autograder.grading.intake.read.source import COMMANDS, OTHER_LANGUAGE, defined_in, passed, source_of
from autograder.grading.intake.read.unit import unit_in
from autograder.grading.intake.repair.clean import Outputs, clean_markdown
from autograder.grading.intake.repair.notebook import repair
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.take_in import Intake
from autograder.grading.pages.own_code import own_code
from autograder.grading.pages.page import page
from autograder.grading.pages.tables import one_line
from autograder.grading.sanitize import markdown
from autograder.judge.replies import _short_text
from autograder.judge.worker.child import MAX_TEXT, _statements
from autograder.registry import find_unit, units
from tests.attacks.stalls import NOTEBOOKS, UNIT, ZIPS
from tests.support.processor_time import within
from tools.course import ROOT

SECONDS = 15  # of processor time, for one submission: three times what the slowest takes
MAX_PAGE, MAX_NOTEBOOK, MAX_TOLD = 30_000, 2_000_000, 30_000  # characters
FORM = skeleton(UNIT, ROOT)
SLOW = pytest.mark.exhaustive
IDS = [unit.id for unit in units()]


@pytest.mark.parametrize("name", [pytest.param(n, marks=SLOW if k % 8 else ()) for k, n in enumerate(NOTEBOOKS)])
def test_a_notebook_costs_little_and_becomes_short_pages(name):
    content, exercises = NOTEBOOKS[name](), find_unit(UNIT).exercises
    with within(SECONDS):
        unit_in(read(content).cells, units())
        submission = HandedIn("mallory", UNIT, "mallory.ipynb", "", content, ROOT).take_in()
        own_code(submission.code, exercises)
        shown_to_student, autograded = page(submission, []), nbformat.writes(submission.notebook)
    assert len(shown_to_student) < MAX_PAGE
    assert len(autograded) < MAX_NOTEBOOK
    assert len(json.dumps(submission.code)) < MAX_NOTEBOOK


@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW) for name in ZIPS])
def test_a_zip_costs_little_time_and_few_words(tmp_path, monkeypatch, name):
    """All of it in this process, where its time can be measured."""
    monkeypatch.setattr(isolated, "ask", lambda operation, terms, value, seconds: isolated_operation.perform(value)[0])
    (tmp_path / "Mallory_7_assignsubmission_file_.zip").write_bytes(ZIPS[name]())
    with within(SECONDS):
        intake = Intake(tmp_path, ROOT)
        handed_in = list(intake)
    assert {one.student for one in handed_in} <= {"Mallory"}
    assert sum(map(len, (*intake.refusals, *intake.remarks, *(s for one in handed_in for s in one.before)))) < MAX_TOLD


def in_a_notebook(text):
    return json.dumps({"cells": [{"source": text}, {"cell_type": "markdown", "source": text}]}).encode()


FUNCTIONS = {
    "what runs": lambda text: bare_of([text]),
    "commands": lambda text: [pattern.sub(passed, text) for pattern in COMMANDS],
    "other languages": lambda text: OTHER_LANGUAGE.match(text),
    "a definition": lambda text: defined_in(text, "softmax"),
    "source": source_of,
    "markdown": clean_markdown,
    "formgrader's markdown": markdown,
    "a notebook": lambda text: read(in_a_notebook(text)),
    "bytes": lambda text: read(text.encode()),
    "bytes after the beginning of a notebook": lambda text: read(b'{"cells": [{"source": "x"}, {' + text.encode()),
    "bytes in a conflict": lambda text: read(b"{\n<<<<<<< x\n=======\n" + text.encode()),
    "a unit's functions": lambda text: unit_in([Cell("code", text)], units()),
    "repair": lambda text: repair(FORM, [Cell("code", text), Cell("markdown", text), Cell("code", f"predict({text}")]),
    "outputs": lambda text: Outputs().clean([{"output_type": "stream", "text": text}, {"data": {"image/png": text}}]),
    "own code": lambda text: own_code([text, f"def softmax(x): return {text!r}"], find_unit(UNIT).exercises),
    "a name": lambda text: label_of(text, IDS, is_file=True),
    "the name of an attempt": lambda text: label_of(f"Ann_1_assignsubmission_file_{text}", IDS),
    "a unit's name": lambda text: unit_and_version(("x.zip", f"{UNIT}{text}x.ipynb"), IDS),
    "short forms of a unit": lambda text: without_forms(text, UNIT),
    "an id": student_id,
    "a text": printable,
    "a line of a table": one_line,
    "html": escaped,
    "a reply": lambda text: _short_text(text[:MAX_TEXT]),
    "cells in a worker": lambda text: _statements([text]),
}
PIECES = (
    " ",
    "\t",
    "\n",
    "_",
    "1",
    "'",
    '"',
    "\\",
    "(",
    "[",
    "{",
    ".",
    ",",
    "=",
    "?",
    "%",
    "#",
    "<",
    "a",
    "\u00e9",
    "\u3000",
)
PAIRS = [pair for pair in itertools.permutations(PIECES, 2) if " " in pair]
MORE_PAIRS = [pair for pair in itertools.permutations(PIECES, 2) if " " not in pair]


def seconds(function, text):
    """Return the processor time of a call, without that of the garbage collector: it grows with all that is alive."""
    gc.disable()
    try:
        began = time.process_time()
        FUNCTIONS[function](text)
        return time.process_time() - began
    finally:
        gc.enable()


def is_slow_by_its_length(function, text_of):
    """Return whether four times the text takes far more than four times the time: with its square it takes sixteen."""
    whole = seconds(function, text_of(25_000))
    return whole > 0.5 and whole > 8 * seconds(function, text_of(6_250))


@pytest.mark.parametrize("function", [pytest.param(f, marks=SLOW if f == "repair" else ()) for f in FUNCTIONS])
def test_no_text_takes_quadratic_time(function):
    for piece in PIECES:
        assert not is_slow_by_its_length(function, lambda n, piece=piece: piece * 2 * n), repr(piece)


@SLOW
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_million_signs_take_seconds(function):
    for piece in PIECES:
        assert seconds(function, piece * 1_000_000) < SECONDS, repr(piece)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("pairs", "count"),
    [(PAIRS, 10), pytest.param(PAIRS, len(PAIRS), marks=SLOW), pytest.param(MORE_PAIRS, 60, marks=SLOW)],
    ids=["few", "some", "all"],
)
def test_no_mixture_of_two_signs_does(function, pairs, count, part_of):
    for one, other in part_of(pairs, count):
        assert not is_slow_by_its_length(function, lambda n, one=one, other=other: one * n + other * n), (one, other)
        assert not is_slow_by_its_length(function, lambda n, both=one + other: both * n), (one, other)


def test_a_function_of_quadratic_time_is_noticed(monkeypatch):
    spaces_at_the_end = re.compile(r"\s+$")
    monkeypatch.setitem(FUNCTIONS, "quadratic", lambda text: spaces_at_the_end.sub("", text))
    monkeypatch.setitem(FUNCTIONS, "linear", lambda text: [ast.parse(line) for line in text])
    assert is_slow_by_its_length("quadratic", lambda n: " " * n + "x")
    assert not is_slow_by_its_length("linear", lambda n: "x" * n)
