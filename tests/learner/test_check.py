"""What a learner sees: `check(f)` and `predict(id, answer)`."""

import collections
import functools
import html
import itertools
import re
import signal
import sys
import threading
import time

import numpy as np
import pytest

from autograder import check, predict
from autograder.execution.substitution import substituted
from autograder.questions import Choice, Numbers
from autograder.registry import find
from transformer_kit import reference, time_limit

pytestmark = pytest.mark.usefixtures("frozen_course")


def right(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def named(name, function):
    """Give a function the name of an exercise, as a notebook would."""
    function.__name__ = name
    return function


def text_of(score):
    """The HTML report as a reader hears it."""
    blocks = re.sub(r"</?(code|strong|a)\b[^>]*>", "", score._repr_html_())
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", blocks)))


def test_right_function():
    """Full points; a number whose plain text is the points, and a report that promises no more than it knows."""
    score = check(named("softmax", lambda x, axis=-1: right(x, axis)))
    assert score == score.points == score.max_points == find("softmax").points
    assert repr(score) == f"{score.max_points:.1f}"
    assert score.mistake is None
    assert all(claim.passed for claim in score.claims)
    points = f"{score.max_points:g} of {score.max_points:g} points"
    assert score.report.startswith(f"softmax: {points}, visible checks passed")
    assert "all tests" not in score.report.lower()


def test_known_mistake_is_named():
    """The report names the cause, points to a place, and shows what came back, in this order."""
    score = check(named("softmax", lambda x, axis=-1: np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)))
    assert score.mistake == "no-maximum-subtracted"
    assert 0 < score.points < score.max_points
    order = [score.report.index(word) for word in ("Cause:", "See “", "≠ nan", "FAIL", "Asked:", "Came back:")]
    assert order == sorted(order)
    assert "got nan, expected 0." in score.report
    assert {claim.name for claim in score.claims if not claim.passed} == {"survives numbers of size 1000"}


@pytest.fixture
def no_time_limit(monkeypatch):
    """There is no timer signal, and threads do not start, as in a browser."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.delattr(signal, "setitimer", raising=False)
    time_limit.is_supported.cache_clear()
    yield
    time_limit.is_supported.cache_clear()


def test_a_report_warns_where_nothing_can_be_stopped(no_time_limit):
    """From the first check on, until nothing is left to do; elsewhere nobody has to know."""

    def unwritten(x, axis=-1):
        raise NotImplementedError

    remark = "Remark: a function that never ends cannot be stopped here: choose Kernel > Restart Kernel."
    for function, expected in (
        (unwritten, True),
        (lambda x, axis=-1: x, True),
        (lambda x, axis=-1: right(x, axis), False),
    ):
        score = check(named("softmax", function))
        assert (remark in score.report) is (remark in text_of(score)) is expected


def test_elsewhere_the_report_is_silent_about_it():
    assert "cannot be stopped" not in check(named("softmax", lambda x, axis=-1: x)).report


def test_unknown_mistake_gets_a_structural_diagnosis():
    """Where no known mistake fits, the report describes the pattern of the numbers."""
    score = check(named("softmax", lambda x, axis=-1: 3 * right(x, axis)))
    assert score.mistake is None
    assert "Every entry is 3 times what it should be" in score.report
    assert "ause:" not in score.report


def test_stub_error_and_wrong_result_are_told_apart():
    """The stub, an exception and a wrong result give three different reports."""

    def softmax(x, axis=-1):
        raise NotImplementedError

    stub = check(softmax)
    assert stub == 0
    assert "not written yet" in stub.report

    def softmax(x, axis=-1):
        return np.exp(x) / total  # noqa: F821

    broken = check(softmax)
    assert broken == 0
    assert "NameError: name 'total' is not defined" in broken.report
    assert "return np.exp(x) / total" in broken.report
    assert "not written" not in broken.report


def test_endless_loop_is_stopped():
    """A function that never returns gets its message in the end."""

    def softmax(x, axis=-1):
        while x.ndim != 3:
            pass
        return right(x, axis)

    report = check(softmax).report
    assert "did not come back in time and was stopped at line" in report
    assert 'of your cell: "while x.ndim != 3:"' in report or 'of your cell: "pass"' in report


def test_a_check_ends_with_a_very_late_call(monkeypatch):
    """The claims before it keep their points; the others are not tried, and nothing is said about them."""
    monkeypatch.setattr("autograder.execution.call.SECONDS_PER_CALL", 0.3)
    calls = []

    def softmax(x, axis=-1):
        calls.append(axis)
        if axis == 0:  # a second of compiled code
            end = time.process_time() + 1.0
            collections.deque(itertools.takewhile(end.__gt__, iter(time.process_time, None)), maxlen=0)
        return right(x, axis)

    score = check(softmax)
    assert (score, score.mistake) == (1.5, None)
    assert calls.count(0) == 1
    assert calls[-1] == 0
    assert "your function does far more work than it takes. Nothing was tried after that." in score.report
    assert "1 of 5 checks passed, 3 not judged yet" in score.report
    assert score.report.count("not tried\n") == 3
    assert "  Where" not in score.report


def test_another_default_is_told():
    def softmax(x, axis=0):
        return right(x, axis)

    assert "the default of `axis` is 0; asked is -1." in check(softmax).report
    softmax.__defaults__ = (-1,)
    assert "default" not in check(softmax).report
    softmax.__defaults__ = None  # without it the call fails, and says so
    assert "the default of" not in check(softmax).report


def test_side_effects_are_reported():
    """Printing, warning, changing an argument and returning a view are reported."""

    def softmax(x, axis=-1):
        print("debugging")
        np.log(np.zeros(1))
        e = right(x, axis)
        x[...] = 0
        return e

    report = check(softmax).report
    assert 'prints (first: "debugging")' in report
    assert "warns" in report
    assert "the argument x is no longer what it was" in report


def test_quiet_in_the_cell(capfd):
    """Nothing of what the learner's function prints or warns reaches the cell's own stderr or stdout."""

    def softmax(x, axis=-1):
        print("noise")
        return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)

    check(softmax)
    assert capfd.readouterr() == ("", "")


def test_report_never_shows_the_reference_code():
    """No line of the reference's body stands in a report."""
    report = check(named("softmax", lambda x, axis=-1: np.zeros_like(x))).report
    assert "np.exp" not in report
    assert "keepdims" not in report


def test_html_says_the_same_as_the_text():
    """The HTML report has inline styles only, carries every word of the text, and escapes what it quotes."""

    def softmax(x, axis=-1):
        raise ValueError("<script>alert(1)</script>")

    score = check(softmax)
    page = score._repr_html_()
    assert "<script>" not in page
    assert "<style" not in page
    assert "var(" not in page
    words = text_of(score)
    for word in re.sub("[`“”■□]", "", score.report).split():
        assert word in words


def test_wrong_argument():
    """A result in place of the function, and a function of another name, are explained."""
    with pytest.raises(TypeError, match=r"check\(softmax\), without calling it; got ndarray"):
        check(np.zeros(3))
    with pytest.raises(LookupError, match="Did you mean softmax"):
        check(named("sofmax", lambda x: x))
    with pytest.raises(TypeError, match="a partial has none"):
        check(functools.partial(right))


def defined(source, **namespace):
    """Run the source of some cells and return what they define."""
    namespace = {"np": np} | namespace
    exec(source, namespace)
    return namespace


WRONG_SOFTMAX = "def softmax(x, axis=-1):\n    return x\n"
Q, K, V = (np.random.default_rng(3).standard_normal(shape) for shape in ((2, 3), (5, 3), (5, 4)))


@pytest.mark.parametrize(
    "source",
    [
        "def scaled_dot_product_attention(Q, K, V):\n    w = softmax(attention_scores(Q, K))\n    return w @ V, w",
        "def my_weights(Q, K):\n    return softmax(attention_scores(Q, K))\n"
        "def scaled_dot_product_attention(Q, K, V):\n    w = my_weights(Q, K)\n    return w @ V, w",
        "weigh = lambda Q, K: softmax(attention_scores(Q, K))\n"
        "def scaled_dot_product_attention(Q, K, V):\n    w = weigh(Q, K)\n    return w @ V, w",
    ],
    ids=["direct", "helper", "lambda"],
)
def test_other_exercises_functions_are_substituted(source):
    """A wrong softmax in the notebook costs nothing in a function that calls it, and stays as wrong as it was."""
    cells = defined(WRONG_SOFTMAX + source, attention_scores=reference.attention_scores)
    wrong = cells["softmax"]
    score = check(cells["scaled_dot_product_attention"])
    assert score == score.max_points
    assert "checked with the course's own attention_scores, softmax" in score.report
    assert cells["softmax"] is wrong


def test_later_exercises_functions_are_not_substituted():
    """Only those of earlier ones: a softmax cannot be obtained from the attention that the course asks for later."""
    cells = defined(
        "def scaled_dot_product_attention(Q, K, V):\n    return None, Q\n"
        "def softmax(x, axis=-1):\n    return scaled_dot_product_attention(x, x, x)[1]"
    )
    score = check(cells["softmax"])
    assert score == 0
    assert "course's own" not in score.report


HELPERS = {name: getattr(reference, name) for name in ("softmax", "relu")}


def test_only_functions_that_are_called_are_named():
    """An attribute of the same name is no call of the learner's own function."""
    cells = defined("import scipy.special\ndef masked(x):\n    return scipy.special.softmax(x)\n" + WRONG_SOFTMAX)
    with substituted(cells["masked"], HELPERS) as used:
        assert used == ()


def test_everything_is_put_back_after_an_error():
    """An exception on the way leaves the notebook's own functions in their places."""
    cells = defined(WRONG_SOFTMAX + "def attention(x, f=softmax):\n    return f(x)")
    wrong, function = cells["softmax"], cells["attention"]
    with pytest.raises(KeyboardInterrupt), substituted(function, HELPERS):
        raise KeyboardInterrupt
    assert (cells["softmax"], function.__defaults__) == (wrong, (wrong,))


def test_a_default_argument_is_substituted_too():
    """`activation=relu` stands for the right relu; other defaults stay."""
    cells = defined(
        "def relu(x):\n    return -x\n"
        "def position_wise_ffn(X, params, activation=relu, factor=2):\n    return factor * activation(X)"
    )
    with substituted(cells["position_wise_ffn"], HELPERS) as used:
        assert cells["position_wise_ffn"](3.0, None) == 6.0
        assert used == ("relu",)
    assert cells["position_wise_ffn"](3.0, None) == -6.0


class Hostile:
    """Raises whatever is asked of it."""

    def __getattribute__(self, name):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")


class Unspeakable(Exception):
    """An exception without a text."""

    def __str__(self):
        raise RuntimeError("no")


def fail_unspeakably(x):
    raise Unspeakable


def endless_list(x):
    result = []
    result.append(result)
    return result


def close_output(x):
    sys.stdout.close()
    return x


@pytest.mark.parametrize(
    "strange",
    [
        lambda x: Hostile(),
        lambda x: [Hostile()],
        fail_unspeakably,
        endless_list,
        close_output,
        lambda x: np.asarray(x).view(np.matrix) if np.ndim(x) == 2 else x,
        lambda x: np.ma.masked_all(np.shape(x)),
        lambda x: np.full(np.shape(x), np.inf),
        lambda x: np.array([object()]),
        lambda x: np.array(["a"]),
        lambda x: {"weights": x},
        lambda x: (value for value in x),
        lambda x: exec("raise ValueError('`' + 'x' * 10**6)"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_strange_functions_get_a_report_and_no_points(strange):
    """Whatever a function returns or raises, the check ends in a short report, quietly, and gives no point."""
    for name in ("softmax", "attention_scores", "scaled_dot_product_attention", "relu", "causal_mask"):
        score = check(named(name, lambda *args, **kwargs: strange(args[0])))
        assert score == 0
        assert len(score.report) < 5000
        assert score._repr_html_().count("<code>") == score._repr_html_().count("</code>")


def test_masked_arrays_hide_nothing():
    """A right result inside a masked array that hides every entry gets no points."""
    hidden = named("softmax", lambda x, axis=-1: np.ma.array(right(x, axis), mask=True))
    assert check(hidden) == 0
    assert "got a MaskedArray of shape" in check(hidden).report


def test_partly_written_function_keeps_its_points():
    """NotImplementedError for one case, or from a helper, is an error like any other."""

    def softmax(x, axis=-1):
        if axis != -1:
            raise NotImplementedError("only the last axis so far")
        return right(x)

    score = check(softmax)
    assert score == 3
    assert "only the last axis so far" in score.report

    def helper(x):
        raise NotImplementedError

    report = check(named("softmax", lambda x, axis=-1: helper(x))).report
    assert "not written yet" not in report
    assert "the call raised NotImplementedError" in report


def test_float32_results_cost_nothing():
    """A result in float32 is judged by what float32 can hold, and the learner is told."""
    score = check(named("softmax", lambda x, axis=-1: right(np.asarray(x, np.float32), axis)))
    assert score == score.max_points


def test_choice():
    """Everybody is told the reason, after what meets a wrong letter; without a letter the question is asked again."""
    question = Choice("why", "B", {"A": "Not A, since ..."}, "B, since ...")
    assert question.reply("b").right is True
    assert question.reply("b").text == "B, since ..."
    assert question.reply("A").text == "Not A, since ... B, since ..."
    assert question.reply("A").right is False
    assert question.reply(None).right is None
    assert "letters A, B, got 'C'" in question.reply("C").text


def test_numbers():
    """Numbers are compared within a tolerance; known wrong answers get their reason."""
    question = Numbers("row", lambda: [0.25, 0.75], 1e-3, "Right, since ...", (([0.5, 0.5], "Not the mean."),))
    assert question.reply([0.2501, 0.7499]).right is True
    assert question.reply([0.5, 0.5]).text == "Not the mean."
    assert question.reply([0.25, 0.7]).text == "1 of the 2 numbers is not right yet."
    assert "a list of 2 numbers" in question.reply(None).text
    assert question.reply([1, 2, 3]).text == "Expected a list of 2 numbers, got a list of 3 numbers."
    assert "2 rows with 1 numbers each" in question.reply([[1], [2]]).text
    assert "got a number" in question.reply(0.5).text
    assert question.reply("many").right is None


def test_predict_looks_questions_up():
    """An unknown question raises an error that names similar ones."""
    with pytest.raises(LookupError, match="There is no question named"):
        predict("no-such-question", "A")
