"""The build: from a unit's text to the instructor's and the learner's notebook, and what it refuses."""

import json
import shutil

import nbformat
import pytest

from autograder import course as where
from autograder.authoring import build
from autograder.authoring.stamp import is_edited
from autograder.authoring.unit_source import SourceError, read_unit
from tests.support.mini_course import EXERCISES, START_SOURCE, UNIT_SOURCE, UNITS, Named, write_course

SOLUTION, RELEASE = "solutions/07_mini/07_mini.ipynb", "notebooks/07_mini/07_mini.ipynb"
START = "notebooks/START_HERE.ipynb"


@pytest.fixture
def course(tmp_path):
    """A built mini course."""
    write_course(tmp_path)
    build.build(tmp_path, UNITS)
    return tmp_path


def files(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def edit(path, old, new):
    """Replace text in a file as a person would; the text must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def ids(text):
    return [cell.id for cell in read_unit(text, EXERCISES, (Named(id="which-one"),)).cells]


def cells_by_id(path):
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


# What is built


def test_a_second_build_changes_nothing(tmp_path):
    write_course(tmp_path)
    assert {path.as_posix(): done for path, done in build.build(tmp_path, UNITS).items()} == dict.fromkeys(
        [RELEASE, START, SOLUTION], "written"
    )
    before = files(tmp_path)
    assert build.build(tmp_path, UNITS) == {}
    assert files(tmp_path) == before


def test_same_bytes_in_another_folder(course, tmp_path_factory):
    elsewhere = write_course(tmp_path_factory.mktemp("a folder with spaces"))
    build.build(elsewhere, UNITS)
    for path in (SOLUTION, RELEASE, START):
        assert (elsewhere / path).read_bytes() == (course / path).read_bytes()


def test_notebooks_are_valid_and_clean(course):
    for path in (SOLUTION, RELEASE, START):
        notebook = nbformat.read(course / path, as_version=4)
        nbformat.validate(notebook)
        assert set(notebook.metadata) == {"course", "kernelspec", "language_info"}
        for cell in notebook.cells:
            assert set(cell.metadata) <= {"nbgrader", "deletable", "editable"}
            assert cell.get("outputs", []) == []
            assert cell.get("execution_count") is None


def test_nbgrader_metadata_of_the_solution_notebook(course):
    cells = cells_by_id(course / SOLUTION)
    plain = {"schema_version": 3, "task": False}
    solution = plain | {"grade": False, "solution": True, "locked": False}
    check = plain | {"grade": True, "solution": False, "locked": True}
    marked = {id: cell.metadata.nbgrader for id, cell in cells.items() if "nbgrader" in cell.metadata}
    assert marked == {
        "double": solution | {"grade_id": "double"},
        "check-double": check | {"grade_id": "check-double", "points": 2},
        "halve": solution | {"grade_id": "halve"},
        "check-halve": check | {"grade_id": "check-halve", "points": 3.5},
        "answer-which-one": solution | {"grade_id": "answer-which-one"},
    }


def test_learner_gets_stubs_instead_of_answers(course):
    cells = cells_by_id(course / RELEASE)
    assert cells["double"].source == (
        'def double(x):\n    """Return twice x."""\n    raise NotImplementedError  # YOUR CODE HERE'
    )
    assert cells["answer-which-one"].source == 'answer = None  # your answer\npredict("which-one", answer)'
    assert cells["check-double"].source == "check(double)"
    assert cells["check-double"].metadata["editable"] is False
    text = (course / RELEASE).read_text(encoding="utf-8")
    assert "secret_factor" in (course / SOLUTION).read_text(encoding="utf-8")
    assert "secret_factor" not in text
    assert "SOLUTION" not in text


def test_start_page_leads_to_the_units(course):
    (cell,) = cells_by_id(course / START).values()
    assert cell.source.splitlines()[2] == "[07 Mini](07_mini/07_mini.ipynb)"


def test_cell_ids_are_grade_ids_or_headings(course):
    expected = [
        "a-mini-unit-1",
        "a-mini-unit-2",
        "exercise-7-1-double-1",
        "double",
        "exercise-7-1-double-2",
        "check-double",
        "exercise-7-2-halve-1",
        "exercise-7-2-halve-worked-example-1",
        "halve",
        "check-halve",
        "what-do-you-expect-1",
        "answer-which-one",
    ]
    assert list(cells_by_id(course / SOLUTION)) == list(cells_by_id(course / RELEASE)) == expected


def test_a_new_cell_changes_only_its_sections_ids():
    new = '# %% [markdown]\n# One more paragraph.\n\n# %% solution="double"'
    before, after = ids(UNIT_SOURCE), ids(UNIT_SOURCE.replace('# %% solution="double"', new))
    assert [id for id in after if id not in before] == ["exercise-7-1-double-3"]
    assert [id for id in before if id not in after] == []


def test_ids_stay_unique_and_short():
    long = "## " + "a very long heading about attention " * 4
    text = UNIT_SOURCE + "".join(f"\n# %% [markdown]\n# {title}\n" for title in (long, long, "## Äß", "## Hints") * 2)
    found = ids(text)
    assert len(set(found)) == len(found)
    assert max(map(len, found)) <= 64


# What is refused


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('check="double"', 'check="doubel"', "no exercise 'doubel', only double, halve"),
        ('answer="which-one"', 'answer="which"', "no question 'which', only which-one"),
        ('# %% check="halve"\ncheck(halve)\n', "", "no cell for: check-halve"),
        ("check(halve)", "check(halve).points", r"holds check\(halve\) and nothing else"),
        ('# %% check="halve"', "# %%", "no cell for: check-halve"),
        ('solution="double"', 'solution="halve"', r"must define halve, it defines \['double'\]"),
        ('solution="double"', 'sollution="double"', "unknown tag 'sollution'"),
        ('solution="double"', 'solution="double" check="double"', "takes one tag, this one has solution, check"),
        ('# %% solution="double"', "# %%", "a solution marker, but no tag"),
        ("# Twice and half.", "# ### BEGIN SOLUTION", "a solution marker in a text cell"),
        ("    ### END SOLUTION", "", "expected one pair"),
        ("    ### BEGIN SOLUTION\n    secret", "    secret", "expected one pair"),
        ('answer = "B"', 'reply = "B"', "an answer cell reads"),
        ('predict("which-one", answer)', 'predict("which-two", answer)', "an answer cell reads"),
        ("# ## Exercise 7.1", "# # Exercise 7.1", "only first-level heading"),
        ("# # A mini unit", "# A mini unit", "only first-level heading"),
        ("# %% [markdown]\n# # A", "# %% [raw]\n# # A", "text or code, not raw"),
        ("    return x / 2.0", "    return x /", "solutions/07_mini.py: invalid syntax"),
    ],
)
def test_mistakes_in_a_source_are_named(tmp_path, old, new, message):
    assert old in UNIT_SOURCE
    write_course(tmp_path, UNIT_SOURCE.replace(old, new, 1))
    with pytest.raises(SourceError, match=message) as raised:
        build.build(tmp_path, UNITS)
    assert str(raised.value).startswith("solutions/07_mini.py: ")
    assert not (tmp_path / "notebooks").exists()


def test_a_second_cell_for_an_exercise_is_refused():
    cell = UNIT_SOURCE[UNIT_SOURCE.index('# %% check="halve"') : UNIT_SOURCE.index("# %% [markdown]\n# ## What")]
    with pytest.raises(SourceError, match="more than one cell: check-halve"):
        ids(UNIT_SOURCE + "\n" + cell)


def test_a_check_before_its_solution_is_refused():
    cell = '# %% check="halve"\ncheck(halve)\n'
    moved = UNIT_SOURCE.replace(cell, "").replace('# %% solution="halve"', cell + '\n# %% solution="halve"')
    with pytest.raises(SourceError, match="before the solution: halve"):
        ids(moved)


def test_every_source_has_a_unit_and_vice_versa(tmp_path):
    write_course(tmp_path)
    with pytest.raises(SourceError, match=r"solutions/08_more\.py: missing"):
        build.build(tmp_path, UNITS | {"08_more": UNITS["07_mini"]})
    (tmp_path / "solutions" / "08_more.py").write_text(UNIT_SOURCE)
    with pytest.raises(SourceError, match=r"solutions/08_more\.py: no such unit"):
        build.build(tmp_path, UNITS)


# What is kept


def test_an_edited_source_is_found_and_built(course):
    edit(course / "solutions" / "07_mini.py", "Twice and half.", "Twice and a half.")
    found = build.differences(course, build.derive(course, UNITS))
    assert {path.as_posix(): state for path, state in found.items()} == {SOLUTION: "stale", RELEASE: "stale"}
    build.build(course, UNITS)
    assert "Twice and a half." in (course / RELEASE).read_text()


def test_every_kind_of_difference_is_told_apart(course):
    for part in ("solutions", "notebooks"):
        shutil.copytree(course / part / "07_mini", course / part / "06_gone")
        (course / part / "06_gone" / "07_mini.ipynb").rename(course / part / "06_gone" / "06_gone.ipynb")
    edit(course / "notebooks/06_gone/06_gone.ipynb", "Return twice", "Work in a unit that is gone: twice")
    edit(course / RELEASE, "Return twice", "Return always twice")
    (course / START).unlink()
    found = build.differences(course, build.derive(course, UNITS))
    assert {path.as_posix(): state for path, state in found.items()} == {
        START: "missing",
        RELEASE: "edited",
        "solutions/06_gone/06_gone.ipynb": "left over",
    }
    build.build(course, UNITS, replace=True)
    assert not (course / "solutions/06_gone").exists()
    assert (course / "notebooks/06_gone/06_gone.ipynb").exists()


def test_outputs_are_no_work_but_code_is(course):
    assert not is_edited(course / RELEASE)
    notebook = nbformat.read(course / RELEASE, as_version=4)
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="hello")]
    notebook.metadata.language_info = {"name": "python", "version": "3.13.0"}  # as JupyterLab writes it
    nbformat.write(notebook, course / RELEASE)
    assert not is_edited(course / RELEASE)
    notebook.cells[3].source += "\n# mine"
    nbformat.write(notebook, course / RELEASE)
    assert is_edited(course / RELEASE)


@pytest.mark.parametrize("damage", ["", "not json", "{}", '{"cells": []}', "[]"])
def test_what_cannot_be_read_counts_as_work(course, damage):
    (course / RELEASE).write_text(damage)
    assert is_edited(course / RELEASE)


def test_a_build_stops_before_it_overwrites_work(course):
    edit(course / "solutions" / "07_mini.py", "Twice and half.", "Twice and a half.")
    edit(course / "solutions" / "start.py", "Open", "Please open")
    edit(course / RELEASE, "raise NotImplementedError  # YOUR CODE HERE", "return x + x")
    before = files(course)
    with pytest.raises(build.WorkInTheWay, match=RELEASE):
        build.build(course, UNITS)
    assert files(course) == before


def test_replace_sets_the_work_aside(course):
    for work in ("return x + x", "return x * 2"):
        edit(course / RELEASE, "raise NotImplementedError  # YOUR CODE HERE", work)
        build.build(course, UNITS, replace=True)
        assert not is_edited(course / RELEASE)
    kept = sorted((course / "notebooks").glob("07_mini-kept-*.ipynb"))
    assert len(kept) == 2
    assert any("return x + x" in path.read_text() for path in kept)
    assert any("return x * 2" in path.read_text() for path in kept)
    edit(course / SOLUTION, "return x / 2.0", "return x / 2")
    build.build(course, UNITS, replace=True)
    assert len(list((course / "solutions").glob("07_mini-kept-*.ipynb"))) == 1
    assert [path.name for path in (course / "solutions" / "07_mini").iterdir()] == ["07_mini.ipynb"]


def test_only_the_named_sources_are_built(course):
    edit(course / "solutions" / "07_mini.py", "Twice and half.", "Twice and a half.")
    edit(course / "solutions" / "start.py", "Open", "Please open")
    assert [path.as_posix() for path in build.build(course, UNITS, ["start"])] == [START]
    assert [path.as_posix() for path in build.build(course, UNITS, ["07"])] == [RELEASE, SOLUTION]
    with pytest.raises(SourceError, match="named 08"):
        build.build(course, UNITS, ["08"])


# The command


@pytest.fixture
def command(course, monkeypatch, capsys):
    """Run the command in the mini course; return its status and what it printed."""
    monkeypatch.chdir(course)
    monkeypatch.setattr(build, "course_units", UNITS.values)

    def run(*arguments):
        status = build.main(arguments)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return run


def test_command_builds_checks_and_refuses(course, command):
    assert command("--check") == (0, "All notebooks are in step with their sources.\n")
    edit(course / "solutions" / "07_mini.py", "Twice and half.", "Twice and a half.")
    before = files(course)
    assert command("--check") == (1, f"{RELEASE}: stale\n{SOLUTION}: stale\nRun `make build`.\n")
    assert files(course) == before
    assert command() == (0, f"{RELEASE}: written\n{SOLUTION}: written\n")
    edit(course / RELEASE, "Return twice", "Return always twice")
    status, printed = command()
    assert status == 1
    assert RELEASE in printed
    assert "--replace" in printed
    status, printed = command("--replace")
    assert status == 0
    assert "the old one is now notebooks/07_mini-kept-" in printed


def test_command_names_a_mistake_in_a_source(course, command):
    edit(course / "solutions" / "start.py", START_SOURCE, '# %% check="double"\ncheck(double)\n')
    status, printed = command()
    assert status == 1
    assert printed.startswith("solutions/start.py: this unit has no exercise 'double', only none")


# where the course lies


def test_course_root_is_the_nearest_course_above(course, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(course / "notebooks" / "07_mini")
    assert where.course_root() == course
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(where, "__file__", str(course / "autograder" / "course.py"))
    assert where.course_root() == course
    monkeypatch.setattr(where, "__file__", str(elsewhere / "site-packages" / "autograder" / "x.py"))
    assert where.course_root() == elsewhere


def test_release_is_stamped_after_everything_else(course):
    notebook = json.loads((course / RELEASE).read_text())
    assert notebook["metadata"]["course"] != json.loads((course / SOLUTION).read_text())["metadata"]["course"]
