"""What a run tells in the terminal: everybody of whom something was refused, and why the grading itself has failed."""

import pytest

from autograder.grading import summary
from autograder.grading.run import Result

OTHERS = tuple(f"{name}.zip was refused: it cannot be read." for name in ("ann", "bob", "cyd", "dan", "eve", "fay"))
WHERE = {"class/": "below one folder", "": "side by side"}


class Came:
    """What came in: seven submissions, and what was refused."""

    without_notebook = ()
    remarks = ()

    def __init__(self, refusals):
        self.refusals = refusals

    def __len__(self):
        return 7


def told(refusals=(), **about):
    """Return what is printed of a run."""
    found = summary.of_run(Result(**about), Came(refusals))
    found |= {"seconds": 1.0, "sandbox": "none", "report": "report", "grades": "grades", "missing": []}
    return "\n".join(summary.lines_of_run(found)), found


@pytest.mark.parametrize("above", WHERE, ids=WHERE.values())
def test_the_files_of_one_sender_hide_no_others(above):
    many = tuple(f"{above}many.zip/{number}.ipynb was refused: a link." for number in range(53))
    refusals = (*many[:40], *(f"{above}{one}" for one in OTHERS), *many[40:])
    printed, found = told(refusals)
    for one in OTHERS:
        assert f"  {above}{one}\n" in printed
    assert f"  {many[0]} (And 52 more in {above}many.zip; --json lists all.)\n" in printed
    assert found["refused"] == list(refusals)


def test_the_most_frequent_cause_of_failure_is_told():
    """Causes that differ in numbers alone are one."""
    causes = [
        "it took too long",
        *(f"the disk that holds /tmp is full ({free} MB are free)." for free in (0.25, 3.5, 7)),
    ]
    printed, found = told(failed=[("ann", "05_cross_attention")], graded=[("ann", "05_cross_attention")], causes=causes)
    assert "Why (3 of 4 functions): the disk that holds /tmp is full (0.25 MB are free)." in printed
    assert list(found["causes"].values()) == [3, 1]
