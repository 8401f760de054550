"""The pictures of units 02 and 04: numbers, places and words, for right, wrong and unwritten functions."""

import numpy as np
import pytest

from tests.support.attention_pictures import STEPS, pictures_of_attention, plain_reshape
from tests.support.pictures import MAX_BYTES, data_of, drawing, groups
from transformer_kit import reference
from transformer_kit.examples.attention import POEM
from transformer_kit.pictures import attention_steps, query_turner, reshape_steps

QUERY, TURNER, SPLIT, PLAIN, MERGE = pictures_of_attention().values()
LABELS = 100 * np.arange(4)[:, None] + np.arange(6)


def steps(scores=STEPS[0], softmax=STEPS[1], attention=STEPS[2], arrays=(POEM.Q, POEM.K, POEM.V), words=POEM.tokens):
    return attention_steps(scores, softmax, attention, *arrays, words)


def unwritten(*args):
    raise NotImplementedError


def texts(group):
    return [element.text.replace("\N{MINUS SIGN}", "-") for element in group.iter() if element.tag.endswith("text")]


def said(picture, query=0):
    """Return the sentences of one query, one for each step."""
    n_steps = len(data_of(picture)["lit"])
    return picture.words.splitlines()[n_steps * query :][:n_steps]


def part(picture, name):
    (found,) = (group for group in groups(picture, "part") if group.get("data-part") == name)
    return found


def test_the_numbers_of_one_query_match_the_example():
    """The first query of the poem, each entry rounded to three decimals."""
    for name, numbers in (
        ("keys", POEM.K),
        ("values", POEM.V),
        ("products", POEM.products[0]),
        ("scores", POEM.scores[0]),
        ("weights", POEM.weights[0]),
        ("output", POEM.output[0]),
    ):
        shown = [text for text in texts(part(QUERY, name)) if "." in text]
        assert shown == [f"{number:.3f}" for number in numbers.ravel()], name


def test_the_bars_of_one_query():
    """A weight of 1 would be 76 wide; dot products go to both sides of the axis, and the largest is 42 long."""
    bars = [bar for bar in part(QUERY, "weights").iter() if "bar" in bar.get("class", "")]
    assert [float(bar.get("width")) for bar in bars] == pytest.approx(76 * POEM.weights[0], abs=0.01)
    products = [bar for bar in part(QUERY, "products").iter() if "bar" in bar.get("class", "")]
    assert [float(bar.get("width")) for bar in products] == pytest.approx(
        42 * np.abs(POEM.products[0]) / np.abs(POEM.products[0]).max(), abs=0.01
    )
    ends = [float(bar.get("x")) + float(bar.get("width")) for bar in products]
    assert ends[0] == pytest.approx(ends[2], abs=0.01)  # both negative
    assert float(products[1].get("x")) == pytest.approx(ends[0], abs=0.01)


def test_shapes_stand_at_every_step():
    arrays = [np.random.default_rng(7).standard_normal(shape) for shape in ((5, 3), (5, 3), (5, 4))]
    picture = steps(arrays=arrays, words=("a", "<b>", "c", "d", "e"))
    shapes = {
        name: next(text for text in texts(part(picture, name)) if text.startswith("("))
        for name in ("query", "keys", "products", "scores", "weights", "values", "output")
    }
    assert list(shapes.values()) == ["(3,)", "(5, 3)", "(5,)", "(5,)", "(5,)", "(5, 4)", "(4,)"]
    assert "(n_keys, d_v) = (5, 4)" in picture.words
    assert len(picture.html.encode()) < MAX_BYTES


def test_every_query_can_be_shown():
    """What the script writes for the first query is what is drawn; for the others it is their numbers."""
    moving = [group for group in drawing(QUERY).iter() if "n" in group.get("class", "").split()]
    states = data_of(QUERY)["states"]
    assert len(states) == 3
    assert [element.text or "" for element in moving] == [text for _, text in states[0]]
    for element, (attributes, _) in zip(moving, states[0], strict=True):
        assert all(float(element.get(name)) == value for name, value in attributes.items())
    assert [text for _, text in states[2]][-3:] == ["3.506", "", "2.237"]


def test_the_sentences_work_out_the_example_by_hand():
    sentences = said(QUERY)
    assert len(sentences) == 6
    assert "For “a”: 0.762 · 0.105 + (\N{MINUS SIGN}0.048) · 0.377 = 0.062." in sentences[1]
    assert "0.062 / 1.414 = 0.044" in sentences[2]
    assert "write 0.356, a 0.398, poem 0.246" in sentences[3]
    assert "0.356 · 0.600 + 0.398 · (\N{MINUS SIGN}0.354) + 0.246 · 3.857 = 1.021" in sentences[5]


def test_a_wrong_step_is_named_and_drawn():
    """Only the function that is wrong is blamed; the softmax gets its scores."""
    picture = steps(scores=lambda Q, K: Q @ K.T)
    sentences = said(picture)
    assert (
        "returns something else than this step should give: largest difference 1.21 at row 2, column 2" in sentences[2]
    )
    assert not any("something else" in sentence for number, sentence in enumerate(sentences) if number not in (2, 5))
    assert texts(part(picture, "scores"))[-3:] == ["-0.094", "0.062", "-0.620"]


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"softmax": unwritten}, "unwritten returns: not written yet"),
        ({"attention": lambda Q, K, V: V}, "returns one array of dtype float64 where a tuple of 2"),
        ({"scores": lambda Q, K: Q}, r"returns shape \(3, 2\) where \(3, 3\) is expected"),
        ({"softmax": lambda x: x / 0.0}, "not finite"),
        ({"softmax": lambda x: 1 / 0}, "raises ZeroDivisionError"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
def test_a_message_replaces_an_impossible_picture(functions, words):
    message = steps(**functions)
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(repr(message))
    assert message._repr_mimebundle_()["text/html"].startswith("<p>This picture is drawn from what your function")


def orbits(picture):
    points = (orbit.get("points").split() for orbit in groups(picture, "orbit"))
    return np.array([[tuple(map(float, point.split(","))) for point in each] for each in points])


def test_the_blend_is_the_turned_querys_attention():
    """A query of length 2 at 90 degrees, with keys (0, 1), (-0.9, -0.4) and (0.8, -0.6), has scores of 1.41 times 1."""
    data = data_of(TURNER)
    exponentials = np.exp(np.array([2, -0.8, -1.2]) / np.sqrt(2))
    weights = exponentials / exponentials.sum()
    assert data["percent"][data["lengths"].index(2)][90 // data["step"]] == np.rint(100 * weights).astype(int).tolist()
    x, y = np.array(data["corners"]).T
    np.testing.assert_allclose(orbits(TURNER)[data["lengths"].index(2), 18], [weights @ x, weights @ y], atol=0.11)


def test_only_long_queries_reach_the_corners():
    data, ways = data_of(TURNER), orbits(TURNER)
    corners = np.array(data["corners"])
    np.testing.assert_allclose(ways[0], np.broadcast_to(corners.mean(axis=0), ways[0].shape), atol=0.06)
    for corner in corners:
        assert np.linalg.norm(ways[-1] - corner, axis=1).min() < 1.5
        assert np.linalg.norm(ways[2] - corner, axis=1).min() > 50


def test_the_blend_of_a_wrong_function_is_drawn():
    """Without a softmax it leaves the triangle, and the words say that the numbers are others."""

    def no_softmax(Q, K, V):
        return Q @ K.T @ V, Q @ K.T

    picture = query_turner(no_softmax)
    assert "Your function returns other numbers than it should" in data_of(picture)["note"]
    assert orbits(picture)[-1, :, 1].min() < min(y for _, y in data_of(picture)["corners"])
    assert "not written yet" in repr(query_turner(unwritten))


def at(picture, route, frame):
    return np.array(data_of(picture)["at"][route][frame])


@pytest.mark.parametrize(("picture", "route", "n_heads"), [(SPLIT, 0, 2), (SPLIT, 1, 3)])
def test_split_numbers_go_to_their_heads(picture, route, n_heads):
    """In the last frame a head is a block: its tokens are 24 apart, its columns 42, the blocks 14 more."""
    places = at(picture, route, -1).reshape(4, 6, 2)
    d_k = 6 // n_heads
    for token, column in np.ndindex(4, 6):
        head, c = divmod(column, d_k)
        assert tuple(places[token, column]) == (456 + 42 * c, 46 + head * (4 * 24 + 14) + 24 * token)


def test_a_reshape_keeps_numbers_in_their_row():
    """Rows stay in line, and so does the order of reading; the cut only opens gaps."""
    whole, cut = (at(SPLIT, 0, frame).reshape(4, 6, 2) for frame in (0, 1))
    moved = cut - whole
    assert set(moved[..., 1].ravel()) == {164}
    assert moved[..., 0].tolist() == [[0, 0, 0, 14, 14, 14]] * 4


def test_merged_numbers_return_to_their_rows():
    np.testing.assert_array_equal(at(MERGE, 0, -1), at(SPLIT, 0, 0))
    np.testing.assert_array_equal(at(MERGE, 1, 0), at(SPLIT, 1, -1))
    assert len(data_of(MERGE)["at"][0]) == 3


def test_a_plain_reshape_mixes_the_tokens_up():
    """Head 0 gets the rows of tokens 0 and 1; only the first three and the last three numbers are in place."""
    data = data_of(PLAIN)
    assert [len(frames) for frames in data["at"]] == [2, 2]
    assert "18 of 24 numbers are in the wrong place" in data["said"][0][-1]
    assert "head 0 has numbers of tokens 0, 1; head 1 has numbers of tokens 2, 3" in data["said"][0][-1]
    assert data["wrong"][0].count("M") == 18
    assert data_of(SPLIT)["wrong"] == ["", ""]
    assert "Block 0: 0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105." in PLAIN.words
    places = at(PLAIN, 0, -1)
    assert tuple(places[3]) == (456, 46 + 24)  # number 3 is below number 0
    assert tuple(places[12]) == (456, 46 + 4 * 24 + 14)  # number 200 begins head 1


def test_a_wrong_merge_is_named():
    def merge_heads(X):
        return X.reshape(4, 6)

    said = data_of(reshape_steps(merge_heads, back=True))["said"][0]
    assert "row 0 has numbers of tokens 0, 1" in said[-1]


def test_still_numbers_stand_where_the_script_ends():
    texts = [group for group in groups(SPLIT, "still")]
    drawn = [(int(text.text), float(text.get("x")) - 21, float(text.get("y")) - 17) for text in texts]
    moved = [(int(label), *at(SPLIT, 0, frame)[k]) for frame in range(3) for k, label in enumerate(LABELS.ravel())]
    assert sorted(drawn) == sorted(moved)


def test_a_colour_belongs_to_a_token():
    cells = [rect.get("class") for rect in drawing(SPLIT).iter() if rect.get("rx") == "3"]
    assert cells == [f"token-{label // 100}" for label in LABELS.ravel()]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (unwritten, "not written yet. This is where the numbers should go."),
        (lambda X, n_heads: X, "returns shape (4, 6) where (2, 4, 3) is expected. This is where"),
        (lambda X, n_heads: np.zeros((n_heads, 4, 6 // n_heads)), "not return each number once. This is where"),
    ],
)
def test_without_numbers_the_picture_says_their_goal(function, words):
    picture = reshape_steps(function)
    assert words in data_of(picture)["said"][0][-1]
    np.testing.assert_array_equal(at(picture, 0, -1), at(SPLIT, 0, -1))
    assert len(data_of(picture)["at"][0]) == 2
    assert data_of(picture)["wrong"] == ["", ""]


def test_a_function_right_for_one_number_of_heads():
    def split_heads(X, n_heads):
        return plain_reshape(X, n_heads) if n_heads == 3 else reference.split_heads(X, n_heads)

    data = data_of(reshape_steps(split_heads))
    assert [len(frames) for frames in data["at"]] == [2, 2]
    assert data["wrong"][0] == "" != data["wrong"][1]
