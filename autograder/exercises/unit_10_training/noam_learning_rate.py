"""Specification of `noam_learning_rate`."""

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _sizes(rng):
    """Draw a width and a number of warm-up steps."""
    return int(rng.integers(20, 90)), int(rng.integers(200, 900))


def _rising(call, rng):
    call.agrees(1, 16, 100)  # by hand: 0.25 times 0.001
    d_model, warmup = _sizes(rng)
    call.agrees(1, d_model, warmup)
    call.agrees(int(rng.integers(2, warmup)), d_model, warmup)


def _falling(call, rng):
    d_model, warmup = _sizes(rng)
    call.agrees(int(rng.integers(2, 5)) * warmup, d_model, warmup)
    call.agrees(int(rng.integers(20_000, 90_000)), d_model, warmup)


def _peak(call, rng):
    d_model, warmup = _sizes(rng)
    call.agrees(warmup, d_model, warmup)
    call.agrees(warmup + 1, d_model, warmup)
    call.agrees(1, d_model, 1)  # no warm-up at all


def _width(call, rng):
    d_model, warmup = _sizes(rng)
    call.agrees(warmup // 2, 4 * d_model, warmup)
    call.agrees(3 * warmup, 9 * d_model + 1, warmup)


def _with(schedule, width=lambda d_model: d_model**-0.5):
    """Make a function from one of step and warm-up steps, and one of the width."""
    return lambda step, d_model, warmup_steps: float(width(d_model) * schedule(step, warmup_steps))


def _right(step, warmup):
    return min(step**-0.5, step * warmup**-1.5)


SECTION = "Exercise 10.5: noam_learning_rate"
TWO = "Two curves, and the lower one counts"

EXERCISE = Exercise(
    reference=reference.noam_learning_rate,
    asks="the learning rate of a step, as in the paper: up along a straight line, then down.",
    returns=(Returned("learning_rate"),),
    where=TWO,
    claims=(
        Claim("rises along a straight line during the warm-up, from step 1 on", 1, _rising),
        Claim("falls with the inverse square root of the step after it", 1, _falling),
        Claim("is largest at the last step of the warm-up", 0.5, _peak),
        Claim("is smaller for a wider model, by the square root of its width", 0.5, _width),
    ),
    mistakes=(
        Mistake(
            "larger-of-both",
            "The larger of the two curves is taken",
            _with(lambda step, warmup: max(step**-0.5, step * warmup**-1.5)),
            "Then training begins with the largest steps, when the model knows least. Which of the two is small at "
            "the beginning, and which at the end?",
            TWO,
        ),
        Mistake(
            "added",
            "The two curves are added",
            _with(lambda step, warmup: step**-0.5 + step * warmup**-1.5),
            "Only one of them counts at a time: the lower one.",
            TWO,
        ),
        Mistake(
            "no-warm-up",
            "There is no warm-up",
            _with(lambda step, warmup: step**-0.5),
            "The rate should rise first, for as many steps as the warm-up has. If there is a line that rises in your "
            "formula: is it lower than the curve that falls, at the beginning?",
            TWO,
        ),
        Mistake(
            "never-falls",
            "The rate rises for ever",
            _with(lambda step, warmup: step * warmup**-1.5),
            "After the warm-up it should fall.",
            TWO,
        ),
        Mistake(
            "level",
            "After the warm-up the rate stays where it is",
            _with(lambda step, warmup: min(warmup**-0.5, step * warmup**-1.5)),
            "The curve that falls depends on the step, not on the number of warm-up steps.",
            TWO,
        ),
        Mistake(
            "falls-too-fast",
            "The rate falls with the inverse of the step, without the root",
            _with(lambda step, warmup: min(warmup**0.5 / step, step * warmup**-1.5)),
            "After four times as many steps it should be half as large, not a quarter.",
            TWO,
        ),
        Mistake(
            "exponent-half",
            "The warm-up has the exponent -1/2",
            _with(lambda step, warmup: min(step**-0.5, step * warmup**-0.5)),
            "Then the two curves do not meet at the end of the warm-up, but long before. At which step are they equal?",
            TWO,
        ),
        Mistake(
            "exponent-one",
            "The rate rises to the end of the warm-up as a share of 1, and falls from there",
            _with(lambda step, warmup: min(step**-0.5, step / warmup)),
            "At the end of the warm-up both curves should have the same height. What is the height of the one that "
            "falls there?",
            TWO,
        ),
        Mistake(
            "peak-of-one",
            "Both curves are measured from a peak of 1",
            _with(lambda step, warmup: min((step / warmup) ** -0.5, step / warmup)),
            "The shape is right. But in the paper the peak is the lower, the longer the warm-up is.",
            TWO,
        ),
        Mistake(
            "wider-is-faster",
            "A wider model gets a larger rate",
            _with(_right, lambda d_model: d_model**0.5),
            "The exponent of the width has a minus sign.",
            TWO,
        ),
        Mistake(
            "no-width",
            "The width of the model does not matter",
            _with(_right, lambda d_model: 1.0),
            "The formula has three arguments, and the width is one of them.",
            TWO,
        ),
        Mistake(
            "inverse-width",
            "The rate is divided by the width, without a root",
            _with(_right, lambda d_model: 1 / d_model),
            "A model that is four times as wide should have half the rate, not a quarter.",
            TWO,
        ),
        Mistake(
            "from-zero",
            "The steps are counted from 0",
            _with(lambda step, warmup: _right(step + 1, warmup)),
            "The first step is step 1 already. Adding 1 makes every rate that of the next step.",
            SECTION,
        ),
        Mistake(
            "one-step-late",
            "1 is subtracted from the step",
            _with(lambda step, warmup: _right(step - 1, warmup)),
            "The steps count from 1. At the first one you would divide by 0.",
            SECTION,
        ),
        Mistake(
            "whole-division",
            "The warm-up rises in one jump",
            _with(lambda step, warmup: min(step**-0.5, step // warmup * warmup**-0.5)),
            "`//` throws away what is left over, and before the end of the warm-up that is everything.",
            SECTION,
        ),
    ),
)
