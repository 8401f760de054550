"""Specification of `cached_decode_step`."""

import numpy as np

from autograder.exercises.unit_09_transformer import (
    cached_decode_step_cache_mistakes,
    cached_decode_step_layer_mistakes,
    cached_decode_step_mistakes,
    cached_decode_step_norm_mistakes,
    cached_decode_step_slip_mistakes,
)
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    LONG,
    N_HEADS,
    TARGET,
    small_model,
    trained,
    trained_batch,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import LayerCache
from transformer_kit.parameters.cache import start_cache

D_K = D_MODEL // N_HEADS

EXERCISE = Exercise(
    reference=reference.cached_decode_step,
    asks="the logits for the next token from the newest one and the cache, and the cache with the newest one in it.",
    returns=(Output("logits", "(B, V)"), Output("cache")),
    where=cached_decode_step_mistakes.STEP,
    mistakes=[
        *cached_decode_step_mistakes.MISTAKES,
        *cached_decode_step_cache_mistakes.MISTAKES,
        *cached_decode_step_layer_mistakes.MISTAKES,
        *cached_decode_step_slip_mistakes.MISTAKES,
        *cached_decode_step_norm_mistakes.MISTAKES,
    ],
    may_be_view=True,
)


def _given(rng, model, lengths=(6, 6), n_before=3):
    """Draw the newest tokens, a cache in which no two numbers are alike, and where the source has tokens."""
    batch, n_source = len(lengths), max(lengths)
    shapes = [(batch, N_HEADS, n, D_K) for n in (n_before, n_before, n_source, n_source)]
    cache = tuple(LayerCache(*(rng.standard_normal(shape) for shape in shapes)) for _ in model.decoder)
    is_token = np.arange(n_source) < np.array(lengths)[:, None]
    return rng.integers(4, len(TARGET), batch).astype(np.intp), cache, is_token


@EXERCISE.claim(2.5)
def logits(call, rng):
    """the logits are made of the newest token and of what the cache holds"""
    for n_before, n_layers in ((4, 3), (0, 2)):
        model = small_model(rng, n_layers)
        call.agrees_in(0, *_given(rng, model, n_before=n_before), model)
    for n_before in (3, LONG - 1):
        model = small_model(rng, 1, tied=False)._replace(max_len=LONG)
        call.agrees_in(0, *_given(rng, model, n_before=n_before), model)


@EXERCISE.claim(1.5)
def cache(call, rng):
    """the cache returned has the newest token's keys and values at its end"""
    model = small_model(rng)._replace(max_len=LONG)
    for lengths, n_before in (((6, 6), 0), ((5, 5, 5), 4), ((3,), 150)):
        call.agrees_in(1, *_given(rng, model, lengths, n_before), model)


@EXERCISE.claim(0.5, side=True)
def old_cache(call, rng):
    """the old cache is as it was"""
    model = small_model(rng, 1)
    args = *_given(rng, model), model
    call.leaves_inputs_alone(*args)
    call.agrees_in(1, *args)


def _array(call, token_ids, *args):
    return call.is_array(call.results(token_ids, *args)[0], (len(token_ids), len(TARGET)), name="logits")


@EXERCISE.claim(1)
def padding(call, rng):
    """the padding of the source is hidden"""
    model = small_model(rng)
    token_ids, cache, is_token = _given(rng, model, (4, 7))
    hidden = rng.standard_normal((2, N_HEADS, 7, D_K)) * ~is_token[:, None, :, None]
    changed = tuple(c._replace(K_source=c.K_source + hidden, V_source=c.V_source + hidden) for c in cache)
    before, after = (_array(call, token_ids, c, is_token, model) for c in (cache, changed))
    leak = np.abs(after - before).max()
    call.holds(
        leak < 1e-9, f"other keys and values in the place of the source's padding move the logits by {leak:.3g}."
    )
    other = tuple(c._replace(V_source=c.V_source[:, :, ::-1]) for c in cache)
    effect = np.abs(_array(call, token_ids, other, is_token, model) - before).max(axis=1).min()
    call.holds(effect > 1e-6, "other values of the source do not move the logits.")
    plain, shown = (_array(call, token_ids, c, np.ones_like(is_token), model) for c in (cache, changed))
    call.holds(np.abs(shown - plain).max() > 1e-6, "where nothing is padding, the last words move no logits either.")


@EXERCISE.claim(1.5)
def sentence(call, rng):
    """token by token, the trained model says what it says about the whole prefix"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    expected = reference.decode_target(target_ids, memory, is_token, model)
    cache = start_cache(memory, model, reference.project_memory)
    for step, newest in enumerate(target_ids.T):
        logits, cache = call.results(newest, cache, is_token, model)
        call.equals(logits, expected[:, step], call.exercise.returns[0], (expected,))
