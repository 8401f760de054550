"""The summary of the tests tells what could not be tried on this machine."""

import subprocess
import sys

import pytest

from tools.course import ROOT

FILE = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_with_a_browser(number):
    pytest.skip("needs a browser")

@pytest.mark.skip(reason="needs root")
def test_as_root():
    pass
"""
WHOLE = "import pytest\npytest.skip('needs a browser', allow_module_level=True)"


@pytest.mark.exhaustive
@pytest.mark.parametrize("processes", [0, 2])
def test_every_skipped_test_is_counted(tmp_path, processes):
    for name, text in {"one": FILE.format(count=3), "two": FILE.format(count=4), "whole": WHOLE}.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    options = ["-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", tmp_path, "-n", str(processes)]
    command = [sys.executable, "-m", "pytest", *options, tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if "skipped:" in line]
    assert told == [
        "7 tests skipped: needs a browser",
        "2 tests skipped: needs root",
        "1 whole file skipped: needs a browser",
    ]
