"""Specification of `angular_frequencies`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import table_of
from transformer_kit import reference


def _values(call, rng):
    call.agrees(4)  # by hand: 1 and 1/100
    call.agrees(int(rng.choice([10, 14, 22])))


def _base(call, rng):
    d_model, base = int(rng.choice([6, 8, 12])), float(rng.integers(3, 30))
    slow = table_of(call, (d_model // 2,), d_model, base)
    slower = table_of(call, (d_model // 2,), d_model, base**2)
    call.holds(
        bool(slow[-1] != 1 and np.allclose(slower, slow**2, atol=0)),
        f"with base {base:g} the last frequency is {slow[-1]:.6g}, with base {base**2:g} it is {slower[-1]:.6g}. "
        "A base that is squared must square every frequency.",
    )


def _odd(call, rng):
    call.agrees(12)
    odd = int(rng.choice([13, 15, 27]))
    call.refuses(odd, mentions=[odd])


def _no_odd(d_model):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.angular_frequencies(d_model)


def _exponent_doubled(d_model, base=10000.0):
    _no_odd(d_model)
    return base ** (-2 * np.arange(0, d_model, 2) / d_model)


def _exponent_halved(d_model, base=10000.0):
    _no_odd(d_model)
    return base ** (-np.arange(d_model // 2) / d_model)


def _divisor(d_model, base=10000.0):
    return 1 / reference.angular_frequencies(d_model, base)


def _one_per_column(d_model, base=10000.0):
    _no_odd(d_model)
    return base ** (-np.arange(d_model) / d_model)


def _each_twice(d_model, base=10000.0):
    return np.repeat(reference.angular_frequencies(d_model, base), 2)


def _ends_at_one_over_base(d_model, base=10000.0):
    _no_odd(d_model)
    return np.geomspace(1, 1 / base, d_model // 2)


def _one_less(d_model, base=10000.0):
    _no_odd(d_model)
    return base ** (-np.arange(0, d_model, 2) / (d_model - 1))


def _base_ignored(d_model, base=10000.0):
    return reference.angular_frequencies(d_model)


def _odd_rounded_up(d_model, base=10000.0):
    return base ** (-np.arange(0, d_model, 2) / d_model)


def _odd_rounded_down(d_model, base=10000.0):
    return base ** (-2 * np.arange(d_model // 2) / d_model)


def _odd_asserted(d_model, base=10000.0):
    assert d_model % 2 == 0
    return reference.angular_frequencies(d_model, base)


FORMULA = "From the formula to the frequencies"

EXERCISE = Exercise(
    reference=reference.angular_frequencies,
    asks="the angular frequency of every (sine, cosine) pair of columns, the fastest first.",
    returns=(Returned("frequencies", "(d_model / 2,)"),),
    where="Exercise 1.1: angular_frequencies",
    claims=(
        Claim("equals the definition", 1.5, _values, example=False),
        Claim("the argument `base` reaches every frequency", 0.5, _base),
        Claim("an odd d_model raises a ValueError that mentions it", 1, _odd, example=False),
    ),
    mistakes=(
        Mistake(
            "exponent-doubled",
            "The exponent is twice as large as it should be",
            _exponent_doubled,
            "In the formula `2i` is already the number of the pair's first column (0, 2, 4, ...). Whoever counts in "
            "steps of two and then multiplies by 2 again falls towards 1/base**2.",
            FORMULA,
        ),
        Mistake(
            "exponent-halved",
            "The exponent is half as large as it should be",
            _exponent_halved,
            "The exponents run almost from 0 to 1. Yours stop half way: if `i` counts pairs (0, 1, 2, ...), the 2 "
            "of `2i` has not been written yet.",
            FORMULA,
        ),
        Mistake(
            "divisor-returned",
            "The divisor is returned, not the frequency",
            _divisor,
            "The position is divided by these numbers; a frequency is what it is multiplied by. Frequencies start "
            "at 1 and fall.",
            FORMULA,
        ),
        Mistake(
            "one-per-column",
            "Every column gets a frequency of its own",
            _one_per_column,
            "A sine and the cosine beside it share one frequency, so there are only half as many frequencies as "
            "columns.",
            FORMULA,
        ),
        Mistake(
            "each-twice",
            "Every frequency is returned twice",
            _each_twice,
            "One frequency per column is handy later, but asked for is one per pair of columns.",
            "Exercise 1.1: angular_frequencies",
        ),
        Mistake(
            "ends-at-one-over-base",
            "The frequencies are spread so that the last one is exactly 1/base",
            _ends_at_one_over_base,
            "Some programs do it this way, but in the paper's formula the exponent never quite reaches 1, because "
            "its largest value is (d_model - 2) / d_model.",
            FORMULA,
        ),
        Mistake(
            "one-less-than-d-model",
            "The exponent is divided by d_model - 1",
            _one_less,
            "Dividing by the last index is right for a range that includes its end. Here the formula divides by the "
            "width d_model itself.",
            FORMULA,
        ),
        Mistake(
            "base-ignored",
            "The argument `base` is ignored",
            _base_ignored,
            "10000 is only the default. A function that takes an argument must use it.",
            "Exercise 1.1: angular_frequencies",
        ),
        Mistake(
            "odd-asserted",
            "An odd d_model raises an AssertionError",
            _odd_asserted,
            "An `assert` is for what can never happen, and Python can switch it off. An argument that a caller got "
            "wrong deserves a ValueError that says so.",
            "Exercise 1.1: angular_frequencies",
        ),
        Mistake(
            "odd-rounded-up",
            "An odd d_model is accepted, with one frequency too many",
            _odd_rounded_up,
            "The last sine would have no cosine beside it. Say so at once with a ValueError: later it becomes a "
            "puzzle about shapes.",
            "Exercise 1.1: angular_frequencies",
        ),
        Mistake(
            "odd-rounded-down",
            "An odd d_model is accepted, and one column is silently lost",
            _odd_rounded_down,
            "Rounding down gives a table that is one column narrower than asked for. Refuse such a width with a "
            "ValueError.",
            "Exercise 1.1: angular_frequencies",
        ),
    ),
)
