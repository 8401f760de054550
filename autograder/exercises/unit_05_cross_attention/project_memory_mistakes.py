"""The known mistakes of `project_memory`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 5.2: project_memory"
SOURCES = "Same source, two projections"
LAYOUT = "Where the heads go"


def _projected(memory, params, n_heads, split=reference.split_heads):
    return split(memory @ params.W_K, n_heads), split(memory @ params.W_V, n_heads)


def _values_with_W_K(memory, params, n_heads):
    K, _ = reference.project_memory(memory, params, n_heads)
    return K, K


def _keys_with_W_Q(memory, params, n_heads):
    return reference.project_memory(memory, params._replace(W_K=params.W_Q), n_heads)


def _exchanged(memory, params, n_heads):
    return reference.project_memory(memory, params, n_heads)[::-1]


def _values_from_keys(memory, params, n_heads):
    K = memory @ params.W_K
    return reference.split_heads(K, n_heads), reference.split_heads(K @ params.W_V, n_heads)


def _not_projected(memory, params, n_heads):
    heads = reference.split_heads(memory, n_heads)
    return heads, heads


def _memory_split(memory, params, n_heads):
    """Every head multiplies its own slice of the memory with its block of the matrix."""
    pieces = np.split(memory, n_heads, axis=-1)

    def per_head(W):
        blocks = [np.split(rows, n_heads, axis=1)[h] for h, rows in enumerate(np.split(W, n_heads, axis=0))]
        return np.stack([piece @ block for piece, block in zip(pieces, blocks, strict=True)], axis=-3)

    return per_head(params.W_K), per_head(params.W_V)


def _reshaped(memory, params, n_heads):
    def split(X, n_heads):
        *lead, n, d = X.shape
        return X.reshape(*lead, n_heads, n, d // n_heads)

    return _projected(memory, params, n_heads, split)


def _interleaved(memory, params, n_heads):
    def split(X, n_heads):
        *lead, n, d = X.shape
        return np.moveaxis(X.reshape(*lead, n, d // n_heads, n_heads), -1, -3)

    return _projected(memory, params, n_heads, split)


def _heads_not_moved(memory, params, n_heads):
    def split(X, n_heads):
        *lead, n, d = X.shape
        return X.reshape(*lead, n, n_heads, d // n_heads)

    return _projected(memory, params, n_heads, split)


def _not_split(memory, params, n_heads):
    return memory @ params.W_K, memory @ params.W_V


def _heads_first(memory, params, n_heads):
    return _projected(memory, params, n_heads, lambda X, H: np.stack(np.split(X, H, axis=-1)))


def _one_batch_axis(memory, params, n_heads):
    def split(X, n_heads):
        return X.reshape(X.shape[0], X.shape[1], n_heads, -1).transpose(0, 2, 1, 3)

    return _projected(memory, params, n_heads, split)


def _width_of_model(memory, params, n_heads):
    def split(X, n_heads):
        return X.reshape(*X.shape[:-1], n_heads, memory.shape[-1] // n_heads).swapaxes(-2, -3)

    return _projected(memory, params, n_heads, split)


def _width_of_keys(memory, params, n_heads):
    def split(X, n_heads):
        return X.reshape(*X.shape[:-1], n_heads, params.W_K.shape[1] // n_heads).swapaxes(-2, -3)

    return _projected(memory, params, n_heads, split)


def _scaled(memory, params, n_heads):
    K, V = reference.project_memory(memory, params, n_heads)
    return K / np.sqrt(K.shape[-1]), V


MISTAKES = (
    Mistake(
        "values-with-W-K",
        "The values are made with W_K, like the keys",
        _values_with_W_K,
        "What makes a token easy to find and what it has to say are two different things, so the model learns "
        "two matrices.",
        SOURCES,
    ),
    Mistake(
        "keys-with-W-Q",
        "The keys are made with W_Q",
        _keys_with_W_Q,
        "W_Q turns decoder states into queries. Keys come from the memory and have a matrix of their own.",
        SOURCES,
    ),
    Mistake(
        "results-exchanged",
        "The values come first and the keys second",
        _exchanged,
        "The order is K, V. With equal widths nothing would complain, and everything after it would be wrong.",
        SECTION,
    ),
    Mistake(
        "values-from-keys",
        "The values are made from the keys",
        _values_from_keys,
        "Both projections start from the memory. Neither of them uses the result of the other.",
        SOURCES,
    ),
    Mistake(
        "not-projected",
        "The memory itself serves as keys and as values",
        _not_projected,
        "Keys and values have the same source, but they are not equal to it: each is the memory times a learned "
        "matrix.",
        SOURCES,
    ),
    Mistake(
        "memory-split",
        "The memory is cut into heads before it is projected",
        _memory_split,
        "Every head sees the whole vector of every token. What is cut into heads is the result of the projection.",
        LAYOUT,
    ),
    Mistake(
        "reshaped",
        "The array is reshaped to heads and tokens at once, without moving an axis",
        _reshaped,
        "A reshape keeps the order of the numbers in memory, so numbers of different tokens end up in one head. "
        "Split the last axis first, then exchange axes.",
        LAYOUT,
    ),
    Mistake(
        "interleaved",
        "Every n_heads-th column goes to the same head",
        _interleaved,
        "Heads are contiguous slices: head 0 has the first columns, head 1 the next ones.",
        LAYOUT,
    ),
    Mistake(
        "heads-not-moved",
        "The axis of the heads stands behind that of the tokens",
        _heads_not_moved,
        "Attention works on the last two axes, and these must be tokens and width. So the heads go before the tokens.",
        LAYOUT,
    ),
    Mistake(
        "not-split",
        "The projections are not split into heads",
        _not_split,
        "All heads side by side would be one wide head. Your `split_heads` of unit 04 cuts them apart.",
        LAYOUT,
    ),
    Mistake(
        "heads-first",
        "The axis of the heads is always the first one",
        _heads_first,
        "For one sentence that is right. In a batch the sentences come first, and the heads stand just before "
        "the tokens.",
        LAYOUT,
    ),
    Mistake(
        "one-batch-axis",
        "Exactly one batch axis is taken for granted",
        _one_batch_axis,
        "One sentence alone has no batch axis, and there may be two of them. Count axes from the end.",
        LAYOUT,
    ),
    Mistake(
        "width-of-model",
        "The width of a head is taken to be d_model / n_heads",
        _width_of_model,
        "That is usual but not necessary. The columns of the matrices say how wide the heads are.",
        LAYOUT,
    ),
    Mistake(
        "width-of-keys",
        "The values are taken to be as wide as the keys",
        _width_of_keys,
        "Keys must fit the queries, values need not. The columns of W_V say how wide they are.",
        LAYOUT,
    ),
    Mistake(
        "scaled",
        "The keys are divided by the square root of d_k",
        _scaled,
        "The attention that uses them divides the scores already, so it would happen twice.",
        SECTION,
    ),
)
