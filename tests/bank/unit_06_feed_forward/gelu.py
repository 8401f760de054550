"""Functions that learners wrote for `gelu`, each with what is truly wrong with it."""

import math

import numpy as np
from scipy import special

from scipy.special import erf
from tests.bank import right, wrong


@wrong("takes erf of x instead of x / sqrt(2)", names={"no-square-root"}, line="phi = 0.5 * (1 + special.erf(x))")
def no_root_of_two(x):
    phi = 0.5 * (1 + special.erf(x))
    return x * phi


@wrong(
    "does not halve 1 + erf, so the weight runs from 0 to 2",
    names={"not-halved"},
    line="phi = 1 + special.erf(x / np.sqrt(2))",
)
def not_halved(x):
    phi = 1 + special.erf(x / np.sqrt(2))
    return x * phi


@wrong(
    "returns the probability Phi(x) alone and does not multiply x by it",
    names={"probability-only"},
    line="return phi",
)
def probability_only(x):
    scaled = x / np.sqrt(2)
    phi = (1 + special.erf(scaled)) / 2
    return phi


@wrong(
    "uses the approximation with tanh instead of the exact form with erf",
    names={"tanh-form"},
    line="inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)",
)
def tanh_form(x):
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + np.tanh(inner))


@wrong(
    "uses the approximation with a sigmoid of 1.702 x instead of the exact form with erf",
    names={"sigmoid-form"},
    line=None,
)
def sigmoid_form(x):
    return x * special.expit(1.702 * x)


@wrong(
    "divides by 4 inside erf: x / 2 ** 1/2 is (x / 2) / 2, not x / sqrt(2)",
    names={"precedence"},
    line="arg = x / 2**1 / 2",
)
def precedence_of_power(x):
    arg = x / 2**1 / 2
    phi = 0.5 * (1 + special.erf(arg))
    return x * phi


@wrong(
    "misses the parentheses around 1 + erf, so it computes x / 2 + erf(x / sqrt(2))",
    names={"brackets-forgotten"},
    line="return 0.5 * x * 1 + erf",
)
def parentheses_forgotten(x):
    erf = special.erf(x / np.sqrt(2))
    return 0.5 * x * 1 + erf


@wrong(
    "divides the error function by sqrt(2) instead of its argument",
    names={"root-outside"},
    line="phi = (1 + special.erf(x) / np.sqrt(2)) / 2",
)
def root_outside(x):
    phi = (1 + special.erf(x) / np.sqrt(2)) / 2
    return x * phi


@wrong(
    "subtracts erf from 1, so each number is weighed by the probability of larger numbers",
    names={"upper-tail"},
    line="phi = 0.5 * (1 - special.erf(x / np.sqrt(2)))",
)
def other_tail(x):
    phi = 0.5 * (1 - special.erf(x / np.sqrt(2)))
    return x * phi


@wrong("multiplies in place, which changes the argument", names={"in-place"}, line="x *= phi")
def changes_x(x):
    phi = 0.5 * (1 + special.erf(x / np.sqrt(2)))
    x *= phi
    return x


@wrong(
    "calls math.erf, which takes a single number and raises for arrays",
    names={"pythons-erf"},
    line="return x * 0.5 * (1 + math.erf(x / root))",
)
def math_erf(x):
    root = math.sqrt(2)
    return x * 0.5 * (1 + math.erf(x / root))


@wrong(
    "weighs by the bell curve's height (the density) instead of the area to the left of x",
    names={"density"},
    line="density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)",
)
def density_for_area(x):
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    return x * density


@wrong(
    "cuts off the negative part as ReLU does, so the dip below 0 is missing",
    names={"dip-cut-off"},
    line="return np.maximum(weighted, 0)",
)
def dip_removed(x):
    phi = 0.5 * (1 + special.erf(x / np.sqrt(2)))
    weighted = x * phi
    return np.maximum(weighted, 0)


@wrong(
    "two: erf gets x and not x / sqrt(2), and 1 + erf is not halved",
    names={"no-square-root", "not-halved"},
    line=None,
)
def two_factors_missing(x):
    return x * (1 + special.erf(x))


@wrong(
    "takes the root of x / 2 instead of dividing x by the root of 2, which gives nan for negative numbers",
    line="z = np.sqrt(x / 2)",
)
def root_of_everything(x):
    z = np.sqrt(x / 2)
    phi = 0.5 * (1 + special.erf(z))
    return x * phi


@wrong("computes SiLU, x times the sigmoid of x, which is another activation", names={"silu"}, line="return x * s")
def silu(x):
    s = 1 / (1 + np.exp(-x))
    return x * s


@wrong("adds the probability to x instead of multiplying", names={"added"}, line="return x + phi")
def plus_for_times(x):
    phi = 0.5 * (1 + special.erf(x / math.sqrt(2)))
    return x + phi


@wrong(
    "two: the argument of erf is multiplied by sqrt(2) instead of divided, and the factor x is missing",
    names={"probability-only", "times-square-root"},
    line="z = x * np.sqrt(2)",
)
def times_root_and_no_x(x):
    z = x * np.sqrt(2)
    phi = (1 + special.erf(z)) / 2
    return phi


@right
def as_in_the_formula(x):
    return x * 0.5 * (1 + special.erf(x / np.sqrt(2)))


@right
def normal_distribution(x):
    return x * special.ndtr(x)


@right
def complement(x):
    z = -x * 2**-0.5
    return x * special.erfc(z) / 2


@right
def number_by_number(x):
    out = np.empty(x.shape)
    for index in np.ndindex(x.shape):
        v = float(x[index])
        out[index] = v * (1 + math.erf(v / math.sqrt(2))) / 2
    return out


@wrong("divides the error function by the root instead of its argument", names={"root-outside"})
def root_outside_too(x):
    return 0.5 * x * (1 + special.erf(x) / np.sqrt(2))


@wrong("takes the sigmoid in place of the normal distribution", names={"sigmoid-form"})
def sigmoid_gelu(x):
    return x * special.expit(1.702 * x)


@wrong("takes the complement of the error function, which is the probability of a larger number", names={"upper-tail"})
def other_tail_too(x):
    return 0.5 * x * special.erfc(x / np.sqrt(2))


@wrong("computes in single precision and returns float64", line="y = np.asarray(x, np.float32)")
def float32_inside(x):
    y = np.asarray(x, np.float32)
    return (np.float32(0.5) * y * (1 + erf(y / np.float32(np.sqrt(2))))).astype(np.float64)


@wrong("divides by the root of 2 pi inside the error function", names={"root-of-two-pi"})
def root_of_two_pi(x):
    return 0.5 * x * (1 + special.erf(x / np.sqrt(2 * np.pi)))


@wrong("halves the 1 alone: 0.5 * 1 + erf", names={"only-the-one-halved"})
def half_of_one(x):
    return x * (0.5 * 1 + special.erf(x / np.sqrt(2)))
