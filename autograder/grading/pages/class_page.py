"""The class at a glance: one page that loads nothing."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from autograder.decisions.decided import MISSING
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.pages import charts, frame, similarity, tables
from autograder.grading.pages.discrimination import interval
from autograder.grading.pages.next_lesson import steps
from autograder.grading.pages.overview import counted, overview, percent
from autograder.grading.pages.review import KINDS, ReviewFlag, hints
from autograder.grading.pages.statistics import ClassStatistics
from autograder.grading.pages.term import last_unit, of_term
from autograder.grading.persons import Persons
from autograder.grading.verdicts.record import STATUSES, Record

STYLE = frame.style_sheet("page.css", "report.css")
MAX_ROWS = 40  # rows of a table of the page; the CSV files have all
WORST_CLAIMS = 2


def page(
    records: Sequence[Record],
    statistics: ClassStatistics,
    flags: Sequence[ReviewFlag],
    alike: Sequence[similarity.Group],
    sections: Mapping[str, str],
    copies: Container[tuple[str, str]] = (),
    persons: Persons | None = None,
    ticked: Container[str] = (),
    otherwise: Collection[tuple[str, str]] = (),
) -> str:
    """Return the page of the class as HTML.

    Parameters
    ----------
    records : sequence of Record
    statistics : ClassStatistics
    flags : sequence of ReviewFlag
        In the order of `autograder.grading.pages.review.most_urgent_first`.
    alike : sequence of Group
    sections : dict
        By student the section, or an empty text.
    copies : container of tuple
        Student and unit of those whose code is the course's own.
    persons : Persons, optional
        Of the class; without them, all are called by their ids.
    ticked : container of str
        Marks of the reasons to review that the instructor has seen to.
    otherwise : collection of tuple
        Student and unit of those who have a page because they have handed in something else than a notebook.

    Returns
    -------
    str
        The same for the same arguments, always.
    """
    exercises = tables.by_difficulty(statistics.exercises)
    mistakes = tables.by_frequency(statistics.exercises)
    everything = [flag for flag in flags if flag.kind != MISSING]
    urgent = [flag for flag in everything if flag.mark not in ticked]
    last = last_unit(statistics)
    now = [flag for flag in urgent if last is None or flag.unit in (last.unit.id, "")]
    missing = [flag for flag in flags if flag.kind == MISSING]
    statuses = Counter(record.status for record in records)
    persons = persons or Persons(Roster([], Register()), Register())
    text = TEMPLATE.render(
        call=persons.called,
        person=persons.of,
        max_rows=MAX_ROWS,
        max_bars=charts.MAX_BARS,
        kinds=KINDS,
        pages={(r.student, r.unit) for one in statistics.units for r in one.results if r.there} | {*otherwise},
        statistics=statistics,
        summary=overview(statistics, mistakes, urgent, alike),
        current=_by_submission(now),
        earlier=_by_submission([flag for flag in urgent if flag not in now]),
        n_ticked=len(everything) - len(urgent),
        missing=[(unit, [flag.student for flag in its]) for unit, its in groupby(missing, key=lambda flag: flag.unit)],
        steps=steps(statistics, [flag for flag in flags if flag.mark not in ticked], alike, sections, persons.called),
        last=last,
        term=of_term(statistics, sections),
        distributions=Markup(charts.distributions(statistics.units)) if statistics.units else "",
        rows=list(zip(statistics.students, statistics.results, statistics.totals, strict=True)),
        exercises=exercises,
        difficulty=_difficulty(exercises),
        mistakes=mistakes,
        mistakes_chart=_mistakes_chart(mistakes),
        similar=alike,
        copied=[group for group in alike if all((student, group.unit) in copies for student in group.students)],
        statuses=[(status, count) for status in STATUSES if (count := statuses[status])],
        surroundings=_surroundings(records),
    )
    return frame.visible(text)


def _by_submission(flags):
    return [(key, list(reasons)) for key, reasons in groupby(flags, key=_key)]


def _key(flag):
    return flag.student, flag.unit


def _difficulty(exercises):
    judged = [one for one in exercises if one.share is not None]
    if not judged:
        return ""
    labels = [f"{one.exercise.name} ({one.unit.id[:2]})" for one in judged]
    percents = [100 * one.share for one in judged]
    marked = [bool(hints(one)) for one in judged]
    return Markup(charts.bars(labels, percents, marked, " %"))


def _mistakes_chart(mistakes):
    if not mistakes:
        return ""
    labels = [f"{one.exercise.name}: {count.what.name}" for one, count in mistakes]
    counts = [count.students for _, count in mistakes]
    return Markup(charts.bars(labels, counts, [False] * len(counts)))


def _surroundings(records):
    """Return the different versions and sandboxes that verdicts were found with, the most frequent first."""
    used = Counter(json.dumps([record.engine, record.sandbox], sort_keys=True) for record in records)
    parts = [(*json.loads(text), count) for text, count in used.most_common()]
    return [{"engine": engine, "sandbox": sandbox, "verdicts": count} for engine, sandbox, count in parts]


def _feedback(student, unit):
    return "/".join(
        ["..", "feedback", *(quote(part, safe="", errors="replace") for part in (student, unit, f"{unit}.html"))]
    )


def _points(number):
    return f"{number:.1f}".removesuffix(".0")


def _names(exercises):
    return Markup(", ").join(Markup("<code>{}</code>").format(name) for name in exercises)


def _worst_claims(exercise):
    failed = [count for count in exercise.claims if count.students]
    return sorted(failed, key=lambda count: -count.students)[:WORST_CLAIMS]


FILTERS: dict[str, Callable[..., Any]] = {
    "counted": counted,
    "hints": hints,
    "interval": lambda one: interval(one.discrimination, one.students),
    "percent": percent,
    "points": _points,
    "names": _names,
    "person_of": lambda student, person: person(student),
    "one_line": tables.one_line,
    "worst_claims": _worst_claims,
    "most_alike": lambda pairs: max(pairs, key=lambda pair: (pair.structure, len(pair.words))),
}
TEMPLATE = frame.template("report.html", STYLE, FILTERS, feedback=_feedback)
