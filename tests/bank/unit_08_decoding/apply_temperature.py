"""Functions that learners wrote for `apply_temperature`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong(
    "divides the probabilities by the temperature after softmax, so they do not sum to 1",
    names={"after-softmax"},
    line="return reference.softmax(logits) / temperature",
)
def divides_probabilities(logits, temperature):
    if temperature < 0:
        raise ValueError(f"the temperature is {temperature}")
    if temperature == 0:
        best = logits.argmax(axis=-1)[..., None]
        return (np.arange(logits.shape[-1]) == best).astype(float)
    return reference.softmax(logits) / temperature


@wrong(
    "multiplies the logits by the temperature instead of dividing them",
    names={"multiplied"},
    line="return reference.softmax(logits * temperature)",
)
def multiplies(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must not be negative, got {temperature}")
    if temperature == 0:
        return np.eye(logits.shape[-1])[np.argmax(logits, axis=-1)]
    return reference.softmax(logits * temperature)


@wrong(
    "has no case for temperature 0: it divides by 0 and returns nan",
    names={"zero-divides"},
    line="return reference.softmax(scaled)",
)
def no_case_for_zero(logits, temperature):
    if temperature < 0:
        raise ValueError(f"negative temperature: {temperature}")
    scaled = logits / temperature
    return reference.softmax(scaled)


@wrong("does not raise for a negative temperature", names={"negative-accepted"}, line=None)
def no_error(logits, temperature):
    if temperature == 0:
        probs = np.zeros(logits.shape)
        best = np.argmax(logits, axis=-1)[..., None]
        np.put_along_axis(probs, best, 1.0, axis=-1)
        return probs
    return reference.softmax(logits / temperature)


@wrong(
    "the message of the ValueError does not contain the temperature",
    line='raise ValueError("temperature must be at least 0")',
)
def message_without_value(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature must be at least 0")
    if temperature == 0:
        probs = np.zeros(logits.shape)
        np.put_along_axis(probs, np.argmax(logits, axis=-1)[..., None], 1.0, axis=-1)
        return probs
    return reference.softmax(logits / temperature)


@wrong(
    "at temperature 0 tokens that share the maximum share the probability, instead of the lowest id getting it all",
    names={"zero-nearly"},
    line="best = logits == logits.max(axis=-1, keepdims=True)",
)
def ties_share(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} < 0")
    if temperature == 0:
        best = logits == logits.max(axis=-1, keepdims=True)
        return best / best.sum(axis=-1, keepdims=True)
    return reference.softmax(logits / temperature)


@wrong(
    "at temperature 0 it finds one maximum of the whole array, so all rows but one have no probability",
    names={"argmax-of-all"},
    line="probs.flat[np.argmax(logits)] = 1.0",
)
def one_maximum_for_all(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature has to be 0 or more, got {temperature}")
    if temperature == 0:
        probs = np.zeros(logits.shape)
        probs.flat[np.argmax(logits)] = 1.0
        return probs
    return reference.softmax(logits / temperature)


@wrong("raises for temperature 0 as well, which is allowed", names={"zero-refused"}, line="if temperature <= 0:")
def zero_forbidden(logits, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be positive, got {temperature}")
    z = logits / temperature
    return reference.softmax(z)


@wrong("divides the logits in place, which changes the argument", names={"in-place"}, line="logits /= temperature")
def divides_in_place(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} is negative")
    if temperature == 0:
        return np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    logits /= temperature
    return reference.softmax(logits)


@wrong(
    "normalises over the whole array instead of along the last axis",
    names={"softmax/over-everything"},
    line="return e / e.sum()",
)
def sums_everything(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} is negative")
    if temperature == 0:
        return np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    z = logits / temperature
    e = np.exp(z - z.max())
    return e / e.sum()


@wrong(
    "at temperature 0 it divides by a tiny number instead, so tokens that tie for the maximum share the probability",
    names={"zero-nearly"},
    line="temperature = 1e-9",
)
def tiny_for_zero(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must be >= 0, not {temperature}")
    if temperature == 0:
        temperature = 1e-9
    return reference.softmax(logits / temperature)


@wrong(
    "does not subtract the maximum before the exponential, so large logits overflow to nan",
    names={"unstable"},
    line="e = np.exp(logits / temperature)",
)
def own_softmax_overflows(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must be >= 0, not {temperature}")
    if temperature == 0:
        return np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    e = np.exp(logits / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "divides the probabilities by the temperature and normalises again, which changes nothing at any temperature",
    names={"no-effect"},
    line="probs = reference.softmax(logits) / temperature",
)
def changes_nothing(logits, temperature):
    if temperature < 0:
        raise ValueError(f"{temperature} is negative")
    if temperature == 0:
        return np.eye(logits.shape[-1])[np.argmax(logits, axis=-1)]
    probs = reference.softmax(logits) / temperature
    return probs / probs.sum(axis=-1, keepdims=True)


@wrong(
    "at temperature 0 it returns the ids of the maxima instead of probabilities",
    names={"id-returned"},
    line="return np.argmax(logits, axis=-1)",
)
def ids_at_zero(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} must not be negative")
    if temperature == 0:
        return np.argmax(logits, axis=-1)
    return reference.softmax(logits / temperature)


@wrong(
    "two: there is no case for temperature 0, and a negative temperature raises nothing",
    names={"negative-accepted", "zero-divides"},
    line=None,
)
def formula_only(logits, temperature):
    return reference.softmax(logits / temperature)


@wrong(
    "raises the probabilities to the power T instead of 1 / T before normalising",
    names={"multiplied"},
    line="powers = probs**temperature",
)
def power_for_root(logits, temperature):
    if temperature < 0:
        raise ValueError(f"bad temperature {temperature}")
    if temperature == 0:
        best = logits.argmax(axis=-1)
        return np.eye(logits.shape[-1])[best]
    probs = reference.softmax(logits)
    powers = probs**temperature
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong(
    "at temperature 0 it works for one row only: with leading axes the ones are not placed one per row",
    line="probs[np.argmax(logits, axis=-1)] = 1.0",
)
def zero_for_one_row(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature cannot be {temperature}")
    if temperature == 0:
        probs = np.zeros_like(logits, dtype=float)
        probs[np.argmax(logits, axis=-1)] = 1.0
        return probs
    return reference.softmax(logits / temperature)


@wrong(
    "two: the logits are multiplied by the temperature instead of divided, and a negative one raises nothing",
    names={"multiplied", "negative-accepted"},
    line="return reference.softmax(temperature * logits)",
)
def multiplies_without_error(logits, temperature):
    if temperature == 0:
        best = np.argmax(logits, axis=-1)
        return np.eye(logits.shape[-1])[best]
    return reference.softmax(temperature * logits)


@right
def compared_with_ids(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature has to be 0 or more, got {temperature}")
    if temperature == 0:
        best = np.argmax(logits, axis=-1)[..., None]
        return (np.arange(logits.shape[-1]) == best).astype(float)
    return reference.softmax(logits / temperature)


@right
def rows_of_identity(logits, temperature):
    if temperature < 0:
        raise ValueError("negative temperature " + str(temperature))
    if temperature == 0:
        return np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    z = logits - logits.max(axis=-1, keepdims=True)
    e = np.exp(z / temperature)
    return e / np.sum(e, axis=-1, keepdims=True)


@right
def row_by_row(logits, temperature):
    if not temperature >= 0:
        raise ValueError(f"{temperature=} is below 0")
    probs = np.zeros(logits.shape)
    for index in np.ndindex(logits.shape[:-1]):
        row = logits[index]
        if temperature == 0:
            probs[index][row.argmax()] = 1
        else:
            probs[index] = reference.softmax(row / temperature)
    return probs


@wrong("does not normalise after the power")
def power_of_probabilities(logits, temperature):
    if temperature < 0:
        raise ValueError(f"temperature {temperature} is negative")
    if temperature == 0:
        return np.eye(logits.shape[-1])[logits.argmax(axis=-1)]
    return softmax(logits) ** (1 / temperature)


@wrong(
    "takes a very small temperature for 0, which shares between equals",
    names={"zero-nearly"},
    line="temperature = max(temperature, 1e-6)",
)
def nearly_zero(logits, temperature):
    if temperature < 0:
        raise ValueError(f"negative temperature: {temperature}")
    temperature = max(temperature, 1e-6)
    return softmax(np.asarray(logits) / temperature)


@wrong(
    "sets one number of the whole array to 1 at temperature 0",
    names={"argmax-of-all"},
    line="p.flat[np.argmax(logits)] = 1.0",
)
def one_for_all_rows(logits, temperature):
    if temperature < 0:
        raise ValueError(f"T = {temperature}")
    if temperature == 0:
        p = np.zeros(logits.shape)
        p.flat[np.argmax(logits)] = 1.0
        return p
    return softmax(logits / temperature)
