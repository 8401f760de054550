"""What notebook 06 says of the trained encoder's hidden units, and of a backward pass with a bug."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from transformer_kit import corpus, reference
from transformer_kit.experiments import one_network
from transformer_kit.experiments.corners import learn_a_curve
from transformer_kit.experiments.whole_model.hidden_units import answers, hidden_layer
from transformer_kit.experiments.whole_model.one_change import count_right, only_in_the_first_layer
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.parameters import FeedForwardParams
from transformer_kit.trained.model import load_model

MODEL = load_model()


@pytest.fixture(scope="module")
def hidden():
    return hidden_layer(MODEL, layer=1)


def test_few_units_are_on_at_a_word(hidden):
    assert hidden.numbers.shape == (len(hidden.words), 256)
    assert 4.5 < (hidden.numbers > 0).sum(axis=1).mean() < 5.5
    assert 0 < (~(hidden.numbers > 0).any(axis=0)).sum() < 15


def test_a_unit_for_object_pronouns(hidden):
    found = answers(hidden, unit=39)
    assert list(found)[:4] == ["them", "us", "me", "him"]
    assert list(found.values())[2] > 1 > 0.1 > list(found.values())[4]


def test_other_units_that_the_notebook_names(hidden):
    assert list(answers(hidden, unit=106, most=2)) == ["give", "gave"]
    assert [next(iter(answers(hidden, unit))) for unit in (88, 126)] == ["why", "there"]
    numbers = answers(hidden_layer(MODEL, layer=0), unit=26, most=4)
    assert set(numbers) == {"five", "ten", "quarter", "twenty"}


def test_the_hidden_layer_is_that_of_the_model():
    (sentence,) = corpus.load("new", 1)
    found = hidden_layer(MODEL, 1, n_sentences=1)
    assert found.words == list(sentence.english)
    params, parts = MODEL.encoder[1].ffn, watched(" ".join(sentence.english), MODEL).parts
    assert_allclose(found.numbers @ params.W_2 + params.b_2, parts["encoder.1.ffn"][0], rtol=0, atol=1e-3)


def without_bend(X, params):
    return (X @ params.W_1 + params.b_1) @ params.W_2 + params.b_2


def test_the_nonlinearity_matters_more_than_the_network():
    assert count_right(position_wise_ffn=only_in_the_first_layer(reference.position_wise_ffn)) == 39
    assert count_right(position_wise_ffn=only_in_the_first_layer(lambda X, params: 0 * X)) == 32
    assert count_right(position_wise_ffn=only_in_the_first_layer(without_bend)) == 0


def test_without_nonlinearity_the_network_adds_fifteenfold():
    params, X = MODEL.encoder[0].ffn, watched("Where are the big villages?", MODEL).parts["encoder.0.norm_1"][0]
    assert 240 < (X @ params.W_1 + params.b_1 < 0).sum(axis=1).mean() < 253
    lengths = [np.linalg.norm(f(X, params), axis=1).mean() for f in (without_bend, reference.position_wise_ffn)]
    assert 13 < lengths[0] / lengths[1] < 17
    assert lengths[0] > 10 * np.linalg.norm(X, axis=1).mean()


def hurried_backward(d_output, X, params):
    """Close ReLU by the sign of the gradient, as in the notebook."""
    before = X @ params.W_1 + params.b_1
    d_hidden = d_output @ params.W_2.T
    d_before = d_hidden * (d_hidden > 0)
    d_W_2, d_b_2 = np.maximum(before, 0).T @ d_output, d_output.sum(axis=0)
    return d_before @ params.W_1.T, FeedForwardParams(X.T @ d_before, d_before.sum(axis=0), d_W_2, d_b_2)


def test_the_bug_spoils_two_of_four_gradients():
    backwards = hurried_backward, reference.ffn_backward
    wrong, right = (one_network.gaps(reference.position_wise_ffn, backward) for backward in backwards)
    assert max(right.values()) < 1e-7
    assert [name for name, gap in wrong.items() if gap > 0.1] == ["X", "W_1", "b_1"]


def test_one_word_moves_one_row_of_the_network():
    """And all rows of attention."""
    shown = one_network.moved_by_one_word(reference.scaled_dot_product_attention, reference.position_wise_ffn)
    attended, moved = (panel.array for panel in shown.panels)
    assert np.argwhere(moved.any(axis=1)).ravel().tolist() == [one_network.CHANGED]
    assert attended.any(axis=1).all()


def test_approximations_of_gelu_have_the_stated_error():
    x = np.linspace(-8, 8, 16001)
    with_tanh = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    with_sigmoid = x / (1 + np.exp(-1.702 * x))
    off = [np.abs(form - reference.gelu(x)).max() for form in (with_tanh, with_sigmoid)]
    assert_allclose(off, [0.00047, 0.0203], rtol=0.01)


def test_no_network_learns_with_it():
    learning = learn_a_curve(reference.position_wise_ffn, hurried_backward)
    assert learning.losses[-1] > learning.losses[0] > 100 * learning.expected
