"""The command `course`: a learner's JupyterLab and progress; a class's grading and report; this machine's sandbox."""

import argparse
import os
import sys

DESCRIPTION = """\
The building blocks of the Transformer: what learners and instructors need beside the notebooks.
Run it anywhere in the course's folder. `course grade --help` explains the options.
"""
COMMANDS = {
    "lab": "open the course in JupyterLab; what follows is for JupyterLab, such as --no-browser",
    "progress": "show a learner's progress: points, open exercises, mistakes, time left",
    "reset": "set one unit of a learner back to its beginning, and keep a copy",
    "grade": "grade what a class handed in: gradebook, feedback pages, grades table, class report",
    "report": "write the grades table and the class report once more",
    "sandbox": "show what keeps submissions apart from the rest of this machine",
}
GRADE = """\
Grade what a class handed in.

SUBMISSIONS is a folder with
  student/unit/unit.ipynb      as nbgrader collects them (classroom/submitted, if you name no folder), or
  alice.zip, bob.zip, ...      as a learning platform exports them, also one zip for all, or
  alice_02_....ipynb, ...      single notebooks.

Everything is written into the folder classroom: autograded notebooks, feedback/student/unit/unit.html, gradebook.db
of nbgrader, grades.csv and report/index.html. What has its verdict is not graded again: run the command as often as
you like, also after it was interrupted.
"""
EXAMPLES = """\
examples:
  course grade                                 the submissions that nbgrader has collected
  course grade ~/Downloads/week2 --unit 02     one unit, out of zip files
  course grade --student ann --force           one student once more
  course grade --dask tcp://10.0.0.5:8786      on a cluster whose workers have this package installed

exit status: 0 when every submission has its verdict, 1 when not, 2 for a mistake in the command.
"""


def parser():
    """Return the parser of the command line."""
    top = argparse.ArgumentParser("course", description=DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    commands.add_parser("lab", help=COMMANDS["lab"], add_help=False)
    _add_learners(commands)
    _add_grade(commands)
    report = commands.add_parser("report", help=COMMANDS["report"], description="Write grades.csv and report/ again.")
    _add_json(report)
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
    for command in (progress, reset):
        command.add_argument("--folder", metavar="PATH", help="the folder of the notebooks, or of the library")
    _add_json(progress)


def _add_grade(commands):
    grade = commands.add_parser(
        "grade",
        help=COMMANDS["grade"],
        description=GRADE,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    grade.add_argument(
        "submissions", nargs="?", metavar="SUBMISSIONS", help="the folder (default: classroom/submitted)"
    )
    which = grade.add_argument_group("which submissions")
    which.add_argument("--unit", action="append", metavar="NN", help="only this unit, such as 02; may be repeated")
    which.add_argument("--student", action="append", metavar="ID", help="only this student; may be repeated")
    which.add_argument("--force", action="store_true", help="grade again what has its verdict already")
    which.add_argument("--dry-run", action="store_true", help="say what would be graded, and write nothing")
    where = grade.add_argument_group("where it runs")
    where.add_argument("--jobs", type=_count, metavar="N", help="processes (default: one for each processor)")
    where.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, in place of processes of this machine")
    _add_sandbox(where)
    where.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run the code with your own rights; refused for more than one student",
    )
    _add_json(grade)


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


def main(arguments=None):
    """Run a command; return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["lab"]:  # its options are JupyterLab's
        from autograder import lab

        return lab.main(arguments[1:])
    options = parser().parse_args(arguments)
    actions, expected = _learners() if options.command in ("progress", "reset") else _instructors()
    try:
        return actions[options.command](options)
    except expected as error:
        print(f"course {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command to go on; what is done stays done.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # such as `course ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _learners():
    """Return the actions of a learner's commands, and the errors that are told in words."""
    from autograder.bench import commands

    return {"progress": commands.progress, "reset": commands.reset_unit}, commands.EXPECTED


def _instructors():
    """Return the actions of an instructor's commands, and the errors that are told in words."""
    # With this optional part jsonschema builds grammars of addresses, which no notebook holds, for a second.
    sys.modules.setdefault("rfc3987_syntax", None)
    from autograder.grading import commands  # nbgrader comes with it

    actions = {"grade": commands.grade, "report": commands.report_again, "sandbox": commands.show_sandbox}
    return actions, commands.EXPECTED


if __name__ == "__main__":
    sys.exit(main())
