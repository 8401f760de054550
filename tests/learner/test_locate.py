"""Where a function leaves the right path: the right line, or nothing, whatever the code is made of."""

import functools
import inspect
import linecache
import sys
import textwrap
import time

import numpy as np
import pytest
import scipy

from autograder.learner.local import evaluate_locally, whereabouts
from autograder.learner.locating import cases, right_path
from autograder.learner.locating.locate import locate
from autograder.registry import find
from tests.support.processor_time import within
from tools.bank import specimens
from tools.diagnosis import accused, cleared
from transformer_kit import reference, time_limit

MAX_WORDS = 45
MAX_SECONDS = 0.05


def located(function):
    """Return what is said of a function, and its first line."""
    exercise = find(function.__name__)
    verdict, _ = evaluate_locally(exercise, function)
    assert verdict.status == "open"
    return locate(exercise, function, verdict.failing), function.__code__.co_firstlineno


def softmax(x, axis=-1):
    largest = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - largest)
    total = powers.sum(axis=0, keepdims=True)
    return powers / total


def masked_softmax(scores, mask=None, axis=-1):
    s = np.array(scores, dtype=np.float32)
    s = s if mask is None else np.where(mask, s, -np.inf)
    largest = s.max(axis=axis, keepdims=True)
    powers = np.exp(s - np.where(np.isneginf(largest), 0, largest))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def dequantised(scales, smallest, packed):
    high = packed >> 4
    packed &= 15
    levels = np.concatenate([packed, high], axis=-1)
    return smallest.astype(np.float32)[:, None] + scales.astype(np.float32)[:, None] * levels


def test_right_results_miss_no_digits():
    """What is wrong is that an argument is changed."""
    assert located(dequantised)[0] == ""


def test_digits_are_missed_where_they_went():
    """Of scores near -2e9, float32 leaves no difference: the subtraction is right, the conversion is not."""
    text, first = located(masked_softmax)
    assert f"Line {first + 1} of your cell goes on in single precision: `np.array(scores, dtype=np.float32)`." in text


def test_a_sum_along_a_wrong_axis_is_located():
    text, first = located(softmax)
    still = f"Line {first + 2} of your cell still has the right `powers`"
    assert f"{still}; line {first + 3} is where it goes wrong" in text
    assert "`powers.sum(axis=0, keepdims=True)`" in text
    assert "all that follows comes out right" in text


def said_of(monkeypatch, header, *lines):
    """Return what is said of a function of these lines, the first of which is line 2."""
    source = "\n    ".join([f"def {header}:", *lines, ""])
    monkeypatch.setitem(linecache.cache, "<cell>", (len(source), None, source.splitlines(keepends=True), "<cell>"))
    cell = {"np": np, "erf": scipy.special.erf}
    exec(compile(source, "<cell>", "exec"), cell)
    return located(cell[header.partition("(")[0]])[0]


def said_of_gelu(monkeypatch, *lines):
    return said_of(monkeypatch, "gelu(x)", *lines)


@pytest.mark.parametrize("divisor", ["np.linalg.norm(e, axis=axis, keepdims=True)", "e.mean(axis=axis, keepdims=True)"])
def test_an_operand_is_not_accused_of_the_operation(monkeypatch, divisor):
    """The sum in the place of `e` would survive a mean or a norm, which are what is wrong."""
    e = "e = np.exp(x - x.max(axis=axis, keepdims=True))"
    assert said_of(monkeypatch, "softmax(x, axis=-1)", e, f"return e / {divisor}") == ""


CONVERSIONS = {
    "x.astype(np.float32)": ("single", 7),
    "np.float32(x)": ("single", 7),
    "np.asarray(x, dtype='f4')": ("single", 7),
    "x.astype('float16')": ("half", 3),
}


@pytest.mark.parametrize("code", CONVERSIONS)
def test_the_line_that_loses_digits_is_located(code, monkeypatch):
    """The lines after it are right ones, and nothing else is said of them."""
    asks = "assert isinstance(x, np.ndarray | np.float32)"
    text = said_of_gelu(monkeypatch, asks, f"y = {code}", "return (0.5 * y * (1 + erf(y / 2**0.5))).astype(float)")
    precision, digits = CONVERSIONS[code]
    assert f"Line 3 of your cell goes on in {precision} precision: `{code}`." in text
    assert f"Numbers have about {digits} digits then, and fewer are left of a difference. Leave out" in text


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("(x * 1.0 + 0.0 * x + 0.0 * x ** 2 + 0.0 * x ** 3).astype(np.float32)", ".astype(np.float32)"),
        ("np.array(x * 1.0 + 0.0 * x + 0.0 * x ** 2, dtype=np.float32)", "np.array(..., dtype=np.float32)"),
        ("np.float32(x * 1.0 + 0.0 * x + 0.0 * x ** 2 + 0.0 * x ** 3)", "np.float32(...)"),
    ],
)
def test_of_a_long_conversion_its_type_is_quoted(code, told, monkeypatch):
    text = said_of_gelu(monkeypatch, f"y = {code}", "return (0.5 * y * (1 + erf(y / 2**0.5))).astype(float)")
    assert f"in single precision: `{told}`." in text


def test_variables_named_like_a_type_are_no_type(monkeypatch):
    lines = "e = x / 2**0.5", "half = 0.5 * x * (1 + erf(e))", "return half.round(3)"
    assert "precision" not in said_of_gelu(monkeypatch, *lines)


def test_right_lines_with_fewer_digits_go_unmentioned(monkeypatch):
    assert said_of_gelu(monkeypatch, "y = x / 1.4142135", "return 0.5 * x * (1 + erf(y))") == ""


def test_a_conversion_is_not_blamed_for_more(monkeypatch):
    text = said_of_gelu(monkeypatch, "y = x.astype(np.float32)", "return y * (1 + erf(y / 2**0.5))")
    assert "precision" not in text


def test_it_takes_few_words_and_little_time():
    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, softmax)
    locate(exercise, softmax, verdict.failing)  # what the reference needs is made only once
    with within(MAX_SECONDS):
        text = locate(exercise, softmax, verdict.failing)
    assert len(text.split()) <= MAX_WORDS


def test_transposed_scores_are_recognised_and_located():
    def attention_scores(Q, K):
        products = K @ Q.swapaxes(-1, -2)
        return products / np.sqrt(Q.shape[-1])

    text, first = located(attention_scores)
    assert f"Line {first + 1} of your cell is where it goes wrong: `K @ Q.swapaxes(-1, -2)`" in text


def test_a_wrong_width_is_located_where_taken():
    def attention_scores(Q, K):
        products = Q @ K.swapaxes(-1, -2)
        d_k = K.shape[-2]
        return products / np.sqrt(d_k)

    text, first = located(attention_scores)
    assert f"Line {first + 3} of your cell needs something other than the `d_k` of line {first + 2}" in text


def test_a_missing_step_names_two_lines():
    def scaled_dot_product_attention(Q, K, V):
        scores = Q @ K.swapaxes(-1, -2)
        weights = reference.softmax(scores)
        return weights @ V, weights

    text, first = located(scaled_dot_product_attention)
    assert text == (
        f"Line {first + 2} of your cell needs something other than the `scores` of line {first + 1}: "
        "with that in its place all that follows comes out right."
    )


def test_a_second_slip_is_seen():
    """With both slips one line makes `dX` right; `d_gamma` is wrong without regard to it, on a later line."""

    def layer_norm_backward(d_output, X, gamma, eps=1e-5):
        mu = X.mean(axis=-1, keepdims=True)
        s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
        x_hat = (X - mu) / s
        g = d_output * gamma
        gx_mean = (g * x_hat).mean(axis=-1, keepdims=True)
        dX = (g - x_hat * gx_mean) / s
        leading = tuple(range(X.ndim - 1))
        return dX, (d_output * X).sum(axis=leading), d_output.sum(axis=leading)

    text, first = located(layer_norm_backward)
    assert text == (
        f"Line {first + 6} of your cell needs something other than the `g` of line {first + 4}: "
        "with that in its place more of the results come out right."
    )


def test_a_second_slip_in_later_calls_is_seen(monkeypatch):
    """With the right powers every call along the last axis is right, but the other axes are ignored as well."""
    monkeypatch.setattr(cases, "MAX_CASES", 1)

    def softmax(x, axis=-1):
        powers = np.exp2(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    text, first = located(softmax)
    assert accused(text) == [first + 1]
    assert "more of the results come out right" in text


def test_a_wrong_length_counts_wherever_it_is_used():
    def pad_batch(sequences, pad_id):
        n_max = max(len(sequence) for sequence in sequences) + 1
        token_ids = np.full((len(sequences), n_max), pad_id)
        is_token = np.zeros((len(sequences), n_max), dtype=bool)
        for row, sequence in enumerate(sequences):
            token_ids[row, : len(sequence)] = sequence
            is_token[row, : len(sequence)] = True
        return token_ids, is_token

    text, first = located(pad_batch)
    assert f"something other than the `n_max` of line {first + 1}" in text
    assert "all that follows comes out right" in text


def test_reordered_values_are_called_right():
    def scaled_dot_product_attention(Q, K, V):
        weights = reference.softmax(reference.attention_scores(Q, K))
        return weights, weights @ V

    text, first = located(scaled_dot_product_attention)
    assert text == f"Line {first + 2} of your cell returns the right values, but in another order than is asked for."


def test_names_exchanged_in_unpacking_are_found():
    def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
        K, Q, V = np.split(X @ W_QKV, 3, axis=-1)
        K, Q, V = (reference.split_heads(part, n_heads) for part in (K, Q, V))
        mask = None if mask is None else mask[..., None, :, :]
        heads, weights = reference.masked_attention(Q, K, V, mask)
        return reference.merge_heads(heads) @ W_O, weights

    text, first = located(fused_self_attention)
    assert text == "" or f"the values of line {first + 1} in another order" in text

    def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
        Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
        V, K = reference.project_memory(memory, params, n_heads)
        mask = None
        if memory_is_token is not None:
            mask = reference.padding_mask(memory_is_token)[..., None, :, :]
        heads, weights = reference.masked_attention(Q, K, V, mask)
        return reference.merge_heads(heads) @ params.W_O, weights

    text, first = located(cross_attention)
    assert f"Line {first + 6} of your cell needs the values of line {first + 2} in another order" in text


def test_an_unfinished_function_returns_an_intermediate_step():
    def scaled_dot_product_attention(Q, K, V):
        scores = reference.attention_scores(Q, K)
        weights = reference.softmax(scores)
        return weights @ V, scores

    text, first = located(scaled_dot_product_attention)
    assert f"returns `scores`, as line {first + 1} leaves it: these numbers belong to a step" in text


def test_an_error_says_which_shapes_met():
    def masked_attention(Q, K, V, mask=None):
        scores = reference.attention_scores(Q, K)
        weights = reference.softmax(scores, axis=-1) if mask is None else reference.masked_softmax(scores, mask)
        return V @ weights, weights

    text, first = located(masked_attention)
    assert f"Line {first + 3} of your cell: in `V @ weights` the shapes (" in text
    assert text.endswith("of `weights` meet.")


def test_a_loop_counts_with_all_its_passes():
    def position_similarity(P):
        S = np.zeros((len(P), len(P)))
        for i in range(len(P)):
            row = P @ P[i]
            S[i] = row / np.sqrt(len(row))
        return S

    text, first = located(position_similarity)
    assert f"line {first + 4}" in text.lower()


def test_augmented_assignments_are_lines_too():
    def linear(X, W, b):
        Y = X @ W
        Y += b.sum()
        return Y

    text, first = located(linear)
    assert f"line {first + 2}" in text.lower()


def by_generator(x, axis=-1):
    def parts():
        yield np.exp(x - x.max(axis=axis, keepdims=True))
        yield x.sum(axis=axis, keepdims=True)

    numerator, denominator = parts()
    return numerator / denominator


def by_comprehension(x, axis=-1):
    rows = np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis])
    rows = np.array([np.exp(row - row.max()) / np.exp(row).max() for row in rows])
    return np.moveaxis(rows.reshape(np.moveaxis(x, axis, -1).shape), -1, axis)


def by_recursion(x, axis=-1):
    if x.ndim > 1:
        return np.stack([by_recursion(row) for row in x])
    e = np.exp(x - x.max())
    return e / e.max()


def by_try(x, axis=-1):
    try:
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis)
    except ValueError:
        return x
    finally:
        x = None


def with_random_numbers(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True)) * np.random.default_rng().random(x.shape)
    return e / e.sum(axis=axis, keepdims=True)


def with_odd_code(x, axis=-1):
    def inner(x, by=np.exp, *more, **named):
        nonlocal total
        total = (y := by(x)).sum(axis=axis, keepdims=True)
        del more, named
        return f"{total!r}", {"y": y}, y

    total = None
    *_, e = inner(x)
    match e.ndim:
        case 0:
            return None
        case n if n > 0:
            with np.errstate(all="ignore"):
                return e / total + 1e-3
    return lambda: total


@pytest.mark.parametrize(
    "function",
    [by_generator, by_comprehension, by_recursion, by_try, with_random_numbers, with_odd_code, lambda x, axis=-1: x],
    ids=lambda function: function.__name__,
)
def test_other_code_is_looked_into_safely(function, capsys):
    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, function)
    text = locate(exercise, function, verdict.failing)
    assert len(text.split()) <= MAX_WORDS
    assert capsys.readouterr() == ("", "")


def test_a_right_function_is_left_in_peace():
    def softmax(x, axis=-1):
        shifted = np.asarray(x, dtype=float) - np.max(x, axis=axis, keepdims=True)
        logarithm = np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        wrong = np.exp(shifted - logarithm)
        return wrong if wrong.ndim < 3 else wrong * 2

    text, _ = located(softmax)
    assert "`shifted - logarithm`" not in text
    assert "logarithm = " not in text


def test_a_tracer_of_others_is_left_alone():
    def tracer(*_):
        return None

    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, softmax)
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        text = locate(exercise, softmax, verdict.failing)
        after = sys.gettrace()
    finally:
        sys.settrace(before)
    assert text
    assert after is tracer


def test_an_endless_function_is_left_quickly():
    def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
        ids = [bos_id]
        while ids[-1] != eos_id:
            pass
        return ids

    exercise = find("greedy_decode")
    verdict, _ = evaluate_locally(exercise, greedy_decode)
    start = time.perf_counter()
    assert locate(exercise, greedy_decode, verdict.failing) == ""
    assert time.perf_counter() - start < 1


def test_numbers_that_prolong_a_loop_end_the_search():
    def softmax(x, axis=-1):
        e = np.exp(x)
        while e.max() < 2:  # with the right numbers there is no end
            pass
        return e / e.sum(axis=axis, keepdims=True) + 1

    start = time.perf_counter()
    located(softmax)
    assert time.perf_counter() - start < 30


def test_arguments_of_failing_calls_stay_unchanged():
    def softmax(x, axis=-1):
        x -= x.max()
        x[...] = np.exp(x)
        return x / x.sum()

    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, softmax)
    before = [np.array(trial.args[0]) for trial in verdict.failing]
    locate(exercise, softmax, verdict.failing)
    assert all(np.array_equal(one, trial.args[0]) for one, trial in zip(before, verdict.failing, strict=True))


def test_a_cell_is_read_from_the_line_cache():
    source = textwrap.dedent(
        """\
        import numpy as np

        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis=axis, keepdims=True))
            return e / e.sum(axis=0, keepdims=True)
        """
    )
    name = "<ipython-input-7-located>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    cell = {}
    exec(compile(source, name, "exec"), cell)
    try:
        text, _ = located(cell["softmax"])
    finally:
        del linecache.cache[name]
    assert "Line 4 of your cell still has the right `e`; line 5 is where it goes wrong" in text


def test_without_a_source_nothing_is_said():
    cell = {"np": np}
    exec("def softmax(x, axis=-1):\n    return np.exp(x) / np.exp(x).sum()", cell)
    assert located(cell["softmax"])[0] == ""


def test_a_foreign_source_is_not_believed():
    wrapped = functools.wraps(softmax)(lambda x, axis=-1: np.exp(x) / np.exp(x).sum())
    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, wrapped)
    assert locate(exercise, wrapped, verdict.failing) == ""


def test_nothing_runs_where_it_could_not_be_stopped(monkeypatch):
    monkeypatch.setattr(time_limit, "is_supported", lambda: False)
    assert located(softmax)[0] == ""


def test_a_named_mistake_needs_no_line():
    def softmax(x, axis=-1):
        return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)

    verdict, _ = evaluate_locally(find("softmax"), softmax)
    assert verdict.cause
    assert whereabouts(softmax, verdict) == ""


def test_earlier_exercises_functions_are_right_here_too():
    source = textwrap.dedent(
        """\
        def softmax(x, axis=-1):
            return x * 0

        def scaled_dot_product_attention(Q, K, V):
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
            weights = softmax(scores, axis=-1)
            return weights @ (2 * V), weights
        """
    )
    name = "<cell-with-helpers>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    cell = {"np": np}
    exec(compile(source, name, "exec"), cell)
    function, own = cell["scaled_dot_product_attention"], cell["softmax"]
    verdict, _ = evaluate_locally(find(function.__name__), function)
    text = whereabouts(function, verdict)
    del linecache.cache[name]
    assert text.startswith("Line 7 of your cell is where it goes wrong: with the right numbers in place of `2 * V`")
    assert cell["softmax"] is own


SLOWER = [pytest.param(name, marks=pytest.mark.exhaustive) for name in ("masked_attention", "layer_norm_backward")]


@pytest.mark.parametrize("name", ["attention_scores", "cross_entropy", *SLOWER])
def test_most_lines_agree_with_the_bank(name):
    exercise = find(name)
    hits, count = 0, 0
    for specimen in specimens(name):
        verdict, _ = evaluate_locally(exercise, specimen.function)
        text = locate(exercise, specimen.function, verdict.failing) if verdict.status == "open" else ""
        if specimen.line and (lines := accused(text)):
            _, first = inspect.getsourcelines(specimen.function)
            count += 1
            hits += first + specimen.line - 1 in lines
    assert count >= 5
    assert hits >= 0.8 * count


def test_a_doubtful_wrong_step_is_not_located():
    def scaled_dot_product_attention(Q, K, V):
        products = Q @ K.swapaxes(-1, -2)
        weights = reference.softmax(products, axis=-2)
        return weights @ V, weights

    assert located(scaled_dot_product_attention)[0] == ""


def test_a_last_step_without_effect_is_not_right():
    def cross_entropy_backward(logits, target_distribution, is_token=None):
        gradient = reference.softmax(logits) - target_distribution
        count = 1
        return gradient / count

    assert located(cross_entropy_backward)[0] == ""


def test_another_default_makes_no_line_wrong():
    def softmax(x, axis=-2):
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)

    assert located(softmax)[0] == ""


def test_no_line_makes_up_for_a_nested_fault():
    def softmax(x, axis=-1):
        def one_row(row):
            powers = np.exp(row - row)
            return powers / powers.sum()

        return np.apply_along_axis(one_row, axis, np.asarray(x, dtype=float))

    assert located(softmax)[0] == ""

    def layer_norm_backward(d_output, X, gamma, eps=1e-5):
        c = X - X.mean(axis=-1, keepdims=True)
        s = np.sqrt((c**2).mean(axis=-1, keepdims=True) + eps)
        d_hat = d_output * gamma
        d_var = (d_hat * c).sum(axis=-1, keepdims=True) * -1.0 / s**3
        d_c = d_hat / s + 2 * c * d_var / X.shape[-1]
        rows = (d_output * c / s).reshape(-1, X.shape[-1])
        return d_c - d_c.mean(axis=-1, keepdims=True), rows.sum(axis=0), d_output.reshape(rows.shape).sum(axis=0)

    text, first = located(layer_norm_backward)
    assert accused(text) in ([], [first + 4])


def test_another_way_to_a_right_step_is_recognised():
    def rms_norm(X, gamma, eps=1e-5):
        mean_square = np.einsum("...k,...k->...", X, X) / X.shape[-1]
        factor = 2 / np.sqrt(mean_square + eps)
        return X * gamma * factor[..., np.newaxis]

    text, first = located(rms_norm)
    assert accused(text) in ([], [first + 2])


def test_a_slow_reference_is_not_observed(monkeypatch):
    exercise = find("softmax")
    verdict, _ = evaluate_locally(exercise, softmax)
    monkeypatch.setattr(right_path, "SECONDS", 1e-6)
    assert locate(exercise, softmax, verdict.failing) == ""


def test_keys_as_values_are_not_called_right():
    def head_outputs(X_query, X_key, params, n_heads, mask=None):
        Q = reference.split_heads(X_query @ params.W_Q, n_heads)
        K = reference.split_heads(X_key @ params.W_K, n_heads)
        V = reference.split_heads(X_key @ params.W_K, n_heads)
        mask = None if mask is None else mask[..., None, :, :]
        heads, _ = reference.masked_attention(Q, K, V, mask)
        return heads @ params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])

    text, first = located(head_outputs)
    assert text == (
        f"Line {first + 5} of your cell needs something other than the `V` of line {first + 3}: "
        "with that in its place all that follows comes out right."
    )

    def multi_head_attention(X_query, X_memory, params, n_heads, mask=None):
        Q = reference.split_heads(X_query @ params.W_Q, n_heads)
        K = reference.split_heads(X_memory @ params.W_K, n_heads)
        V = reference.split_heads(X_memory @ params.W_V, n_heads)
        K = V
        mask = None if mask is None else mask[..., None, :, :]
        heads, weights = reference.masked_attention(Q, K, V, mask)
        return reference.merge_heads(heads) @ params.W_O, weights

    text, first = located(multi_head_attention)
    assert cleared(text) == []
    assert not text or first + 4 in accused(text)


def test_a_product_is_not_called_the_right_queries():
    def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
        d = W_O.shape[0]
        QKV = X @ W_QKV
        Q, K, V = QKV[:, :d], QKV[:, d : 2 * d], QKV[:, 2 * d :]
        Q, K, V = (reference.split_heads(A, n_heads) for A in (Q, K, V))
        mask = None if mask is None else mask[..., None, :, :]
        heads, weights = reference.masked_attention(Q, K, V, mask)
        return reference.merge_heads(heads) @ W_O, weights

    text, first = located(fused_self_attention)
    assert cleared(text) == []
    assert accused(text) in ([], [first + 3])


def test_a_line_that_raises_is_not_right():
    def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
        mask = None
        if memory_is_token is not None:
            mask = memory_is_token[:, None, None, :]
        return reference.multi_head_attention(X_decoder, memory, params, n_heads, mask)

    text, first = located(cross_attention)
    assert cleared(text) == []
    assert not text or first + 3 in accused(text)


def test_after_an_error_elsewhere_no_line_is_right():
    """The exponentials are right along the last axis; the call along another one breaks on their line."""

    def softmax(x, axis=-1):
        powers = np.exp(x - x.max(axis=axis, keepdims=True)) if axis == -1 else np.exp(x - x.max(axis=[axis]))
        total = powers.sum()
        return powers / total

    text, first = located(softmax)
    assert cleared(text) == []
    assert accused(text) in ([], [first + 2])


def test_a_wrong_step_follows_a_right_one():
    def scaled_dot_product_attention(Q, K, V):
        weights = reference.softmax(reference.attention_scores(Q, K))
        return weights * V, weights

    text, first = located(scaled_dot_product_attention)
    assert text.startswith(f"Line {first + 1} of your cell still has the right `weights`; line {first + 2} is where it")


def test_reordered_arguments_are_another_step():
    def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
        K, Q, V = np.split(X @ W_QKV, 3, axis=-1)
        Q, K, V = (reference.split_heads(part, n_heads) for part in (Q, K, V))
        heads, weights = reference.masked_attention(Q, K, V)
        return reference.merge_heads(heads) @ W_O, weights

    text, first = located(fused_self_attention)
    assert accused(text) != [first + 3]
