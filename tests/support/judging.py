"""What the tests of the judge share: cells of submissions, and verdicts through a worker."""

from autograder.evaluation.evaluate import evaluate
from autograder.registry import units
from tools.course import notebook, tags


def unit(number):
    """Return the unit with this number."""
    return next(unit for unit in units() if unit.id.startswith(f"{number:02}"))


def exercise(unit, name):
    """Return an exercise of a unit by its name."""
    return next(e for e in unit.exercises if e.name == name)


def cells(unit, **replaced):
    """Return the imports and the solution cells; `replaced` gives other sources by the exercise's name."""
    code = [cell for cell in notebook(unit.id).cells if cell.cell_type == "code"]
    solutions = [cell for cell in code if tags(cell).get("solution") and "answer-" not in tags(cell)["grade_id"]]
    return [code[0].source, *(replaced.get(tags(cell)["grade_id"], cell.source) for cell in solutions)]


def verdict(worker, unit, exercise, sources, seed=0):
    """Evaluate an exercise through a worker."""
    with worker.child(unit, exercise, sources) as runner:
        return evaluate(exercise, runner, seed)


def summary(verdict):
    """Return all that a report is made of, to compare two verdicts."""
    claims = [(r.name, r.points, r.message, r.called, r.structure, r.status) for r in verdict.results]
    return verdict.status, verdict.mistake and verdict.mistake.id, verdict.remarks, claims
