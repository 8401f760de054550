"""The class report: one page that loads nothing and runs nothing, and tables that a spreadsheet can open."""

import base64
import csv
import hashlib
import inspect
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from autograder.grading.pages import charts, class_page, class_report, slides, tables
from autograder.grading.pages.review import ReviewFlag
from autograder.grading.pages.tables import as_csv
from autograder.registry import units
from tests.support.class_records import record, submission, synthetic_class
from tests.support.processor_time import within
from tools.course import ROOT, solved

FILES = ("grades.csv", *(f"report/{name}.csv" for name in ("exercises", "mistakes", "review", "similar", "term")))
EVIL = '<script>alert("1")</script>&\u202e\x00\ud800'


def written(folder, records, submissions, **more):
    """Write the report; return the page and the rows of every table, by name of the file."""
    page = class_report.write(folder, records, submissions, units(), **more)
    assert page == folder / "report" / "index.html"
    rows = {name: list(csv.DictReader(open_lines(folder / name))) for name in FILES}
    return page.read_text(encoding="utf-8"), rows


def open_lines(path):
    return path.read_text(encoding="utf-8").splitlines()


class Page(HTMLParser):
    """What a test wants to know of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def text(self):
        return " ".join("".join(self.words).split())


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A class of 13 in which most kinds of trouble occur."""
    records, submissions = synthetic_class(13)
    unit = units()[2]
    records = [r for r in records if (r.student, r.unit) not in {("s004", unit.id), ("s005", unit.id)}]
    submissions = [s for s in submissions if (s.student, s.unit) not in {("s004", unit.id), ("s005", unit.id)}]
    for student in ("s004", EVIL):
        records += [
            record(student, unit, exercise, 0, status="internal error", points=None, claims=[], note=EVIL)
            for exercise in unit.exercises
        ]
        submissions.append(submission(student, unit, repairs=(EVIL, "`softmax` was double."), unreadable=EVIL))
    refused = ReviewFlag("", "", "refused", detail="zz.rar was not opened.")
    page, rows = written(tmp_path_factory.mktemp("class"), records, submissions, students=["zoe"], flags=[refused])
    return page, rows, statistics_of(rows)


def statistics_of(rows):
    return {row["student"]: row for row in rows["grades.csv"]}


def test_the_page_loads_and_runs_nothing(small):
    page = Page(small[0])
    assert {tag for tag, _ in page.tags} & {"script", "iframe", "object", "link", "img", "base", "form"} == set()
    attributes = {name for _, found in page.tags for name in found}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")]
    (style,) = re.findall(r"<style>(.*?)</style>", small[0], flags=re.DOTALL)
    policy = next(meta["content"] for meta in page.all("meta") if "http-equiv" in meta)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_what_others_wrote_is_shown_as_text(small):
    page = Page(small[0])
    assert "<script" not in small[0]
    shown = '<script>alert("1")</script>&���'
    assert page.text.count(shown) >= 4  # the student, the note, the repair, why it is unreadable
    for unseen in "\u202e\x00\ud800":
        assert unseen not in small[0]


def test_links_lead_to_sections_tables_and_pages(small):
    page = Page(small[0])
    targets = {link["href"] for link in page.all("a")}
    inside = {target[1:] for target in targets if target.startswith("#")}
    assert inside == {"next", "review", "points", "exercises", "mistakes", "similar", "how"}
    assert inside <= {attributes.get("id") for _, attributes in page.tags}
    pages = {target for target in targets if "feedback" in target}
    unit = units()[3].id
    assert f"../feedback/s000/{unit}/{unit}.html" in pages
    assert all(re.fullmatch(r"\.\./feedback/[\w%.~-]+/[\w%-]+/[\w%-]+\.html", target) for target in pages)
    assert not any("/zoe/" in target or "feedback//" in target for target in pages)
    assert targets - pages - {f"#{name}" for name in inside} == {
        *("../grades.csv", "exercises.csv", "mistakes.csv", "review.csv", "similar.csv", "slides.md", "term.csv")
    }


def test_the_page_can_be_heard(small):
    page = Page(small[0])
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == 1
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all("scope" in attributes for attributes in page.all("th"))
    svgs = page.all("svg")
    assert len(svgs) == 3
    assert all(svg["aria-hidden"] == "true" for svg in svgs)
    pictures = [attributes for _, attributes in page.tags if attributes.get("role") == "img"]
    assert len(pictures) == 3
    assert all("table below has the numbers" in picture["aria-label"] for picture in pictures)
    ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert ids.most_common(1)[0][1] == 1
    used = re.findall(r'(?:url\(#|href="#|labelledby=")([^)"]+)', small[0])
    assert set(used) <= set(ids)


def luminance(colour):
    """Return the relative luminance of a colour such as "#0d1117" (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("colour", [charts.BAR, charts.SPECIAL])
def test_bars_are_seen_in_light_and_dark(colour):
    papers = re.findall("--paper: (#[0-9a-f]{6});", class_page.STYLE)
    assert len(papers) == 2
    for paper in papers:
        darker, lighter = sorted((luminance(colour), luminance(paper)))
        assert (lighter + 0.05) / (darker + 0.05) > 3


def test_sections_come_in_the_order_of_use(small):
    headings = re.findall(r'<h2 id="(\w+)">([^<]*)', small[0])
    assert [heading for _, heading in headings] == [
        "What to do for the next lesson",
        "Submissions to review",
        "Points",
        "Exercises",
        "Mistakes the class made",
        "Similar submissions",
        "How it was graded",
    ]


def test_the_summary_has_three_sentences(small):
    (summary,) = re.findall(r'<p class="summary">(.*?)</p>', small[0])
    assert re.match(
        r"15 students in 3 units: 39 notebooks handed in, 6 missing\. "
        r"Those who handed in reached \d+ % of the points; the hardest exercise is \w+ \(\d+ %\), "
        r"and the most frequent mistake, made by \d+ of \d+ in \w+, is: “.+”\. "
        r"3 submissions need review, and no groups of submissions are much alike\.$",
        summary,
    )


def test_a_flag_says_why(small):
    page, rows, _ = small
    text = Page(page).text
    assert "internal error in softmax, attention_scores, scaled_dot_product_attention" in text
    assert "the grader failed, which is not the student's fault" in text
    assert "see the text" in text
    assert "zz.rar was not opened." in text
    assert "Unit 02: 2 of 15 did not hand in s005, zoe" in text
    assert [row["reason"] for row in rows["report/review.csv"]] == [
        *["internal error", "unreadable", "repaired"] * 2,
        "refused",
        *["nothing handed in"] * 6,
    ]


def test_how_it_was_graded_is_told(small):
    text = Page(small[0]).text
    assert "Versions: numpy 2.4, python 3.11" in text
    assert "Sandbox: bubblewrap (namespaces, seccomp)" in text
    assert "network: passed" in text
    assert f"{2 * len(units()[2].exercises)} internal error" in text


def test_grades_have_a_line_per_student(small):
    grades = small[2]
    first, second, third = (units()[n].id for n in (2, 3, 7))
    assert list(grades["zoe"]) == [
        *("student", first, second, third, "total", f"max {first}", f"max {second}", f"max {third}", "max total"),
        "status",
    ]
    assert len(grades) == 15
    honest = grades["s000"]
    assert float(honest["total"]) == sum(float(honest[name]) for name in (first, second, third))
    most = sum(units()[n].points for n in (2, 3, 7))
    assert (honest["max total"], honest["status"]) == (f"{most:g}", "graded")
    undecided = grades["s004"]
    assert (undecided[first], undecided["total"], undecided["status"]) == ("", "", f"{first}: needs manual grade")
    assert float(undecided[second]) > 0
    assert (grades["s005"][first], grades["s005"]["status"]) == ("0.0", f"{first}: nothing handed in")
    assert grades["zoe"]["total"] == "0.0"


def test_tables_tell_what_the_page_tells(small):
    page, rows, _ = small
    exercises = rows["report/exercises.csv"]
    means = [float(row["mean percent"]) for row in exercises]
    assert means == sorted(means)
    assert len(exercises) == sum(len(units()[n].exercises) for n in (2, 3, 7))
    first = exercises[0]
    bar = re.search(rf">{first['exercise']} \({first['unit'][:2]}\)</text>", page)
    assert bar
    assert f">{means[0]:.0f} %</text>" in page
    mistakes = rows["report/mistakes.csv"]
    assert [int(row["students"]) for row in mistakes] == sorted(
        (int(row["students"]) for row in mistakes), reverse=True
    )
    assert mistakes[0]["what"].split()[-1] in page
    assert all(row["where to read again"] and int(row["students"]) <= int(row["of"]) for row in mistakes)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-5", "'-5"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'=1"),
        ("\r\n=1", "'=1"),
        ("\uff1d1", "'\uff1d1"),
        ("a;=1", '"a,=1"'),
        ("two\nlines", "two lines"),
        ('say "hi", now', '"say ""hi"", now"'),
        (-0.25, "-0.25"),
        (2 / 3, "0.6667"),
        (7, "7"),
        (None, ""),
        ("x" * 400, "x" * 299 + "…"),
        ("\u202eabc\ud800", "�abc�"),
    ],
)
def test_a_spreadsheet_computes_nothing_that_others_wrote(value, field):
    assert as_csv([[value]]) == (f"{field}\n" if field else '""\n')


def test_no_table_has_a_formula(tmp_path):
    unit = units()[2]
    records = [record("=ann", unit, e, 0, mistake=e.mistakes[0].id) for e in unit.exercises]
    code = ('def softmax(x):\n    a = "-1"\n    return a + "=1;=1"\n',)
    submissions = [submission("=ann", unit, repairs=("@me", "-it"), code=code)]
    written(tmp_path, records, submissions, students=["+ben"], flags=[ReviewFlag("-eva", unit.id, "refused", (), "+x")])
    for name in FILES:
        for row in csv.reader(open_lines(tmp_path / name)):
            for field in row:
                assert not field.startswith(("=", "+", "@", "-")) or re.fullmatch(r"-\d+\.\d+", field)


def test_the_report_does_not_depend_on_record_order(tmp_path):
    records, submissions = synthetic_class(7)
    first = written(tmp_path / "a", records, submissions)
    random.Random(1).shuffle(records)
    random.Random(2).shuffle(submissions)
    assert written(tmp_path / "b", records, submissions) == first
    assert sorted(path.name for path in (tmp_path / "a" / "report").iterdir()) == [
        *("exercises.csv", "index.html", "mistakes.csv", "review.csv", "similar.csv", "slides.md", "term.csv")
    ]


@pytest.mark.parametrize(
    ("students", "held"), [(0, None), (1, 1), (1, 0), (13, 1), (13, 0), (2, None)], ids=lambda value: str(value)
)
def test_classes_of_every_kind_have_a_report(tmp_path, students, held):
    page, rows = written(tmp_path, *synthetic_class(students, held=held))
    assert len(rows["grades.csv"]) == students
    odd = ("nan", "inf", "-inf", "None")
    assert not [value for table in rows.values() for row in table for value in row.values() if value in odd]
    assert not re.search(r">\s*(nan|-?inf|None)\s*<|\bnan %", page)
    assert "nan" not in "".join(re.findall("<svg.*?</svg>", page, flags=re.DOTALL))
    if held == 1:
        assert "Those who handed in reached 100 % of the points; there is nothing to discuss." in page
    if not students:
        assert "0 students in 0 units: 0 notebooks handed in, none missing. No function has been judged yet." in page


def test_copies_are_shown_with_what_they_share(tmp_path):
    unit = units()[2]
    code = (
        "def softmax(x, axis=-1):\n    lowered = x - np.amax(x, axis, keepdims=True)\n"
        "    grown = np.exp(lowered)\n    return np.divide(grown, np.add.reduce(grown, axis, keepdims=True))\n",
        "def attention_scores(Q, K):\n    breadth = np.float64(Q.shape[-1])\n"
        "    return np.einsum('...ij,...kj->...ik', Q, K) * np.power(breadth, -0.5)\n",
    )
    records = [record(name, unit, e) for name in ("ann", "ben", "eva") for e in unit.exercises]
    copies = [code, tuple(cell.replace("grown", "g").replace("breadth", "<b>"[1]) for cell in code)]
    submissions = [submission(name, unit, code=cells) for name, cells in zip(("ann", "ben"), copies, strict=True)]
    page, rows = written(tmp_path, records, [*submissions, submission("eva", unit)])
    (row,) = rows["report/similar.csv"]
    assert (row["student"], row["other student"], row["percent alike"]) == ("ann", "ben", "100.0")
    assert row["exercises"] == "softmax, attention_scores"
    text = Page(page).text
    assert "a reason to look, not a proof" in text
    assert "100 % of the unit is the same after renaming. They agree in softmax, attention_scores." in text
    assert "lowered = x - np.amax(x, axis, keepdims=True)" in text
    assert "1 group of submissions is much alike" in text


def test_long_lists_end_and_point_to_the_rest(tmp_path):
    records, submissions = synthetic_class(47, chosen=(2,))
    submissions = [submission(s.student, units()[2], repairs=("A cell was missing.",)) for s in submissions]
    page, rows = written(tmp_path, records, submissions)
    assert "The other 7 are in <a" in page
    assert len(rows["report/review.csv"]) == 47


@pytest.mark.exhaustive
def test_three_hundred_students_in_three_units_take_seconds(tmp_path):
    records, submissions = synthetic_class(300)
    with within(10):
        written(tmp_path, records, submissions)


def test_one_line_keeps_what_can_be_read():
    assert tables.one_line(" é  漢\n\tß ") == "é 漢 ß"


def test_missing_notebooks_of_an_empty_unit_are_told(tmp_path):
    page, rows = written(tmp_path, [], [], nothing={"zoe": {units()[0].id: "handed in something else (PDF)"}})
    assert "handed in something else (PDF)" in page
    assert [row["student"] for row in rows["grades.csv"]] == ["zoe"]


def test_another_kind_of_file_is_told_in_tables(tmp_path):
    """Of a student in the place of one notebook, and of one whose unit is not known."""
    records, submissions = synthetic_class(3, chosen=(2, 3))
    words, first = "handed in something else (PDF)", units()[2].id
    page, rows = written(
        tmp_path, records, submissions, nothing={"ann": {first: words}, "bob": {"": words}}, students=["zoe"]
    )
    assert "6 students in 2 units: 6 notebooks handed in, 3 handed in something else, 3 missing." in page
    status = {row["student"]: row["status"] for row in rows["grades.csv"]}
    assert status["ann"] == f"{first}: {words}, {units()[3].id}: nothing handed in"
    assert status["bob"] == f"{first}: {words}, {units()[3].id}: {words}"
    assert page.count(f'<td class="number">{words}</td>') == 3


def mistaken_class():
    """Return the records and submissions of five students of whom four have made one mistake, in code of their own."""
    unit = units()[2]
    exercise = unit.exercises[0]
    records, submissions = [], []
    for number, student in enumerate(("ann", "ben", "cy", "dee", "eva")):
        wrong = number < 4
        records.append(record(student, unit, exercise, 0 if wrong else 1, exercise.mistakes[0].id if wrong else None))
        records += [record(student, unit, other) for other in unit.exercises[1:]]
        body = f'    """By {student}, 2026."""\n    # {student}\n' + "    x = x + 0\n" * number + "    return x\n"
        code = f"def {exercise.name}(x, axis=-1):\n{body}"
        submissions.append(submission(student, unit, code=("import numpy as np\n", code)))
    return unit, exercise, records, submissions


def test_a_slide_shows_a_mistake_but_no_name(tmp_path):
    unit, exercise, records, submissions = mistaken_class()
    written(tmp_path, records, submissions)
    mistake = exercise.mistakes[0]
    lines = (tmp_path / "report" / "slides.md").read_text(encoding="utf-8").splitlines()
    assert lines == [
        f"# 4 of 5 wrote this in `{exercise.name}`",
        "",
        "```python",
        f"def {exercise.name}(x, axis=-1):",
        "    x = x + 0",
        "    x = x + 0",
        "    return x",
        "```",
        "",
        f"**{mistake.name}.** {mistake.why}",
        "",
        f"Read again: unit {unit.id[:2]}, “{mistake.where}”",
    ]
    written(tmp_path, records[2 * len(unit.exercises) :], submissions[2:])  # two of three
    assert (tmp_path / "report" / "slides.md").read_text() == "No known mistake was made by 3 students or more.\n"


def test_the_instructor_sees_who_made_a_mistake(tmp_path):
    *_, records, submissions = mistaken_class()
    page, rows = written(tmp_path, records, submissions)
    assert rows["report/mistakes.csv"][0]["who"] == "ann, ben, cy, dee"
    [who] = re.findall(r"<summary>Who</summary>(.*?)</details>", page)
    assert re.findall(r">(\w+)<", re.sub("</?bdi>", "", who)) == ["ann", "ben", "cy", "dee"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (("def f(x):\n    return x\n", "def f(x):\n    return 2 * x  # mine\n"), "def f(x):\n    return 2 * x"),
        (('def f(x):\n    """Only words."""\n',), "def f(x):\n    pass"),
        (('def f(x):\n    if x:\n        "---"\n    return x\n',), "def f(x):\n    if x:\n        pass\n    return x"),
        (("def f(x:\n",), ""),
        (("def f(x):\n    return x\n", f"def f(x):\n    return {'x + ' * 3000}x\n"), "def f(x):\n    return x"),
        ((f"def f(x):\n    return x{'.T' * 3000}\n",), ""),
        (("def g(x):\n    return x\n",), ""),
        (("def f(x):\n" + "    x += 1\n" * 16,), ""),
        ((), ""),
    ],
)
def test_a_specimen_is_what_was_written_last(code, expected):
    assert slides.specimen(code, "f") == expected


def test_a_fence_holds_code_with_fences(tmp_path):
    unit, exercise, records, submissions = mistaken_class()
    fenced = f"def {exercise.name}(x):\n    y = '``````'\n    return x\n"
    written(tmp_path, records, [submission(one.student, unit, code=(fenced,)) for one in submissions])
    text = (tmp_path / "report" / "slides.md").read_text(encoding="utf-8")
    assert text.count("```````") == 2


def test_a_missing_library_is_flagged(tmp_path):
    """On the note, where the import stops the cell; or in a claim, where it stands in the function."""
    unit, exercise, records, submissions = mistaken_class()
    note = "cell 3 has ended with ModuleNotFoundError: No module named 'torch.nn'"
    claims = [{"name": claim.name, "passed": False, "message": "No module named 'jax'"} for claim in exercise.claims]
    records[0] = replace(records[0], status="not defined", cause=None, mistake=None, note=note)
    records[len(unit.exercises)] = replace(records[len(unit.exercises)], cause=None, mistake=None, claims=claims)
    page, rows = written(tmp_path, records, submissions)
    found = [row for row in rows["report/review.csv"] if row["reason"] == "missing library"]
    assert [(row["student"], row["exercises"], row["detail"]) for row in found] == [
        ("ann", exercise.name, "torch.nn"),
        ("ben", exercise.name, "jax"),
    ]
    assert "imports what is not there" in page


def test_copies_of_the_solution_are_called_that(tmp_path):
    """Of the reference, which raises no suspicion against each other; and of the instructor's notebook."""
    unit, names = units()[2], ("ann", "ben", "cy", "eva", "flo")
    records = [record(name, unit, e) for name in names for e in unit.exercises]
    shutil.copytree(ROOT / "solutions" / unit.id, tmp_path / "solutions" / unit.id)
    reference = [inspect.getsource(exercise.reference) for exercise in unit.exercises]
    notebook = [re.sub(" *### (BEGIN|END) SOLUTION\n", "", source) for source in solved(unit).values()]
    for code, grouped in ((reference, False), (notebook, True)):
        submissions = [submission(name, unit, code=tuple(code if name < "d" else ())) for name in names]
        page, rows = written(tmp_path / "classroom", records, submissions)
        copied = [row["student"] for row in rows["report/review.csv"] if row["reason"] == "course's solution"]
        assert copied == ["ann", "ben", "cy"]
        assert bool(rows["report/similar.csv"]) is grouped
        called = "These are copies of the course's own solution, so they may have it from there" in Page(page).text
        assert called is grouped
