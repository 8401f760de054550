"""Statistics of a class and what needs review, against numbers computed by hand."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from autograder.decisions.decided import Decisions, OfUnit
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.discrimination import MIN_STUDENTS, discrimination, interval
from autograder.grading.pages.review import KINDS, ReviewFlag, hints, review_flags
from autograder.grading.pages.statistics import of_class
from autograder.grading.pages.tables import grades
from autograder.grading.verdicts.record import Record
from autograder.specification import Claim, Exercise, Mistake, Unit


def double(x):
    return 2 * x


def halve(x):
    return x / 2


def negate(x):
    return -x


def exercise(function, *points):
    """Make an exercise with a claim of each number of points and three known mistakes."""
    claims = tuple(Claim(f"{function.__name__} {n}", worth, None) for n, worth in enumerate(points))
    mistakes = tuple(Mistake(id, f"it is {id}", function, "because", f"Section {id}") for id in ("late", "odd", "rare"))
    return Exercise(function, "do it.", (), "Where", claims, mistakes)


DOUBLE, HALVE, NEGATE = exercise(double, 3, 2), exercise(halve, 4, 3), exercise(negate, 1)
FIRST = Unit("05_first", "First", ((5, 10),), (DOUBLE, HALVE))
SECOND = Unit("07_second", "Second", ((5, 10),), (NEGATE,))
UNITS = (FIRST, SECOND)


def record(student, exercise, passed, status=None, mistake=None, also=(), **more):
    """Make a record in which the claims with these numbers hold; `also` are ids of further mistakes."""
    unit = next(unit for unit in UNITS if exercise in unit.exercises)
    claims = [
        {
            "name": claim.name,
            "points": claim.points if n in passed else 0,
            "max_points": claim.points,
            "passed": n in passed,
        }
        for n, claim in enumerate(exercise.claims)
    ]
    points = sum(claim["points"] for claim in claims)
    status = status or ("correct" if points == exercise.points else "diagnosed" if mistake else "wrong")
    ids = [id for id in (mistake, *also) if id]
    cause = {"kind": "certain", "mistakes": ids, "inside": [""] * len(ids)} if ids else None
    fields = {"points": points, "claims": claims, "mistake": mistake, "cause": cause} | more
    return Record("key", student, unit.id, exercise.name, max_points=exercise.points, status=status, **fields)


def submission(student, unit=FIRST, **more):
    return Submission(student, unit.id, f"{student}.ipynb", b"", None, **more)


def statistics_of(records, submissions=(), students=()):
    return of_class(records, submissions, UNITS, students)


def one_class():
    """Make five students: three graded, one with an internal error, one unreadable; a sixth did not hand in."""
    records = [
        *(record("ana", DOUBLE, {0, 1}), record("ana", HALVE, {0}, mistake="odd")),
        *(record("ben", DOUBLE, {1}, also=["late"]), record("ben", HALVE, set(), mistake="odd")),
        *(record("eva", DOUBLE, set(), "not written"), record("eva", HALVE, {0, 1})),
        *(record("fay", DOUBLE, {0}), record("fay", HALVE, set(), "internal error", points=None, claims=[])),
        *(record("ida", e, set(), "unreadable", claims=[]) for e in (DOUBLE, HALVE)),
    ]
    return statistics_of(records, [submission(name) for name in ("ana", "ben", "eva", "fay", "ida")], ["zoe"])


def test_points_per_student_and_their_distribution():
    statistics = one_class()
    assert statistics.students == ("ana", "ben", "eva", "fay", "ida", "zoe")
    (unit,) = statistics.units
    assert [(result.points, result.status) for result in unit.results] == [
        (9, "graded"),
        (2, "graded"),
        (7, "graded"),
        (None, "needs manual grade"),
        (0, "unreadable"),
        (0, "nothing handed in"),
    ]
    assert {result.max_points for result in unit.results} == {12}
    # 9, 2, 7 and 0 of 12 points are 75, 17, 58 and 0 percent
    assert unit.counts == (1, 1, 0, 0, 0, 1, 0, 1, 0, 0)
    assert unit.summary == {
        "mean": 4.5,
        "lowest": 0,
        "lower quartile": 1.5,
        "median": 4.5,
        "upper quartile": 7.5,
        "highest": 9,
    }
    assert statistics.totals == [9, 2, 7, None, 0, 0]


def test_a_file_instead_of_a_notebook_is_told():
    nothing = {
        "zoe": {FIRST.id: "nothing handed in"},
        "ana": {FIRST.id: "handed in something else (PDF)"},
        "joe": {"": "x"},
    }
    records = [record("ana", DOUBLE, {0, 1}), record("ana", HALVE, {0}, mistake="odd")]
    statistics = of_class(records, [submission("ana")], UNITS, nothing=nothing)
    (unit,) = statistics.units
    assert [(one.student, one.points, one.status, one.words) for one in unit.results] == [
        ("ana", 9, "graded", ""),
        ("joe", 0, "nothing handed in", "x"),
        ("zoe", 0, "nothing handed in", "nothing handed in"),
    ]
    assert [row[-1] for row in grades(statistics, {})[1:]] == [
        "graded",
        f"{FIRST.id}: x",
        f"{FIRST.id}: nothing handed in",
    ]
    flags = review_flags(records, [submission("ana", notes=("It bears another name.",))], statistics)
    assert flags[:3] == [
        ReviewFlag("ana", FIRST.id, "refused", detail="It bears another name."),
        ReviewFlag("joe", FIRST.id, "no notebook", detail="x"),
        ReviewFlag("zoe", FIRST.id, "no notebook", detail="nothing handed in"),
    ]


NOW = datetime(2026, 12, 1)


def two_units(**decided):
    """Make a class of which Ana has handed in both units, Ben one, and Eva only a PDF."""
    records = [record("ana", DOUBLE, {0, 1}), record("ana", HALVE, set()), record("ana", NEGATE, {0})]
    records += [record("ben", NEGATE, set())]
    submissions = [submission("ana"), submission("ana", SECOND), submission("ben", SECOND)]
    nothing = {"eva": {FIRST.id: "handed in something else (PDF)"}}
    return of_class(records, submissions, UNITS, ["ana", "ben", "eva"], nothing, {}, Decisions(asked=NOW, **decided))


def states(statistics):
    return {(r.student, r.unit[:2]): (r.state, r.points) for one in statistics.units for r in one.results}


def test_each_student_has_a_state_in_each_unit():
    day = timedelta(days=1)
    units = {FIRST.id: OfUnit(due=NOW - day), SECOND.id: OfUnit(due=NOW + day)}
    excused, longer = {("ana", SECOND.id): "ill"}, {("ben", FIRST.id): NOW + day}
    statistics = two_units(units=units, excused=excused, extensions=longer)
    assert states(statistics) == {
        ("ana", "05"): ("graded", 5),
        ("ben", "05"): ("not due", None),
        ("eva", "05"): ("handed in something else", 0),
        ("ana", "07"): ("excused", None),  # who has handed in nevertheless
        ("ben", "07"): ("graded", 0),
        ("eva", "07"): ("not due", None),
    }
    assert statistics.totals == [5, 0, 0]
    table = grades(statistics)
    assert [row[table[0].index("max total")] for row in table[1:]] == [12, 1, 12]
    assert [row[-1] for row in table[1:]] == [
        f"{SECOND.id}: excused",
        f"{FIRST.id}: not due",
        f"{FIRST.id}: handed in something else (PDF), {SECOND.id}: not due",
    ]
    assert {(flag.student, flag.unit) for flag in review_flags([], [], statistics)} == {("eva", FIRST.id)}


def test_what_is_missing_is_blank_where_decided():
    assert states(two_units())["ben", "05"] == ("nothing handed in", 0)
    blank = two_units(blank=True)
    assert states(blank)["ben", "05"] == ("nothing handed in", None)
    assert blank.totals == [6, 0, 0]
    assert [row[-3] for row in grades(blank)[1:]] == [1, 1, 1]


def test_the_lowest_units_are_dropped():
    units = {FIRST.id: OfUnit(weight=3), SECOND.id: OfUnit(weight=1)}
    dropped = two_units(drop_lowest=1, units=units)
    table = grades(dropped)
    assert dropped.totals == [1, 0, 0]  # of Ana's, 5 of 12 goes
    assert [row[-2] for row in table[1:]] == [100, 0, 0]
    assert [row[-1].count("dropped") for row in table[1:]] == [1, 1, 1]
    everything = two_units(drop_lowest=7, units=units)
    assert everything.totals == dropped.totals  # one always stays


def test_a_unit_without_notebooks_is_not_counted():
    """Or one student could raise what all others are measured by."""
    statistics = of_class([], [], UNITS, nothing={"zoe": {FIRST.id: "nothing handed in"}})
    assert (statistics.students, statistics.units) == (("zoe",), ())


def test_bins_of_points_contain_their_lower_edge():
    exercises = (exercise(double, *[1] * 7), exercise(halve, *[1] * 3))
    unit = Unit("05_first", "First", ((5, 10),), exercises)
    found = []
    for name, reached in (("ana", 3), ("ben", 7), ("eva", 10), ("fay", 9)):
        points = (min(reached, 7), max(reached - 7, 0))
        pairs = zip(exercises, points, strict=True)
        found += [Record("k", name, unit.id, e.name, p, e.points, "wrong") for e, p in pairs]
    assert of_class(found, [], [unit]).units[0].counts == (0, 0, 0, 1, 0, 0, 0, 1, 0, 2)


def test_an_exercise_counts_those_whose_function_was_judged():
    doubled, halved = one_class().exercises
    assert (doubled.students, halved.students) == (4, 3)  # fay's halve is undecided, ida's notebook unreadable
    assert doubled.share == pytest.approx((5 + 2 + 0 + 3) / 4 / 5)
    assert halved.share == pytest.approx((4 + 0 + 7) / 3 / 7)
    assert doubled.statuses == {"correct": 1, "wrong": 2, "not written": 1, "unreadable": 1}
    assert halved.statuses == {"correct": 1, "diagnosed": 2, "unreadable": 1, "internal error": 1}
    assert [(count.what, count.students, count.of) for count in doubled.claims] == [
        ("double 0", 2, 4),  # ben, eva
        ("double 1", 2, 4),  # eva, fay
    ]
    assert [(count.what.id, count.students, count.of) for count in doubled.mistakes] == [("late", 1, 4)]
    assert [(count.what.id, count.students, count.of) for count in halved.mistakes] == [("odd", 2, 3)]
    assert halved.mistakes[0].what is HALVE.mistakes[1]


def test_a_mistake_counts_once_for_each_student():
    records = [record(f"s{n}", HALVE, set(), mistake="odd", also=["late"]) for n in range(3)]
    records += [record(f"t{n}", HALVE, {0}, mistake="rare") for n in range(5)]
    (_, halved) = statistics_of(records).exercises
    assert [(count.what.id, count.students) for count in halved.mistakes] == [("rare", 5), ("late", 3), ("odd", 3)]
    assert halved.mistakes[1].who == ("s0", "s1", "s2")


def test_discrimination_is_the_correlation_with_the_rest():
    """Four of 13 fail; their rests are 1, 1, 3, 3, all others' are 5: r = 18 / sqrt(376)."""
    own = np.array([0] * 4 + [5] * 9)
    rest = np.array([1, 1, 3, 3] + [5] * 9)
    points = np.stack([rest / 2, own, rest / 2], axis=1)
    value, undefined = discrimination(points, 1)
    assert value == pytest.approx(18 / 376**0.5)
    assert undefined == ""
    assert discrimination(-points[:, :2], 1)[0] == pytest.approx(18 / 376**0.5)
    assert discrimination(np.stack([rest, -own], axis=1), 1)[0] == pytest.approx(-18 / 376**0.5)


def test_discrimination_leaves_out_those_without_the_exercise():
    names = [f"s{n:02}" for n in range(13)]
    rests = [{0: set(), 1: {1}, 3: {0}}[n] for n in [0, 0, 1, 1] + [3] * 9]  # points of halve: 0, 0, 3, 3, 4 ...
    records = [record(name, DOUBLE, {0, 1} if n >= 4 else set()) for n, name in enumerate(names)]
    records += [record(name, HALVE, passed) for name, passed in zip(names, rests, strict=True)]
    with_gap = [*records, record("odd", DOUBLE, set()), record("odd", HALVE, set(), "internal error", points=None)]
    own, rest = np.array([0] * 4 + [5] * 9), np.array([0, 0, 3, 3] + [4] * 9)
    expected = np.corrcoef(own, rest)[0, 1]
    for found in (records, with_gap):
        values = [one.discrimination for one in statistics_of(found).exercises]
        assert values == pytest.approx([expected, expected])  # of two exercises each is the other's rest


@pytest.mark.parametrize(
    ("points", "why"),
    [
        (np.arange(2.0 * (MIN_STUDENTS - 1)).reshape(-1, 2), f"fewer than {MIN_STUDENTS} students"),
        (np.arange(11.0)[:, None], "no other exercise in the unit"),
        (np.stack([np.full(11, 0.3), np.arange(11)], axis=1), "all have the same points here"),
        (np.stack([np.arange(11), np.full(11, 0.1 + 0.2)], axis=1), "all have the same points in the rest of the unit"),
        (np.empty(0), f"fewer than {MIN_STUDENTS} students"),
    ],
)
def test_what_has_no_discrimination_says_why(points, why):
    assert discrimination(points, 0) == (None, why)


def test_a_submission_with_missing_verdicts_is_not_graded():
    statistics = statistics_of([record("ana", DOUBLE, {0})], [submission("ana"), submission("ben")])
    results = [(result.points, result.status) for result in statistics.units[0].results]
    assert results == [(None, "not graded yet"), (None, "not graded yet")]
    assert statistics.totals == [None, None]
    assert statistics.units[0].summary == {}


def test_totals_run_over_all_units():
    records = [record("ana", DOUBLE, {0}), record("ana", HALVE, {1}), record("ben", NEGATE, {0})]
    statistics = statistics_of(records)
    assert [unit.unit.id for unit in statistics.units] == ["05_first", "07_second"]
    assert statistics.totals == [6, 1]


def test_a_class_without_anything():
    statistics = statistics_of([], [], ["zoe"])
    assert (statistics.students, statistics.units, statistics.exercises) == (("zoe",), (), ())
    assert statistics.totals == [0]


def test_hints_name_what_deserves_discussion():
    def hints_for(**values):
        changed = {"students": 13, "share": 0.8, "discrimination": 0.4, "mistakes": ()} | values
        return hints(type("Statistics", (), changed))

    def made(students):
        return (type("Count", (), {"students": students, "of": 13}),)

    assert hints_for() == []
    assert hints_for(share=None, discrimination=None) == []
    assert hints_for(share=0.59) == ["hard: discuss it in class"]
    assert hints_for(mistakes=made(2)) == []
    assert hints_for(mistakes=made(3)) == ["3 made the same mistake: discuss it in class"]
    assert hints_for(discrimination=0.08, students=11) == []  # as likely as not it is 0.3
    assert hints_for(discrimination=0.08, students=77) == [
        "those who did well elsewhere did hardly better here (correlation 0.08, 95 % interval from -0.15 to 0.30): "
        "read its text and its claims again"
    ]
    assert hints_for(discrimination=0.08, students=77, share=0.96) == []


def test_an_interval_by_hand():
    """Of no correlation in 52 students: tanh(1.96 / 7)."""
    assert interval(0.0, 52) == pytest.approx((-0.2729, 0.2729), abs=5e-5)
    low, high = interval(0.5, 103)
    assert (low, high) == pytest.approx((0.3393, 0.6323), abs=5e-5)
    assert interval(1.0, 12)[1] == pytest.approx(1)


def test_flags_name_every_trouble_by_urgency():
    records = [
        record("ana", DOUBLE, set(), "timeout"),
        record("ana", HALVE, set(), "killed", note="sent an unexpected reply"),
        record("ben", DOUBLE, set(), "internal error", points=None, note="Traceback:\n  File\nOSError: disk full\n"),
        record("ben", HALVE, set(), "internal error", points=None, note="Traceback:\n  Other\nOSError: disk full\n"),
        *(record("eva", e, set(), "unreadable") for e in (DOUBLE, HALVE)),
        record("fay", DOUBLE, set(), "memory"),
        record("fay", HALVE, {0, 1}),
        *(record("ida", e, set(), "not written") for e in (DOUBLE, HALVE)),
    ]
    submissions = [
        submission("ana"),
        submission("ben"),
        submission("eva", unreadable="It is not JSON."),
        submission("fay", repairs=("A cell was missing.", "A cell was double.")),
        submission("ida"),
        submission("ida"),
    ]
    flags = review_flags(records, submissions, statistics_of(records, submissions, ["zoe"]))
    assert flags == [
        ReviewFlag("ben", FIRST.id, "internal error", ("double", "halve"), "OSError: disk full"),
        ReviewFlag("ana", FIRST.id, "killed", ("halve",), "sent an unexpected reply"),
        ReviewFlag("ana", FIRST.id, "timeout", ("double",)),
        ReviewFlag("fay", FIRST.id, "memory", ("double",)),
        ReviewFlag("fay", FIRST.id, "repaired", (), "A cell was missing. A cell was double."),
        ReviewFlag("eva", FIRST.id, "unreadable", (), "It is not JSON."),
        ReviewFlag("ida", FIRST.id, "several attempts", (), "ida.ipynb, ida.ipynb"),
        ReviewFlag("zoe", FIRST.id, "nothing handed in"),
    ]
    assert {flag.kind for flag in flags} <= set(KINDS)
