"""What grades a class, and shows the sandbox."""

import argparse

from autograder.arguments.options import Commands, add_json, add_sandbox, add_unit, add_where

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
EXAMPLES = """\
examples:
  course grade                                 the submissions that nbgrader has collected
  course grade ~/Downloads/week2 --unit 02     one unit, out of zip files
  course grade week2.zip --roster grades.csv   one zip, and who is in the class
  course grade --student ann --force           one student again
  course grade --dask tcp://10.0.0.5:8786      on a cluster whose workers have this package installed

exit status: 0 when all that was handed in has its verdict, 1 when not, 2 for a mistake in the command.
"""
SANDBOX = "Run the self-test of the sandbox and print what it found. Exit status 1 when nothing can be used."


def add(commands: Commands) -> None:
    """Add the parsers of this group, but for that of the sandbox."""
    grade = commands.add_parser(
        "grade",
        help="grade what a class handed in: gradebook, feedback pages, grades table, class report",
        description=GRADE,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    grade.add_argument(
        "submissions", nargs="?", metavar="SUBMISSIONS", help="the folder or zip (default: classroom/submitted)"
    )
    _add_which(grade.add_argument_group("which submissions"))
    where = grade.add_argument_group("where it runs")
    add_where(where, "one student")
    where.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, instead of processes on this machine")
    add_json(grade)
    report = commands.add_parser(
        "report",
        help="write the grades table and the class report again",
        description="Write grades.csv and report/ again.",
    )
    report.add_argument(
        "--let-go", action="store_true", help="stop telling what people gave in a gradebook that is lost: it is gone"
    )
    add_json(report)


def add_sandbox_command(commands: Commands) -> None:
    """Add the parser of `course sandbox`, which comes last."""
    sandbox = commands.add_parser(
        "sandbox", help="show how submissions are isolated from the rest of this machine", description=SANDBOX
    )
    add_sandbox(sandbox)
    add_json(sandbox)


def _add_which(group):
    add_unit(group)
    group.add_argument("--student", action="append", metavar="ID", help="only this student; may be repeated")
    group.add_argument("--force", action="store_true", help="grade again what already has a verdict")
    group.add_argument(
        "--older", action="store_true", help="let an older attempt count, or one with fewer points that may be older"
    )
    group.add_argument("--dry-run", action="store_true", help="print what would be graded, and write nothing")
    group.add_argument(
        "--roster",
        action="append",
        metavar="FILE",
        help="CSV of who is in the class, as a platform exports it; kept for later; repeat it for two sections",
    )
    group.add_argument(
        "--together", metavar="COLUMN", help="of the roster: who has the same entry there hands in together"
    )
