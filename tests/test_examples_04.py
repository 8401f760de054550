"""The worked examples of unit 04: right numbers are right, printed ones wrong where the text says so."""

import numpy as np
from numpy.testing import assert_allclose

from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND, PRINTED_LAYER, WIDE_HEADS

EXACT = {"rtol": 0, "atol": 1e-12}
THREE_DECIMALS = {"rtol": 0, "atol": 5e-4}


def test_by_hand():
    output, weights = reference.multi_head_attention(BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    assert_allclose(weights, BY_HAND.weights, **EXACT)
    assert_allclose(output, BY_HAND.output, **EXACT)
    values = reference.split_heads(BY_HAND.X_memory @ BY_HAND.params.W_V, BY_HAND.n_heads)
    assert_allclose((weights @ values)[..., 0], BY_HAND.heads, **EXACT)


def test_the_right_product_of_the_printed_layer():
    assert_allclose(PRINTED_LAYER.concat @ PRINTED_LAYER.W_O, PRINTED_LAYER.output, **EXACT)


def test_every_entry_of_the_printed_product_is_wrong():
    assert np.abs(PRINTED_LAYER.printed_output - PRINTED_LAYER.output).min() > 0.05


def test_one_printed_entry_comes_from_two_exchanged_numbers():
    """The second column of W_O with its rows 1 and 2 exchanged gives the printed 2.032."""
    column = PRINTED_LAYER.W_O[[0, 2, 1, 3], 1]
    assert_allclose(PRINTED_LAYER.concat[0] @ column, PRINTED_LAYER.printed_output[0, 1], **THREE_DECIMALS)
    assert abs(PRINTED_LAYER.concat[1] @ column - PRINTED_LAYER.printed_output[1, 1]) > 0.005


def test_the_printed_layer_does_not_keep_its_width():
    n_heads, d_v = PRINTED_LAYER.n_heads, PRINTED_LAYER.concat.shape[1] // PRINTED_LAYER.n_heads
    assert PRINTED_LAYER.W_O.shape == (n_heads * d_v, 2)
    assert PRINTED_LAYER.W_O.shape[1] != PRINTED_LAYER.d_model


def test_the_wide_heads_are_twice_as_wide_as_the_model_when_they_are_side_by_side():
    concat = np.concatenate([WIDE_HEADS.head_0, WIDE_HEADS.head_1])
    assert len(concat) == WIDE_HEADS.n_heads * WIDE_HEADS.d_model
