"""The command `course judge`: notebooks without the folder of a class."""

import contextlib
import json
import subprocess
import sys

import nbformat
import pytest

from autograder import cli
from autograder.arguments import single as arguments
from autograder.grading import single
from autograder.registry import units
from tools.course import ROOT, fill, solved

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
UNIT, OTHER = units()[0], units()[3]
WRONG, *_, LAST = UNIT.exercises
SOURCE = """
def encode(text, vocabulary):
    if not text:
        raise ValueError("\u202e\\x1b[2Jgone")
    return np.array([vocabulary[word] for word in text.lower().split() if word in vocabulary], dtype=int)
"""


def hand_in(folder, name="work.ipynb", unit=UNIT):
    """Write a notebook in which `encode` has a known mistake, and the last function is left open."""
    sources = solved(unit) | ({WRONG.name: SOURCE} if unit is UNIT else {})
    del sources[unit.exercises[-1].name]
    nbformat.write(fill(unit, sources), folder / name)


def judge(folder, *options):
    with contextlib.chdir(folder):
        return cli.main(["judge", *map(str, options)])


def test_points_claims_and_reports_are_told(backend, tmp_path, capsys):
    hand_in(tmp_path)
    assert judge(tmp_path, "work.ipynb", "--json", "points.json") == 0
    printed = capsys.readouterr().out
    told = json.loads((tmp_path / "points.json").read_text(encoding="utf-8"))
    [one] = told["notebooks"]
    assert (told["sandbox"], one["unit"], one["problem"]) == (backend.name, UNIT.id, "")
    assert [each["name"] for each in one["exercises"]] == [exercise.name for exercise in UNIT.exercises]
    first, *others, last = one["exercises"]
    assert [each["points"] for each in others] == [exercise.points for exercise in UNIT.exercises[1:-1]]
    assert (last["points"], last["status"]) == (0, "not written yet")
    assert first["points"] < first["max"] == WRONG.points
    assert "words that are not in the vocabulary are left out" in first["report"]
    assert "gone" in first["report"]
    assert not {"\x1b", "\u202e"} & {*first["report"], *printed}
    for each in one["exercises"]:
        assert sum(claim["points"] for claim in each["claims"]) == each["points"]
        assert each["report"] in printed
        assert f"| {each['name']} " in printed
    assert told["points"] == one["points"] == sum(each["points"] for each in one["exercises"])
    assert told["max"] == one["max"] == UNIT.points
    assert sorted(path.name for path in tmp_path.iterdir()) == ["points.json", "work.ipynb"]


def test_what_cannot_be_judged_is_told(backend, tmp_path, capsys, monkeypatch):
    """A broken file, a notebook of another course, and one at which the grading itself fails."""

    def fail(task):
        raise OSError("of the grading itself")

    monkeypatch.setattr(single, "perform", fail)
    (tmp_path / f"{UNIT.id}.ipynb").write_text("no JSON at all")
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "other.ipynb")
    hand_in(tmp_path)
    assert judge(tmp_path, f"{UNIT.id}.ipynb", "other.ipynb", "work.ipynb", "--json", "points.json") == 1
    told = json.loads((tmp_path / "points.json").read_text(encoding="utf-8"))
    broken, other, undecided = told["notebooks"]
    assert broken["problem"]
    assert other["problem"] == single.NO_UNIT
    assert undecided["problem"] == single.UNDECIDED
    assert told["points"] is None
    assert [one["points"] for one in undecided["exercises"]] == [None] * len(UNIT.exercises)
    assert capsys.readouterr().out.count("Not judged: ") == 3


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("missing.ipynb",), "there is no file missing.ipynb"),
        (("one.ipynb", "two.ipynb", "--no-sandbox"), "one notebook at a time"),
    ],
)
def test_a_mistake_in_the_command_is_two(tmp_path, capsys, options, expected):
    for name in ("one.ipynb", "two.ipynb"):
        (tmp_path / name).touch()
    assert judge(tmp_path, *options) == single.MISTAKE == 2
    assert expected in capsys.readouterr().err


@pytest.mark.exhaustive
def test_the_class_decides_here_as_well(backend, tmp_path, capsys):
    """Points and exercises left out are those of `course.toml`; several notebooks are judged at a time."""
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    left = UNIT.exercises[1]
    text = f'[units.{UNIT.id}]\nwithout = ["{LAST.name}"]\npoints = {{ {left.name} = 7 }}\n'
    (tmp_path / "course.toml").write_text(text)
    hand_in(tmp_path)
    hand_in(tmp_path, "other.ipynb", OTHER)
    assert judge(tmp_path, "work.ipynb", "other.ipynb", "--json", "points.json", "--jobs", "2") == 0
    capsys.readouterr()
    own, other = json.loads((tmp_path / "points.json").read_text(encoding="utf-8"))["notebooks"]
    assert LAST.name not in [one["name"] for one in own["exercises"]]
    assert own["exercises"][1]["points"] == 7
    assert own["max"] == UNIT.points - LAST.points - left.points + 7
    assert (other["unit"], other["max"]) == (OTHER.id, OTHER.points)


@pytest.mark.exhaustive
def test_a_reader_may_leave_early():
    """As with `course judge ... | head`: no complaint about a broken pipe."""
    code = "import sys; from autograder import cli; from autograder.grading import single\n"
    code += "def told(options):\n    print('x' * 10 ** 6, flush=True)\n"
    code += "single.judge_notebooks = told; sys.exit(cli.main(['judge', 'work.ipynb']))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_help_gives_every_exit_status():
    assert [status for status in ("0 when", "1 when", "2 for") if status not in arguments.EXAMPLES] == []
