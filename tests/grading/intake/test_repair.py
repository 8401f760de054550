"""How a notebook is rebuilt: what goes where, what a worker runs, what a page may show, and what is reported."""

import functools
import json
import shutil
from dataclasses import replace

import nbformat
import pytest
from nbconvert import HTMLExporter

from autograder.grading.intake import handed_in
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.read.cells import MAX_SOURCE, Cell, read
from autograder.grading.intake.read.source import source_of
from autograder.grading.intake.repair.clean import MAX_TEXT, Outputs, clean_markdown
from autograder.grading.intake.repair.needed import code_of
from autograder.grading.intake.repair.notebook import repair
from autograder.grading.intake.skeleton import NoSkeleton, skeleton
from autograder.registry import units
from tests.support.damaged_notebooks import CORPUS, PNG, as_bytes, corpus, own
from tools.course import ROOT, fill, notebook, solved, tags

UNIT = "02_scaled_dot_product_attention"
FORM = skeleton(UNIT, ROOT)


def filled(unit_id):
    """Return the cells of a released notebook that was filled in and run."""
    return list(read(corpus(unit_id)["nothing at all"].content).cells)


def cell_of(notebook, id):
    return next(cell for cell in notebook.cells if cell.id == id)


def place_of(cells, grade_id):
    return next(number for number, cell in enumerate(cells) if cell.grade_id == grade_id)


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_a_filled_in_notebook_needs_no_repair(unit):
    handed_in = HandedIn(
        "ann", unit.id, "ann.ipynb", "", nbformat.writes(fill(unit, solved(unit), True)).encode(), ROOT
    )
    submission = handed_in.take_in()
    assert (submission.repairs, submission.unreadable) == ((), "")
    expected = fill(unit, solved(unit), True)
    assert [(c.id, c.source) for c in submission.notebook.cells] == [(c.id, c.source) for c in expected.cells]
    assert len(set(submission.code)) == len(submission.code) <= len(unit.exercises) + 2


@functools.cache
def taken_in(kind):
    """Return the submission that becomes of a damaged notebook."""
    return HandedIn("ann", UNIT, "ann.ipynb", "", CORPUS[kind].content, ROOT).take_in()


@pytest.mark.parametrize("kind", [name for name, (_, expected) in CORPUS.items() if expected == "full"])
def test_the_rebuilt_notebook_has_every_cell_once(kind):
    submission = taken_in(kind)
    ids = [cell.id for cell in submission.notebook.cells]
    released = [cell.id for cell in FORM.cells]
    assert [id for id in ids if id in released] == released
    assert len(set(ids)) == len(ids)
    assert submission.notebook.metadata == FORM.metadata
    assert all(sentence.endswith((".", "?")) and sentence.isprintable() for sentence in submission.repairs)
    for cell in submission.notebook.cells:
        if tags(cell).get("locked"):
            assert (cell.source, cell.outputs) == (cell_of(FORM, cell.id).source, [])


def test_a_manually_graded_answer_stays_as_written():
    form, marks = skeleton(UNIT, ROOT), {"grade": True, "solution": True, "locked": False, "grade_id": "essay"}
    form.cells.append(nbformat.v4.new_markdown_cell("YOUR ANSWER HERE", id="essay", metadata={"nbgrader": marks}))
    handed = [*filled(UNIT), Cell("markdown", "Since the *scores* grow.", "essay", marks)]
    notebook, _, repairs, _ = repair(form, handed)
    assert notebook.cells[-1].source == "Since the *scores* grow."
    assert repairs == ()


QUIET = {
    *("nothing at all", "with a byte order mark", "with windows line ends", "not a number in the metadata"),
    *("huge integers", "text after the end", "a notebook in a string", "a notebook in an envelope", "the cells alone"),
    *("raw line breaks in strings", "format 4 0 without ids", "a format of the future", "no format and no metadata"),
    *("with lone surrogates and nuls", "sources of every type", "fields of wrong types", "imports emptied"),
    *("cells in reverse order", "a helper in a cell of its own", "written above the stub in the same cell"),
    *("commands of the notebook", "very long outputs", "own cells that would end everything"),
    *("a helper overwritten after the check", "an old version kept as text"),
}


def test_only_real_damage_is_told():
    full = {kind for kind, (_, expected) in CORPUS.items() if expected == "full"}
    assert {kind for kind in full if not taken_in(kind).repairs} == QUIET


def test_line_ends_make_no_difference():
    kinds = ("nothing at all", "with windows line ends")
    one, other = (HandedIn("ann", UNIT, "x", "", CORPUS[kind].content, ROOT).take_in() for kind in kinds)
    assert one.code == other.code
    assert one.notebook == other.notebook


def test_the_same_comes_of_the_same():
    content = CORPUS["own cells that would end everything"].content
    assert len({HandedIn("ann", UNIT, "x", "", content, ROOT).take_in().hash for _ in range(3)}) == 1


CODE = "def softmax(x, axis=-1):\n    return x + 1\n"


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ("# try 2\ndef softmax(x, axis=-1):  # again\n\n    return (x + 1)\n", True),
        ('def softmax(x, axis=-1):\n    """Words."""\n    return x+1\n"more"', True),
        ("def softmax(\n    x,\n    axis=-1,\n):\n\n\n    return x + \\\n        0x01;", True),
        ("def softmax(x, axis=-1):\n    'notes'\n    if 0:\n        '7'\n    return x + 1\n", False),
        ("def softmax(x, axis=-1):\n    return x + 2\n", False),
        ("def softmax(x, axis=-1)\n    return x + 1\n", False),
        ("def softmax(x, axis=-1):\n    return " + "-" * 5000 + "x\n", False),
    ],
)
def test_a_comment_draws_no_other_inputs(other, is_same):
    [unit] = (unit for unit in units() if unit.id == UNIT)
    books = (nbformat.writes(fill(unit, {"softmax": code})).encode() for code in (CODE, other))
    first, second = (HandedIn("ann", UNIT, "x", "", book, ROOT).take_in() for book in books)
    assert first.hash != second.hash
    assert (first.drawn_from == second.drawn_from) is is_same
    assert (first.runs == second.runs) is is_same  # so nothing that is drawn alike can be told apart while it runs


def test_own_cells_keep_place_and_lose_metadata():
    cells = filled(UNIT)
    at = place_of(cells, "softmax") + 1
    cells[at:at] = [Cell("code", "mine = 1", "mine", {"points": 5}, [{"output_type": "stream", "text": "hi"}])]
    cells = [Cell("markdown", "My name is Ann"), *cells, Cell("raw", "the end")]
    book, code, repairs, _ = repair(FORM, cells)
    ids = [cell.id for cell in book.cells]
    assert repairs == ()
    assert (book.cells[0].source, book.cells[-1].source) == ("My name is Ann", "the end")
    assert book.cells[-1].cell_type == "markdown"
    mine = book.cells[ids.index("softmax") + 1]
    assert (mine.source, mine.metadata, mine.outputs[0].text) == ("mine = 1", {}, "hi")
    assert not any("mine" in source for source in code)


def test_answers_stay():
    cells = filled(UNIT)
    at = place_of(cells, "answer-printed-steps")
    cells[at] = Cell("code", 'answer = "A"  # sure\npredict("printed-steps", answer)', nbgrader=cells[at].nbgrader)
    book, code, repairs, _ = repair(FORM, cells)
    assert cell_of(book, "answer-printed-steps").source == cells[at].source
    assert not any("predict" in source for source in code)
    without_marks = [Cell(cell.kind, cell.source) for cell in cells]
    book, _, repairs, _ = repair(FORM, without_marks)
    assert cell_of(book, "answer-printed-steps").source == cells[at].source
    assert len(repairs) == 1


def test_changes_in_an_ordinary_cell_stay():
    cells = filled(UNIT)
    text = next(n for n, cell in enumerate(cells) if cell.kind == "markdown" and n > 3)
    plot = next(n for n, cell in enumerate(cells) if cell.kind == "code" and n > 3 and not cell.nbgrader)
    cells[text] = Cell("markdown", "my notes: $a < b$, **bold**", cells[text].id)
    cells[plot] = Cell("code", "epsilon = 1e-9\nprint(epsilon)", cells[plot].id)
    book, code, repairs, _ = repair(FORM, cells)
    assert repairs == ()
    assert cell_of(book, cells[text].id).source == cells[text].source
    assert cell_of(book, cells[plot].id).source == cells[plot].source
    assert not any("epsilon" in source for source in code)


def test_two_functions_in_one_cell_are_shown_once():
    cells = filled(UNIT)
    one, two = place_of(cells, "softmax"), place_of(cells, "attention_scores")
    cells[one] = Cell("code", f"{cells[one].source}\n\n{cells[two].source}", nbgrader=cells[one].nbgrader)
    del cells[two]
    book, _, repairs, _ = repair(FORM, cells)
    assert cell_of(book, "softmax").source == cells[one].source
    assert cell_of(book, "attention_scores").source == "# attention_scores is written in the cell of softmax."
    assert repairs == ("Written in one cell: softmax, attention_scores.",)


def test_a_mislabelled_cell_is_not_taken_for_another():
    cells = filled(UNIT)
    one, two = place_of(cells, "softmax"), place_of(cells, "attention_scores")
    cells[one] = Cell("code", cells[two].source, nbgrader=cells[one].nbgrader)
    del cells[two]
    book, _, repairs, _ = repair(FORM, cells)
    assert cell_of(book, "softmax").source == cell_of(FORM, "softmax").source
    assert cell_of(book, "attention_scores").source == cells[one].source
    assert repairs[-1] == "Missing, and put back as released: softmax."


def test_lines_of_code_stay_where_written():
    source = "print('hi')\n\n%time x = 1\nimport numpy as np; print(1)\n"
    source += "@np.vectorize\n\ndef f(x):\n    '''%\n    '''\n    return g(x)\nf(1)"
    code = code_of([source_of(source), source_of("g = abs\n# done"), source_of("h = 1")], {"f": 9})
    lines = code[0].split("\n")
    assert lines[:3] == ["", "", ""]
    assert lines[3:] == source.replace("; print(1)", "").split("\n")[3:-1]
    assert code[1:] == ("g = abs",)


NEEDED = {
    "helper": "def helper(): return base\nbase = 1\nunused = 2",
    "two steps": "import math as m\ndef helper(): return other()\ndef other(): return m.pi",
    "filled in a loop": "helper = []\nfor i in range(3):\n    helper.append(i)",
    "filled at once": "helper = {}\nhelper['a'] = 1",
    "an attribute": "class helper: pass\nhelper.x = 1",
    "with a branch": "try:\n    from fast import helper\nexcept ImportError:\n    helper = None",
    "with a context": "with open('x') as file:\n    helper = file.read()",
    "unpacked": "(a, (*helper, b)) = 1, (2, 3)",
    "a walrus": "print(helper := 3)",
    "a default": "def helper(x=start): return x\nstart = 5",
    "a decorator": "def once(f): return f\n@once\ndef helper(): return 1",
    "a star": "from numpy import *",
    "the future": "from __future__ import annotations",
    "anything": "exec('helper = 1')",
    "filled by a function": "import numpy as np\nhelper = np.ones((3, 3))\nnp.fill_diagonal(helper, 0)",
    "copied into": "import numpy as np\nhelper = np.ones(3)\nnp.copyto(helper, 0)",
    "an output": "import numpy as np\nhelper = np.ones(3)\nnp.subtract(helper, helper, out=helper)",
    "filled by an own function": "helper = []\ndef fill(i): helper.append(i)\nfor i in range(3):\n    fill(i)",
    "filled by a function of a function": "helper = []\ndef fill(): helper.append(1)\ndef start(): fill()\nstart()",
    "filled as an argument": "helper = type('P', (), {})()\ndef fill(p): p.z = 0.0\nfill(helper)",
    "filled by a lambda": "helper = []\nfill = lambda: helper.append(1)\nfill()",
    "a global name": "def set_up():\n    global helper\n    helper = 0.0\nset_up()",
    "another name": "class C: pass\nhelper = C()\nother = helper\nother.z = 0.0",
    "another name of another": "helper = [[1]]\na = helper[0]\nb = [a]\nb[0][0] = 2",
    "each in turn": "helper = [[1], [2]]\nfor row in helper:\n    row[:] = 0, 0",
    "given by a function": "helper = [1]\ndef get(): return helper\nget()[0] = 2",
    "registered": "helper = {}\ndef register(f):\n    helper[1] = f\n    return f\n@register\ndef plain(): return 1",
    "dispatched": "from functools import singledispatch\n@singledispatch\ndef helper(x): pass\n"
    "@helper.register\ndef _(x: int): return 0",
    "a class that knows its own": "class helper:\n    def __init_subclass__(cls): cls.known = cls\n"
    "class Linear(helper): pass",
    "of a module": "import builtins\nbuiltins.helper = 0.0",
    "of a module inside": "import builtins\ndef set_up(): builtins.helper = 0.0\nset_up()",
    "of the notebook": "import sys\nset_up = lambda: sys.modules['__main__'].__dict__.update(helper=0.0)\nset_up()",
    "among all names": "vars()['helper'] = 0.0",
    "at the end of a line": "'text'; helper = (1,\n 2)",
    "wrapped": "helper = len\nhelper = print if helper else helper",
}


@pytest.mark.parametrize("kind", NEEDED)
def test_what_a_function_needs_is_run(kind):
    source = NEEDED[kind]
    function = "def f():\n    def inner():\n        return helper\n    return inner"
    code = code_of([source_of(source), source_of(function)], {"f": 9})
    assert code == (source.replace("\nunused = 2", "").replace("'text'; ", ""), function)


LINES = {
    "ZERO = 0.0; print('x',\n    ZERO)": "ZERO = 0.0",
    "print('x',\n    'y'); ZERO = 0.0  # here": "\nZERO = 0.0  # here",
    "note = ('ä',\n  'ö'); ZERO = 0.0; x = '''\n'''": "\nZERO = 0.0",
    "x = 1; \\\n  ZERO = x": "x = 1\nZERO = x",
    "y = 1; \\\n  ZERO = 0": "\nZERO = 0",
    "a = 1; ZERO = a; b = 2; ZERO += a": "a = 1; ZERO = a; ZERO += a",
    "ZERO = 0.0;  # one": "ZERO = 0.0",
}


@pytest.mark.parametrize("source", LINES)
def test_statements_on_one_line_are_told_apart(source):
    code = code_of([source_of(source), source_of("def f(): return ZERO")], {"f": 9})
    assert code[0] == LINES[source]
    assert compile(code[0], "", "exec")


def test_no_experiment_is_run_for_a_constant():
    cells = ["import numpy as np", "M = np.eye(3)\neps = 1e-9", "def f(x): return x @ M", "def g(x): return x * eps"]
    more = ["y = g(M)\ny[0] = 1", "z = g(eps)\nprint(z, eps, g)\nnp.random.seed(1)\nprint(g(1))"]
    code = code_of([source_of(source) for source in (*cells, *more)], {"f": 9, "g": 9})
    assert code == (*cells, more[0])


COMMANDS = {
    "%timeit f(np.ones(2), \\\n        np.ones(3), 0)": "pass\n",
    "if 1:\n    !ls \\\n   -l": "if 1:\n    pass\n",
    '%time f()\ntext = """\nreally?\n%x\n"""\nls?': 'pass\ntext = """\nreally?\n%x\n"""\npass',
    "%time f()\n# it's '''\nls?": "pass\n# it's '''\npass",
}


@pytest.mark.parametrize("source", COMMANDS)
def test_commands_of_the_notebook_are_passed_over(source):
    assert source_of(source).text == COMMANDS[source]


def test_a_name_has_its_value_at_the_check():
    cells = ["eps = 1", "def f(): return eps + late", "eps = 2", "late = 3", "def g(): return eps"]
    sources = [source_of(source) for source in cells]
    assert code_of(sources, {"f": 1}) == ("eps = 1", "def f(): return eps + late", "late = 3")
    assert code_of(sources, {"f": 2}) == ("eps = 1", "def f(): return eps + late", "eps = 2", "late = 3")
    assert code_of(sources, {"f": 1, "g": 4}) == tuple(cells)


@pytest.mark.parametrize(
    "source",
    [
        "f()",
        "x = f()",
        "import matplotlib.pyplot as plt\nplt.plot([1])",
        "while True: pass",
        "for i in range(9): print(f(i))",
        "np.seterr(all='raise')",
        "with skip_if_unimplemented():\n    f()",
        "helper = 5",  # a local name of the function
        "def g(): return f()",
        "assert f() == 1",
        "%matplotlib inline\n!rm x\nx?\n??x\nx = !ls",
        "%%bash\ndef f(): pass",
        "return 5",
        "raise SystemExit",
        "",
        "# a remark",
    ],
)
def test_what_no_function_needs_is_not_run(source):
    function = "import numpy as np\n\ndef f(x=0):\n    helper = np.exp(x)\n    return helper.plt"
    assert code_of([source_of(function), source_of(source)], {"f": 9}) == (function,)


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 90_000 + "1",
        "x" + ".y" * 40_000,
        "(" * 5000,
        "if x:\n pass\n" + "elif x:\n pass\n" * 6000,
        "\0",
        "\ud800",
    ],
)
def test_source_that_breaks_the_parser_has_no_statements(source):
    assert source_of(source).statements is None
    assert code_of([source_of(source)], {"f": 9}) == ((source,) if source.strip() else ())


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"),
        ("<IMG SRC=x onerror=alert(1)>", "< IMG SRC=x onerror=alert(1)>"),
        ("<b onclick='x()'>b</b>", "< b onclick='x()'>b</b>"),
        ("<b>b</b> <sub>2</sub><br/>", "<b>b</b> <sub>2</sub><br/>"),
        ("<!-- x --><?php ?>", "< !-- x -->< ?php ?>"),
        ("$a < b$ and 1<2, x <- y", "$a < b$ and 1<2, x <- y"),
        (r"$\href{javascript:alert(1)}{x}$", r"$\ href{javascript:alert(1)}{x}$"),
        (r"$\style{x}{y}\mmlToken{mi}[href=x]{y}$", r"$\ style{x}{y}\ mmlToken{mi}[href=x]{y}$"),
        ("[x](javascript:alert(1))", "[x] (javascript:alert(1))"),
        ("[x](\n <JAVA&#115;cript:y>)", "[x] (\n < JAVA&#115;cript:y>)"),
        ("[x]: data:text/html,y 't'", "[x] : data:text/html,y 't'"),
        ("![x](attachment:x.png)", "![x] (attachment:x.png)"),
        (
            "[a](https://x.org/y) [b](#c) [d](../e.png 'f') [g](h)",
            "[a](https://x.org/y) [b](#c) [d](../e.png 'f') [g](h)",
        ),
        ("[a]: https://x.org\n[b]: y", "[a]: https://x.org\n[b]: y"),
        (r"$\frac12 \hrefs \displaystyle$", r"$\frac12 \hrefs \displaystyle$"),
    ],
)
def test_text_loses_what_could_act_in_a_page(text, harmless):
    assert clean_markdown(text) == harmless
    assert clean_markdown(harmless) == harmless


def test_a_page_of_a_hostile_notebook_runs_nothing():
    notebook = HandedIn("ann", UNIT, "x", "", CORPUS["scripts everywhere"].content, ROOT).take_in().notebook
    page, _ = HTMLExporter().from_notebook_node(notebook)
    body = page[page.index("<body") :]
    assert "alert(1)" in body
    for part in ("<script>alert", "<img src=x", 'href="javascript:', "\\href", "<svg"):
        assert part not in body


@pytest.mark.parametrize(
    ("change", "word", "parts"),
    [
        (("def softmax(", "def my_softmax("), "not found", ("`my_softmax` is there", "call `my_softmax` by its name")),
        (("def softmax(", "def softamx("), "not found", ("but `softamx` is there",)),
        (("def softmax(", "def other("), "not found", ("but `other` is there",)),
        (("def softmax(x", "def softmax((x"), "not valid Python", ("line 1 of the cell of `softmax`: `def softmax(",)),
        (("def softmax(x", "def softmax(x"), None, ()),
    ],
    ids=["renamed", "misspelt", "called otherwise", "no Python", "as it was"],
)
def test_why_a_function_is_not_there_is_told(change, word, parts):
    cells = filled(UNIT)
    place = place_of(cells, "softmax")
    assert change[0] in cells[place].source
    cells[place] = replace(cells[place], source=cells[place].source.replace(*change))
    told = repair(FORM, cells).absent
    assert told.keys() == ({"softmax"} if word else set())
    for part in parts:
        assert part in " ".join(told["softmax"].values())
        assert told["softmax"]["word"] == word


def test_a_function_in_no_cell_is_not_guessed():
    cells = [cell for cell in filled(UNIT) if cell.grade_id != "softmax"]
    assert repair(FORM, cells).absent == {}


COLAB = "https://colab.research.google.com"
BADGE = f'<a href="{COLAB}/github/ann/c/blob/main/{UNIT}.ipynb" target="_parent">'
BADGE += f'<img src="{COLAB}/assets/colab-badge.svg" alt="Open In Colab"/></a>'


@pytest.mark.parametrize(
    ("text", "is_told"), [(BADGE, False), (f"{BADGE} *notes*", False), (f"{BADGE}<img src=x onerror=y>", True)]
)
def test_colabs_badge_is_no_repair(text, is_told):
    notebook, _, repairs, _ = repair(FORM, [Cell("markdown", text), *filled(UNIT)])
    assert repairs == (("In 1 texts, HTML was made harmless.",) if is_told else ())
    assert not any("<img" in cell.source or "<a " in cell.source for cell in notebook.cells)


def test_outputs_keep_text_and_pictures_only():
    data = {"text/html": "<b>", "text/plain": ["a\n", "b"], "image/png": PNG, "image/svg+xml": "<svg>", "x/y": {}}
    outputs = [
        {"output_type": "stream", "name": "stderr", "text": ["x" * MAX_TEXT, "y"]},
        {"output_type": "execute_result", "data": data, "metadata": {"image/png": {"width": "x onload=y"}}},
        {"output_type": "display_data", "data": {"text/html": "<b>"}},
        {"output_type": "display_data", "data": {"image/png": "not base64"}},
        {"output_type": "display_data", "data": {"image/png": f'{PNG}" onload="x'}},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["x"]},
        {"output_type": "update_display_data", "data": data},
        *(None, 5, {}, {"output_type": []}, {"output_type": "display_data", "data": [1]}),
    ]
    stream, result = Outputs().clean(outputs)
    assert len(stream.text) < MAX_TEXT + 20
    assert stream.text.endswith("(shortened)")
    assert result.data == {"text/plain": "a\nb", "image/png": PNG}
    assert result.metadata == {}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[stream, result])])
    nbformat.validate(notebook)


def test_pictures_take_limited_room(monkeypatch):
    monkeypatch.setattr("autograder.grading.intake.repair.clean.MAX_PICTURES", 3 * len(PNG))
    outputs = Outputs()
    made = [outputs.clean([{"output_type": "display_data", "data": {"image/png": PNG}}]) for _ in range(5)]
    assert [len(cleaned) for cleaned in made] == [1, 1, 1, 0, 0]


def test_texts_take_limited_room(monkeypatch):
    monkeypatch.setattr("autograder.grading.intake.repair.clean.MAX_TEXTS", 25)
    outputs = Outputs()
    made = [outputs.clean([{"output_type": "stream", "text": ["0123456789"]}])[0].text for _ in range(4)]
    assert made[:2] == ["0123456789"] * 2
    assert made[2] == "01234\n… (shortened)"
    assert made[3] == "\n… (shortened)"


def test_outputs_have_a_limit_in_all(monkeypatch):
    monkeypatch.setattr("autograder.grading.intake.repair.clean.MAX_ALL_OUTPUTS", 7)
    outputs = Outputs()
    made = [outputs.clean([{"output_type": "stream", "text": "x"}] * 3) for _ in range(4)]
    assert [len(cleaned) for cleaned in made] == [3, 3, 1, 0]


def test_a_fault_of_the_program_is_no_zero(monkeypatch):
    def fail(*args):
        raise KeyError("oh\nno")

    monkeypatch.setattr(handed_in, "repair", fail)
    submission = HandedIn("ann", UNIT, "x", "", CORPUS["nothing at all"].content, ROOT).take_in()
    assert any("def softmax" in source for source in submission.code)
    assert submission.notebook == FORM
    assert "KeyError" in submission.repairs[0]


def test_cells_beyond_any_reason_are_left_out():
    cells = [own("x = 1"), own("y" * (MAX_SOURCE + 1)), own("z = 1")]
    reading = read(as_bytes({"cells": cells}))
    assert [cell.source for cell in reading.cells] == ["x = 1", "z = 1"]
    assert len(reading.repairs) == 1


def test_of_too_much_the_longest_cells_go(monkeypatch):
    cells = [own("x = 1"), own("y = 1;" * 9), own("\n" * 4 + "z = 1"), own("w" * 99), own("v = 1")]
    with monkeypatch.context() as patch:
        patch.setattr("autograder.grading.intake.read.cells.MAX_SOURCES", 99)
        assert [cell.source[-5:] for cell in read(as_bytes({"cells": cells})).cells] == [
            *("x = 1", " = 1;"),
            "z = 1",
            "v = 1",
        ]
    with monkeypatch.context() as patch:
        patch.setattr("autograder.grading.intake.read.cells.MAX_LINES", 8)
        assert [cell.source[-5:] for cell in read(as_bytes({"cells": cells})).cells] == [
            *("x = 1", "z = 1"),
            "w" * 5,
            "v = 1",
        ]


def test_signs_in_a_text_are_not_values():
    many = {"output_type": "stream", "name": "stdout", "text": "[1, 2], " * 200_000}
    reading = read(as_bytes({"cells": [own("x = 1") | {"outputs": [many]}]}))
    assert (reading.unreadable, len(reading.cells)) == ("", 1)
    assert "hundreds of thousands" in read(as_bytes({"cells": [own("x = 1") | {"outputs": [0] * 600_000}]})).unreadable


def test_what_reads_like_a_conflict_costs_nothing():
    line = "print('=======')\n=======\n>>>>>>> not a conflict\n"
    assert read(as_bytes({"cells": [own(line)]})).cells[0].source == line
    conflict = b'{"cells": [\r\n<<<<<<< a\r\n{"source": "x"}\r\n||||||| b\r\n{\r\n=======\r\n}\r\n>>>>>>> c\r\n]}'
    reading = read(conflict)
    assert [cell.source for cell in reading.cells] == ["x"]
    assert len(reading.repairs) == 1


def course_with(folder, *parts):
    """Copy one unit of the course into a folder."""
    for part in parts:
        shutil.copytree(ROOT / part / UNIT, folder / part / UNIT)
    return folder


def test_the_skeleton_is_the_released_notebook(tmp_path):
    assert notebook(UNIT, "notebooks") == FORM
    course_with(tmp_path, "notebooks")
    assert skeleton(UNIT, tmp_path) == FORM
    skeleton(UNIT, tmp_path).cells.clear()
    assert skeleton(UNIT, tmp_path) == FORM


def test_the_skeleton_is_derived_despite_existing_work(tmp_path):
    course_with(tmp_path, "notebooks", "solutions")
    worked_in = tmp_path / "notebooks" / UNIT / f"{UNIT}.ipynb"
    assert skeleton(UNIT, tmp_path) == FORM
    worked_in.write_text(json.dumps(json.loads(worked_in.read_text()) | {"cells": []}))
    assert skeleton(UNIT, tmp_path) == FORM
    worked_in.unlink()
    assert skeleton(UNIT, tmp_path) == FORM


def test_a_course_without_the_unit_is_told(tmp_path):
    with pytest.raises(NoSkeleton, match=UNIT):
        skeleton(UNIT, tmp_path)
