"""The known mistakes of `position_wise_ffn` with its parameters and the shape of its result."""

from autograder.exercises.unit_06_feed_forward.position_wise_ffn_mistakes import SECTION, ffn
from autograder.specification import KnownMistakes
from transformer_kit.reference import relu

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def unpacked_in_another_order(X, params, activation=relu):
    """The parameters are taken for one another.

    They come as W_1, b_1, W_2, b_2. Ask for them by name, and you cannot mix them up.
    """
    W_1, W_2, b_1, b_2 = params
    return activation(X @ W_1 + b_1) @ W_2 + b_2


@MISTAKES.add(where=SECTION)
def biases_exchanged(X, params, activation=relu):
    """The two biases are swapped.

    A bias is as long as the output of its map: b_1 has d_ff numbers and b_2 has d_model.
    """
    return activation(X @ params.W_1 + params.b_2) @ params.W_2 + params.b_1


@MISTAKES.add(where=SECTION)
def bias_added_to_the_matrix(X, params, activation=relu):
    """The first bias is added to the matrix, not to the product.

    It is then multiplied by the sum of the token's features. The product comes first, and the bias is added to its
    result.
    """
    return activation(X @ (params.W_1 + params.b_1)) @ params.W_2 + params.b_2


@MISTAKES.add(where=SECTION)
def second_map_missing(X, params, activation=relu):
    """The hidden layer is returned: the second map is missing.

    The second map brings the d_ff numbers back to d_model, so that the result can be added to the token.
    """
    return activation(X @ params.W_1 + params.b_1)


@MISTAKES.add(where=SECTION)
def stays_flat(X, params, activation=relu):
    """All positions of all sequences come back as one long matrix.

    Once you merge the axes in front, you have to restore them. A matrix product leaves them alone anyway.
    """
    return ffn(X.reshape(-1, X.shape[-1]), params, activation)
