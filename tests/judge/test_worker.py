"""A verdict through a worker is the verdict of `check`."""

import re
import shutil
import time
from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.substitution import substituted
from autograder.judge import view
from autograder.judge.pool import Worker
from autograder.learner.check import check
from autograder.registry import find, names_before, unit_of, units
from tests.support import needs
from tests.support.judging import cells, exercise, summary, unit, verdict
from tools.bank import right_styles
from tools.course import ROOT, solution_functions
from transformer_kit import reference

pytestmark = needs.linux
EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
SECOND = unit(2)
SOFTMAX, ATTENTION = (exercise(SECOND, name) for name in ("softmax", "scaled_dot_product_attention"))


def whole_course(folder, unit=None):
    """Fill a view with everything, which no submission gets: the worker then runs the tests' own functions."""
    folder = view.build(folder, None)
    for name in ("registry.py", "compiled.py", "course.py", "own.py", "specification.py", "questions.py", "times.py"):
        shutil.copy(ROOT / "autograder" / name, folder / "autograder")
    for room in ("evaluation", "exercises"):
        shutil.copytree(ROOT / "autograder" / room, folder / "autograder" / room)
    shutil.copytree(ROOT / "tools" / "bank", folder / "tools" / "bank")
    styles = "".join(f"read({exercise.name!r})\n" for unit in units() for exercise in unit.exercises)
    warm = f"from autograder.registry import units\nfrom tools.bank import read\nunits()\n{styles}"
    (folder / "transformer_kit" / "warm.py").write_text(warm)
    return folder


class OpenWorker(Worker):
    """A worker whose processes see the whole course, so that one server is enough for all units."""

    def __init__(self, launch):
        super().__init__(launch, whole_course)

    def _server(self, unit):
        return super()._server(SECOND)


@pytest.fixture(scope="module")
def open_worker(backend):
    with OpenWorker(backend.launch) as worker:
        yield worker


def local_verdict(exercise, function, seed):
    """Evaluate a function in this process, as `check` does."""
    helpers = {name: getattr(reference, name) for name in names_before(exercise)}
    with substituted(function, helpers):
        return evaluate(exercise, LocalRunner(function, signature(exercise.reference)), seed)


def without_bytes(summary):
    """Leave out how much memory a call needed: the kernel counts pages, Python counts what it requested.

    The type of a function that is handed over has another name in a worker, too, if a function adds a number to it.
    """
    text = re.sub(r"needed \d+ MB", "needed ? MB", repr(summary))
    return re.sub(r"(unsupported operand type\(s\) for \S+ \S+ and )\S+", r"\1?", text)


IN_FLOAT32 = "09_transformer"  # runs the trained model, whose sums depend on where the arrays lie in memory
FRACTION = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")


def assert_same_but_for_rounding(one, other, about):
    """Require the same words, and numbers that are the same in single precision."""
    first, second = map(FRACTION.split, (one, other))
    assert first == second, about
    numbers = [[float(number) for number in FRACTION.findall(text)] for text in (one, other)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-3, abs=1e-5), about


def assert_parity(worker, unit, exercise, function, expression, seed):
    cell = "from autograder.registry import find\nfrom tools.bank import right_styles\n"
    remote = verdict(worker, unit, exercise, [f"{cell}{exercise.name} = {expression}"], seed)
    texts = [without_bytes(summary(one)) for one in (remote, local_verdict(exercise, function, seed))]
    if unit.id == IN_FLOAT32:
        assert_same_but_for_rounding(*texts, expression)
    else:
        assert texts[0] == texts[1], expression


@pytest.mark.parametrize("name", ["softmax", "scaled_dot_product_attention", "softmax_backward"])
def test_solutions_get_their_points(worker, name):
    found = exercise(SECOND, name)
    result = verdict(worker, SECOND, found, cells(SECOND), [1, 2, 3])
    assert (result.status, result.points) == ("passed", found.points)


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_every_solution_gets_its_points(worker, unit, exercise):
    """With the view that grading uses, without the unit's own reference, with the same substitutes as in a notebook."""
    with worker.child(unit, exercise, cells(unit)) as runner:
        result = evaluate(exercise, runner, 7)
    assert [r.message for r in result.results if not r.passed] == []
    assert (result.status, result.points) == ("passed", exercise.points)
    assert (runner.missing, runner.ended, runner.note) == ("", "", "")
    assert sorted(runner.substituted) == sorted(check(solution_functions(unit.id)[exercise.name]).substituted)


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_every_stub_gets_none(worker, unit, exercise):
    stub = f"def {exercise.name}(*args, **kwargs):\n    raise NotImplementedError  # YOUR CODE HERE"
    result = verdict(worker, unit, exercise, cells(unit, **{exercise.name: stub}))
    assert (result.status, result.points) == ("not written", 0)


def assert_parity_of(numbered, worker, exercise, seed):
    """Require parity for known mistakes, which come with their numbers."""
    for number, mistake in numbered:
        expression = f"find('{exercise.name}').mistakes[{number}].function"
        assert_parity(worker, unit_of(exercise), exercise, mistake.function, expression, seed)


def test_parity_of_a_few_mistakes(open_worker, part_of):
    assert_parity_of(part_of(enumerate(SOFTMAX.mistakes), 5), open_worker, SOFTMAX, 5)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["softmax", "softmax_backward"])
def test_parity_of_mistakes(open_worker, name):
    assert_parity_of(enumerate(find(name).mistakes), open_worker, find(name), 5)


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_parity_of_everything(open_worker, part_of, unit, exercise):
    """Reference, styles and mistakes: every word of the verdict is the same."""
    name = exercise.name
    assert_parity(open_worker, unit, exercise, exercise.reference, f"find('{name}').reference", 3)
    for number, style in enumerate(right_styles(name)):
        assert_parity(open_worker, unit, exercise, style, f"right_styles('{name}')[{number}]", 3)
    assert_parity_of(part_of(enumerate(exercise.mistakes), 2), open_worker, exercise, 3)


SLEEPERS = (
    "def softmax(*args, **kwargs):\n    time.sleep(next(slept, 0))\n    return right(*args, **kwargs)",
    "def softmax(*args, **kwargs):\n    time.sleep(100)",
)
ODD = {
    "text": "'1'",
    "dict": "{}",
    "object array": "np.array([{}], dtype=object)",
    "complex": "np.array([1j])",
    "masked": "np.ma.masked_array([1.0])",
    "function": "print",
    "large integer": "10 ** 400",
    "tuple of arrays": "(np.ones(2), np.ones(2), np.ones(2))",
    "many": "[0.0] * 100_000",
    "huge": "np.zeros((5000, 5000))",
    "deep": "deep()",
}


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(2)
@pytest.mark.parametrize("returned", ODD.values(), ids=ODD)
def test_odd_results_end_in_words(worker, returned, part_of):
    """Whatever comes back, every exercise gets a verdict, and the child lives on."""
    helper = "import numpy as np\ndef deep():\n    x = []\n    x.append(x)\n    return x\n"
    for found, one in part_of([(each, one) for each in (unit(3), unit(6)) for one in each.exercises], 5):
        source = f"{helper}\ndef {one.name}(*args, **kwargs):\n    return {returned}"
        with worker.child(found, one, [source]) as runner:
            assert evaluate(one, runner).points < one.points
        assert runner.ended == ""


def test_only_earlier_functions_are_substituted(worker):
    """A wrong helper costs its own exercise only; the learner's own later functions are not replaced."""
    wrong = cells(SECOND, softmax="def softmax(x, axis=-1):\n    return x")
    assert verdict(worker, SECOND, SOFTMAX, wrong).points < SOFTMAX.points
    with worker.child(SECOND, ATTENTION, wrong) as runner:
        assert evaluate(ATTENTION, runner).points == ATTENTION.points
    assert sorted(runner.substituted) == ["attention_scores", "softmax"]
    missing = cells(SECOND, softmax="def softmax(x, axis=-1)\n    return x")  # not Python
    assert verdict(worker, SECOND, SOFTMAX, missing).points == 0
    assert verdict(worker, SECOND, ATTENTION, missing).points == ATTENTION.points
    through = "def softmax(x, axis=-1):\n    return scaled_dot_product_attention(x, np.eye(x.shape[-1]), x)[1]"
    later = cells(SECOND, softmax=through, scaled_dot_product_attention="def scaled_dot_product_attention(*a): 1")
    assert verdict(worker, SECOND, SOFTMAX, later).points == 0
    own = "from transformer_kit import reference\ndef scaled_dot_product_attention(Q, K, V):\n"
    own += "    w = reference.softmax(reference.attention_scores(Q, K))\n    return w @ V, w"
    own = cells(SECOND, scaled_dot_product_attention=own)
    assert verdict(worker, SECOND, ATTENTION, own).points == ATTENTION.points  # as in a notebook


def test_what_is_not_needed_fails_without_harm(worker):
    """Broken, endless, noisy, drawing and ending cells beside a right function; the time is that of the loop."""
    cell = "import no_such_module\nimport numpy as np\n%matplotlib inline\n!ls\nprint('x' * 10 ** 6)\n1 / 0\nexit()"
    plot = "import matplotlib.pyplot as plt\nfigure = plt.figure()\nplt.plot([1])\nplt.show()\ndisplay(3)\n"
    plot += "figure.savefig('figure.png')\ndrawn = 1"
    beside = [cell, "def (", plot, "while True: pass", *cells(SECOND), "softmax.x = undefined"]
    start = time.monotonic()
    with worker.child(SECOND, SOFTMAX, beside) as runner:
        assert evaluate(SOFTMAX, runner).points == SOFTMAX.points
    assert (runner.ended, runner.note) == ("", "")
    assert time.monotonic() - start < 20


@pytest.mark.exhaustive(minutes=2)
def test_a_waiting_call_is_not_an_endless_one(worker):
    """On a busy machine everything waits: only what it computes counts, unless it waits without an end."""
    slow, endless = ("import time\nright = softmax\nslept = iter([3])\n" + source for source in SLEEPERS)
    for source, points in ((slow, SOFTMAX.points), (endless, 0)):
        result = verdict(worker, SECOND, SOFTMAX, [*cells(SECOND), source])
        assert result.points == points


@pytest.mark.parametrize("ending", ["import os; os._exit(0)", "import ctypes; ctypes.string_at(0)", "10 ** 10 ** 10"])
def test_a_cell_that_ends_the_process_is_skipped(worker, ending, monkeypatch):
    """Then only what the function needs is run, in a new child."""
    monkeypatch.setattr("autograder.judge.remote.SECONDS_FOR_CELLS", 2)
    assert verdict(worker, SECOND, SOFTMAX, [ending, *cells(SECOND)]).points == SOFTMAX.points


@pytest.mark.parametrize(("mentioned", "there"), [("", False), ("import matplotlib.pyplot\n", True)])
def test_libraries_are_there_when_the_code_mentions_them(backend, mentioned, there):
    """A warm process that holds Matplotlib takes twice as long to fork, and five times as long to start."""
    cell = f"import sys\n{mentioned}def softmax(x, axis=-1):\n    raise ValueError('matplotlib' in sys.modules)"
    with Worker(backend.launch) as fresh:
        found = verdict(fresh, SECOND, SOFTMAX, [cell])
    assert f"ValueError: {there}" in found.results[0].message


def test_figures_can_be_drawn(worker):
    """Matplotlib draws into a file in the child's own folder, once."""
    drawing = "import os\nimport matplotlib.pyplot as plt\ndef softmax(x, axis=-1):\n"
    drawing += "    if not os.path.exists('figure.png'):\n        plt.plot(x.ravel())\n"
    drawing += "        plt.savefig('figure.png')\n        plt.close()\n    return right(x, axis)\n"
    right = cells(SECOND)[1].replace("def softmax", "def right")
    assert "right" in right
    result = verdict(worker, SECOND, SOFTMAX, [cells(SECOND)[0], right, drawing])
    assert result.points == SOFTMAX.points


def test_why_a_function_is_missing(worker):
    """The learner reads what went wrong where the function should have come from."""
    for source, why in (("x = 1", "not define"), ("def softmax(x)\n    return x", "SyntaxError"), ("softmax = 1", "")):
        with worker.child(SECOND, SOFTMAX, [source]) as runner:
            assert "softmax" in runner.missing
            assert why in runner.missing
            assert runner.ended == ""
            result = evaluate(SOFTMAX, runner)
        assert result.points == 0
        assert "NameError" in result.results[0].message


def test_errors_have_the_learners_line(worker):
    source = "def softmax(x, axis=-1):\n    return x.no_such_method()"
    message = verdict(worker, SECOND, SOFTMAX, [source]).results[0].message
    assert "AttributeError" in message
    assert 'at line 2 of your cell: "return x.no_such_method()"' in message


RAISES = "import numpy as np\n\ndef softmax(x, axis=-1):\n    raise KeyError(x.ndim)"
WRITTEN = [(1, "import numpy as np"), (4, ""), (9, "def softmax(x,"), (13, "raise KeyError(  # here")]


def test_an_error_names_the_line_as_written(worker):
    with worker.child(SECOND, SOFTMAX, ["first = 1", RAISES], [[(1, "first=1")], WRITTEN]) as runner:
        outcome = runner((np.ones(2),), {})
    assert outcome.error.place == ' at line 13 of your cell: "raise KeyError(  # here"'
