"""Specification of `noam_learning_rate`."""

from autograder.exercises.unit_10_training import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

TWO = "Two curves, and the lower one counts"

EXERCISE = Exercise(
    reference=reference.noam_learning_rate,
    asks="the learning rate of a step, as in the paper: up along a straight line, then down.",
    returns=(Output("learning_rate"),),
    where=TWO,
    lookalike=lookalikes.NOAM_LEARNING_RATE,
)


def _sizes(rng):
    """Draw a width and a number of warm-up steps."""
    return int(rng.integers(20, 90)), int(rng.integers(200, 900))


@EXERCISE.claim(0.75)
def rising(call, rng):
    """rises along a straight line during the warm-up, from step 1 on"""
    call.agrees(1, 16, 100)  # by hand: 0.25 times 0.001
    d_model, warmup = _sizes(rng)
    call.agrees(1, d_model, warmup)
    call.agrees(int(rng.integers(warmup // 2, warmup)), d_model, warmup)


@EXERCISE.claim(0.5)
def falling(call, rng):
    """falls with the inverse square root of the step after it"""
    d_model, warmup = _sizes(rng)
    call.agrees(int(rng.integers(2, 5)) * warmup, d_model, warmup)
    call.agrees(int(rng.integers(20_000, 90_000)), d_model, warmup)


@EXERCISE.claim(0.25)
def peak(call, rng):
    """is largest at the last step of the warm-up"""
    d_model, warmup = _sizes(rng)
    call.agrees(warmup, d_model, warmup)
    call.agrees(warmup + 1, d_model, warmup)
    call.agrees(1, d_model, 1)  # no warm-up at all


@EXERCISE.claim(0.5)
def width(call, rng):
    """is smaller for a wider model, by the square root of its width"""
    d_model, warmup = _sizes(rng)
    call.agrees(warmup // 2, 4 * d_model, warmup)
    call.agrees(3 * warmup, int(rng.integers(1000, 4000)), warmup)


def _right(step, warmup):
    return min(step**-0.5, step * warmup**-1.5)


wrong = WrongAnswers(EXERCISE, globals())

wrong("larger-of-both", {"* min": "* max"}, """
    The larger of the two curves is taken.
    Then training begins with the largest steps, when the model knows least. Which of the two is small at the beginning,
    and which at the end?""")

wrong("added", {"min(step**-0.5, step * warmup_steps**-1.5)": "(step ** (-0.5) + step * warmup_steps ** (-1.5))"}, """
    The two curves are added.
    Only one of them counts at a time: the lower one.""")

wrong("no-warm-up", {"min(step**-0.5, step * warmup_steps**-1.5)": "step ** (-0.5)"}, """
    There is no warm-up.
    The rate should rise first, for as many steps as the warm-up has. If there is a line that rises in your formula: is
    it lower than the curve that falls, at the beginning?""")

wrong("never-falls", {"min(step**-0.5, step * warmup_steps**-1.5)": "(step * warmup_steps ** (-1.5))"}, """
    The rate rises for ever.
    After the warm-up it should fall.""")

wrong("level", {"step*": "warmup_steps*"}, """
    After the warm-up the rate stays where it is.
    The curve that falls depends on the step, not on the number of warm-up steps.""")

wrong("falls-too-fast", {"step**-0.5": "warmup_steps**0.5 / step"}, """
    The rate falls with the inverse of the step, without the root.
    After four times as many steps it should be half as large, not a quarter.""")

wrong("exponent-half", {"warmup_steps**-1": "warmup_steps**-0"}, """
    The warm-up has the exponent -1/2.
    Then the two curves do not meet at the end of the warm-up, but long before. At which step are they equal?""")

wrong("exponent-one", {"* warmup_steps**-1.5": "/ warmup_steps"}, """
    The rising line is step / warmup_steps: at the end of the warm-up it is 1.
    At the end of the warm-up both curves should have the same height. What is the height of the one that falls
    there?""")

wrong("peak-of-one", "float(d_model ** (-0.5) * min((step / warmup_steps) ** (-0.5), step / warmup_steps))", """
    Both curves are measured from a peak of 1.
    The shape is right. But in the paper a longer warm-up means a lower peak.""")

wrong("wider-is-faster", {"d_model**-": "d_model**"}, """
    A wider model gets a larger rate.
    The exponent of the width has a minus sign.""")

wrong("no-width", "float(_right(step, warmup_steps))", """
    The width of the model does not matter.
    The formula has three arguments, and the width is one of them.""")

wrong("inverse-width", {"d_model**-0.5": "1 / d_model"}, """
    The rate is divided by the width, without a root.
    A model that is four times as wide should have half the rate, not a quarter.""")

wrong.at()
wrong("from-zero", {"min(step**-0.5, step * warmup_steps**-1.5)": "_right(step + 1, warmup_steps)"}, """
    The steps are counted from 0.
    The first step is step 1 already. Adding 1 makes every rate that of the next step.""")

wrong("one-step-late", {"min(step**-0.5, step * warmup_steps**-1.5)": "_right(step - 1, warmup_steps)"}, """
    1 is subtracted from the step.
    The steps count from 1. At the first one you would divide by 0.""")

wrong("whole-division", {
    "**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)":
        " ** (-0.5) * min(step ** (-0.5), step // warmup_steps * warmup_steps ** (-0.5))",
}, """
    The warm-up rises in one jump.
    `//` throws away what is left over, and before the end of the warm-up that is everything.""")

wrong.at(TWO)
wrong("power-without-brackets", {"step**-0.5": "step ** (-1) / 2"}, """
    The falling curve is half the inverse of the step, like `step ** -1 / 2`.
    `**` comes before `/`. A fraction in an exponent needs brackets, or write -0.5.""")

wrong("powers-without-brackets", {
    "**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)":
        " ** (-1) / 2 * min(step ** (-1) / 2, step * warmup_steps ** (-3) / 2)",
}, """
    Both curves are divided by 2 in place of a root, as by exponents without brackets.
    `**` comes before `/`. A fraction in an exponent needs brackets, or write -0.5 and -1.5.""")

wrong("floor-in-exponent", {"warmup_steps**-1.5": "warmup_steps**-2.0"}, """
    The warm-up has the exponent -2.
    `-3 // 2` is -2: `//` rounds down. The exponent is -1.5.""")

wrong.at()
wrong("width-of-the-paper", "noam_learning_rate(step, 512, warmup_steps)", """
    The width is always 512.
    That is the width of the paper's model. Yours is an argument.""")

wrong.at(TWO)
wrong("width-on-one-curve", "float(min(d_model ** (-0.5) * step ** (-0.5), step * warmup_steps ** (-1.5)))", """
    Only the falling curve is divided by the root of the width.
    The factor stands before the minimum, so it belongs to both curves.""")

wrong("step-and-warm-up-exchanged", "float(d_model ** (-0.5) * min(step ** (-0.5), warmup_steps * step ** (-1.5)))", """
    Step and warm-up are swapped in the rising line.
    The line rises with the step, and it is the warm-up that has the exponent -3/2.""")

wrong("width-without-brackets", {"d_model**-0.5": "d_model ** (-1) / 2"}, """
    The rate is divided by twice the width, as by an exponent without brackets.
    `**` comes before `/`. A fraction in an exponent needs brackets, or write -0.5.""")

wrong("warm-up-without-brackets", {"warmup_steps**-1.5": "warmup_steps ** (-3) / 2"}, """
    The warm-up is divided by twice its cube, as by an exponent without brackets.
    `**` comes before `/`. A fraction in an exponent needs brackets, or write -1.5.""")

wrong("half-power-in-the-warm-up",
      "float(d_model ** (-0.5) * (step ** (-0.5) if step >= warmup_steps else step * warmup_steps ** (-0.5)))", """
    During the warm-up the step is multiplied by warmup_steps to the power -0.5, not -1.5.
    At the end of the warm-up both curves have to meet: there `step * warmup_steps ** -1.5` is `step ** -0.5`.""")
