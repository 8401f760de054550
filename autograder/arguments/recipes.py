"""What writes the files with which the course grades elsewhere."""

import argparse

from autograder.arguments.options import Commands, add_json

RECIPE = """\
Write what the course needs to grade elsewhere.

  ci           a workflow for a repository of learners (GitHub Actions), which shows points and reports
  gradescope   an autograder for Gradescope, with a copy of the course
  container    a container of the course for Podman or Docker, whose command is `course grade`

What is there already is replaced with --force only. The command says what it has written, and what to do next.
"""
NAMES = ("ci", "gradescope", "container")


def add(commands: Commands) -> None:
    """Add the parser of this group."""
    recipe = commands.add_parser(
        "recipe",
        help="write what the course needs to grade in a workflow, on Gradescope or in a container",
        description=RECIPE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    recipe.add_argument("recipe", choices=NAMES, metavar="RECIPE", help=", ".join(NAMES))
    recipe.add_argument(
        "folder",
        nargs="?",
        metavar="FOLDER",
        help="where the files go (default: this folder for ci, or else a folder of that name in classroom)",
    )
    recipe.add_argument("--unit", action="append", metavar="NN", help="what is to be judged; may be repeated")
    recipe.add_argument("--force", action="store_true", help="replace what is there")
    recipe.add_argument("--from", dest="source", metavar="FOLDER", help="the repository of the course")
    add_json(recipe)
