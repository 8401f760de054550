"""Specification of `without_heads`."""

import numpy as np

from autograder.execution.describe import describe, is_plain_array
from autograder.exercises.inputs import judged_only_if
from autograder.exercises.unit_11_inside_the_model import calls
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

ROWS = "Which rows belong to a head"

H, D_MODEL = 4, 12

ADDED = Output("what the heads add", "(n_heads, n_queries, d_model)")

EXERCISE = Exercise(
    reference=reference.without_heads,
    asks="new parameters in which the rows of W_O that belong to these heads are 0.",
    returns=(Output("params"),),
    calls=calls.WITHOUT_HEADS,
    may_be_view=True,
)


def _params(rng, n_heads=H, d_k=3, d_v=5):
    return init_attention(rng, D_MODEL, n_heads, d_k, d_v)


def _projections(call, params, n_heads, heads):
    """Call the function, and require four matrices of the right shapes."""
    result = call(params, n_heads, heads)
    fits = isinstance(result, tuple) and len(result) == 4 and all(map(is_plain_array, result))
    judged_only_if(fits, f"expected AttentionParams, got {describe(result)}.")
    for name, W, given in zip(params._fields, result, params, strict=True):
        judged_only_if(W.shape == given.shape, f"{name}: expected shape {given.shape}, got {W.shape}.")
    return AttentionParams(*result)


def _silences(call, rng, params, n_heads, heads):
    """Require that the heads named add nothing, and that all others add what they did; how does not matter."""
    result = _projections(call, params, n_heads, heads)
    given = *(rng.standard_normal((n, D_MODEL)) for n in (5, 6)), params, n_heads
    expected = reference.head_outputs(*given)
    expected[list(heads)] = 0
    call.equals(reference.head_outputs(*given[:2], result, n_heads), expected, ADDED, given)


@EXERCISE.claim(1)
def one_head(call, rng):
    """one silent head adds exactly 0, and all others add what they did before"""
    for head in (0, H - 1, int(rng.integers(1, H - 1))):
        _silences(call, rng, _params(rng), H, (head,))


@EXERCISE.claim(0.5)
def several(call, rng):
    """silences several heads at once, all, or none"""
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H)[:2].tolist()))
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H)[:3].tolist()))
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H).tolist()))
    _silences(call, rng, _params(rng), H, ())


@EXERCISE.claim(0.5)
def other_widths(call, rng):
    """takes the number of heads and their widths as they are"""
    for n_heads, d_k, d_v in ((5, 2, 3), (3, 7, 4)):
        _silences(call, rng, _params(rng, n_heads, d_k, d_v), n_heads, (int(rng.integers(1, n_heads)),))


@EXERCISE.claim(0.5, side=True)
def refusals(call, rng):
    """refuses a head that does not exist, by a ValueError with its number"""
    _silences(call, rng, _params(rng), H, (int(rng.integers(1, H)),))
    for head in (H, int(rng.integers(20, 90)), -1, -int(rng.integers(20, 90))):
        call.refuses(_params(rng), H, (head,), mentions=(head,))
    call.refuses(_params(rng), H, (1, H), mentions=(H,))


@EXERCISE.claim(0.5, side=True)
def argument(call, rng):
    """leaves the parameters as they were"""
    params, heads = _params(rng), (int(rng.integers(1, H)),)
    result = _projections(call, params, H, heads)
    kept = [np.array_equal(*pair) for pair in zip(result, params, strict=True)]
    judged_only_if(any(kept) and not all(kept), "one of the four matrices changes, and the others stay as they are.")
    call.leaves_inputs_alone(params, H, heads)
    call.holds("params.W_O" not in call.trials[-1].outcome.shares, "the new W_O shares memory with the old one.")


wrong = WrongAnswers(EXERCISE, globals())


def _checked(n_heads, heads):
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"there is no head {head} among {n_heads}")


def _zeroed(params, n_heads, heads, place):
    """Return parameters in which W_O is 0 in `place(head, width of a head)`."""
    _checked(n_heads, heads)
    W_O = params.W_O.copy()
    for head in heads:
        W_O[place(head, len(W_O) // n_heads)] = 0
    return params._replace(W_O=W_O)


wrong.at(ROWS)
wrong("columns", "_zeroed(params, n_heads, heads, lambda head, width: np.s_[:, head * width:(head + 1) * width])", """
    Columns of W_O are set to 0, not rows.
    A column is a feature of the output, and all heads contribute to it. A head enters through its rows.""")


@wrong.function
def columns_shared_out(params, n_heads, heads):
    """The columns of W_O are shared out among the heads, not its rows.
    A column is a feature of the output, and all heads contribute to it. A head enters through its rows."""
    width = params.W_O.shape[-1] // n_heads
    return _zeroed(params, n_heads, heads, lambda head, _: np.s_[:, head * width : (head + 1) * width])


wrong("one-row", "_zeroed(params, n_heads, heads, lambda head, width: head)", """
    Only one row of W_O is set to 0 for a head.
    A head has d_v rows, one for each of its features.""")

wrong("first-row-of-each", "_zeroed(params, n_heads, heads, lambda head, width: head * width)", """
    Only the first row of a head's block is set to 0.
    A head has d_v rows, one for each of its features. All of them have to be 0.""")

wrong("interleaved", "_zeroed(params, n_heads, heads, lambda head, width: np.s_[head::n_heads])", """
    Every n_heads-th row is set to 0.
    The rows of a head are neighbours, because heads are contiguous slices.""")

wrong("counted-from-1",
      "_zeroed(params, n_heads, heads, lambda head, width: np.s_[max(head - 1, 0) * width:head * width])", """
    The heads are counted from 1: the one before is silenced.
    The first head has the number 0, and the rows 0 to d_v - 1.""")

wrong("up-to-the-head", "_zeroed(params, n_heads, heads, lambda head, width: np.s_[:(head + 1) * width])", """
    All heads up to the one named are silenced.
    The rows of a head begin after those of the heads before it.""")


@wrong.function
def width_of_keys(params, n_heads, heads):
    """The rows of a head are counted with d_k, the width of its queries and keys.
    W_O multiplies blends of values. Their width is d_v, which need not be d_k."""
    _checked(n_heads, heads)
    width = params.W_K.shape[-1] // n_heads
    W_O = params.W_O.copy()
    for head in heads:
        W_O[head * width : (head + 1) * width] = 0
    return params._replace(W_O=W_O)


@wrong.function
def width_of_model(params, n_heads, heads):
    """The rows of a head are counted with d_model / n_heads.
    In most models that is the same. In general W_O has n_heads times d_v rows: use its own length."""
    width = params.W_O.shape[-1] // n_heads
    return _zeroed(params, n_heads, heads, lambda head, _: np.s_[head * width : (head + 1) * width])


wrong.at()


@wrong.function
def kept_instead(params, n_heads, heads):
    """The heads named are kept, and all others are silenced.
    The tuple says which heads are to be silent. An empty one leaves the model as it is."""
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, tuple(head for head in range(n_heads) if head not in heads))


@wrong.function
def only_the_first(params, n_heads, heads):
    """Only the first of the heads is silenced.
    Look at how far your `return` is indented. There may be several heads."""
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, heads[:1])


@wrong.function
def only_the_last(params, n_heads, heads):
    """Only the last of the heads is silenced.
    Every turn of the loop begins with the old W_O again. Copy it once, before the loop."""
    _checked(n_heads, heads)
    return reference.without_heads(params, n_heads, heads[-1:])


wrong("in-place", {"W_O = params.W_O.copy()": "W_O = params.W_O"}, """
    The parameters given are changed.
    Then the model that you want to compare with is lost. Copy W_O before you write to it.""")

wrong.at(ROWS)
wrong("queries", {
    "W_O = params.W_O.copy()": "W_Q = params.W_Q.copy()",
    "np.split(W_O, n_heads)": "np.split(W_Q, n_heads, axis=1)",
    "_replace(W_O=W_O)": "_replace(W_Q=W_Q)",
}, """
    The queries of the heads are set to 0.
    Then all scores are 0, and the head takes the plain mean of the values. It is not silent.""")


@wrong.function
def rows_deleted(params, n_heads, heads):
    """The rows are cut out of W_O.
    Then its shape no longer fits the heads side by side. Rows of zeros do the same, and everything else stays."""
    _checked(n_heads, heads)
    width = len(params.W_O) // n_heads
    return params._replace(
        W_O=np.delete(params.W_O, [row for h in heads for row in range(h * width, (h + 1) * width)], axis=0)
    )


wrong.at()
wrong("W-O-only", "without_heads(params, n_heads, heads).W_O", """
    Only W_O is returned.
    The result goes to where the parameters were, so it has to be AttentionParams: `_replace` makes one from
    another.""")

wrong("nothing-refused", "without_heads(params, n_heads, tuple(head for head in heads if 0 <= head < n_heads))", """
    A head that does not exist is ignored.
    A slice beyond the end is empty, and nothing happens. If somebody asks for head 4 of 4, refuse.""")

wrong("negative-counted-from-the-end", {"0 <= head < n_heads": "-n_heads <= head < n_heads"}, """
    Negative heads are counted from the end.
    Python does that by itself, and a wrong number goes unnoticed. Refuse it.""")


@wrong.function
def one_too_many_allowed(params, n_heads, heads):
    """The head n_heads is not refused.
    The last head has the number n_heads - 1."""
    if n_heads in heads:
        return params._replace(W_O=params.W_O.copy())
    return reference.without_heads(params, n_heads, heads)
