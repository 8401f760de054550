"""The words and the order of a report, for mistakes of different kinds."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest

from autograder import check
from autograder.evaluation.cause import Cause
from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.trials import Call, Failed
from autograder.execution.call import run
from autograder.execution.outcome import Outcome
from autograder.feedback import finding
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line
from autograder.feedback.shortened import MAX_SHOWN
from autograder.feedback.text import as_text
from autograder.feedback.words import beginning
from autograder.learner.local import evaluate_locally
from autograder.registry import find
from autograder.specification import Claim, Exercise, Mistake, Output
from tests.support.claimed import claim_of
from tools.words import words_of
from transformer_kit import reference


def double(x):
    return 2.0 * x


def verdict_on(function, *claims):
    """Return the verdict on a function in an exercise that asks for the double, with two known mistakes."""
    mistakes = (
        Mistake("triples", "It triples", lambda x: 3.0 * x, "Two is asked for.", "Twice"),
        Mistake("signless", "It forgets the sign", lambda x: 2.0 * np.abs(x), "Signs count.", "Signs"),
    )
    own = (
        Claim("positive numbers", 1, lambda call, rng: call.agrees(np.array([1.0, 4.0]))),
        Claim("negative numbers", 1, lambda call, rng: call.agrees(np.array([-1.0, 4.0]))),
    )
    exercise = Exercise(double, "double x.", (Output("y"),), "Doubling", (*own, *claims), mistakes)
    return evaluate(exercise, lambda args, kwargs, measure_memory=False: run(function, args, kwargs))


def report(function, *claims):
    """Return the report on a function as plain text."""
    return as_text(make_report(verdict_on(function, *claims)))


def causing(function, kind, *numbers):
    """Return the verdict on a function, with some of the known mistakes as its cause."""
    verdict = verdict_on(function)
    mistakes = tuple(verdict.exercise.mistakes[number] for number in numbers)
    return replace(verdict, cause=Cause(mistakes, kind, ("",) * len(mistakes)))


def test_text_and_html_have_the_same_order():
    """Points, cause, example, claims, notes, and the details at the end."""
    tree = make_report(verdict_on(lambda x: 2.0 * np.abs(x)), ["softmax"], [Line("Kept", "in `a.py`.")])
    assert [(claim.mark, len(claim.details)) for claim in tree.claims] == [("PASS", 0), ("FAIL", 2)]
    assert [line.label for line in tree.details] == ["Asked", "Note"]
    parts = ["1 of 2 points", "Cause: it forgets the sign.", "Signs count.", "Signs", "double(x=np.array([-1.0, 4.0]))"]
    parts += ["≠ 2", "-2", "1 of 2 checks passed", "PASS", "FAIL", "same cause", "in a.py.", "Details", "double x."]
    parts += ["the course's own softmax", "Called", "Came back"]
    for shown in (as_text(tree).replace("`", ""), html.unescape(re.sub(r"<[^>]+>", "", as_html(tree)))):
        places = [shown.index(part) for part in parts[:1]]
        for part in parts[1:]:
            places.append(shown.index(part, places[-1]))


@pytest.mark.parametrize(
    ("kind", "numbers", "title", "remark"),
    [
        ("certain", [0], "Cause: it triples.", "same cause"),
        ("likely", [1], "Most likely cause: it forgets the sign.", "same cause"),
        ("two", [0, 1], "Two things at once: it triples, and it forgets the sign.", "one of these causes"),
    ],
)
def test_how_sure_a_cause_is(kind, numbers, title, remark):
    """The cause is said once, with its reason and its section; every failing claim points to it."""
    tree = make_report(causing(lambda x: 3.0 * np.abs(x), kind, *numbers))
    assert tree.finding.title == title
    assert tree.finding.sections == tuple(("Twice", "Signs")[number] for number in numbers)
    assert as_text(tree).count(title) == 1
    assert [claim.remark for claim in tree.claims] == [remark] * 2


def test_an_unrelated_failure_does_not_blame_the_cause():
    """A Jacobian for any leading axes is built along the wrong axis: the axis explains no lack of memory."""

    def softmax_backward(p, d_p, axis=-1):
        jacobian = p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
        return np.einsum("...ij,...j->...i", jacobian, d_p)

    verdict, _ = evaluate_locally(find("softmax_backward"), softmax_backward)
    assert (verdict.cause.kind, verdict.mistake.id) == ("likely", "always-last-axis")
    remarks = {claim.name: claim.remark for claim in make_report(verdict).claims if claim.passed is False}
    assert remarks == {
        claim_of("softmax_backward", "any_axes").name: "same cause",
        claim_of("softmax_backward", "memory").name: "perhaps another cause",
    }


def test_a_certain_cause_needs_no_pattern():
    """What the numbers look like beside it may be a coincidence."""

    def softmax_jacobian(s, C=1.0):
        return -C * reference.softmax_jacobian(s, C)

    verdict, _ = evaluate_locally(find("softmax_jacobian"), softmax_jacobian)
    cause = Cause(verdict.exercise.mistakes[:1])
    verdict = replace(verdict, cause=cause)
    assert "Pattern" not in as_text(make_report(verdict))
    assert "Pattern" in as_text(make_report(replace(verdict, cause=None)))


@pytest.mark.parametrize(
    ("name", "sections", "there"),
    [("masked_attention", (), " See notebook 02, “{}”."), ("scaled_dot_product_attention", ("{}",), "")],
)
def test_a_mistake_of_an_inlined_function_is_told(name, sections, there):
    """And a section of another notebook is no link."""
    mistake = find("softmax").mistakes[0]
    cause = Cause((mistake,), "likely", ("softmax",))
    found = finding.of_cause(cause, find(name))
    clause = f"{mistake.name[0].lower()}{mistake.name[1:]}"
    assert found.title == f"Most likely cause: where your function does the work of `softmax`, {clause}."
    assert f"Most likely cause: {finding.sentences(cause)}".replace("Where your", "where your") == found.title
    assert found.text == mistake.why + there.format(mistake.where)
    assert found.sections == tuple(section.format(mistake.where) for section in sections)


def test_what_came_back_is_of_a_failed_claim():
    """One that could not be judged says nothing by itself."""
    alone = Claim("leaves x alone", 1, lambda call, rng: call.leaves_inputs_alone(np.ones(2)), side=True)
    verdict = verdict_on(lambda x: x + None, alone)
    not_judged = replace(verdict.results[2], message="not this")
    verdict = replace(verdict, results=(not_judged, *verdict.results[:2]))
    assert "TypeError" in make_report(verdict).finding.text


def test_an_unstable_function_is_told_only_that():
    verdict = replace(verdict_on(lambda x: 3.0 * x), is_unstable=True, cause=None, example=None)
    tree = make_report(verdict)
    assert tree.finding.title.startswith("The results change from call to call")
    assert "random numbers of its own" in tree.finding.text
    assert tree.finding.sections == ()
    assert "Pattern" not in as_text(tree)


TRUTHS = Exercise(lambda n: np.tri(n, dtype=bool), "a triangle.", (Output("mask"),), "Triangles")
BY_ROW = np.array([[2.0, 3.0, 5.0], [7.0, 1.0, 4.0]])


def findings(exercise, function, *args):
    """Return what came back of calls of which each is made by a claim of its own."""
    tests = [lambda call, rng, arg=arg: call.agrees(arg) for arg in args]
    claims = [Claim(f"call {number}", 1, test) for number, test in enumerate(tests)]
    exercise = replace(exercise, claims=claims)
    verdict = evaluate(exercise, lambda args, kwargs, measure_memory=False: run(function, args, kwargs))
    return make_report(verdict).finding.text


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n: np.tri(n), "The result is right, with 1 for True"),
        (lambda n: np.tri(3), "In that call, the result is right, with 1 for True"),
        (lambda n: np.tri(n, dtype=bool).T, "The numbers are right, but the two axes are exchanged"),
        (lambda n: np.tri(n, dtype=bool).T if n == 3 else None, "In that call, the numbers are right, but the two"),
        (lambda n: np.tri(n, dtype=bool)[None], "The numbers are right; only an axis"),
        (lambda n: np.tri(3, dtype=bool)[None], "In that call, the numbers are right; only an axis"),
        (lambda n: np.tri(n, dtype=bool).tolist(), "The numbers are right, but in a list"),
        (lambda n: np.tri(3, dtype=bool).tolist(), "In that call, the numbers are right, but in a list"),
    ],
)
def test_rightness_is_told_of_all_calls_or_one(function, words):
    """What holds for one call need not hold for the next: there a mask of the same size comes back."""
    assert f". {words}" in findings(TRUTHS, function, 3, 5)


def test_a_pattern_that_several_claims_show_is_told():
    """The first call is too small to show that each row has a factor of its own; the others do."""
    exercise = replace(TRUTHS, reference=lambda x: 2.0 * x, returns=(Output("y"),))

    def by_row(x):
        return x * (np.arange(3.0, 3.0 + len(x))[:, None])

    text = findings(exercise, by_row, np.ones((2, 2)), BY_ROW, BY_ROW + 1)
    assert "In each row all entries are off by one factor" in text
    assert "expected 4" in text  # of the call that shows it
    assert "In each row" not in findings(exercise, by_row, np.ones((2, 2)), BY_ROW)


def test_a_place_is_told_of_one_call():
    """Another call goes wrong elsewhere."""
    exercise = replace(TRUTHS, reference=lambda x: 2.0 * x, returns=(Output("y"),))

    def function(x):
        wrong = np.arange(len(x))[:, None] == 3 if len(x) == 5 else np.arange(x.shape[1]) == 2
        return np.where(wrong, 9.5, 2.0 * x)

    five, six = np.arange(35.0).reshape(5, 7), np.arange(1.0, 43.0).reshape(6, 7)
    assert "In that call, your result is wrong only in row 3" in findings(exercise, function, five, six)
    assert ". Your result is wrong only in row 3" in findings(exercise, function, five, five + 1)


def test_an_unjudged_claim_is_no_failure():
    """It earns nothing so far, and says why."""
    alone = Claim("leaves x alone", 1, lambda call, rng: call.leaves_inputs_alone(np.ones(2)), side=True)
    tree = make_report(verdict_on(lambda x: x + None, alone))
    assert [claim.mark for claim in tree.claims] == ["FAIL", "FAIL", "NOT YET"]
    assert tree.tally == "0 of 3 checks passed, 1 not judged yet"
    assert "NOT YET leaves x alone (0/1): needs right numbers first" in as_text(tree)


def test_without_a_cause_the_line_is_named():
    """A line that goes wrong takes the place of the cause; beside a cause it is a detail."""
    where = Line("Where", "line 2 is right; line 3 is the first that is new.")
    verdict = verdict_on(lambda x: 2.0 * x + 1.0)
    assert make_report(verdict).finding.title == "What came back:"
    assert "got 3, expected 2" in make_report(verdict).finding.text
    located = make_report(verdict, notes=[where, Line("Kept", "no.")])
    assert (located.finding.title, located.finding.text, located.finding.sections) == (
        "Where:",
        where.text,
        ("Doubling",),
    )
    assert [note.label for note in located.notes] == ["Kept"]
    named = make_report(verdict_on(lambda x: 3.0 * x), notes=[where])
    assert where in named.details
    assert named.notes == ()


def test_only_the_notebook_links_to_the_section():
    tree = make_report(causing(lambda x: 3.0 * x, "certain", 0))
    tree = replace(tree, finding=replace(tree.finding, sections=("Why the root of d_k",)))
    link = '<a href="#Why-the-root-of-d_k" style="text-decoration:underline">Why the root of d_k</a>'
    assert link in as_html(tree, linked=True)
    assert "<a " not in as_html(tree)
    assert "“Why the root of d_k”" in as_html(tree)


def test_an_example_is_an_accessible_table():
    """A screen reader hears whose numbers these are, and which are wrong; a colour alone says nothing."""
    page = as_html(make_report(verdict_on(lambda x: 2.0 * np.abs(x))))
    assert page.count("<table") == 1
    assert re.findall(r'<th scope="rowgroup"[^>]*>(\w+)', page) == ["yours", "expected"]
    cells = re.findall(r"<td style=\"([^\"]*)\">(.*?)</td>", page)
    assert [("background-color:rgba" in style) for style, _ in cells] == ["≠" in cell for _, cell in cells]
    assert [re.sub(r"<[^>]+>", "", cell) for _, cell in cells] == ["≠ 2", "8", "-2", "8"]
    raised = as_html(make_report(verdict_on(lambda x: x + None)))
    assert re.search(r'<th scope="row"[^>]*>yours</th><td colspan="2".*?≠ raises <code>TypeError', raised)


def test_a_passed_report_is_two_lines_long():
    """Whatever else there is to say is folded."""
    tree = make_report(verdict_on(double))
    assert as_text(tree).split("\n  Details")[0].splitlines() == [
        "double: 2 of 2 points, visible checks passed ■■■■■■■■■■",
        "  All 2 visible checks passed",
    ]
    kept = make_report(verdict_on(double), notes=[Line("Kept", "in a.py.")])
    assert as_text(kept).split("\n  Details")[0].splitlines()[1:] == ["  Kept: in a.py."]


def test_the_same_message_is_not_shown_twice():
    """An error that stops every call is written out once below the finding."""
    text = report(lambda x: x + None)
    assert text.split("\n  Details")[1].count("the call raised TypeError") == 1
    assert "Came back: the same as above." in text


def test_long_texts_are_cut_and_whole_below():
    """Reasons, hints and messages; the list of claims is folded when there is no room for it."""
    hint = Line("Hint 1 of 3", "Look at it. " + "Think of the many words. " * 30)
    verdict = causing(lambda x: 3.0 * x, "certain", 0)
    long = replace(verdict.cause.mistakes[0], why="Two is asked for. " + "There are more reasons. " * 20)
    tree = make_report(replace(verdict, cause=Cause((long,))), notes=[hint])
    assert tree.finding.text == "Two is asked for."
    assert tree.notes == (Line(hint.label, "Look at it."),)
    assert hint in tree.details
    assert tree.lists_claims
    wordy = [Claim("so many words " * 20 + name, 1, lambda call, rng: call.agrees(np.ones(1))) for name in "ab"]
    tree = make_report(verdict_on(lambda x: 3.0 * x, *wordy))
    assert not tree.lists_claims
    assert len(words_of(as_html(tree))[1]) < 60
    assert as_text(tree).index("FAIL") > as_text(tree).index("\n  Details")
    endless = make_report(verdict_on(lambda x: exec("raise ValueError('`' + 'long ' * 500)")))
    assert len(words_of(as_html(endless))[1]) <= MAX_SHOWN


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Two.", "Three.", "(1) Two. (2) Three."),
        ("Two. " + "Again and again. " * 20, "Three. Four.", "(1) Two. (2) Three."),
        ("Two. " + "Again and again. " * 20, "Many words " * 40 + "end.", "Two."),
        ("Many words " * 40 + "end.", "Three.", ""),
    ],
)
def test_two_reasons_are_told_or_one_unnumbered(one, other, told):
    verdict = causing(lambda x: 3.0 * np.abs(x), "two", 0, 1)
    mistakes = [replace(m, why=why.strip()) for m, why in zip(verdict.cause.mistakes, (one, other), strict=True)]
    tree = make_report(replace(verdict, cause=replace(verdict.cause, mistakes=tuple(mistakes))))
    assert tree.finding.text == told
    assert tree.lists_claims
    assert told.startswith("(1)") or tree.details[0].text.startswith("(1)")
    assert len(words_of(as_html(tree))[1]) <= MAX_SHOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b c. D e f.", "a b c. D e f."),
        ("a b c. D e f g.", "a b c."),
        ("a b c d e f g h", "a b c d e ..."),
        ("these are so many, many words of which some are cut", "these are so many, many ..."),
        ("there are too many words, and some are cut off here", "there are too many words ..."),
    ],
)
def test_beginnings(text, expected):
    """A whole text, its first sentence, or a part of that, up to a comma where there is one."""
    assert beginning(text, 6) == expected
    assert beginning(text, 2) == ""


def test_a_beginning_ends_no_code_in_the_middle():
    assert beginning("a `b c d e f` g", 6) == "a `b c d e` ..."


def test_a_quiet_claim_counts_floating_point_warnings_only():
    """A RuntimeWarning fails a claim that must pass quietly; a warning of the learner's own does not."""
    noisy = Claim("quietly", 1, lambda call, rng: call.agrees_quietly(np.array([0.0, 2.0])))
    assert "NumPy warned on the way: RuntimeWarning" in report(lambda x: (np.log(x), 2.0 * x)[1], noisy)
    assert "visible checks passed" in report(
        lambda x: (__import__("warnings").warn("mine", stacklevel=1), 2.0 * x)[1], noisy
    )


def test_another_precision_costs_nothing_and_is_not_mentioned():
    """Under NumPy 2 the plainest pattern, `/ np.sqrt(d_k)`, gives float64 for float32."""
    halves = Claim("float32", 1, lambda call, rng: call.agrees(np.array([0.5, 1.5], dtype=np.float32)))
    for function in (lambda x: np.float64(2) * x, lambda x: x / np.sqrt(0.25), double):
        text = report(function, halves)
        assert "visible checks passed" in text
        assert "float64" not in text


def view_call(allowed):
    """Make a call whose function returns its argument."""
    exercise = Exercise(double, "", (Output("y"),), "", may_be_view=allowed)
    return Call(exercise, lambda args, kwargs: Outcome("returned", args[0], shares=("x",)))


def test_views_are_refused_unless_allowed():
    """A result that shares memory with an argument fails the claim, but for a pure rearrangement."""
    view_call(allowed=True).leaves_inputs_alone(np.ones(2))
    with pytest.raises(Failed, match="share memory"):
        view_call(allowed=False).leaves_inputs_alone(np.ones(2))


def test_a_report_on_a_stub_has_two_lines():
    """Nothing but the task and what to do next."""

    def softmax(x, axis=-1):
        raise NotImplementedError

    assert [line.split(":")[0].strip() for line in check(softmax).report.splitlines()] == ["softmax", "Asked", "Next"]


def test_no_second_reason_begins_with_a_pronoun():
    """Above it stand two names, so that "they" would not say who."""
    verdict = causing(lambda x: 3.0 * np.abs(x), "two", 0, 1)
    one, other = verdict.cause.mistakes
    mistakes = replace(one, why="They stay."), replace(other, why="Two stay.")
    tree = make_report(replace(verdict, cause=replace(verdict.cause, mistakes=mistakes)))
    assert tree.finding.text == "(1) It triples: they stay. (2) Two stay."
