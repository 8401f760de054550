"""What the documents show of a class's file can be written just so."""

import re

import pytest

from autograder.decisions.reading import read_decisions
from tools.course import ROOT

SHOWN = [
    pytest.param(text, id=f"{path.stem}-{number}")
    for path in sorted((ROOT / "docs").glob("*.md"))
    for number, text in enumerate(re.findall(r"^```toml\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M))
    if "[units." in text
]


@pytest.mark.parametrize("text", SHOWN)
def test_a_shown_file_has_a_meaning(tmp_path, text):
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    assert read_decisions(tmp_path).units


def test_a_class_is_shown_its_file():
    assert len(SHOWN) == 3
