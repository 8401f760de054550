"""The command `course recipe`: what it writes is whole, and runs where that can be tried here."""

import contextlib
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
import yaml

from autograder import cli
from autograder.arguments.recipes import NAMES
from autograder.decisions.reading import read_decisions
from autograder.grading.recipes import gradescope, write
from autograder.registry import find_unit, units
from tools.course import ROOT, fill, solved

UNIT, OTHER = units()[0], units()[3]
TEMPLATES = sorted((Path(write.__file__).parent / "templates").iterdir())
# The fields that https://gradescope-autograders.readthedocs.io/en/latest/specs/ knows, and what they may hold.
FORMATS = ("text", "html", "simple_format", "md", "ansi")
OF_ALL = {
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": gradescope.VISIBILITIES,
    "stdout_visibility": gradescope.VISIBILITIES,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
OF_A_TEST = {
    "score": (int, float),
    "max_score": (int, float),
    "status": ("passed", "failed"),
    "name": str,
    "name_format": FORMATS,
    "number": str,
    "output": str,
    "output_format": FORMATS,
    "tags": list,
    "visibility": gradescope.VISIBILITIES,
    "extra_data": dict,
}


def recipe(folder, *options, status=0):
    with contextlib.chdir(folder):
        assert cli.main(["recipe", *map(str, options)]) == status


def fits(fields, known):
    """Return whether each field holds what it may; an unknown one is an error."""

    def is_right(value, kind):
        is_choice = isinstance(kind, tuple) and isinstance(kind[0], str)
        return value in kind if is_choice else isinstance(value, kind)

    return all(is_right(value, known[name]) for name, value in fields.items())


def as_published(results):
    return fits(results, OF_ALL) and all(fits(test, OF_A_TEST) for test in results["tests"])


def judged(file, unit, points, problem=""):
    """Return what `course judge` writes of a notebook in which every exercise has so many points."""
    exercises = [
        {"name": one.name, "points": points, "max": one.points, "report": f"on {one.name}"} for one in unit.exercises
    ]
    total = None if points is None else points * len(exercises)
    return {"file": file, "unit": unit.id, "points": total, "problem": problem, "repairs": [], "exercises": exercises}


def not_judged(file):
    return {"file": file, "unit": "", "points": None, "problem": "of no unit", "repairs": [], "exercises": []}


def test_every_recipe_has_its_name():
    assert set(NAMES) == set(write.RECIPES)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_replaced_without_force(tmp_path, capsys, name):
    options = [name, "made", *(["--unit", "3"] if name != "container" else [])]
    recipe(tmp_path, *options)
    told = capsys.readouterr().out
    files = [tmp_path / "made" / file for file in write.RECIPES[name].files]
    assert [path for path in files if f"  {path}\n" not in told] == []
    assert "Next: " in told
    texts = [path.read_text() for path in files]
    assert [text for text in texts if "__" in re.sub(r"__\w+__\.py", "", text)] == []
    files[0].write_text("mine")
    recipe(tmp_path, *options, status=1)
    assert str(files[0]) in capsys.readouterr().err
    assert files[0].read_text() == "mine"
    recipe(tmp_path, *options, "--force")
    assert [path.read_text() for path in files] == texts


def test_a_mistake_is_told(tmp_path, capsys):
    recipe(tmp_path, "container", "--unit", "2", status=1)
    assert "--unit has no meaning" in capsys.readouterr().err
    recipe(tmp_path, "gradescope", "made", "--from", tmp_path, status=1)
    assert "is not the repository of the course: it lacks autograder" in capsys.readouterr().err
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    recipe(tmp_path, "gradescope", "made", status=1)
    assert f"{tmp_path} has no folder notebooks" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_the_copy_says_nothing_of_students(tmp_path, capsys):
    """It has what the class decides on units and claims, and installs as the course does."""
    (tmp_path / "solutions").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    exercise = UNIT.exercises[0]
    (tmp_path / "course.toml").write_text(
        f'[units.{UNIT.id}]\npoints = {{ {exercise.name} = 7 }}\n[[excused]]\nstudent = "secret-id"\nunit = "00"\n'
        f'[[adjust]]\nexercise = "{exercise.name}"\nclaim = "{exercise.claims[0].name}"\ngive = "everybody"\n'
    )
    recipe(tmp_path, "gradescope", "made")
    capsys.readouterr()
    copy, own = read_decisions(tmp_path / "made" / "course"), read_decisions(tmp_path)
    assert copy.units[UNIT.id].points == {exercise.name: 7}
    assert copy.adjustments == own.adjustments != ()
    assert "secret-id" not in (tmp_path / "made" / "course" / "course.toml").read_text()
    assert (tmp_path / "made" / "course" / "solutions" / "start.py").exists()
    settings = (ROOT / "pyproject.toml").read_text()
    assert (tmp_path / "made" / "course" / "pyproject.toml").read_text() == settings
    licences = re.search(r"^license-files = (.*)$", settings, re.M)[1]
    assert [name for name in json.loads(licences) if not (tmp_path / "made" / "course" / name).exists()] == []


def test_the_workflow_runs_what_exists(tmp_path, capsys):
    recipe(tmp_path, "ci", "--unit", "3", "--unit", "00")
    capsys.readouterr()
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "judge.yml").read_text())
    assert workflow["env"] == {"COURSE": "OWNER/REPO", "NOTEBOOKS": "**/00_*.ipynb **/03_*.ipynb"}
    steps = workflow["jobs"]["judge"]["steps"]
    own = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]["check"]["steps"]
    used = {step["uses"] for step in steps if "uses" in step}
    assert used == {step["uses"] for step in own if "uses" in step}
    scripts = [step["run"] for step in steps if "run" in step]
    for script in scripts:
        assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    [command] = re.findall(r"course (judge .*) \| tee", "\n".join(scripts))
    options = cli.parser().parse_args(command.split())
    assert options.json == "points.json"


@pytest.mark.parametrize("files", [{"03_work/03_work.ipynb": "", "START_HERE.ipynb": "", ".course/03_x.ipynb": ""}, {}])
def test_the_workflow_finds_its_notebooks(tmp_path, capsys, files):
    """With a program `course` that prints its arguments."""
    recipe(tmp_path, "ci")
    capsys.readouterr()
    for name, text in {"programs/course": '#!/bin/sh\necho "$@"\n', **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "programs" / "course").chmod(0o755)
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "judge.yml").read_text())
    judge, show = [step["run"] for step in workflow["jobs"]["judge"]["steps"] if step.get("shell") == "bash"]
    own = os.environ | workflow["env"] | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    own["PATH"] = f"{tmp_path / 'programs'}{os.pathsep}{own['PATH']}"
    strict = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    done = subprocess.run([*strict, judge], cwd=tmp_path, env=own, capture_output=True)
    subprocess.run([*strict, show], cwd=tmp_path, env=own, check=True)
    summary = (tmp_path / "summary.md").read_text()
    told = "judge 03_work/03_work.ipynb --json points.json\n" if files else "No notebook is called like"
    assert done.returncode == (0 if files else 1)
    assert told in summary


def test_every_program_of_a_template_exists():
    commands = next(iter(cli.parser()._subparsers._group_actions)).choices
    for path in TEMPLATES:
        text = path.read_text()
        named = set(re.findall(r"(?:^ *|`|/bin/)course ([a-z]+)", text, re.M))
        assert named <= set(commands), path.name
        assert [module for module in re.findall(r"-m (autograder[.\w]+)", text) if not find_spec(module)] == []
        if text.startswith("#!"):
            assert subprocess.run(["bash", "-n", path]).returncode == 0


def test_the_container_takes_any_base_image():
    text = next(path for path in TEMPLATES if path.name == "Containerfile").read_text()
    [base] = re.findall(r"^ARG BASE=(\S+)$", text, re.M)
    assert "/" not in base  # no registry
    assert re.findall(r"^FROM (\S+)$", text, re.M) == ["${BASE}"]
    assert json.loads(re.search(r"^ENTRYPOINT (.*)$", text, re.M)[1]) == ["course", "grade"]


@pytest.mark.parametrize("visibility", gradescope.VISIBILITIES)
def test_results_have_the_published_form(visibility):
    made = gradescope.results({"notebooks": [judged("a.ipynb", UNIT, 0.5)]}, [], visibility)
    assert as_published(made)
    assert [test["max_score"] for test in made["tests"]] == [one.points for one in UNIT.exercises]
    assert [test["output"] for test in made["tests"]] == [f"on {one.name}" for one in UNIT.exercises]
    assert {test["visibility"] for test in made["tests"]} == {visibility}
    assert made["score"] == 0.5 * len(UNIT.exercises)


def test_only_what_is_asked_for_counts():
    """Of each unit the best notebook; a unit that is missing has no points."""
    best, worse = judged("best.ipynb", UNIT, 1), judged("worse.ipynb", UNIT, 0.5)
    foreign = judged("foreign.ipynb", OTHER, 2)
    everything = {"notebooks": [worse, foreign, best, not_judged("other.ipynb")]}
    made = gradescope.results(everything, [UNIT.id])
    assert as_published(made)
    assert made["score"] == best["points"]
    assert made["output"].splitlines() == [
        f"worse.ipynb: another notebook of {UNIT.id} counts, since it has at least as many points.",
        f"foreign.ipynb: this assignment does not ask for {OTHER.id}.",
        "other.ipynb was not judged: of no unit",
    ]
    missing = gradescope.results({"notebooks": []}, [OTHER.id])
    assert as_published(missing)
    assert (missing["score"], missing["output"]) == (0, gradescope.NO_NOTEBOOK)
    assert sum(test["max_score"] for test in missing["tests"]) == find_unit(OTHER.id).points


def test_an_undecided_exercise_is_no_score():
    with pytest.raises(gradescope.Undecided, match=r"a\.ipynb: the grading failed"):
        gradescope.results({"notebooks": [judged("a.ipynb", UNIT, None, "the grading failed")]})


def run_autograder(folder, copy):
    """Run the script of a recipe as Gradescope does, in another folder than its own, on the copy of the course."""
    (folder / "environment").symlink_to(sys.prefix)
    (folder / "cache").symlink_to(os.environ["AUTOGRADER_CACHE"])
    own = os.environ | {"AUTOGRADER_ROOT": str(folder), "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'shared'}"}
    done = subprocess.run([copy.parent / "run_autograder"], env=own, capture_output=True, text=True)
    results = folder / "results" / "results.json"
    return done, json.loads(results.read_text()) if results.exists() else None


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
def test_gradescope_gets_points_and_reports(backend, tmp_path, capsys):
    recipe(tmp_path, "gradescope", "source", "--unit", UNIT.id[:2])
    capsys.readouterr()
    sources = solved(UNIT)
    del sources[UNIT.exercises[-1].name]
    (tmp_path / "submission").mkdir()
    nbformat.write(fill(UNIT, sources), tmp_path / "submission" / "my work.ipynb")
    done, results = run_autograder(tmp_path, tmp_path / "source" / "course")
    assert done.returncode == 0, done.stderr
    assert as_published(results)
    *right, last = results["tests"]
    assert [test["score"] for test in right] == [one.points for one in UNIT.exercises[:-1]]
    assert (last["score"], last["status"]) == (0, "failed")
    assert results["score"] == UNIT.points - UNIT.exercises[-1].points
    for exercise, test in zip(UNIT.exercises, results["tests"], strict=True):
        assert test["output"].startswith(f"{exercise.name}: ")


@pytest.mark.parametrize("with_notebook", [True, False])
def test_no_sandbox_gives_no_score(tmp_path, capsys, with_notebook):
    """With a program `course` that fails; without a notebook there are no points, and it is not asked."""
    recipe(tmp_path, "gradescope", "source", "--unit", UNIT.id[:2])
    capsys.readouterr()
    (tmp_path / "submission").mkdir()
    programs = tmp_path / "environment" / "bin"
    programs.mkdir(parents=True)
    (programs / "course").write_text("#!/bin/sh\nexit 1\n")
    (programs / "course").chmod(0o755)
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    if with_notebook:
        (tmp_path / "submission" / "work.ipynb").touch()
    own = os.environ | {"AUTOGRADER_ROOT": str(tmp_path), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'shared'}"}
    done = subprocess.run([tmp_path / "source" / "run_autograder"], env=own)
    results = tmp_path / "results" / "results.json"
    assert (done.returncode, results.exists()) == (int(with_notebook), not with_notebook)
    if not with_notebook:
        assert json.loads(results.read_text())["score"] == 0
