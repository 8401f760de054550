"""Specification of `project_memory`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_05_cross_attention import calls, lookalikes
from autograder.exercises.unit_05_cross_attention.inputs import pair_of
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

SOURCES = "Same source, two projections"
LAYOUT = "Where the heads go"

EXERCISE = Exercise(
    reference=reference.project_memory,
    asks="the keys and the values of a source sentence, split into heads.",
    returns=(Output("K", "(..., n_heads, n_source, d_k)"), Output("V", "(..., n_heads, n_source, d_v)")),
    calls=calls.PROJECT_MEMORY,
    lookalike=lookalikes.PROJECT_MEMORY,
)


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    W = np.eye(2), np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.eye(2)
    # by hand, in the notebook
    call.agrees_in(number, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), AttentionParams(*W), 2)
    call.agrees_in(number, rng.standard_normal((5, 6)), init_attention(rng, 6, 2), 2)
    call.agrees_in(number, rng.standard_normal((4, 7)), init_attention(rng, 7, 2, d_k=4, d_v=5), 2)


@EXERCISE.claim(1)
def keys(call, rng):
    """K holds the keys of one sentence, for every head"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(1)
def values(call, rng):
    """V holds the values of one sentence, for every head"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5, side=True)
def heads(call, rng):
    """head h depends on its own columns of W_K and W_V only"""
    n, H, d_k = 5, 3, 2
    memory, params = rng.standard_normal((n, 7)), init_attention(rng, 7, H, d_k, d_k)
    K, V = pair_of(call, ((H, n, d_k), (H, n, d_k)), memory, params, H)
    for name, result in (("K", K), ("V", V)):
        call.holds(np.ptp(result, axis=0).any(), f"{name}: the heads have columns of their own, but are all the same.")
    for h in range(H):
        own = slice(h * d_k, (h + 1) * d_k)  # the columns of head h, as the parameters of an attention with one head
        alone = AttentionParams(params.W_Q[:, own], params.W_K[:, own], params.W_V[:, own], params.W_O[own])
        K_h, V_h = pair_of(call, ((1, n, d_k), (1, n, d_k)), memory, alone, 1)
        for name, all_heads, one_head in (("K", K, K_h), ("V", V, V_h)):
            call.holds(
                np.allclose(all_heads[h], one_head[0], atol=bound_for(1e-8 * np.abs(all_heads).max(), all_heads)),
                f"{name}: head {h} is not what the columns of W_{name} that belong to head {h} give when they are "
                "used alone.",
            )


@EXERCISE.claim(0.5, side=True)
def only_two_matrices(call, rng):
    """keys are made with W_K, values with W_V, and neither with W_Q or W_O"""
    n, H, d_k, d_v = 4, 2, 3, 5
    memory = rng.standard_normal((n, 6))
    params, other = (init_attention(rng, 6, H, d_k, d_v) for _ in range(2))
    shapes = (H, n, d_k), (H, n, d_v)
    K, V = pair_of(call, shapes, memory, params, H)
    for name in AttentionParams._fields:
        K_new, V_new = pair_of(call, shapes, memory, params._replace(**{name: getattr(other, name)}), H)
        for result, moved, owner in (("K", not np.allclose(K, K_new), "W_K"), ("V", not np.allclose(V, V_new), "W_V")):
            should = "must" if name == owner else "must not"
            does = "changes" if moved else "does not change"
            call.holds(moved == (name == owner), f"another {name} {does} {result}, and it {should}.")


@EXERCISE.claim(0.25, side=True)
def leading_axes(call, rng):
    """works for any leading axes, for whole numbers and for float32"""
    call.agrees(rng.standard_normal((5, 6)), init_attention(rng, 6, 2), 2)
    params = init_attention(rng, 6, 2)
    agrees_here(call, rng.standard_normal((3, 5, 6)), params, 2)
    agrees_here(call, rng.standard_normal((2, 3, 4, 7)), init_attention(rng, 7, 3, d_k=4, d_v=4), 3)
    agrees_here(call, rng.integers(-3, 4, (5, 6)), params, 3)
    agrees_here(call, rng.standard_normal((3, 4, 6)).astype(np.float32), in_float32(params), 2)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    memory, params = rng.standard_normal((4, 6)), init_attention(rng, 6, 2)
    call.leaves_inputs_alone(memory, params, 2)
    call.agrees(memory, params, 2)


wrong = WrongAnswers(EXERCISE, globals())


def _projected(memory, params, n_heads, split=reference.split_heads):
    return split(memory @ params.W_K, n_heads), split(memory @ params.W_V, n_heads)


def into_heads_of(width):
    """Return a function that splits into heads of this width."""
    return lambda X, n_heads: X.reshape(*X.shape[:-1], n_heads, width).swapaxes(-2, -3)


wrong.at(SOURCES)
wrong("values-with-W-K", {".W_V": ".W_K"}, """
    The values are the keys: both come from W_K.
    What makes a token easy to find and what it has to say are two different things, so the model learns two
    matrices.""")

wrong("keys-with-W-Q", "project_memory(memory, params._replace(W_K=params.W_Q), n_heads)", """
    The keys are made with W_Q.
    W_Q turns decoder states into queries. Keys come from the memory and have a matrix of their own.""")

wrong.at()
wrong("results-exchanged", "project_memory(memory, params, n_heads)[::-1]", """
    The values come first and the keys second.
    The order is K, V. With equal widths nothing would complain, and everything after it would be wrong.""")

wrong.at(SOURCES)
wrong("values-from-keys",
      {"memory @ params.W_K": "memory @ params.W_K", "memory @ params.W_V": "memory @ params.W_K @ params.W_V"}, """
    The values are made from the keys.
    Both projections start from the memory. Neither of them uses the result of the other.""")

wrong("not-projected", "(split_heads(memory, n_heads), split_heads(memory, n_heads))", """
    The memory itself serves as keys and as values.
    Keys and values have the same source, but they are not equal to it: each is the memory times a learned matrix.""")

wrong.at(LAYOUT)


@wrong.function
def memory_split(memory, params, n_heads):
    """The memory is cut into heads before it is projected.
    Every head sees the whole vector of every token. What is cut into heads is the result of the projection."""
    pieces = np.split(memory, n_heads, axis=-1)

    def per_head(W):
        blocks = [np.split(rows, n_heads, axis=1)[h] for h, rows in enumerate(np.split(W, n_heads, axis=0))]
        return np.stack([piece @ block for piece, block in zip(pieces, blocks, strict=True)], axis=-3)

    return per_head(params.W_K), per_head(params.W_V)


wrong("reshaped", "_projected(memory, params, n_heads, lambda X, H: X.reshape(*X.shape[:-2], H, X.shape[-2], -1))", """
    The array is reshaped to heads and tokens at once, without moving an axis.
    A reshape keeps the order of the numbers in memory, so numbers of different tokens end up in one head. Split the
    last axis first, then exchange axes.""")

wrong("interleaved",
      "_projected(memory, params, n_heads, lambda X, H: np.moveaxis(X.reshape(*X.shape[:-1], -1, H), -1, -3))", """
    Every n_heads-th column goes to the same head.
    Heads are contiguous slices: head 0 has the first columns, head 1 the next ones.""")

wrong("heads-not-moved", {
    "split_heads(memory @ params.W_K, n_heads)": "split_heads(memory @ params.W_K, n_heads).swapaxes(-2, -3)",
    "split_heads(memory @ params.W_V, n_heads)": "split_heads(memory @ params.W_V, n_heads).swapaxes(-2, -3)",
}, """
    The axis of the heads comes after that of the tokens.
    Attention works on the last two axes, and these must be tokens and width. So the heads go before the tokens.""")

wrong("not-split", "(memory @ params.W_K, memory @ params.W_V)", """
    The projections are not split into heads.
    All heads side by side would be one wide head. Your `split_heads` of unit 04 cuts them apart.""")

wrong("heads-first",
      {"split_heads(memory @ params.W_K, n_heads)": "np.stack(np.split(memory @ params.W_K, n_heads, axis=-1))",
       "split_heads(memory @ params.W_V, n_heads)": "np.stack(np.split(memory @ params.W_V, n_heads, axis=-1))"}, """
    The axis of the heads is always the first one.
    For one sentence that is right. In a batch the sentences come first, and the heads stand just before the tokens.""")

wrong("one-batch-axis",
      "_projected(memory, params, n_heads, lambda X, H: X.reshape(*X.shape[:2], H, -1).transpose(0, 2, 1, 3))", """
    Exactly one batch axis is taken for granted.
    One sentence alone has no batch axis, and there may be two of them. Count axes from the end.""")

wrong("width-of-model", "_projected(memory, params, n_heads, into_heads_of(memory.shape[-1] // n_heads))", """
    The width of a head is taken to be d_model / n_heads.
    That is usual but not necessary. The columns of the matrices say how wide the heads are.""")

wrong("width-of-keys", "_projected(memory, params, n_heads, into_heads_of(params.W_K.shape[1] // n_heads))", """
    The values are taken to be as wide as the keys.
    Keys must fit the queries, values need not. The columns of W_V say how wide they are.""")

wrong.at()
wrong("scaled", {", split_heads": " / np.sqrt(split_heads(memory @ params.W_K, n_heads).shape[-1]), split_heads"}, """
    The keys are divided by the square root of d_k.
    The attention that uses them divides the scores already, so it would happen twice.""")

wrong.at(SOURCES)
wrong("values-not-projected", "(project_memory(memory, params, n_heads)[0], split_heads(memory.copy(), n_heads))", """
    The memory itself serves as values.
    Values have a learned matrix of their own, like the keys. It decides what a token has to say.""")

wrong("weights-transposed", "_projected(memory, params._replace(W_K=params.W_K.T, W_V=params.W_V.T), n_heads)", """
    The matrices are transposed first.
    In this course a weight matrix has one row for every input, so a token can be multiplied by it as it stands.""")

wrong.at(LAYOUT)
wrong("keys-transposed",
      {"(memory @ params.W_K, n_heads)": "(as_float(memory) @ params.W_K, n_heads).swapaxes(-1, -2)"}, """
    The keys are transposed already.
    The attention that uses them does that. Here each token keeps its row, as in the values.""")

wrong("tokens-last", "tuple(result.swapaxes(-1, -2) for result in project_memory(memory, params, n_heads))", """
    Keys and values have one column for each token instead of one row.
    The last axis is the width of a head, and the tokens stand before it.""")

wrong("two-axes-only",
      "_projected(memory, params, n_heads, lambda X, H: X.reshape(len(X), H, -1).transpose(1, 0, 2))", """
    The memory is taken to have exactly two axes.
    There may be a batch, or more, in front. Count axes from the end, and leave those in front alone.""")


@wrong.function
def memory_split_for_one_block(memory, params, n_heads):
    """The memory is cut into heads before it is projected, and all heads use the same block of W_K and of W_V.
    Every head sees the whole vector of every token. What is cut into heads is the result of the projection."""
    pieces, d_k = reference.split_heads(memory, n_heads), params.W_K.shape[1] // n_heads
    return pieces @ params.W_K[:d_k, :d_k], pieces @ params.W_V[:d_k, :d_k]


@wrong.function
def memory_split_for_first_columns(memory, params, n_heads):
    """The memory is cut into heads before it is projected, and all heads use the first columns of W_K and of W_V.
    Every head sees the whole vector of every token. What is cut into heads is the result of the projection."""
    pieces = reference.split_heads(memory, n_heads)
    return tuple(pieces @ W[: pieces.shape[-1], : W.shape[1] // n_heads] for W in (params.W_K, params.W_V))


wrong.at(SOURCES)
wrong("keys-with-W-V", {"memory @ params.W_K": "memory @ params.W_V"}, """
    The keys are made with W_V, like the values.
    What makes a token easy to find and what it has to say are two different things, so the model learns two
    matrices.""")

wrong("keys-not-projected", {"split_heads(memory @ params.W_K": "split_heads(memory"}, """
    The memory itself serves as keys.
    Keys and values have the same source, but they are not equal to it: each is the memory times a learned matrix.""")

wrong.small("values-from-keys", values)
