"""The strips of labelled tokens: colours, labels, words, and the learner's function beside the target."""

import numpy as np
import pytest

from transformer_kit import plots

LABELS = 100 * np.arange(3)[:, None] + np.arange(4)  # 3 tokens of 4 channels
HEADS = np.array([LABELS[:, :2], LABELS[:, 2:]])


def faces(axes):
    return [patch.get_facecolor() for patch in axes.patches]


def test_one_block_for_a_sequence_one_block_per_head():
    for labels, names in ((LABELS, []), (HEADS, ["head 0", "head 1"])):
        (axes,) = plots.token_strips(labels).draw().axes
        assert [text.get_text() for text in axes.texts] == [str(label) for label in labels.ravel()]
        assert [tick.get_text() for tick in axes.get_xticklabels()] == names
        assert [tick.get_text() for tick in axes.get_yticklabels()] == ["row 0", "row 1", "row 2"]


def test_a_colour_belongs_to_a_token():
    (axes,) = plots.token_strips(HEADS).draw().axes
    tokens = HEADS.ravel() // 100
    colours = [{face for face, token in zip(faces(axes), tokens, strict=True) if token == t} for t in range(3)]
    assert [len(colour) for colour in colours] == [1, 1, 1]
    assert len(set.union(*colours)) == 3


def test_every_label_is_said_in_words():
    assert plots.token_strips(LABELS).alt == (
        "Row 0: 0, 1, 2, 3. Row 1: 100, 101, 102, 103. Row 2: 200, 201, 202, 203."
    )
    assert plots.token_strips(HEADS, title="Heads", alt="Two halves.").alt.splitlines() == [
        "Two halves.",
        "Heads",
        "Head 0. Row 0: 0, 1. Row 1: 100, 101. Row 2: 200, 201.",
        "Head 1. Row 0: 2, 3. Row 1: 102, 103. Row 2: 202, 203.",
    ]


def test_what_is_no_label_is_drawn_without_a_colour():
    (axes,) = plots.token_strips([[np.nan, -1.0, 2.5]]).draw().axes
    assert [face[:3] == (1, 1, 1) for face in faces(axes)] == [True, True, False]


@pytest.mark.parametrize("labels", [np.arange(3), np.zeros((2, 2, 2, 2)), np.zeros((0, 3)), [["a", "b"]]])
def test_other_arrays_are_refused(labels):
    with pytest.raises(ValueError, match="expected numbers of shape"):
        plots.token_strips(labels)


def test_a_wrong_split_beside_the_target():
    def split_heads(X, n_heads):
        return X.reshape(n_heads, 3, 2)

    figure = plots.yours_and_target(split_heads, LABELS, 2, draw=plots.token_strips)
    assert figure.title == "split_heads: largest difference 100 at index (0, 2, 0)"
    yours, target = figure.panels
    np.testing.assert_array_equal(target.array, HEADS)
    assert yours.words().splitlines()[1] == "Head 0. Row 0: 0, 1. Row 1: 2, 3. Row 2: 100, 101."
    assert figure.png.startswith(b"\x89PNG")


def test_a_sequence_without_heads_stays_one_beside_the_target():
    def merge_heads(X):
        return np.concatenate(list(X), axis=-1)

    figure = plots.yours_and_target(merge_heads, HEADS, draw=plots.token_strips)
    assert figure.title == "merge_heads: same numbers"
    assert [[tick.get_text() for tick in axes.get_xticklabels()] for axes in figure.draw().axes] == [[], []]
