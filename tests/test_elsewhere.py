"""The files with which others run the course fit the course. What they start cannot be started here."""

import json
import os
import tomllib

import yaml

from tests.course import ROOT
from tests.test_layout import requirements


def test_binder_installs_the_course_in_a_python_that_it_supports():
    environment = yaml.safe_load((ROOT / ".binder" / "environment.yml").read_text())
    assert "python=3.12" in environment["dependencies"]
    script = ROOT / ".binder" / "postBuild"
    assert "--editable ." in script.read_text()
    assert os.access(script, os.X_OK)


def test_codespaces_opens_what_there_is():
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert all((ROOT / file).exists() for file in settings["customizations"]["codespaces"]["openFiles"])


def test_the_workflow_publishes_what_make_site_builds():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text())["jobs"]
    steps = jobs["site"]["steps"]
    assert {"run": "make site"} in steps
    (upload,) = (step for step in steps if "upload-pages-artifact" in step.get("uses", ""))
    assert (ROOT / upload["with"]["path"]) == ROOT / "site"


def test_the_parts_of_the_site_are_pinned():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name for name, bounds in requirements(extras["site"]).items() if not bounds.startswith("==")} == {"pip"}
