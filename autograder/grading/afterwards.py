"""What the instructor's commands of `course` do after grading; each returns the exit status."""

import argparse
import sys
from pathlib import Path

import autograder
from autograder.authoring.edition import NotReleased, as_zip, write_edition
from autograder.course import course_root
from autograder.decisions.reading import NAME as PLAN
from autograder.decisions.reading import read_decisions
from autograder.grading import founding, leaving, showing, summary
from autograder.grading.archive import pack
from autograder.grading.archives import as_key, note_archive
from autograder.grading.opened import Refused, opened, read, unit_ids
from autograder.grading.ticked import tick
from autograder.grading.traces import still_named
from autograder.whole_file import write_atomically

REPOSITORY = Path(autograder.__file__).resolve().parent.parent  # from which the course is installed


def tick_off(options: argparse.Namespace) -> int:
    """Tick off what was reviewed, and write the report again."""
    if not (options.student or options.unit):
        raise Refused("say whose work or which unit you have reviewed: `course tick ann`, or `course tick --unit 02`")
    with opened() as (store, gradebook):
        told = tick(store, options.student, unit_ids(options.unit), options.undo)
        page = read(store, gradebook).write_report()
    summary.tell(options, told | {"undo": options.undo, "report": str(page)}, _lines_of_ticks)
    return 0


def _lines_of_ticks(told):
    what = "Listed again" if told["undo"] else "Ticked off"
    return [f"{what}: {told['ticked']}. Left to review: {told['left']}.", f"Report: {told['report']}"]


def show_student(options: argparse.Namespace) -> int:
    """Print all that is kept of a student, and pack it where that is wanted."""
    with opened() as (store, gradebook):
        told = showing.kept_of(read(store, gradebook), store, gradebook, options.student)
        if options.into:
            showing.pack(told, store, options.into)
            store.state.note_written(options.into)
    packed = [f"Packed, with copies of the files: {options.into}"] if options.into else []
    summary.tell(options, told, lambda told: [*showing.lines_of(told), *packed])
    return 0


def forget_student(options: argparse.Namespace) -> int:
    """Delete all that is kept of a student, and say where the name may still stand."""
    with opened() as (store, gradebook):
        if not options.yes:
            _confirm(f"Delete all that is kept of {options.student}? This cannot be undone. [y/N] ")
        deleted, names = leaving.forget(store, gradebook, options.student)
        page = read(store, gradebook).write_report()
        named = still_named(store, names)
    told = {"forgotten": options.student, "deleted": deleted, "still_named_in": named}
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
        if options.key:
            write_atomically(Path(options.key), as_key(names))
            Path(options.key).chmod(0o600)
        note_archive(store, options.file, options.key)
        missing = whole.disagreements()
    told = {"archive": options.file, "students": len(names), "key": options.key, "missing": missing}
    summary.tell(options, told, _lines_of_archive)
    return 1 if missing else 0


def _lines_of_archive(told):
    key = f"Who is who: {told['key']}. Keep it apart." if told["key"] else "Nobody can tell any more who is who."
    packed = f"Packed {told['students']} students into {told['archive']}, with pseudonyms."
    return [packed, key, *summary.lines_of_missing(told)]


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
        verdicts = founding.verdicts_that_change(read(store, gradebook), store.secret())
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
    decisions = read_decisions(root)
    source = options.source or (REPOSITORY if is_own else root)
    try:
        write_edition(source, folder, root / "notebooks" if is_own else None, decisions)
    except FileExistsError:
        raise Refused(f"{folder} exists already. Choose another name.") from None
    except NotReleased as why:
        raise Refused(str(why)) from None
    if options.zip:
        as_zip(folder, folder.with_name(f"{folder.name}.zip"))
    solutions = {unit: time.isoformat() for unit, time in decisions.solutions.items()}
    summary.tell(options, {"edition": str(folder), "zip": options.zip, "solutions": solutions}, _lines_of_edition)
    return 0


def _lines_of_edition(told):
    packed = f", and as {told['edition']}.zip" if told["zip"] else ""
    return [
        f"The learners' edition is in {told['edition']}{packed}.",
        *(f"The solutions of {unit} open at {time}." for unit, time in told["solutions"].items()),
        *([] if told["solutions"] else ["It holds no solutions; course.toml can say when they open."]),
        "What a learner can still find in it: docs/instructors.md, Release.",
    ]
