"""How late submissions are, by due dates, extensions and late days, and what lies between sums and points."""

from datetime import datetime, timedelta

import pytest
from traitlets.config import Config

from autograder.decisions.decided import Curve, Decisions, Late, OfUnit
from autograder.grading.lateness import Entered, Lateness, latenesses, raised_by, without_time

FIRST, SECOND, THIRD = "01_first", "02_second", "03_third"
DUE = datetime(2026, 11, 20, 12)
UNITS = {
    FIRST: OfUnit(due=DUE),
    SECOND: OfUnit(due=DUE - timedelta(days=7)),  # the order of dates is not that of the units
    THIRD: OfUnit(due=DUE + timedelta(days=7)),
}


def entered(unit, hours, student="ann", extension=None):
    """Return a submission so many hours after its due date; None for one whose time is not known."""
    due = UNITS[unit].due
    timestamp = None if hours is None else due + timedelta(hours=hours)
    return Entered("id", student, unit, timestamp, due, extension, 8.0, 10.0, None)


def days(found, **decided):
    late = latenesses(Decisions(UNITS, **decided), found)
    return {unit[:2]: (late[one, unit].days, late[one, unit].free_days) for one, unit in late if one == "ann"}


def test_late_days_go_in_the_order_of_dates():
    found = [entered(FIRST, 25), entered(SECOND, 1), entered(THIRD, 49), entered(FIRST, 90, student="bob")]
    assert days(found, late=Late(10)) == {"01": (2, 0), "02": (1, 0), "03": (3, 0)}
    assert days(found, late=Late(10, late_days=2)) == {"02": (0, 1), "01": (1, 1), "03": (3, 0)}
    assert days(found, late=Late(10, grace_minutes=61, late_days=9)) == {"02": (0, 0), "01": (0, 1), "03": (0, 2)}


def test_who_is_excused_uses_no_late_days():
    found = [entered(FIRST, 25), entered(SECOND, 1)]
    excused = {("ann", SECOND): ""}
    assert days(found, late=Late(10, late_days=2), excused=excused) == {"02": (0, 0), "01": (0, 2)}


@pytest.mark.parametrize("hours", [0, -3])
def test_what_comes_in_time_is_not_late(hours):
    late = latenesses(Decisions(UNITS, late=Late(10)), [entered(FIRST, hours)])
    assert late == {("ann", FIRST): Lateness(0, DUE)}


def test_an_extension_of_the_class_goes_before_nbgraders():
    in_db = entered(FIRST, 30, extension=timedelta(days=1))
    assert latenesses(Decisions(UNITS), [in_db])["ann", FIRST].seconds == 6 * 3600
    decided = Decisions(UNITS, extensions={("ann", FIRST): DUE + timedelta(hours=29)})
    assert latenesses(decided, [in_db])["ann", FIRST].seconds == 3600


def test_a_curve_never_takes_nor_exceeds_all_points():
    def gained(curve, score):
        return raised_by(Decisions({FIRST: OfUnit(curve=curve)}), FIRST, score, 10.0)

    assert [gained(Curve(1.5, 1), score) for score in (0, 4, 8, 10)] == [1, 3, 2, 0]
    assert gained(Curve(0.5), 8) == 0
    assert gained(None, 8) == 0


def test_missing_times_are_told_where_they_would_cost():
    found = [entered(FIRST, None), entered(FIRST, 3, student="bob"), entered(SECOND, 1)]
    assert without_time(Config(), Decisions(UNITS), found) == []
    by_plugin = Config(LateSubmissionPlugin={"penalty_method": "zero"})
    for config, late in ((Config(), Late(10)), (by_plugin, None)):
        [told] = without_time(config, Decisions(UNITS, late=late), found)
        assert told.startswith(f"{FIRST}: there is a due date, and of 1 of 2 submissions no time is known")
    excused = {("ann", FIRST): ""}
    assert without_time(Config(), Decisions(UNITS, late=Late(10), excused=excused), found) == []
