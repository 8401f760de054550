"""The library in real kernels: from unit 02 to unit 03 and the start page; and grading, which knows nothing of it."""

import json
import shutil

import nbformat
import pytest

from autograder.authoring.build import START_PAGE
from autograder.registry import units
from tests.support.classroom import Classroom
from tests.support.fake_notebook import OVERFLOWS
from tests.support.notebook_runs import noise, run, scores
from tools.course import ROOT, fill, solved, tags
from tools.kernels import outputs
from transformer_kit import workbench

pytestmark = pytest.mark.exhaustive
SECOND, THIRD = units()[2:4]
UNIT_02 = "unit_02_scaled_dot_product_attention.py"


@pytest.fixture
def home(tmp_path):
    """A learner's copy of the start page, with a folder for each unit that is worked on."""
    shutil.copy(ROOT / START_PAGE, tmp_path)
    for unit in (SECOND, THIRD):
        (tmp_path / unit.id).mkdir()
    return tmp_path


def loaded(book):
    """Return what the imports of a notebook print."""
    cell = next(cell for cell in book.cells if cell.cell_type == "code")
    return "".join(output.get("text", "") for output in cell.outputs)


def reports(book):
    """Return the report of every check, by exercise."""
    checks = [cell for cell in book.cells if tags(cell).get("grade")]
    return {tags(c)["grade_id"].removeprefix("check-"): c.outputs[-1].data["text/html"] for c in checks}


def start_page(home):
    """Run the start page and return the text of the progress on it."""
    book = run(nbformat.read(home / START_PAGE.name, as_version=4), home)
    assert noise(book) == []
    return next(o.data["text/plain"] for _, o in outputs(book) if "Next: " in o.get("data", {}).get("text/plain", ""))


def test_from_unit_02_to_unit_03(home):
    """What passes is kept; the next notebook says where its functions come from, and so does the start page."""
    assert start_page(home).startswith("You have not started yet")
    names = ("softmax", "attention_scores", "scaled_dot_product_attention")
    second = run(fill(SECOND, solved(SECOND, names)), home / SECOND.id)
    assert noise(second) == []
    assert sum(scores(second).values()) == 4 + 3 + 5
    assert f"in my_transformer/{UNIT_02}, where later notebooks find it." in reports(second)["softmax"]
    third = run(fill(THIRD, {}, figures=True), home / THIRD.id)
    assert noise(third) == []
    assert loaded(third) == "Yours: attention_scores, softmax.\n"
    assert "02 Scaled dot-product attention and the softmax Jacobian: 12 of 20 points" in start_page(home)
    (home / "my_transformer" / "progress.json").unlink()
    assert "12 of 20 points" in start_page(home)
    assert scores(run(fill(THIRD, solved(THIRD)), home / THIRD.id)) == {e.name: e.points for e in THIRD.exercises}


def test_hints_go_on_after_a_restart(home):
    """Failures are counted over kernels; from the third on there is a hint, those on what is named first."""
    offered = []
    for _ in range(4):
        book = run(fill(SECOND, {"softmax": OVERFLOWS}), home / SECOND.id)
        report = reports(book)["softmax"]
        offered.append([number for number in (1, 2, 3) if f"Hint {number} of 3:" in report])
    assert offered == [[], [], [1], [3]]
    assert scores(book)["softmax"] == 3.5


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (UNIT_02, "def softmax(:\n", "cannot be imported: SyntaxError"),
        (UNIT_02, "while True:\n    pass\n", "cannot be imported within 10 seconds"),
        (
            UNIT_02,
            f"import numpy as np\n{OVERFLOWS}",
            "line 2: its check fails. Your function exponentiates the numbers",
        ),
        ("progress.json", "{", "until yours passes: attention_scores, softmax"),
        ("", "a file in the folder's place", "until yours passes"),
    ],
    ids=["syntax", "endless", "wrong", "progress", "no folder"],
)
def test_a_damaged_library_stops_no_notebook(home, file, content, message):
    """One line says what is wrong; every check has its points."""
    folder = home / "my_transformer"
    if file:
        folder.mkdir()
    (folder / file if file else folder).write_text(content)
    third = run(fill(THIRD, solved(THIRD)), home / THIRD.id)
    assert noise(third) == []
    assert message in loaded(third)
    assert loaded(third).count("\n") == 1
    assert scores(third) == {exercise.name: exercise.points for exercise in THIRD.exercises}
    assert ("Not kept:" in reports(third)["causal_mask"]) == (not file)
    shown = "".join(output.get("data", {}).get("text/html", "") for _, output in outputs(third))
    assert shown.count("progress-unreadable") == (file == "progress.json")


@pytest.mark.filterwarnings("ignore")  # nbgrader's own
@pytest.mark.parametrize("stock", [True, False], ids=["stock nbgrader", "judge"])
def test_grading_neither_reads_nor_writes_a_library(tmp_path, monkeypatch, stock, request):
    """A poisoned library beside the submission, and one that is named, change no mark and stay as they are."""
    if not stock:
        request.getfixturevalue("backend")
    poison = "raise SystemExit\n"
    classroom = Classroom(tmp_path / "course", stock)
    places = [tmp_path / "named", *(tmp_path / "course" / "classroom" / step / "ada" / "my_transformer"
                                    for step in ("submitted", "autograded"))]  # fmt: skip
    for place in places[:1]:
        place.mkdir(parents=True)
        (place / UNIT_02).write_text(poison)
    monkeypatch.setenv(workbench.VARIABLE, str(places[0]))
    book = fill(THIRD, solved(THIRD))
    book.cells[1].source += "\nfrom autograder import hint, solution, progress\n"
    classroom.submit(THIRD, "ada", book)
    classroom.grade(THIRD, ["ada"])
    assert classroom.points(THIRD, "ada") == {exercise.name: exercise.points for exercise in THIRD.exercises}
    assert [path.name for path in places[0].iterdir()] == [UNIT_02]
    assert (places[0] / UNIT_02).read_text() == poison
    assert not any(place.exists() for place in places[1:])
    assert list(tmp_path.rglob("progress.json")) == []
    graded = next((tmp_path / "course" / "classroom" / "autograded").rglob("*.ipynb")).read_text()
    assert "Kept" not in json.dumps(graded)
