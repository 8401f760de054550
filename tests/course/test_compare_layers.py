"""`compare_layers` names the first part that differs, the functions at work there, and the mistake."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import compare_layers
from autograder.evaluation.cause import Cause
from autograder.exercises.layers import Comparison, at_work, in_words
from autograder.feedback.finding import of_cause
from autograder.registry import find
from transformer_kit import reference

NAMES = (
    "embed",
    "positional_encoding",
    "add_positions",
    "padding_mask",
    "causal_mask",
    "multi_head_attention",
    "cross_attention",
    "position_wise_ffn",
    "layer_norm",
)


def right(**changed):
    """Return the reference's functions with some of them changed."""
    return SimpleNamespace(**{name: getattr(reference, name) for name in NAMES} | changed)


def test_right_functions_are_right_everywhere():
    report = compare_layers(right())
    assert (report.first, report.mistakes, report.verdicts) == (None, (), ())
    assert all(part.difference == 0 for part in report.parts)
    assert str(report).startswith("All 29 parts of the trained model are right, but these functions are the course's")
    assert report.from_course == NAMES
    assert report._repr_html_().count("PASS") == len(report.parts) == 29


def test_other_precisions_and_eps_are_right():
    def layer_norm(X, gamma, beta, eps=1e-6):
        return reference.layer_norm(X.astype(np.float64), gamma, beta, eps)

    report = compare_layers(right(layer_norm=layer_norm))
    assert report.first is None
    assert "layer_norm" not in report.from_course
    assert 0 < max(part.difference for part in report.parts) < 5e-4


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("embed", "source"),
        ("positional_encoding", "source"),
        ("layer_norm", "encoder.0.norm_1"),
        ("position_wise_ffn", "encoder.0.ffn"),
        pytest.param("multi_head_attention", "encoder.0.attention", marks=pytest.mark.exhaustive),
        ("causal_mask", "decoder.0.self_attention"),
        pytest.param("cross_attention", "decoder.0.cross_attention", marks=pytest.mark.exhaustive),
    ],
)
def test_known_mistakes_are_named(name, first):
    """Those that do not show at once show later, or not at all: the model has no odd width, for example."""
    reports = {known: compare_layers(right(**{name: known.function})) for known in find(name).mistakes}
    shown = {known: report for known, report in reports.items() if report.first == first}
    assert len(shown) >= 3
    for known, report in shown.items():
        assert report.mistakes == ((name, known.id),)
        named = of_cause(Cause((known,)), find(name))
        assert f"{named.title} {known.why} See notebook" in str(report).replace("Most likely cause", "Cause")
        assert report.parts[-1].name == first


def test_an_error_is_told_where_it_came_up():
    def position_wise_ffn(X, params):
        raise RuntimeError("no such matrix")

    report = compare_layers(right(position_wise_ffn=position_wise_ffn))
    assert report.first == "encoder.0.ffn"
    assert "RuntimeError: no such matrix" in str(report)
    assert [part.right for part in report.parts] == [True] * (len(report.parts) - 1) + [False]


def test_shapes_and_infinities_are_told():
    flat = compare_layers(right(embed=lambda ids, E: E[ids][0], add_positions=lambda X, P: X))
    assert "expected shape (2, 7, 64), got (7, 64)" in str(flat)
    nan = compare_layers(right(layer_norm=lambda X, gamma, beta: X * np.nan))
    assert (nan.first, "not finite" in str(nan)) == ("encoder.0.norm_1", True)


def test_a_mistake_that_no_check_knows():
    def layer_norm(X, gamma, beta, eps=1e-5):
        return reference.layer_norm(X, gamma, beta, eps) * (1 if X.shape[-1] < 64 else 1.01)

    report = compare_layers(right(layer_norm=layer_norm))
    assert (report.first, report.mistakes) == ("encoder.0.norm_1", ())
    assert "find nothing" in str(report)

    def near(X, gamma, beta, eps=1e-5):
        return reference.layer_norm(X, gamma, beta, eps) * math.cosh(0.1)

    report = compare_layers(right(layer_norm=near))
    assert "`layer_norm` gets" in str(report)
    assert report.verdicts[0].points < report.verdicts[0].exercise.points


def test_a_helper_is_found_beside_its_caller():
    space = {name: getattr(reference, name) for name in dir(reference)} | {"np": np}
    space["attention_scores"] = find("attention_scores").mistakes[0].function
    code = """
def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(attention_scores(Q, K), mask)
    return weights @ V, weights
def multi_head_attention(X, memory, params, n_heads, mask=None):
    Q, K, V = (split_heads(A @ W, n_heads) for A, W in zip((X, memory, memory), params[:3]))
    heads, weights = masked_attention(Q, K, V, None if mask is None else mask[..., None, :, :])
    return merge_heads(heads) @ params.W_O, weights
"""
    exec(code, space)
    report = compare_layers(right(multi_head_attention=space["multi_head_attention"]))
    assert report.first == "encoder.0.attention"
    assert [name for name, _ in report.mistakes] == ["attention_scores"]


def test_every_part_has_its_functions_and_its_words():
    parts = [part.name for part in compare_layers(right()).parts]
    assert {at_work(part)[-1] for part in parts if part != "logits"} == {
        *("add_positions", "multi_head_attention", "layer_norm", "position_wise_ffn", "cross_attention"),
    }
    assert at_work("logits") == ()  # the trace multiplies them itself
    assert in_words("encoder.1.norm_2") == "encoder layer 1, norm_2"
    assert in_words("decoder.0.cross_attention.weights") == "decoder layer 0, cross-attention weights"
    assert in_words("target") == "the input of the decoder"
    assert all(in_words(part) for part in parts)
    assert isinstance(compare_layers(right()), Comparison)
