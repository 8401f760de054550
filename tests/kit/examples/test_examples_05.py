"""The worked examples of unit 05: right numbers are right, printed wrong ones are wrong where the course says so."""

import numpy as np
import pytest

from autograder.exercises.unit_05_cross_attention.questions import QUESTIONS
from autograder.questions import Choice
from transformer_kit import reference
from transformer_kit.examples.attention import CATS
from transformer_kit.examples.translation import TRANSLATION, TWO_HEADS
from transformer_kit.experiments.whole_model.batches import forgetful, translated_together, weight_where_hidden
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model

HALF_OF_THE_LAST_DIGIT = 0.5000001e-6


def close(got, stored):
    return np.allclose(got, stored, rtol=0, atol=HALF_OF_THE_LAST_DIGIT)


def two_heads():
    """Return Q, K and V of head 1, with the stored matrices transposed."""
    return (
        TWO_HEADS.decoder @ TWO_HEADS.W_Q.T,
        TWO_HEADS.key_input @ TWO_HEADS.W_K.T,
        TWO_HEADS.value_input @ TWO_HEADS.W_V.T,
    )


def test_the_translation_fits_together():
    T = TRANSLATION
    for words, vectors, is_token in (
        (T.source, T.memory, T.source_is_token),
        (T.target, T.decoder, T.target_is_token),
    ):
        assert vectors.shape == (*is_token.shape, T.params.W_Q.shape[0])
        assert [[word != "<pad>" for word in sentence] for sentence in words] == is_token.tolist()
    _, weights = reference.cross_attention(T.decoder[0], T.memory[0], T.params, T.n_heads)
    assert close(weights, T.weights)


def test_the_translation_says_what_the_text_says():
    """“Me” looks at “I”, and so on; a single wide head lets “los” look at “cats”."""
    T = TRANSLATION
    best, entropy = reference.alignment(T.weights)
    assert [T.source[0][s] for s in best] == ["I", "like", "cats", "cats", "black"]
    assert entropy.argmax() == T.target[0].index("los")
    _, alone = reference.cross_attention(T.decoder[0], T.memory[0], T.params, 1)
    assert alone[0, 2].argmax() == 3
    _, leaky = reference.cross_attention(T.decoder[1], T.memory[1], T.params, T.n_heads)
    assert (leaky[1, 1:4, 3] > 0.45).all()


def test_the_printed_contexts_of_i_like_cats():
    product = CATS.printed_weights @ CATS.E
    np.testing.assert_allclose(product[0], CATS.printed_output[0])
    np.testing.assert_allclose(product[1], [0.56, 0.66, 0.76, 0.86])
    assert np.abs(CATS.printed_output - CATS.output).min() > 0.01
    np.testing.assert_allclose(np.diff(CATS.output), 0.1)


def test_two_heads_right_numbers():
    Q, K, V = two_heads()
    assert close(Q, TWO_HEADS.Q)
    assert close(K, TWO_HEADS.K)
    assert close(V, TWO_HEADS.V)
    assert close(reference.attention_scores(Q, K), TWO_HEADS.scores)
    head_1, weights = reference.scaled_dot_product_attention(Q, K, V)
    assert close(weights, TWO_HEADS.weights)
    assert close(head_1, TWO_HEADS.head_1)
    assert close(np.concatenate([head_1, TWO_HEADS.head_2], axis=1) @ TWO_HEADS.W_O, TWO_HEADS.output)


def test_no_printed_transpose_is_one():
    """Entry (0, 1) was left in its place; W_Q has a second error, at (1, 1)."""
    for name, printed in TWO_HEADS.printed_transposes.items():
        W = getattr(TWO_HEADS, name)
        wrong = np.argwhere(printed != W.T).tolist()
        assert wrong == ([[0, 1], [1, 1]] if name == "W_Q" else [[0, 1]])
        assert printed[0, 1] == W[0, 1]


def test_the_printed_head_and_the_printed_product():
    assert (np.abs(TWO_HEADS.printed_head_1 - TWO_HEADS.head_1) > 0.006).all()
    assert np.abs(TWO_HEADS.printed_weights - TWO_HEADS.weights)[0].max() < 0.001
    heads = np.concatenate([TWO_HEADS.printed_head_1, TWO_HEADS.head_2], axis=1)
    product = heads @ TWO_HEADS.W_O
    np.testing.assert_allclose(product, [[2.061, 1.936], [2.159, 1.992]])
    assert (np.abs(product - TWO_HEADS.printed_output) > 0.05).all()
    exchanged = TWO_HEADS.W_O.copy()
    exchanged[[1, 2], 1] = exchanged[[2, 1], 1]
    np.testing.assert_allclose((heads @ exchanged)[0, 1], TWO_HEADS.printed_output[0, 1])


def test_the_shapes_of_both_heads_misfit_a_decoder():
    assert TWO_HEADS.W_O.shape[1] != TWO_HEADS.decoder.shape[1]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_every_answer_gets_its_own_reply(question):
    assert isinstance(question, Choice)
    assert question.reply(question.right).right
    told = {question.reply(letter).text for letter in question.letters}
    assert len(told) == len(question.letters)


@pytest.fixture(scope="module")
def car():
    return watched("The red car is new.", load_model(), reference)


def test_where_el_looks(car):
    """What `where-el-looks` says: 72 % and 24 %, three heads and one."""
    el = car.parts["decoder.1.cross_attention.weights"][0][:, 0]
    assert car.source[:3] == ["the", "red", "car"]
    assert np.rint(100 * el.mean(axis=0))[[0, 2]].tolist() == [72, 24]
    assert el.argmax(axis=1).tolist() == [0, 0, 2, 0]


def test_the_steps_of_one_head_match_the_model(car):
    memory, states = car.parts["encoder.1.norm_2"][0], car.parts["decoder.1.norm_1"][0]
    params = load_model().decoder[1].cross_attention
    own = slice(32, 48)
    Q, K, V = states @ params.W_Q[:, own], memory @ params.W_K[:, own], memory @ params.W_V[:, own]
    steps = [reference.context_vector(query, K, V)[1] for query in Q]
    np.testing.assert_allclose(steps, car.parts["decoder.1.cross_attention.weights"][0][2], atol=1e-6)


def test_alignment_is_least_decided_at_the_end(car):
    best, entropy = reference.alignment(car.parts["decoder.1.cross_attention.weights"][0])
    assert [car.source[s] for s in best] == ["the", "car", "red", "is", "new", ".", "."]
    words = np.exp(entropy)
    assert words[:-1].argmax() == 0
    assert words.argmax() == 6
    assert round(float(words[0]), 1) == 2.1


SENTENCES = "I am hungry.", "The table is big.", "The boy and the girl read the old book."
RIGHT = ["Tengo hambre.", "La mesa es grande.", "El niño y la niña leen el libro viejo."]


def test_the_silent_bug_shows_in_a_batch_only():
    """What `in-a-batch` says, and which mask is missing."""
    model, program = load_model(), forgetful(reference)
    assert [translated_together([one], model, program)[0] for one in SENTENCES] == RIGHT
    assert translated_together(SENTENCES, model, reference) == RIGHT
    hungry, table, longest = translated_together(SENTENCES, model, program)
    assert hungry.startswith("Tengo hambre el alto alto")
    assert table.startswith("La mesa es la feliz feliz")
    assert longest == RIGHT[2]
    shares = weight_where_hidden(SENTENCES, model, program, reference.translation_masks)
    assert {name for name, share in shares.items() if share > 0} == {
        "decoder.0.cross_attention",
        "decoder.1.cross_attention",
    }
    assert min(share for share in shares.values() if share) > 0.98
    assert not any(weight_where_hidden(SENTENCES, model, reference, reference.translation_masks).values())


def test_a_long_query_makes_additive_scores_equal():
    """What `long-query` says, with the numbers of the notebook."""
    rng = np.random.default_rng(5)
    query, keys = rng.standard_normal(4), rng.standard_normal((5, 6))
    W_a, U_a, v_a = rng.standard_normal((4, 8)), rng.standard_normal((6, 8)), rng.standard_normal(8)
    additive = np.tanh(64 * query @ W_a + keys @ U_a) @ v_a
    np.testing.assert_allclose(reference.softmax(additive), np.full(5, 0.2), atol=1e-6)
    assert abs(additive).max() <= abs(v_a).sum()
    assert reference.softmax(reference.attention_scores(64 * query[None], keys[:, :4])).max() > 0.999


def test_what_projecting_once_saves():
    assert 2 * 20 * 512**2 == 10_485_760
