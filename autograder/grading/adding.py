"""What `course own` does: it tries what the class has added to the course, and puts the cells into the notebooks."""

import argparse
from typing import Any

from autograder.authoring.own_cells import own_questions, write_own_cells
from autograder.authoring.own_trial import added, faults, own_claims
from autograder.course import course_root
from autograder.grading import summary
from autograder.grading.afterwards import REPOSITORY
from autograder.grading.opened import Refused
from autograder.own import FOLDER, OwnError, is_own, own_folder
from autograder.registry import units

NOTHING = (
    f"there is no folder {FOLDER} with exercises or claims beside a course.toml here. "
    "docs/own.md, Your own exercises, says what to put there."
)


def add_own(options: argparse.Namespace) -> int:
    """Try what the class has added, and write its cells into the notebooks."""
    root = course_root()
    if not own_folder():
        raise Refused(NOTHING)
    if root == REPOSITORY:
        raise Refused("the repository's notebooks are the course's own. Make a folder for your class: course init")
    found = [fault for exercise in added() for fault in faults(exercise)]
    if found:
        raise OwnError("\n  ".join(["what the class has added is not right yet:", *found]))
    told = {"added": [line for unit in units() for line in _added_to(unit)], "written": write_own_cells(root)}
    summary.tell(options, told, _lines)
    return 0


def _added_to(unit):
    for exercise in unit.exercises:
        if is_own(exercise):
            counts = f"{len(exercise.claims)} claims, {len(exercise.mistakes)} known mistakes"
            yield f"{unit.id}: {exercise.name}, {exercise.points:g} points ({counts})"
        elif private := own_claims(exercise):
            points = sum(claim.points for claim in private)
            yield f"{unit.id}: of {exercise.name}, {points:g} of {exercise.points:g} points are claimed privately"
    yield from (f"{unit.id}: the question {question.id}" for question in own_questions(unit))


def _lines(told: dict[str, Any]) -> list[str]:
    written = [f"  {path}" for path in told["written"]] or ["  nothing: the notebooks have these cells already"]
    return ["Tried, and right:", *(f"  {line}" for line in told["added"]), "Written:", *written]
