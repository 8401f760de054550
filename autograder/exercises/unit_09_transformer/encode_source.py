"""Specification of `encode_source`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls, encode_source_mistakes, encode_source_stack_mistakes
from autograder.exercises.unit_09_transformer.inputs import (
    LONG,
    SOURCE,
    layer_by_layer,
    long_model,
    small_model,
    small_source,
    trained,
    trained_batch,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.encode_source,
    asks="the memory: embeddings times the root of d_model, plus positions, through all layers of the encoder.",
    returns=(Output("memory", "(B, n_source, d_model)"),),
    where=encode_source_stack_mistakes.STACK,
    calls=calls.ENCODE_SOURCE,
    mistakes=[*encode_source_mistakes.MISTAKES, *encode_source_stack_mistakes.MISTAKES],
)


@EXERCISE.claim(1.5)
def first_input(call, rng):
    """the input of the first layer: embeddings times the root of d_model, plus positions"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=0))
    call.agrees(*small_source(rng, (3, 3, 3)), small_model(rng, n_layers=0))
    call.agrees(*small_source(rng, (LONG,)), long_model(rng))


@EXERCISE.claim(1)
def one_layer(call, rng):
    """one layer of the encoder takes this input"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=1))


@EXERCISE.claim(1)
def stack(call, rng):
    """several layers follow each other, each with its own parameters"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=3))
    call.agrees(*small_source(rng, (4, 4, 4)), small_model(rng, n_layers=2))


@EXERCISE.claim(1)
def padding(call, rng):
    """padding is hidden: it does not move the memory of real words"""
    (source_ids, is_token), model = small_source(rng), small_model(rng, n_layers=1)
    shape = (*source_ids.shape, model.source_embedding.shape[1])
    others = rng.integers(4, len(SOURCE), source_ids.shape).astype(np.intp)
    other = np.where(is_token, source_ids, others)
    memory, changed = (call.array(shape, ids, is_token, model) for ids in (source_ids, other))
    leak = np.abs(changed - memory)[is_token].max()
    call.holds(leak < 1e-9, f"other words in the place of the padding move the memory of a real one by {leak:.3g}.")
    turned = np.where(np.arange(shape[1]) == 0, 4 + (source_ids - 3) % (len(SOURCE) - 4), source_ids)
    effect = np.abs(call.array(shape, turned, is_token, model) - memory)[:, 1].max()
    call.holds(effect > 1e-6, "another word in the first place does not move the memory of the second one.")
    plain, shown = (call.array(shape, ids, np.ones_like(is_token), model) for ids in (source_ids, other))
    effect = np.abs(shown - plain)[is_token].max()
    call.holds(effect > 1e-6, "where nothing is padding, later words do not move the memory of earlier ones.")
    nothing = np.zeros_like(is_token)
    alone, shown = (call.array(shape, ids, nothing, model)[:, 0] for ids in (source_ids, other))
    leak = np.abs(shown - alone).max()
    call.holds(leak < 1e-9, f"where all is padding, later places move the memory of the first one by {leak:.3g}.")


@EXERCISE.claim(1)
def trained_model(call, rng):
    """the trained encoder, layer by layer, on sentences of different lengths"""
    source_ids, is_token, _ = trained_batch(rng)
    layer_by_layer(call, "encoder", source_ids, is_token, model=trained())


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    (source_ids, is_token), model = small_source(rng), small_model(rng)
    call.leaves_inputs_alone(source_ids, is_token, model)
    call.agrees(source_ids, is_token, small_model(rng, n_layers=0))
