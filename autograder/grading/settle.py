"""Brings gradebook and marks into step with what the class has decided, whenever that has changed since."""

import hashlib
import json

from nbgrader.api import Assignment, GradeCell, Notebook

from autograder.course import CHECK
from autograder.decisions.counted import exercise_of
from autograder.decisions.decided import Decisions
from autograder.grading.counted import counted
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.verdicts.store import Store
from autograder.registry import units


def settle(store: Store, gradebook: ClassGradebook) -> None:
    """Enter the points that count by the decisions of now, for everything that was graded; no function is run.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    """
    now = _digest(gradebook.decisions)
    if (now or store.state.decided()) and gradebook.assignments():
        _set_possible(gradebook)  # each time, since `nbgrader generate_assignment` enters the course's own points
    if store.state.decided() != now and gradebook.assignments():
        for submission, records in store.committed():
            scores = {one.exercise: one.points for one in counted(gradebook.decisions, records)}
            gradebook.set_scores(submission.student, submission.unit, scores)
            if scores != store.mark(submission.student, submission.unit)["scores"]:
                store.change_mark(submission.student, submission.unit, scores=scores, final=None)
        store.state.note(decided=now)
    gradebook.set_penalties()


def _digest(decisions: Decisions) -> str:
    """Return the SHA-256 (hex) of the decisions that change the points of exercises; an empty text without any."""
    of_units = [(id, its.without, sorted(its.points.items())) for id, its in sorted(decisions.units.items())]
    changing = [one for one in of_units if one[1] or one[2]]
    given = [(one.exercise, one.claim, one.give) for one in decisions.adjustments]
    if not (changing or given):
        return ""
    return hashlib.sha256(json.dumps([changing, given]).encode()).hexdigest()


def _set_possible(gradebook: ClassGradebook) -> None:
    """Enter how many points there are for each exercise; 0 for one that is left out."""
    decisions = gradebook.decisions
    names = {unit.id: {exercise.name for exercise in unit.exercises} for unit in units()}
    cells = gradebook.book.db.query(Assignment.name, GradeCell).join(GradeCell.notebook).join(Notebook.assignment)
    for unit, cell in cells.filter(GradeCell.name.startswith(CHECK, autoescape=True)):
        name = cell.name.removeprefix(CHECK)
        if name in names.get(unit, ()):
            left_out = name in decisions.of(unit).without
            cell.max_score = 0 if left_out else exercise_of(decisions, name, unit).points
    gradebook.book.db.commit()
