"""Multiplications with weight matrices are counted, in whatever style the products are written."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import make_vocabulary
from transformer_kit.experiments.multiplications import count_multiplications
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.parameters.cache import start_cache

SIZES = Sizes(d_model=6, n_heads=3, d_ff=5, n_layers=2)
SOURCE, TARGET = make_vocabulary(["abcdefg"]), make_vocabulary(["uvwxyz12"])
MODEL = init_model(np.random.default_rng(1), SOURCE, TARGET, SIZES, noise=0.2)
IDS, IS_TOKEN = np.array([[5, 8, 9, 10]]), np.ones((1, 4), dtype=bool)
D, D_FF, V = 6, 5, len(TARGET)


def test_the_encoder():
    count, memory = count_multiplications(reference.encode_source, IDS, IS_TOKEN, MODEL)
    assert count == 2 * 4 * (4 * D**2 + 2 * D * D_FF)
    np.testing.assert_array_equal(memory, reference.encode_source(IDS, IS_TOKEN, MODEL))
    assert type(memory) is np.ndarray


def test_decoding_with_and_without_a_cache():
    memory = reference.encode_source(IDS, IS_TOKEN, MODEL)
    written = np.array([[2, 7, 4, 9, 5]])
    cache = start_cache(memory, MODEL, reference.project_memory)
    for t in range(5):
        whole, logits = count_multiplications(reference.decode_target, written[:, : t + 1], memory, IS_TOKEN, MODEL)
        per_token = 2 * (6 * D**2 + 2 * D * D_FF) + D * V
        assert whole == (t + 1) * per_token + 2 * 4 * 2 * D**2  # and keys and values of the memory
        step = reference.cached_decode_step
        count, (last, cache) = count_multiplications(step, written[:, t], cache, IS_TOKEN, MODEL)
        assert count == per_token
        np.testing.assert_allclose(last, logits[:, -1], atol=1e-12)


STYLES = {
    "operator": lambda X, W: X @ W,
    "matmul": np.matmul,
    "dot": np.dot,
    "einsum": lambda X, W: np.einsum("bnd, dk -> bnk", X, W),
    "einsum with dots": lambda X, W: np.einsum("...d,dk->...k", X, W),
    "transposed": lambda X, W: (W.T @ X.swapaxes(1, 2)).swapaxes(1, 2),
    "head by head": lambda X, W: np.concatenate([X @ part for part in np.split(W, 2, axis=1)], axis=-1),
    "row by row": lambda X, W: np.array([[row @ W for row in x] for x in X]),
}


@pytest.mark.parametrize("style", STYLES)
def test_styles(style):
    X, W = np.random.default_rng(2).standard_normal((3, 7, 6)), MODEL.encoder[0].attention.W_Q
    product = STYLES[style]
    count, result = count_multiplications(lambda model: product(X, model.encoder[0].attention.W_Q), MODEL)
    np.testing.assert_allclose(result, X @ W, rtol=1e-12, atol=1e-15)
    assert count == 3 * 7 * 6 * 6


def test_what_takes_no_parameter_is_not_counted():
    def scores(model):
        X = np.ones((4, 6)) @ model.encoder[0].attention.W_Q
        return X @ X.T + model.encoder[0].ffn.b_1.sum()

    count, _ = count_multiplications(scores, MODEL)
    assert count == 4 * 6 * 6
    assert count_multiplications(len, (1, 2, 3)) == (0, 3)
