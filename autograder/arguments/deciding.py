"""What sets a decision of the class."""

import argparse

from autograder.arguments.options import Commands, add_json

SET = """\
Set one decision in course.toml, and leave its comments and its layout as they are. Nothing is written where it has no
meaning. Without a key, all that is set is listed.
"""
EXAMPLES = """\
examples:
  course set 02.due 2026-12-04T23:59:00+01:00     when unit 02 is due
  course set 02.without softmax_jacobian          exercises that do not count
  course set 02.points.softmax 4                  the points of an exercise
  course set late.percent_per_day 10              what lateness costs
  course set extensions.ann.02 2                  two days more, or another time
  course set excused.bob.02 ill                   somebody of whom a unit is not asked
  course set adjust.softmax "leaves its input alone" "whoever handed in"
  course set left.eve 2026-11-20T00:00:00+01:00   somebody who has left the course
  course set --remove excused.bob.02
"""


def add(commands: Commands) -> None:
    """Add the parser of this group."""
    one = commands.add_parser(
        "set",
        help="set a decision in course.toml, or list what is set",
        description=SET,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument("key", nargs="?", metavar="KEY", help="such as 02.due; a wrong one is told with the valid ones")
    one.add_argument("value", nargs="*", metavar="VALUE")
    one.add_argument("--remove", action="store_true", help="take it out of the file")
    add_json(one)
