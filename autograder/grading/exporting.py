"""What `course export` does: the points of a class, and its pages, as a platform takes them back."""

import argparse
from pathlib import Path

from autograder.grading import summary
from autograder.grading.export import ilias
from autograder.grading.export.feedback import write_feedback
from autograder.grading.export.kept_columns import keep_columns, offered
from autograder.grading.export.people import rows
from autograder.grading.export.platforms import PLATFORMS
from autograder.grading.export.points import columns, weighted
from autograder.grading.opened import Refused, opened, read, unit_ids
from autograder.whole_file import write_atomically

WEIGHTED = "weighted"  # in place of a unit


def export_points(options: argparse.Namespace) -> int:
    """Write the points of a class, and the feedback, as a platform takes them back."""
    named = _names_of_columns(options.column)
    with opened() as (store, gradebook):
        names = keep_columns(store, options.to, named)
        whole = read(store, gradebook)
        whole.write_report()  # the pages, too, say what counts
        wanted = unit_ids(options.unit)
        found = columns(whole, wanted, names, options.exercises)
        if not found:
            raise Refused("nothing of that has been graded yet.")
        units = dict.fromkeys(column.unit for column in found)
        found += _weighted(options, whole, names)
        folder = Path(options.into) if options.into else store.folder / "export"
        people = rows(whole)
        made = PLATFORMS[options.to](people, found)
        for one in made:
            write_atomically(folder / one.name, one.text.encode(one.encoding))
        store.state.note_written(*(folder / one.name for one in made))
        feedback = _feedback(options, whole, folder, units, people, made)
        store.state.note_written(*feedback)
        missing = whole.disagreements()
        offers = [*offered(store, options.to, units), *_not_on_the_roster(whole, made)]
    told = {"files": {str(folder / one.name): one.missing for one in made}, "feedback": feedback, "missing": missing}
    told |= {"columns": offers, "remarks": whole.remarks}
    summary.tell(options, told, _lines_of_export)
    return 1 if missing or any(_has_points(found, one.missing) for one in made) else 0


def _names_of_columns(given):
    """Return the names of columns by unit, from texts such as "02=Homework 2 (4711)"."""
    pairs = [text.partition("=") for text in given or ()]
    if not all(sign and name.strip() for _, sign, name in pairs):
        raise Refused("--column expects a unit and a name, such as 02='Homework 2 (4711)'")
    return {unit if unit == WEIGHTED else unit_ids([unit])[0]: name.strip() for unit, _, name in pairs}


def _weighted(options, whole, names):
    """Return the column of the weighted percents in a list, if it is wanted."""
    if not options.weighted:
        return []
    if not whole.decisions.weights:
        raise Refused("no unit has a weight: give some in course.toml, or leave out --weighted")
    return [weighted(whole, names.get(WEIGHTED, ""))]


def _not_on_the_roster(whole, made):
    """Say who is in the files and not on the roster: a platform may not know them any more."""
    missing = {student for one in made for student in one.missing}
    strangers = [id for id in whole.students if whole.sections and id not in whole.sections and id not in missing]
    if not strangers:
        return []
    return [f"Not on the roster, and in the file: {', '.join(sorted(strangers))}. The platform may not know them."]


def _feedback(options, whole, folder, units, people, made):
    """Write the zips of pages; return by file the number of pages, and who is not in it."""
    if not options.feedback:
        return {}
    paths = {unit: folder / f"{options.to}-feedback-{unit}.zip" for unit in units}
    if options.to != "ilias":
        return {str(path): write_feedback(whole, unit, path) for unit, path in paths.items()}
    texts = {one.name: one.text for one in made}
    found = {}
    for unit, path in paths.items():  # with the marks, which ILIAS takes by the same way
        top = f"{ilias.TOP}{unit}"
        folders = {one.student: f"{top}/{own}" for one in people if (own := ilias.folder_of(one))}
        beside = {f"{top}/{ilias.STATUS}": texts[f"ilias-{unit}/{ilias.STATUS}"]}
        found[str(path)] = write_feedback(whole, unit, path, folders, beside)
    return found


def _has_points(columns, students):
    return any(column.points.get(student) for column in columns for student in students)


def _lines_of_export(told):
    lines = []
    for path, missing in told["files"].items():
        lines += [
            f"Points: {path}",
            *_missing(missing, "the platform's id is not known (see --roster of `course grade`)"),
        ]
    for path, (count, missing) in told["feedback"].items():
        lines += [f"Feedback: {path} ({count} pages)" if count else "Feedback: no submission came from a platform."]
        lines += _missing(missing, "handed in by another way; the pages are in classroom/feedback")
    return lines + told["columns"] + summary.lines_of_remarks(told) + summary.lines_of_missing(told)


def _missing(students, why):
    return [f"  Not in it: {', '.join(students)}: {why}."] if students else []
