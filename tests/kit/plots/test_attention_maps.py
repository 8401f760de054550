"""Attention maps and labelled points: what they draw, what they say, what they refuse."""

import numpy as np
import pytest

from transformer_kit import plots

WEIGHTS = np.array([[[0.9, 0.1, 0.0], [0.25, 0.25, 0.5]], [[0.0, 1.0, 0.0], [0.004, 0.0, 0.996]]])  # (heads, 2, 3)
QUERIES, KEYS = ["el", "coche"], ["the", "red", "car"]


def test_a_map_for_each_head():
    figure = plots.attention_maps(WEIGHTS, QUERIES, KEYS, title="Cross", alt="They cross.")
    drawn = figure.draw()
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["head 0", "head 1"]
    assert [text.get_text() for text in drawn.axes[0].texts] == ["90 %", "10 %", "", "25 %", "25 %", "50 %"]
    assert figure.alt.startswith(
        "Cross\nThey cross.\nhead 0. Where each row looks most: el at the (90 %), coche at car"
    )


def test_a_single_map_and_names():
    assert len(plots.attention_maps(WEIGHTS[0], QUERIES, KEYS).panels) == 1
    named = plots.attention_maps([*WEIGHTS, WEIGHTS[0]], QUERIES, KEYS, names=["a", "b", "c"])
    assert [len(row) for row in named.rows] == [2, 1]
    assert "c. Where each row looks most" in named.alt


@pytest.mark.parametrize(
    ("weights", "message"),
    [(WEIGHTS[None], r"got \(1, 2, 2, 3\): choose one sentence"), (WEIGHTS[:, :, :2], "one label per column")],
)
def test_maps_that_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        plots.attention_maps(weights, QUERIES, KEYS)


def test_points():
    figure = plots.points(
        {"cats": [(0, 1), (2.5, 3)], "dogs": [(4, 5), (6, 7)]}, ["I", "you"], title="Plane", alt="Two."
    )
    (axes,) = figure.draw().axes
    assert [line.get_marker() for line in axes.lines] == ["o", "s"]
    assert [text.get_text() for text in axes.texts] == ["I", "you", "cats", "I", "you", "dogs"]
    assert tuple(axes.texts[2].xy) == (2.5, 3)  # the name of a group stands above its highest point
    assert "cats: I at 0, 1; you at 2.5, 3." in figure.alt
    assert "1 at 2.5, 3" in plots.points({"cats": [(0, 1), (2.5, 3)]}).alt


@pytest.mark.parametrize(
    ("groups", "labels", "message"),
    [
        ({}, None, "expected 1 to 6 named groups of points, got 0"),
        ({"a": [1, 2, 3]}, None, r"points of shape \(n, 2\) for 'a', got shape \(3,\)"),
        ({"a": [(1, 2)]}, ["x", "y"], "got 2 for 1 of 'a'"),
    ],
)
def test_points_that_are_refused(groups, labels, message):
    with pytest.raises(ValueError, match=message):
        plots.points(groups, labels)
