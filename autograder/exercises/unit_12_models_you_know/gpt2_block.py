"""Specification of `gpt2_block`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_12_models_you_know import calls, gpt2_block_gelu_mistakes, gpt2_block_mistakes
from autograder.exercises.unit_12_models_you_know.inputs import D_MODEL, N_HEADS, biased_layer
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.gpt2_block,
    asks="one layer of GPT-2: to X add attention to the normed X, then add the network of the normed sum.",
    returns=(Output("output", "(..., n, d_model)"),),
    where=gpt2_block_mistakes.SECTION,
    calls=calls.GPT2_BLOCK,
    mistakes=[*gpt2_block_mistakes.MISTAKES, *gpt2_block_gelu_mistakes.MISTAKES],
)


def _vectors(rng, *leading, n=5):
    return rng.standard_normal((*leading, n, D_MODEL))


def _attention_alone(layer):
    """Return a layer whose network adds nothing."""
    return layer._replace(ffn=layer.ffn._replace(W_2=np.zeros_like(layer.ffn.W_2), b_2=np.zeros(D_MODEL)))


def _network_alone(layer):
    """Return a layer whose attention adds nothing."""
    silent = layer.attention._replace(W_O=np.zeros_like(layer.attention.W_O), b_O=np.zeros(D_MODEL))
    return layer._replace(attention=silent)


@EXERCISE.claim(1)
def attention_half(call, rng):
    """the attention sees the normed vectors, and is added to those that came in"""
    call.agrees(_vectors(rng), _attention_alone(biased_layer(rng)), N_HEADS)
    small = 0.02 * _vectors(rng, n=4)  # where eps matters
    call.agrees(small, _attention_alone(biased_layer(rng)), N_HEADS)


@EXERCISE.claim(1.5)
def network_half(call, rng):
    """the network sees the normed vectors, has the GELU with tanh, and is added to what came in"""
    call.agrees(_vectors(rng), _network_alone(biased_layer(rng)), N_HEADS)
    call.agrees(_vectors(rng, n=7), _network_alone(biased_layer(rng)), N_HEADS)


@EXERCISE.claim(1)
def whole(call, rng):
    """the attention comes first, then the network, with one mask for all heads"""
    call.agrees(_vectors(rng), biased_layer(rng), N_HEADS)
    call.agrees(_vectors(rng), biased_layer(rng), N_HEADS, random_mask(rng, 5, 5))
    call.agrees(_vectors(rng, n=6), biased_layer(rng), N_HEADS, np.tri(6, dtype=bool))
    call.agrees(_vectors(rng, 2), biased_layer(rng), N_HEADS, random_mask(rng, 2, 1, 5))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone; takes any leading axes, and float32"""
    X, layer = _vectors(rng), biased_layer(rng)
    call.leaves_inputs_alone(X, layer, N_HEADS, random_mask(rng, 5, 5))
    call.agrees(X, layer, N_HEADS)
    with judged():
        call.agrees(_vectors(rng, 2, 3), layer, N_HEADS)
        call.agrees(X.astype(np.float32), type(layer)(*map(in_float32, layer)), N_HEADS)
