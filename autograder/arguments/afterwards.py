"""What comes after grading: the way back to a platform, the list to review, and what is kept of people."""

from autograder.arguments.options import Commands, add_json, add_unit

EXPORT = "Write the points that count, with the ids that the platform knows, and the learners' pages."
TICK = "Take what you have seen to off the report's list of submissions to review. A new reason is listed again."
SHOW = "Print all that is kept of a student: for somebody who asks for their own data, or before they are forgotten."
FORGET = "Delete all that is kept of a student: submissions, verdicts, pages, points, and the line of the roster."
ARCHIVE = "Pack the points, verdicts and mistakes of a term, without names and without anything that students wrote."
PLATFORMS = ("canvas", "moodle", "brightspace", "blackboard", "ilias", "csv")
STUDENT = "of the student, as grades.csv has it"


def add(commands: Commands) -> None:
    """Add the parsers of this group."""
    _add_export(commands)
    tick = commands.add_parser("tick", help="tick off in the report what you have reviewed", description=TICK)
    tick.add_argument("student", nargs="*", metavar="ID", help="of a student, as grades.csv has it (default: all)")
    add_unit(tick)
    tick.add_argument("--undo", action="store_true", help="list it again")
    show = commands.add_parser("show", help="print all that is kept of a student", description=SHOW)
    show.add_argument("student", metavar="ID", help=STUDENT)
    show.add_argument("--into", metavar="FILE.zip", help="also pack it, with copies of the student's files")
    forget = commands.add_parser("forget", help="delete all that is kept of a student", description=FORGET)
    forget.add_argument("student", metavar="ID", help=STUDENT)
    forget.add_argument("--yes", action="store_true", help="do not ask")
    archive = commands.add_parser(
        "archive", help="pack a term into one file, with pseudonyms in place of students", description=ARCHIVE
    )
    archive.add_argument("file", metavar="FILE.zip", help="the file that is written")
    archive.add_argument("--key", metavar="FILE.csv", help="also write who is who; without it nobody can tell")
    for command in (tick, show, forget, archive):
        add_json(command)


def _add_export(commands):
    export = commands.add_parser(
        "export",
        help="write points and feedback as Canvas, Moodle, Brightspace, Blackboard or ILIAS take them back",
        description=EXPORT,
    )
    export.add_argument("--to", required=True, choices=PLATFORMS)
    export.add_argument("--into", metavar="FOLDER", help="where the files go (default: classroom/export)")
    add_unit(export)
    export.add_argument("--exercises", action="store_true", help="a column for each exercise, in place of each unit")
    export.add_argument("--weighted", action="store_true", help="also the weighted percent, where units have weights")
    export.add_argument(
        "--column", action="append", metavar="NN=NAME", help="what the platform calls a unit, or weighted=NAME; kept"
    )
    export.add_argument("--feedback", action="store_true", help="also the learners' pages, as the zip to upload")
    add_json(export)
