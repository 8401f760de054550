"""What is written about a class: its page, its tables as CSV files, and the slides for the next lesson."""

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from autograder.decisions.decided import Decisions
from autograder.grading.final import Final
from autograder.grading.intake.find.missing import SOMETHING_ELSE
from autograder.grading.intake.submission import Submission
from autograder.grading.pages import similarity, tables
from autograder.grading.pages.class_page import page
from autograder.grading.pages.official import official_sources
from autograder.grading.pages.review import EMPTY, STRANGER, ReviewFlag, most_urgent_first, review_flags
from autograder.grading.pages.slides import slides
from autograder.grading.pages.statistics import of_class
from autograder.grading.pages.term import of_term
from autograder.grading.persons import Persons
from autograder.grading.verdicts.record import Record
from autograder.specification import Unit
from autograder.whole_file import write_atomically


def write(
    folder: str | Path,
    records: Iterable[Record],
    submissions: Iterable[Submission],
    units: Sequence[Unit],
    students: Iterable[str] = (),
    flags: Iterable[ReviewFlag] = (),
    finals: Mapping[tuple[str, str], Final] | None = None,
    nothing: Mapping[str, Mapping[str, str]] | None = None,
    sections: Mapping[str, str] | None = None,
    persons: Persons | None = None,
    ticked: Container[str] = (),
    decisions: Decisions | None = None,
) -> Path:
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
    flags : iterable of ReviewFlag
        What else should be reviewed.
    finals : dict of Final, optional
        What counts in the end; see `autograder.grading.pages.statistics.of_class`.
    nothing : dict, optional
        What there was in the place of a notebook; see `autograder.grading.pages.statistics.of_class`.
    sections : dict, optional
        Of the roster, if there is one: by student the section, or an empty text.
    persons : Persons, optional
        Of the class; without them, all are called by their ids.
    ticked : container of str
        Marks of the reasons to review that the instructor has seen to.
    decisions : Decisions, optional
        Of the class.

    Returns
    -------
    Path
        Of the page.
    """
    order = {exercise.name: number for number, exercise in enumerate(e for unit in units for e in unit.exercises)}
    records = sorted(records, key=lambda record: (record.student, order[record.exercise]))
    submissions = sorted(submissions, key=lambda submission: (submission.student, submission.unit))
    sections = sections or {}
    statistics = of_class(records, submissions, units, {*students, *sections}, nothing, finals, decisions)
    once = [one for one in submissions if not one.together or one.student == one.together[0]]  # a group's are alike
    course = Path(folder).parent
    compared = [similarity.compare(once, u.unit, official_sources(course, u.unit.id)) for u in statistics.units]
    found = [*review_flags(records, submissions, statistics), *flags, *_without_a_row(nothing or {}, submissions)]
    flags = most_urgent_first([*found, *_strangers(submissions, sections), *_by_comparison(compared)])
    alike = similarity.groups([pair for one in compared for pair in one.pairs])
    places = [(student, *place) for student, its in (nothing or {}).items() for place in its.items()]
    otherwise = {(student, unit) for student, unit, words in places if unit and words.startswith(SOMETHING_ELSE)}
    copies = {(student, one.unit) for one in compared for student in one.copies}
    files = {
        "grades.csv": tables.as_csv(tables.grades(statistics, sections, persons)),
        "report/exercises.csv": tables.as_csv(tables.exercises(statistics)),
        "report/mistakes.csv": tables.as_csv(tables.mistakes(statistics, persons)),
        "report/review.csv": tables.as_csv(tables.review(flags, persons, ticked)),
        "report/similar.csv": tables.as_csv(tables.similar(alike)),
        "report/term.csv": tables.as_csv(tables.term(of_term(statistics, sections))),
        "report/slides.md": slides(statistics, submissions),
        "report/index.html": page(records, statistics, flags, alike, sections, copies, persons, ticked, otherwise),
    }
    for name, text in files.items():
        write_atomically(Path(folder, name), text.encode(errors="backslashreplace"))
    return Path(folder, "report", "index.html")


def _strangers(submissions, sections):
    """Flag whoever hands in without being on the roster, if there is one."""
    strangers = [one for one in submissions if sections and one.student not in sections]
    return [ReviewFlag(one.student, one.unit, STRANGER) for one in strangers]


def _by_comparison(compared):
    """Flag code that is the course's own, and what is too much to be compared."""
    copies = [ReviewFlag(student, one.unit, "course's solution") for one in compared for student in one.copies]
    return copies + [ReviewFlag(student, one.unit, "much code") for one in compared for student in one.unread]


def _without_a_row(nothing, submissions):
    """Flag places without a notebook of which the table of points says nothing.

    They are of a unit that nobody has handed in, or of none that is known while nobody has handed in any.
    """
    units = {submission.unit for submission in submissions}
    return [
        ReviewFlag(student, unit, EMPTY, detail=words)
        for student, places in nothing.items()
        for unit, words in places.items()
        if (unit not in units if unit else not units)
    ]
