"""What a claim can require through `call`: the words when it is not so, and what comes back when it is."""

from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.trials import Call, Failed, Trial, call_text
from autograder.execution.call import LocalRunner
from autograder.exercises.inputs import random_mask, require_slopes, table_of
from autograder.registry import find
from transformer_kit import reference
from transformer_kit.parameters import LayerCache, init_decoder_layer
from transformer_kit.trained.model import load_model

X = np.arange(6.0).reshape(2, 3)


def call_of(name, function):
    """Make the call that a claim about the exercise `name` would be given for a learner's function."""
    exercise = find(name)
    return Call(exercise, LocalRunner(function, signature(exercise.reference)))


@pytest.mark.parametrize(
    ("came", "words"),
    [
        (X.T, "expected an array of numbers of shape (2, 3), got an array of shape (3, 2) and dtype float64."),
        (X > 2, "expected an array of numbers of shape (2, 3), got an array of shape (2, 3) and dtype bool."),
        (None, "expected an array of numbers of shape (2, 3), got None."),
        (3, "expected an array of numbers of shape (2, 3), got 3 (int)."),
    ],
)
def test_array(came, words):
    with pytest.raises(Failed) as failed:
        call_of("softmax", lambda x, axis=-1: came).array((2, 3), X)
    assert failed.value.text == words


def test_array_returns_the_result_and_checks_its_kind():
    call = call_of("softmax", lambda x, axis=-1: np.full(x.shape, axis))
    assert call.array((2, 3), X, axis=0).tolist() == [[0, 0, 0], [0, 0, 0]]
    with pytest.raises(Failed, match="dtype int64"):
        call.array((2, 3), X, kinds="f")


class NoRow(ValueError):
    """A learner's own kind of error."""


@pytest.mark.parametrize("kind", [ValueError, NoRow, np.exceptions.AxisError, np.linalg.LinAlgError])
def test_a_kind_of_value_error_refuses(kind):
    def embed(token_ids, E):
        raise kind(f"no row for {token_ids.max()}")

    call_of("embed", embed).refuses(np.array([7]), X, mentions=[7])


@pytest.mark.parametrize("kind", [IndexError, Exception, KeyError])
def test_another_kind_of_error_refuses_nothing(kind):
    def embed(token_ids, E):
        raise kind("no row for 7")

    with pytest.raises(Failed, match=r"^expected a ValueError, got "):
        call_of("embed", embed).refuses(np.array([7]), X, mentions=[7])


def test_a_table_is_not_all_the_same():
    call = call_of("softmax", lambda x, axis=-1: x)
    assert table_of(call, (2, 3), X).tolist() == X.tolist()
    with pytest.raises(Failed, match=r"^every entry of the result is the same, 1.0\.$"):
        table_of(call, (2,), np.ones(2))


def test_is_array_names_the_result_and_wants_booleans():
    call = call_of("softmax", reference.softmax)
    assert call.is_array(X, (2, 3), name="weights") is X
    mask = X > 2
    assert call.is_array(mask, (2, 3), "b") is mask
    with pytest.raises(Failed, match=r"^cross: expected booleans of shape \(2, 3\), got an array of shape \(2, 3\)"):
        call.is_array(X, (2, 3), "b", "cross")


@pytest.mark.parametrize("came", [(X, X, X), X, None, (X,)])
def test_results(came):
    call = call_of("scaled_dot_product_attention", lambda Q, K, V: came)
    with pytest.raises(Failed, match=r"^expected 2 results in this order: output, weights. Got "):
        call.results(X, X, X)


def test_agrees_in_looks_at_one_result_only():
    def attention(Q, K, V):
        output, weights = reference.scaled_dot_product_attention(Q, K, V)
        return output, weights / 2

    call = call_of("scaled_dot_product_attention", attention)
    call.agrees_in(0, X, X, V=X)
    with pytest.raises(Failed, match=r"^weights: ") as failed:
        call.agrees_in(1, X, X, V=X)
    assert failed.value.difference.result == "weights"


def test_equals_is_as_strict_as_the_precision():
    call, returned = call_of("softmax", reference.softmax), find("softmax").returns[0]
    call.equals(X + 1e-5, X, returned, (X.astype(np.float32),))
    with pytest.raises(Failed):
        call.equals(X + 1e-5, X, returned, (X,))


def test_slopes():
    """The gradients of gamma and beta, in this order, of a layer norm; one of them is wrong the second time."""
    call, gamma, beta = call_of("layer_norm_backward", reference.layer_norm_backward), np.ones(3), np.zeros(3)
    gradients = call(X, X, gamma)

    def loss(X_moved, gamma, beta):
        return (X * reference.layer_norm(X_moved, gamma, beta)).sum()

    require_slopes(call, gradients, loss, (X, gamma, beta))
    with pytest.raises(Failed, match=r"^d_beta differs from the central difference by up to 1"):
        require_slopes(call, (*gradients[:2], gradients[2] + 1), loss, (X, gamma, beta))


def test_random_masks_show_two_and_hide_one():
    mask = random_mask(np.random.default_rng(0), 40, 5, 3)
    visible = mask.sum(axis=-1)
    assert mask.shape == (40, 5, 3)
    assert (visible == 2).all()
    assert set(random_mask(np.random.default_rng(1), 100, 5).sum(axis=-1)) == {2, 3, 4}


def test_a_whole_model_is_described_in_one_line():
    """A call says how many layers and words there are, not what is in them."""
    model = load_model()._replace(target_words=("a", "b"))
    args = np.zeros((2, 3), int), np.ones((2, 3), bool), model
    text = call_text(find("encode_source"), Trial(args, {}, None))
    assert f"source_embedding: float32 ({len(model.source_vocabulary)}, 64)" in text
    assert "encoder: 2 EncoderLayerParams, decoder: 2 DecoderLayerParams, output_projection=None" in text
    assert f"source_vocabulary: {len(model.source_vocabulary)} entries, target_words=('a', 'b')" in text
    assert len(text) < 500


def test_a_call_with_a_layer_stays_readable():
    params = init_decoder_layer(np.random.default_rng(0), d_model=4, n_heads=2, d_ff=6)
    text = call_text(find("decoder_layer"), Trial((np.zeros((3, 4)), np.zeros((5, 4)), params, 2), {}, None))
    assert text.startswith("decoder_layer(X: float64 (3, 4), memory: float64 (5, 4), params: DecoderLayerParams(")
    assert "self_attention: AttentionParams, norm_1: LayerNormParams, " in text
    cache = (LayerCache(*(np.zeros((1, 2, n, 2)) for n in (3, 3, 5, 5))),) * 2
    text = call_text(
        find("cached_decode_step"), Trial((np.zeros(1, int), cache, np.ones((1, 5), bool), None), {}, None)
    )
    assert (
        "cache: 2 x LayerCache(K: float64 (1, 2, 3, 2), V: float64 (1, 2, 3, 2), K_source: float64 (1, 2, 5, 2)" in text
    )
