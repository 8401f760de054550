"""Tests with a case for each exercise, in a process that judges each known mistake once for all of them."""

import pytest

from autograder.registry import units

FEW = 5  # mistakes of an exercise in `make test`: about a quarter
# Their mistakes run a whole model, or search: `make test-all` tries them.
LONG = ("encode_source", "decode_target", "cached_decode_step", "translate", "beam_search")


def _cases(*long_marks):
    for unit in units():
        for exercise in unit.exercises:
            marks = [pytest.mark.xdist_group(exercise.name), *(long_marks if exercise.name in LONG else ())]
            yield pytest.param(exercise, id=exercise.name, marks=marks)


by_exercise = pytest.mark.parametrize("exercise", [*_cases()])
by_exercise_soon = pytest.mark.parametrize("exercise", [*_cases(pytest.mark.exhaustive)])
