"""The files with which others run the course fit the course. What they start cannot be started here."""

import json
import os
import re
import tomllib

import yaml

from tests.support.declared import requirements
from tools.course import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_binder_uses_a_supported_python():
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
    (command,) = (step["run"] for step in steps if "make site" in step.get("run", ""))
    assert all(option in command for option in ("--address ${{ steps.pages.", "--repository ${{ github.repository }}"))
    assert any(step.get("id") == "pages" and "configure-pages" in step["uses"] for step in steps)
    (upload,) = (step for step in steps if "upload-pages-artifact" in step.get("uses", ""))
    assert (ROOT / upload["with"]["path"]) == ROOT / "site"


def test_the_workflow_runs_what_has_to_pass():
    """On the oldest Python of the course and on a newer one."""
    (job,) = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"].values()
    assert {"run": ".ci/run"} in job["steps"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    (oldest,) = re.findall(r"^>=([\d.]+)$", PROJECT["requires-python"])
    versions = job["strategy"]["matrix"]["python"]
    assert oldest in versions
    assert len(versions) > 1
    (setup,) = (step for step in job["steps"] if "setup-python" in step.get("uses", ""))
    assert setup["with"]["python-version"] == "${{ matrix.python }}"


def test_the_parts_of_the_site_are_pinned():
    extras = PROJECT["optional-dependencies"]
    bounds = requirements(extras["site"])
    assert all(bound.startswith("==") for name, bound in bounds.items() if name.startswith("jupyterlite"))
    assert {name for name, bound in bounds.items() if not (bound.startswith("==") or "<" in bound)} == {"pip"}
