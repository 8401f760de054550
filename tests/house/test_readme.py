"""What a stranger meets first: the built parts of the pages are in step, and what they promise can be kept."""

import re
import tomllib
from importlib.util import find_spec

import numpy as np
import pytest
import yaml

from autograder import check, cli
from tests.support.grading_table import grading_table
from tools import readme
from tools.course import ROOT
from tools.pictures import WRONG

TEXT = readme.README.read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_tables_are_in_step():
    """The pages are what `make readme` would write."""
    pages = [*readme.pages().items(), (readme.PROOF, {"grading": grading_table()})]
    texts = {page: page.read_text(encoding="utf-8") for page, _ in pages}
    outdated = [page.name for page, built in pages if readme.filled(texts[page], built) != texts[page]]
    assert outdated == [], "run `make readme`"


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
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    named = {name for text in texts for name in re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M)}
    assert {"lab", "test"} <= named <= targets


def test_every_make_target_runs_what_exists():
    """No recipe names a module that is gone; a mere folder, which can be found, too, has no origin."""
    modules = set(re.findall(r"python -m ([.\w]+)", (ROOT / "Makefile").read_text(encoding="utf-8")))
    specs = {module: find_spec(module) for module in modules - {"pip", "pytest", "uv", "venv"}}
    assert {"tools.readme", "tools.proof"} <= modules
    assert [module for module, spec in specs.items() if spec is None or spec.origin is None] == []


def test_every_command_in_the_texts_exists():
    """No page names a command of `course`, or an option of one, that the command line does not have."""
    [commands] = [action.choices for action in cli.parser()._actions if action.dest == "command"]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    lines = re.findall(r"^(?:course|.*`course) ([a-z-]+)([^`#\n]*)", "\n".join(map(_text_of, pages)), re.M)
    unknown = [name for name, _ in lines if name not in commands]
    assert {"grade", "judge", "recipe"} <= {name for name, _ in lines}
    assert unknown == []
    flags = [(name, flag) for name, rest in lines for flag in re.findall(r"(?<!\S)--[a-z-]+", rest) if name != "lab"]
    assert [(name, flag) for name, flag in flags if flag not in commands[name]._option_string_actions] == []


def _text_of(page):
    return page.read_text(encoding="utf-8").replace("`course ", "\n`course ")


def test_the_first_example_gets_the_shown_report():
    """The code of the README is the code of its picture, and its report says what the README says about it."""
    code = re.search(r"^```python\n(.*?)^```", TEXT, re.M | re.S)[1]
    assert code.partition("\n\n")[0] in WRONG
    scores = []
    exec(code, {"np": np, "check": lambda function: scores.append(check(function))})
    (score,) = scores
    assert f"{score.points:g} of {score.max_points:g} points" in TEXT
    assert "divides by the square root of d_model" in score.report
    assert "divides by the square root of d_model" in TEXT


def test_the_citation_is_of_this_version():
    """Cited is what is installed: one title, one version, one licence."""
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(CITATION)
    assert TEXT.startswith(f"# {CITATION['title']}\n")
    assert CITATION["version"] == PROJECT["version"]
    assert " AND ".join(CITATION["license"]) == PROJECT["license"]


def test_the_changelog_ends_in_this_version():
    """The newest version of the changelog is that of the package; what is newer is not released."""
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert next(version for version in versions if version != "Unreleased") == PROJECT["version"]


def test_every_licence_is_there_and_linked():
    assert len(PROJECT["license-files"]) == 3
    assert [name for name in PROJECT["license-files"] if not (ROOT / name).exists() or f"({name})" not in TEXT] == []


def test_every_promise_of_security_names_tests_that_exist():
    """Each line of the tables of promises names tests or families of attacks, and all of them are there."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "| promise |" not in line]
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(rows) > 8
    for row in rows:
        tried = row.split("|")[3]
        families = re.findall(r"`(\w+)`", tried.partition("famil")[2])
        named = set(re.findall(r"`(test_\w+)`", tried))
        assert named or families, row
        assert not [name for name in named if f"def {name}(" not in tests], row
        assert not [name for name in families if not (ROOT / "tests" / "attacks" / f"{name}.py").exists()], row
