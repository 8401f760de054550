"""What a class adds goes where its work is judged, and nothing is judged without it."""

from autograder.decisions.decided import Decisions
from autograder.grading.recipes.packed import copy_class
from autograder.grading.verdicts import fingerprint, judging
from tests.support.own_folder import SHOWN, UNIT, write_own


def test_a_recipe_takes_it_along(tmp_path):
    for name in ("notebooks", "solutions"):
        (tmp_path / "class" / name).mkdir(parents=True)
    copy_class(tmp_path / "class", tmp_path / "without", Decisions())
    assert not (tmp_path / "without" / "own").exists()
    write_own(tmp_path / "class")
    copy_class(tmp_path / "class", tmp_path / "with", Decisions())
    assert {path.name for path in (tmp_path / "with" / "own" / UNIT).iterdir()} == {name for name, _ in SHOWN}


def test_a_worker_with_another_folder_gives_no_points():
    task = {"student": "ann", "unit": "02_scaled_dot_product_attention", "added": "of another class", "together": []}
    [[record], _] = judging.perform(task | {"backend": "none", "exercises": [["softmax", [7], "key"]]})
    assert (record["points"], record["status"]) == (None, "internal error")
    assert "start the workers in copies of the class's folder" in record["note"]


def test_the_digest_follows_what_is_judged(tmp_path, monkeypatch):
    """The text of the cells decides no verdict."""
    (tmp_path / "solutions").mkdir()
    for name in ("solutions/start.py", "course.toml"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    without = fingerprint.added()
    found = [without]
    for changed in ({}, {"notebook": "# a"}, {"private": "# a"}, {"exercises": "# a", "private": "# a"}):
        write_own(tmp_path, **changed)
        found.append(fingerprint.added())
    assert found[1] == found[2]
    assert len({*found}) == 4
