"""Specification of `write`; what chooses the next token is a function of the logits that tells most of them apart."""

from dataclasses import dataclass

import numpy as np

from autograder.execution.handed import Numbers
from autograder.exercises.inputs import telling
from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.unit_13_since_2017.inputs import VOCAB_SIZE, small_decoder, some_ids
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import empty_cache
from transformer_kit.reference import read_on

NEWEST = "Only the newest token"
END = "When it ends"

EXERCISE = Exercise(
    reference=reference.write,
    asks="the tokens that follow the prompt, chosen one at a time, until the model ends the text.",
    returns=(Output("token_ids"),),
    calls=calls.WRITE,
    hands={"choose": (Numbers("f", axes=1),)},
    lookalike=lookalikes.WRITE,
)


@dataclass(frozen=True)
class Chooser:
    """Takes the likeliest token, the second or the third: the sum of the logits says which."""

    pace: float

    def __call__(self, logits):
        rank = int(np.floor(self.pace * np.abs(logits).sum())) % 3
        return int(np.argsort(-logits, kind="stable")[rank])


def _given(rng, n=4, n_blocks=2):
    """Draw a prompt, a decoder and a way to choose."""
    return some_ids(rng, n).tolist(), small_decoder(rng, n_blocks), Chooser(float(rng.uniform(3, 9)))


def _ending(rng, length, n=3):
    """Draw arguments with which the end, one of two tokens, comes after this many others."""
    while True:
        given = _given(rng, n)
        written = reference.write(*given, (), length + 1)
        others = set(range(VOCAB_SIZE)) - set(written[:length])
        if written[length] in others and len(others) > 1:
            end = int(written[length])
            other = int(rng.choice(sorted(others - {end})))
            return *given, (other, end)


@EXERCISE.claim(1)
def goes_on(call, rng):
    """each token is chosen from logits that follow all tokens before it"""
    for n, n_blocks, max_len in ((4, 1, 5), (1, 2, 6), (5, 2, 4)):
        call.agrees(*_given(rng, n, n_blocks), (), max_len)

    def draw():
        return *_given(rng, 3), (), 6

    call.agrees(*telling(EXERCISE, draw, "cache-thrown-away", "everything-read-again", "prompt-read-again"))


@EXERCISE.claim(0.75)
def ends(call, rng):
    """any of the end's ids ends the text and is not returned; max_len counts what is written"""
    for length in (3, 0, 1):
        *given, end_ids = _ending(rng, length)
        call.agrees(*given, end_ids, 7)
        call.agrees(*given, end_ids[::-1], 7)
    call.agrees(*_given(rng, 6), (), 3)
    call.agrees(*_given(rng, 2), (), 1)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    given = _given(rng)
    call.leaves_inputs_alone(*given, (), 3)
    call.agrees(*given, (), 3)


wrong = WrongAnswers(EXERCISE, globals())


def _greedy(logits):
    return int(logits.argmax())


wrong.at(NEWEST)


@wrong.function
def everything_read_again(prompt_ids, model, choose, end_ids, max_len):
    """The whole text is read again at every step, although the cache has it already.
    Then the cache holds every token several times, and the new ones stand at positions that are far too high. What is
    in the cache has been read: give `read_on` the newest token alone."""
    written, cache = [], empty_cache(model)
    while len(written) < max_len:
        logits, cache = read_on(np.array([*prompt_ids, *written]), model, cache)
        chosen = int(choose(logits))
        if chosen in end_ids:
            break
        written.append(chosen)
    return tuple(written)


wrong("cache-thrown-away", {"read_on(new, model, cache)": "read_on(new, model, empty_cache(model))"}, """
    Every token is read with an empty cache.
    Then the model knows the newest token alone, and nothing of the prompt. Keep the cache that `read_on` returns, and
    hand it over at the next step.""")

wrong("prompt-read-again", {"new = np.array([chosen])": "pass"}, """
    The prompt is read at every step, and what was chosen is never read.
    After the first step, the only new token is the one that was chosen.""")

wrong("last-of-prompt-only", {"np.asarray(prompt_ids)": "np.asarray(prompt_ids)[-1:]"}, """
    Only the last token of the prompt is read.
    The first step reads the whole prompt.""")

wrong("last-of-prompt-read-twice", {
    "np.asarray(prompt_ids), empty_cache(model)":
        "np.asarray(prompt_ids)[-1:], read_on(np.asarray(prompt_ids), model, empty_cache(model))[1]",
}, """
    The last token of the prompt is read twice.
    Whoever has read the prompt has the logits for what follows it. The next token to read is the one that was
    chosen.""")

wrong("token-without-axis", {"np.array([chosen])": "np.array(chosen)"}, """
    The newest token is handed over without an axis.
    `read_on` takes an array of shape (n_new,), and that of one token has the shape (1,).""")

wrong.at()
wrong("likeliest-always", {"choose(logits)": "_greedy(logits)"}, """
    The likeliest token is taken, whatever `choose` says.
    `choose` is given to you: it may draw, or follow another rule.""")

wrong("chosen-from-probabilities", {"choose(logits)": "choose(softmax(logits))"}, """
    `choose` gets probabilities.
    It takes logits, since temperature and filters work on them.""")

wrong.at(END)
wrong("end-returned", {"if chosen in end_ids:": "if chosen in end_ids:\n            written.append(chosen)"}, """
    The end is returned as a part of the text.
    It is a mark, and nothing that anybody should read.""")

wrong("first-end-only", {"in end_ids": "in tuple(end_ids)[:1]"}, """
    Only the first of the end's ids ends the text.
    A model may have several. Any of them is the end.""")

wrong("never-ends", {"if chosen in end_ids:\n            break": "if chosen in end_ids:\n            pass"}, """
    The text does not end where the model ends it.
    Whatever comes after the mark is what somebody else would say.""")

wrong("end-skipped", {"if chosen in end_ids:\n            break\n        written.append(chosen)":
                      "if chosen not in end_ids:\n            written.append(chosen)"}, """
    The end is left out, and the text goes on.
    Nothing comes after the end.""")

wrong("end-skipped-and-counted", {"while len(written) < max_len": "for _ in range(max_len)",
                                  "if chosen in end_ids:\n            break\n        written.append(chosen)":
                                  "if chosen not in end_ids:\n            written.append(chosen)"}, """
    The end is left out, and the text goes on until max_len tokens were chosen.
    Nothing comes after the end.""")

wrong("prompt-returned", {"tuple(written)": "tuple(prompt_ids) + tuple(written)"}, """
    The prompt is returned, too.
    Whoever calls the function has it. Return what was written.""")

wrong("prompt-counts", {"len(written) < max_len": "len(written) + len(prompt_ids) < max_len"}, """
    max_len counts the prompt.
    It is the number of tokens that are written.""")

wrong("one-too-many", {"len(written) < max_len": "len(written) <= max_len"}, """
    One token too many is written.
    When max_len have been written, it is time to stop.""")

wrong("one-too-few", {"len(written) < max_len": "len(written) < max_len - 1"}, """
    One token too few is written.
    max_len is how many there may be.""")


@wrong.function
def list_of_prompt_extended(prompt_ids, model, choose, end_ids, max_len):
    """The list that was given is made longer.
    The prompt is the caller's. Collect what is written in a list of your own."""
    n_before = len(prompt_ids)
    prompt_ids += reference.write(prompt_ids, model, choose, end_ids, max_len)
    return tuple(prompt_ids[n_before:])
