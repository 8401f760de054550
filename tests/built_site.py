"""The static site as `make site` builds it."""

import subprocess
import sys

import pytest

from tests.course import ROOT


def built_site(output):
    """Build the site into a new folder, in an environment of its own, and return the folder."""
    pytest.importorskip("uv")
    command = [sys.executable, "-m", "uv", "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    command += ["--with-editable", ".[site]", "python", "-m", "browser.build", "--output", output]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode and ("Failed to fetch" in done.stderr or "could not be downloaded" in done.stderr):
        pytest.skip(f"what the site is made of could not be downloaded: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return output
