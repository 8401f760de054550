"""The known mistakes of `project_memory`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 5.2: project_memory"
SOURCES = "Same source, two projections"
LAYOUT = "Where the heads go"

MISTAKES = KnownMistakes()


def _projected(memory, params, n_heads, split=reference.split_heads):
    return split(memory @ params.W_K, n_heads), split(memory @ params.W_V, n_heads)


@MISTAKES.add(where=SOURCES)
def values_with_W_K(memory, params, n_heads):
    """The values are made with W_K, like the keys.

    What makes a token easy to find and what it has to say are two different things, so the model learns two
    matrices.
    """
    K, _ = reference.project_memory(memory, params, n_heads)
    return K, K


@MISTAKES.add(where=SOURCES)
def keys_with_W_Q(memory, params, n_heads):
    """The keys are made with W_Q.

    W_Q turns decoder states into queries. Keys come from the memory and have a matrix of their own.
    """
    return reference.project_memory(memory, params._replace(W_K=params.W_Q), n_heads)


@MISTAKES.add(where=SECTION)
def results_exchanged(memory, params, n_heads):
    """The values come first and the keys second.

    The order is K, V. With equal widths nothing would complain, and everything after it would be wrong.
    """
    return reference.project_memory(memory, params, n_heads)[::-1]


@MISTAKES.add(where=SOURCES)
def values_from_keys(memory, params, n_heads):
    """The values are made from the keys.

    Both projections start from the memory. Neither of them uses the result of the other.
    """
    K = memory @ params.W_K
    return reference.split_heads(K, n_heads), reference.split_heads(K @ params.W_V, n_heads)


@MISTAKES.add(where=SOURCES)
def not_projected(memory, params, n_heads):
    """The memory itself serves as keys and as values.

    Keys and values have the same source, but they are not equal to it: each is the memory times a learned matrix.
    """
    heads = reference.split_heads(memory, n_heads)
    return heads, heads


@MISTAKES.add(where=LAYOUT)
def memory_split(memory, params, n_heads):
    """The memory is cut into heads before it is projected.

    Every head sees the whole vector of every token. What is cut into heads is the result of the projection.
    """
    pieces = np.split(memory, n_heads, axis=-1)

    def per_head(W):
        blocks = [np.split(rows, n_heads, axis=1)[h] for h, rows in enumerate(np.split(W, n_heads, axis=0))]
        return np.stack([piece @ block for piece, block in zip(pieces, blocks, strict=True)], axis=-3)

    return per_head(params.W_K), per_head(params.W_V)


@MISTAKES.add(where=LAYOUT)
def reshaped(memory, params, n_heads):
    """The array is reshaped to heads and tokens at once, without moving an axis.

    A reshape keeps the order of the numbers in memory, so numbers of different tokens end up in one head. Split the
    last axis first, then exchange axes.
    """

    def split(X, n_heads):
        *lead, n, d = X.shape
        return X.reshape(*lead, n_heads, n, d // n_heads)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=LAYOUT)
def interleaved(memory, params, n_heads):
    """Every n_heads-th column goes to the same head.

    Heads are contiguous slices: head 0 has the first columns, head 1 the next ones.
    """

    def split(X, n_heads):
        *lead, n, d = X.shape
        return np.moveaxis(X.reshape(*lead, n, d // n_heads, n_heads), -1, -3)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=LAYOUT)
def heads_not_moved(memory, params, n_heads):
    """The axis of the heads comes after that of the tokens.

    Attention works on the last two axes, and these must be tokens and width. So the heads go before the tokens.
    """

    def split(X, n_heads):
        *lead, n, d = X.shape
        return X.reshape(*lead, n, n_heads, d // n_heads)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=LAYOUT)
def not_split(memory, params, n_heads):
    """The projections are not split into heads.

    All heads side by side would be one wide head. Your `split_heads` of unit 04 cuts them apart.
    """
    return memory @ params.W_K, memory @ params.W_V


@MISTAKES.add(where=LAYOUT)
def heads_first(memory, params, n_heads):
    """The axis of the heads is always the first one.

    For one sentence that is right. In a batch the sentences come first, and the heads stand just before the tokens.
    """
    return _projected(memory, params, n_heads, lambda X, H: np.stack(np.split(X, H, axis=-1)))


@MISTAKES.add(where=LAYOUT)
def one_batch_axis(memory, params, n_heads):
    """Exactly one batch axis is taken for granted.

    One sentence alone has no batch axis, and there may be two of them. Count axes from the end.
    """

    def split(X, n_heads):
        return X.reshape(X.shape[0], X.shape[1], n_heads, -1).transpose(0, 2, 1, 3)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=LAYOUT)
def width_of_model(memory, params, n_heads):
    """The width of a head is taken to be d_model / n_heads.

    That is usual but not necessary. The columns of the matrices say how wide the heads are.
    """

    def split(X, n_heads):
        return X.reshape(*X.shape[:-1], n_heads, memory.shape[-1] // n_heads).swapaxes(-2, -3)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=LAYOUT)
def width_of_keys(memory, params, n_heads):
    """The values are taken to be as wide as the keys.

    Keys must fit the queries, values need not. The columns of W_V say how wide they are.
    """

    def split(X, n_heads):
        return X.reshape(*X.shape[:-1], n_heads, params.W_K.shape[1] // n_heads).swapaxes(-2, -3)

    return _projected(memory, params, n_heads, split)


@MISTAKES.add(where=SECTION)
def scaled(memory, params, n_heads):
    """The keys are divided by the square root of d_k.

    The attention that uses them divides the scores already, so it would happen twice.
    """
    K, V = reference.project_memory(memory, params, n_heads)
    return K / np.sqrt(K.shape[-1]), V


@MISTAKES.add(where=SOURCES)
def values_not_projected(memory, params, n_heads):
    """The memory itself serves as values.

    Values have a learned matrix of their own, like the keys. It decides what a token has to say.
    """
    K, _ = reference.project_memory(memory, params, n_heads)
    return K, reference.split_heads(memory.copy(), n_heads)


@MISTAKES.add(where=SOURCES)
def weights_transposed(memory, params, n_heads):
    """The matrices are transposed first.

    In this course a weight matrix has one row for every input, so a token can be multiplied by it as it stands.
    """
    return _projected(memory, params._replace(W_K=params.W_K.T, W_V=params.W_V.T), n_heads)


@MISTAKES.add(where=LAYOUT)
def keys_transposed(memory, params, n_heads):
    """The keys are transposed already.

    The attention that uses them does that. Here each token keeps its row, as in the values.
    """
    K, V = reference.project_memory(memory, params, n_heads)
    return K.swapaxes(-1, -2), V


@MISTAKES.add(where=LAYOUT)
def tokens_last(memory, params, n_heads):
    """Keys and values have one column for each token instead of one row.

    The last axis is the width of a head, and the tokens stand before it.
    """
    return tuple(result.swapaxes(-1, -2) for result in reference.project_memory(memory, params, n_heads))


@MISTAKES.add(where=LAYOUT)
def two_axes_only(memory, params, n_heads):
    """The memory is taken to have exactly two axes.

    There may be a batch, or more, in front. Count axes from the end, and leave those in front alone.
    """

    def split(X, n_heads):
        return X.reshape(len(X), n_heads, -1).transpose(1, 0, 2)

    return _projected(memory, params, n_heads, split)
