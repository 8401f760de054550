"""Where the course lies, and the names that its notebooks and nbgrader's settings agree on."""

from pathlib import Path

PLAN = "course.toml"  # what a class decides, in the folder of the course
CLASSROOM = "classroom"  # all that a class leaves behind; ignored by git
CODE_STUB = "raise NotImplementedError  # YOUR CODE HERE"
CHECK = "check-"  # of the grade ids of the cells that the judge grades; their solution cells have the name alone
ANSWER_PREFIX = "answer-"  # of the grade ids of predict-then-run questions


def course_root() -> Path:
    """Return the folder of the course.

    The nearest folder from the current one upwards that holds the course's start page; otherwise the
    folder that the package was installed from (editable); otherwise the current folder.
    """
    here = Path.cwd()
    for folder in [here, *here.parents, Path(__file__).resolve().parent.parent]:
        if (folder / "solutions" / "start.py").is_file():
            return folder
    return here
