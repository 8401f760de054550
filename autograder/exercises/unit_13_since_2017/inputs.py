"""What the claims of this unit share: blocks and decoders in which no two parts are alike, and caches."""

import numpy as np

from transformer_kit.parameters import KeysAndValues, init_modern_block, init_modern_decoder

D_MODEL, N_HEADS, N_KV_HEADS, D_FF, VOCAB_SIZE = 24, 6, 2, 10, 17
D_K = D_MODEL // N_HEADS
BASE, EPS = 50.0, 0.1


def vectors(rng, *leading, n=5):
    return rng.standard_normal((*leading, n, D_MODEL))


def block(rng, n_kv_heads=N_KV_HEADS):
    """Draw the parameters of one block."""
    return init_modern_block(rng, D_MODEL, N_HEADS, n_kv_heads, D_FF, noise=0.3)


def some_cache(rng, *leading, n_before=3, n_kv_heads=N_KV_HEADS):
    """Draw the keys and values of some earlier tokens."""
    shape = (*leading, n_kv_heads, n_before, D_K)
    return KeysAndValues(rng.standard_normal(shape), rng.standard_normal(shape))


def small_decoder(rng, n_blocks=2):
    """Draw a decoder whose logits differ by a few units."""
    sizes = (VOCAB_SIZE, D_MODEL, N_HEADS, N_KV_HEADS, D_FF, n_blocks)
    model = init_modern_decoder(rng, *sizes, noise=0.3)
    return model._replace(embedding=3 * model.embedding, base=BASE, eps=EPS)


def some_ids(rng, n):
    return rng.integers(0, VOCAB_SIZE, n).astype(np.intp)
