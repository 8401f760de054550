"""The class at a glance: one page that loads nothing, and its tables as CSV files."""

import base64
import hashlib
import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.feedback import escaped
from autograder.grading.pages import charts, similarity, tables
from autograder.grading.pages.look import KINDS, hints, in_order, looks
from autograder.grading.pages.statistics import MISSING, of_class
from autograder.grading.record import STATUSES
from autograder.grading.store import write_whole

HERE = Path(__file__).parent
STYLE = "".join((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "report.css"))
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
MOST = 40  # rows of a table of the page; the CSV files have all
WORST_CLAIMS = 2


def write(folder, records, submissions, units, students=(), remarks=(), entered=None):
    """Write `grades.csv` and the folder `report`.

    Parameters
    ----------
    folder : path
        Of the class, such as ``classroom``; the pages for students are in its folder `feedback`.
    records : iterable of Record
        Those that hold now: one for each exercise of each submission.
    submissions : iterable of Submission
    units : sequence of Unit
        Of the course.
    students : iterable of str
        Ids of all who are in the class, if they are known.
    remarks : iterable of Look
        What else should be looked at.
    entered : dict, optional
        What counts in the end, for `grades.csv`; see `autograder.grading.pages.tables.grades`.

    Returns
    -------
    Path
        Of the page.
    """
    order = {exercise.name: number for number, exercise in enumerate(e for unit in units for e in unit.exercises)}
    records = sorted(records, key=lambda record: (record.student, order[record.exercise]))
    submissions = sorted(submissions, key=lambda submission: (submission.student, submission.unit))
    statistics = of_class(records, submissions, units, students)
    found = in_order([*looks(records, submissions, statistics), *remarks])
    pairs = [pair for one in statistics.units for pair in similarity.similar(submissions, one.unit)]
    alike = similarity.groups(pairs)
    files = {
        "grades.csv": tables.as_csv(tables.grades(statistics, entered or {})),
        "report/exercises.csv": tables.as_csv(tables.exercises(statistics)),
        "report/mistakes.csv": tables.as_csv(tables.mistakes(statistics)),
        "report/look.csv": tables.as_csv(tables.looks(found)),
        "report/similar.csv": tables.as_csv(tables.similar(alike)),
        "report/index.html": page(records, statistics, found, alike),
    }
    for name, text in files.items():
        write_whole(Path(folder, name), text.encode(errors="backslashreplace"))
    return Path(folder, "report", "index.html")


def page(records, statistics, found, alike):
    """Return the page.

    Parameters
    ----------
    records : sequence of Record
    statistics : ClassStatistics
    found : sequence of Look
        In the order of `autograder.grading.pages.look.in_order`.
    alike : sequence of Group

    Returns
    -------
    str
        The same for the same arguments, always.
    """
    exercises = tables.by_difficulty(statistics.exercises)
    mistakes = tables.by_frequency(statistics.exercises)
    urgent = [look for look in found if look.kind != MISSING]
    missing = [look for look in found if look.kind == MISSING]
    statuses = Counter(record.status for record in records)
    return TEMPLATE.render(
        policy=POLICY,
        style=Markup(STYLE),
        most=MOST,
        bars=charts.MOST,
        kinds=KINDS,
        pages={(r.student, r.unit) for one in statistics.units for r in one.results if r.status != MISSING},
        statistics=statistics,
        summary=_summary(statistics, mistakes, urgent, missing, alike),
        urgent=[(whose, list(its)) for whose, its in groupby(urgent, key=_whose)],
        missing=[(unit, [look.student for look in its]) for unit, its in groupby(missing, key=lambda look: look.unit)],
        distributions=Markup(charts.distributions(statistics.units)) if statistics.units else "",
        rows=list(zip(statistics.students, statistics.results, statistics.totals, strict=True)),
        exercises=exercises,
        difficulty=_difficulty(exercises),
        mistakes=mistakes,
        mistakes_chart=_mistakes_chart(mistakes),
        similar=alike,
        statuses=[(status, count) for status in STATUSES if (count := statuses[status])],
        surroundings=_surroundings(records),
    )


def _whose(look):
    return look.student, look.unit


def _summary(statistics, mistakes, urgent, missing, alike):
    """Return three sentences: who handed in, how it went, what to look at."""
    handed_in = len(statistics.students) * len(statistics.units) - len(missing)
    who = f"{_counted('student', len(statistics.students))} in {_counted('unit', len(statistics.units))}: "
    who += f"{_counted('notebook', handed_in)} handed in, {len(missing) or 'none'} missing."
    submissions = len({_whose(look) for look in urgent})
    look = f"{_counted('submission', submissions, 'No')} {'needs' if submissions == 1 else 'need'} a look, and "
    look += f"{_counted('group', len(alike), 'no')} of submissions {_are(len(alike))} much alike."
    return who, _how_it_went(statistics, mistakes), look


def _how_it_went(statistics, mistakes):
    judged = [one for one in tables.by_difficulty(statistics.exercises) if one.share is not None]
    if not judged:
        return "No function has been judged yet."
    share = sum(one.share * one.exercise.points * one.students for one in judged)
    share /= sum(one.exercise.points * one.students for one in judged)
    told = f"{_percent(share)} of the points were reached; "
    hardest = judged[0]
    if hardest.share == 1:
        return told + "there is nothing to discuss."
    told += f"the hardest exercise is {hardest.exercise.name} ({_percent(hardest.share)})"
    if not mistakes:
        return told + ", and no known mistake was made."
    one, count = mistakes[0]
    made = f"made by {count.students} of {count.of} in {one.exercise.name}"
    return f"{told}, and the most frequent mistake, {made}, is: “{count.what.name}”."


def _are(count):
    return "is" if count == 1 else "are"


def _difficulty(exercises):
    judged = [one for one in exercises if one.share is not None]
    if not judged:
        return ""
    labels = [f"{one.exercise.name} ({one.unit.id[:2]})" for one in judged]
    percents, marked = [100 * one.share for one in judged], [bool(hints(one)) for one in judged]
    return Markup(charts.bars("difficulty", labels, percents, marked, " %"))


def _mistakes_chart(mistakes):
    if not mistakes:
        return ""
    labels = [f"{one.exercise.name}: {count.what.name}" for one, count in mistakes]
    counts = [count.students for _, count in mistakes]
    return Markup(charts.bars("mistakes", labels, counts, [False] * len(counts)))


def _surroundings(records):
    """Return the different versions and sandboxes that verdicts were found with, the most frequent first."""
    used = Counter(json.dumps([record.engine, record.sandbox], sort_keys=True) for record in records)
    parts = [(*json.loads(told), count) for told, count in used.most_common()]
    return [{"engine": engine, "sandbox": sandbox, "verdicts": count} for engine, sandbox, count in parts]


def _feedback(student, unit):
    return "/".join(
        ["..", "feedback", *(quote(part, safe="", errors="replace") for part in (student, unit, f"{unit}.html"))]
    )


def _counted(word, count, nothing="0"):
    """Return a number with its word, such as "3 students"."""
    return f"{count or nothing} {word}{'' if count == 1 else 's'}"


def _percent(share):
    return f"{100 * share:.0f} %"


def _points(number):
    return f"{number:.1f}".removesuffix(".0")


def _names(exercises):
    return Markup(", ").join(Markup("<code>{}</code>").format(name) for name in exercises)


def _worst_claims(exercise):
    failed = [count for count in exercise.claims if count.students]
    return sorted(failed, key=lambda count: -count.students)[:WORST_CLAIMS]


def _visible(value):
    return tables.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE),
    autoescape=True,
    finalize=_visible,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {
    "code": lambda text: Markup(escaped(text)),
    "counted": _counted,
    "hints": hints,
    "percent": _percent,
    "points": _points,
    "names": _names,
    "one_line": tables.one_line,
    "worst_claims": _worst_claims,
    "most_alike": lambda pairs: max(pairs, key=lambda pair: (pair.structure, len(pair.words))),
}
ENVIRONMENT.globals["feedback"] = _feedback
TEMPLATE = ENVIRONMENT.get_template("report.html")
