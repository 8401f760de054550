"""Functions that learners wrote for `angular_frequencies`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "has the exponent i / d_model instead of 2i / d_model", names={"exponent-halved"}, line="exponents = i / d_model"
)
def single_i(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model = {d_model} is odd")
    i = np.arange(d_model // 2)
    exponents = i / d_model
    return 1 / base**exponents


@wrong(
    "doubles i twice: it counts in steps of two already and multiplies by two again",
    names={"exponent-doubled"},
    line="return 1.0 / base ** (2 * i / d_model)",
)
def doubled_twice(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"odd width {d_model}")
    i = np.arange(0, d_model, 2)
    return 1.0 / base ** (2 * i / d_model)


@wrong(
    "forgets the minus sign of the exponent, so the frequencies grow",
    names={"divisor-returned"},
    line="return base ** (columns / d_model)",
)
def positive_exponent(d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError(f"d_model must be even, not {d_model}")
    columns = np.arange(0, d_model, 2)
    return base ** (columns / d_model)


@wrong("raises no ValueError for an odd d_model", names={"odd-rounded-up"}, line=None)
def odd_is_accepted(d_model, base=10000.0):
    columns = np.arange(0, d_model, 2)
    exponents = columns / d_model
    return base**-exponents


@wrong("uses 10000 whatever base is given", names={"base-ignored"}, line="frequencies = 10000.0 ** (-pairs / d_model)")
def fixed_base(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"odd d_model: {d_model}")
    pairs = np.arange(0, d_model, 2)
    frequencies = 10000.0 ** (-pairs / d_model)
    return frequencies


@wrong(
    "lets the exponent end at 1 instead of just before 1",
    names={"ends-at-one-over-base"},
    line="exponents = np.linspace(0, 1, d_model // 2)",
)
def linspace_with_end(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"{d_model} is odd")
    exponents = np.linspace(0, 1, d_model // 2)
    return 1 / np.power(base, exponents)


@wrong(
    "divides 2i by half the width, so the exponents are twice too large",
    names={"exponent-doubled"},
    line="exponent = 2 * i / half",
)
def divided_by_half(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError("odd d_model " + str(d_model))
    half = d_model // 2
    i = np.arange(half)
    exponent = 2 * i / half
    return base ** (-exponent)


@wrong(
    "gives one frequency per column instead of one per pair", names={"one-per-column"}, line="j = np.arange(d_model)"
)
def one_per_column(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model {d_model} must be even")
    j = np.arange(d_model)
    return 1 / base ** (j / d_model)


@wrong(
    "counts the pairs from 1, so the frequencies start below 1",
    names={"pairs-from-1"},
    line="for i in range(1, d_model // 2 + 1):",
)
def pairs_from_one(d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError(f"got an odd width: {d_model}")
    omegas = []
    for i in range(1, d_model // 2 + 1):
        omegas.append(1 / base ** (2 * i / d_model))
    return np.array(omegas)


@wrong(
    "has no brackets around the exponent: it divides by base squared and multiplies by i / d_model",
    names={"brackets-missing"},
    line="omega = 1 / base**2 * i / d_model",
)
def no_brackets(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model is odd: {d_model}")
    i = np.arange(d_model // 2)
    omega = 1 / base**2 * i / d_model
    return omega


@wrong(
    "rounds the exponents down to 0 by integer division, so every frequency is 1",
    names={"exponents-rounded"},
    line="exponents = 2 * i // d_model",
)
def integer_division(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model={d_model} has a column without partner")
    i = np.arange(d_model // 2)
    exponents = 2 * i // d_model
    return 1 / base**exponents


@wrong("multiplies the frequencies by 2 pi", names={"two-pi-too-many"}, line="return 2 * np.pi * omega")
def times_two_pi(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"{d_model} columns are not pairs")
    i = np.arange(d_model // 2)
    omega = base ** (-2 * i / d_model)
    return 2 * np.pi * omega


@wrong(
    "leaves the logarithm of the base out of the exponential",
    line="return np.exp(-np.arange(0, d_model, 2) / d_model * base)",
)
def exp_without_log(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"odd number of columns: {d_model}")
    return np.exp(-np.arange(0, d_model, 2) / d_model * base)


@wrong(
    "takes the decimal logarithm of the base together with the natural exponential",
    names={"base-ten"},
    line="log_base = np.log10(base)",
)
def decimal_logarithm(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}")
    log_base = np.log10(base)
    return np.exp(-log_base * np.arange(0, d_model, 2) / d_model)


@wrong("returns the slowest frequency first", names={"slowest-first"}, line="return omega[::-1]")
def slowest_first(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"odd: {d_model}")
    omega = 1 / base ** (np.arange(0, d_model, 2) / d_model)
    return omega[::-1]


@wrong(
    "message of the error does not contain the number",
    names={"number-not-mentioned"},
    line='raise ValueError("d_model must be even")',
)
def message_without_number(d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    i = np.arange(d_model // 2)
    return 1 / base ** (2 * i / d_model)


@wrong(
    "refuses nearly all even widths too, because it tests the half with // instead of the remainder with %",
    line="if d_model // 2 != 0:",
)
def half_instead_of_remainder(d_model, base=10000.0):
    if d_model // 2 != 0:
        raise ValueError(f"d_model = {d_model} is odd")
    i = np.arange(0, d_model, 2)
    return 1 / base ** (i / d_model)


@wrong("refuses even widths and accepts odd ones", line="if d_model % 2 == 0:")
def refuses_even(d_model, base=10000.0):
    if d_model % 2 == 0:
        raise ValueError(f"{d_model} is odd")
    return base ** -(np.arange(0, d_model, 2) / d_model)


@wrong(
    "has no brackets around the exponent: it divides the power by d_model instead of the exponent",
    names={"power-divided"},
    line="omega = base**-i / d_model",
)
def power_divided_by_width(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"not even: {d_model}")
    i = np.arange(0.0, d_model, 2)
    omega = base**-i / d_model
    return omega


@wrong("loop ends too early: the slowest frequency is missing", line="for i in range(half - 1):")
def loop_too_short(d_model, base=10000.0):
    half, rest = divmod(d_model, 2)
    if rest:
        raise ValueError(f"d_model {d_model} is odd")
    omega = []
    for i in range(half - 1):
        omega.append(base ** (-2 * i / d_model))
    return np.array(omega)


@wrong(
    "returns the wavelengths instead of the angular frequencies",
    names={"wavelengths"},
    line="return 2 * np.pi * base**exponents",
)
def wavelengths(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"width {d_model}")
    exponents = np.arange(0, d_model, 2) / d_model
    return 2 * np.pi * base**exponents


@wrong("returns the divisors instead of the frequencies", names={"divisor-returned"}, line="return np.array(divisors)")
def divisors_only(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"odd d_model {d_model}")
    divisors = []
    for i in range(d_model // 2):
        divisors.append(base ** (2 * i / d_model))
    return np.array(divisors)


@wrong(
    "gives every frequency twice, once for each column of its pair",
    names={"each-twice"},
    line="return np.repeat(omega, 2)",
)
def every_frequency_twice(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"odd d_model: {d_model}")
    omega = 1 / base ** (2 * np.arange(d_model // 2) / d_model)
    return np.repeat(omega, 2)


@wrong(
    "two: uses 10000 whatever base is given, and raises no ValueError for an odd d_model",
    names={"base-ignored", "odd-rounded-down"},
    line="return 1 / 10000 ** (2 * i / d_model)",
)
def fixed_base_no_error(d_model, base=10000.0):
    i = np.arange(d_model // 2)
    return 1 / 10000 ** (2 * i / d_model)


@wrong(
    "two: has the exponent i / d_model instead of 2i / d_model, and forgets its minus sign",
    names={"exponent-halved", "divisor-returned"},
    line="exponents = i / d_model",
)
def single_and_positive(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model {d_model} is odd")
    i = np.arange(d_model // 2)
    exponents = i / d_model
    return base**exponents


@wrong(
    "returns frequencies that fall by equal steps instead of by equal factors",
    line="return np.linspace(1, 1 / base, d_model // 2)",
)
def equal_steps(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model = {d_model} is odd")
    return np.linspace(1, 1 / base, d_model // 2)


@wrong(
    "two: counts the pairs from 1, and the message of the error does not contain the number",
    names={"pairs-from-1"},
    line='raise ValueError("odd d_model")',
)
def from_one_and_message(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError("odd d_model")
    i = np.arange(1, d_model // 2 + 1)
    return 1 / base ** (2 * i / d_model)


@right
def one_over_power(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model is {d_model}, but must be even")
    i = np.arange(d_model // 2)
    return 1 / base ** (2 * i / d_model)


@right
def with_exp_and_log(d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError(f"odd d_model: {d_model}")
    columns = np.arange(0, d_model, 2)
    return np.exp(-np.log(base) * columns / d_model)


@right
def in_a_loop(d_model, base=10000.0):
    half, rest = divmod(d_model, 2)
    if rest:
        raise ValueError("d_model must be even, but is " + str(d_model))
    omega = np.zeros(half)
    for i in range(half):
        omega[i] = base ** (-2 * i / d_model)
    return omega


@right
def linspace_without_end(d_model, base=10000.0):
    if d_model & 1:
        raise ValueError(f"{d_model} columns do not make pairs")
    exponents = np.linspace(0.0, 1.0, d_model // 2, endpoint=False)
    return np.power(float(base), -exponents)


@wrong("divides the power by d_model instead of the exponent", names={"power-divided"})
def precedence(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"{d_model} is odd")
    return float(base) ** -np.arange(0, d_model, 2) / d_model


@wrong("spreads the exponents evenly from 0 to 1, the end included", names={"ends-at-one-over-base"})
def logspace(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"{d_model} is odd")
    return np.logspace(0, -1, d_model // 2, base=base)


@wrong(
    "takes the logarithm to base 10 for the natural one",
    names={"base-ten"},
    line="rate = -2 * np.log10(base) / d_model",
)
def log_ten(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model is odd: {d_model}")
    rate = -2 * np.log10(base) / d_model
    return np.exp(rate * np.arange(d_model // 2))


@wrong(
    "divides by the whole base from one pair to the next",
    names={"whole-base-each-time"},
    line="w[i] = w[i - 1] / base",
)
def whole_base_each_time(d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model must be even, not {d_model}")
    w = np.ones(d_model // 2)
    for i in range(1, d_model // 2):
        w[i] = w[i - 1] / base
    return w


@wrong(
    "returns the ValueError for an odd d_model instead of raising it",
    line='return ValueError(f"d_model = {d_model} is odd")',
)
def error_returned(d_model, base=10000.0):
    if d_model % 2 == 1:
        return ValueError(f"d_model = {d_model} is odd")
    i = np.arange(d_model // 2)
    return 1 / base ** (2 * i / d_model)


@wrong(
    "rounds the number of the pair down to an even one, so that two pairs share each frequency",
    names={"shared-by-two-pairs"},
    line="pairs = 2 * (i // 2)",
)
def pairs_of_pairs(d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError(f"odd d_model: {d_model}")
    i = np.arange(d_model // 2)
    pairs = 2 * (i // 2)
    return base ** (-2 * pairs / d_model)
