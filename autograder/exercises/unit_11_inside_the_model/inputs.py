"""What the claims of this unit share: small models, drawn by chance."""

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import DecoderOnly, init_encoder_layer

VOCAB_SIZE, D_MODEL, N_HEADS, D_FF = 11, 12, 3, 20


def small_model(rng, n_layers=2):
    """Draw a stack of layers with few numbers, in which no two parts are alike."""
    embedding = rng.normal(scale=D_MODEL**-0.5, size=(VOCAB_SIZE, D_MODEL))
    layers = tuple(init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3) for _ in range(n_layers))
    return DecoderOnly(embedding, layers, N_HEADS)


def small_texts(rng, batch=2, n=5):
    """Draw the token ids of a few texts."""
    return rng.integers(0, VOCAB_SIZE, (batch, n)).astype(np.intp)


def attention_weights(rng, *shape, causal=False):
    """Draw weights whose rows sum to 1; the last two of the axes are of the same length."""
    scores = 1.5 * rng.standard_normal(shape)
    if causal:
        scores = np.where(np.tri(shape[-1], dtype=bool), scores, -np.inf)
    return reference.softmax(scores)
