"""Specification of `encode_source`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_09_transformer.encode_source_mistakes import MISTAKES, STACK
from autograder.exercises.unit_09_transformer.inputs import (
    SOURCE,
    layer_by_layer,
    leaves_inputs_alone,
    small_model,
    small_source,
    trained,
    trained_batch,
)
from transformer_kit import reference


def _first_input(call, rng):
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=0))
    call.agrees(*small_source(rng, (3, 3, 3)), small_model(rng, n_layers=0))


def _one_layer(call, rng):
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=1))


def _stack(call, rng):
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=3))
    call.agrees(*small_source(rng, (4, 4, 4)), small_model(rng, n_layers=2))


def _padding(call, rng):
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


def _trained(call, rng):
    source_ids, is_token, _ = trained_batch(rng)
    layer_by_layer(call, "encoder", source_ids, is_token, model=trained())


def _inputs(call, rng):
    (source_ids, is_token), model = small_source(rng), small_model(rng)
    shape = (*source_ids.shape, model.source_embedding.shape[1])
    memory = leaves_inputs_alone(call, shape, source_ids, is_token, model)
    alone = reference.embed(source_ids, model.source_embedding)
    call.holds(not np.allclose(memory, alone), "the result is the embeddings: nothing was computed.")


EXERCISE = Exercise(
    reference=reference.encode_source,
    asks="the memory: embeddings times the root of d_model, plus positions, through all layers of the encoder.",
    returns=(Returned("memory", "(B, n_source, d_model)"),),
    where=STACK,
    claims=(
        Claim("the input of the first layer: embeddings times the root of d_model, plus positions", 2, _first_input),
        Claim("one layer of the encoder takes this input", 1.5, _one_layer),
        Claim("several layers follow each other, each with its own parameters", 1.5, _stack),
        Claim("padding is hidden: it does not move the memory of real words", 1, _padding),
        Claim("the trained encoder, layer by layer, on sentences of different lengths", 1.5, _trained),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
