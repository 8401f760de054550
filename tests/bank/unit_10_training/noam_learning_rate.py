"""Functions that learners wrote for `noam_learning_rate`, each with what is truly wrong with it."""

import math

import numpy as np

from tests.bank import right, wrong


@wrong(
    "takes the larger of the two terms instead of the smaller",
    names={"larger-of-both"},
    line="return d_model**-0.5 * max(step**-0.5, step * warmup_steps**-1.5)",
)
def larger_term(step, d_model, warmup_steps):
    return d_model**-0.5 * max(step**-0.5, step * warmup_steps**-1.5)


@wrong(
    "the falling curve is step ** -1 / 2, which is 1 / (2 * step) and not the root",
    names={"falls-too-fast", "power-without-brackets"},
    line="falling = step**-1 / 2",
)
def precedence_of_power(step, d_model, warmup_steps):
    falling = step**-1 / 2
    rising = step * warmup_steps ** (-3 / 2)
    return d_model ** (-1 / 2) * min(falling, rising)


@wrong(
    "multiplies by the root of d_model instead of dividing by it",
    names={"wider-is-faster"},
    line="return d_model**0.5 * min(falling, rising)",
)
def root_of_width(step, d_model, warmup_steps):
    falling = step**-0.5
    rising = step * warmup_steps**-1.5
    return d_model**0.5 * min(falling, rising)


@wrong(
    "the warm-up has the exponent -1/2 instead of -3/2",
    names={"exponent-half"},
    line="rising = step * warmup_steps**-0.5",
)
def wrong_exponent(step, d_model, warmup_steps):
    falling = step**-0.5
    rising = step * warmup_steps**-0.5
    return min(falling, rising) / math.sqrt(d_model)


@wrong(
    "the rising line is divided by the warm-up alone (step / warmup), which does not meet the falling curve",
    names={"exponent-one"},
    line="second = step / warmup_steps",
)
def linear_to_one(step, d_model, warmup_steps):
    first = 1 / math.sqrt(step)
    second = step / warmup_steps
    return 1 / math.sqrt(d_model) * min(first, second)


@wrong(
    "the factor for the width is forgotten",
    names={"no-width"},
    line="return min(step**-0.5, step * warmup_steps**-1.5)",
)
def no_width(step, d_model, warmup_steps):
    return min(step**-0.5, step * warmup_steps**-1.5)


@wrong("steps are counted from 0: 1 is added to the step", names={"from-zero"}, line="step = step + 1")
def one_step_ahead(step, d_model, warmup_steps):
    step = step + 1
    a = step**-0.5
    b = step * warmup_steps**-1.5
    return d_model**-0.5 * min(a, b)


@wrong("after the warm-up the rate stays at its peak instead of falling", names={"level"}, line="return peak")
def constant_after_warmup(step, d_model, warmup_steps):
    peak = 1 / math.sqrt(d_model * warmup_steps)
    if step < warmup_steps:
        return peak * step / warmup_steps
    return peak


@wrong(
    "falls as one over the step after the warm-up instead of one over its root",
    names={"falls-too-fast"},
    line="return peak * warmup_steps / step",
)
def falls_too_fast(step, d_model, warmup_steps):
    peak = (d_model * warmup_steps) ** -0.5
    if step <= warmup_steps:
        return peak * step / warmup_steps
    return peak * warmup_steps / step


@wrong(
    "the width is fixed at 512 and d_model ignored", names={"no-width", "width-of-the-paper"}, line="scale = 512**-0.5"
)
def width_of_paper(step, d_model, warmup_steps):
    scale = 512**-0.5
    rising = step * warmup_steps**-1.5
    falling = step**-0.5
    return scale * min(rising, falling)


@wrong(
    "the factor for the width stands inside the minimum and reaches the first term only",
    names={"width-on-one-curve"},
    line="return min(d_model**-0.5 * step**-0.5, step * warmup_steps**-1.5)",
)
def factor_inside(step, d_model, warmup_steps):
    return min(d_model**-0.5 * step**-0.5, step * warmup_steps**-1.5)


@wrong("divides by d_model instead of its root", names={"inverse-width"}, line="return lower / d_model")
def whole_width(step, d_model, warmup_steps):
    lower = min(1 / np.sqrt(step), step / warmup_steps**1.5)
    return lower / d_model


@wrong(
    "step and warm-up are exchanged in the rising line",
    names={"step-and-warm-up-exchanged"},
    line="rising = warmup_steps * step**-1.5",
)
def roles_exchanged(step, d_model, warmup_steps):
    falling = step**-0.5
    rising = warmup_steps * step**-1.5
    return d_model**-0.5 * min(falling, rising)


@wrong(
    "the exponent -3/2 is written as -3 // 2, which is -2",
    names={"floor-in-exponent"},
    line="line = step * float(warmup_steps) ** (-3 // 2)",
)
def floor_of_exponent(step, d_model, warmup_steps):
    curve = step ** (-1 / 2)
    line = step * float(warmup_steps) ** (-3 // 2)
    rate = d_model ** (-1 / 2) * min(curve, line)
    return rate


@wrong(
    "two: the falling curve has the exponent +1/2 instead of -1/2, and the factor for the width is forgotten",
    names={"never-falls", "no-width"},
    line="falling = step**0.5",
)
def root_and_no_width(step, d_model, warmup_steps):
    falling = step**0.5
    rising = step * warmup_steps**-1.5
    return min(falling, rising)


@wrong("returns both terms as a tuple instead of the smaller one", line="return falling, rising")
def both_terms(step, d_model, warmup_steps):
    scale = 1 / math.sqrt(d_model)
    falling = scale * step**-0.5
    rising = scale * step * warmup_steps**-1.5
    return falling, rising


@wrong(
    "two: the larger of the terms is taken, and d_model has no exponent, so it is multiplied with",
    names={"larger-of-both", "wider-is-faster"},
    line="return d_model * max(a, b)",
)
def larger_times_width(step, d_model, warmup_steps):
    a = step ** (-0.5)
    b = step * warmup_steps ** (-1.5)
    return d_model * max(a, b)


@right
def formula(step, d_model, warmup_steps):
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


@right
def two_cases(step, d_model, warmup_steps):
    peak = 1 / math.sqrt(d_model * warmup_steps)
    if step <= warmup_steps:
        return peak * step / warmup_steps
    return peak * math.sqrt(warmup_steps / step)


@right
def numpy_minimum(step, d_model, warmup_steps):
    falling = 1.0 / np.sqrt(step)
    rising = step / (warmup_steps * np.sqrt(warmup_steps))
    return float(np.minimum(falling, rising) / np.sqrt(d_model))


@right
def with_logarithms(step, d_model, warmup_steps):
    first = -0.5 * math.log(step)
    second = math.log(step) - 1.5 * math.log(warmup_steps)
    return math.exp(min(first, second) - 0.5 * math.log(d_model))


@wrong(
    "the factor for the width is d_model ** -1 / 2, which divides by d_model and by 2",
    names={"width-without-brackets"},
    line="factor = d_model**-1 / 2",
)
def width_without_brackets(step, d_model, warmup_steps):
    factor = d_model**-1 / 2
    return factor * min(step**-0.5, step * warmup_steps**-1.5)


@wrong(
    "the rising line has warmup_steps ** -3 / 2, half the inverse cube",
    names={"warm-up-without-brackets"},
    line="rising = step * warmup_steps**-3 / 2",
)
def warm_up_without_brackets(step, d_model, warmup_steps):
    falling = 1 / math.sqrt(step)
    rising = step * warmup_steps**-3 / 2
    return min(falling, rising) / math.sqrt(d_model)


@wrong("two: both curves have powers without brackets", names={"warm-up-without-brackets"})
def curves_without_brackets(step, d_model, warmup_steps):
    return d_model**-0.5 * min(step**-1 / 2, step * warmup_steps**-3 / 2)


@wrong("two: width and falling curve have powers without brackets")
def halves_without_brackets(step, d_model, warmup_steps):
    return d_model**-1 / 2 * min(step**-1 / 2, step * warmup_steps**-1.5)
