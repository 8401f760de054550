"""A course of one unit with two exercises, which stands beside the engine as any other course would."""

from autograder.registry import Course
from autograder.specification import Exercise, Output, Unit


def double(x):
    """Return twice x."""
    return x + x


def quadruple(x):
    """Return four times x."""
    return double(double(x))


DOUBLE = Exercise(double, "twice the input.", (Output("y", "(n,)"),), "Twice")
QUADRUPLE = Exercise(quadruple, "four times the input.", (Output("y", "(n,)"),), "Four times")


@DOUBLE.claim(1)
def whole_numbers(call, rng):
    """each number is doubled"""
    call.agrees(rng.integers(3, 9, size=4).astype(float))


@DOUBLE.claim(1)
def negative_numbers(call, rng):
    """negative numbers are doubled"""
    call.agrees(-rng.random(size=5))


@DOUBLE.mistakes.add(where="Twice")
def squares(x):
    """It squares the numbers.

    Twice a number is the number added to itself.
    """
    return x**2


@QUADRUPLE.claim(2)
def any_numbers(call, rng):
    """each number is multiplied by four"""
    call.agrees(rng.standard_normal(size=3))


@QUADRUPLE.mistakes.add(where="Four times")
def once_only(x):
    """It doubles once only.

    Four times is twice the double.
    """
    return double(x)


UNIT = Unit("00_toy", "A toy", ((1, 2),), (DOUBLE, QUADRUPLE))


def greet(name):
    """Stand for what a course adds to `autograder`."""
    return f"Hello, {name}."


COURSE = Course(
    package=__name__,
    load_units=lambda: (UNIT,),
    reference=__name__,
    tools={"greet": f"{__name__}:greet"},
)
