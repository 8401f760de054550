"""A test marked `one_in` tries a part of its cases, another one than the next test does, and all when it is asked."""

import subprocess
import sys

import pytest

from tools.course import ROOT

FILE = """
import pytest

cases = pytest.mark.parametrize("number", range(12))

@pytest.mark.one_in(3)
@cases
def test_first(number):
    pass

@pytest.mark.one_in(4)
@cases
def test_second(number):
    pass

@cases
def test_unmarked(number):
    pass

@pytest.mark.one_in(3)
def test_alone():
    pass
"""


@pytest.mark.parametrize(
    ("options", "first", "second"),
    [
        pytest.param((), 4, 3, id="a part"),
        pytest.param(("--whole",), 12, 12, id="whole", marks=pytest.mark.exhaustive),
        pytest.param(("-k", "first or second or unmarked or alone"), 12, 12, id="named", marks=pytest.mark.exhaustive),
    ],
)
def test_one_in_so_many_is_tried(tmp_path, options, first, second):
    (tmp_path / "test_cases.py").write_text(FILE)
    always = ["-p", "tests.conftest", "-c", ROOT / "pyproject.toml", "-n", "0", "--collect-only", "-q"]
    command = [sys.executable, "-m", "pytest", *always, *options, tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    chosen = {}
    for line in done.stdout.splitlines():
        _, _, test = line.partition("::test_")
        name, _, case = test.partition("[")
        if test:
            chosen.setdefault(name, []).append(case.rstrip("]"))
    counts = {name: len(cases) for name, cases in chosen.items()}
    assert counts == {"first": first, "second": second, "unmarked": 12, "alone": 1}
    if not options:
        assert chosen["first"][0] != chosen["second"][0]
