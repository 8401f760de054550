"""Verdicts as they count in a class: points in another scale, claims that are given, exercises that are left out."""

import pytest

from autograder.decisions.counted import unit_of_class, units_of_class, worth
from autograder.decisions.decided import Adjustment, Decisions, OfUnit
from autograder.grading.counted import counted
from autograder.registry import find, unit_of, units
from tests.support.class_records import record

UNIT = units()[2]
FIRST, SECOND, *REST = UNIT.exercises
ALL = [record("ann", UNIT, exercise, held=1) for exercise in UNIT.exercises]


def in_class(records, adjustments=(), **decided):
    return counted(Decisions({UNIT.id: OfUnit(**decided)}, adjustments=tuple(adjustments)), records)


def test_without_decisions_verdicts_stay_as_they_are():
    assert in_class(ALL) == ALL
    assert units_of_class(Decisions()) == units()
    assert unit_of_class(Decisions(), UNIT.id) is UNIT


def test_points_have_the_scale_of_the_class():
    half, full = record("ann", UNIT, FIRST, held=0.5), 2 * FIRST.points
    [scaled] = in_class([half], points={FIRST.name: full})
    assert (scaled.points, scaled.max_points) == (2 * half.points, full)
    [whole] = in_class([ALL[0]], points={FIRST.name: 7})
    assert whole.points == 7
    unit = unit_of_class(Decisions({UNIT.id: OfUnit(points={FIRST.name: 7})}), UNIT.id)
    assert (unit.exercises[0].points, unit.exercises[1]) == (pytest.approx(7), SECOND)
    assert unit_of(unit.exercises[0]) is UNIT
    assert worth(find(FIRST.name), FIRST.points) is find(FIRST.name)


def test_what_is_left_out_has_no_verdict():
    assert [one.exercise for one in in_class(ALL, without=(FIRST.name,))] == [e.name for e in (SECOND, *REST)]
    unit = unit_of_class(Decisions({UNIT.id: OfUnit(without=(FIRST.name,))}), UNIT.id)
    assert (unit.exercises, unit.points) == ((SECOND, *REST), UNIT.points - FIRST.points)
    assert [e.where for e in unit.exercises] == [e.where for e in UNIT.exercises[1:]]


def test_a_given_claim_holds_for_all():
    *others, last = FIRST.claims
    adjust = [Adjustment(FIRST.name, last.name, "whoever handed in")]
    all_but_last = record("ann", UNIT, FIRST, held=len(others) / len(FIRST.claims), mistake=FIRST.mistakes[0].id)
    [given] = in_class([all_but_last], adjust)
    assert (given.points, given.status, given.mistake, given.cause) == (FIRST.points, "correct", None, None)
    [nothing] = in_class([record("ann", UNIT, FIRST, held=0, status="not written", claims=[])], adjust)
    assert (nothing.points, nothing.status) == (last.points, "not written")
    assert in_class([ALL[0]], adjust) == [ALL[0]]
    undecided = record("ann", UNIT, FIRST, held=0, status="internal error", points=None)
    assert in_class([undecided], adjust) == [undecided]
