"""The learner's library: what is kept, what is loaded, and that nothing is lost."""

import ast
import errno
import os
import subprocess
import sys

import numpy as np
import pytest

from autograder import check, load
from autograder.learner import files
from tests.support import frozen_course
from tests.support.declared import imports
from tests.support.fake_notebook import OVERFLOWS, RIGHT, Cells, notes
from tools.course import ROOT
from transformer_kit import library, reference, workbench

pytestmark = pytest.mark.usefixtures("frozen_course")
UNIT_02 = "unit_02_scaled_dot_product_attention.py"
UNIT_03 = "unit_03_masking.py"
X = np.random.default_rng(4).standard_normal((3, 5))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a library; it is not made yet."""
    monkeypatch.setenv(workbench.VARIABLE, str(tmp_path / "my_transformer"))
    return tmp_path / "my_transformer"


@pytest.fixture
def cells(folder):
    return Cells()


def written(folder, text, name=UNIT_02):
    """Write a file of the library as a learner would."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def earlier(folder):
    """Return the texts of the copies that were kept."""
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted((folder / "earlier").glob("*"))]


# Where the folder is


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        ("course/notebooks/02_attention", "course/notebooks/my_transformer"),
        ("home/02_attention", "home/my_transformer"),
        ("course/solutions/02_attention", None),
        ("class/submitted/ada/02_attention", None),
        ("class/autograded/ada/02_attention", None),
        ("course/notebooks", None),
        ("course/notebooks/my_transformer", "course/notebooks/my_transformer"),
    ],
)
def test_the_folder_lies_beside_the_units(tmp_path, monkeypatch, here, expected):
    monkeypatch.delenv(workbench.VARIABLE)
    (tmp_path / here).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / here)
    found = workbench.place()
    assert found.folder == (tmp_path / expected if expected else None)
    assert bool(found.problem) == (here == "course/notebooks")


def test_the_start_page_has_the_folder_beside_it(tmp_path, monkeypatch):
    monkeypatch.delenv(workbench.VARIABLE)
    (tmp_path / "START_HERE.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    assert workbench.place() == workbench.Place(tmp_path / "my_transformer")


def test_a_folder_can_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv(workbench.VARIABLE, str(tmp_path / "mine"))
    assert workbench.place().folder == tmp_path / "mine"
    monkeypatch.setenv(workbench.VARIABLE, "mine")
    assert workbench.place() == workbench.Place(
        None, "the environment variable MY_TRANSFORMER should hold an absolute path, got 'mine'."
    )
    monkeypatch.setenv(workbench.VARIABLE, "")
    assert workbench.place() == workbench.Place(None)


def test_no_folder_while_nbgrader_runs_a_notebook(folder, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    cells = Cells()
    assert cells.check("softmax", RIGHT["softmax"]).notes == ()
    assert load("softmax") is frozen_course.softmax
    assert not folder.exists()


def test_a_notebook_outside_of_its_folder_is_told(tmp_path, monkeypatch):
    monkeypatch.delenv(workbench.VARIABLE)
    monkeypatch.chdir(tmp_path)
    cells = Cells()
    score = cells.check("softmax", RIGHT["softmax"])
    assert score == 4
    (message,) = notes(score, "Not kept")
    assert "no unit's folder" in message
    assert workbench.VARIABLE in score.report
    assert cells.check("softmax", OVERFLOWS).notes == ()


def test_the_start_page_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.delenv(workbench.VARIABLE)
    (tmp_path / "START_HERE.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    cells = Cells()
    assert cells.check("softmax", OVERFLOWS).notes == ()
    assert "trying things out" in notes(cells.check("softmax", RIGHT["softmax"]), "Not kept")[0]
    assert not (tmp_path / "my_transformer").exists()


# Keeping


def test_a_passed_function_is_kept_and_loaded(folder, cells, capsys):
    """The file is readable, can be imported, and holds the source word for word."""
    score = cells.check("softmax", RIGHT["softmax"])
    assert notes(score, "Kept") == [f"in my_transformer/{UNIT_02}, where later notebooks find it."]
    text = (folder / UNIT_02).read_text()
    assert text.startswith('"""Your functions of unit 02, scaled dot product attention.\n')
    assert RIGHT["softmax"] in text
    assert text.count("import numpy as np") == 1
    own = load("softmax")
    assert capsys.readouterr().out == "Yours: softmax.\n"
    assert own.__code__.co_filename == str(folder / UNIT_02)
    np.testing.assert_array_equal(own(X), cells.names["softmax"](X))
    done = subprocess.run([sys.executable, str(folder / UNIT_02)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_only_what_passes_is_kept(folder, cells):
    assert cells.check("softmax", OVERFLOWS) == 3.5
    assert not (folder / UNIT_02).exists()
    stub = "def softmax(x, axis=-1):\n    raise NotImplementedError\n"
    assert cells.check("softmax", stub).notes == ()


def test_an_untouched_exercise_leaves_no_trace(folder, cells):
    cells.check("softmax", "def softmax(x, axis=-1):\n    raise NotImplementedError\n")
    assert not folder.exists()


def test_what_a_function_needs_is_kept_with_it(folder, cells):
    """Imports, constants and helpers, found from the function, in whatever order the cells were run."""
    cells.run("def e_to_the(x):\n    return exp(shifted(x) * FACTORS[0]) * SCALE")
    cells.run(
        "import math as m\nfrom numpy import exp\nfrom scipy import special\nimport scipy.linalg\n"
        'SCALE, FACTORS, LIMITS = 2.0, np.array([1.0, 3.0]), {"low": (-m.inf,), "high": [np.float32(1.5)]}'
    )
    cells.run("UNUSED = object()\ndef shifted(x, axis=-1):\n    return x - np.max(x, axis=AXIS, keepdims=True)")
    cells.run("AXIS = None")
    score = cells.check(
        "softmax",
        "def softmax(x, axis=-1):\n"
        "    # a comment\n"
        "    assert LIMITS['low'][0] < special.erf(0) < m.pi and scipy.linalg\n"
        "    e = e_to_the(x - np.max(x, axis=axis, keepdims=True))\n"
        "    return e / e.sum(axis=axis, keepdims=True)\n",
    )
    assert notes(score, "Kept") == [f"in my_transformer/{UNIT_02}, where later notebooks find it."]
    text = (folder / UNIT_02).read_text()
    for line in (
        "import math as m",
        "from numpy import exp",
        "from scipy import special",
        "import scipy",
        "SCALE = 2.0",
        "FACTORS = np.array([1.0, 3.0], dtype=np.float64)",
        "LIMITS = {'low': (float(\"-inf\"),), 'high': [np.float32(1.5)]}",
        "AXIS = None",
        "    # a comment",
    ):
        assert f"\n{line}\n" in text
    assert "UNUSED" not in text
    defined = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert defined == ["shifted", "e_to_the", "softmax"]
    np.testing.assert_allclose(workbench.own("softmax").function(X), frozen_course.softmax(X))


def test_a_function_takes_the_place_of_the_borrowed(folder, cells):
    """A default value below needs it as soon as the file is read."""
    borrowed = 'from transformer_kit.workbench import functions\n\nsoftmax = functions("softmax")\n'
    below = "def weighed(x, weigh=softmax):\n    return weigh(x)\n"
    written(folder, f"{borrowed}FACTOR = 2\n\n\n{below}")
    cells.check("softmax", RIGHT["softmax"])
    text = (folder / UNIT_02).read_text()
    assert text.index("def softmax") < text.index("FACTOR") < text.index(below)
    names = {}
    exec(compile(text, UNIT_02, "exec"), names)
    np.testing.assert_allclose(names["weighed"](X), frozen_course.softmax(X))


def test_a_function_stands_below_its_default_values(folder, cells):
    cells.check("softmax", RIGHT["softmax"])
    written(folder, (folder / UNIT_02).read_text() + "\n\ndef unused():\n    return 0\n")
    shifted = "def shifted(x, axis):\n    return x - x.max(axis=axis, keepdims=True)\n\n\n"
    other = RIGHT["softmax"].replace("axis=-1", "axis=-1, shift=shifted", 1)
    assert "shift=shifted" in other
    score = cells.check("softmax", shifted + other)
    assert notes(score, "Kept")[0].startswith("in my_transformer/unit_02")
    assert "Please repair" not in score.report
    body = ast.parse((folder / UNIT_02).read_text()).body
    assert [node.name for node in body if isinstance(node, ast.FunctionDef)] == ["unused", "shifted", "softmax"]


def test_functions_come_from_their_own_files(folder, cells, capsys):
    """Those of the same unit stand in the same file; until then, and for earlier units, a line asks for them."""
    cells.run(RIGHT["softmax"] + RIGHT["attention_scores"])
    cells.check("scaled_dot_product_attention", RIGHT["scaled_dot_product_attention"])
    borrowed = 'softmax = functions("softmax")\n'
    assert borrowed in (folder / UNIT_02).read_text()
    check(cells.names["softmax"])
    text = (folder / UNIT_02).read_text()
    assert borrowed not in text
    assert RIGHT["softmax"] in text
    cells.check("masked_softmax", RIGHT["masked_softmax"])
    assert borrowed in (folder / UNIT_03).read_text()
    own = load("masked_softmax", "scaled_dot_product_attention")[0]
    assert own.__globals__["softmax"] is workbench.own("softmax").function
    assert capsys.readouterr().out == "Yours: masked_softmax, scaled_dot_product_attention.\n"


def test_decorators_and_defaults_are_kept(folder, cells):
    cells.run("LAST = -1\ndef twice(f):\n    return f")
    score = cells.check("softmax", "@twice\n@np.errstate(all='ignore')\n" + RIGHT["softmax"].replace("=-1", "=LAST", 1))
    assert "later notebooks find it" in notes(score, "Kept")[0]
    assert "@twice\n@np.errstate(all='ignore')\ndef softmax" in (folder / UNIT_02).read_text()


CANNOT_BE_KEPT = {
    "lambda": ("softmax = lambda x, axis=-1: right(x, axis)\nsoftmax.__name__ = 'softmax'", "not written with def"),
    "object": (
        "class Tool:\n    __name__ = 'softmax'\n    def __call__(self, x, axis=-1):\n        return right(x, axis)\n"
        "softmax = Tool()",
        "cannot be found",
    ),
    "class": (
        "class Tool:\n    def run(self, x, axis):\n        return right(x, axis)\n"
        "def softmax(x, axis=-1):\n    return Tool().run(x, axis)",
        "it uses `Tool`, a class",
    ),
    "large array": (
        "BIG = np.zeros(65)\ndef softmax(x, axis=-1):\n    return right(x, axis) + BIG[0]",
        "it uses `BIG`, a ndarray",
    ),
    "helper": (
        "helper = lambda x, axis: right(x, axis)\ndef softmax(x, axis=-1):\n    return helper(x, axis)",
        "it uses `helper`, a function",
    ),
    "endless list": (
        "rest = []\nrest.append(rest)\ndef softmax(x, axis=-1):\n    return right(x, axis) if rest else rest",
        "it uses `rest`, a list",
    ),
    "closure": (
        "def outer(f):\n    def softmax(x, axis=-1):\n        return f(x, axis)\n    return softmax\n"
        "softmax = outer(right)",
        "Define it outside",
    ),
}


@pytest.mark.parametrize(("source", "why"), CANNOT_BE_KEPT.values(), ids=CANNOT_BE_KEPT)
def test_what_cannot_be_kept_costs_nothing(folder, cells, source, why):
    cells.run(RIGHT["softmax"].replace("softmax", "right"))
    score = cells.check("softmax", source)
    assert score == 4
    (message,) = notes(score, "Not kept")
    assert why in message
    assert not (folder / UNIT_02).exists()


def test_a_function_without_source_is_told(folder):
    names = {"np": np}
    exec(RIGHT["softmax"], names)
    assert "cannot be found" in notes(check(names["softmax"]), "Not kept")[0]


def test_the_courses_function_is_not_the_learners(folder):
    score = check(frozen_course.softmax)
    assert (score, notes(score, "Not kept")) == (4, ["this is the course's own function."])
    assert not folder.exists()


def test_a_function_dependent_on_its_notebook_is_told(folder, cells):
    """What stands in the file is looked at once more, as a later notebook will."""
    cells.run("calls = [0]\ndef once(x):\n    return x\n")
    cells.run("import linecache, sys\nsecret = sys.modules")
    cells.run(
        "sys.modules['only_here'] = type(sys)('only_here')\nsys.modules['only_here'].f = (only_here := lambda x: x)"
    )
    cells.run("f = only_here\nf.__module__, f.__name__ = 'only_here', 'f'")
    score = cells.check("softmax", RIGHT["softmax"].replace("np.exp(x", "np.exp(f(x)"))
    assert "later notebooks find it" in notes(score, "Kept")[0]
    del sys.modules["only_here"]
    library._latest = None
    assert "No module named 'only_here'" in workbench.own("softmax").problem


# What the learner wrote stays


EDITED = '''\
# my own notes
"""Mine."""
import numpy as np, math

EPS = 1e-9  # I chose this


def softmax(x, axis=-1):
    return x


# do not touch


def mine(x):
    return x
'''


def test_only_the_definition_is_replaced(folder, cells):
    """Everything else in the file stays, and the file as it was is kept."""
    written(folder, EDITED)
    score = cells.check("softmax", RIGHT["softmax"])
    assert (folder / UNIT_02).read_text() == EDITED.replace(
        "def softmax(x, axis=-1):\n    return x\n", RIGHT["softmax"]
    )
    assert earlier(folder) == [EDITED]
    assert f"The file as it was is now earlier/{UNIT_02.removesuffix('.py')}-" in score.report
    cells.check("attention_scores", RIGHT["attention_scores"])
    assert earlier(folder) == [EDITED]
    assert (folder / UNIT_02).read_text().endswith(f"    return x\n\n\n{RIGHT['attention_scores']}")


def test_every_version_is_kept(folder, cells):
    for number in range(3):
        cells.check("softmax", RIGHT["softmax"].replace("    e =", f"    # version {number}\n    e ="))
    assert [text.count("version 0") for text in earlier(folder)] == [1, 0]
    assert "version 2" in (folder / UNIT_02).read_text()
    cells.check("softmax")
    assert len(earlier(folder)) == 2


def test_a_final_comment_belongs_to_its_function(folder, cells):
    """It is neither taken for an edit nor written once more."""
    with_comment = RIGHT["softmax"].rstrip() + "\n    # the end\n"
    cells.check("softmax", with_comment)
    assert notes(cells.check("softmax"), "Kept") == [f"in my_transformer/{UNIT_02}."]
    cells.check("softmax", with_comment.replace("    e =", "    # newer\n    e ="))
    assert (folder / UNIT_02).read_text().count("# the end") == 1
    cells.check("attention_scores", RIGHT["attention_scores"])
    cells.check("softmax", RIGHT["softmax"])
    assert "# the end" not in (folder / UNIT_02).read_text()


def test_a_passing_edit_survives_the_next_run(folder, cells):
    """A notebook that is run again does not take back what was improved in the file; a new version does replace it."""
    cells.check("softmax", RIGHT["softmax"])
    edited = (folder / UNIT_02).read_text().replace("    e =", "    # better\n    e =")
    written(folder, edited)
    assert notes(cells.check("softmax"), "Kept") == [f"in my_transformer/{UNIT_02}, as you edited it there."]
    assert (folder / UNIT_02).read_text() == edited
    assert cells.check("softmax", RIGHT["softmax"].replace("    e =", "    # newer\n    e =")) == 4
    assert "# newer" in (folder / UNIT_02).read_text()
    assert earlier(folder) == [edited]


def test_the_next_run_repairs_a_failing_edit(folder, cells):
    cells.check("softmax", RIGHT["softmax"])
    broken = (folder / UNIT_02).read_text().replace("e / e.sum", "e * e.sum")
    written(folder, broken)
    cells.check("softmax")
    assert RIGHT["softmax"] in (folder / UNIT_02).read_text()
    assert earlier(folder) == [broken]


def test_a_file_that_is_no_python_any_more(folder, cells, capsys):
    """It is set aside; the new file has what could be read of it, and the new function."""
    cells.check("attention_scores", RIGHT["attention_scores"])
    broken = (folder / UNIT_02).read_text() + "\n\ndef oops(:\n    return 1\n\n\nMINE = 3\n"
    written(folder, broken)
    load("attention_scores")
    line = broken.splitlines().index("def oops(:") + 1
    assert capsys.readouterr().out == (
        f"Lent by the course in place of yours: attention_scores (my_transformer/{UNIT_02}, line {line}: cannot be "
        "imported: SyntaxError: invalid syntax).\n"
    )
    score = cells.check("softmax", RIGHT["softmax"])
    assert "could not be read as Python" in score.report
    assert earlier(folder) == [broken]
    text = (folder / UNIT_02).read_text()
    assert RIGHT["attention_scores"] in text
    assert "MINE = 3" in text
    assert "oops" not in text
    load("attention_scores", "softmax")
    assert capsys.readouterr().out == "Yours: attention_scores, softmax.\n"


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"x = '\xe4'\n", b"", b"\xef\xbb\xbfx = 1\r\ny = 2\r\n", b"x = 1\x00"]
)
def test_files_of_any_content(folder, cells, content):
    """Bytes that are no text are set aside as they are."""
    folder.mkdir()
    (folder / UNIT_02).write_bytes(content)
    assert cells.check("softmax", RIGHT["softmax"]) == 4
    assert RIGHT["softmax"] in (folder / UNIT_02).read_text()
    kept = [path.read_bytes() for path in (folder / "earlier").glob("*")]
    assert kept == ([content] if b"x = 1\r" not in content and content else [])
    assert workbench.own("softmax").function


# Loading


def test_load_falls_back_and_says_why(folder, cells, capsys):
    cells.check("softmax", RIGHT["softmax"])
    written(folder, (folder / UNIT_02).read_text().replace("e / e.sum", "e * e.sum"))
    assert load("softmax") is frozen_course.softmax
    assert load("softmax", even_if_wrong=True) is not frozen_course.softmax
    with pytest.raises(LookupError, match="Did you mean softmax"):
        load("softmx")
    lines = capsys.readouterr().out.splitlines()
    number = (folder / UNIT_02).read_text().splitlines().index("def softmax(x, axis=-1):") + 1
    assert lines == [
        f"Lent by the course in place of yours: softmax (my_transformer/{UNIT_02}, line {number}: its check fails. "
        "This does not hold: equals the definition, along the last axis).",
        "Yours: softmax.",
    ]


def test_load_names_a_known_mistake(folder, cells, capsys):
    written(folder, f"import numpy as np\n{OVERFLOWS}")
    load("softmax", "relu")
    assert capsys.readouterr().out == (
        "On loan from the course until yours passes: relu. Lent by the course in place of yours: softmax "
        f"(my_transformer/{UNIT_02}, line 2: its check fails. Your function exponentiates the numbers as they are).\n"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("while True:\n    pass\n", "cannot be imported within 0.2 seconds"),
        ("while True:\n    try:\n        pass\n    except BaseException:\n        pass\n", "within 0.2 seconds"),
        ("import nothing_of_this_name\n", "line 1: cannot be imported: ModuleNotFoundError"),
        ("x = 1\n\n1 / 0\n", "line 3: cannot be imported: ZeroDivisionError"),
        ("raise SystemExit\n", "SystemExit"),
        ("class E(Exception):\n    def __str__(self):\n        raise E\nraise E\n", "message cannot be read"),
        ("def softmax(x, axis=-1):\n    raise NotImplementedError\n", "It is not written yet"),
        ("softmax = 3\n", "until yours passes: softmax"),
    ],
)
def test_nothing_in_the_library_stops_a_notebook(folder, capsys, monkeypatch, text, problem):
    """Files that never end, that raise, or that define something else; the reference takes their place."""
    monkeypatch.setattr(library, "SECONDS_TO_IMPORT", 0.2)
    written(folder, text)
    written(folder, 'print("noise")\nfrom transformer_kit.workbench import functions\nsoftmax = functions("softmax")\n'
                    f'import numpy as np\n{RIGHT["masked_softmax"]}', UNIT_03)  # fmt: skip
    softmax, masked = load("softmax", "masked_softmax")
    assert softmax is frozen_course.softmax
    assert masked.__globals__["softmax"] in (frozen_course.softmax, reference.softmax)  # the kit lends to files
    out, err = capsys.readouterr()
    assert "Yours: masked_softmax." in out
    assert problem in out
    assert out.count("\n") == 1
    assert err == ""


def test_a_wrong_function_still_serves_its_callers(folder, cells, capsys):
    """A figure of a later unit shows the learner's attention at work, not the softmax that was broken since."""
    for name in ("softmax", "attention_scores", "scaled_dot_product_attention", "masked_softmax"):
        cells.check(name, RIGHT[name])
    written(folder, (folder / UNIT_02).read_text().replace("e / e.sum", "e * e.sum"))
    masked, attention = load("masked_softmax", "scaled_dot_product_attention")
    output = capsys.readouterr().out
    assert output.startswith("Yours: masked_softmax, scaled_dot_product_attention. Lent to your functions that call")
    assert output.count(f"softmax (my_transformer/{UNIT_02}, line ") == output.count("\n") == 1
    assert masked.__globals__["softmax"] is attention.__globals__["softmax"] is frozen_course.softmax
    masked, wrong = load("masked_softmax", "softmax", even_if_wrong=True)
    assert masked.__globals__["softmax"] is wrong
    np.testing.assert_raises(AssertionError, np.testing.assert_allclose, wrong(X), frozen_course.softmax(X))


def test_an_endless_file_costs_its_time_once(folder, cells, monkeypatch):
    monkeypatch.setattr(library, "SECONDS_TO_IMPORT", 0.1)
    written(folder, "while True:\n    pass\n", UNIT_03)
    assert workbench.own("masked_softmax").problem == "cannot be imported within 0.1 seconds"
    monkeypatch.setattr(library, "SECONDS_TO_IMPORT", 1000)
    cells.check("softmax", RIGHT["softmax"])
    assert workbench.own("softmax").function
    written(folder, f"import numpy as np\n{RIGHT['masked_softmax']}", UNIT_03)
    assert workbench.own("masked_softmax").function


def test_functions_is_quiet_and_falls_back(folder, capsys):
    written(folder, f"import numpy as np\n{RIGHT['softmax']}")
    softmax, relu = workbench.functions("softmax", "relu")
    assert softmax is workbench.own("softmax").function
    assert relu is reference.relu
    with pytest.raises(LookupError, match="no function named softmx"):
        workbench.functions("softmx")
    assert capsys.readouterr() == ("", "")


def test_an_edit_reaches_dependent_files(folder, cells):
    cells.run(RIGHT["softmax"])
    cells.check("softmax")
    cells.check("masked_softmax", RIGHT["masked_softmax"])
    first = workbench.own("masked_softmax").function
    assert workbench.own("masked_softmax").function is first
    written(folder, (folder / UNIT_02).read_text() + "\n# a remark\n")
    assert workbench.own("masked_softmax").function is not first


def test_a_check_replaces_loaded_functions(folder, cells):
    """Marks never depend on the library: a wrong softmax in it costs nothing."""
    written(folder, OVERFLOWS)
    cells.names["softmax"] = load("softmax", even_if_wrong=True)
    score = cells.check("masked_softmax", RIGHT["masked_softmax"])
    assert score == score.max_points
    assert "checked with the course's own softmax" in score.report


def test_a_loaded_function_is_not_kept_again(folder, cells):
    cells.check("softmax", RIGHT["softmax"])
    before = (folder / UNIT_02).read_bytes()
    assert notes(check(load("softmax")), "Kept") == ["in my_transformer already: this is your function from there."]
    assert (folder / UNIT_02).read_bytes() == before


# Folders that cannot be written to


def refuse(error):
    def refused(*args, **kwargs):
        raise error

    return refused


@pytest.mark.parametrize(
    ("place", "error", "expected"),
    [
        ("replace", PermissionError(13, "Permission denied"), "may not be written to"),
        ("replace", OSError(30, "Read-only file system"), "may not be written to"),
        ("fsync", OSError(28, "No space left on device"), "is full"),
        ("replace", OSError(5, "Input/output error"), "failed: Input/output error"),
        ("fsync", RuntimeError("strange"), "the library failed with RuntimeError: strange"),
    ],
)
def test_a_folder_that_cannot_be_written_costs_nothing(folder, cells, monkeypatch, place, error, expected):
    """One sentence; the points stay, the file as it was stays, and no part of a file is left."""
    cells.check("softmax", RIGHT["softmax"])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(os, place, refuse(error))
    score = cells.check("attention_scores", RIGHT["attention_scores"])
    assert score == 3
    (sentence,) = notes(score, "Not kept")
    assert expected in sentence
    assert sentence.endswith("Your points are the same.")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_in_the_folders_place(folder, cells, capsys):
    folder.write_text("I was here first")
    score = cells.check("softmax", RIGHT["softmax"])
    assert score == 4
    assert "has to be a folder, and a file of this name is in its place" in notes(score, "Not kept")[0]
    assert load("softmax") is frozen_course.softmax
    assert folder.read_text() == "I was here first"


def test_another_program_that_never_stops_writing(folder, cells, monkeypatch):
    monkeypatch.setattr(files, "SECONDS_TO_WAIT", 0.1)
    with files.writing(folder):
        assert "has been writing" in notes(cells.check("softmax", RIGHT["softmax"]), "Not kept")[0]


def test_without_locks(folder, cells, monkeypatch):
    """As in a browser: no package for locks, or a file system that has none."""
    monkeypatch.setattr(files, "FileLock", None)
    assert notes(cells.check("softmax", RIGHT["softmax"]), "Kept")
    monkeypatch.setattr(files, "FileLock", refuse(NotImplementedError()))
    assert notes(cells.check("attention_scores", RIGHT["attention_scores"]), "Kept")
    monkeypatch.setattr(files, "FileLock", refuse(OSError(errno.ENOLCK, "No locks available")))
    assert notes(cells.check("masked_softmax", RIGHT["masked_softmax"]), "Kept")


WRITER = """
import sys
sys.path.insert(0, {root!r})
from tests.support.fake_notebook import RIGHT, Cells
cells = Cells()
for number in range(100):
    cells.check({name!r}, RIGHT[{name!r}].replace(":\\n", f":\\n    # {{number}}\\n", 1))
"""


@pytest.mark.exhaustive
def test_two_notebooks_write_at_once(folder):
    """200 writes into one file: both functions are there, every version is kept, and every check is counted."""
    names = ("softmax", "attention_scores")
    codes = [WRITER.format(root=str(ROOT), name=name) for name in names]
    writers = [subprocess.Popen([sys.executable, "-W", "error", "-c", code]) for code in codes]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    text = (folder / UNIT_02).read_text()
    for name in names:
        assert RIGHT[name].replace(":\n", ":\n    # 99\n", 1) in text
    for number in range(99):
        assert sum(f"    # {number}\n" in copy for copy in earlier(folder)) >= 2
    assert [path for path in folder.iterdir() if path.suffix == ".part"] == []


def test_nothing_that_grades_speaks_of_the_library():
    """Neither the judge nor the grading of a class imports what a learner uses, or the modules that read a library.

    The exchange does: it puts what a learner fetches where the learner's tools look for it.
    """
    folders = (ROOT / "autograder" / part for part in ("judge", "grading"))
    graders = [path for folder in folders for path in folder.rglob("*.py") if path.name != "exchange.py"]
    imported = {name for path in graders for name in imports(path.read_text(encoding="utf-8"))}
    assert "autograder.evaluation.evaluate.evaluate" in imported
    learners = ("autograder.learner.", "transformer_kit.library.", "transformer_kit.workbench")
    assert [name for name in imported if f"{name}.".startswith(learners)] == []
