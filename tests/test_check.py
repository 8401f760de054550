"""What a learner sees: `check(f)` and `predict(id, answer)`."""

import html
import re

import numpy as np
import pytest

from autograder import check, predict
from autograder.check import on_its_own
from autograder.questions import Choice, Numbers
from transformer_kit import reference


def right(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def named(name, function):
    """Give a function the name of an exercise, as a notebook would."""
    function.__name__ = name
    return function


def text_of(score):
    """The HTML report as a reader hears it."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", score._repr_html_())))


def test_right_function():
    """Full points; a number whose plain text is the points, and a report that promises no more than it knows."""
    score = check(named("softmax", lambda x, axis=-1: right(x, axis)))
    assert score == score.points == score.max_points == 4
    assert repr(score) == "4.0"
    assert score.mistake is None
    assert all(claim.passed for claim in score.claims)
    assert score.report.startswith("softmax: 4 of 4 points, visible checks passed")
    assert "all tests" not in score.report.lower()


def test_known_mistake_is_named():
    """The report asks, shows what came back, names the cause and points to a place, in this order."""
    score = check(named("softmax", lambda x, axis=-1: np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)))
    assert score.mistake == "no-maximum-subtracted"
    assert 0 < score.points < 4
    order = [score.report.index(word) for word in ("Asked:", "Came back:", "Likely cause:", "Where to look:")]
    assert order == sorted(order)
    assert "got nan, expected 0." in score.report
    assert {claim.name for claim in score.claims if not claim.passed} == {"survives numbers of size 1000"}


def test_unknown_mistake_gets_a_structural_diagnosis():
    """Where no known mistake fits, the pattern of the numbers is told."""
    score = check(named("softmax", lambda x, axis=-1: 3 * right(x, axis)))
    assert score.mistake is None
    assert "Every entry is 3 times what it should be" in score.report
    assert "Likely cause" not in score.report


def test_not_written_is_told_from_an_error_and_from_wrong():
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

    assert "did not come back in time" in check(softmax).report


def test_side_effects_are_told():
    """Printing, warning, changing an argument and returning a view are told."""

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
    for line in score.report.replace("`", "").splitlines():
        for word in line.split():
            assert word in words


def test_wrong_argument():
    """A result in place of the function, and a function of another name, are explained."""
    with pytest.raises(TypeError, match=r"check\(softmax\), without calling it; got ndarray"):
        check(np.zeros(3))
    with pytest.raises(LookupError, match="Did you mean softmax"):
        check(named("sofmax", lambda x: x))


def test_other_exercises_functions_are_lent():
    """A wrong softmax in the notebook costs nothing in a function that calls it, and the report says so."""
    namespace = {"np": np, "softmax": lambda x: x, "attention_scores": reference.attention_scores}
    source = "def masked_attention(Q, K, V, mask=None):\n    w = softmax(attention_scores(Q, K))\n    return w @ V, w"
    exec(source, namespace)
    alone, lent = on_its_own(namespace["masked_attention"])
    Q, K, V = (np.random.default_rng(3).standard_normal(shape) for shape in ((2, 3), (5, 3), (5, 4)))
    np.testing.assert_allclose(alone(Q, K, V)[0], reference.scaled_dot_product_attention(Q, K, V)[0])
    assert set(lent) == {"softmax", "attention_scores"}
    assert namespace["softmax"](1) == 1


def test_a_default_argument_is_lent_too():
    """`activation=relu` stands for the right relu; other defaults stay."""
    namespace = {"relu": lambda x: -x}
    namespace["relu"].__name__ = "relu"
    exec("def position_wise_ffn(X, params, activation=relu, factor=2):\n    return factor * activation(X)", namespace)
    alone, lent = on_its_own(namespace["position_wise_ffn"])
    assert alone(3.0, None) == 6.0
    assert alone(3.0, None, namespace["relu"]) == -6.0
    assert lent == ("relu",)


def test_choice():
    """Every letter gets its reason; nothing, or something else, is asked for again."""
    question = Choice("why", "B", {"A": "No, since ...", "B": "Yes, since ..."})
    assert question.reply("b").right is True
    assert question.reply("A").text == "No, since ..."
    assert question.reply("A").right is False
    assert question.reply(None).right is None
    assert "letters A, B, got 'C'" in question.reply("C").text


def test_numbers():
    """Numbers are compared within a tolerance; known wrong answers get their reason."""
    question = Numbers("row", lambda: [0.25, 0.75], 1e-3, "Right, since ...", (([0.5, 0.5], "Not the mean."),))
    assert question.reply([0.2501, 0.7499]).right is True
    assert question.reply([0.5, 0.5]).text == "Not the mean."
    assert question.reply([0.25, 0.7]).text == "1 of 2 numbers are not right yet."
    assert "array of shape (2,)" in question.reply(None).text
    assert "array of shape (2,)" in question.reply([1, 2, 3]).text
    assert question.reply("many").right is None


def test_predict_looks_questions_up():
    """An unknown question is told with near names."""
    with pytest.raises(LookupError, match="There is no question named"):
        predict("no-such-question", "A")
