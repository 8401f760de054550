"""Specification of `cross_attention`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_05_cross_attention import calls, lookalikes
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention
from transformer_kit.reference import masked_softmax, merge_heads, padding_mask, project_memory, split_heads

ROLES = "Who asks and who answers"
HIDDEN = "What is hidden and what is not"

N_TARGET, N_SOURCE = 4, 5  # of the claims that compare one call with another

EXERCISE = Exercise(
    reference=reference.cross_attention,
    asks="multi-head attention from every target position to the whole source, padding excepted.",
    returns=(
        Output("output", "(..., n_target, d_model)"),
        Output("weights", "(..., n_heads, n_target, n_source)"),
    ),
    calls=calls.CROSS_ATTENTION,
    lookalike=lookalikes.CROSS_ATTENTION,
)


def _draw(rng, n_target=N_TARGET, n_source=N_SOURCE, leading=(), width=6, n_heads=2, d_k=None, d_v=None):
    """Draw decoder states, memory and parameters with scores of a standard deviation near 1."""
    X = rng.standard_normal((*leading, n_target, width))
    memory = rng.standard_normal((*leading, n_source, width))
    return X, memory, init_attention(rng, width, n_heads, d_k, d_v)


def _output(call, X, memory, params, *is_token):
    """Call the function and return its output, whatever the weights are; require numbers of its shape."""
    return call.is_array(call.results(X, memory, params, 2, *is_token)[0], X.shape, "f", "output")


def _changed(rng, A, rows):
    """Change some rows by amounts of order 1."""
    return np.where(rows[:, None], A + rng.choice([-1.0, 1.0], A.shape) + 0.1 * rng.standard_normal(A.shape), A)


def _rows_moved(call, output, *args):
    return np.abs(_output(call, *args) - output).max(axis=-1) > 1e-9


def _listed(moved):
    return ", ".join(str(i) for i in np.flatnonzero(moved))


def _positions(moved):
    return f"the target positions {_listed(moved)} only" if moved.any() else "no target position"


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    memory = np.array([[0.0, 8.0], [math.log(3), 4.0]])  # by hand: weights 1/4 and 3/4 for a query of 1, else halves
    first, second = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    params = AttentionParams(first, first, second, np.array([[1.0, -1.0]]))
    call.agrees_in(number, np.array([[1.0, 5.0], [0.0, 5.0], [0.0, -5.0]]), memory, params, 1)
    call.agrees_in(number, *_draw(rng), 2)
    call.agrees_in(number, *_draw(rng, 3, 7, width=7, n_heads=3, d_k=2, d_v=4), 3)


@EXERCISE.claim(0.5)
def output(call, rng):
    """output is right for one sentence without padding"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """weights are right for one sentence without padding, one map per head"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5)
def padding(call, rng):
    """no padding token of the source moves an output"""
    is_token = np.array([True, True, False, True, False])
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params, is_token)
    gap = np.abs(_output(call, X, _changed(rng, memory, ~is_token), params, is_token) - output).max()
    call.holds(gap <= 1e-12, f"changing padding tokens of the source moves the output by {gap:.6g}.")
    gap = np.abs(_output(call, X, memory[is_token], params) - output).max()
    same = gap < bound_for(1e-9, output)
    call.holds(same, f"without the padding tokens of the source the output is another one, by up to {gap:.6g}.")
    gap = np.abs(_output(call, X, _changed(rng, memory, is_token), params, is_token) - output).max()
    call.holds(gap > 1e-3, "changing the real source tokens does not move the output.")


def _low_scores():
    """Return decoder states, memory and parameters with the scores -2**34 and a little less, exact in binary."""
    first, second = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    memory = np.column_stack([2.0**17 + 2.0**-17 * np.arange(N_SOURCE), np.arange(N_SOURCE)])
    return np.array([[-(2.0**17), 5.0]]), memory, AttentionParams(first, first, second, np.array([[1.0, -1.0]]))


@EXERCISE.claim(0.5)
def only_padding(call, rng):
    """padding gets the weight 0 however low the scores are, and where there is nothing else the output is 0"""
    call.agrees(*_low_scores(), 1, lengths_mask([3], N_SOURCE)[0])
    X, memory, params = _draw(rng)
    call.agrees(X, memory, params, 2, np.zeros(N_SOURCE, dtype=bool))
    call.agrees(*_draw(rng, 4, 6, (2,)), 2, lengths_mask([4, 0], 6))


@EXERCISE.claim(0.5, side=True)
def whole_source(call, rng):
    """is not causal: every target position sees the whole source"""
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params)
    call.holds(not _rows_moved(call, output, X, memory, params).any(), "the same call gives another output each time.")
    for place in (N_SOURCE - 1, 0):
        moved = _rows_moved(call, output, X, _changed(rng, memory, np.arange(N_SOURCE) == place), params)
        call.holds(
            bool(moved.all()),
            f"changing source token {place} moves {_positions(moved)}. Every target position may look at the whole "
            "source.",
        )
    call.agrees_in(0, X, memory, params, 2)


@EXERCISE.claim(0.5, side=True)
def targets_apart(call, rng):
    """target positions do not see one another"""
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params)
    for t in rng.permutation(N_TARGET):
        moved = _rows_moved(call, output, _changed(rng, X, np.arange(N_TARGET) == t), memory, params)
        call.holds(
            _listed(moved) == str(t),
            f"changing the decoder state of target position {t} moves the outputs of positions "
            f"{_listed(moved) or 'none'}; it must move {t} and no other.",
        )
    call.agrees_in(0, X, memory, params, 2)


@EXERCISE.claim(0.25, side=True)
def batches(call, rng):
    """works for any leading axes, with a mask for every sentence, for whole numbers and for float32"""
    call.agrees(*_draw(rng), 2)
    X, memory, params = _draw(rng, 4, 6, (3,))
    agrees_here(call, X, memory, params, 2)
    agrees_here(call, X, memory, params, 2, lengths_mask([6, 3, 5], 6))
    X, memory, params = _draw(rng, 4, 5, (2, 3))
    agrees_here(call, X, memory, params, 3, lengths_mask([5, 2, 4, 3, 1, 5], 5).reshape(2, 3, 5))
    X, memory, params = _draw(rng)
    agrees_here(call, rng.integers(-2, 3, X.shape), rng.integers(-2, 3, memory.shape), params, 2)
    is_token = lengths_mask([3], N_SOURCE)[0]
    agrees_here(call, X.astype(np.float32), memory.astype(np.float32), in_float32(params), 2, memory_is_token=is_token)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, memory, params = _draw(rng)
    call.leaves_inputs_alone(X, memory, params, 2, lengths_mask([3], N_SOURCE)[0])
    call.agrees_in(0, X, memory, params, 2)


wrong = WrongAnswers(EXERCISE, globals())


def attend(X_query, X_memory, params, n_heads, mask, axis=-1, divisor=None, softmax=masked_softmax, merge=merge_heads):
    """Attend with this mask for the scores of all heads; what else is not given is right."""
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K, V = project_memory(X_memory, params, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(divisor or Q.shape[-1])
    weights = softmax(scores, mask, axis)
    return merge(weights @ V) @ params.W_O, weights


def unprojected(params, *names):
    """Return parameters in which the matrices of these names change nothing."""
    return params._replace(**{name: np.eye(len(getattr(params, name)), dtype=params.W_Q.dtype) for name in names})


def for_heads(is_token):
    """Return the mask of the scores of all heads."""
    return None if is_token is None else padding_mask(is_token)[..., None, :, :]


GIVEN = "X_decoder, memory, params, n_heads, for_heads(memory_is_token)"
IN_HEADS = {"multi_head_attention": "attend"}  # which takes a mask with an axis for the heads

wrong.at(ROLES)
wrong("self-attention", "attend(X_decoder, X_decoder, params, n_heads, for_heads(memory_is_token))", """
    Keys and values come from the decoder.
    The decoder then looks at itself and never learns what the source says. Keys and values belong to the side that is
    looked at.""")

wrong("roles-exchanged", "attend(memory, X_decoder, params, n_heads, for_heads(memory_is_token))", """
    Queries come from the encoder, keys and values from the decoder.
    The result then has one row per source token. It is the translation that asks, so its positions are the rows.""")

wrong.at(HIDDEN)
wrong("causal", IN_HEADS | {
    ", mask": ", combine_masks(np.tri(X_decoder.shape[-2], memory.shape[-2], dtype=bool), for_heads(memory_is_token))",
}, """
    A causal mask is applied.
    The source is known from its first to its last word before the translation begins. It has no future to hide.""")

wrong("causal-and-refusing", IN_HEADS | {
    ", mask": ", combine_masks(causal_mask(X_decoder.shape[-2], memory.shape[-2]), for_heads(memory_is_token))",
}, """
    A causal mask is applied.
    The source is known from its first to its last word before the translation begins. It has no future to hide, and it
    may well be shorter than the translation, which `causal_mask` refuses.""")

wrong("is-token-as-mask", {", mask": ", memory_is_token"}, """
    `memory_is_token` is passed on as the mask, just as it is.
    A mask has an axis for the queries. Without it, the sentences of a batch are lined up with the target positions, and
    one sentence alone has one axis too few. Your `padding_mask` of unit 03 adds it.""")

wrong("mask-ignored", "cross_attention(X_decoder, memory, params, n_heads)", """
    The padding of the source is accepted as an argument but not hidden.
    Every padding token takes its share of the attention. Follow the argument through your code to the softmax.""")

wrong("inverted",
      "cross_attention(X_decoder, memory, params, n_heads, None if memory_is_token is None else ~memory_is_token)", """
    The real source tokens are hidden and the padding is visible.
    In this course True means “may attend”, and `memory_is_token` is already True where there is a token.""")

wrong("hides-queries", IN_HEADS | {"padding_mask(memory_is_token)": "memory_is_token[..., None, :, None]"}, """
    The mask lies along the target positions.
    Source tokens are the keys, so their padding belongs to the last axis of the scores. With equal lengths NumPy would
    not even complain.""")

wrong("no-axis-for-heads", IN_HEADS, """
    The mask has no axis for the heads.
    With a batch, NumPy then lines the sentences up with the heads. An axis of length 1 before the last two gives all
    heads the same mask.""")

wrong("no-new-axes", "attend(X_decoder, memory, params, n_heads, memory_is_token)", """
    The mask has no axes for targets and heads.
    One sentence alone works, but with a batch NumPy lines the sentences up with the target positions. Two axes of
    length 1 are missing.""")

wrong("mask-needed", "attend(X_decoder, memory, params, n_heads, padding_mask(memory_is_token)[..., None, :, :])", """
    A call without `memory_is_token` fails.
    None means that nothing is padding, so there is nothing to hide.""")


def masked_afterwards(scores, mask, axis):
    weights = reference.softmax(scores, axis)
    return weights if mask is None else weights * mask


wrong("weights-times-mask", f"attend({GIVEN}, softmax=masked_afterwards)", """
    The mask is put on the weights, after the softmax.
    Then what is left does not sum to 1, and the padding still acts through the sum below the fraction bar.""")

wrong("memory-zeroed", {
    "memory, params, n_heads, mask)":
        "memory if mask is None else memory * memory_is_token[..., None], params, n_heads)",
}, """
    The padding tokens are replaced by zeros instead of being hidden.
    A token of zeros has the score 0, and exp(0) is 1, so it keeps a weight. What is masked is the score, not the
    token.""")

wrong("memory-zeroed-in-place", {
    "    mask = ": "    if memory_is_token is not None:\n        memory *= memory_is_token[..., None]\n    mask = ",
}, """
    The padding tokens of the caller's memory are overwritten with zeros.
    All layers of the decoder read the same memory, so nobody may write into it. The mask does the hiding.""")


def plain(scores, mask, axis):
    return reference.softmax(scores if mask is None else np.where(mask, scores, -np.inf), axis)


wrong("padding-nan", f"attend({GIVEN}, softmax=plain)", """
    A source of nothing but padding gives NaN.
    The plain softmax of a row of minus infinities has no value. Your `masked_attention` of unit 03 knows what to
    do.""")

wrong.at(ROLES)


@wrong.function
def values_from_decoder(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The values come from the decoder.
    The keys say where to look in the memory, and the values are what is found there: both belong to the source."""
    Q, V = split_heads(X_decoder @ params.W_Q, n_heads), split_heads(X_decoder @ params.W_V, n_heads)
    K, _ = project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


wrong.at(HIDDEN)
wrong("one-batch-axis", IN_HEADS | {"padding_mask(memory_is_token)": "memory_is_token[:, None, None, ...]"}, """
    The new axes of the mask come after its first axis.
    In a batch that is right. One sentence alone has no batch axis, and there may be two of them. Put the new axes just
    before the last one.""")

wrong("mask-as-condition", IN_HEADS | {", mask": ", for_heads(memory_is_token) if memory_is_token else None"}, """
    One truth value is asked of the whole mask, as by `if mask`.
    An array of many entries is neither true nor false. To find out whether an argument was left out, test whether it
    `is not None`.""")

wrong("axis-for-heads-too-many", {"padding_mask(memory_is_token)": "np.asarray(memory_is_token)[:, None, None, :]"}, """
    The mask that is passed on has an axis for the heads already, and exactly one batch axis.
    `multi_head_attention` puts in the axis for the heads itself. The mask needs one new axis, for the targets.""")

wrong.at()
wrong("no-output-projection", {"params, n_heads, mask": "unprojected(params, 'W_O'), n_heads, mask"}, """
    The heads are not mixed by W_O.
    Side by side the heads are n_heads · d_v wide and know nothing of one another. W_O mixes them and brings the result
    back to d_model.""")


def reshaped(heads):
    *lead, _, n_target, _ = heads.shape
    return heads.reshape(*lead, n_target, -1)


wrong("not-merged", f"attend({GIVEN}, merge=reshaped)", """
    The heads are put side by side with a reshape alone.
    A reshape keeps the order of the numbers in memory, so numbers of different target positions end up in one row. Your
    `merge_heads` of unit 04 moves the axis first.""")

wrong.at(ROLES)
wrong("queries-not-projected", {"params, n_heads, mask": "unprojected(params, 'W_Q'), n_heads, mask"}, """
    The decoder states serve as queries without W_Q.
    A decoder state carries much more than its question to the source. W_Q is what picks the question out.""")

wrong("memory-not-projected", {"params, n_heads, mask": "unprojected(params, 'W_K', 'W_V'), n_heads, mask"}, """
    The memory itself serves as keys and values.
    Keys and values have the same source, but each is the memory times a learned matrix of its own.""")

wrong("values-with-W-K", {"params, n_heads, mask": "params._replace(W_V=params.W_K), n_heads, mask"}, """
    The values are the keys: both come from W_K.
    What makes a token easy to find and what it has to say are two different things. The values have their own
    matrix.""")

wrong.at()
wrong("scaled-by-d-model", f"attend({GIVEN}, divisor=X_decoder.shape[-1])", """
    The scores are divided by the square root of d_model.
    Each head multiplies vectors of width d_k, so that is the width that counts.""")

wrong("not-scaled", f"attend({GIVEN}, divisor=1)", """
    The scores are not divided by the square root of d_k.
    Nothing about the scale changes when the keys come from another sentence.""")

wrong.at(ROLES)
wrong("over-targets", f"attend({GIVEN}, axis=-2)", """
    The weights sum to 1 over the target positions.
    Every target position shares out its own attention among the source tokens. Two target positions may both take all
    of one word.""")

wrong.at()
wrong("over-heads", f"attend({GIVEN}, axis=-3)", """
    The weights sum to 1 over the heads.
    Every head has a budget of its own, which it shares out among the source tokens.""")

UNPACKED = {"return multi": "output, weights = multi"}

wrong("mean-weights", UNPACKED | {"n_heads, mask)": "n_heads, mask)\n    return output, weights.mean(axis=-3)"}, """
    The weights are averaged over the heads.
    Some libraries return them this way, but the result has one map per head. What the heads do differently would be
    lost.""")

wrong("results-exchanged", "cross_attention(X_decoder, memory, params, n_heads, memory_is_token)[::-1]", """
    The weights come first and the output second.
    The order is output, weights, as in units 02 to 04.""")

wrong("residual-added", UNPACKED | {"n_heads, mask)": "n_heads, mask)\n    return X_decoder + output, weights"}, """
    The decoder states are added to the output.
    That is what happens next, in Add & Norm, and unit 07 does it. Here only what was found in the source is
    returned.""")

wrong("keys-and-values-exchanged",
      {"memory, params, n_heads, mask)": "memory, params._replace(W_K=params.W_V, W_V=params.W_K), n_heads, mask)"}, """
    The keys are used as values and the values as keys.
    `project_memory` returns the keys first. With equal widths nothing complains when they are unpacked the other way
    round.""")

wrong.at(ROLES)
wrong("queries-with-W-K", {"params, n_heads, mask": "params._replace(W_Q=params.W_K), n_heads, mask"}, """
    The queries are made with W_K.
    What a position asks for and how it would be found are two different things. The queries have their own matrix.""")

wrong.at()
wrong("one-head", "cross_attention(X_decoder, memory, params, 1, memory_is_token)", """
    n_heads is not used: there is one head.
    All columns together make one wide head with one map. Cut them into heads, each with a map of its own.""")

wrong("precedence", f"attend({GIVEN}, divisor=(2 * (params.W_Q.shape[1] // n_heads)) ** 2)", """
    The scores are divided by twice d_k, as where a power lacks its brackets.
    In Python `**` binds more tightly than `/`, so `/ d ** 1/2` divides twice.""")

wrong("half-of-d-k", f"attend({GIVEN}, divisor=(params.W_Q.shape[1] / n_heads / 2) ** 2)", """
    The scores are divided by half of d_k.
    In Python `**` binds more tightly than `/`, so `(d ** 1/2)` is half of d. Write `d ** 0.5`.""")

wrong.small("causal", output, weights)
