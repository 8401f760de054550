"""The static site as `make site` builds it."""

import subprocess
import sys

import pytest
from filelock import FileLock

from tests.support import needs
from tools.course import ROOT

ADDRESS, REPOSITORY = "https://example.org/some/folder/", "somebody/something"


def built_site(tmp_path_factory):
    """Build the site in an environment of its own, once for all tests that run together, and return its folder."""
    pytest.importorskip("uv", reason=needs.UV)
    common = tmp_path_factory.getbasetemp()
    common = common.parent if common.name.startswith("popen-") else common  # of all workers
    site, done = common / "site", common / "site-is-built"
    with FileLock(common / "site.lock"):
        if not done.exists():
            _build(site)
            done.touch()
    return site


def _build(site):
    command = [sys.executable, "-m", "uv", "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    command += ["--with-editable", ".[site]", "python", "-m", "tools.site.build", "--output", site]
    command += ["--address", ADDRESS, "--repository", REPOSITORY]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if built.returncode and ("Failed to fetch" in built.stderr or "could not be downloaded" in built.stderr):
        pytest.skip(needs.REGISTRY)
    assert built.returncode == 0, built.stderr
