"""The worked examples of unit 06: the right numbers are right, and the printed ones wrong where the text says so."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from transformer_kit import reference
from transformer_kit.examples.networks import PRINTED, REPAIRED

EXACT = {"rtol": 0, "atol": 1e-12}
TWO_DECIMALS = {"rtol": 0, "atol": 0.0051}
THREE_DECIMALS = {"rtol": 0, "atol": 0.00051}


def test_printed_shapes_do_not_multiply():
    with pytest.raises(ValueError, match="mismatch"):
        reference.position_wise_ffn(PRINTED.X, PRINTED.params)
    assert np.array_equal(PRINTED.X_in_the_steps[:, :2], PRINTED.X)


def test_right_numbers_of_the_printed_example():
    W_1, b_1, _, _ = PRINTED.params
    assert_allclose(PRINTED.hidden, PRINTED.X_in_the_steps @ W_1 + b_1, **EXACT)
    output = reference.position_wise_ffn(PRINTED.X_in_the_steps, PRINTED.params)
    assert_allclose(PRINTED.output, output, **EXACT)
    assert (PRINTED.hidden > 0).all()  # ReLU changes nothing
    assert output.shape[-1] != PRINTED.X_in_the_steps.shape[-1]  # so there is no residual sum


def test_every_printed_number_is_wrong():
    assert not np.isclose(PRINTED.printed_hidden, PRINTED.hidden, **TWO_DECIMALS).any()
    assert not np.isclose(PRINTED.printed_output, PRINTED.output, **THREE_DECIMALS).any()
    _, _, W_2, b_2 = PRINTED.params
    assert_allclose(PRINTED.output_of_printed_hidden, PRINTED.printed_hidden @ W_2 + b_2, **EXACT)
    assert not np.isclose(PRINTED.printed_output, PRINTED.output_of_printed_hidden, **THREE_DECIMALS).any()
    assert (PRINTED.printed_output > 0).all()
    assert (PRINTED.output < 0).sum() == (PRINTED.output_of_printed_hidden < 0).sum() == 1


def test_where_two_of_the_printed_numbers_come_from():
    W_1, b_1, W_2, b_2 = PRINTED.params
    assert_allclose(PRINTED.sign_lost, np.array([0.5, 0.3, 0.1]) @ W_1 + b_1, **EXACT)
    without_its_last_term = PRINTED.X_in_the_steps[1, :2] @ W_1[:2, 0] + b_1[0]
    assert without_its_last_term == pytest.approx(PRINTED.printed_hidden[1, 0])
    right_first_term_only = PRINTED.hidden[1, 0] * W_2[1, 0] + b_2[0]
    assert right_first_term_only == pytest.approx(PRINTED.printed_output[1, 0])


def test_right_numbers_of_the_repaired_example():
    X, params = REPAIRED.X, REPAIRED.params
    assert_allclose(REPAIRED.before, X @ params.W_1 + params.b_1, **EXACT)
    assert_allclose(REPAIRED.hidden, reference.relu(REPAIRED.before), **EXACT)
    output = reference.position_wise_ffn(X, params)
    assert output.shape == X.shape
    assert_allclose(REPAIRED.output, output, **EXACT)
    assert_allclose(REPAIRED.output_cut_off, reference.relu(output), **EXACT)
    without = reference.position_wise_ffn(X, params, lambda hidden: hidden)
    assert_allclose(REPAIRED.output_without_relu, without, **EXACT)
    assert np.argwhere(~np.isclose(without, output)).tolist() == [[0, 0], [0, 1]]
