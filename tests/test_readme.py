"""The built parts of the README are in step, and its promises can be kept."""

import re

import pytest

from tests import readme
from tests.course import ROOT

TEXT = readme.README.read_text(encoding="utf-8")


@pytest.mark.slow
def test_tables_are_in_step():
    """The tables are what `make readme` would write."""
    assert readme.filled(TEXT, readme.tables()) == TEXT, "run `make readme`"


def test_a_missing_place_is_told():
    """Meta-test: a table without its place is an error, and an old table is replaced."""
    with pytest.raises(ValueError, match="found 0"):
        readme.filled("no place here", {"units": ""})
    old = "<!-- units: built -->\nold\n<!-- end -->"
    assert readme.filled(old, {"units": "new"}) == "<!-- units: built -->\n\nnew\n\n<!-- end -->"


def test_every_make_target_in_the_texts_exists():
    """No page names a make target that the Makefile does not have."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    named = {name for text in texts for name in re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M)}
    assert {"lab", "test"} <= named <= targets
