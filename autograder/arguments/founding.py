"""What makes a course folder of a class, renews it, adds to it, and writes the learners' edition."""

from autograder.arguments.options import Commands, add_json

INIT = "Make a folder for a class: the notebooks, course.toml, nbgrader's settings, a roster to fill in, and git."
UPDATE = "Renew the notebooks in a course folder, and say which verdicts change. What belongs to the class stays."
OWN = "Try the exercises and claims in the folder own, and put their cells at the end of the units' notebooks."
EDITION = "Write the course without the instructor's notebooks, and without the source of its answers."


def add(commands: Commands) -> None:
    """Add the parsers of this group."""
    init = commands.add_parser("init", help="make a course folder of your own for a class", description=INIT)
    init.add_argument("name", metavar="NAME", help="the folder to make")
    init.add_argument("--unit", action="append", metavar="NN", help="a unit of the class; may be repeated")
    update = commands.add_parser(
        "update", help="bring a course folder to the version of the course that is installed", description=UPDATE
    )
    own = commands.add_parser("own", help="add exercises and claims of your own, from the folder own", description=OWN)
    edition = commands.add_parser(
        "edition", help="write the learners' edition: the course without its solutions", description=EDITION
    )
    edition.add_argument("folder", metavar="FOLDER", help="the folder to make")
    edition.add_argument("--zip", action="store_true", help="also pack it into FOLDER.zip")
    for command in (init, update, edition):
        command.add_argument("--from", dest="source", metavar="FOLDER", help="the repository of the course")
    for command in (init, update, own, edition):
        add_json(command)
