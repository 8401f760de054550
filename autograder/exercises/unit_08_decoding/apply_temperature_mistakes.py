"""The known mistakes of `apply_temperature`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 8.3: apply_temperature"
LOGITS = "Temperature acts on the logits"
ZERO = "Temperature 0"


def _multiplied(logits, temperature):
    return reference.apply_temperature(logits, 1 / temperature if temperature > 0 else temperature)


def _on_probabilities(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    scaled = reference.softmax(logits) / temperature
    return scaled / scaled.sum(axis=-1, keepdims=True)


def _after_softmax(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits) / temperature


def _wrong_axis(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits / temperature, axis=0)


def _unstable(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp(logits / temperature)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _logits_returned(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    return logits / temperature


def _zero_divides(logits, temperature):
    if temperature < 0:
        raise ValueError(f"negative temperature {temperature}")
    return reference.softmax(logits / np.float64(temperature))


def _zero_nearly(logits, temperature):
    return reference.apply_temperature(logits, temperature if temperature else 1e-6)


def _zero_as_one(logits, temperature):
    return reference.apply_temperature(logits, temperature or 1.0)


def _all_maxima(logits, temperature):
    if temperature:
        return reference.apply_temperature(logits, temperature)
    return (logits == logits.max(axis=-1, keepdims=True)).astype(float)


def _last_maximum(logits, temperature):
    if temperature:
        return reference.apply_temperature(logits, temperature)
    return reference.apply_temperature(logits[..., ::-1], temperature)[..., ::-1].copy()


def _argmax_of_all(logits, temperature):
    if temperature:
        return reference.apply_temperature(logits, temperature)
    one_hot = np.zeros(logits.shape)
    one_hot.flat[logits.argmax()] = 1.0
    return one_hot


def _id_returned(logits, temperature):
    return reference.apply_temperature(logits, temperature) if temperature else logits.argmax(axis=-1)


def _negative_accepted(logits, temperature):
    if temperature >= 0:
        return reference.apply_temperature(logits, temperature)
    return reference.softmax(logits / temperature)


def _negative_as_zero(logits, temperature):
    return reference.apply_temperature(logits, max(temperature, 0.0))


def _in_place(logits, temperature):
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    logits /= temperature
    return reference.softmax(logits)


MISTAKES = (
    Mistake(
        "multiplied",
        "The logits are multiplied by the temperature",
        _multiplied,
        "A high temperature should make the choice more random, so it has to bring the logits closer together.",
        LOGITS,
    ),
    Mistake(
        "no-effect",
        "The temperature changes nothing",
        _on_probabilities,
        "Your result is the plain softmax. Dividing all probabilities by the same number and normalising again "
        "gives back what was there before: the division has to come before the exponential.",
        LOGITS,
    ),
    Mistake(
        "after-softmax",
        "The probabilities are divided by the temperature",
        _after_softmax,
        "Your results no longer sum to 1, and their proportions are those of temperature 1.",
        LOGITS,
    ),
    Mistake(
        "wrong-axis",
        "The softmax runs along the first axis",
        _wrong_axis,
        "The tokens lie along the last axis, whatever stands before it.",
        SECTION,
    ),
    Mistake(
        "unstable",
        "The exponentials overflow at low temperatures",
        _unstable,
        "A division by 0.01 makes logits a hundred times larger. The softmax of notebook 02 bears that.",
        LOGITS,
    ),
    Mistake(
        "logits-returned",
        "The divided logits are returned",
        _logits_returned,
        "They are not probabilities yet.",
        LOGITS,
    ),
    Mistake(
        "zero-divides",
        "Temperature 0 divides by zero",
        _zero_divides,
        "Nothing can be divided by 0. What the probabilities approach for smaller and smaller temperatures has to "
        "be written as a case of its own.",
        ZERO,
    ),
    Mistake(
        "zero-nearly",
        "Temperature 0 is replaced by a very small number",
        _zero_nearly,
        "That works until two logits are equal: they then share the probability, and a choice that should be "
        "fixed becomes a draw.",
        ZERO,
    ),
    Mistake(
        "zero-as-one",
        "Temperature 0 does the same as temperature 1",
        _zero_as_one,
        "At temperature 0 nothing is left to chance.",
        ZERO,
    ),
    Mistake(
        "all-maxima",
        "At temperature 0 every one of several equal largest logits gets probability 1",
        _all_maxima,
        "Then the probabilities sum to 2 or more. Only the lowest of these ids gets it all.",
        ZERO,
    ),
    Mistake(
        "last-maximum",
        "At temperature 0 the highest of several equally good ids is taken",
        _last_maximum,
        "The rule of this course is that the lowest id wins, as in greedy decoding.",
        ZERO,
    ),
    Mistake(
        "argmax-of-all",
        "At temperature 0 one token is chosen for all rows together",
        _argmax_of_all,
        "Without an axis, `argmax` looks at the whole array as if it were one row.",
        ZERO,
    ),
    Mistake(
        "id-returned",
        "At temperature 0 the id is returned",
        _id_returned,
        "A function should return the same kind of thing in all cases: here an array of probabilities.",
        ZERO,
    ),
    Mistake(
        "negative-accepted",
        "A negative temperature is accepted",
        _negative_accepted,
        "It would turn the order round, and the least likely token would be taken most often. That is nearly "
        "always a slip, so say so.",
        SECTION,
    ),
    Mistake(
        "negative-as-zero",
        "A negative temperature is taken for 0",
        _negative_as_zero,
        "Whoever passes a negative number has made a mistake and should hear of it.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The caller's logits are overwritten",
        _in_place,
        "`logits /= ...` writes into the array that was handed in (and fails on whole numbers).",
        LOGITS,
    ),
)
