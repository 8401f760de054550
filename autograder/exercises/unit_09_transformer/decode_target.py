"""Specification of `decode_target`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls, decode_target_mistakes, decode_target_stack_mistakes
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    LONG,
    TARGET,
    layer_by_layer,
    long_model,
    small_model,
    small_target,
    trained,
    trained_batch,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.decode_target,
    asks="logits for every position: the target's vectors through all layers of the decoder, times the output matrix.",
    returns=(Output("logits", "(B, n_target, V)"),),
    where=decode_target_mistakes.STACK,
    calls=calls.DECODE_TARGET,
    mistakes=[*decode_target_mistakes.MISTAKES, *decode_target_stack_mistakes.MISTAKES],
)


def _given(rng, lengths=(4, 7), n_target=5):
    """Draw ids of the target, a memory, and where it has tokens."""
    is_token = np.arange(max(lengths)) < np.array(lengths)[:, None]
    memory = rng.standard_normal((*is_token.shape, D_MODEL))
    return small_target(rng, len(lengths), n_target), memory, is_token


@EXERCISE.claim(1.5)
def without_layers(call, rng):
    """without layers: embeddings, positions, and the same table again for the logits"""
    call.agrees(*_given(rng), small_model(rng, n_layers=0))
    call.agrees(*_given(rng, (6, 3, 6), 4), small_model(rng, n_layers=0))
    call.agrees(*_given(rng, (3,), LONG), long_model(rng))


@EXERCISE.claim(1)
def own_projection(call, rng):
    """uses the model's own output matrix where it has one"""
    call.agrees(*_given(rng), small_model(rng, n_layers=0, tied=False))


@EXERCISE.claim(1.5)
def stack(call, rng):
    """several layers follow each other, and all of them read the memory"""
    call.agrees(*_given(rng, (4, 4), 4), small_model(rng, n_layers=1))  # masks of one shape: those exchanged fit, too
    call.agrees(*_given(rng, (6, 6)), small_model(rng, n_layers=3))


@EXERCISE.claim(1)
def causal(call, rng):
    """is causal: later words do not move earlier logits"""
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


@EXERCISE.claim(0.5)
def padding(call, rng):
    """the padding of the source is hidden, even where there is nothing else"""
    (target_ids, memory, is_token), model = _given(rng, (4, 7, 0)), small_model(rng)
    shape, noise = (*target_ids.shape, len(TARGET)), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    before, hidden, visible = (
        call.array(shape, target_ids, changed, is_token, model)
        for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
    )
    leak = np.abs(hidden - before).max()
    call.holds(leak < 1e-9, f"changing the memory of the padding moves the logits by {leak:.3g}.")
    effect = np.abs(visible - before)[:2].max(axis=-1).min()
    call.holds(effect > 1e-6, "changing the memory of the first word does not move all logits.")
    plain, shown = (
        call.array(shape, target_ids, changed, np.ones_like(is_token), model)
        for changed in (memory, memory + noise * ~is_token[..., None])
    )
    call.holds(np.abs(shown - plain).max() > 1e-6, "where nothing is padding, the last words move no logits either.")


@EXERCISE.claim(1)
def trained_model(call, rng):
    """the trained decoder, layer by layer, on beginnings of translations"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    layer_by_layer(call, "decoder", target_ids, memory, is_token, model=model)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    given, model = _given(rng), small_model(rng)
    call.leaves_inputs_alone(*given, model)
    call.agrees(*given, small_model(rng, n_layers=0))
