"""The places of nbgrader that this course relies on. Where one has moved, the message says which file to check."""

import importlib
import inspect
from importlib.metadata import version

import nbformat
import nbgrader
import pytest
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader import preprocessors as steps
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.server_extensions.formgrader import handlers
from traitlets import List
from traitlets.config import Config

from autograder.nbgrader_config import configure

LISTS = {
    (Autograde, "sanitize_preprocessors"): [
        steps.ClearOutput,
        steps.DeduplicateIds,
        steps.OverwriteKernelspec,
        steps.OverwriteCells,
        steps.CheckCellMetadata,
    ],
    (Autograde, "autograde_preprocessors"): [
        steps.Execute,
        steps.IgnorePattern,
        ClearMetadataPreprocessor,
        steps.LimitOutput,
        steps.SaveAutoGrades,
        steps.AssignLatePenalties,
        steps.CheckCellMetadata,
    ],
    (HTMLExporter, "preprocessors"): [],
}
COLUMNS = {
    Grade: "name auto_score manual_score extra_credit needs_manual_grade notebook cell",
    Comment: "name auto_comment manual_comment notebook cell",
    Notebook: "name kernelspec source_cells submissions",
    SourceCell: "name checksum",
    GradeCell: "name max_score notebook",
    SubmittedAssignment: "student_id assignment timestamp extension notebooks score max_score needs_manual_grade",
    SubmittedNotebook: "id name assignment grades comments late_submission_penalty",
    Gradebook: "update_or_create_student update_or_create_assignment update_or_create_submission "
    "find_submission_notebook close",
}


def moved(what, theirs, ours):
    """Say what a new nbgrader has moved, and where to look."""
    file = inspect.getsourcefile(theirs)
    return f"nbgrader {version('nbgrader')} has moved {what}: read {file}, then bring {ours} into step with it."


@pytest.mark.parametrize(("owner", "name"), LISTS, ids=lambda value: getattr(value, "__name__", value))
def test_the_lists_of_steps_are_where_they_were(owner, name):
    message = moved(f"{owner.__name__}.{name}", owner, "autograder/nbgrader_config.py (_grading, _release)")
    trait = owner.class_traits(config=True).get(name)
    assert isinstance(trait, List), message
    assert [*map(_plain, trait.default())] == [*map(_plain, LISTS[owner, name])], message


def test_the_stubs_of_questions_find_their_place():
    found = steps.ClearSolutions in GenerateAssignment.preprocessors.default()
    assert found, moved("ClearSolutions", GenerateAssignment, "autograder/nbgrader_config.py (_release)")


def _plain(step):
    return step if isinstance(step, str) else step.__name__


def test_the_judge_replaces_nbgraders_execution(tmp_path):
    config, stock = Config(), Config()
    configure(config, tmp_path)
    configure(stock, tmp_path, stock=True)
    assert [*map(_plain, config.Autograde.sanitize_preprocessors)] == [
        "autograder.grading.steps.Repair",
        "DeduplicateIds",
        "OverwriteKernelspec",
        "OverwriteCells",
        "CheckCellMetadata",
    ]
    assert [*map(_plain, config.Autograde.autograde_preprocessors)] == [
        "autograder.grading.steps.Judge",
        "IgnorePattern",
        "ClearMetadataPreprocessor",
        "LimitOutput",
        "CheckCellMetadata",
    ]
    for name in ("sanitize_preprocessors", "autograde_preprocessors"):
        assert stock.Autograde[name] == LISTS[Autograde, name]
    config.merge(stock)  # as nbgrader takes a file of one's own after the course's
    assert steps.Execute in config.Autograde.autograde_preprocessors


@pytest.mark.parametrize("step", ["Repair", "Judge"])
def test_the_named_steps_can_be_imported(step):
    module = importlib.import_module("autograder.grading.steps")
    assert issubclass(getattr(module, step), steps.NbGraderPreprocessor)


def test_the_gradebook_has_what_is_read_and_written():
    for owner, names in COLUMNS.items():
        missing = [name for name in names.split() if not hasattr(owner, name)]
        assert not missing, moved(f"{owner.__name__}.{missing}", owner, "autograder/grading/gradebook.py")


def test_a_graded_cells_number_is_partial_credit():
    cell = nbformat.v4.new_code_cell("check(f)", metadata={"nbgrader": {"grade": True, "grade_id": "x", "points": 3}})
    cell.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "1.5", "text/html": "<b>1</b>"})]
    places = "autograder/learner/check.py (Score) and grading/autograded.py (_output)"
    message = moved("partial credit", nbgrader.utils, places)
    assert nbgrader.utils.determine_grade(cell) == (1.5, 3), message
    cell.outputs = [nbformat.v4.new_output("error", ename="NotGraded", evalue="", traceback=[])]
    assert nbgrader.utils.determine_grade(cell) == (0, 3), message


@pytest.mark.parametrize("part", ["SaveCells", "OverwriteCells", "SaveAutoGrades", "AssignLatePenalties"])
def test_steps_are_told_whose_notebook_it_is(part):
    source = inspect.getsource(getattr(steps, part))
    for name in ("notebook", "assignment", "db_url"):
        found = f"resources['nbgrader']['{name}']" in source
        assert found, moved(f"resources['nbgrader']['{name}']", getattr(steps, part), "autograder/grading/steps.py")


def test_late_work_is_asked_about_as_before():
    message = moved("late penalties", steps.AssignLatePenalties, "autograder/grading/gradebook.py (_penalty)")
    step = steps.AssignLatePenalties()
    step.init_plugin()
    assert [*inspect.signature(step.plugin_inst.late_submission_penalty).parameters] == [
        "student_id",
        "score",
        "total_seconds_late",
    ], message


@pytest.mark.parametrize("template", ["formgrade", "feedback"])
def test_pages_are_made_by_the_replaced_filter(template, tmp_path):
    message = moved(f"the template {template}", handlers, "autograder/grading/sanitize.py and nbgrader_config.py")
    config = Config()
    configure(config, tmp_path)
    config.HTMLExporter.template_name = template
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    exporter = HTMLExporter(config=config)
    assert exporter.environment.filters["markdown2html"].__module__ == "autograder.grading.sanitize", message
    source = exporter.environment.get_template(exporter.template_file).filename
    with open(source, encoding="utf-8") as file:
        assert "cell.source  | markdown2html | strip_files_prefix" in file.read(), message


@pytest.mark.parametrize("part", ["nbgrader.converters.autograde", "nbgrader.validator"])
def test_a_notebook_can_tell_that_nbgrader_runs_it(part):
    """A learner's library is used neither there nor there."""
    module = importlib.import_module(part)
    found = "NBGRADER_EXECUTION=" in inspect.getsource(module)
    assert found, moved("the variable NBGRADER_EXECUTION", module, "shared/transformer_kit/workbench.py (place)")


def test_folders_are_asked_for_as_before(tmp_path):
    config = Config()
    configure(config, tmp_path)
    course = CourseDirectory(config=config)
    place = course.format_path(course.submitted_directory, "ada", "05_x")
    assert place == str(tmp_path / "classroom" / "submitted" / "ada" / "05_x"), moved(
        "CourseDirectory.format_path", CourseDirectory, "autograder/grading/steps.py"
    )
