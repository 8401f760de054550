"""Ripples: the bars are the movements of the states, in both directions."""

import numpy as np
import pytest

from tests.support.pictures import data_of, groups
from transformer_kit.pictures import ripples

WORDS = ["red", "<b>", "is"]
# Row: state, column: replaced word. A state knows what was read before it, and its own word.
FORWARD = np.array([[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.5, 3.0, 1.5]])
BACKWARD = np.array([[1.0, 2.5, 0.25], [0.0, 2.0, 1.25], [0.0, 0.0, 3.5]])
PICTURE = ripples(WORDS, FORWARD, BACKWARD, start=1)


def test_the_bars_are_the_movements():
    """The longest of all movements, 4, is 120 pixels long."""
    heights = [float(bar.get("height")) for bar in groups(PICTURE, "bar")]
    assert heights == [0, 120, 90, 75, 60, 0]
    assert [text.text for text in groups(PICTURE, "moved")] == ["0.00", "4.00", "3.00", "2.50", "2.00", "0.00"]
    assert [group[2].text for group in groups(PICTURE, "chosen")] == ["<b>"]


def test_bars_of_one_direction_stand_the_others_hang():
    bars = groups(PICTURE, "bar")
    assert [float(bar.get("y")) + float(bar.get("height")) for bar in bars[:3]] == [150, 150, 150]
    assert [float(bar.get("y")) for bar in bars[3:]] == [194, 194, 194]


def test_the_last_state_of_each_direction_is_marked():
    assert [float(bar.get("height")) for bar in groups(PICTURE, "last")] == [90, 75]


def test_the_script_gets_all_movements_by_replaced_word():
    forward, backward = data_of(PICTURE)["moved"]
    assert forward == FORWARD.T.tolist()
    assert backward == BACKWARD.T.tolist()


def test_the_words_name_own_and_last_state():
    lines = PICTURE.words.splitlines()
    assert len(lines) == 3
    assert lines[0] == (
        "Word 0, “red”, is replaced. Read from left to right, its own state moves by 2.00 and the last one by 0.50. "
        "Read from right to left, its own state moves by 1.00 and the last one, at “red”, by 1.00."
    )
    assert "by 4.00 and the last one by 3.00." in lines[1]
    assert lines[1].endswith("by 2.00 and the last one, at “red”, by 2.50.")


@pytest.mark.parametrize("n", [1, 13])
def test_other_lengths_and_nothing_that_moves(n):
    picture = ripples(["word"] * n, np.zeros((n, n)), np.zeros((n, n)))
    assert [float(bar.get("height")) for bar in groups(picture, "bar")] == [0] * 2 * n
