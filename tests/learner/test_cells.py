"""What a check says about cells that were not run: in IPython, and nowhere else."""

import linecache

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.lib.pretty import pretty

from autograder import check
from autograder.learner import cells
from autograder.learner.check import NotChecked
from tests.support import frozen_course, needs
from tests.support.judging import exercise, unit, verdict

pytestmark = pytest.mark.usefixtures("frozen_course")
SOFTMAX = """\
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
BROKEN = SOFTMAX.replace("axis=-1):", "axis=-1)")
FULL = frozen_course.SOFTMAX.points


@pytest.fixture
def notebook(capsys):
    """Run cells in an IPython of its own, and return the last result, or the last words of an error."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(colors="nocolor")
    cells.explain_missing_names()
    shell.run_cell("import numpy as np\nfrom autograder import check", store_history=True)

    def run(*sources, cell_id=None):
        for source in sources:
            capsys.readouterr()
            result = shell.run_cell(source, store_history=True, cell_id=cell_id)
        error = result.error_in_exec or result.error_before_exec
        shown = "".join(capsys.readouterr()).strip().splitlines()[-1:]
        return (error, *shown) if error else result.result

    yield run
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()
    linecache.checkcache()


def test_after_a_syntax_error_no_older_version_counts(notebook):
    """Until a cell with the function can be compiled again."""
    assert notebook(SOFTMAX, "check(softmax)") == FULL
    found = notebook(BROKEN, "check(softmax)")
    assert repr(found).startswith("NOT CHECKED. The newest cell that defines `softmax` has a syntax error")
    assert "<code>softmax</code>" in found._repr_html_()
    assert notebook("def relu(x)\n    return x", f"{SOFTMAX}\ncheck(softmax)") == FULL
    assert notebook("check(softmax)") == FULL


STEPS = {  # cells that fail before they define softmax anew, and the error
    "a line above": ("half = np.sqroot(4)\n" + SOFTMAX, "AttributeError: module 'numpy' has no attribute 'sqroot'"),
    "a default": (SOFTMAX.replace("axis=-1)", "axis=last)"), "NameError: name 'last' is not defined"),
    "a decorator": ("@jit\n" + SOFTMAX, "NameError: name 'jit' is not defined"),
    "an interrupt": ("raise KeyboardInterrupt\n" + SOFTMAX, "(KeyboardInterrupt)"),
    "an exit": ("import sys\nsys.exit('done')\n" + SOFTMAX, "SystemExit: done"),
    "a magic": ("%nosuch\n" + SOFTMAX, "UsageError: Line magic function"),
    "timed": ("%%time\nhalf = np.sqroot(4)\n" + SOFTMAX, "AttributeError: module"),
    "captured": ("%%capture\nhalf = np.sqroot(4)\n" + SOFTMAX, "AttributeError: module"),
    "in a branch": ("if True:\n    1 / 0\n    def softmax(x): return x", "ZeroDivisionError: division by zero"),
    "a lambda": ("1 / 0\nsoftmax = lambda x, axis=-1: x", "ZeroDivisionError: division by zero"),
    "an import": ("from nowhere import softmax", "ModuleNotFoundError: No module named 'nowhere'"),
    "the second of two": (SOFTMAX + SOFTMAX.replace("axis=-1)", "axis=last)"), "NameError: name 'last'"),
    "a bracket": (SOFTMAX + ")", "SyntaxError: unmatched ')', line 4"),
}


@pytest.mark.filterwarnings("ignore:To exit")
@pytest.mark.parametrize(("cell", "words"), STEPS.values(), ids=STEPS)
def test_no_older_version_counts_after_a_failed_cell(notebook, cell, words):
    """The error is told; once a cell has defined the function, all is well again."""
    notebook(SOFTMAX, cell)
    found = notebook("check(softmax)")
    assert type(found) is NotChecked
    assert "The newest cell that defines `softmax`" in found.report
    assert words in found.report
    assert notebook(SOFTMAX, "check(softmax)") == FULL


def test_a_mended_function_is_not_blamed_any_longer(notebook):
    notebook(SOFTMAX.replace("/ e.sum", "* e.sum"), "1 / 0\n" + SOFTMAX)
    assert "ZeroDivisionError" in notebook("check(softmax)").report
    assert "Cause" not in notebook("check(softmax)").report


def test_an_older_version_of_a_helper_is_refused(notebook):
    """But for a helper that is an exercise of its own: the course's stands in for it."""
    helper = "def shifted(x, axis):\n    return x - x.max(axis=axis, keepdims=True)"
    source = SOFTMAX.replace("x - x.max(axis=axis, keepdims=True)", "shifted(x, axis)")
    notebook(helper, source, "1 / 0\n" + helper)
    assert "The newest cell that defines `shifted`" in notebook("check(softmax)").report
    assert notebook(helper, "check(softmax)") == FULL
    notebook("def attention_scores(Q, K):\n    return Q", "1 / 0\ndef attention_scores(Q, K): return K")
    notebook(
        "def scaled_dot_product_attention(Q, K, V):\n"
        "    weights = softmax(attention_scores(Q, K))\n    return weights @ V, weights"
    )
    score = notebook("check(scaled_dot_product_attention)")
    assert score == score.max_points


AS_WELL = {  # after a right softmax
    "an error after it": [SOFTMAX + "1 / 0"],
    "a loop": [f"for k in range(3):\n    {SOFTMAX.replace(chr(10), chr(10) + '    ')}\n    1 / (k - 1)"],
    "two functions": ["def relu(x):\n    return x\n1 / 0\ndef gelu(x):\n    return x"],
    "a method": ["class Layer:\n    def softmax(self): pass\n1 / 0"],
    "a file": ["1 / 0\n" + SOFTMAX, "%run -i FILE"],
    "another name for it": ["1 / 0\n" + SOFTMAX, "from transformer_kit.reference import softmax"],
    "an old cell once more": ["1 / 0\n" + SOFTMAX, SOFTMAX],
    "loaded, and an error after it": ["softmax = softmax\n1 / 0"],
    "a file written": ["%%writefile FILE\n" + SOFTMAX],
    "somebody else's error": ["1 / 0"],
}


@pytest.mark.parametrize("sources", AS_WELL.values(), ids=AS_WELL)
def test_a_newest_version_is_judged(notebook, tmp_path, sources):
    path = tmp_path / "softmax.py"
    path.write_text("import numpy as np\n" + SOFTMAX)
    assert notebook(SOFTMAX, *(source.replace("FILE", str(path)) for source in sources), "check(softmax)") == FULL


def test_an_unchecked_score_has_all_fields(notebook):
    """And counts as no points, for nbgrader, too, which gives full points to a cell without a number."""
    found = notebook(SOFTMAX, BROKEN, "check(softmax)")
    assert (found, found.points, found.max_points, found.claims, found.mistake) == (0, 0, FULL, (), None)
    assert found.report == repr(found)
    assert notebook("check(softmax).report") == found.report
    assert pretty(found) == "0.0"


OTHERS = {
    "a lambda": "softmax = lambda x, axis=-1: right(x, axis)",
    "a partial": "softmax = functools.partial(right)",
    "an object": "class Softmax:\n    def __call__(self, x, axis=-1): return right(x, axis)\nsoftmax = Softmax()",
    "a decorator without wraps": "def quiet(f):\n    def wrapper(*args, **kwargs): return f(*args, **kwargs)\n"
    "    return wrapper\n@quiet\n" + SOFTMAX,
    "another exercise's": "relu = lambda x, axis=-1: right(x, axis)\nsoftmax = relu",
}


@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_a_function_is_known_by_its_notebook_name(notebook, source):
    """As a class is graded; a right one has all points, and a wrong one a report."""
    notebook("import functools\nfrom transformer_kit.reference import softmax as right", source)
    assert notebook("check(softmax)") == FULL
    assert f"softmax: {FULL} of {FULL} points" in notebook("score = check(softmax)", "score.report")
    wrong = source.replace("right(x, axis)", "x").replace("partial(right)", "partial(lambda x, axis=-1: x)")
    assert f"softmax: 0 of {FULL} points" in notebook(
        wrong.replace("return e / e.sum", "return e.sum"), "check(softmax).report"
    )


@needs.linux
@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_a_class_is_graded_in_the_same_way(worker, source):
    imports = "import functools\nimport numpy as np\n"
    right = SOFTMAX.replace("softmax", "right")
    judged = verdict(worker, unit(2), exercise(unit(2), "softmax"), [imports, right, source])
    assert judged.points == FULL


@needs.linux
def test_a_class_is_told_the_skipped_file(worker):
    second, source = unit(2), "import numpy as np\n%run my_solutions.py"
    with worker.child(second, exercise(second, "softmax"), [source]) as runner:
        assert runner.missing.endswith("does not define the function softmax (left out: %run my_solutions.py)")


def test_an_unchosen_name_leads_to_a_question(notebook):
    notebook("def quiet(f):\n    def wrapper(x): return f(x)\n    return wrapper")
    for source, words in (
        ("check(quiet(abs))", "its name is wrapper: a decorator without functools.wraps?"),
        ("check(lambda x: x)", "its name is <lambda>. In a notebook, give it that of the exercise"),
    ):
        assert words in notebook(source)[1]


def test_a_function_from_no_cell_is_judged(notebook):
    assert notebook(BROKEN, "from transformer_kit.reference import softmax\ncheck(softmax)") == FULL


def test_a_function_whose_cell_did_not_run(notebook):
    """Not run at all, not compiled, or stopped on the way: each has a sentence of its own."""
    for sources, words in (
        (["check(softmax)"], "`softmax` is not defined yet. Run the cell with `def softmax` first, then this one."),
        ([BROKEN, "check(softmax)"], "has a syntax error and did not run. Mend it"),
        ([f"1 / 0\n{SOFTMAX}", "check(softmax)"], "was stopped by an error before `def softmax`"),
        (["import autograder", "score = autograder.check(relu)"], "Run the cell with `def relu` first"),
    ):
        error, shown = notebook(*sources)
        assert type(error) is NameError
        assert words in shown


def test_a_function_that_was_renamed(notebook):
    for name, source in (
        ("my_softmax", SOFTMAX),
        ("sofmax", SOFTMAX),
        ("scores", "def attention_scores(Q, K):\n    return Q @ K.T"),
    ):
        asked = source[4 : source.index("(")]
        _, shown = notebook(source.replace(asked, name, 1), f"check({asked})")
        assert shown == (
            f"NameError: Your notebook has no `{asked}`, but a function `{name}`. A check goes by the name: "
            f"call it `{asked}` again."
        )
        notebook(f"del {name}")
    assert "Did you mean softmax" in notebook("check(sofmax)")[1]


def test_no_older_version_counts_after_renaming(notebook):
    """Until a cell, this one or another, defines it again; further functions beside it take nothing away."""
    notebook(SOFTMAX, cell_id="mine")
    assert notebook("check(softmax)") == FULL
    notebook(SOFTMAX.replace("softmax", "soft_max"), cell_id="mine")
    assert repr(notebook("check(softmax)")).startswith("NOT CHECKED. The cell that defined `softmax` no longer does")
    notebook(SOFTMAX, cell_id="another")
    assert notebook("check(softmax)") == FULL
    notebook(SOFTMAX.replace("softmax", "my_softmax"), cell_id="a third")
    assert notebook("check(softmax)") == FULL


def test_all_other_errors_are_as_they_were(notebook):
    """Names that are missing elsewhere, in functions that are called, and errors of other kinds."""
    for source, kind, words in (
        ("softmax", NameError, "NameError: name 'softmax' is not defined"),
        ("np.array(softmax), check(relu)", NameError, "NameError: name 'softmax' is not defined"),
        ("def f():\n    check(softmax)\nf()", NameError, "NameError: name 'softmax' is not defined"),
        ("def f():\n    print(a)\n    a = 1\nf()", UnboundLocalError, "UnboundLocalError: "),
        ("1 / 0", ZeroDivisionError, "ZeroDivisionError: division by zero"),
        ("check(3)", TypeError, "TypeError: check takes the function itself"),
    ):
        error, shown = notebook(source)
        assert type(error) is kind
        assert shown.startswith(words)


def test_a_handler_of_somebody_else_stays():
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(colors="nocolor")
    shell.set_custom_exc((KeyError,), lambda *args, **kwargs: None)
    cells.explain_missing_names()
    assert shell.custom_exceptions == (KeyError,)
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


def test_without_ipython_nothing_is_said():
    def softmax(x, axis=-1):
        return x

    cells.explain_missing_names()
    assert cells.broken(softmax, "softmax") == cells.broken(len, "len") == ""
    assert check(softmax) == 0
