"""The worked examples of unit 04: right numbers are right, printed ones wrong where the text says so."""

import numpy as np
from numpy.testing import assert_allclose

from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND, MASKED_LAYER, PRINTED_LAYER, WIDE_HEADS
from transformer_kit.experiments.leaks import leakage
from transformer_kit.experiments.whole_model.ablations import with_attention, without_head
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.parameters import init_attention
from transformer_kit.trained.model import load_model

EXACT = {"rtol": 0, "atol": 1e-12}
THREE_DECIMALS = {"rtol": 0, "atol": 5e-4}


def test_by_hand():
    output, weights = reference.multi_head_attention(BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    assert_allclose(weights, BY_HAND.weights, **EXACT)
    assert_allclose(output, BY_HAND.output, **EXACT)
    values = reference.split_heads(BY_HAND.X_memory @ BY_HAND.params.W_V, BY_HAND.n_heads)
    assert_allclose((weights @ values)[..., 0], BY_HAND.heads, **EXACT)


def test_the_right_product_of_the_printed_layer():
    assert_allclose(PRINTED_LAYER.concat @ PRINTED_LAYER.W_O, PRINTED_LAYER.output, **EXACT)


def test_every_entry_of_the_printed_product_is_wrong():
    assert np.abs(PRINTED_LAYER.printed_output - PRINTED_LAYER.output).min() > 0.05


def test_one_printed_entry_comes_from_two_exchanged_numbers():
    """The second column of W_O with its rows 1 and 2 exchanged gives the printed 2.032."""
    column = PRINTED_LAYER.W_O[[0, 2, 1, 3], 1]
    assert_allclose(PRINTED_LAYER.concat[0] @ column, PRINTED_LAYER.printed_output[0, 1], **THREE_DECIMALS)
    assert abs(PRINTED_LAYER.concat[1] @ column - PRINTED_LAYER.printed_output[1, 1]) > 0.005


def test_the_printed_layer_does_not_keep_its_width():
    n_heads, d_v = PRINTED_LAYER.n_heads, PRINTED_LAYER.concat.shape[1] // PRINTED_LAYER.n_heads
    assert PRINTED_LAYER.W_O.shape == (n_heads * d_v, 2)
    assert PRINTED_LAYER.W_O.shape[1] != PRINTED_LAYER.d_model


def test_wide_heads_together_have_twice_the_width():
    concat = np.concatenate([WIDE_HEADS.head_0, WIDE_HEADS.head_1])
    assert len(concat) == WIDE_HEADS.n_heads * WIDE_HEADS.d_model


def test_the_completed_masked_layer():
    layer = MASKED_LAYER
    assert_allclose((layer.X @ layer.params.W_Q)[:, :4], layer.Q_of_head_0, **EXACT)
    _, weights = reference.multi_head_attention(layer.X, layer.X, layer.params, 2, reference.causal_mask(2))
    assert_allclose(weights[:, 0], [[1, 0], [1, 0]])
    assert weights[:, 1].min() > 0.01  # the second token sees both
    wrong = reference.masked_softmax(layer.scores * np.sqrt(4 / 8), reference.causal_mask(2))
    assert_allclose(wrong, layer.wrong_weights, rtol=0, atol=6e-7)


LAST, PLACE = "decoder.1.cross_attention.weights", "decoder.1.cross_attention"


def test_one_head_looks_at_the_cats():
    """What `heads-on-cats` says, and that all heads look at them while *gatos* is written."""
    cats = watched("I like cats.", load_model(), reference)
    assert cats.written == ["me", "gustan", "los", "gatos", ".", "<eos>"]
    gustan = cats.parts[LAST][0][:, 1]
    assert [cats.source[i] for i in gustan.argmax(axis=1)] == ["like", "like", "cats", "like"]
    assert round(100 * gustan[2, 2]) == 89
    assert (cats.parts[LAST][0][:, 3].argmax(axis=1) == 2).all()


def test_without_that_head_the_plural_is_lost():
    """The payoff, run on one function for all attentions, as the notebook does."""
    functions = with_attention(reference, reference.multi_head_attention)
    written = [
        " ".join(watched("I like cats.", without_head(load_model(), PLACE, head), functions).written[:-1])
        for head in range(4)
    ]
    assert written == [
        "a mí me gustan los gatos .",
        "a mí me gustan los gatos .",
        "me gusta el gatos .",
        "me gustan los gatos .",
    ]


def test_the_silent_bug_hides_too_much_without_leaking():
    drawn = init_attention(np.random.default_rng(4), d_model=8, n_heads=2)
    X = np.random.default_rng(6).standard_normal((6, 8))

    def colleagues_layer(X):
        Q, K, V = ((X @ W).reshape(2, len(X), 4) for W in (drawn.W_Q, drawn.W_K, drawn.W_V))
        heads, _ = reference.masked_attention(Q, K, V, reference.causal_mask(len(X)))
        return heads.reshape(len(X), 8) @ drawn.W_O

    assert reference.first_leak(colleagues_layer, X) is None
    moved = leakage(colleagues_layer, X) > 1e-9
    assert (moved == np.kron(np.eye(2), np.tri(3)).astype(bool)).all()


def test_the_wrong_root_evens_the_weights():
    """The numbers that the reply to `wrong-root` gives."""
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((500, 1, 8)), rng.standard_normal((500, 10, 8))
    scores = reference.attention_scores(Q, K)
    right, wrong = (reference.softmax(s).max(axis=-1).mean() for s in (scores, scores * np.sqrt(1 / 8)))
    assert (round(right, 2), round(wrong, 2)) == (0.31, 0.16)
