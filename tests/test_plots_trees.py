"""The tree of a search: what is drawn, what is said, what is refused."""

import numpy as np
import pytest

from transformer_kit import plots, reference
from transformer_kit.examples.toy_models import BEAM_LOSES, BOS, EOS, CountingModel, search_tree

BRANCHES = [
    (("a",), 0.5, "extended"),
    (("the",), 0.25, "pruned"),
    (("song",), 0.125, "extended"),
    (("a", "cat"), 0.375, "returned"),
    (("a", "poem"), 0.125, "pruned"),
    (("song", "<eos>"), 0.0625, "pruned"),
]


def drawn(figure):
    (axes,) = figure.draw().axes
    return axes


def places(axes):
    return {text.get_text(): text.get_position() for text in axes.texts}


def test_every_branch_is_said():
    figure = plots.beam_tree(BRANCHES, title="Beam", alt="Two go on.")
    assert figure.alt.splitlines() == [
        "Two go on.",
        "Beam: a tree of 6 branches in 2 steps. Returned: a cat 0.375.",
        "After the start: a 0.5 extended, the 0.25 pruned, song 0.125 extended.",
        "After a: cat 0.375 returned, poem 0.125 pruned.",
        "After song: <eos> 0.0625 pruned.",
    ]


def test_nothing_returned_and_one_step_are_said():
    assert plots.beam_tree(BRANCHES[:1]).alt.splitlines() == [
        "a tree of 1 branch in 1 step. Returned: nothing.",
        "After the start: a 0.5 extended.",
    ]


def test_words_stand_at_their_step_and_parents_in_the_middle():
    at = places(drawn(plots.beam_tree(BRANCHES)))
    assert {text: x for text, (x, _) in at.items()} == {
        "start": 0,
        "a 0.5": 1,
        "✗ the 0.25": 1,
        "song 0.125": 1,
        "✓ cat 0.375": 2,
        "✗ poem 0.125": 2,
        "✗ <eos> 0.0625": 2,
    }
    ends = [at[text][1] for text in ("✓ cat 0.375", "✗ poem 0.125", "✗ the 0.25", "✗ <eos> 0.0625")]
    assert ends == [0, 1, 2, 3]
    assert at["a 0.5"][1] == 0.5
    assert at["song 0.125"][1] == 3
    assert at["start"][1] == (0.5 + 3) / 2


def test_fates_differ_by_mark_line_and_box():
    axes = drawn(plots.beam_tree(BRANCHES))
    lines = dict(zip([path[-1] for path, *_ in BRANCHES], axes.lines, strict=True))
    assert {lines[word].get_linestyle() for word in ("a", "song", "cat")} == {"-"}
    assert {lines[word].get_linestyle() for word in ("the", "poem", "<eos>")} == {"--"}
    boxes = {text.get_text(): text.get_bbox_patch() for text in axes.texts}
    outlines = {text: box.get_edgecolor()[3] for text, box in boxes.items()}
    assert [text for text, opaque in outlines.items() if not opaque] == ["✗ the 0.25", "✗ poem 0.125", "✗ <eos> 0.0625"]
    styles = [type(boxes[text].get_boxstyle()).__name__ for text in ("a 0.5", "✓ cat 0.375")]
    assert styles == ["Round", "Square"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["extended", "✓ returned", "✗ pruned"]


def test_steps_are_named_and_the_size_follows_the_tree():
    small, large = plots.beam_tree(BRANCHES[:2]), plots.beam_tree(BRANCHES)
    assert [tick.get_text() for tick in drawn(large).get_xticklabels()] == ["step 1", "step 2"]
    (width, height), (wider, higher) = small.panels[0].size, large.panels[0].size
    assert wider == 2 * width
    assert higher > height
    deep = [(("x",) * n, 0.5, "extended") for n in range(1, 12)]
    assert plots.beam_tree(deep).panels[0].size[0] == plots.beam_tree(deep).panels[0].width
    assert large.png.startswith(b"\x89PNG")


def test_labels_are_not_mathematics():
    assert plots.beam_tree([(("$x_1",), 0.5, "pruned"), (("y$",), 0.5, "pruned")]).png


@pytest.mark.parametrize(
    ("branches", "message"),
    [
        ([], "got none"),
        ([(("a",), 0.5, "lost")], "'lost'"),
        ([(("a", "cat"), 0.5, "pruned")], "no branch"),
    ],
)
def test_wrong_trees_are_explained(branches, message):
    with pytest.raises(ValueError, match=message):
        plots.beam_tree(branches)


@pytest.mark.parametrize("beam_width", [1, 2, 3])
def test_a_recorded_search_becomes_a_tree(beam_width):
    model = CountingModel(BEAM_LOSES)
    found = reference.beam_search(model, BOS, EOS, beam_width, 6)
    branches = search_tree(model, [ids for _, ids in found])
    fates = {path: fate for path, _, fate in branches}
    returned = {path: value for path, value, fate in branches if fate == "returned"}
    assert sorted(np.log(list(returned.values()))) == pytest.approx(sorted(score for score, _ in found))
    assert sum(fate == "extended" for fate in fates.values()) + 1 == model.rows  # the start is no branch
    assert all(fates.get(path[:-1], "extended") == "extended" for path in fates)
    assert plots.beam_tree(branches).alt
