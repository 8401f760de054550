"""The worked example of unit 01: its right numbers are right, and its printed ones wrong where the text says so."""

import numpy as np
from numpy.testing import assert_allclose

from transformer_kit import reference
from transformer_kit.examples import positions

SIX_DECIMALS = {"rtol": 0, "atol": 5.1e-7}
FOUR_DECIMALS = {"rtol": 0, "atol": 5.1e-5}


def test_right_numbers():
    table = reference.positional_encoding(4, positions.D_MODEL)
    assert_allclose(positions.TABLE, table, **SIX_DECIMALS)
    assert_allclose(positions.SUMS, reference.add_positions(positions.EMBEDDINGS, table), **SIX_DECIMALS)


def test_printed_table_repeats_its_first_two_columns():
    printed = positions.PRINTED_TABLE
    assert np.array_equal(printed[:, 2:], printed[:, :2])
    assert np.linalg.matrix_rank(printed) == 2
    assert np.linalg.matrix_rank(positions.TABLE) == 4
    wrong = ~np.isclose(printed, positions.TABLE, **FOUR_DECIMALS)
    assert np.argwhere(wrong).tolist() == [[1, 2], [1, 3], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]]


def test_printed_cosine_of_3_is_cut_off():
    assert positions.PRINTED_TABLE[3, 1] == np.trunc(np.cos(3) * 1e4) / 1e4 != np.cos(3).round(4)


def test_printed_sums():
    wrong = ~np.isclose(positions.PRINTED_SUMS, positions.SUMS[:2], **FOUR_DECIMALS)
    assert np.argwhere(wrong).tolist() == [[0, 3], [1, 2], [1, 3]]
    from_printed_table = positions.EMBEDDINGS[:2] + positions.PRINTED_TABLE[:2]
    still_wrong = ~np.isclose(positions.PRINTED_SUMS, from_printed_table, **FOUR_DECIMALS)
    assert np.argwhere(still_wrong).tolist() == [[0, 3]]
