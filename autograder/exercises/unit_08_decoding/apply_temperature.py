"""Specification of `apply_temperature`."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.apply_temperature,
    asks="the probabilities of the logits after dividing them by the temperature; at 0 all on the largest.",
    returns=(Output("probabilities", "(..., V)"),),
    calls=calls.APPLY_TEMPERATURE,
    lookalike=lookalikes.APPLY_TEMPERATURE,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """equals the softmax of the divided logits, also at low temperatures"""
    call.agrees(np.log([4.0, 9.0, 1.0]), 2.0)  # by hand: square roots 2, 3, 1, divided by their sum 6
    call.agrees(rng.standard_normal(5), 1.0)
    call.agrees(2 * rng.standard_normal(7), float(rng.uniform(0.3, 0.8)))
    call.agrees(rng.standard_normal(6).astype(np.float32), 1.5)
    call.agrees(20 * rng.standard_normal(5), 40.0)
    call.agrees(np.array([12.5, 9.0, -np.inf, 12.49]), 0.01)  # a softmax that is not stable overflows here
    call.agrees(np.array([0.0, -800.0, -1600.0]), 400.0)  # what is nearly 0 at temperature 1 is not at this one


@EXERCISE.claim(0.5)
def zero(call, rng):
    """temperature 0 puts everything on the largest logit, the lowest id on ties"""
    call.agrees(rng.permutation(6) / 2.0, 0.0)
    call.agrees(np.array([1.5, 3.0, -2.0, 3.0]), 0.0)  # a tie
    call.agrees(np.array([[-np.inf, -1.0, -0.5], [2.0, -np.inf, 2.0]]), 0)


@EXERCISE.claim(0.25)
def leading_axes(call, rng):
    """works for any leading axes, and also takes whole numbers"""
    call.agrees(rng.standard_normal((4, 5)), 1.7)
    call.agrees(rng.integers(-3, 4, (3, 6)), 2.0)
    call.agrees(rng.standard_normal((2, 3, 5)), 0.7)
    call.agrees(rng.standard_normal((1, 3, 1)), 0.7)
    call.agrees(rng.standard_normal((2, 4)) + np.array([[-900.0], [900.0]]), 1.0)  # each row has its own maximum


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits = rng.standard_normal(5)
    for temperature in (0.75, 0.0):
        call.leaves_inputs_alone(logits, temperature)
    call.agrees(logits, 0.75)


@EXERCISE.claim(0.5, side=True)
def negative(call, rng):
    """a negative temperature raises a ValueError that mentions it"""
    logits, negative = rng.standard_normal(3), -float(rng.integers(1, 40)) / 8
    call.refuses(logits, negative, mentions=[f"{negative:g}"])
    call.refuses(logits, -2.0, mentions=[-2])
    call.agrees(logits, -negative)


wrong = WrongAnswers(EXERCISE, globals())

wrong("multiplied", "apply_temperature(logits, 1 / temperature if temperature > 0 else temperature)", """
    The logits are multiplied by the temperature.
    A high temperature should make the choice more random, so it has to bring the logits closer together.""")

wrong("no-effect", {"softmax(logits / float(temperature))": "softmax(logits)"}, """
    The temperature changes nothing.
    Your result is the plain softmax. Dividing all probabilities by the same number and normalising again gives back
    what was there before: the division has to come before the exponential.""")

wrong("after-softmax", {"softmax(logits / float(temperature))": "softmax(logits) / temperature"}, """
    The probabilities are divided by the temperature.
    Your results no longer sum to 1, and their proportions are those of temperature 1.""")

wrong("wrong-axis", {"float(temperature))": "float(temperature), axis=0)"}, """
    The softmax runs along the first axis.
    The tokens lie along the last axis, whatever comes before it.""")

wrong("unstable", {
    "softmax(logits / float(temperature))":
        "np.exp(logits / temperature) / np.exp(logits / temperature).sum(axis=-1, keepdims=True)",
}, """
    The exponentials overflow at low temperatures.
    A division by 0.01 makes logits a hundred times larger. The softmax of unit 02 can cope with that.""")

wrong("logits-returned", {"softmax(logits / float(temperature))": "logits / temperature"}, """
    The divided logits are returned.
    They are not probabilities yet.""")


@wrong.function
def powers_of_probabilities(logits, temperature):
    """The probabilities are formed first, and then raised to a power.
    On paper that is the same. In the computer a probability far below 1e-300 has become 0, and no power brings it back.
    Divide the logits."""
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    powers = reference.softmax(logits) ** (1 / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


wrong("zero-divides", {"temperature == 0": "False", "float(temperature)": "np.float64(temperature)"}, """
    Temperature 0 divides by zero.
    Nothing can be divided by 0. What the probabilities approach for smaller and smaller temperatures has to be written
    as a case of its own.""")

wrong("zero-nearly", "apply_temperature(logits, temperature if temperature else 1e-6)", """
    At temperature 0, equal logits share the probability.
    A choice that should be fixed becomes a draw: of the largest logits, the first takes all. A very small temperature
    in place of 0 has the same fault.""")

wrong("zero-as-one", "apply_temperature(logits, temperature or 1.0)", """
    Temperature 0 does the same as temperature 1.
    At temperature 0 nothing is left to chance.""")

wrong("all-maxima", {"(best == np.arange(logits.shape[-1]))": "(logits == logits.max(axis=-1, keepdims=True))"}, """
    At temperature 0 every one of several equal largest logits gets probability 1.
    Then the probabilities sum to 2 or more. Only the lowest of these ids gets it all.""")

wrong("last-maximum",
      {"logits.argmax(axis=-1)[..., None]": "logits.shape[-1] - 1 - logits[..., ::-1].argmax(axis=-1)[..., None]"}, """
    At temperature 0 the highest of several equally good ids is taken.
    The rule of this course is that the lowest id wins, as in greedy decoding.""")

wrong("argmax-of-all", {
    "(best == np.arange(logits.shape[-1]))": "(np.arange(logits.size) == logits.argmax()).reshape(logits.shape)",
}, """
    At temperature 0 one token is chosen for all rows together.
    Without an axis, `argmax` looks at the whole array as if it were one row.""")


@wrong.function
def id_taken_for_row(logits, temperature):
    """At temperature 0 the id of the largest logit is taken for the number of a row.
    `argmax` without an axis looks at the whole array, and `p[i]` is its row i. Each row has a largest logit of its own,
    along the last axis."""
    if temperature:
        return reference.apply_temperature(logits, temperature)
    one_hot = np.zeros(logits.shape)
    one_hot[np.argmax(logits)] = 1.0
    return one_hot


wrong("id-returned", "apply_temperature(logits, temperature) if temperature else logits.argmax(axis=-1)", """
    At temperature 0 the id is returned.
    A function should return the same kind of thing in all cases: here an array of probabilities.""")

wrong("negative-accepted", {"temperature < 0": "False"}, """
    A negative temperature is accepted.
    It would reverse the order, and the least likely token would be taken most often. That is nearly always a slip, so
    say so.""")

wrong("negative-as-zero", "apply_temperature(logits, max(temperature, 0.0))", """
    A negative temperature is treated as 0.
    A caller who passes a negative number has made a mistake and should be told.""")


@wrong.function
def in_place(logits, temperature):
    """The caller's logits are overwritten.
    An operator such as `/=` writes into the array that you were given (and fails on whole numbers)."""
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    logits /= temperature
    return reference.softmax(logits)


@wrong.function
def maximum_of_all_rows(logits, temperature):
    """The largest logit of all rows is subtracted from every row.
    In a row of much smaller logits every exponential is then 0, and 0 / 0 is NaN. Each row has its own maximum."""
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp((logits - logits.max()) / temperature)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@wrong.function
def sums_over_all_rows(logits, temperature):
    """The exponentials are divided by their sum over all rows.
    Each row is a distribution of its own and sums to 1 by itself."""
    if temperature <= 0:
        return reference.apply_temperature(logits, temperature)
    exponentials = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return exponentials / exponentials.sum()


wrong("zero-refused", {"temperature < 0": "temperature <= 0"}, """
    Temperature 0 is refused.
    Only negative temperatures are. At 0 the largest logit gets everything.""")
