"""The known mistakes of `project_memory` with another matrix, with none, or with one block for all heads."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_05_cross_attention.project_memory_mistakes import LAYOUT, SOURCES
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=LAYOUT)
def memory_split_for_one_block(memory, params, n_heads):
    """The memory is cut into heads before it is projected, and all heads use the same block of W_K and of W_V.

    Every head sees the whole vector of every token. What is cut into heads is the result of the projection.
    """
    pieces, d_k = reference.split_heads(memory, n_heads), params.W_K.shape[1] // n_heads
    return pieces @ params.W_K[:d_k, :d_k], pieces @ params.W_V[:d_k, :d_k]


@MISTAKES.add(where=LAYOUT)
def memory_split_for_first_columns(memory, params, n_heads):
    """The memory is cut into heads before it is projected, and all heads use the first columns of W_K and of W_V.

    Every head sees the whole vector of every token. What is cut into heads is the result of the projection.
    """
    pieces = reference.split_heads(memory, n_heads)
    return tuple(pieces @ W[: pieces.shape[-1], : W.shape[1] // n_heads] for W in (params.W_K, params.W_V))


@MISTAKES.add(where=SOURCES, id="keys-with-W-V")
@edited(reference.project_memory, {"memory @ params.W_K": "memory @ params.W_V"})
def keys_with_W_V():
    """The keys are made with W_V, like the values.

    What makes a token easy to find and what it has to say are two different things, so the model learns two
    matrices.
    """


@MISTAKES.add(where=SOURCES)
@edited(reference.project_memory, {"split_heads(memory @ params.W_K": "split_heads(memory"})
def keys_not_projected():
    """The memory itself serves as keys.

    Keys and values have the same source, but they are not equal to it: each is the memory times a learned matrix.
    """
