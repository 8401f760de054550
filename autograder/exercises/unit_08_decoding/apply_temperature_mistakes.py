"""The known mistakes of `apply_temperature`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 8.3: apply_temperature"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def multiplied(logits, temperature):
    """The logits are multiplied by the temperature.

    A high temperature should make the choice more random, so it has to bring the logits closer together.
    """
    return reference.apply_temperature(logits, 1 / temperature if temperature > 0 else temperature)


@MISTAKES.add(where=SECTION)
def no_effect(logits, temperature):
    """The temperature changes nothing.

    Your result is the plain softmax. Dividing all probabilities by the same number and normalising again gives back
    what was there before: the division has to come before the exponential.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    scaled = reference.softmax(logits) / temperature
    return scaled / scaled.sum(axis=-1, keepdims=True)


@MISTAKES.add(where=SECTION)
def after_softmax(logits, temperature):
    """The probabilities are divided by the temperature.

    Your results no longer sum to 1, and their proportions are those of temperature 1.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits) / temperature


@MISTAKES.add(where=SECTION)
def wrong_axis(logits, temperature):
    """The softmax runs along the first axis.

    The tokens lie along the last axis, whatever comes before it.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits / temperature, axis=0)


@MISTAKES.add(where=SECTION)
def unstable(logits, temperature):
    """The exponentials overflow at low temperatures.

    A division by 0.01 makes logits a hundred times larger. The softmax of unit 02 can cope with that.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp(logits / temperature)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@MISTAKES.add(where=SECTION)
def logits_returned(logits, temperature):
    """The divided logits are returned.

    They are not probabilities yet.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return logits / temperature


@MISTAKES.add(where=SECTION)
def powers_of_probabilities(logits, temperature):
    """The probabilities are formed first, and then raised to a power.

    On paper that is the same. In the computer a probability far below 1e-300 has become 0, and no power brings it
    back. Divide the logits.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    powers = reference.softmax(logits) ** (1 / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


@MISTAKES.add(where=SECTION)
def zero_divides(logits, temperature):
    """Temperature 0 divides by zero.

    Nothing can be divided by 0. What the probabilities approach for smaller and smaller temperatures has to be
    written as a case of its own.
    """
    if temperature < 0:
        raise ValueError(f"negative temperature {temperature}")
    return reference.softmax(logits / np.float64(temperature))


@MISTAKES.add(where=SECTION)
def zero_nearly(logits, temperature):
    """At temperature 0, equal logits share the probability.

    A choice that should be fixed becomes a draw: of the largest logits, the first takes all. A very small temperature
    in place of 0 has the same fault.
    """
    return reference.apply_temperature(logits, temperature if temperature else 1e-6)


@MISTAKES.add(where=SECTION)
def zero_as_one(logits, temperature):
    """Temperature 0 does the same as temperature 1.

    At temperature 0 nothing is left to chance.
    """
    return reference.apply_temperature(logits, temperature or 1.0)


@MISTAKES.add(where=SECTION)
def all_maxima(logits, temperature):
    """At temperature 0 every one of several equal largest logits gets probability 1.

    Then the probabilities sum to 2 or more. Only the lowest of these ids gets it all.
    """
    if temperature:
        return reference.apply_temperature(logits, temperature)
    return (logits == logits.max(axis=-1, keepdims=True)).astype(float)


@MISTAKES.add(where=SECTION)
def last_maximum(logits, temperature):
    """At temperature 0 the highest of several equally good ids is taken.

    The rule of this course is that the lowest id wins, as in greedy decoding.
    """
    if temperature:
        return reference.apply_temperature(logits, temperature)
    return reference.apply_temperature(logits[..., ::-1], temperature)[..., ::-1].copy()


@MISTAKES.add(where=SECTION)
def argmax_of_all(logits, temperature):
    """At temperature 0 one token is chosen for all rows together.

    Without an axis, `argmax` looks at the whole array as if it were one row.
    """
    if temperature:
        return reference.apply_temperature(logits, temperature)
    one_hot = np.zeros(logits.shape)
    one_hot.flat[logits.argmax()] = 1.0
    return one_hot


@MISTAKES.add(where=SECTION)
def id_taken_for_row(logits, temperature):
    """At temperature 0 the id of the largest logit is taken for the number of a row.

    `argmax` without an axis looks at the whole array, and `p[i]` is its row i. Each row has a largest logit of its own,
    along the last axis.
    """
    if temperature:
        return reference.apply_temperature(logits, temperature)
    one_hot = np.zeros(logits.shape)
    one_hot[np.argmax(logits)] = 1.0
    return one_hot


@MISTAKES.add(where=SECTION)
def id_returned(logits, temperature):
    """At temperature 0 the id is returned.

    A function should return the same kind of thing in all cases: here an array of probabilities.
    """
    return reference.apply_temperature(logits, temperature) if temperature else logits.argmax(axis=-1)


@MISTAKES.add(where=SECTION)
def negative_accepted(logits, temperature):
    """A negative temperature is accepted.

    It would reverse the order, and the least likely token would be taken most often. That is nearly always a
    slip, so say so.
    """
    if temperature >= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits / temperature)


@MISTAKES.add(where=SECTION)
def negative_as_zero(logits, temperature):
    """A negative temperature is treated as 0.

    A caller who passes a negative number has made a mistake and should be told.
    """
    return reference.apply_temperature(logits, max(temperature, 0.0))


@MISTAKES.add(where=SECTION)
def in_place(logits, temperature):
    """The caller's logits are overwritten.

    `logits /= ...` writes into the array that you were given (and fails on whole numbers).
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    logits /= temperature
    return reference.softmax(logits)


@MISTAKES.add(where=SECTION)
def maximum_of_all_rows(logits, temperature):
    """The largest logit of all rows is subtracted from every row.

    In a row of much smaller logits every exponential is then 0, and 0 / 0 is NaN. Each row has its own maximum.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp((logits - logits.max()) / temperature)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@MISTAKES.add(where=SECTION)
def sums_over_all_rows(logits, temperature):
    """The exponentials are divided by their sum over all rows.

    Each row is a distribution of its own and sums to 1 by itself.
    """
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return exponentials / exponentials.sum()


@MISTAKES.add(where=SECTION)
def zero_refused(logits, temperature):
    """Temperature 0 is refused.

    Only negative temperatures are. At 0 the largest logit gets everything.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature must be positive, got {temperature}")
    return reference.apply_temperature(logits, temperature)
