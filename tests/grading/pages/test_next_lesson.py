"""What the report's first screen says on the next lesson, and how a term went, unit by unit; counted by hand."""

import csv

import pytest

from autograder.grading.final import Answer, Final
from autograder.grading.pages import class_report
from autograder.grading.pages.discrimination import interval
from autograder.grading.pages.next_lesson import steps
from autograder.grading.pages.review import ReviewFlag
from autograder.grading.pages.statistics import of_class
from autograder.grading.pages.term import Share, last_unit, of_term
from autograder.registry import units
from tests.support.class_records import record, submission

EARLIER, NOW, AHEAD = units()[2], units()[3], units()[4]
WRONG, HARD, OPEN = NOW.exercises[:3]
STUDENTS = "ann", "ben", "cy", "dee", "eva", "fay", "guy"
SECTIONS = {"ann": "A", "ben": "A", "cy": "B", "dee": "A", "eva": "B", "fay": "B", "guy": "B"}


def whole(student, unit, shares=()):
    """Return the records of a student who has all points, but for shares of some exercises."""
    shares = dict(shares)
    return [record(student, unit, exercise, shares.get(exercise.name, 1)) for exercise in unit.exercises]


@pytest.fixture
def made():
    """Seven students at the second unit, one of whom is ahead; guy never hands in, and fay only at first."""
    records, submissions = [], []
    for student in STUDENTS[:6]:
        records += whole(student, EARLIER)
        submissions.append(submission(student, EARLIER))
    for student in STUDENTS[:5]:
        mine = whole(student, NOW, {HARD.name: 0})
        if student in ("ann", "cy", "dee"):
            mine[0] = record(student, NOW, WRONG, 0, WRONG.mistakes[0].id)
        if student == "eva":
            mine[1] = record(student, NOW, HARD, 0, status="not written")
        records += mine
        submissions.append(submission(student, NOW))
    records += whole("ann", AHEAD)
    submissions.append(submission("ann", AHEAD))
    return records, submissions


def test_the_class_is_where_many_are(made):
    statistics = of_class(*made, units(), STUDENTS)
    assert last_unit(statistics).unit is NOW  # one of seven is ahead
    assert last_unit(of_class([], [], units(), STUDENTS)) is None


def test_advice_comes_in_the_order_of_the_lesson(made):
    finals = {(one.student, EARLIER.id): Final(5, waits=one.student == "ben") for one in made[1]}
    flags = [ReviewFlag("ben", NOW.id, "timeout"), ReviewFlag("ben", EARLIER.id, "killed")]
    flags += [ReviewFlag("dee", NOW.id, "repaired"), ReviewFlag("", "", "refused")]
    told = steps(of_class(*made, units(), STUDENTS, finals=finals), flags, [], SECTIONS)
    assert [(step.head, step.text) for step in told] == [
        ("Discuss", f"“{WRONG.mistakes[0].name}” in `{WRONG.name}`: 3 of 5 do this (A: 2, B: 1)."),
        ("Explain again", f"`{HARD.name}`: 0 % of the points were reached; 4 of 5 wrote it."),
        ("Look at", "single submissions (timeout: ben; refused: files named there)."),
        ("Grade by hand", f"in formgrader, unit {EARLIER.id[:2]}: the work of ben waits for you."),
        ("Ask after", "guy: nothing for the second unit in a row."),
        ("Remind", f"fay: no notebook for unit {NOW.id[:2]}."),
    ]


def test_two_who_err_warrant_no_lesson(made):
    records = [one for one in made[0] if (one.student, one.unit) not in {("cy", NOW.id), ("dee", NOW.id)}]
    submissions = [one for one in made[1] if (one.student, one.unit) not in {("cy", NOW.id), ("dee", NOW.id)}]
    told = steps(of_class(records, submissions, units(), STUDENTS), [], [], {})
    assert "Discuss" not in [step.head for step in told]


def test_whoever_left_the_roster_is_not_asked(made):
    sections = {student: "" for student in STUDENTS if student != "guy"}
    told = steps(of_class(*made, units(), STUDENTS), [], [], sections, str.title)
    asked = {step.head: step.text for step in told if step.head in ("Ask after", "Remind")}
    assert asked == {"Remind": f"Fay: no notebook for unit {NOW.id[:2]}."}


def test_first_screen_and_slides_show_the_same_unit(made, tmp_path):
    path = class_report.write(tmp_path, *made, units(), students=STUDENTS, sections=SECTIONS)
    page = path.read_text(encoding="utf-8")
    first = page[page.index('<h2 id="next">') : page.index('<h2 id="review">')]
    assert f"The class is at unit {NOW.id[:2]}, {NOW.title}." in first
    assert f"<code>{WRONG.name}</code>: 3 of 5 do this (A: 2, B: 1)." in first
    assert page.index("</header>") < page.index('<h2 id="next">')


def test_a_class_without_trouble_can_go_on(tmp_path):
    records = [one for student in STUDENTS for one in whole(student, NOW)]
    submissions = [submission(student, NOW) for student in STUDENTS]
    page = class_report.write(tmp_path, records, submissions, units()).read_text(encoding="utf-8")
    assert f"Nothing: the class is at unit {NOW.id[:2]}, {NOW.title}, and can go on." in page
    empty = class_report.write(tmp_path, [], [], units()).read_text(encoding="utf-8")
    assert "Nothing was handed in yet." in empty


def test_a_term_by_hand(made, tmp_path):
    statistics = of_class(*made, units(), STUDENTS)
    earlier, now, ahead = of_term(statistics, SECTIONS)
    assert earlier.shares == (Share("", 7, 6, 1), Share("A", 3, 3, 1), Share("B", 4, 3, 1))
    assert earlier.mistake is None
    with_both = 1 - HARD.points / NOW.points
    with_none = 1 - (HARD.points + WRONG.points) / NOW.points
    class_, a, b = now.shares
    assert (class_.handed_in, a.handed_in, b.handed_in) == (5, 3, 2)
    assert class_.share == pytest.approx((2 * with_both + 3 * with_none) / 5)
    assert a.share == pytest.approx((with_both + 2 * with_none) / 3)
    assert b.share == pytest.approx((with_both + with_none) / 2)
    assert (now.exercise, now.mistake.students, now.made) == (WRONG.name, 3, (("A", 2), ("B", 1)))
    assert [one.share for one in ahead.shares] == [1, 1, None]
    class_report.write(tmp_path, *made, units(), sections=SECTIONS)
    with (tmp_path / "report" / "term.csv").open(newline="", encoding="utf-8") as file:
        lines = {(line["unit"], line["section"]): line for line in csv.DictReader(file)}
    assert len(lines) == 9
    assert lines[NOW.id, "B"]["made by"] == "1"
    assert lines[NOW.id, ""]["most frequent mistake"] == WRONG.mistakes[0].name
    assert float(lines[NOW.id, "A"]["mean percent"]) == pytest.approx(100 * a.share, abs=1e-3)


def test_a_manually_graded_answer_counts_in_the_share():
    records, submissions = whole("ann", NOW), [submission("ann", NOW)]
    finals = {("ann", NOW.id): Final(NOW.points + 1, answers={"essay": Answer(1, 5)})}
    statistics = of_class(records, submissions, units(), finals=finals)
    [unit] = of_term(statistics, {})
    assert unit.shares == (Share("", 1, 1, (NOW.points + 1) / (NOW.points + 5)),)
    assert statistics.units[0].most == NOW.points + 5


def test_a_correlation_is_shown_with_its_interval(tmp_path):
    """Eleven students: the number is shown with the interval of `interval`, which a test counts by hand."""
    records, submissions = [], []
    for number in range(11):
        records += whole(f"s{number:02}", NOW, {WRONG.name: number % 2, HARD.name: number % 3 > 0})
        submissions.append(submission(f"s{number:02}", NOW))
    statistics = of_class(records, submissions, units())
    one = next(one for one in statistics.exercises if one.exercise is WRONG)
    page = class_report.write(tmp_path, records, submissions, units()).read_text(encoding="utf-8")
    low, high = interval(one.discrimination, 11)
    assert f'{one.discrimination:.2f} <span class="quiet">({low:.2f} to {high:.2f})</span>' in page
