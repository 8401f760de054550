"""What the instructor's commands of `course` do after grading; each returns the exit status."""

import argparse
import sys
from pathlib import Path

import autograder
from autograder.authoring.edition import NotReleased, as_zip, write_edition
from autograder.course import course_root
from autograder.grading import founding, leaving, summary
from autograder.grading.archive import as_key, pack
from autograder.grading.export.feedback import write_feedback
from autograder.grading.export.people import rows
from autograder.grading.export.platforms import PLATFORMS
from autograder.grading.export.points import columns
from autograder.grading.opened import Refused, opened, read, unit_ids
from autograder.grading.plan import NAME as PLAN
from autograder.grading.plan import read_plan
from autograder.judge.seeds import read_secret
from autograder.whole_file import write_atomically

REPOSITORY = Path(autograder.__file__).resolve().parent.parent  # from which the course is installed


def forget_student(options: argparse.Namespace) -> int:
    """Delete all that is kept of a student, and say where the name may still stand."""
    with opened() as (store, gradebook):
        if not options.yes:
            _confirm(f"Delete all that is kept of {options.student}? This cannot be undone. [y/N] ")
        deleted, names = leaving.forget(store, gradebook, options.student)
        page = read(store, gradebook).write_report()
    told = {"forgotten": options.student, "deleted": deleted, "still_named_in": leaving.still_named(store, names)}
    summary.tell(options, told | {"report": str(page)}, _lines_of_forgetting)
    return 0


def _lines_of_forgetting(told):
    lines = [f"Forgotten: {told['forgotten']}. Deleted:", *(f"  {one}" for one in told["deleted"])]
    if told["still_named_in"]:
        lines += ["The name still stands in these files; look whether it is the same person:"]
        lines += [f"  {name}" for name in told["still_named_in"]]
    return [*lines, "Delete what you have yourself: downloaded zips, mails, backups, exported grades."]


def _confirm(question):
    print(question, end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise Refused("nothing was deleted.")


def archive_term(options: argparse.Namespace) -> int:
    """Pack a term with pseudonyms."""
    with opened() as (store, gradebook):
        whole = read(store, gradebook)
        if not whole.committed:
            raise Refused("nothing has been graded yet.")
        names = pack(whole, options.file)
        missing = whole.disagreements()
    if options.key:
        write_atomically(Path(options.key), as_key(names))
        Path(options.key).chmod(0o600)
    told = {"archive": options.file, "students": len(names), "key": options.key, "missing": missing}
    summary.tell(options, told, _lines_of_archive)
    return 1 if missing else 0


def _lines_of_archive(told):
    key = f"Who is who: {told['key']}. Keep it apart." if told["key"] else "Nobody can tell any more who is who."
    packed = f"Packed {told['students']} students into {told['archive']}, with pseudonyms."
    return [packed, key, *summary.lines_of_missing(told)]


def export_points(options: argparse.Namespace) -> int:
    """Write the points of a class, and the feedback, as a platform takes them back."""
    names = _names_of_columns(options.column)
    with opened() as (store, gradebook):
        whole = read(store, gradebook)
        whole.write_report()  # the pages, too, say what counts
        wanted = unit_ids(options.unit)
        found = columns(whole, wanted, names, options.exercises)
        if not found:
            raise Refused("nothing of that has been graded yet.")
        folder = Path(options.into) if options.into else store.folder / "export"
        made = PLATFORMS[options.to](rows(whole), found)
        for one in made:
            write_atomically(folder / one.name, one.text.encode(one.encoding))
        feedback = _feedback(options, whole, folder, dict.fromkeys(column.unit for column in found))
        missing = whole.disagreements()
    told = {"files": {str(folder / one.name): one.missing for one in made}, "feedback": feedback, "missing": missing}
    summary.tell(options, told, _lines_of_export)
    return 1 if missing or any(_has_points(found, one.missing) for one in made) else 0


def _names_of_columns(given):
    """Return the names of columns by unit, from texts such as "02=Homework 2 (4711)"."""
    pairs = [text.partition("=") for text in given or ()]
    if not all(sign and name.strip() for _, sign, name in pairs):
        raise Refused("--column expects a unit and a name, such as 02='Homework 2 (4711)'")
    return {unit_ids([unit])[0]: name.strip() for unit, _, name in pairs}


def _feedback(options, whole, folder, units):
    """Write the zips of pages; return by file the number of pages, and who is not in it."""
    if not options.feedback:
        return {}
    paths = {unit: folder / f"{options.to}-feedback-{unit}.zip" for unit in units}
    return {str(path): write_feedback(whole, unit, path) for unit, path in paths.items()}


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
    return lines + summary.lines_of_missing(told)


def _missing(students, why):
    return [f"  Not in it: {', '.join(students)}: {why}."] if students else []


def init_course(options: argparse.Namespace) -> int:
    """Make a course folder."""
    founding.found(options.name, options.source or course_root(), unit_ids(options.unit))
    summary.tell(options, {"course": str(Path(options.name).resolve())}, _lines_of_init)
    return 0


def _lines_of_init(told):
    return [
        f"Made: {told['course']}, readable for you alone.",
        "Next: see its README.md, say in course.toml when units are due, and run all other commands there.",
    ]


def update_course(options: argparse.Namespace) -> int:
    """Bring a course folder to the version of the course that is installed."""
    changed = founding.update(course_root(), options.source or REPOSITORY)
    with opened() as (store, gradebook):
        verdicts = founding.verdicts_that_change(read(store, gradebook), read_secret(store.folder / "secret"))
    summary.tell(options, {"files": changed, "verdicts": verdicts}, _lines_of_update)
    return 0


def _lines_of_update(told):
    lines = [f"{len(told['files'])} files have changed.", *(f"  {name}" for name in told["files"])]
    if told["verdicts"]:
        lines += ["The next `course grade` finds these verdicts anew:"]
        lines += [f"  {exercise}: {count}" for exercise, count in told["verdicts"].items()]
    else:
        lines += ["No verdict that has been given changes."]
    undo = "To undo it: git revert HEAD, and install the version of before; its verdicts are kept."
    return [*lines, undo] if told["files"] else lines


def make_edition(options: argparse.Namespace) -> int:
    """Write the learners' edition."""
    folder = Path(options.folder).resolve()
    root = course_root()
    is_own = (root / PLAN).is_file()
    opens = read_plan(root).solutions
    source = options.source or (REPOSITORY if is_own else root)
    try:
        write_edition(source, folder, root / "notebooks" if is_own else None, opens)
    except FileExistsError:
        raise Refused(f"{folder} exists already. Choose another name.") from None
    except NotReleased as why:
        raise Refused(str(why)) from None
    if options.zip:
        as_zip(folder, folder.with_name(f"{folder.name}.zip"))
    solutions = {unit: time.isoformat() for unit, time in opens.items()}
    summary.tell(options, {"edition": str(folder), "zip": options.zip, "solutions": solutions}, _lines_of_edition)
    return 0


def _lines_of_edition(told):
    packed = f", and as {told['edition']}.zip" if told["zip"] else ""
    return [
        f"The learners' edition is in {told['edition']}{packed}. It is for this version of Python.",
        *(f"The solutions of {unit} open at {time}." for unit, time in told["solutions"].items()),
        *([] if told["solutions"] else ["It holds no solutions; course.toml can say when they open."]),
        "What a learner can still find in it: docs/instructors.md, Release.",
    ]
