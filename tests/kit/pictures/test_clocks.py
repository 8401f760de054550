"""Clocks: hands, readings and second hands are the rows of the learner's functions."""

import re

import numpy as np
import pytest

from tests.support.pictures import data_of, groups
from transformer_kit import reference
from transformer_kit.pictures import clocks
from transformer_kit.pictures.clocks import BASES, RADIUS

FUNCTIONS = reference.angular_frequencies, reference.positional_encoding
STILL, TURNED = clocks(*FUNCTIONS), clocks(*FUNCTIONS, reference.shift_matrix)


def ends(picture, name):
    """Return where the paths of this class end in each clock, as sine and cosine."""
    numbers = [re.findall(r"-?[\d.]+", path.get("d")) for path in groups(picture, name)[-4:]]
    return np.array([(float(x) / RADIUS, -float(y) / RADIUS) for *_, x, y in numbers])


def test_the_hands_are_the_row_of_the_position():
    row = reference.positional_encoding(8, 8)[7]
    np.testing.assert_allclose(ends(STILL, "hand"), row.reshape(4, 2), atol=0.001)
    assert [text.text for text in groups(STILL, "number")] == [f"{number:.3f}" for number in row]
    assert [text.text for text in groups(STILL, "speed")] == ["ω = 1", "ω = 0.1", "ω = 0.01", "ω = 0.001"]
    assert [path.get("d").count("M") for path in groups(STILL, "trail")] == [7, 7, 7, 7]


def test_at_position_0_all_hands_point_upwards():
    picture = clocks(*FUNCTIONS, position=0)
    assert ends(picture, "hand").tolist() == [[0, 1]] * 4
    assert {path.get("d") for path in groups(picture, "trail")} == {""}


def test_the_matrix_turns_the_hands_into_the_rings():
    P = reference.positional_encoding(11, 8, 16.0)
    np.testing.assert_allclose(ends(TURNED, "hand"), P[7].reshape(4, 2), atol=0.001)
    np.testing.assert_allclose(ends(TURNED, "turned"), P[10].reshape(4, 2), atol=0.001)
    rings = [re.match(r"M(\S+) (\S+)m", path.get("d")) for path in groups(TURNED, "ring")[1:]]  # one is in the title
    assert [(float(ring[1]), -float(ring[2])) for ring in rings] == [
        (round(RADIUS * sine, 1), round(RADIUS * cosine, 1)) for sine, cosine in P[10].reshape(4, 2)
    ]
    sines = [f"{number:.3f}" for number in (P[7, 0], P[10, 0])]
    assert [text.text for text in groups(TURNED, "number")[:2]] == sines == ["0.657", "-0.544"]


def test_a_matrix_turning_the_wrong_way_misses():
    def transposed(*args):
        return reference.shift_matrix(*args).T

    picture = clocks(*FUNCTIONS, transposed)
    before = reference.positional_encoding(5, 8, 16.0)[4]
    np.testing.assert_allclose(ends(picture, "turned"), before.reshape(4, 2), atol=0.001)


@pytest.mark.parametrize(
    ("offset", "flags"),
    # Frequencies 1, 1/2, 1/4, 1/8: twelve steps are 12 radians, one turn and 5.7; then 6, 3 and 1.5.
    [(12, ["1 1", "1 1", "0 1", "0 1"]), (-7, ["0 0", "1 0", "0 0", "0 0"]), (0, ["0 1"] * 4)],
)
def test_the_wedge_goes_the_way_of_the_offset(offset, flags):
    """The large arc from half a turn on; clockwise for an offset of 0 or more."""
    picture = clocks(*FUNCTIONS, reference.shift_matrix, offset=offset)
    assert [re.search(r"A30 30 0 (\d \d)", path.get("d"))[1] for path in groups(picture, "wedge")] == flags


def test_there_is_no_ring_before_position_0():
    picture = clocks(*FUNCTIONS, reference.shift_matrix, position=2, offset=-3)
    assert [path.get("d") for path in groups(picture, "ring")[1:]] == [""] * 4


def test_the_script_gets_every_table_and_every_matrix():
    data = data_of(STILL)
    assert data["bases"] == ["16", "256", "10000"]
    for table, base in zip(data["tables"], BASES, strict=True):
        np.testing.assert_allclose(table, reference.positional_encoding(61, 8, base), atol=1e-5)
    data = data_of(TURNED)
    np.testing.assert_allclose(data["tables"], [reference.positional_encoding(73, 8, 16.0)], atol=1e-5)
    matrices = [reference.shift_matrix(offset, 8, 16.0) for offset in range(-12, 13)]
    np.testing.assert_allclose(data["matrices"], matrices, atol=1e-5)


def test_the_words_tell_speeds_rows_and_matrix():
    assert "Base 256: ω = 1, ω = 0.25, ω = 0.0625, ω = 0.01562." in STILL.words
    row = "Position 1: the pairs (sin, cos) are (0.841, 0.540), (0.100, 0.995), (0.010, 1.000), (0.001, 1.000)."
    assert row in STILL.words.splitlines()
    assert "R(3) turns position 7 to (-0.544, -0.839), (-0.959, 0.284)" in TURNED.words
