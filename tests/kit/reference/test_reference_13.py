"""The reference of unit 13 against numbers by hand, loops, and functions of earlier units."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.parameters import KeysAndValues, empty_cache, init_modern_block, init_modern_decoder

RNG = np.random.default_rng(13)
D_MODEL, H, KV, D_FF, BASE, EPS = 24, 6, 2, 10, 50.0, 0.1
BLOCK = init_modern_block(RNG, D_MODEL, H, KV, D_FF, noise=0.3)
NOTHING = KeysAndValues(np.zeros((KV, 0, 4)), np.zeros((KV, 0, 4)))
MODEL = init_modern_decoder(RNG, 11, D_MODEL, H, KV, D_FF, 3, noise=0.3)._replace(base=BASE, eps=EPS)


def test_rotate_by_hand():
    X, positions = np.array([[1.0, 0.0, 3.0, 4.0], [1.0, 0.0, 3.0, 4.0]]), np.array([0, 1])
    slow = 0.01  # the frequency of the second pair
    expected = [np.cos(1), np.sin(1), 3 * np.cos(slow) - 4 * np.sin(slow), 3 * np.sin(slow) + 4 * np.cos(slow)]
    np.testing.assert_allclose(reference.rotate(X, positions), [X[0], expected], rtol=1e-12)


def test_rotate_is_the_shift_matrix_of_unit_01():
    X = RNG.standard_normal((3, 10))
    for x, turned, p in zip(X, reference.rotate(X, [4, 0, 7], BASE), (4, 0, 7), strict=True):
        np.testing.assert_allclose(turned, x @ reference.shift_matrix(p, 10, BASE), atol=1e-12)


@pytest.mark.parametrize("far", [0, 1000, 100_000])
def test_a_rotated_product_depends_on_distance(far):
    q, k = RNG.standard_normal((2, 64))
    turned = reference.rotate(np.stack([q, k]), np.array([far + 3, far]), 100_000.0)
    near = reference.rotate(np.stack([q, k]), np.array([3, 0]), 100_000.0)
    assert turned[0] @ turned[1] == pytest.approx(near[0] @ near[1], abs=1e-8)


def test_rotate_keeps_precision_and_refuses_odd_widths():
    assert reference.rotate(np.ones((3, 4), np.float32), np.arange(3)).dtype == np.float32
    with pytest.raises(ValueError, match="7"):
        reference.rotate(np.ones((3, 7)), np.arange(3))


def test_share_heads_by_hand():
    X = np.arange(12.0).reshape(2, 3, 2)
    np.testing.assert_array_equal(reference.share_heads(X, 6), X[[0, 0, 0, 1, 1, 1]])
    np.testing.assert_array_equal(reference.share_heads(X, 2), X)
    with pytest.raises(ValueError, match=r"5 heads.* 2"):
        reference.share_heads(X, 5)


def test_grouped_attention_head_by_head():
    """Each head by itself, token by token, with the sums written out."""
    X, (W_Q, W_K, W_V, W_O) = RNG.standard_normal((5, D_MODEL)), BLOCK.attention
    expected = np.zeros((5, D_MODEL))
    for head in range(H):
        mine, theirs = slice(4 * head, 4 * head + 4), slice(4 * (head // 3), 4 * (head // 3) + 4)
        Q, K = (reference.rotate(X @ W, np.arange(5), BASE) for W in (W_Q[:, mine], W_K[:, theirs]))
        for i in range(5):
            weights = np.exp(Q[i] @ K[: i + 1].T / 2)
            blend = weights / weights.sum() @ (X @ W_V[:, theirs])[: i + 1]
            expected[i] += blend @ W_O[mine]
    output, weights, cache = reference.grouped_attention(X, BLOCK.attention, H, KV, BASE, NOTHING)
    np.testing.assert_allclose(output, expected, rtol=1e-10)
    assert (weights.shape, cache.K.shape, cache.V.shape) == ((H, 5, 5), (KV, 5, 4), (KV, 5, 4))


def test_one_token_alone_is_multi_head_attention():
    """At position 0 nothing turns, and with as many heads of keys nothing is shared."""
    X, block = RNG.standard_normal((1, D_MODEL)), init_modern_block(RNG, D_MODEL, H, H, D_FF)
    cache = KeysAndValues(*np.zeros((2, H, 0, 4)))
    output, _, _ = reference.grouped_attention(X, block.attention, H, H, BASE, cache)
    np.testing.assert_allclose(output, reference.multi_head_attention(X, X, block.attention, H)[0], rtol=1e-10)


@pytest.mark.parametrize("cut", [1, 2, 4])
def test_a_block_reads_the_same_in_two_parts(cut):
    X, sizes = RNG.standard_normal((2, 5, D_MODEL)), (H, KV, BASE, EPS)
    nothing = KeysAndValues(*np.zeros((2, 2, KV, 0, 4)))
    whole, weights, kept = reference.modern_block(X, BLOCK, *sizes, nothing)
    first, _, cache = reference.modern_block(X[:, :cut], BLOCK, *sizes, nothing)
    second, later, cache = reference.modern_block(X[:, cut:], BLOCK, *sizes, cache)
    np.testing.assert_allclose(np.concatenate([first, second], axis=1), whole, rtol=1e-9)
    np.testing.assert_allclose(later, weights[:, :, cut:], rtol=1e-9)
    np.testing.assert_allclose(cache.K, kept.K, rtol=1e-9)


def test_a_block_that_adds_nothing():
    silent = BLOCK._replace(attention=BLOCK.attention._replace(W_O=np.zeros((D_MODEL, D_MODEL))))
    X = RNG.standard_normal((3, D_MODEL))
    got, _, _ = reference.modern_block(X, silent, H, KV, BASE, EPS, NOTHING)
    np.testing.assert_allclose(got, X + reference.swiglu(reference.rms_norm(X, BLOCK.norm_2, EPS), *BLOCK.ffn))


def test_read_on_without_blocks_by_hand():
    model = MODEL._replace(embedding=np.array([[1.0, 1.0], [3.0, -3.0]]), blocks=(), norm=np.ones(2), eps=0.0)
    logits, cache = reference.read_on(np.array([0, 1]), model, ())
    np.testing.assert_allclose(logits, [0, 6])
    assert cache == ()


def test_write_takes_up_what_it_has_written():
    """Every token is the likeliest after all before it, read anew without a cache."""
    text = [3, 1, 4]
    written = reference.write(text, MODEL, np.argmax, (), 5)
    for token in written:
        logits, _ = reference.read_on(np.array(text), MODEL, empty_cache(MODEL))
        assert token == logits.argmax()
        text.append(token)
    assert reference.write([3, 1, 4], MODEL, np.argmax, (written[0],), 5) == ()
    assert reference.write([3, 1, 4], MODEL, lambda logits: 7, (8,), 3) == (7, 7, 7)


def test_dequantised_by_hand():
    packed = np.zeros((2, 16), np.uint8)
    packed[0, :2], packed[1, 15] = (0x21, 0x43), 0xF0
    got = reference.dequantised(np.array([0.5, 2], np.float16), np.array([-1, 10], np.float16), packed)
    expected = np.full((2, 32), [[-1.0], [10.0]])
    expected[0, [0, 1, 16, 17]], expected[1, 31] = (-0.5, 0.5, 0, 1), 40
    np.testing.assert_array_equal(got, expected)
    assert got.dtype == np.float32


def test_dequantised_does_not_overflow():
    got = reference.dequantised(
        np.array([60000], np.float16), np.array([0], np.float16), np.full((1, 16), 255, np.uint8)
    )
    assert got.max() == 15 * np.float32(np.float16(60000))


def test_chat_prompt_by_hand():
    said = reference.chat_prompt([("user", "Hi"), ("assistant", "Yes?"), ("user", "No.")], "Be brief.")
    assert said.split("\n") == [
        "<|im_start|>system", "Be brief.<|im_end|>", "<|im_start|>user", "Hi<|im_end|>", "<|im_start|>assistant",
        "Yes?<|im_end|>", "<|im_start|>user", "No.<|im_end|>", "<|im_start|>assistant", "",
    ]  # fmt: skip


def test_quantised_by_hand():
    """A block that holds every level of a ruler from -1 to 6.5 twice has no error, and bytes of two equal halves."""
    block = np.tile(np.arange(16) / 2 - 1, 2)[None].astype(np.float32)
    scales, smallest, packed = reference.quantised(block)
    np.testing.assert_array_equal(scales, np.array([0.5], np.float16), strict=True)
    np.testing.assert_array_equal(smallest, np.array([-1], np.float16), strict=True)
    np.testing.assert_array_equal(packed, np.arange(16, dtype=np.uint8)[None] * 17, strict=True)
    np.testing.assert_array_equal(reference.dequantised(scales, smallest, packed), block, strict=True)
