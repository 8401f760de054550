"""Reports on functions that are written in the cell of a notebook."""

from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line
from autograder.learner.local import evaluate_locally, whereabouts
from autograder.registry import find
from tests.support.fake_notebook import Cells
from transformer_kit import reference


def report(name, source):
    """Return the report on a function that is written in a cell."""
    cells = Cells()
    cells.names |= {one: getattr(reference, one) for one in dir(reference) if not one.startswith("_")}
    cells.run(source)
    verdict, _ = evaluate_locally(find(name), cells.names[name])
    where = whereabouts(cells.names[name], verdict)
    return make_report(verdict, notes=[Line("Where", where)] if where else [])
