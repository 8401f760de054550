"""The autograded notebook, which formgrader and nbgrader's feedback show: its graded cells hold the judge's verdict."""

import json
from collections.abc import Iterable
from copy import copy
from html import escape

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_grade

from autograder.course import CHECK
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.grading.entry import diagnosis
from autograder.grading.intake.submission import Submission
from autograder.grading.nbgraders_files import TIMESTAMP
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.whole_file import write_atomically

READ_ONLY = 0o444  # nbgrader's mode of these files


def graded(submission: Submission, records: Iterable[Record]) -> NotebookNode:
    """Return the notebook of a submission with the judge's outputs.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record

    Returns
    -------
    NotebookNode
    """
    assert submission.notebook is not None
    notebook = copy(submission.notebook)
    by_exercise = {record.exercise: record for record in records}
    notebook.cells = [_judged(cell, by_exercise) for cell in notebook.cells]
    return notebook


def _judged(cell, records):
    """Return a cell with the output of its record; as it is without one, such as one that people grade."""
    record = records.get(cell.metadata.nbgrader.grade_id.removeprefix(CHECK)) if is_grade(cell) else None
    if record:
        cell = copy(cell)
        cell.outputs = [_output(record)]
    return cell


def _output(record):
    """Return points and report as `check` shows them, which nbgrader reads as points; an error where there are none."""
    if record.points is None:
        return new_output("error", ename="NotGraded", evalue="", traceback=[diagnosis(record)])
    report = as_html(make_report(record.verdict, record.substituted)) if record.claims else escape(record.note)
    data = {"text/plain": repr(float(record.points)), "text/html": report}
    return new_output("execute_result", data=data, execution_count=None)


def write(store: Store, submission: Submission, records: Iterable[Record]) -> bool:
    """Write the autograded notebook where nbgrader looks for it, and beside it when it was handed in.

    Parameters
    ----------
    store : Store
    submission : Submission
    records : iterable of Record

    Returns
    -------
    bool
        Whether anything had to be written.
    """
    notebook = store.place("autograded", submission.student, submission.unit, f"{submission.unit}.ipynb")
    # Not by nbformat, which copies and validates once more what intake has put together
    files = {notebook: json.dumps(graded(submission, records), ensure_ascii=False, sort_keys=True) + "\n"}
    if submission.timestamp:
        files[notebook.with_name(TIMESTAMP)] = submission.timestamp
    changed = {path: text for path, text in files.items() if not _holds(path, text)}
    for path, text in changed.items():
        write_atomically(path, text)
        path.chmod(READ_ONLY)
    return bool(changed)


def _holds(path, text):
    return path.is_file() and path.read_bytes() == text.encode()
