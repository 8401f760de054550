"""Specification of `decode_target`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_09_transformer.decode_target_mistakes import MISTAKES, STACK
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    TARGET,
    layer_by_layer,
    leaves_inputs_alone,
    small_model,
    small_target,
    trained,
    trained_batch,
)
from transformer_kit import reference


def _given(rng, lengths=(4, 7), n_target=5):
    """Draw ids of the target, a memory, and where it has tokens."""
    is_token = np.arange(max(lengths)) < np.array(lengths)[:, None]
    memory = rng.standard_normal((*is_token.shape, D_MODEL))
    return small_target(rng, len(lengths), n_target), memory, is_token


def _without_layers(call, rng):
    call.agrees(*_given(rng), small_model(rng, n_layers=0))
    call.agrees(*_given(rng, (6, 3, 6), 4), small_model(rng, n_layers=0))


def _own_projection(call, rng):
    call.agrees(*_given(rng), small_model(rng, n_layers=0, tied=False))


def _stack(call, rng):
    call.agrees(*_given(rng, (4, 4), 4), small_model(rng, n_layers=1))  # masks of one shape: those exchanged fit, too
    call.agrees(*_given(rng, (6, 6)), small_model(rng, n_layers=3))


def _causal(call, rng):
    (target_ids, memory, is_token), model = _given(rng, (6, 6)), small_model(rng)
    n, shape = target_ids.shape[1], (*target_ids.shape, len(TARGET))
    turned = 4 + (target_ids - 3) % (len(TARGET) - 4)  # other words everywhere

    def logits(changed):
        return call.array(shape, np.where(changed, turned, target_ids), memory, is_token, model)

    before, late, early = logits(np.zeros(n, bool)), logits(np.arange(n) > 2), logits(np.arange(n) == 1)
    leak = np.abs(late - before)[:, :3].max()
    call.holds(leak < 1e-9, f"other words from position 3 on move earlier logits by {leak:.3g}.")
    effect = np.abs(early - before)[:, 1:].max(axis=(0, 2)).min()
    call.holds(effect > 1e-6, "another word at position 1 does not move the logits of every position from 1 on.")


def _padding(call, rng):
    (target_ids, memory, is_token), model = _given(rng), small_model(rng)
    shape, noise = (*target_ids.shape, len(TARGET)), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    before, hidden, visible = (
        call.array(shape, target_ids, changed, is_token, model)
        for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
    )
    leak = np.abs(hidden - before).max()
    call.holds(leak < 1e-9, f"changing the memory of the padding moves the logits by {leak:.3g}.")
    effect = np.abs(visible - before).max(axis=-1).min()
    call.holds(effect > 1e-6, "changing the memory of the first word does not move all logits.")


def _trained(call, rng):
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    layer_by_layer(call, "decoder", target_ids, memory, is_token, model=model)


def _inputs(call, rng):
    given, model = _given(rng), small_model(rng)
    leaves_inputs_alone(call, (*given[0].shape, len(TARGET)), *given, model)


EXERCISE = Exercise(
    reference=reference.decode_target,
    asks="logits for every position: the target's vectors through all layers of the decoder, times the output matrix.",
    returns=(Returned("logits", "(B, n_target, V)"),),
    where=STACK,
    claims=(
        Claim("without layers: embeddings, positions, and the same table again for the logits", 1.5, _without_layers),
        Claim("uses the model's own output matrix where it has one", 1, _own_projection),
        Claim("several layers follow each other, and all of them read the memory", 1.5, _stack),
        Claim("is causal: later words do not move earlier logits", 1, _causal),
        Claim("the padding of the source is hidden", 1, _padding),
        Claim("the trained decoder, layer by layer, on beginnings of translations", 1.5, _trained),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
