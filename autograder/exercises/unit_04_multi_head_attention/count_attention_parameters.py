"""Specification of `count_attention_parameters`."""

from autograder.exercises.unit_04_multi_head_attention import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MATRICES = "Four matrices"

EXERCISE = Exercise(
    reference=reference.count_attention_parameters,
    asks="the number of entries of W_Q, W_K, W_V and W_O together, as an int.",
    returns=(Output("count"),),
    where=MATRICES,
    lookalike=lookalikes.COUNT_ATTENTION_PARAMETERS,
)


@EXERCISE.claim(1)
def paper(call, rng):
    """counts the entries of all four matrices"""
    call.agrees(6, 2)  # by hand: four matrices of 36 entries
    call.agrees(512, 8)
    n_heads = int(rng.choice([3, 5, 7]))
    call.agrees(n_heads * int(rng.integers(8, 20)), n_heads)


@EXERCISE.claim(0.25)
def both_widths(call, rng):
    """takes the widths d_k and d_v as they are given"""
    d_model, n_heads = int(rng.integers(20, 30)), int(rng.integers(3, 7))
    call.agrees(d_model, n_heads, int(rng.integers(8, 12)), int(rng.integers(13, 19)))


@EXERCISE.claim(0.25)
def one_width(call, rng):
    """where one width is left out, only that one gets the default"""
    n_heads = int(rng.choice([3, 5]))
    call.agrees(n_heads * 8, n_heads, int(rng.integers(9, 14)))
    call.agrees(n_heads * 8, n_heads, d_v=int(rng.integers(9, 14)))


def _widths(d_model, n_heads, d_k, d_v):
    return d_model // n_heads if d_k is None else d_k, d_model // n_heads if d_v is None else d_v


wrong = WrongAnswers(EXERCISE, globals())

wrong("full-width", "count_attention_parameters(d_model, n_heads, d_k or d_model, d_v or d_model)", """
    Every head is as wide as the model when no width is given.
    Then the count would grow with the number of heads. By default the heads share the width of the model.""")

wrong("one-head", {"2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v": "2 * d_model * (d_k + d_v)"}, """
    Only the matrices of one head are counted.
    The matrices hold the columns (in W_O the rows) of all heads.""")

wrong("no-output-matrix", {"2 * d_model * n_heads * d_v": "d_model * n_heads * d_v"}, """
    W_O is missing.
    After the heads have been put side by side, a fourth matrix mixes them.""")

wrong("one-output-head", {"2 * d_model * n_heads * d_v": "d_model * n_heads * d_v + d_v * d_model"}, """
    W_O is counted for one head only.
    W_O has a row for every column of the merged heads, so for all heads.""")

wrong("square-output", {"2 * d_model * n_heads * d_v": "d_model * n_heads * d_v + d_model * d_model"}, """
    W_O is always taken to be square.
    It has as many rows as the merged heads have columns, and these need not be d_model.""")

wrong("biases", {
    "2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v":
        "2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v + n_heads * (2 * d_k + d_v) + d_model",
}, """
    Biases are counted, too.
    Many libraries have them, but the projections of the paper and of this course have none.""")

wrong("values-as-keys", {"n_heads * d_v": "n_heads * d_k"}, """
    The width d_v is ignored.
    Values may be wider or narrower than keys. W_V and W_O go by the width of the values.""")

wrong.at()
wrong("tied-default", {"d_v = d_model // n_heads if d_v is None else d_v": "d_v = d_k if d_v is None else d_v"}, """
    A missing d_v is taken from d_k.
    Some libraries do so. Here each width has the same default, whatever the other one is.""")


@wrong.function
def both_or_none(d_model, n_heads, d_k=None, d_v=None):
    """One missing width causes the other one to be ignored.
    Each of the two defaults is for its own argument only."""
    if d_k is None or d_v is None:
        d_k = d_v = d_model // n_heads
    return reference.count_attention_parameters(d_model, n_heads, d_k, d_v)


wrong.at(MATRICES)
wrong("widths-ignored", "4 * d_model**2", """
    The widths that are given are ignored.
    Four square matrices are right for the default widths only. The caller may ask for others.""")

wrong.at()
wrong.everywhere("true-division", {"d_model // n_heads": "(d_model / n_heads)"}, """
    The result is a float.
    In Python `/` always makes a float, even where nothing is left over. A count is a whole number.""")

wrong.at(MATRICES)
wrong("values-with-d-k",
      {"2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v": "d_model * n_heads * (3 * d_k + d_v)"}, """
    W_V or W_O is counted with the width d_k.
    W_V makes the values, which are d_v wide, and W_O takes what was made of them. Only W_Q and W_K have the width
    d_k.""")

wrong("output-matrix-per-head", {"2 * d_model * n_heads * d_v": "d_model * n_heads * (1 + n_heads) * d_v"}, """
    W_O is counted once for every head.
    There is one W_O for the whole layer. Its rows are already those of all heads.""")

wrong("rows-plus-columns",
      {"2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v": "4 * d_model + 2 * n_heads * (d_k + d_v)"}, """
    Rows and columns are added.
    A matrix has as many entries as rows *times* columns.""")


@wrong.function
def default_for_both_only(d_model, n_heads, d_k=None, d_v=None):
    """The default is used only if both widths are left out.
    Each width that is left out gets the default by itself, whatever the other one is."""
    if d_k is None and d_v is None:
        d_k = d_v = d_model // n_heads
    return 2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v
