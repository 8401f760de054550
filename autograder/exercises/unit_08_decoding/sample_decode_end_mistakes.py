"""The known mistakes of `sample_decode` with the end symbol."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_08_decoding.sample_decode_mistakes import ORDER, SECTION
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def at_least_one_word(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """The end symbol is never drawn first.

    It is a token like any other, and may be drawn at the beginning, too.
    """

    def without_end(prefixes):
        log_probs = np.array(next_log_probs(prefixes))
        log_probs[:, eos_id] = np.where(prefixes.shape[1] > 1, log_probs[:, eos_id], -np.inf)
        return log_probs

    return reference.sample_decode(without_end, bos_id, eos_id, max_len, uniforms, *args, **kwargs)


@MISTAKES.add(where=SECTION)
def end_always_added(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """The end symbol is put at the end even if it has not been drawn.

    Only what was drawn belongs to the result, so that a sequence that was cut off at max_len can be told.
    """
    ids = reference.sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs)
    return ids if ids[-1:] == (eos_id,) else (*ids, eos_id)


@MISTAKES.add(where=SECTION)
def end_lost_at_max_len(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """An end symbol that takes the last of max_len places is lost.

    It was drawn, and there is room for it.
    """
    ids = reference.sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs)
    return ids[:-1] if len(ids) == max_len and ids[-1:] == (eos_id,) else ids


@MISTAKES.add(where=ORDER)
@edited(reference.sample_decode, {"(softmax(logits)": "(apply_temperature(logits, temperature)"})
def temperature_twice():
    """The logits are divided by the temperature twice: before the filters and once more at the end.

    What comes out of the filters has the temperature in it already. A softmax makes probabilities of it.
    """
