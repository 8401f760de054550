"""The page a learner gets back: helpful for every kind of verdict, harmless whatever a learner wrote, easy to read."""

import base64
import hashlib
import json
import random
import re
import shutil
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from autograder.evaluation.evaluate import ClaimResult, Verdict
from autograder.feedback.make_report import make_report
from autograder.grading.intake.read.decoding import ASK
from autograder.grading.pages.page import STYLE, page
from autograder.grading.verdicts.record import STATUSES, Record, claims_of
from autograder.registry import find, units
from tests.support import frozen_course, needs
from tests.support.given_back import SECRET, record, submission, words

pytestmark = pytest.mark.usefixtures("frozen_course")
UNIT = frozen_course.SECOND
VOID = {"meta", "wbr", "br"}


def empty(exercise, status, points=0, **fields):
    """Return a record of an exercise that was not judged."""
    return Record(SECRET, "ann", UNIT.id, exercise.name, points, exercise.points, status, **fields)


def right(unit=UNIT):
    """Return records of right functions by the name of the exercise."""
    return {exercise.name: record(exercise, exercise.reference) for exercise in unit.exercises}


def mistaken(name, mistake):
    """Return the function of a known mistake."""
    return next(known.function for known in find(name).mistakes if known.id == mistake)


def stub(*args, **kwargs):
    raise NotImplementedError


def with_one(record, **fields):
    """Return the page of a submission that is right but for one exercise."""
    return page(submission(**fields), (right() | {record.exercise: record}).values())


class Outline(HTMLParser):
    """Reads a page strictly: every tag is closed, in its order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.declarations = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_decl(self, decl):
        self.declarations.append(decl)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, *names):
        return [(tag, attributes) for tag, attributes, _ in self.tags if tag in names]


def mixed(**fields):
    """Return a page with verdicts of many kinds."""
    softmax, scores, attention, jacobian, backward, gradients, *_ = UNIT.exercises
    records = [
        record(softmax, mistaken("softmax", "no-maximum-subtracted")),
        record(scores, scores.reference),
        record(attention, lambda Q, K, V: (Q @ K.T @ V, Q @ K.T), "exception", substituted=["softmax"]),
        record(jacobian, lambda s, C=1.0: {}["<b>"], "exception"),
        record(backward, stub),
        empty(gradients, "internal error", None, note=f"Traceback {SECRET}"),
    ]
    return page(submission(repairs=("The check cell of `softmax` was missing.",), **fields), records)


HELP = {
    "correct": "passed",
    "wrong": "What came back",
    "diagnosed": "your function exponentiates the numbers as they are. exp(1000) is larger than any float64",
    "exception": "in which line if that is known",
    "timeout": "Look for a loop that never ends",
    "memory": "asked for more memory than there is",
    "disk": "larger ones, than the folder may hold",
    "killed": "Calls that end Python, such as exit(), do that",
    "not defined": "there was no function named softmax",
    "not written": "write your code in place of raise NotImplementedError",
    "unreadable": "not graded",
    "internal error": "This is not your fault, your instructor has been told, and no points are lost",
}


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_words_that_help(status):
    softmax = UNIT.exercises[0]
    functions = {
        "correct": softmax.reference,
        "not written": stub,
        "diagnosed": mistaken("softmax", "no-maximum-subtracted"),
    }
    if status in ("unreadable", "internal error"):
        given = empty(softmax, status, None if status == "internal error" else 0, note=SECRET)
    else:
        given = record(softmax, functions.get(status, lambda x, axis=-1: x + 1), status)
    shown = words(with_one(given))
    assert HELP[status] in shown
    assert ("softmax (" in shown) == (status not in ("correct", "unreadable", "internal error"))  # among the next steps


def test_the_headline_says_why_no_function_is_there():
    softmax = UNIT.exercises[0]
    told = {"word": "not valid Python", "help": "Python cannot read line 11.", "step": "correct line 11."}
    one = submission(absent={"softmax": told})
    note = "the notebook does not define the function softmax (SyntaxError: '(' was never closed)"
    shown = words(page(one, [record(softmax, lambda x: x, "not defined", points=0, claims=[], cause=None, note=note)]))
    assert f"softmax 0 of {softmax.points:g} not valid Python" in shown
    assert "points, not valid Python Python cannot read line 11." in shown
    assert f"softmax ({softmax.points:g} points to gain): correct line 11." in shown
    assert "it has another name now" not in shown


def test_the_page_says_what_the_notebook_says():
    """Every line of the report in the notebook stands on the page."""
    for exercise in UNIT.exercises[:4]:
        given = record(exercise, exercise.mistakes[-1].function, substituted=["softmax"])
        shown = words(with_one(given))
        report = make_report(given.verdict, given.substituted)
        details = (detail for claim in report.claims for detail in claim.details)
        texts = [f"{claim.mark} {claim.name} ({claim.points})" for claim in report.claims]
        texts += [f"{line.label} {line.text}" for line in (*details, *report.notes, *report.details)]
        texts += [f"{report.finding.title} {report.finding.text} See “{report.finding.sections[0]}”", report.tally]
        texts += [report.example.call] if report.example else []
        for text in texts:
            assert re.sub(r"\s+", " ", text.replace("`", "")) in shown


def test_a_report_keeps_the_order_of_the_notebook():
    """The cause, the example, the claims, and folded below them the details."""
    text = with_one(record(UNIT.exercises[0], mistaken("softmax", "maximum-of-everything")))
    article = text[text.index('<article aria-labelledby="softmax"') :]
    parts = ["<meter", "Cause: your function", "softmax(x=np.array([[", "≠ nan", "FAIL", "<details>", "Came back"]
    places = [article.index(part) for part in parts]
    assert places == sorted(places)


def test_an_example_is_shown_once():
    shown = words(with_one(record(UNIT.exercises[0], lambda x, axis=-1: 0 * x)))
    assert shown.count("A small call: softmax(x=np.array([") == 1


def test_points_and_what_is_not_decided():
    """Points are summed; an internal error and an exercise without a record are open, not 0."""
    softmax, scores = UNIT.exercises[:2]
    shown = words(mixed())
    earned = softmax.points - 0.5 + scores.points
    assert f"{earned:g} of {UNIT.points} points so far; not decided yet: attention_backward" in shown
    assert "attention_backward up to 3 not decided yet" in shown
    records = list(right().values())[:-1]
    last = UNIT.exercises[-1]
    shown = words(page(submission(), records))
    assert f"{UNIT.points - last.points} of {UNIT.points} points so far; not decided yet: {last.name}" in shown
    assert f"{last.name} up to {last.points} not graded yet" in shown
    assert "19 of 19 points Student ann Handed in 21 November 2026, 14:05 UTC+01:00" in words(
        page(submission(), right().values())
    )


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [("", False), ("2026-11-21T14:05:00Z", "21 November 2026, 14:05 UTC"), ("last <week>", "last <week>")],
)
def test_when_it_was_handed_in(timestamp, expected):
    shown = words(page(submission(timestamp=timestamp), right().values()))
    assert ("Handed in" in shown) == bool(expected)
    assert not expected or expected in shown


def test_an_unreadable_file_is_explained_once():
    """One explanation for the whole file, no list of exercises that say nothing."""
    records = [empty(exercise, "unreadable", note="no JSON") for exercise in UNIT.exercises]
    text = page(submission(unreadable=f"The file is not a notebook: it begins with <svg>. {ASK}"), records)
    assert ASK not in text
    assert "Hand in the .ipynb file that Jupyter saves." in text  # not what the instructor reads
    shown = words(text)
    assert shown.count("it begins with <svg>") == 1
    assert "0 of 19 points" in shown
    assert "hand it in again, under your own name" in shown
    assert "Exercise by exercise" not in shown
    assert "<svg>" not in text


def test_repairs_are_listed_in_plain_words():
    shown = words(mixed())
    assert "costs nothing" in shown
    assert "The check cell of softmax was missing." in shown
    assert "What was repaired" not in words(page(submission(), right().values()))


def test_a_note_on_other_names_is_one_sentence():
    shown = words(page(submission(notes=("Somebody else handed in <b>this</b>.",)), right().values()))
    assert "Whose work is whose Somebody else handed in <b>this</b>." in shown
    assert "repaired" not in shown
    assert "Whose work is whose" not in words(mixed())


def test_a_missing_function_gets_the_reason_only():
    """Nothing was called, so there is no list of failing claims, and no example."""
    note = "SyntaxError: '(' was never closed (line 3)" + "!" * 999
    given = record(UNIT.exercises[0], lambda x, axis=-1: x, "not defined", note=note)
    text = with_one(given)
    assert "Reason SyntaxError: '(' was never closed (line 3)!!!" in words(text)
    assert "FAIL" not in words(text)
    assert "!" * 300 not in text


def steps(text):
    return words(text).split("What to do next ")[-1].split(" Every submission")[0]


def test_next_steps_are_few_and_name_the_section():
    softmax, scores, attention, jacobian, backward = UNIT.exercises[:5]
    shown = steps(mixed())
    assert shown.startswith(
        "softmax (0.5 points to gain): read the section “Large numbers” again, change your function"
    )
    assert f"scaled_dot_product_attention ({attention.points} points to gain): run its check cell" in shown
    third = f"After that, softmax_jacobian ({jacobian.points} points to gain). softmax_backward"
    assert third in shown  # none is left out
    assert shown.endswith(f"softmax_backward ({backward.points} points to gain): write what is still open.")
    assert shown.count("softmax_jacobian") == 1  # the fourth of them
    wrong = [record(exercise, lambda *args, **kwargs: 0) for exercise in (softmax, scores, attention, jacobian)]
    last = f"After that, softmax_jacobian ({jacobian.points} points to gain)."
    assert steps(page(submission(), wrong)).endswith(last)
    assert steps(page(submission(), wrong)).count("to gain): ") == 3
    unwritten = [record(exercise, stub) for exercise in UNIT.exercises]
    assert steps(page(submission(), unwritten)).count("to gain)") == 1
    assert f"({UNIT.points} points to gain): write what is still open." in steps(page(submission(), unwritten))


def test_nothing_left_to_do():
    """After full points the next unit is named; what is not decided is no task of the learner."""
    assert steps(page(submission(), right().values())) == "Nothing is left to do here. The next unit is “Masks”."
    last = units()[-1]
    assert steps(page(submission(last), right(last).values())) == "You are done."
    undecided = right() | {"softmax": empty(UNIT.exercises[0], "internal error", None)}
    assert steps(page(submission(), undecided.values())).startswith("Nothing for now")


NASTY = "</dd><script>alert(1)</script><a href='javascript:alert(2)' onclick=x>&amp;\"`<b>`"


def nasty(x, axis=-1):
    print(NASTY)
    raise type(NASTY, (ValueError,), {})(NASTY)


def nasty_words(x, axis=-1):
    print(NASTY)
    return NASTY


def test_what_a_learner_wrote_is_only_text():
    """No tag, attribute or link of a learner's making is in the page, wherever a learner's words may stand."""
    softmax = UNIT.exercises[0]
    harmless = Outline(with_one(record(softmax, lambda x, axis=-1: 1 / 0)))
    for function in (nasty, nasty_words):
        given = record(softmax, function, student=NASTY, remarks=[NASTY], substituted=[NASTY], note=NASTY)
        others = [record(e, e.reference, student=NASTY) for e in UNIT.exercises[1:]]
        text = page(submission(student=NASTY, repairs=(NASTY,), timestamp=NASTY), [given, *others])
        outline = Outline(text)
        assert {tag for tag, *_ in outline.tags} <= {tag for tag, *_ in harmless.tags} | {"ul", "li"}
        attributes = {name for _, attributes, _ in outline.tags for name in attributes}
        assert attributes <= {name for _, attributes, _ in harmless.tags for name in attributes}
        assert all(a["href"].startswith("#") for _, a in outline.all("a"))
        assert "<script" not in text
        assert "<script>alert(1)</script>" in words(text).replace(" <", "<")
    broken = page(submission(student=NASTY, unreadable=NASTY), [])
    assert {tag for tag, *_ in Outline(broken).tags} <= {tag for tag, *_ in harmless.tags}


def test_odd_characters_are_replaced():
    """Halves of characters, control characters and marks that turn the direction of text are replaced."""

    def softmax(x, axis=-1):
        raise ValueError("\ud800 \u202e \x00 \x1b[31m ü 数")

    text = with_one(record(UNIT.exercises[0], softmax))
    assert "\N{REPLACEMENT CHARACTER}[31m ü 数" in text.encode("utf-8").decode("utf-8")
    assert not re.search(r"[\0\x1b\u202e\ud800-\udfff]", text)


def test_the_page_shows_nothing_of_others():
    """Not where the file lay, not the code, not the internal error, not the machine; and no other student's record."""
    assert SECRET not in mixed()
    for status in STATUSES:
        given = empty(UNIT.exercises[0], status, remarks=[], note="" if status == "not defined" else SECRET)
        assert SECRET not in with_one(given)
    other = record(UNIT.exercises[0], UNIT.exercises[0].reference, student="bob")
    with pytest.raises(ValueError, match="on the page of ann"):
        page(submission(), [other])
    with pytest.raises(ValueError, match="on the page of ann"):
        page(submission(frozen_course.THIRD), right().values())


def test_the_same_arguments_give_the_same_page():
    records = list(right().values())
    first = page(submission(), records)
    random.Random(3).shuffle(records)
    assert page(submission(), iter(records)) == first
    assert mixed() == mixed()


def test_the_policy_allows_only_the_pages_style():
    text = mixed()
    outline = Outline(text)
    policies = [a["content"] for _, a in outline.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policies[0].split(";"))
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    nothing = dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'")
    assert rules == nothing | {"style-src": f"'sha256-{digest}'"}
    assert text.index("Content-Security-Policy") < text.index("<style>")
    assert outline.all("script", "link", "img", "iframe", "form", "svg", "object") == []
    assert not any(name == "style" or name.startswith("on") for _, given, _ in outline.tags for name in given)
    assert "url(" not in style
    assert "@import" not in style


def unreadable_page():
    return page(submission(unreadable="no"), [empty(exercise, "unreadable") for exercise in UNIT.exercises])


@pytest.mark.parametrize("made", [mixed, lambda: page(submission(), right().values()), unreadable_page])
def test_a_screen_reader_finds_its_way(made):
    """One title, headings without gaps, landmarks with names, a table with headers, links that lead somewhere."""
    outline = Outline(made())
    assert outline.declarations == ["DOCTYPE html"]
    assert outline.all("html")[0][1] == {"lang": "en"}
    levels = [int(tag[1]) for tag, _ in outline.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for landmark in ("header", "main", "footer", "title"):
        assert len(outline.all(landmark)) == 1
    ids = [given["id"] for _, given, _ in outline.tags if "id" in given]
    assert len(set(ids)) == len(ids)
    assert {a["aria-labelledby"] for _, a in outline.all("section", "article")} <= set(ids)
    assert {a["href"].removeprefix("#") for _, a in outline.all("a")} <= set(ids)
    assert all(a.get("scope") in ("row", "col", "rowgroup") for _, a in outline.all("th"))
    assert {parents[-1] for tag, _, parents in outline.tags if tag in ("dt", "dd")} == {"div"}
    assert {parents[-1] for tag, _, parents in outline.tags if tag == "li"} <= {"ul", "ol"}


def test_no_verdict_is_shown_by_colour_alone():
    """Whatever gets a colour of its own says in words what it means."""
    softmax = UNIT.exercises[0]
    text = with_one(record(softmax, mistaken("softmax", "always-last-axis")))
    coloured = re.findall(r'class="word">(.*?)<', text)
    assert set(coloured) == {"PASS", "FAIL", "passed", "not yet right, cause named"}
    assert set(re.findall(r'class="differs"[^>]*>(.)', text)) == {"≠"}


def luminance(colour):
    """Return the relative luminance of a colour such as #1f2328 (WCAG 2)."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_in_light_and_dark():
    """Every colour of text on every ground has at least 4.5, in both schemes."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    schemes = STYLE.split("(prefers-color-scheme: dark)")
    light, dark = (dict(re.findall(r"--(\w+): (#\w{6});", scheme)) for scheme in schemes)
    assert light.keys() == dark.keys()
    assert light["paper"] != dark["paper"]
    grounds = ("paper", "card")
    for colours in (light, dark):
        texts = colours.keys() - {*grounds, "line"}
        pairs = {(text, ground): contrast(colours[text], colours[ground]) for text in texts for ground in grounds}
        assert min(pairs.values()) >= 4.5, pairs
    used = set(re.findall(r"(?<!-)color: var\(--(\w+)\)", STYLE))
    assert used <= {*light, "tone"}
    assert set(re.findall(r"--tone: var\(--(\w+)\)", STYLE)) <= light.keys()
    assert set(re.findall(r"background: var\(--(\w+)\)", STYLE)) == set(grounds)


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [320, 390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_nothing_is_blocked_or_wide(width, scheme, tmp_path):
    """The style is applied, in both schemes, and words without end are wrapped on the smallest phone."""
    browser = pytest.importorskip("playwright.sync_api", reason=needs.BROWSER)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip(needs.BROWSER)

    def softmax(x, axis=-1):
        raise ValueError("long" * 90)

    text = with_one(record(UNIT.exercises[0], softmax), repairs=("wide" * 90,), timestamp="late" * 60)
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    messages = []
    with browser.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = opened.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        tab.on("console", lambda message: messages.append(message.text))
        tab.goto((tmp_path / "page.html").as_uri())
        shown = tab.evaluate("[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]")
        opened.close()
    assert messages == []
    assert shown == [width, {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]]


def test_no_returned_text_makes_a_record_long():
    exercise = UNIT.exercises[0]
    long = "x" * 1_000_000
    results = [ClaimResult(claim, "failed", long, long, long) for claim in exercise.claims]
    assert len(json.dumps(claims_of(Verdict(exercise, "open", tuple(results))))) < 10_000 * len(results)
