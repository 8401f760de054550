"""The `course.toml` that a new class begins with: every key, with a comment that says what it is for."""

from collections.abc import Sequence

from autograder.specification import Unit

HEAD = """\
# What your class decides. Every command follows this file, and says in which line something has no meaning.
# Take the "#" away before what you want. A time has its zone: 2026-12-04T23:59:00+01:00.

# What somebody has who has handed in nothing by the due date: 0, or "blank". Before that date it is always blank.
# missing = 0

# How many units, the lowest ones of each student, are left out of the total and of the weighted percent.
# drop_lowest = 1

# What lateness costs, in percent of the points that were reached, for every day that has begun. Nothing is lost within
# the grace, nor on the late days that everybody has in all; these go to the units in the order of their due dates.
# [late]
# percent_per_day = 10
# grace_minutes = 15
# late_days = 3

# Of each unit: when it is due; how much it weighs (with any weight, grades.csv has a column with the weighted mean of
# the percents, in which units without a weight do not count); which exercises do not count; the points of an exercise
# where they are not the course's; a curve, times and add, for all who have handed in; whether hints open, or from when
# on; from when on solution("...") shows how the course does it, which it never does without a time; and whether the
# unit is an exam, in which a check says whether a function can be called and not whether it is right. Hints, solutions
# and exams are those of the learners' edition, which `course edition` writes.
"""
UNIT = """
[units.{id}]  # {title}, {points:g} points
# due = 2026-12-04T23:59:00+01:00
weight = 1
"""
ALL_KEYS = """\
# without = ["{last}"]
# points = {{ {first} = {points:g} }}
# curve = {{ times = 1.0, add = 1 }}
# hints = 2026-12-01T08:00:00+01:00
# solutions = 2026-12-06T08:00:00+01:00
# exam = false
"""
PEOPLE = """
# More time for one student, before or after handing in: a new time, due, or a number of days after the others.
# [[extensions]]
# student = "ann"
# unit = "{number}"
# days = 2

# Somebody of whom a unit is not asked: it stays blank, and counts nowhere.
# [[excused]]
# student = "bob"
# unit = "{number}"
# why = "ill"

# Somebody who has left the course: since then nothing more is asked of them, and they are in no statistics. What they
# have handed in stays.
# [[left]]
# student = "eve"
# since = 2026-11-20T00:00:00+01:00

# A claim that was wrong counts as held: for "everybody", or for "whoever handed in". A part of its text is enough.
# [[adjust]]
# exercise = "{first}"
# claim = "{claim}"
# give = "whoever handed in"
"""


def template(units: Sequence[Unit]) -> str:
    """Return the text of the file for a class of some units."""
    first, last = units[0].exercises[0], units[0].exercises[-1]
    examples = {"first": first.name, "last": last.name, "points": first.points, "claim": first.claims[-1].name}
    parts = [UNIT.format(id=unit.id, title=unit.title, points=unit.points) for unit in units]
    parts[0] += ALL_KEYS.format(**examples)
    return "".join([HEAD, *parts, PEOPLE.format(number=units[0].id[:2], **examples)])
