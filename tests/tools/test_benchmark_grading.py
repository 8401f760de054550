"""The benchmark of grading."""

import sys

import pytest

from tools.benchmark_grading import measured

COMPLAINT = "import sys; print('half done'); sys.exit('no sandbox works')"


def test_a_command_that_fails_says_why(tmp_path):
    with pytest.raises(SystemExit, match=r"ended with 1:\nhalf done\nno sandbox works"):
        measured([sys.executable, "-c", COMPLAINT], tmp_path)
