"""The course's own steps in nbgrader's `generate_assignment`; `autograder.nbgrader_config` puts them into its list."""

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.authoring.stamp import stamp
from autograder.course import ANSWER_PREFIX, CODE_STUB

ANSWER_STUB = "answer = None  # your answer"


class StubAnswers(NbGraderPreprocessor):
    """Give the learner of a question `answer = None`; the stub of an exercise would stop the cell."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith(ANSWER_PREFIX):
            cell.source = cell.source.replace(CODE_STUB, ANSWER_STUB)
        return cell, resources


class StampRelease(NbGraderPreprocessor):
    """Mark the finished learner's notebook, so that a later build can tell whether it was edited."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        stamp(nb)
        return nb, resources
