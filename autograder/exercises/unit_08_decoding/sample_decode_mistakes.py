"""The known mistakes of `sample_decode`."""

from functools import partial

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 8.7: sample_decode"
ORDER = "First the temperature, then the filters"

MISTAKES = KnownMistakes()


def _logits(log_probs, temperature):
    with np.errstate(divide="ignore"):
        return np.log(reference.apply_temperature(log_probs, temperature))


def _filtered(log_probs, temperature, top_k, top_p, warmed=_logits):
    """Temperature, top-k and top-p in the right order."""
    logits = warmed(log_probs, temperature)
    logits = logits if top_k is None else reference.top_k_filter(logits, top_k)
    return logits if top_p is None else reference.top_p_filter(logits, top_p)


def _decode(
    next_log_probs,
    bos_id,
    eos_id,
    max_len,
    uniforms,
    temperature=1.0,
    top_k=None,
    top_p=None,
    *,
    seen=lambda ids: ids,
    number=lambda uniforms, ids: uniforms[len(ids)],
    filtered=_filtered,
    share=reference.softmax,
    draw=reference.sample_token,
):
    ids = []
    while len(ids) < max_len and eos_id not in ids[-1:]:
        log_probs = next_log_probs(np.array([[bos_id, *seen(ids)]]))[0]
        probs = share(filtered(log_probs, temperature, top_k, top_p))
        ids.append(int(draw(probs, number(uniforms, ids))))
    return tuple(ids)


@MISTAKES.add(where=SECTION)
def one_number(*args, **kwargs):
    """All tokens are drawn with the first number.

    Then a sequence is decided by a single draw: a small number takes low ids at every step. Each token has a number
    of its own.
    """
    return _decode(*args, **kwargs, number=lambda uniforms, ids: uniforms[0])


@MISTAKES.add(where=SECTION)
def next_number(*args, **kwargs):
    """The first number is skipped.

    The token at place i of the result is drawn with `uniforms[i]`, counted from 0. The start symbol takes no number.
    """
    return _decode(*args, **kwargs, number=lambda uniforms, ids: uniforms[min(len(ids) + 1, len(uniforms) - 1)])


@MISTAKES.add(where=SECTION)
def numbers_from_the_end(*args, **kwargs):
    """The numbers are used from the last to the first.

    `pop()` takes the last of a list. The token at place i of the result is drawn with `uniforms[i]`.
    """
    return _decode(*args, **kwargs, number=lambda uniforms, ids: uniforms[-1 - len(ids)])


@MISTAKES.add(where=SECTION)
def goes_on(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """Drawing goes on after the end symbol.

    What a model says after the end means nothing: it has never seen anything there in training.
    """
    return _decode(next_log_probs, bos_id, None, max_len, uniforms, *args, **kwargs)


@MISTAKES.add(where=SECTION)
def likeliest_end(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """The loop stops when the end symbol is the likeliest token.

    Only a token that has been drawn is part of the sequence. The end may be likely and not drawn.
    """
    ids = []
    while len(ids) < max_len and eos_id not in ids[-1:]:
        log_probs = next_log_probs(np.array([[bos_id, *ids]]))[0]
        if np.argmax(log_probs) == eos_id:
            return (*ids, eos_id)
        probs = reference.softmax(_filtered(log_probs, *_options(*args, **kwargs)))
        ids.append(reference.sample_token(probs, uniforms[len(ids)]))
    return tuple(ids)


def _options(temperature=1.0, top_k=None, top_p=None):
    return temperature, top_k, top_p


@MISTAKES.add(where=SECTION)
def end_left_out(next_log_probs, bos_id, eos_id, *args, **kwargs):
    """The end symbol is left out of the result.

    As in `greedy_decode`, a finished sequence keeps its end symbol. That tells it from one that was cut off.
    """
    ids = _decode(next_log_probs, bos_id, eos_id, *args, **kwargs)
    return ids[:-1] if ids[-1] == eos_id else ids


@MISTAKES.add(where=SECTION)
def start_included(next_log_probs, bos_id, *args, **kwargs):
    """The start symbol is part of the result.

    The start symbol was given, not drawn. It belongs to the prefix only.
    """
    return (bos_id, *_decode(next_log_probs, bos_id, *args, **kwargs))


@MISTAKES.add(where=SECTION)
def start_counted(next_log_probs, bos_id, eos_id, max_len, *args, **kwargs):
    """The start symbol is counted in max_len.

    Sequences that are cut off end one token early. Only what was drawn counts.
    """
    return _decode(next_log_probs, bos_id, eos_id, max_len - 1, *args, **kwargs)


@MISTAKES.add(where=SECTION)
def no_limit(next_log_probs, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    """The limit max_len is ignored, and the loop runs until the numbers are used up.

    There may be more numbers than tokens. At most `max_len` ids are drawn.
    """
    return _decode(next_log_probs, bos_id, eos_id, len(uniforms), uniforms, *args, **kwargs)


@MISTAKES.add(where=SECTION)
def last_token_only(*args, **kwargs):
    """Only the last token is fed back to the model.

    The next token depends on everything before it. The model needs the whole prefix.
    """
    return _decode(*args, **kwargs, seen=lambda ids: ids[-1:])


@MISTAKES.add(where=SECTION)
def single_pass(*args, **kwargs):
    """All tokens are drawn from the first distribution.

    Ask the model again after every token, with the prefix that has just grown.
    """
    return _decode(*args, **kwargs, seen=lambda ids: [])


@MISTAKES.add(where=SECTION)
def likeliest(*args, **kwargs):
    """The likeliest token is taken at every step.

    That is greedy search. Here `sample_token` chooses, and the likeliest token only has the largest chance.
    """
    return _decode(*args, **kwargs, draw=lambda probs, u: np.argmax(probs))


@MISTAKES.add(where=ORDER)
def temperature_last(*args, **kwargs):
    """The filters come before the temperature.

    Top-p looks at probabilities, and the temperature changes them. Filtered first, a hot draw chooses among the few
    tokens that were enough at temperature 1.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _logits(_filtered(log_probs, 1.0, top_k, top_p), temperature)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def top_p_first(*args, **kwargs):
    """Top-p comes before top-k.

    Top-k changes the shares of those that stay, and top-p adds up shares. After top-k fewer tokens may be enough.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(_filtered(log_probs, temperature, None, top_p), 1.0, top_k, None)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def temperature_ignored(*args, **kwargs):
    """The temperature has no effect.

    Divide before the exponential. Dividing probabilities and normalising them again changes nothing.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs, 1.0, top_k, top_p)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def top_k_ignored(*args, **kwargs):
    """The argument top_k has no effect.

    A filter returns new logits and leaves the old ones alone. Go on with what it returns.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs, temperature, None, top_p)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def top_p_ignored(*args, **kwargs):
    """The argument top_p has no effect.

    A filter returns new logits and leaves the old ones alone. Go on with what it returns.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs, temperature, top_k, None)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def one_filter_alone(*args, **kwargs):
    """With top_k given, top_p is ignored.

    The two filters are not alternatives: top-p works on what top-k has left. Is there an `elif` between them, or is the
    result of top-p not the one that goes on?
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs, temperature, top_k, top_p if top_k is None else None)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def top_p_alone(*args, **kwargs):
    """With top_p given, top_k is ignored.

    Top-p works on what top-k has left: hand it the logits that top-k returned, not those from before. Or is there an
    `elif` between the two filters?
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs, temperature, top_k if top_p is None else None, top_p)

    return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=ORDER)
def probabilities_filtered(*args, **kwargs):
    """Probabilities take the place of logits, in the filters or in softmax.

    `apply_temperature` returns probabilities. Take their logarithm before you go on.
    """
    return _decode(*args, **kwargs, filtered=partial(_filtered, warmed=reference.apply_temperature))


@MISTAKES.add(where=ORDER)
def shares_left_small(*args, **kwargs):
    """After the filters the probabilities no longer sum to 1.

    What was dropped leaves a hole at the end of the line, and every number that falls into it draws the last token.
    Softmax of the filtered logits shares the whole probability among those that stay.
    """

    def share(pair):
        logits, before = pair
        return np.where(np.isfinite(logits), before, 0.0)

    def filtered(log_probs, temperature, top_k, top_p):
        logits = _filtered(log_probs, temperature, top_k, top_p)
        return logits, reference.apply_temperature(log_probs, temperature)

    return _decode(*args, **kwargs, filtered=filtered, share=share)


@MISTAKES.add(where=ORDER)
def divides_by_zero(*args, **kwargs):
    """A temperature of 0 divides by 0.

    Your `apply_temperature` handles this case: it gives probability 1 to the likeliest token.
    """

    def filtered(log_probs, temperature, top_k, top_p):
        return _filtered(log_probs / np.float64(temperature), 1.0, top_k, top_p)

    with np.errstate(all="ignore"):
        return _decode(*args, **kwargs, filtered=filtered)


@MISTAKES.add(where=SECTION)
def ends_at_1(next_log_probs, bos_id, eos_id, *args, **kwargs):
    """The id 1 is taken for the end symbol, whatever eos_id is.

    In our toy models the end has id 1, but other models number their tokens differently.
    """
    return _decode(next_log_probs, bos_id, 1, *args, **kwargs)
