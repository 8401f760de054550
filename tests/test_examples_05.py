"""The worked examples of unit 05: right numbers are right, printed wrong ones are wrong where the course says so."""

import numpy as np
import pytest

from autograder.exercises.unit_05_cross_attention.questions import QUESTIONS
from autograder.questions import Choice, Numbers
from transformer_kit import reference
from transformer_kit.examples.attention import CATS
from transformer_kit.examples.translation import TRANSLATION, TWO_HEADS

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


def test_the_shapes_of_the_two_heads_do_not_fit_a_decoder():
    assert TWO_HEADS.W_O.shape[1] != TWO_HEADS.decoder.shape[1]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_every_answer_of_a_question_gets_its_own_reply(question):
    if isinstance(question, Choice):
        assert question.reply(question.right).right
        assert len(set(question.replies.values())) == len(question.replies)
        return
    assert isinstance(question, Numbers)
    assert question.reply(np.round(question.right(), 3)).right
    for value, text in question.wrong:
        assert (question.reply(value).right, question.reply(value).text) == (False, text)
        assert (question.reply(np.round(value, 3)).right, question.reply(np.round(value, 3)).text) == (False, text)
