"""Specification of `angular_frequencies`."""

import numpy as np

from autograder.exercises.inputs import table_of
from autograder.exercises.unit_01_positional_encoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

FORMULA = "From the formula to the frequencies"

EXERCISE = Exercise(
    reference=reference.angular_frequencies,
    asks="the angular frequency of every (sine, cosine) pair of columns, the fastest first.",
    returns=(Output("frequencies", "(d_model / 2,)"),),
    calls=calls.ANGULAR_FREQUENCIES,
    lookalike=lookalikes.ANGULAR_FREQUENCIES,
)


@EXERCISE.claim(1.5, example=False)
def values(call, rng):
    """equals the definition"""
    call.agrees(4)  # by hand: 1 and 1/100
    call.agrees(int(rng.choice([10, 14, 22])))
    call.agrees(1024)
    call.agrees(2)  # a single pair


@EXERCISE.claim(0.5, side=True)
def base(call, rng):
    """the argument `base` reaches every frequency, and every call makes a new array"""
    d_model, base = int(rng.choice([6, 8, 12])), float(rng.integers(3, 30))
    slow = table_of(call, (d_model // 2,), d_model, base)
    slower = table_of(call, (d_model // 2,), d_model, base**2)
    follows = bool((slower != slow)[1:].all() and np.allclose(slower, slow**2, atol=0))  # 0 and 1 are their own squares
    if not follows:
        call.agrees(d_model)  # where this is wrong, too, it is not the base
    call.holds(
        follows,
        f"with base {base:g} the last frequency is {slow[-1]:.6g}, with base {base**2:g} it is {slower[-1]:.6g}. "
        "A base that is squared must square every frequency.",
    )
    call.leaves_inputs_alone(d_model, base)


@EXERCISE.claim(0.5, example=False, side=True)
def odd(call, rng):
    """an odd d_model raises a ValueError that mentions it"""
    odd = int(rng.choice([13, 15, 27]))
    call.refuses(odd, mentions=[odd])
    table_of(call, (6,), 12)


def _no_odd(d_model):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.angular_frequencies(d_model)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(FORMULA)
wrong("exponent-doubled", {"-first_column": "-2 * first_column"}, """
    The exponent is twice as large as it should be.
    In the formula `2i` is already the number of the pair's first column (0, 2, 4, ...). If you count in steps of two
    and then multiply by 2 again, the frequencies fall towards 1/base**2.""")

wrong("exponent-halved", {"-first_column": "-first_column / 2"}, """
    The exponent is half as large as it should be.
    The exponents run almost from 0 to 1. Yours stop half way: if `i` counts pairs (0, 1, 2, ...), the 2 of `2i` has not
    been written yet.""")

wrong("divisor-returned", "1 / angular_frequencies(d_model, base)", """
    The divisor is returned, not the frequency.
    The position is divided by these numbers; a frequency is what it is multiplied by. Frequencies start at 1 and
    fall.""")

wrong("one-per-column", {"np.arange(0, d_model, 2)": "np.arange(d_model)"}, """
    Every column gets a frequency of its own.
    A sine and the cosine beside it share one frequency, so there are only half as many frequencies as columns.""")

wrong.at()
wrong("each-twice", "np.repeat(angular_frequencies(d_model, base), 2)", """
    Every frequency is returned twice.
    One frequency per column is handy later, but you are asked for one per pair of columns.""")

wrong.at(FORMULA)
wrong("ends-at-one-over-base", {"base ** (-first_column / d_model)": "np.geomspace(1, 1 / base, d_model // 2)"}, """
    The frequencies are spread so that the last one is exactly 1/base.
    Some programs do it this way, but in the paper's formula the exponent never quite reaches 1, because its largest
    value is (d_model - 2) / d_model.""")

wrong("base-ten", "angular_frequencies(d_model, np.exp(np.log10(base)))", """
    The frequencies fall as with a logarithm to base 10, not with the natural one.
    The exponential undoes the natural logarithm, `np.log`. `np.log10` counts powers of 10.""")

wrong("one-less-than-d-model", {"/ d_model)": "/ (d_model - 1))"}, """
    The exponent is divided by d_model - 1.
    Dividing by the last index is right for a range that includes its end. Here the formula divides by the width d_model
    itself.""")

wrong.at()
wrong("base-ignored", {"base **": "10000.0 **"}, """
    The argument `base` is ignored.
    10000 is only the default. A function that takes an argument must use it.""")


@wrong.function
def odd_asserted(d_model, base=10000.0):
    """An odd d_model raises an AssertionError.
    An `assert` is for what can never happen, and Python can switch it off. A wrong argument deserves a ValueError that
    says so."""
    assert d_model % 2 == 0
    return reference.angular_frequencies(d_model, base)


wrong("odd-rounded-up", "base ** (-np.arange(0, d_model, 2) / d_model)", """
    An odd d_model is accepted, with one frequency too many.
    The last sine would have no cosine beside it. Say so at once with a ValueError: later on it would be a puzzle about
    shapes.""")

wrong("odd-rounded-down", "base ** (-2 * np.arange(d_model // 2) / d_model)", """
    An odd d_model is accepted, and one column is lost.
    Rounding down gives a table that is one column narrower than asked for. Refuse such a width with a ValueError.""")

wrong.at(FORMULA)
wrong("pairs-from-1", {"np.arange(0, d_model, 2)": "np.arange(2, d_model + 2, 2)"}, """
    Pairs are counted from 1.
    For the first pair i is 0, so its exponent is 0 and its frequency 1. Yours is left out.""")

wrong("brackets-missing", {"base ** (-first_column / d_model)": "base**-2.0 * first_column / 2 / d_model"}, """
    The result is that of an exponent without brackets.
    A power binds more tightly than a product or a division. Without brackets only the first number after `**` is an
    exponent, and the rest is multiplied afterwards.""")

wrong("power-divided", {"base ** (-first_column / d_model)": "base ** (-1.0 * first_column) / d_model"}, """
    The power is divided by d_model, not the exponent.
    A power binds more tightly than a division. The fraction needs brackets to be the exponent.""")

wrong("exponents-rounded", {"-first_column / d_model": "-1.0 * (first_column // d_model)"}, """
    The exponents are rounded to whole numbers.
    `//` gives whole numbers, and 2i is always less than d_model: every exponent becomes 0. An exponent is a
    fraction.""")

wrong("slowest-first", "angular_frequencies(d_model, base)[::-1].copy()", """
    The slowest frequency comes first.
    i counts pairs from the left, and with i the exponent grows. So the first frequency is 1, and then they fall.""")

wrong("wavelengths", "2 * np.pi / angular_frequencies(d_model, base)", """
    Wavelengths are returned, not frequencies.
    A wavelength says after how many positions the wave repeats. You are asked for the radians per position.""")

wrong("two-pi-too-many", "2 * np.pi * angular_frequencies(d_model, base)", """
    The frequencies are multiplied by 2π.
    They are radians per position already: the formula has no 2π.""")

wrong("number-not-mentioned", {", because columns come in (sine, cosine) pairs; got {d_model}": ""}, """
    The message does not say how large d_model is.
    "Must be even" says what is expected, but not what came. Put the number into the message.""")

wrong("whole-base-each-time", {"-first_column / d_model": "-first_column / 2"}, """
    From one pair to the next the frequency falls by the whole base.
    The exponents are fractions: over all pairs together the frequencies fall by about one base.""")

wrong("shared-by-two-pairs", {"-first_column": "-(first_column // 4 * 4)"}, """
    Two neighbouring pairs share each frequency.
    `i // 2` is for numbers of columns. If i counts pairs already, each i has a frequency of its own.""")

wrong("exponents-rounded-down", {"-first_column / d_model": "-first_column // d_model"}, """
    Every exponent is rounded down to a whole number.
    All but the first lie between -1 and 0, and `//` turns them into -1. Divide with `/`.""")
