"""The command `course`: a learner's JupyterLab and progress; a class's grading and report; this machine's sandbox."""

import argparse
import os
import sys
import time

from autograder.file_errors import told

DESCRIPTION = """\
The building blocks of the Transformer: what learners and instructors need beside the notebooks.
Run it anywhere in the course's folder. `course grade --help` explains the options.
"""
COMMANDS = {
    "lab": "open the course in JupyterLab; what follows is for JupyterLab, such as --no-browser",
    "progress": "show a learner's progress: points, open exercises, mistakes, time left",
    "reset": "set one unit of a learner back to its beginning, and keep a copy",
    "export-library": "write your functions as one Python file that translates and invents definitions anywhere",
    "init": "make a course folder of your own for a class",
    "update": "bring a course folder to the version of the course that is installed",
    "edition": "write the learners' edition: the course without its solutions",
    "grade": "grade what a class handed in: gradebook, feedback pages, grades table, class report",
    "report": "write the grades table and the class report again",
    "tick": "tick off in the report what you have reviewed",
    "export": "write points and feedback as Canvas, Moodle, Brightspace or Blackboard take them back",
    "show": "print all that is kept of a student",
    "forget": "delete all that is kept of a student",
    "archive": "pack a term into one file, with pseudonyms in place of students",
    "sandbox": "show how submissions are isolated from the rest of this machine",
}
LEARNERS = ("progress", "reset", "export-library")
GRADE = """\
Grade what a class handed in.

SUBMISSIONS is a folder with
  student/unit/unit.ipynb      as nbgrader collects them (classroom/submitted, if you name no folder), or
  alice.zip, bob.zip, ...      as a learning platform exports them, or
  alice_02_....ipynb, ...      single notebooks.
It may also be one zip with the work of the whole class.

Everything is written into the folder classroom: autograded notebooks, feedback/student/unit/unit.html, gradebook.db
of nbgrader, grades.csv and report/index.html. What has a verdict is not graded again: run the command as often as
you like, even after an interruption.
"""
TAKE_HOME = "Write all functions of your library as one file that runs alone, with what the models have learned."
EXPORT = "Write the points that count, with the ids that the platform knows, and the learners' pages."
INIT = "Make a folder for a class: the notebooks, course.toml, nbgrader's settings, a roster to fill in, and git."
UPDATE = "Renew the notebooks in a course folder, and say which verdicts change. What belongs to the class stays."
EDITION = "Write the course without the instructor's notebooks, and without the source of its answers."
TICK = "Take what you have seen to off the report's list of submissions to review. A new reason is listed again."
SHOW = "Print all that is kept of a student: for somebody who asks for their own data, or before they are forgotten."
FORGET = "Delete all that is kept of a student: submissions, verdicts, pages, points, and the line of the roster."
ARCHIVE = "Pack the points, verdicts and mistakes of a term, without names and without anything that students wrote."
EXAMPLES = """\
examples:
  course grade                                 the submissions that nbgrader has collected
  course grade ~/Downloads/week2 --unit 02     one unit, out of zip files
  course grade week2.zip --roster grades.csv   one zip, and who is in the class
  course grade --student ann --force           one student again
  course grade --dask tcp://10.0.0.5:8786      on a cluster whose workers have this package installed

exit status: 0 when all that was handed in has its verdict, 1 when not, 2 for a mistake in the command.
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser("course", description=DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    commands.add_parser("lab", help=COMMANDS["lab"], add_help=False)
    _add_learners(commands)
    _add_founding(commands)
    _add_grade(commands)
    report = commands.add_parser("report", help=COMMANDS["report"], description="Write grades.csv and report/ again.")
    report.add_argument(
        "--let-go", action="store_true", help="stop telling what people gave in a gradebook that is lost: it is gone"
    )
    _add_json(report)
    _add_afterwards(commands)
    sandbox = commands.add_parser(
        "sandbox",
        help=COMMANDS["sandbox"],
        description="Run the self-test of the sandbox and print what it found. Exit status 1 when nothing can be used.",
    )
    _add_sandbox(sandbox)
    _add_json(sandbox)
    return top


def _add_learners(commands):
    progress = commands.add_parser("progress", help=COMMANDS["progress"], description="Show a learner's progress.")
    reset = commands.add_parser(
        "reset",
        help=COMMANDS["reset"],
        description="Set the notebook, the library file and the progress of a unit back. All three are copied first.",
    )
    reset.add_argument("unit", metavar="NN", help="number of the unit, such as 02")
    reset.add_argument("--yes", action="store_true", help="do not ask")
    take_home = commands.add_parser("export-library", help=COMMANDS["export-library"], description=TAKE_HOME)
    take_home.add_argument(
        "file", nargs="?", default="my_transformer.py", metavar="FILE.py", help="default: my_transformer.py"
    )
    for command in (progress, reset, take_home):
        command.add_argument("--folder", metavar="PATH", help="the folder of the notebooks, or of the library")
    _add_json(progress)


def _add_founding(commands):
    init = commands.add_parser("init", help=COMMANDS["init"], description=INIT)
    init.add_argument("name", metavar="NAME", help="the folder to make")
    init.add_argument("--unit", action="append", metavar="NN", help="a unit of the class; may be repeated")
    update = commands.add_parser("update", help=COMMANDS["update"], description=UPDATE)
    edition = commands.add_parser("edition", help=COMMANDS["edition"], description=EDITION)
    edition.add_argument("folder", metavar="FOLDER", help="the folder to make")
    edition.add_argument("--zip", action="store_true", help="also pack it into FOLDER.zip")
    for command in (init, update, edition):
        command.add_argument("--from", dest="source", metavar="FOLDER", help="the repository of the course")
        _add_json(command)


def _add_grade(commands):
    grade = commands.add_parser(
        "grade",
        help=COMMANDS["grade"],
        description=GRADE,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    grade.add_argument(
        "submissions", nargs="?", metavar="SUBMISSIONS", help="the folder or zip (default: classroom/submitted)"
    )
    which = grade.add_argument_group("which submissions")
    which.add_argument("--unit", action="append", metavar="NN", help="only this unit, such as 02; may be repeated")
    which.add_argument("--student", action="append", metavar="ID", help="only this student; may be repeated")
    which.add_argument("--force", action="store_true", help="grade again what already has a verdict")
    which.add_argument(
        "--older", action="store_true", help="let an older attempt count, or one with fewer points that may be older"
    )
    which.add_argument("--dry-run", action="store_true", help="print what would be graded, and write nothing")
    which.add_argument(
        "--roster",
        action="append",
        metavar="FILE",
        help="CSV of who is in the class, as a platform exports it; kept for later; repeat it for two sections",
    )
    which.add_argument(
        "--together", metavar="COLUMN", help="of the roster: who has the same entry there hands in together"
    )
    where = grade.add_argument_group("where it runs")
    where.add_argument("--jobs", type=_count, metavar="N", help="processes (default: one for each processor)")
    where.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, instead of processes on this machine")
    _add_sandbox(where)
    where.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run the code with your own rights; refused for more than one student",
    )
    _add_json(grade)


def _add_afterwards(commands):
    export = commands.add_parser("export", help=COMMANDS["export"], description=EXPORT)
    export.add_argument("--to", required=True, choices=("canvas", "moodle", "brightspace", "blackboard", "csv"))
    export.add_argument("--into", metavar="FOLDER", help="where the files go (default: classroom/export)")
    export.add_argument("--unit", action="append", metavar="NN", help="only this unit, such as 02; may be repeated")
    export.add_argument("--exercises", action="store_true", help="a column for each exercise, in place of each unit")
    export.add_argument("--weighted", action="store_true", help="also the weighted percent, where units have weights")
    export.add_argument(
        "--column", action="append", metavar="NN=NAME", help="what the platform calls a unit, or weighted=NAME; kept"
    )
    export.add_argument("--feedback", action="store_true", help="also the learners' pages, as the zip to upload")
    tick = commands.add_parser("tick", help=COMMANDS["tick"], description=TICK)
    tick.add_argument("student", nargs="*", metavar="ID", help="of a student, as grades.csv has it (default: all)")
    tick.add_argument("--unit", action="append", metavar="NN", help="only this unit, such as 02; may be repeated")
    tick.add_argument("--undo", action="store_true", help="list it again")
    show = commands.add_parser("show", help=COMMANDS["show"], description=SHOW)
    show.add_argument("student", metavar="ID", help="of the student, as grades.csv has it")
    show.add_argument("--into", metavar="FILE.zip", help="also pack it, with copies of the student's files")
    forget = commands.add_parser("forget", help=COMMANDS["forget"], description=FORGET)
    forget.add_argument("student", metavar="ID", help="of the student, as grades.csv has it")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    archive = commands.add_parser("archive", help=COMMANDS["archive"], description=ARCHIVE)
    archive.add_argument("file", metavar="FILE.zip", help="the file that is written")
    archive.add_argument("--key", metavar="FILE.csv", help="also write who is who; without it nobody can tell")
    for command in (export, tick, show, forget, archive):
        _add_json(command)


def _add_sandbox(group):
    group.add_argument(
        "--sandbox",
        choices=("bubblewrap", "landlock", "podman", "docker"),
        help="use this one (default: the first that passes its self-test)",
    )


def _add_json(group):
    group.add_argument("--json", action="store_true", help="print the outcome as JSON and nothing else")


def _count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of processes, at least 1, got {text}")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["lab"]:  # its options belong to JupyterLab
        from autograder.learner.terminal import lab

        lab.main(arguments[1:])
        return 0
    os.environ["PYTHONSAFEPATH"] = "1"  # no process imports from the current folder, where submissions may lie
    options = parser().parse_args(arguments, argparse.Namespace(started=time.monotonic()))  # before slow imports
    actions, expected = _learners() if options.command in LEARNERS else _instructors()
    try:
        return actions[options.command](options)
    except expected as error:
        print(f"course {options.command}: {told(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command to go on; what is done stays done.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # such as `course ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _learners():
    """Return the actions of a learner's commands, and the errors that are reported as a sentence."""
    from autograder.learner.terminal import commands

    actions = {"progress": commands.show_progress, "reset": commands.reset_unit}
    return actions | {"export-library": commands.export_library}, commands.EXPECTED


def _instructors():
    """Return the actions of an instructor's commands, and the errors that are reported as a sentence."""
    # With this optional package jsonschema spends a second on grammars for addresses, which no notebook holds.
    sys.modules.setdefault("rfc3987_syntax", None)
    from autograder.grading import afterwards, commands, exporting  # nbgrader comes with it

    actions = {"grade": commands.grade, "report": commands.rewrite_report, "sandbox": commands.show_sandbox}
    actions |= {
        "init": afterwards.init_course,
        "update": afterwards.update_course,
        "edition": afterwards.make_edition,
        "export": exporting.export_points,
        "tick": afterwards.tick_off,
        "show": afterwards.show_student,
        "forget": afterwards.forget_student,
        "archive": afterwards.archive_term,
    }
    return actions, commands.EXPECTED


if __name__ == "__main__":
    sys.exit(main())
