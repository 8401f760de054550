"""Tests with a case for each exercise, in a process that judges each known mistake once for all of them."""

import pytest

from autograder.registry import units

by_exercise = pytest.mark.parametrize(
    "exercise",
    [
        pytest.param(exercise, id=exercise.name, marks=pytest.mark.xdist_group(exercise.name))
        for unit in units()
        for exercise in unit.exercises
    ],
)
