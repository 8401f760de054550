"""What a learner runs."""

from autograder.arguments.options import Commands, add_json

NAMES = ("progress", "reset", "export-library")
RESET = "Set the notebook, the library file and the progress of a unit back. All three are copied first."
TAKE_HOME = "Write all functions of your library as one file that runs alone, with what the models have learned."


def add(commands: Commands) -> None:
    """Add the parsers of this group."""
    progress = commands.add_parser(
        "progress",
        help="show a learner's progress: points, open exercises, mistakes, time left",
        description="Show a learner's progress.",
    )
    reset = commands.add_parser(
        "reset", help="set one unit of a learner back to its beginning, and keep a copy", description=RESET
    )
    reset.add_argument("unit", metavar="NN", help="number of the unit, such as 02")
    reset.add_argument("--yes", action="store_true", help="do not ask")
    take_home = commands.add_parser(
        "export-library",
        help="write your functions as one Python file that translates and invents definitions anywhere",
        description=TAKE_HOME,
    )
    take_home.add_argument(
        "file", nargs="?", default="my_transformer.py", metavar="FILE.py", help="default: my_transformer.py"
    )
    for command in (progress, reset, take_home):
        command.add_argument("--folder", metavar="PATH", help="the folder of the notebooks, or of the library")
    add_json(progress)
