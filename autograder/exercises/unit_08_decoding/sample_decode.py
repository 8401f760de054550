"""Specification of `sample_decode`; models are tables from prefixes to probabilities, and 1 is the end."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, agrees_renamed, endless_model, table
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

ORDER = "First the temperature, then the filters"

EXERCISE = Exercise(
    reference=reference.sample_decode,
    asks="the sequence that results from drawing the next token at every step.",
    returns=(Output("token_ids"),),
    calls=calls.SAMPLE_DECODE,
    hands=HANDS,
    lookalike=lookalikes.SAMPLE_DECODE,
)


@EXERCISE.claim(0.5)
def draws(call, rng):
    """draws token after token, each with its own number and after the whole prefix"""
    chain = {(): {2: 0.5, 3: 0.5}, (2,): {4: 1.0}, (3,): {4: 1.0}, (2, 4): {5: 1.0}, (3, 4): {6: 1.0}}
    for first in (0.2, 0.7):  # by hand: 2, 4, 5 and the end, or 3, 4, 6 and the end
        agrees_renamed(call, rng, table(chain), 0, 1, 6, [first, 0.9, 0.1, 0.4, 0.6, 0.3])
    for vocab_size in (5, 7):
        model = endless_model(rng, vocab_size, eos_id=1)
        for _ in range(3):
            agrees(call, model, 0, 1, 5, rng.random(5))
    agrees(call, endless_model(rng, 5, eos_id=1), 0, 1, 3, [0.0, 0.0, 0.0])


@EXERCISE.claim(0.5)
def order(call, rng):
    """temperature comes first, then top-k, then top-p"""
    model = table({}, 9, {2: 0.5, 3: 0.25, 4: 0.125, 5: 0.0625, 6: 0.03125, 7: 0.03125})
    uniforms = ((np.arange(6) + rng.uniform(0.2, 0.8)) / 6).tolist()
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, temperature=2.0, top_p=0.8)  # before: 3 tokens, after: 4
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, temperature=0.5, top_p=0.8)  # after: 2
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, top_k=2)
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, 1.0, 4, 0.4)  # the likeliest alone
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, 1.0, 3, 0.8)  # 4/7 + 2/7 reach 0.8; of all, 1/2 + 1/4 do not
    agrees_renamed(call, rng, model, 0, 1, 6, uniforms, 1.0, 2, 0.9)  # top-p alone would leave 4 tokens

    def draw():
        return endless_model(rng, 6, eos_id=1), 0, 1, 5, rng.random(5), float(rng.uniform(1.5, 2.5)), 4, 0.7

    agrees(call, *telling(EXERCISE, draw, "last-token-only", "single-pass"))


@EXERCISE.claim(0.25)
def stops(call, rng):
    """stops when the end symbol is drawn, and after max_len ids at the latest"""
    often = table({}, otherwise={1: 0.25, 4: 0.5, 3: 0.25})
    for uniforms in ([0.9, 0.5, 0.1, 0.7, 0.4], [0.6, 0.3, 0.8, 0.9, 0.5]):
        agrees_renamed(call, rng, often, 0, 1, 5, uniforms)
    rarely = table({(): {1: 0.75, 5: 0.25}}, otherwise={3: 0.5, 4: 0.5})
    agrees_renamed(call, rng, rarely, 0, 1, 4, [0.8, 0.6, 0.1, 0.7, 0.2])  # the likeliest token is the end, not drawn
    agrees_renamed(call, rng, rarely, 0, 1, 4, [0.3, 0.6, 0.1, 0.7])  # here it is
    last = table({(3, 4): {1: 1.0}}, otherwise={3: 0.5, 4: 0.5})
    agrees_renamed(call, rng, last, 0, 1, 3, [0.2, 0.7, 0.5])  # the end takes the last place


@EXERCISE.claim(0.25)
def greedy(call, rng):
    """temperature 0 takes the likeliest token at every step, of equal ones the lowest id"""
    tied = {(): {3: 0.375, 4: 0.375, 2: 0.25}, (3,): {6: 0.5, 5: 0.5}}
    agrees_renamed(call, rng, table(tied), 0, 1, 4, [0.9, 0.9, 0.9, 0.9], temperature=0)

    def draw():
        return endless_model(rng, 6, eos_id=1), 0, 1, 5, rng.random(5), 0.0, 3, 0.6

    agrees(call, *telling(EXERCISE, draw, "last-token-only"))


@EXERCISE.claim(0.25)
def other_ids(call, rng):
    """takes bos_id and eos_id from its arguments"""
    chain = {(): {0: 0.6, 1: 0.4}, (0,): {1: 0.7, 3: 0.3}, (0, 1): {3: 0.6, 0: 0.4}}
    model = table(chain | {(1,): chain[0, 1]}, otherwise={0: 1.0}, bos_id=2)
    for uniforms in ([0.3, 0.4, 0.2, 0.5], [0.8, 0.9, 0.1, 0.5]):
        agrees(call, model, 2, 3, 4, uniforms)  # 1 is a token like any other
        agrees_renamed(call, rng, model, 2, 3, 4, uniforms)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    model = table({}, otherwise={3: 0.5, 4: 0.5})
    for temperature in (1.0, 0.0):
        call.leaves_inputs_alone(model, 0, 1, 4, rng.random(6), temperature, 2, 0.9)
    agrees(call, model, 0, 1, 4, [0.3, 0.8, 0.6, 0.1])


wrong = WrongAnswers(EXERCISE, globals())

wrong("one-number", {"uniforms[len(token_ids)]": "uniforms[0]"}, """
    All tokens are drawn with the first number.
    Then a sequence is decided by a single draw: a small number takes low ids at every step. Each token has a number of
    its own.""")

wrong("next-number", {"uniforms[len(token_ids)]": "uniforms[min(len(token_ids) + 1, len(uniforms) - 1)]"}, """
    The first number is skipped.
    The token at place i of the result is drawn with `uniforms[i]`, counted from 0. The start symbol takes no
    number.""")

wrong("numbers-from-the-end", {"uniforms[len(token_ids)]": "uniforms[-1 - len(token_ids)]"}, """
    The numbers are used from the last to the first.
    `pop()` takes the last of a list. The token at place i of the result is drawn with `uniforms[i]`.""")

wrong("goes-on", {" and token_ids[-1:] != (eos_id,)": ""}, """
    Drawing goes on after the end symbol.
    What a model says after the end means nothing: it has never seen anything there in training.""")

wrong("likeliest-end", {
    "token_ids += (":
        "if log_probs.argmax() == eos_id:\n            return (*token_ids, eos_id)\n        token_ids += (",
}, """
    The loop stops when the end symbol is the likeliest token.
    Only a token that has been drawn is part of the sequence. The end may be likely and not drawn.""")

wrong("end-left-out", {"return token_ids": "return token_ids[:-1] if token_ids[-1] == eos_id else token_ids"}, """
    The end symbol is left out of the result.
    As in `greedy_decode`, a finished sequence keeps its end symbol. That tells it from one that was cut off.""")

wrong("start-included", {"return token_ids": "return (bos_id, *token_ids)"}, """
    The start symbol is part of the result.
    The start symbol was given, not drawn. It belongs to the prefix only.""")

wrong("start-counted", {"< max_len": "< max_len - 1"}, """
    The start symbol is counted in max_len.
    Sequences that are cut off end one token early. Only what was drawn counts.""")

wrong("no-limit", {"< max_len": "< len(uniforms)"}, """
    The limit max_len is ignored, and the loop runs until the numbers are used up.
    There may be more numbers than tokens. At most `max_len` ids are drawn.""")

wrong("last-token-only", {"*token_ids)": "*token_ids[-1:])"}, """
    Only the last token is fed back to the model.
    The next token depends on everything before it. The model needs the whole prefix.""")

wrong("single-pass", {"[(bos_id, *token_ids)]": "[(bos_id,)]"}, """
    All tokens are drawn from the first distribution.
    Ask the model again after every token, with the prefix that has just grown.""")

wrong("likeliest", {"sample_token(softmax(logits), uniforms[len(token_ids)])": "int(np.argmax(logits))"}, """
    The likeliest token is taken at every step.
    That is greedy search. Here `sample_token` chooses, and the likeliest token only has the largest chance.""")

wrong.at(ORDER)
wrong("temperature-last", {
    "np.log(apply_temperature(log_probs, temperature))": "log_probs",
    "(softmax(logits)": "(apply_temperature(logits, temperature)",
}, """
    The filters come before the temperature.
    Top-p looks at probabilities, and the temperature changes them. Filtered first, a hot draw chooses among the few
    tokens that were enough at temperature 1.""")

wrong("top-p-first", {
    "top_k is not None": "top_p is not None",
    "top_k_filter(logits, top_k)": "top_p_filter(logits, top_p)",
    "top_p is not None": "top_k is not None",
    "top_p_filter(logits, top_p)": "top_k_filter(logits, top_k)",
}, """
    Top-p comes before top-k.
    Top-k changes the shares of those that stay, and top-p adds up shares. After top-k fewer tokens may be enough.""")

wrong("temperature-ignored", {"np.log(apply_temperature(log_probs, temperature))": "log_probs"}, """
    The temperature has no effect.
    Divide before the exponential. Dividing probabilities and normalising them again changes nothing.""")

wrong("top-k-ignored", {"top_k is not None": "False"}, """
    The argument top_k has no effect.
    A filter returns new logits and leaves the old ones alone. Go on with what it returns.""")

wrong("top-p-ignored", {"top_p is not None": "False"}, """
    The argument top_p has no effect.
    A filter returns new logits and leaves the old ones alone. Go on with what it returns.""")

wrong("one-filter-alone", {"if top_p is not None": "elif top_p is not None"}, """
    With top_k given, top_p is ignored.
    The two filters are not alternatives: top-p works on what top-k has left. Is there an `elif` between them, or is the
    result of top-p not the one that goes on?""")

wrong("top-p-alone", {"top_k is not None": "top_k is not None and top_p is None"}, """
    With top_p given, top_k is ignored.
    Top-p works on what top-k has left: hand it the logits that top-k returned, not those from before. Or is there an
    `elif` between the two filters?""")

wrong("probabilities-filtered",
      {"np.log(apply_temperature(log_probs, temperature))": "apply_temperature(log_probs, temperature)"}, """
    Probabilities take the place of logits, in the filters or in softmax.
    `apply_temperature` returns probabilities. Take their logarithm before you go on.""")

wrong("shares-left-small", {
    "sample_token(softmax(logits)":
        "sample_token(np.where(np.isfinite(logits), apply_temperature(log_probs, temperature), 0.0)",
}, """
    After the filters the probabilities no longer sum to 1.
    What was dropped leaves a hole at the end of the line, and every number that falls into it draws the last token.
    Softmax of the filtered logits shares the whole probability among those that stay.""")

wrong("divides-by-zero",
      {"np.log(apply_temperature(log_probs, temperature))": "log_probs / np.float64(temperature)"}, """
    A temperature of 0 divides by 0.
    Your `apply_temperature` handles this case: it gives probability 1 to the likeliest token.""")

wrong.at()
wrong("ends-at-1", {"(eos_id,)": "(1,)"}, """
    The id 1 is taken for the end symbol, whatever eos_id is.
    In our toy models the end has id 1, but other models number their tokens differently.""")

wrong("at-least-one-word",
      {"temperature))": "temperature))\n            logits[eos_id] = logits[eos_id] if token_ids else -np.inf"}, """
    The end symbol is never drawn first.
    It is a token like any other, and may be drawn at the beginning, too.""")

wrong("end-always-added",
      {"return token_ids": "return token_ids if token_ids[-1:] == (eos_id,) else (*token_ids, eos_id)"}, """
    The end symbol is put at the end even if it has not been drawn.
    Only what was drawn belongs to the result, so that a sequence that was cut off at max_len can be told.""")

wrong("end-lost-at-max-len", {
    "return token_ids": "return token_ids[:-1] if len(token_ids) == max_len and token_ids[-1] == eos_id else token_ids",
}, """
    An end symbol that takes the last of max_len places is lost.
    It was drawn, and there is room for it.""")

wrong.at(ORDER)
wrong("temperature-twice", {"(softmax(logits)": "(apply_temperature(logits, temperature)"}, """
    The logits are divided by the temperature twice: before the filters and once more at the end.
    What comes out of the filters has the temperature in it already. A softmax makes probabilities of it.""")

wrong("number-before", {"uniforms[len(token_ids)]": "uniforms[max(len(token_ids) - 1, 0)]"}, """
    The first number is used twice, and every later token is drawn with the number before its own.
    The token at place i of the result is drawn with `uniforms[i]`, counted from 0.""")
