"""Specification of `cached_decode_step`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import MISTAKES, STEP
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    N_HEADS,
    TARGET,
    small_model,
    trained,
    trained_batch,
)
from transformer_kit import reference
from transformer_kit.cache import start_cache
from transformer_kit.parameters import LayerCache

D_K = D_MODEL // N_HEADS


def _given(rng, model, lengths=(6, 6), n_before=3):
    """Draw the newest tokens, a cache in which no two numbers are alike, and where the source has tokens."""
    batch, n_source = len(lengths), max(lengths)
    shapes = [(batch, N_HEADS, n, D_K) for n in (n_before, n_before, n_source, n_source)]
    cache = tuple(LayerCache(*(rng.standard_normal(shape) for shape in shapes)) for _ in model.decoder)
    is_token = np.arange(n_source) < np.array(lengths)[:, None]
    return rng.integers(4, len(TARGET), batch).astype(np.intp), cache, is_token


def _logits(call, rng):
    for n_before, n_layers in ((4, 3), (0, 2)):
        model = small_model(rng, n_layers)
        call.agrees_in(0, *_given(rng, model, n_before=n_before), model)
    model = small_model(rng, 1, tied=False)
    call.agrees_in(0, *_given(rng, model), model)


def _cache(call, rng):
    model = small_model(rng)
    for lengths, n_before in (((6, 6), 0), ((5, 5, 5), 4)):
        args = *_given(rng, model, lengths, n_before), model
        call.agrees_in(1, *args)
        call.leaves_inputs_alone(*args)


def _padding(call, rng):
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


def _array(call, token_ids, *args):
    return call.is_array(call.results(token_ids, *args)[0], (len(token_ids), len(TARGET)), name="logits")


def _sentence(call, rng):
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    expected = reference.decode_target(target_ids, memory, is_token, model)
    cache = start_cache(memory, model, reference.project_memory)
    for step, newest in enumerate(target_ids.T):
        logits, cache = call.results(newest, cache, is_token, model)
        call.equals(logits, expected[:, step], call.exercise.returns[0], (expected,))


EXERCISE = Exercise(
    reference=reference.cached_decode_step,
    asks="the logits for the next token out of the newest one and the cache, and the cache with the newest one in it.",
    returns=(Returned("logits", "(B, V)"), Returned("cache")),
    where=STEP,
    may_be_view=True,  # the source's keys and values are handed on
    claims=(
        Claim("the logits are made of the newest token and of what the cache holds", 1.5, _logits),
        Claim(
            "the cache returned has the newest token's keys and values at its end; the old one is as it was", 1, _cache
        ),
        Claim("the padding of the source is hidden", 0.5, _padding),
        Claim("token by token, the trained model says what it says about the whole prefix", 1, _sentence),
    ),
    mistakes=MISTAKES,
)
