"""Specification of `sample_decode`; models are tables from prefixes to probabilities, and 1 is the end."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls, sample_decode_end_mistakes, sample_decode_mistakes
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, agrees_renamed, endless_model, table
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.toy_models import random_model

EXERCISE = Exercise(
    reference=reference.sample_decode,
    asks="the sequence that results from drawing the next token at every step.",
    returns=(Output("token_ids"),),
    where=sample_decode_mistakes.SECTION,
    calls=calls.SAMPLE_DECODE,
    mistakes=[*sample_decode_mistakes.MISTAKES, *sample_decode_end_mistakes.MISTAKES],
    hands=HANDS,
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
    agrees(call, random_model(rng, 6), 0, 1, 5, rng.random(5), float(rng.uniform(1.5, 2.5)), 4, 0.7)


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
    agrees(call, random_model(rng, 6), 0, 1, 5, rng.random(5), 0.0, 3, 0.6)


@EXERCISE.claim(0.25)
def other_ids(call, rng):
    """takes bos_id and eos_id from its arguments"""
    chain = {(): {0: 0.6, 1: 0.4}, (0,): {1: 0.7, 3: 0.3}, (0, 1): {3: 0.6, 0: 0.4}}
    model = table(chain | {(1,): chain[0, 1]}, otherwise={0: 1.0}, bos_id=2)
    for uniforms in ([0.3, 0.4, 0.2, 0.5], [0.8, 0.9, 0.1, 0.5]):
        agrees_renamed(call, rng, model, 2, 3, 4, uniforms)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    model = table({}, otherwise={3: 0.5, 4: 0.5})
    for temperature in (1.0, 0.0):
        call.leaves_inputs_alone(model, 0, 1, 4, rng.random(6), temperature, 2, 0.9)
    agrees(call, model, 0, 1, 4, [0.3, 0.8, 0.6, 0.1])
