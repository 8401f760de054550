"""Specification of `next_token_logits`."""

import numpy as np

from autograder.exercises.unit_11_inside_the_model import calls, next_token_logits_mistakes
from autograder.exercises.unit_11_inside_the_model.inputs import VOCAB_SIZE, small_model, small_texts
from autograder.specification import Exercise, Output
from transformer_kit import reference

LONG = 600  # tokens: more than a table of positions that is made once and for all has rows

EXERCISE = Exercise(
    reference=reference.next_token_logits,
    asks="logits for every position: embeddings and positions, through causal layers, times the table transposed.",
    returns=(Output("logits", "(B, n, V)"),),
    where=next_token_logits_mistakes.SECTION,
    calls=calls.NEXT_TOKEN_LOGITS,
    mistakes=next_token_logits_mistakes.MISTAKES,
)


@EXERCISE.claim(1)
def without_layers(call, rng):
    """without layers: embeddings times the root of d_model, positions, and the same table for the logits"""
    call.agrees(small_texts(rng), small_model(rng, n_layers=0))
    call.agrees(small_texts(rng, 3, 4), small_model(rng, n_layers=0))
    call.agrees(small_texts(rng, 1, LONG), small_model(rng, n_layers=0))


@EXERCISE.claim(1.5)
def stack(call, rng):
    """the layers follow each other, each with its own parameters"""
    call.agrees(small_texts(rng), small_model(rng, n_layers=1))
    call.agrees(small_texts(rng, 3, 4), small_model(rng, n_layers=3))


@EXERCISE.claim(1)
def causal(call, rng):
    """is causal: later tokens do not move earlier logits"""
    token_ids, model = small_texts(rng, n=6), small_model(rng)
    n, shape = token_ids.shape[1], (*token_ids.shape, VOCAB_SIZE)
    turned = (token_ids + 1) % VOCAB_SIZE  # other tokens everywhere

    def logits(changed):
        return call.array(shape, np.where(changed, turned, token_ids), model)

    before, late, early = logits(np.zeros(n, bool)), logits(np.arange(n) > 2), logits(np.arange(n) == 1)
    leak = np.abs(late - before)[:, :3].max()
    call.holds(leak < 1e-9, f"other tokens from position 3 on move earlier logits by {leak:.3g}.")
    effect = np.abs(early - before)[:, 1:].max(axis=(0, 2)).min()
    call.holds(effect > 1e-6, "another token at position 1 does not move the logits of every position from 1 on.")


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    token_ids = small_texts(rng)
    call.leaves_inputs_alone(token_ids, small_model(rng))
    call.agrees(token_ids, small_model(rng, n_layers=0))
