"""The picture of a search, without a browser: what it reads off a search's calls, right or wrong."""

import numpy as np
import pytest

from tests.support.pictures import MAX_BYTES, data_of, drawing, groups
from transformer_kit import reference, skip_if_unimplemented
from transformer_kit.examples import toy_models
from transformer_kit.examples.toy_models import BEAM_LOSES, GREEDY_LOSES, STEP_BY_STEP, WORDS, ids_of
from transformer_kit.pictures import beam_tree

WIDTHS = [1, 2, 3, 4]
BEAM = beam_tree(reference.beam_search, BEAM_LOSES, WIDTHS, start=3)
BY_HAND = beam_tree(reference.beam_search, STEP_BY_STEP, [2], start=2)


def plain(text):
    """Return a text with the minus sign of programs."""
    return text.replace("\u2212", "-")


def nodes(picture):
    """Return word, number and fate of every node, in the order of the drawing."""
    return [
        (node[2].text, plain(node[3].text), node.get("class").removeprefix("node ")) for node in groups(picture, "node")
    ]


def test_the_search_by_hand():
    """The table of the unit: the end 0.4, a 0.35, the 0.25; and so on."""
    assert plain(BY_HAND.words).splitlines() == [
        "The search begins with nothing.",
        "Step 1: 3 candidates, best first: <eos> -0.92, a -1.05, the -1.39.",
        "Step 1: a, the stay; <eos> is finished.",
        "Step 2: 3 candidates, best first: the poem -1.39, a cat -1.56, a song -1.97.",
        "Step 2: the poem, a cat stay; a song is cut.",
        "Step 3: 2 candidates, best first: the poem <eos> -1.39, a cat <eos> -1.56.",
        "Step 3: the poem <eos>, a cat <eos> are finished.",
        "Returned, best first: <eos> -0.92 (probability 0.4000), the poem <eos> -1.39 (probability 0.2500).",
    ]


def test_the_first_width_is_drawn():
    assert sorted(nodes(BY_HAND)) == sorted(
        [
            ("<eos>", "-0.92", "finished returned"),
            ("a", "-1.05", "kept"),
            ("the", "-1.39", "kept"),
            ("poem", "-1.39", "kept"),
            ("cat", "-1.56", "kept"),
            ("song", "-1.97", "cut"),
            ("<eos>", "-1.39", "finished returned"),
            ("<eos>", "-1.56", "finished"),
        ]
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_returned_is_what_the_search_returns(width):
    data = data_of(BEAM)
    found = reference.beam_search(BEAM_LOSES, toy_models.BOS, toy_models.EOS, width, 6)
    fates = data["fates"][WIDTHS.index(width)]
    assert sum("returned" in fate for fate in fates) == len(found) == width
    words = [node[0] for node in nodes(BEAM)]
    assert all(words[i] == "<eos>" for i, fate in enumerate(fates) if "returned" in fate)
    counting = toy_models.CountingModel(BEAM_LOSES)
    reference.beam_search(counting, toy_models.BOS, toy_models.EOS, width, 6)
    assert fates.count("kept") == len(set(counting.prefixes)) - 1  # the start is no candidate
    best = " ".join(WORDS[i] for i in found[0][1])
    assert f"best first: {best} -{-found[0][0]:.2f} (probability {np.exp(found[0][0]):.4f})" in plain(
        data["told"][WIDTHS.index(width)][-1]
    )


def test_places_are_fixed_and_nodes_do_not_overlap():
    rects = [node[1] for node in groups(BEAM, "node")]
    corners = {(float(rect.get("x")), float(rect.get("y"))) for rect in rects}
    assert len(corners) == len(rects) == len(data_of(BEAM)["steps"])
    by_column = {}
    for x, y in corners:
        by_column.setdefault(x, []).append(y)
    assert all(np.diff(sorted(column)).min(initial=99) >= 24 for column in by_column.values())
    assert [node.get("class") for node in groups(BEAM, "away")]  # width 3 does not look at all that width 4 looks at
    assert len(BEAM.html.encode()) < MAX_BYTES


def test_a_greedy_search_has_no_widths():
    picture = beam_tree(reference.greedy_decode, GREEDY_LOSES)
    assert data_of(picture)["widths"] == []
    assert "Step 2: a cat stays; a poem, a song, a <eos> are cut." in picture.words
    assert plain(picture.words).endswith("Returned, best first: a cat <eos> -1.74 (probability 0.1750).")
    assert "step 3" in [text.text for text in drawing(picture).iter() if (text.text or "").startswith("step")]


def keeps_the_worst(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Sort the wrong way round."""
    live = [(0.0, ())]
    for _ in range(2):
        rows = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))
        more = [(s + row[i], (*ids, i)) for (s, ids), row in zip(live, rows, strict=True) for i in range(len(row))]
        live = sorted(one for one in more if one[0] > -np.inf)[:beam_width]
    return live


def test_a_wrong_search_shows_its_own_tree():
    """It keeps "song" and "the", the two least likely; what it returns need not end."""
    picture = beam_tree(keeps_the_worst, BEAM_LOSES, [2], start=2)
    assert "Step 1: the, song stay; a is cut." in picture.words
    returned = [entry for entry in nodes(picture) if "returned" in entry[2]]
    assert len(returned) == 2


def test_an_incomplete_search_gets_the_courses_tree():
    def jumps(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
        next_log_probs(np.array([[bos_id, *ids_of("the poem")]]))
        return [(-1.0, ids_of("a cat <eos>")), (-2.0, ids_of("cat"))]

    picture = beam_tree(jumps, BEAM_LOSES, [2], start=2)
    assert picture.words.startswith("From what your beam_search asks the model no tree can be made")
    assert "Step 1: a, the stay; song is cut." in picture.words
    assert "a cat <eos> (not on this tree), cat (not on this tree)" in picture.words


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (lambda *_: None, "expected a list of (score, ids) from the search, got None"),
        (lambda *_: [(1, 2, 3)], "expected a list of (score, ids)"),
        (lambda model, *_: model([1]), "expects prefixes as an int array of shape (k, t)"),
        (lambda *_: {}[0], "KeyError: 0"),
    ],
)
def test_what_cannot_be_drawn_is_said(search, words):
    said = beam_tree(search, BEAM_LOSES, [2], start=2)
    assert repr(said).startswith("There is nothing to draw: ")
    assert words in repr(said)


def test_what_is_not_written_yet_is_waited_for(capsys):
    def beam_search(*_):
        raise NotImplementedError

    with skip_if_unimplemented():
        beam_tree(beam_search, BEAM_LOSES, [2], start=2)
    assert "waits for `beam_search`" in capsys.readouterr().out
