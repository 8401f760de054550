"""What a check says about cells that were not run: in IPython, and nowhere else."""

import linecache

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder import check
from autograder.learner import cells

SOFTMAX = """\
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
BROKEN = SOFTMAX.replace("axis=-1):", "axis=-1)")


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
        return (error, capsys.readouterr().out.strip().splitlines()[-1]) if error else result.result

    yield run
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()
    linecache.checkcache()


def test_an_older_version_is_not_judged_after_a_syntax_error(notebook):
    """Until a cell with the function can be compiled again."""
    assert notebook(SOFTMAX, "check(softmax)") == 4
    found = notebook(BROKEN, "check(softmax)")
    assert repr(found).startswith("NOT CHECKED. The newest cell that defines `softmax` has a syntax error")
    assert "<code>softmax</code>" in found._repr_html_()
    assert notebook("def relu(x)\n    return x", f"{SOFTMAX}\ncheck(softmax)") == 4
    assert notebook("check(softmax)") == 4


def test_what_is_not_from_a_cell_is_judged_all_the_same(notebook):
    assert notebook(BROKEN, "from transformer_kit.reference import softmax\ncheck(softmax)") == 4


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


def test_an_older_version_is_not_judged_after_it_was_renamed(notebook):
    """Until a cell, this one or another, defines it again; further functions beside it take nothing away."""
    notebook(SOFTMAX, cell_id="mine")
    assert notebook("check(softmax)") == 4
    notebook(SOFTMAX.replace("softmax", "soft_max"), cell_id="mine")
    assert repr(notebook("check(softmax)")).startswith("NOT CHECKED. The cell that defined `softmax` no longer does")
    notebook(SOFTMAX, cell_id="another")
    assert notebook("check(softmax)") == 4
    notebook(SOFTMAX.replace("softmax", "my_softmax"), cell_id="a third")
    assert notebook("check(softmax)") == 4


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
    assert cells.broken(softmax) == cells.broken(len) == ""
    assert check(softmax) == 0
