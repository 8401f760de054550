"""The static site as `make site` builds it, and the solved notebooks that it shows, run once for all tests."""

import subprocess
import sys

import pytest
from filelock import FileLock

from autograder.registry import units
from tests.support import needs
from tools.course import ROOT
from tools.site.book.solved import solved

KEPT = "solved-notebooks"
ADDRESS, REPOSITORY = "https://example.org/some/folder/", "somebody/something"


def built_site(tmp_path_factory):
    """Build the site in an environment of its own, once for all tests that run together, and return its folder."""
    pytest.importorskip("uv", reason=needs.UV)
    common = of_all_workers(tmp_path_factory)
    site, done = common / "site", common / "site-is-built"
    with FileLock(common / "site.lock"):
        if not done.exists():
            solved_notebooks(tmp_path_factory, [unit.id for unit in units()][::-1])
            _build(site, common / KEPT)
            done.touch()
    return site


def of_all_workers(tmp_path_factory):
    """Return the temporary folder of all tests that run together."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if folder.name.startswith("popen-") else folder


def solved_notebooks(tmp_path_factory, unit_ids):
    """Run the notebooks of solutions where they lie, once for all tests that run together; return them by path."""
    places = [ROOT / "solutions" / unit_id / f"{unit_id}.ipynb" for unit_id in unit_ids]
    return solved(ROOT, places, of_all_workers(tmp_path_factory) / KEPT)


def _build(site, kept):
    command = [sys.executable, "-m", "uv", "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    command += ["--with-editable", ".[site]", "python", "-m", "tools.site.build", "--output", site]
    command += ["--kept", kept]
    command += ["--address", ADDRESS, "--repository", REPOSITORY]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if built.returncode and ("Failed to fetch" in built.stderr or "could not be downloaded" in built.stderr):
        pytest.skip(needs.REGISTRY)
    assert built.returncode == 0, built.stderr
