"""What judges single notebooks."""

import argparse

from autograder.arguments.options import Commands, add_where

JUDGE = """\
Judge single notebooks, without the folder of a class: print the points of every exercise as a table, and the report
on each. Nothing is kept but the file that --json names.

The code of the notebooks runs in the same sandbox as with `course grade`.
"""
EXAMPLES = """\
examples:
  course judge 02_scaled_dot_product_attention.ipynb
  course judge week2/*.ipynb --json points.json

exit status: 0 when every notebook was judged, whatever its points; 1 when one could not be; 2 for a mistake in the
command.
"""


def add(commands: Commands) -> None:
    """Add the parser of this group."""
    judge = commands.add_parser(
        "judge",
        help="judge single notebooks, without the folder of a class: points and reports",
        description=JUDGE,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    judge.add_argument("notebook", nargs="+", metavar="NOTEBOOK", help="a notebook of any unit")
    judge.add_argument("--json", metavar="FILE", help="also write points, claims and reports into a file, as JSON")
    add_where(judge, "one notebook")
