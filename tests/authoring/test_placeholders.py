"""What the build fills in: numbers of exercises, points and times; and the heading that goes with a number."""

import pytest

from autograder.authoring.placeholders import fill
from autograder.specification import Claim, Exercise, Output, Unit


def double(x):
    return 2 * x


def halve(x):
    return x / 2


def made():
    """Return a unit of two exercises, worth 1 and 2.5 points, whose specification has no heading in it."""
    exercises = [
        Exercise(function, "", (Output("y"),), claims=[Claim("is right", points, None)])
        for function, points in ((double, 1), (halve, 2.5))
    ]
    exercises[1].mistakes.add("")(not_halved)
    exercises[1].mistakes.add("Elsewhere", "elsewhere")(not_halved)
    return Unit("07_mini", "Mini", ((5, 10),), tuple(exercises))


def not_halved(x):
    """It returns its input.
    Half of it is asked for."""
    return x


def test_placeholders_are_filled_in():
    unit = made()
    text = "{{halve}}: {{points halve}}; {{double}}: {{points double}}; {{points}}, {{time}}"
    assert fill(text, unit, [unit]) == "7.2: 2.5 points; 7.1: 1 point; 3.5 points, about 5 to 10 minutes"


def test_unknown_placeholder_is_an_error():
    unit = made()
    with pytest.raises(ValueError, match=r"\{\{third\}\} stands for nothing"):
        fill("{{third}}", unit, [unit])


def test_the_default_heading_is_that_of_the_exercise():
    _, exercise = made().exercises
    assert exercise.where == "Exercise 7.2: halve"
    assert [mistake.where for mistake in exercise.mistakes] == ["Exercise 7.2: halve", "Elsewhere"]
