"""Specification of `count_attention_parameters`."""

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _paper(call, rng):
    call.agrees(6, 2)  # by hand: four matrices of 36 entries
    call.agrees(512, 8)
    n_heads = int(rng.choice([3, 5, 7]))
    call.agrees(n_heads * int(rng.integers(8, 20)), n_heads)


def _both_widths(call, rng):
    d_model, n_heads = int(rng.integers(20, 30)), int(rng.integers(3, 7))
    call.agrees(d_model, n_heads, int(rng.integers(8, 12)), int(rng.integers(13, 19)))


def _one_width(call, rng):
    n_heads = int(rng.choice([3, 5]))
    call.agrees(n_heads * 8, n_heads, int(rng.integers(9, 14)))
    call.agrees(n_heads * 8, n_heads, d_v=int(rng.integers(9, 14)))


def _widths(d_model, n_heads, d_k, d_v):
    return d_model // n_heads if d_k is None else d_k, d_model // n_heads if d_v is None else d_v


def _full_width(d_model, n_heads, d_k=None, d_v=None):
    return reference.count_attention_parameters(d_model, n_heads, d_k or d_model, d_v or d_model)


def _one_head(d_model, n_heads, d_k=None, d_v=None):
    d_k, d_v = _widths(d_model, n_heads, d_k, d_v)
    return 2 * d_model * (d_k + d_v)


def _no_output_matrix(d_model, n_heads, d_k=None, d_v=None):
    d_k, d_v = _widths(d_model, n_heads, d_k, d_v)
    return d_model * n_heads * (2 * d_k + d_v)


def _one_output_head(d_model, n_heads, d_k=None, d_v=None):
    d_k, d_v = _widths(d_model, n_heads, d_k, d_v)
    return d_model * n_heads * (2 * d_k + d_v) + d_v * d_model


def _square_output(d_model, n_heads, d_k=None, d_v=None):
    d_k, d_v = _widths(d_model, n_heads, d_k, d_v)
    return d_model * n_heads * (2 * d_k + d_v) + d_model * d_model


def _biases(d_model, n_heads, d_k=None, d_v=None):
    d_k, d_v = _widths(d_model, n_heads, d_k, d_v)
    matrices = reference.count_attention_parameters(d_model, n_heads, d_k, d_v)
    return matrices + n_heads * (2 * d_k + d_v) + d_model


def _values_as_keys(d_model, n_heads, d_k=None, d_v=None):
    d_k, _ = _widths(d_model, n_heads, d_k, d_v)
    return reference.count_attention_parameters(d_model, n_heads, d_k, d_k)


def _tied_default(d_model, n_heads, d_k=None, d_v=None):
    d_k, _ = _widths(d_model, n_heads, d_k, d_v)
    return reference.count_attention_parameters(d_model, n_heads, d_k, d_k if d_v is None else d_v)


def _both_or_none(d_model, n_heads, d_k=None, d_v=None):
    if d_k is None or d_v is None:
        d_k = d_v = d_model // n_heads
    return reference.count_attention_parameters(d_model, n_heads, d_k, d_v)


def _widths_ignored(d_model, n_heads, d_k=None, d_v=None):
    return 4 * d_model**2


def _true_division(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model / n_heads if d_k is None else d_k
    d_v = d_model / n_heads if d_v is None else d_v
    return 2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v


SECTION = "Exercise 4.4: count_attention_parameters"
MATRICES = "Four matrices"

EXERCISE = Exercise(
    reference=reference.count_attention_parameters,
    asks="the number of entries of W_Q, W_K, W_V and W_O together, as an int.",
    returns=(Returned("count"),),
    where=MATRICES,
    claims=(
        Claim("counts the entries of all four matrices", 1, _paper),
        Claim("takes the widths d_k and d_v as they are given", 0.5, _both_widths),
        Claim("where one width is left out, only that one gets the default", 0.5, _one_width),
    ),
    mistakes=(
        Mistake(
            "full-width",
            "Every head is as wide as the model where no width is given",
            _full_width,
            "Then the count would grow with the number of heads. By default the heads share the width of the model.",
            MATRICES,
        ),
        Mistake(
            "one-head",
            "Only the matrices of one head are counted",
            _one_head,
            "The matrices hold the columns (in W_O the rows) of all heads.",
            MATRICES,
        ),
        Mistake(
            "no-output-matrix",
            "W_O is missing",
            _no_output_matrix,
            "After the heads have been put side by side, a fourth matrix mixes them.",
            MATRICES,
        ),
        Mistake(
            "one-output-head",
            "W_O is counted for one head only",
            _one_output_head,
            "W_O has a row for every column of the merged heads, so for all heads.",
            MATRICES,
        ),
        Mistake(
            "square-output",
            "W_O is always taken to be square",
            _square_output,
            "It has as many rows as the merged heads have columns, and these need not be d_model.",
            MATRICES,
        ),
        Mistake(
            "biases",
            "Biases are counted, too",
            _biases,
            "Many libraries have them, but the projections of the paper and of this course have none.",
            MATRICES,
        ),
        Mistake(
            "values-as-keys",
            "The width d_v is ignored",
            _values_as_keys,
            "Values may be wider or narrower than keys. W_V and W_O go by the width of the values.",
            MATRICES,
        ),
        Mistake(
            "tied-default",
            "A missing d_v is taken from d_k",
            _tied_default,
            "Some libraries do so. Here each width has the same default, whatever the other one is.",
            SECTION,
        ),
        Mistake(
            "both-or-none",
            "One missing width makes the other one be ignored",
            _both_or_none,
            "Each of the two defaults is for its own argument only.",
            SECTION,
        ),
        Mistake(
            "widths-ignored",
            "The widths that are given are ignored",
            _widths_ignored,
            "Four square matrices is what comes out for the default widths. Others can be asked for.",
            MATRICES,
        ),
        Mistake(
            "true-division",
            "The result is a float",
            _true_division,
            "In Python `/` always makes a float, even where nothing is left over. A count is a whole number.",
            SECTION,
        ),
    ),
)
