"""Pictures that move: every frame against what was recorded or computed, and what a wrong function looks like."""

import re

import numpy as np
import pytest

from tests.support.pictures import MAX_BYTES, data_of, drawing
from tests.support.pictures_in_time import FILM, LEAKING, LEARNING, NORMS
from tests.support.pictures_in_time import IN_TIME as PICTURES
from tools.course import ROOT
from transformer_kit import corpus, reference
from transformer_kit.experiments.corners import D_FF, learn_a_curve
from transformer_kit.pictures import corners
from transformer_kit.pictures.frames import Moving, apart, dots, moving_picture, path


def captions(picture):
    return picture.words.splitlines()


def texts(picture):
    """Return what is written in the drawing."""
    return [element.text for element in drawing(picture).iter() if element.tag.endswith("text")]


def moving(picture, attribute):
    """Return the values of all frames for each element of which this attribute changes."""
    return [values for name, values in data_of(picture)["moving"] if name == attribute]


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_small_picture_has_a_line_per_frame(picture):
    data = data_of(picture)
    assert len(picture.html.encode()) < MAX_BYTES
    assert len(captions(picture)) == len(data["steps"]) > 10
    assert all(len(values) == len(data["steps"]) for _, values in data["moving"])
    assert all(line.startswith(f"Step {step}:") for line, step in zip(captions(picture), data["steps"], strict=True))


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_the_image_is_the_last_frame(picture):
    (group,) = (element for element in drawing(picture).iter() if element.get("class") == "moving")
    shown = [
        element.text if attribute == "text" else element.get(attribute)
        for element, (attribute, _) in zip(group, data_of(picture)["moving"], strict=True)
    ]
    assert shown == [str(values[-1]) for _, values in data_of(picture)["moving"]]


def test_a_moving_picture_by_hand():
    parts = [
        Moving('<path d="{}"/>', "d", [path([(0, 1), (2.4, 3.6)]), dots([(5, 7)])]),
        Moving("<text>{}</text>", "text", ["a", "b"]),
    ]
    picture = moving_picture("Two frames", (30, 20), "<g/>", parts, [0, 5], ["one", "two"])
    assert data_of(picture) == {"moving": [["d", ["M0 1L2 4", "M5 7h0"]], ["text", ["a", "b"]]], "steps": [0, 5]}
    assert '<g class="moving"><path d="M5 7h0"/><text>b</text></g>' in picture.svg
    assert captions(picture) == ["one", "two"]
    assert path([]) == ""
    assert apart([10, 40, 12], 5).tolist() == [10, 40, 15]


def test_the_network_learns_with_right_functions():
    assert LEARNING.stopped == ""
    assert LEARNING.losses[-1] == LEARNING.expected < 0.01 * LEARNING.losses[0]
    assert np.diff(LEARNING.losses).max() < 0
    assert LEARNING.steps[0] == 0
    assert np.sum(LEARNING.dead, axis=1)[[0, -1]].tolist() == [0, 1]  # one unit dies on the way
    assert captions(PICTURES["corners"])[0].endswith("always on: 0; dead: 0.")
    assert captions(PICTURES["corners"])[-1].endswith("always on: 1; dead: 1.")


def test_notebook_06_names_the_right_numbers():
    text = (ROOT / "solutions" / "06_feed_forward.py").read_text(encoding="utf-8")
    assert f"learns the grey curve in {LEARNING.steps[-1]:,} steps." in text
    assert f"So {D_FF} units can follow a curve in up to {D_FF + 1} straight pieces" in text
    assert len(LEARNING.dead[0]) == D_FF


def test_the_line_bends_only_at_the_corners():
    """A network of three units: one has its corner in the middle, one is always on, and one is dead."""
    learning = learn_a_curve(reference.position_wise_ffn, reference.ffn_backward, d_ff=3, steps=0)
    (x, heights), where = learning.lines[0], learning.corners[0]
    assert x.tolist() == [-3, *sorted(where[abs(where) < 3]), 3]
    params = reference_network(3)
    np.testing.assert_allclose(heights, reference.position_wise_ffn(x[:, None], params)[:, 0])
    assert len(learning.losses) == 1


def reference_network(d_ff):
    """Return the network before its first step, as a learner's function gets to see it."""
    seen = []

    def watched(X, params):
        seen.append(params)
        return reference.position_wise_ffn(X, params)

    learn_a_curve(watched, reference.ffn_backward, d_ff=d_ff, steps=0)
    return seen[0]


def test_every_unit_is_counted_once():
    corner, on, dead = (list(map(int, numbers)) for numbers in moving(PICTURES["corners"], "text")[2:])
    inside = [int((abs(where) < 3).sum()) for where in LEARNING.corners]
    assert corner == inside
    assert dead == [int(off.sum()) for off in LEARNING.dead]
    assert np.add(np.add(corner, on), dead).tolist() == [D_FF] * len(LEARNING.steps)


def test_the_corners_lie_on_line_and_trail():
    lines, marks = moving(PICTURES["corners"], "d")[0], moving(PICTURES["corners"], "d")[2]
    for line, mark in zip(lines, marks, strict=True):
        bends = re.findall(r"[\d-]+ [\d-]+", line)[1:-1]
        assert re.findall(r"[\d-]+ [\d-]+", mark)[: len(bends)] == bends
        assert mark.count("h0") == 2 * len(bends)


def backward(change):
    """Return an ffn_backward whose gradients of the parameters are changed."""

    def wrong(d_output, X, params):
        dX, gradients = reference.ffn_backward(d_output, X, params)
        return dX, change(gradients)

    return wrong


def flip(gradients):
    return type(gradients)(*(-gradient for gradient in gradients))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (backward(flip), r"The training stopped here. The reason: at step \d+ the loss is "),
        (backward(lambda g: g._replace(W_1=0 * g.W_1, b_1=0 * g.b_1)), "It does not learn as it should. With a right"),
        (backward(lambda g: g._replace(W_2=np.nan * g.W_2)), "The reason: at step 1 the loss is nan."),
        (backward(lambda g: g._replace(b_1=g.b_1[None])), r"the gradient of b_1 has the shape \(1, 16\), and b_1 has"),
        (backward(lambda g: g[:2]), "ValueError at step 0"),
        (lambda d_output, X, params: None, "ffn_backward has to return dX and the gradients"),
        (lambda d_output, X, params: d_output @ X, "ValueError at step 0: matmul"),
        (lambda d_output, X, params: np.add(X, 1, out=X), "ValueError at step 0: output array is read-only"),
        (lambda d_output, X, params: [][X.ndim], "IndexError at step 0: "),
    ],
    ids=["sign", "no first map", "nan", "shape", "two of four", "none", "raises", "in place", "index"],
)
def test_a_wrong_ffn_backward_is_seen(wrong, said):
    """Neither a traceback nor silence: the caption of the last frame says what is wrong, and what would be right."""
    learning = learn_a_curve(reference.position_wise_ffn, wrong, steps=500)
    picture = corners(learning)
    assert re.search(said, captions(picture)[-1])
    assert captions(picture)[-1].endswith(f"With a right ffn_backward the loss comes down to {learning.expected:.4f}.")
    assert {"The training stopped here.", "It does not learn as it should."} & set(texts(picture))
    assert not any("nan" in place for values in moving(picture, "d") for place in values)


@pytest.mark.parametrize("wrong", [lambda X, params: None, lambda X, params: X[:, 0], lambda X, params: X / 0 * 0])
@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value)")
def test_a_wrong_position_wise_ffn_is_told(wrong):
    picture = corners(learn_a_curve(wrong, reference.ffn_backward, steps=500))
    assert "The training stopped here." in captions(picture)[0]
    assert not any("nan" in place for values in moving(picture, "d") for place in values)


def test_a_message_of_two_lines_is_one_caption():
    def ffn_backward(d_output, X, params):
        raise ValueError("here\nand <there>")

    picture = corners(learn_a_curve(reference.position_wise_ffn, ffn_backward, steps=7))
    assert len(captions(picture)) == 1
    assert "ValueError at step 0: here and <there>." in captions(picture)[0]


def test_an_unwritten_function_is_left_to_the_notebook():
    def ffn_backward(d_output, X, params):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        learn_a_curve(reference.position_wise_ffn, ffn_backward)


def test_the_runs_are_those_of_the_recording():
    steps = np.array(data_of(PICTURES["norms"])["steps"])
    assert set(steps) <= set(NORMS.steps.tolist())
    assert steps[[0, -1]].tolist() == NORMS.steps[[0, -1]].tolist()
    for frame in (0, 7, len(steps) - 1):
        line, at = captions(PICTURES["norms"])[frame], int(np.flatnonzero(NORMS.steps == steps[frame])[0])
        for run, losses, gradients in zip(NORMS.runs, NORMS.loss, NORMS.gradient_norm, strict=True):
            loss = losses[max(at - 19, 0) : at + 1].mean()
            first, last = gradients[at, 0], gradients[at, -1]
            assert f"{run}: loss {loss:.2f}, gradient {first:.2g} in layer 0, {last:.2g} in the last" in line


def test_statements_on_the_first_ten_steps_are_true():
    """The gradients of one run alone fade on their way down."""
    first_layer = NORMS.gradient_norm[:, :, 0]
    assert (first_layer[:, 9] < 0.1 * first_layer[:, 0]).tolist() == [True, False, False]
    assert NORMS.gradient_norm[0, 9, 0] < 0.1 * NORMS.gradient_norm[0, 9, -1]
    assert np.isfinite(NORMS.loss).all()


def test_gradients_are_drawn_on_one_scale():
    """Two gradients that differ by a factor of 10 have the same distance in all panels."""
    picture = PICTURES["norms"]
    panels = [values for values in moving(picture, "d") if values[0].count("L") == NORMS.gradient_norm.shape[2] - 1]
    at = [int(np.flatnonzero(NORMS.steps == step)[0]) for step in data_of(picture)["steps"]]
    drawn = np.array([[[float(y) for y in re.findall(r" (\d+)", d)] for d in values] for values in panels])
    slope, start = np.polyfit(np.log10(NORMS.gradient_norm[:, at]).ravel(), drawn.ravel(), 1)
    assert drawn.shape == (3, len(at), NORMS.gradient_norm.shape[2])
    np.testing.assert_allclose(start + slope * np.log10(NORMS.gradient_norm[:, at]), drawn, atol=0.6)
    assert slope < 0


def test_the_film_is_that_of_the_recording():
    picture = PICTURES["film"]
    right = {corpus.spanish_text(words) for words in corpus.translations(tuple(FILM.english.tolist()))}
    assert data_of(picture)["steps"] == FILM.steps.tolist()
    for line, text, loss in zip(captions(picture), FILM.written, FILM.loss, strict=True):
        assert (f"“{text}”" if text else "it writes nothing.") in line
        assert line.endswith(f"The loss is {loss:.2f}.")
        assert ("This is right." in line) == (text in right)
    shades = np.array(moving(picture, "fill-opacity")).T.reshape(FILM.attention.mean(axis=1).shape)
    np.testing.assert_allclose(shades, FILM.attention.mean(axis=1), atol=0.0501)
    assert {*FILM.english.tolist(), *FILM.spanish.tolist()} <= set(texts(picture))
    assert f"mean of {FILM.attention.shape[1]} heads" in " ".join(filter(None, texts(picture)))


def test_the_leaking_runs_are_those_of_the_recording():
    picture = PICTURES["leaking"]
    for frame, line in enumerate(captions(picture)):
        for run, loss, share in zip(LEAKING.runs, LEAKING.development_loss, LEAKING.share_right, strict=True):
            assert f"{run}: loss {loss[frame]:.3f}, right {100 * share[frame]:.0f} %" in line
    assert all(f"“{english}”" in captions(picture)[-1] for english in LEAKING.english)
    assert set(LEAKING.english.tolist()) <= set(texts(picture))
