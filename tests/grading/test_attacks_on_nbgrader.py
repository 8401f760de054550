"""The forgeries that win in nbgrader as it is win nothing once the judge takes part; nor did they ever go unnoticed.

These attacks change nothing but the kernel that they run in, so that they may run without a sandbox.
"""

import pytest

from tests.attacks import ATTACKS
from tests.attacks.stage import Stage
from tests.attacks.verdicts import FORGE_NBGRADER
from tests.support.classroom import Classroom
from tests.support.judging import unit
from tools.course import fill, solved

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings
UNIT = unit(2)
STUDENTS = {f"student-{number:02}": name for number, name in enumerate(FORGE_NBGRADER)}


def points(root, stock):
    """Return what every attacker gets for softmax."""
    classroom = Classroom(root, stock)
    with Stage() as stage:
        for student, name in STUDENTS.items():
            sources = solved(UNIT) | {"softmax": ATTACKS[name].solution(stage.places)}
            classroom.submit(UNIT, student, fill(UNIT, sources))
        classroom.grade(UNIT, STUDENTS)
    return {name: classroom.points(UNIT, student)["softmax"] for student, name in STUDENTS.items()}


def test_nbgrader_alone_is_forged(tmp_path):
    assert all(ATTACKS[name].pure for name in FORGE_NBGRADER)
    assert [name for name, worth in points(tmp_path, stock=True).items() if not worth] == []


def test_with_the_judge_nobody_gains_anything(backend, tmp_path):
    assert [name for name, worth in points(tmp_path, stock=False).items() if worth] == []
