"""The notebooks that are in the repository: built from the sources, and without a word of the answers."""

import re

import nbformat
import pytest

from autograder.authoring.build import START_PAGE, derive, differences
from autograder.registry import units
from tests.support.mini_course import UNIT_SOURCE
from tools.course import ROOT, notebook

UNITS = {unit.id: unit for unit in units()}
REGION = re.compile(r"^ *### BEGIN SOLUTION$\n(.*?)^ *### END SOLUTION$", re.MULTILINE | re.DOTALL)
TOO_SHORT_TO_TELL = 8  # characters


def sources():
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "solutions").glob("*.py")))


def text_of(book):
    return "\n".join(cell.source for cell in book.cells)


def leaks(source, released):
    """Return the lines of the solutions in `source` that stand in `released` and are not public anyway."""
    public = REGION.sub("", source)
    lines = {line.strip() for region in REGION.findall(source) for line in region.splitlines()}
    return sorted(line for line in lines if len(line) > TOO_SHORT_TO_TELL and line not in public and line in released)


def test_every_notebook_is_in_step_with_its_source():
    found = differences(ROOT, derive(ROOT, UNITS))
    assert not found, "Run `make build`.\n" + "\n".join(f"{path.as_posix()}: {state}" for path, state in found.items())


@pytest.mark.parametrize("unit", UNITS)
def test_no_answer_is_in_the_learners_notebook(unit):
    released = notebook(unit, "notebooks")
    assert leaks(sources(), text_of(released)) == []
    assert "SOLUTION" not in text_of(released)


@pytest.mark.parametrize("unit", UNITS)
def test_notebooks_hold_no_results(unit):
    for folder in ("solutions", "notebooks"):
        cells = [cell for cell in notebook(unit, folder).cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("unit", UNITS)
def test_every_exercise_has_a_stub_and_a_check(unit):
    cells = {cell.id: cell for cell in notebook(unit, "notebooks").cells}
    for exercise in UNITS[unit].exercises:
        assert cells[exercise.name].source.endswith("raise NotImplementedError  # YOUR CODE HERE")
        check = cells[f"check-{exercise.name}"]
        assert check.source == f"check({exercise.name})"
        assert check.metadata.nbgrader.points == exercise.points
        assert check.metadata.editable is False
    for question in UNITS[unit].questions:
        assert cells[f"answer-{question.id}"].source.startswith("answer = None  # your answer\n")


@pytest.mark.parametrize("unit", UNITS)
def test_a_leak_would_be_found(unit):
    """Every answer, put into a plain cell of the learner's notebook, is noticed."""
    released = text_of(notebook(unit, "notebooks"))
    source = (ROOT / "solutions" / f"{unit}.py").read_text(encoding="utf-8")
    for region in REGION.findall(source):
        if max(len(line.strip()) for line in region.splitlines()) > 2 * TOO_SHORT_TO_TELL:
            assert leaks(source, f"{released}\n{region}"), region


def test_leaks_are_told_from_what_is_public():
    public = REGION.sub("", UNIT_SOURCE)
    assert leaks(UNIT_SOURCE, public) == []
    assert leaks(UNIT_SOURCE, f"{public}\n    secret_factor = 2") == ["secret_factor = 2"]
    assert leaks(f"{UNIT_SOURCE}\n# secret_factor = 2", f"{public}\n    secret_factor = 2") == []


def test_start_page_leads_to_every_unit():
    page = nbformat.read(ROOT / START_PAGE, as_version=4)
    links = re.findall(r"\]\(([^)#\s]+)", text_of(page))
    missing = [link for link in links if "://" not in link and not (ROOT / START_PAGE).parent.joinpath(link).exists()]
    assert missing == []
    assert [unit for unit in UNITS if f"{unit}/{unit}.ipynb" not in links] == []
