"""Specification of `multi_head_attention`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_04_multi_head_attention import calls, lookalikes
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    require_masked,
    require_mixed,
    require_nothing,
    sequences,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND
from transformer_kit.parameters import AttentionParams, init_attention

SCALE = "Which root? The width of one head"
MIXING = "Putting the heads together again"
RESHAPE = "Predict: what does a plain reshape do?"
WAY_BACK = "The way back"
WHOLE_INPUT = "Every head sees the whole input"
MASKS = "One mask for all heads"

H, D_MODEL = 3, 12

WEIGHTS = Output("weights", "(..., n_heads, n_queries, n_keys)")

EXERCISE = Exercise(
    reference=reference.multi_head_attention,
    asks="let every head attend in its own projections, put the heads side by side and mix them with W_O.",
    returns=(Output("output", "(..., n_queries, d_model)"), WEIGHTS),
    calls=calls.MULTI_HEAD_ATTENTION,
    lookalike=lookalikes.MULTI_HEAD_ATTENTION,
)


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    call.agrees_in(result, BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    call.agrees_in(result, *sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H)


@EXERCISE.claim(1)
def output(call, rng):
    """the output equals attending head by head"""
    _require_right(call, rng, 0)


@EXERCISE.claim(1)
def weights(call, rng):
    """the weights are those of every head"""
    _require_right(call, rng, 1)
    call.agrees_in(1, *sequences(rng, 5, 7, 6), init_attention(rng, 6, 1), 1)


@EXERCISE.claim(0.5)
def one_head(call, rng):
    """with one head the output is that of masked attention on the projections"""
    call.agrees_in(0, *sequences(rng, 5, 7, 6), init_attention(rng, 6, 1), 1)


@EXERCISE.claim(1)
def own_scale(call, rng):
    """every head's scores are divided by the root of its own d_k"""
    d_k, d_v = int(rng.choice([5, 7])), int(rng.choice([6, 8]))
    args = *sequences(rng, 4, 9, D_MODEL), init_attention(rng, D_MODEL, H, d_k, d_v), H
    _, weights = attention_of(call, ((4, D_MODEL), (H, 4, 9)), *args)
    _, expected = reference.multi_head_attention(*args)
    call.equals(weights, expected, WEIGHTS, args)


@EXERCISE.claim(1)
def mixed(call, rng):
    """the output is what the weights make of the values, mixed by W_O"""
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H, 4, 6)
    shapes = (5, D_MODEL), (H, 5, 7)
    for more in ((), (random_mask(rng, 5, 7),)):
        output, weights = attention_of(call, shapes, X_query, X_memory, params, H, *more)
        require_mixed(call, output, weights, X_memory, params.W_V, params.W_O)


@EXERCISE.claim(0.5)
def one_mask(call, rng):
    """one mask hides the same keys from all heads"""
    # As many sequences as heads: a mask that is lined up with the heads raises no error then.
    args = *sequences(rng, 5, 7, D_MODEL, (H,)), init_attention(rng, D_MODEL, H), H
    shapes = (H, 5, D_MODEL), (H, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 5, 7), random_mask(rng, H, 5, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


@EXERCISE.claim(0.5)
def mask_per_sequence(call, rng):
    """every sequence of a batch keeps its own mask"""
    args = *sequences(rng, 5, 7, D_MODEL, (2,)), init_attention(rng, D_MODEL, H), H
    shapes = (2, 5, D_MODEL), (2, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 2, 5, 7), random_mask(rng, 2, 1, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


@EXERCISE.claim(0.5)
def nothing_visible(call, rng):
    """a query that may attend to nothing gets weights 0 and output 0"""
    mask = random_mask(rng, 5, 7)
    query = int(rng.integers(5))
    mask[query] = False
    args = *sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H, mask
    require_nothing(call, *attention_of(call, ((5, D_MODEL), (H, 5, 7)), *args), query)


def _require_for_a_batch(call, rng, result):
    params = init_attention(rng, D_MODEL, H)
    call.agrees_in(result, *sequences(rng, 5, 7, D_MODEL, (2,)), params, H)
    call.agrees_in(result, *sequences(rng, 8, 6, D_MODEL, (2, 5)), params, H)


@EXERCISE.claim(0.25)
def leading_axes(call, rng):
    """works for any leading axes"""
    _require_for_a_batch(call, rng, 0)


@EXERCISE.claim(0.25)
def leading_axes_of_weights(call, rng):
    """in the weights, the leading axes stand in front of the heads"""
    _require_for_a_batch(call, rng, 1)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H)
    call.leaves_inputs_alone(X_query, X_memory, params, H, random_mask(rng, 5, 7))
    call.leaves_inputs_alone(X_query, X_memory, params, H)
    call.agrees_in(0, X_query, X_memory, params, H)
    whole = AttentionParams(*(rng.integers(-1, 2, W.shape) for W in params))
    with judged():
        call.agrees_in(0, X_query.astype(np.float32), X_memory.astype(np.float32), in_float32(params), H)
        call.agrees_in(0, rng.integers(-1, 2, X_query.shape), rng.integers(-1, 2, X_memory.shape), whole, H)


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
SPLIT = "split_heads(projected, n_heads)"
ATTEND = "    heads, weights = masked_attention(Q, K, V, mask)\n"
MERGE = "merge_heads(heads)"
MASK = "np.asarray(mask)[..., None, :, :]"

RESHAPED = "heads.reshape(*heads.shape[:-3], heads.shape[-2], -1)"  # in the place of `MERGE`

wrong.at(SCALE)
wrong("scaled-by-d-model", {
    "X_query @ params.W_Q,": "X_query @ params.W_Q * (params.W_Q.shape[-1] / n_heads / X_query.shape[-1]) ** 0.5,",
}, """
    The scores are divided by the square root of d_model.
    A head's dot products have as many terms as that head has columns. Divided by more, the scores of every head become
    too small and its weights too even; with one head it makes no difference.""")

wrong("scaled-by-all-heads", {"masked_attention(Q, K": "masked_attention(Q / n_heads**0.5, K"}, """
    The scores are divided by the square root of the width of all heads together.
    The last axis of the queries is a head's own width only after the heads have been split.""")

wrong("not-scaled", {"masked_attention(Q, K": "masked_attention(Q * Q.shape[-1] ** 0.5, K"}, """
    The scores are not divided at all.
    Every head is scaled dot-product attention, with the divisor that belongs to it.""")

wrong("scaled-twice", {"masked_attention(Q, K": "masked_attention(Q / Q.shape[-1] ** 0.5, K"}, """
    The scores are divided by d_k itself: a square root is missing, or they are scaled twice.
    The divisor is the square root of d_k, once; `masked_attention` and `attention_scores` divide by it themselves.""")

wrong("scaled-by-keys", {"masked_attention(Q, K": "masked_attention(Q * (Q.shape[-1] / K.shape[-2]) ** 0.5, K"}, """
    The scores are divided by the square root of the number of keys.
    How many terms a dot product has depends on the width of the head, not on the length of the sequence.""")

wrong.at(MIXING)
wrong("no-output-matrix", {" @ W_O": ""}, """
    The heads are put side by side, but W_O is forgotten.
    The shape may be right by luck, but the heads are never mixed: each column of the output would belong to one
    head.""")

wrong("output-matrix-transposed", {"@ W_O": "@ W_O.T"}, """
    W_O is transposed.
    Tokens are rows, so they stand on the left, and W_O has as many rows as the merged heads have columns. If W_O
    happens to be square, no error tells you.""")

wrong("first-rows-of-W_O-for-all", {"merge_heads(heads) @ W_O": "(heads @ W_O[: heads.shape[-1]]).sum(axis=-3)"}, """
    Every head is multiplied by the same rows of W_O, those of head 0.
    Each head has its own block of rows in W_O, in the order of the heads.""")

wrong("heads-averaged", {"@ W_O, weights": "@ W_O / n_heads, weights"}, """
    The contributions of the heads are averaged.
    Through their rows of W_O the heads add up. How much each of them counts is learned with W_O; nothing is divided by
    their number.""")

wrong.at(RESHAPE)
wrong("plain-reshape", {
    SPLIT: "projected.reshape(*projected.shape[:-2], n_heads, projected.shape[-2], -1)",
    MERGE: RESHAPED,
}, """
    The projections are reshaped straight into heads, and straight back.
    Every head then gets some tokens whole instead of some columns of all tokens.""")

wrong.at(WAY_BACK)
wrong("merged-by-reshape", {MERGE: RESHAPED}, """
    The heads are joined without moving the head axis back.
    The weights are right, but a row of the output then mixes several tokens of one head.""")

wrong.at("From columns to heads")
wrong("interleaved", {
    SPLIT: "np.moveaxis(projected.reshape(*projected.shape[:-1], -1, n_heads), -1, -3)",
    MERGE: "np.moveaxis(heads, -3, -1).reshape(*heads.shape[:-3], heads.shape[-2], -1)",
}, """
    The heads take columns in turn.
    Neighbouring columns belong to the same head in this course.""")

wrong.at(WHOLE_INPUT)


def own_rows_only(W, n_heads):
    """Return a matrix in which every head has the rows of its own slice of the input, and zeros for all others."""
    blocks = np.ones([size // n_heads for size in W.shape], dtype=bool)
    return W * np.kron(np.eye(n_heads, dtype=bool), blocks)


wrong("input-split", {f"params.{name}": f"own_rows_only(params.{name}, n_heads)" for name in ("W_Q", "W_K", "W_V")}, """
    The input is cut into heads before it is projected.
    Every head would see its own slice of the token vectors only. Project first: then every column of a head can draw on
    the whole token.""")

wrong.at()
wrong("memory-ignored",
      {"X_memory = as_float(X_query), as_float(X_memory)": "X_memory = as_float(X_query), as_float(X_query)"}, """
    Queries, keys and values all come from X_query.
    That is self-attention. Keys and values come from X_memory, which may be another sequence.""")

wrong("roles-exchanged", {"X_query, X_memory = as_float": "X_memory, X_query = as_float"}, """
    The queries come from X_memory, the keys and values from X_query.
    The sequence that asks gives the queries, and there is one output row for each of them.""")

wrong("keys-from-queries", {"X_memory @ params.W_K": "X_query @ params.W_K"}, """
    The keys come from X_query.
    Keys and values are two views of the same tokens, those of X_memory. If they come from sequences of different
    lengths, they cannot be paired.""")

wrong.at(WHOLE_INPUT)
wrong("values-by-W_K", {"params.W_V": "params.W_K"}, """
    The values are the keys: both come from W_K.
    Each of the three has its own matrix. What a token offers (W_V) need not be what it is found by (W_K).""")

wrong("keys-by-W_Q", {"params.W_K": "params.W_Q"}, """
    The keys are projected with W_Q.
    Each of the three has its own matrix, also where everything comes from the same sequence.""")

ALONG = """\
    weights = masked_softmax(attention_scores(Q, K), mask, axis={axis})
    heads = weights @ V
"""

wrong.at()
wrong("sum-over-heads", {ATTEND: ALONG.format(axis=-3)}, """
    The softmax runs over the heads.
    Heads do not compete: in each of them the weights of a query sum to 1 over the keys.""")

wrong("sum-over-queries", {ATTEND: ALONG.format(axis=-2)}, """
    The softmax runs over the queries.
    Every query shares out its own attention among the keys.""")

wrong("weights-averaged", {"W_O, weights": "W_O, weights.mean(axis=-3)"}, """
    The weights that are returned are averaged over the heads.
    Some libraries do so by default. Here every head shows its own map: an average hides what heads do.""")

wrong("head-axis-first", {"W_O, weights": "W_O, np.moveaxis(weights, -3, 0)"}, """
    The head axis stands in front of the batch.
    The leading axes come first, then the heads, then queries and keys.""")

wrong("results-exchanged", {"return merge_heads(heads) @ W_O, weights": "return weights, merge_heads(heads) @ W_O"}, """
    The weights come first and the output second.
    Results come as a tuple in the order of the docstring: the output first, then the weights.""")

wrong("output-alone", {"W_O, weights": "W_O"}, """
    Only the output is returned.
    Return two results, with a comma between them: the output and the weights.""")

wrong.at(SCALE)
wrong("half-of-d-k", {"masked_attention(Q, K": "masked_attention(Q * 2 / Q.shape[-1] ** 0.5, K"}, """
    The scores are divided by half of d_k.
    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call
    `masked_attention`.""")

wrong.at(WHOLE_INPUT)
wrong("twice-d-k", {"masked_attention(Q, K": "masked_attention(Q / 2 / Q.shape[-1] ** 0.5, K"}, """
    The scores are divided by twice d_k.
    A power binds more tightly than a division, so `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`,
    or call `masked_attention`.""")

wrong("default-widths", {
    SPLIT: "projected.reshape(*projected.shape[:-1], n_heads, W_O.shape[-1] // n_heads).swapaxes(-2, -3)",
}, """
    Every head is taken to be d_model // n_heads wide.
    That is the usual choice, but a head may have any width, and its values may be wider or narrower than its keys. The
    matrices say which.""")

wrong.at()
wrong("one-wide-head", {
    SPLIT: "split_heads(projected, 1)",
    "W_O, weights": "W_O, np.repeat(weights, n_heads, axis=-3)",
}, """
    There is one wide head, and its map is repeated for all.
    Every head has a map of its own. Split the projections into heads before they attend.""")

wrong.at(WHOLE_INPUT)
wrong("keys-by-W_V", {"X_memory @ params.W_K": "X_memory @ params.W_V"}, """
    The keys are projected with W_V, like the values.
    Each of the three has its own matrix. What a token is found by (W_K) need not be what it offers (W_V).""")

wrong("queries-by-W_K", {"X_query @ params.W_Q": "X_query @ params.W_K"}, """
    The queries are projected with W_K.
    Each of the three has its own matrix, also where everything comes from the same sequence.""")

for name, given, matrix in (("queries", "X_query", "W_Q"), ("values", "X_memory", "W_V")):
    wrong(f"{name}-not-projected", {f"{given} @ params.{matrix}": given}, f"""
    The {name} are {given} itself, without {matrix}.
    Queries, keys and values are each the input times a matrix of their own.""")

wrong("keys-and-values-exchanged",
      {"X_memory @ params.W_K": "X_memory @ params.W_V", "X_memory @ params.W_V\n": "X_memory @ params.W_K\n"}, """
    The keys are used as values and the values as keys.
    Both may have the same shape, so nothing complains. A token is found by its key, and gives its value.""")

wrong.at(MASKS)
wrong("mask-ignored", {"masked_attention(Q, K, V, mask)": "masked_attention(Q, K, V)"}, """
    The mask is accepted but not passed on.
    Every key stays visible. Follow the argument through your code to the softmax.""")

wrong("mask-inverted", {MASK: "~np.asarray(mask)[..., None, :, :]"}, """
    What should be hidden is visible, and the reverse.
    In this course True means “may attend”.""")

wrong("mask-along-the-heads", {MASK: "np.asarray(mask)"}, """
    The batch axis of the mask is lined up with the heads.
    Shapes are lined up from the right, and the weights have a head axis that the mask lacks. With as many sequences as
    heads this runs without an error and gives every head another sentence's mask.""")

wrong("mask-repeated-in-another-order", {
    MASK: "np.tile(mask, (n_heads, 1, 1)).reshape(*mask.shape[:-2], n_heads, *mask.shape[-2:])",
}, """
    The mask is repeated for the heads in another order than the sequences.
    Repeating the whole batch once per head and cutting the result into sequences mixes the masks up. There is no need
    to repeat anything: an axis of length 1 is enough.""")

FILLED = """\
    scores = attention_scores(Q, K)
    weights = softmax(scores if mask is None else np.where(mask, scores, {}))
    heads = weights @ V
"""

wrong("nan-where-nothing-is-visible", {ATTEND: FILLED.format("-np.inf")}, """
    A query that may attend to nothing gets NaN.
    The plain softmax of a row of minus infinities has no value. `masked_attention` knows what to do.""")

wrong("average-where-nothing-is-visible", {ATTEND: FILLED.format("-1e9")}, """
    A query that may attend to nothing attends to everything.
    When every score is the same large negative number, the weights are even. `masked_attention` knows what to do.""")

wrong("mask-axis-second", {MASK: "np.asarray(mask)[:, None]"}, """
    The mask always gets its axis for the heads in second place.
    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.""")

wrong("mask-axis-first", {MASK: "np.asarray(mask)[None]"}, """
    The mask gets its new axis in front of all others.
    In front of a mask per sequence, the new axis leaves the sequences where the weights count heads. It belongs third
    from the end.""")

wrong("mask-tested-for-truth", {"if mask is not None": "if mask"}, """
    One truth value is asked of the whole mask, as by `if mask`.
    A mask holds many truth values, so NumPy refuses to make one of them. Test whether it `is not None`.""")

wrong("mask-needed", {"if mask is not None": "if True", "np.asarray(mask)": "mask"}, """
    Without a mask the function fails.
    None has no axes, so it cannot be given one more. Only a mask that is not None gets an axis for the heads.""")

wrong.at()
wrong("values-from-queries", {"X_memory @ params.W_V": "X_query @ params.W_V"}, """
    The values come from X_query.
    Keys and values are two views of the same tokens, those of X_memory. If they come from sequences of different
    lengths, they cannot be paired.""")

wrong.at(SCALE)
wrong("scaled-by-d-model-too", {"X_query @ params.W_Q,": "X_query @ params.W_Q / X_query.shape[-1] ** 0.5,"}, """
    The scores are divided by the square root of d_model as well.
    They are divided once, by the square root of d_k. `masked_attention` and `attention_scores` do that themselves.""")

wrong.small("sum-over-queries", output, weights)
