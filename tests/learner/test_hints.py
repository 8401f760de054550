"""Hints that wait: taken out of the notebooks, offered to those who are stuck, the solution after the last."""

import json
import shutil

import pytest

from autograder import hint, progress, solution
from autograder.authoring.build import SourceError, build, derive, differences, hints_folder
from autograder.learner import hints, progress_file
from tests.support.fake_notebook import OVERFLOWS, RIGHT, Cells, notes
from tests.support.frozen_course.hints import HINTS as FROZEN
from tests.support.mini_course import UNIT_SOURCE, UNITS, write_course
from transformer_kit import workbench

OTHER_MISTAKE = "def softmax(x, axis=-1):\n    return np.exp(x - x.max(axis=axis, keepdims=True))\n"
UNKNOWN_MISTAKE = "def softmax(x, axis=-1):\n    return 3\n"


@pytest.fixture(autouse=True)
def frozen_hints(frozen_course, monkeypatch):
    """The hints of a course that never changes."""
    monkeypatch.setattr(hints, "hints_of", FROZEN.__getitem__)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(workbench.VARIABLE, str(tmp_path / "my_transformer"))
    return tmp_path / "my_transformer"


@pytest.fixture
def cells(folder):
    return Cells()


def opened(score):
    """Return the labels of the hints in a report."""
    return [note.label for note in score.notes if note.label.startswith("Hint")]


def entry(folder):
    return progress_file.read(folder)[0].of("softmax")


# Where they come from


def folded(*numbers):
    """Return a text cell with folded hints."""
    one = "<details><summary>Hint {n}: title {n}</summary>\n\nfirst\nline\n\n1. one\n2. two\n\n</details>"
    text = "\n\n".join(one.format(n=number) for number in numbers).replace("\n", "\n# ")
    return f"# %% [markdown]\n# {text}\n\n"


def with_hints(*numbers):
    """Return the mini unit with hints below the check of `double`."""
    after = "# %% [markdown]\n# ## Exercise 7.2"
    assert after in UNIT_SOURCE
    return UNIT_SOURCE.replace(after, folded(*numbers) + after)


def test_the_build_derives_the_hints_of_a_unit(tmp_path):
    """One file for each unit, compared by --check, removed with the last hint."""
    write_course(tmp_path, with_hints(1, 2, 3))
    path = hints_folder() / "07_mini.json"
    assert build(tmp_path, UNITS)[path] == "written"
    one = {"title": "title 1", "text": "first line\n1. one\n2. two"}
    found = json.loads((tmp_path / path).read_text())
    assert found == {"double": [one | {"title": f"title {n}"} for n in (1, 2, 3)]}
    assert build(tmp_path, UNITS) == {}
    (tmp_path / path).write_text("{}")
    assert differences(tmp_path, derive(tmp_path, UNITS)) == {path: "stale"}
    assert build(tmp_path, UNITS) == {path: "written"}
    shutil.rmtree(tmp_path / "solutions" / "07_mini")
    (tmp_path / "solutions" / "07_mini.py").write_text(UNIT_SOURCE)
    assert build(tmp_path, UNITS, replace=True)[path] == "removed"


@pytest.mark.parametrize("numbers", [(1, 2), (1, 3, 2), (1, 2, 3, 3)])
def test_other_than_three_hints_are_refused(tmp_path, numbers):
    write_course(tmp_path, with_hints(*numbers))
    with pytest.raises(SourceError, match=r"solutions/07_mini.py: below the check of double: expected the hints 1, 2"):
        build(tmp_path, UNITS)


# In a report


def test_the_third_failure_in_succession_opens_a_hint(folder, cells):
    """One for the third failure with the same cause, one for each further one; another cause begins anew.

    What overflows has nothing to do with the second hint, on the axes of sums; it comes when nothing is named.
    """
    sources = [OVERFLOWS] * 2 + [OTHER_MISTAKE] * 2 + [OVERFLOWS] * 4
    assert [opened(cells.check("softmax", source)) for source in sources] == [
        *([[]] * 6),
        ["Hint 1 of 3"],
        ["Hint 3 of 3"],
    ]
    cells.check("softmax", RIGHT["softmax"])
    for expected in ([], [], ["Hint 2 of 3"], ["Hints"], ["Hints"]):
        score = cells.check("softmax", UNKNOWN_MISTAKE)
        assert opened(score) == expected
    assert 'autograder.solution("softmax")' in score.report
    assert entry(folder).hints == 3


def test_a_hint_follows_the_line_that_is_named(folder, cells):
    """The maximum is right here, and so the hint on it stays shut; after the one on sums nothing more belongs."""
    lines = "p = np.exp(x - x.max(axis=axis, keepdims=True))", "return p / p.mean()"
    wrong_sum = "\n    ".join(("def softmax(x, axis=-1):", *lines)) + "\n"
    named = "`p.sum(axis=0)`"
    stuck = progress_file.Entry(stuck=3)
    assert [line.label for line in hints.offered("softmax", stuck, named)] == ["Hint 2 of 3"]
    assert (stuck.hints, stuck.open_hints) == (1, [1])
    assert [opened(cells.check("softmax", wrong_sum)) for _ in range(3)][2] != ["Hint 1 of 3"]


def test_no_hint_opens_on_an_unnamed_step(folder):
    """It is left to the learner to open one."""
    stuck = progress_file.Entry(stuck=3)
    (line,) = hints.offered("softmax", stuck, "`xylophone`")
    assert line.label == "Hints"
    assert 'autograder.hint("softmax")' in line.text
    assert stuck.hints == 0


def test_hints_that_were_passed_over_open_on_request(folder, cells):
    """And the solution waits for all of them."""
    for _ in range(4):
        cells.check("softmax", OVERFLOWS)
    assert "Hints that are not open yet: 2." in repr(solution("softmax"))
    assert repr(hint("softmax")).startswith("**Hint 2 of 3.**")
    assert "return exponentials /" in repr(solution("softmax"))


def test_the_hint_is_in_text_and_html(folder, cells):
    for _ in range(3):
        score = cells.check("softmax", OVERFLOWS)
    first = hints.hints_of("softmax")[0]
    assert notes(score, "Hint 1 of 3") == [f"A question. {first['text']}"]
    assert "\n  Hint 1 of 3: A question. Which number" in score.report.split("\n  Details")[0]
    assert "<strong>Hint 1 of 3:</strong> A question. Which number" in score._repr_html_()


def test_no_hint_without_a_folder(monkeypatch):
    cells = Cells()
    reports = [cells.check("softmax", OVERFLOWS).report for _ in range(5)]
    assert len(set(reports)) == 1
    assert "Hint" not in reports[0]


def test_a_passing_check_opens_none(folder, cells):
    for _ in range(4):
        assert opened(cells.check("softmax", RIGHT["softmax"])) == []


# On request


def test_the_solution_opens_after_all_hints(folder, cells):
    """In the order of the notebook, by function or name; after the last all are shown, and the solution opens."""
    cells.run(OVERFLOWS)
    texts = [shown["text"] for shown in hints.hints_of("softmax")]
    assert "Hints that are not open yet: 1, 2, 3." in repr(solution("softmax"))
    for number, text in enumerate(texts):
        shown = hint(cells.names["softmax"] if number % 2 else "softmax")._repr_markdown_()
        assert shown.startswith(f"**Hint {number + 1} of 3.**")
        assert text in shown
        assert not any(other in shown for other in texts if other != text)
        assert ("all hints" in shown) == (number == 2)
        assert entry(folder).hints == number + 1
        assert not entry(folder).solution
    assert all(text in repr(hint("softmax")) for text in texts)
    assert entry(folder).hints == 3
    assert "return exponentials /" in repr(solution("softmax"))
    assert entry(folder).solution
    assert "help taken: 3 hints, solution of softmax" in repr(progress())


def test_an_offered_hint_counts_as_opened(folder, cells):
    for _ in range(3):
        cells.check("softmax", OVERFLOWS)
    assert repr(hint("softmax")).startswith("**Hint 2 of 3.**")


def test_hints_without_a_folder(monkeypatch):
    monkeypatch.setattr(hints, "_unsaved", progress_file.Progress())
    assert [repr(hint("relu"))[:15] for _ in range(2)] == ["**Hint 1 of 3.*", "**Hint 2 of 3.*"]


def test_hints_where_nothing_can_be_written(folder, monkeypatch):
    monkeypatch.setattr(hints, "_unsaved", progress_file.Progress())
    folder.write_text("in the way")
    assert repr(hint("softmax")).startswith("**Hint 1 of 3.**")
    assert "This could not be noted: " in repr(hint("softmax"))


def test_unknown_names(folder):
    for wrong in ("softmx", len, 3):
        with pytest.raises(LookupError, match="There is no exercise named"):
            hint(wrong)
