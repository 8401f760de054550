"""Wrong functions of the kinds that a weak claim lets through lose points wherever they can happen."""

import copy
import inspect
import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.execution.call import LocalRunner
from autograder.registry import find, units
from tests.support.rounded import by_few_digits
from transformer_kit import corpus, reference
from transformer_kit.corpus.sentences import prepare_sentence
from transformer_kit.numerical import numerical_gradient

pytestmark = pytest.mark.exhaustive

MAY_BE_ROUNDED = {"own_positions", "before_minus_after", "misleading_weights"}  # open tasks that allow an error
NOT_WATCHED = {"translate": {"model"}}  # nothing in the exercise gives a reason to write into a model
EXERCISES = [pytest.param(exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]


def loses_points(exercise, function):
    runner = LocalRunner(function, inspect.signature(exercise.reference))
    runner.seconds = None
    return any(attempt.has_failed for attempt in attempts(exercise, runner, visible_seed(exercise)))


def _containers(value):
    """Yield the arrays, lists and dictionaries in an argument."""
    if isinstance(value, np.ndarray | list | dict):
        yield value
    if isinstance(value, tuple | list):
        for entry in value:
            yield from _containers(entry)


def _changed(container):
    """Change an array, a list or a dictionary in place."""
    if isinstance(container, list):
        container.append(container[-1] if container else 0)
    elif isinstance(container, dict):
        container[copy.copy(next(iter(container), "word")) * 2] = 0
    elif container.size:
        container.flat[0] = not container.flat[0] if container.dtype == bool else container.flat[0] + 1


@pytest.mark.parametrize("exercise", EXERCISES)
def test_whoever_changes_an_argument_loses_points(exercise):
    """Every argument that holds an array, a list or a dictionary is tried, each by itself."""
    signature, held = inspect.signature(exercise.reference), set()

    def watches(*args, **kwargs):
        given = signature.bind(*args, **kwargs).arguments
        held.update(name for name, value in given.items() if any(True for _ in _containers(value)))
        return exercise.reference(*args, **kwargs)

    def changes(name):
        def function(*args, **kwargs):
            result = copy.deepcopy(exercise.reference(*args, **kwargs))
            for container in list(_containers(signature.bind(*args, **kwargs).arguments.get(name))):
                _changed(container)
            return result

        return function

    assert not loses_points(exercise, watches)
    assert {name for name in held if not loses_points(exercise, changes(name))} == NOT_WATCHED.get(exercise.name, set())


def _shown_instead(mask):
    """Return a mask in which whoever sees nothing sees everything."""
    return None if mask is None else mask | ~np.any(mask, axis=-1, keepdims=True)


def blind_rows_see_everything(name, position):
    """Replace the mask at a place among the arguments."""
    function = getattr(reference, name)
    parameter = list(inspect.signature(function).parameters)[position]

    def wrong(*args, **kwargs):
        given = inspect.signature(function).bind(*args, **kwargs).arguments
        return function(**given | {parameter: _shown_instead(given.get(parameter))})

    return pytest.param(name, wrong, id=f"{name}-{parameter}")


@pytest.mark.parametrize(
    ("name", "function"),
    [
        blind_rows_see_everything("masked_softmax", 1),
        blind_rows_see_everything("masked_attention", 3),
        blind_rows_see_everything("multi_head_attention", 4),
        blind_rows_see_everything("fused_self_attention", 4),
        blind_rows_see_everything("cross_attention", 4),
        blind_rows_see_everything("encoder_layer", 3),
        blind_rows_see_everything("decoder_layer", 4),
        blind_rows_see_everything("decoder_layer", 5),
        blind_rows_see_everything("encode_source", 1),
        blind_rows_see_everything("decode_target", 2),
        blind_rows_see_everything("head_outputs", 4),
    ],
)
def test_rows_that_see_nothing(name, function):
    assert loses_points(find(name), function)


def _without_falsy(name, position, other):
    """Take a 0 at a place among the arguments for one that is missing."""

    def wrong(*args):
        given = list(args)
        if len(given) > position and isinstance(given[position], int | float):
            given[position] = given[position] or other
        return getattr(reference, name)(*given)

    return wrong


def zero_ids_replaced(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return np.where(token_ids == 0, pad_id, token_ids), is_token


def zeros_dropped(function):
    """Take numbers that are exactly 0 in a result for dropped ones."""

    def wrong(logits, number):
        kept = np.array(function(logits, number))
        kept[kept == 0] = -np.inf
        return kept

    return wrong


def zero_uniforms_replaced(model, bos_id, eos_id, max_len, uniforms, *args, **kwargs):
    uniforms = [u or 0.5 for u in uniforms]
    return reference.sample_decode(model, bos_id, eos_id, max_len, uniforms, *args, **kwargs)


def sure_tokens_not_counted(logits, target_distribution, is_token=None):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    terms = target_distribution * (shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
    losses = -terms.sum(axis=-1) * (1 if is_token is None else is_token)
    return float(losses.sum() / max(np.count_nonzero(losses), 1))


def rows_of_zeros_not_counted(logits, target_distribution, is_token=None):
    gradient = reference.softmax(logits) - target_distribution
    gradient = gradient * (1 if is_token is None else is_token[..., None])
    return gradient / max(gradient.any(axis=-1).sum(), 1)


def zeros_measured_again(score, n_heads):
    table, whole = np.zeros((n_heads, n_heads)), score(())
    for i, j in np.ndindex(table.shape):
        if table[i, j] == 0:
            table[i, j] = table[j, i] = whole - score((i, j) if i != j else (i,))
    return table


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("pad_batch", zero_ids_replaced),
        ("first_leak", lambda attend, X, seed=0: reference.first_leak(attend, X, seed) or None),
        ("shift_matrix", _without_falsy("shift_matrix", 0, 1)),
        ("layer_norm", _without_falsy("layer_norm", 3, 1e-5)),
        ("rms_norm", _without_falsy("rms_norm", 2, 1e-5)),
        ("apply_temperature", _without_falsy("apply_temperature", 1, 1.0)),
        ("top_k_filter", zeros_dropped(reference.top_k_filter)),
        ("top_p_filter", zeros_dropped(reference.top_p_filter)),
        ("sample_token", lambda probs, u: reference.sample_token(probs, u or 0.5)),
        ("sample_decode", zero_uniforms_replaced),
        ("beam_search", lambda *a, **k: [found for found in reference.beam_search(*a, **k) if found[0]]),
        ("smooth_labels", _without_falsy("smooth_labels", 2, 0.1)),
        ("cross_entropy", sure_tokens_not_counted),
        ("cross_entropy_backward", rows_of_zeros_not_counted),
        ("without_heads", lambda params, n, heads: reference.without_heads(params, n, tuple(h for h in heads if h))),
        ("ablation_table", zeros_measured_again),
    ],
)
def test_a_zero_is_a_number(name, function):
    """Neither an argument nor an entry that is 0 is missing, padding or dropped."""
    assert loses_points(find(name), function)


def _cut(name, count):
    """Set to 0 whatever lies beyond some number of rows, columns and so on."""

    def wrong(*args, **kwargs):
        result = np.array(getattr(reference, name)(*args, **kwargs))
        for axis in range(result.ndim):
            np.moveaxis(result, axis, 0)[count:] = 0
        return result

    return wrong


def _first_layers(weights):
    return reference.attention_rollout(weights[:12])


def _last_keys(*args):
    logits, cache = reference.cached_decode_step(*args)
    return logits, tuple(c._replace(K=c.K[..., -64:, :], V=c.V[..., -64:, :]) for c in cache)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("one_hot", _cut("one_hot", 24)),
        ("angular_frequencies", _cut("angular_frequencies", 24)),
        ("positional_encoding", _cut("positional_encoding", 1024)),
        ("add_positions", _cut("add_positions", 512)),
        ("shift_matrix", _cut("shift_matrix", 24)),
        ("causal_mask", _cut("causal_mask", 1024)),
        ("greedy_decode", lambda f, b, e, n: reference.greedy_decode(f, b, e, min(n, 100))),
        ("cached_decode_step", _last_keys),
        ("ablation_table", _cut("ablation_table", 12)),
        ("attention_rollout", _first_layers),
        ("logit_lens", _cut("logit_lens", 12)),
    ],
)
def test_sizes_far_beyond_the_small_ones(name, function):
    assert loses_points(find(name), function)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("relu", lambda x: np.clip(x, 0, 100)),
        ("gelu", lambda x: np.minimum(reference.gelu(x), 20)),
        (
            "position_wise_ffn",
            lambda X, p, activation=reference.relu: np.minimum(activation(X @ p.W_1 + p.b_1), 30) @ p.W_2 + p.b_2,
        ),
        ("swiglu", lambda X, g, u, d: (np.minimum(X @ g, 30) * special.expit(X @ g) * (X @ u)) @ d),
        ("swiglu", lambda X, g, u, d: (X @ g * special.expit(X @ g) * np.clip(X @ u, -20, 20)) @ d),
        ("softmax", lambda x, axis=-1: reference.softmax(np.clip(x, -500, 500), axis)),
        ("apply_temperature", lambda logits, temperature: reference.apply_temperature(logits, min(temperature, 10))),
    ],
)
def test_large_numbers(name, function):
    assert loses_points(find(name), function)


def _rounded(result, decimals):
    """Round every number in a result."""
    if isinstance(result, tuple | list):
        entries = [_rounded(entry, decimals) for entry in result]
        return type(result)(*entries) if hasattr(result, "_fields") else type(result)(entries)
    return np.round(result, decimals) if isinstance(result, float | np.floating) or _is_real(result) else result


def _is_real(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_whoever_rounds_numbers_loses_points(exercise):
    """To four decimals, where a result has numbers with more of them."""
    found = []

    def rounds(*args, **kwargs):
        result = exercise.reference(*args, **kwargs)
        rounded = _rounded(copy.deepcopy(result), 4)
        found.append(repr(result) != repr(rounded))
        return rounded

    assert (exercise.name in MAY_BE_ROUNDED) != (loses_points(exercise, rounds) or not any(found))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_whoever_knows_one_sentence_only_loses_points(exercise):
    """The first sentence of a batch is taken for all of them, argument by argument."""
    signature, tried = inspect.signature(exercise.reference), set()

    def first_for_all(name):
        def function(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            array = given.get(name)
            if isinstance(array, np.ndarray) and array.ndim > 2 and len(array) > 1:
                given[name] = np.broadcast_to(array[:1], array.shape).copy()
                if not np.array_equal(given[name], array):
                    tried.add(name)
            return exercise.reference(**given)

        return function

    accepted = {name for name in signature.parameters if not loses_points(exercise, first_for_all(name))}
    assert not accepted & tried


def _argument(name, parameter, change):
    """Change one argument on its way."""
    function = getattr(reference, name)

    def wrong(*args, **kwargs):
        given = inspect.signature(function).bind(*args, **kwargs).arguments
        if given.get(parameter) is not None:
            given[parameter] = change(given[parameter])
        return function(**given)

    return pytest.param(name, wrong, id=f"{name}-{parameter}")


def _only_letters(text):
    return "".join(sign for sign in text if sign.isalnum() or sign.isspace() or sign in ",.!-")


@pytest.mark.parametrize(
    ("name", "function"),
    [
        _argument("encode", "text", lambda text: text.encode("ascii", "ignore").decode()),
        _argument("encode", "text", _only_letters),
        _argument("encode", "text", lambda text: text.replace(",", " ")),
        _argument("word_pieces", "word", str.lower),
        _argument("word_pieces", "word", lambda word: word.rstrip(".")),
        _argument("word_pieces", "word", lambda word: word.replace("#", "")),
        _argument("word_pieces", "word", lambda word: word.encode("ascii", "replace").decode().replace("?", "a")),
        _argument("word_pieces", "vocabulary", lambda known: {k: i for k, i in known.items() if len(k) <= 10}),
        ("translate", lambda *args, **kwargs: reference.translate(*args, **kwargs).capitalize()),
        ("translate", lambda *args, **kwargs: reference.translate(*args, **kwargs).rstrip(" .")),
        ("adam_update", lambda p, grad, *more, **named: reference.adam_update(p, np.clip(grad, -1, 1), *more, **named)),
        ("sample_token", lambda probs, u: reference.sample_token(probs, round(u, 2))),
        ("ablation_table", lambda *args: np.abs(reference.ablation_table(*args))),
        ("logit_lens", lambda states, E: reference.logit_lens(states, E / np.linalg.norm(E, axis=1, keepdims=True))),
        ("padding_mask", lambda known: known[..., None, :] & known[..., :, None]),
        ("encode_source", lambda ids, known, model: reference.encode_source(ids, known, model) * known[..., None]),
    ],
)
def test_more_than_was_asked(name, function):
    """What nobody asked for, such as other texts, other numbers or other masks, loses points."""
    assert loses_points(find(name), function)


def _token_by_token(X, sublayer):
    return np.concatenate([sublayer(X[..., i : i + 1, :]) for i in range(X.shape[-2])], axis=-2)


def _all_sentences_as_one(X, sublayer):
    return sublayer(X.reshape(-1, X.shape[-1])).reshape(X.shape)


def _in_pieces(name, pieces):
    def wrong(X, sublayer, *args, **kwargs):
        return getattr(reference, name)(X, lambda Z: pieces(Z, sublayer), *args, **kwargs)

    return pytest.param(name, wrong, id=f"{name}-{pieces.__name__.strip('_')}")


def loss_per_sentence(state, batch, *functions):
    alone = [type(batch)(*(field[i : i + 1] for field in batch)) for i in range(len(batch.source_ids))]
    losses = [reference.train_step(state, one, *functions)[1] for one in alone]
    return reference.train_step(state, batch, *functions)[0], float(np.mean(losses))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        _in_pieces("post_norm", _token_by_token),
        _in_pieces("post_norm", _all_sentences_as_one),
        _in_pieces("pre_norm", _token_by_token),
        _in_pieces("pre_norm", _all_sentences_as_one),
        ("train_step", loss_per_sentence),
        ("combine_masks", lambda *masks: reference.combine_masks(*masks[:4])),
        ("without_heads", lambda params, n, heads: reference.without_heads(params, n, heads[: n - 1])),
    ],
)
def test_piece_by_piece(name, function):
    """A sub-layer gets everything at once; all the masks, heads and sentences that are given count."""
    assert loses_points(find(name), function)


def _end(name, change):
    """Change the ids that a search returns; `change` takes them, the end symbol and the largest length."""

    def wrong(model, bos_id, eos_id, max_len, *args, **kwargs):
        return change(getattr(reference, name)(model, bos_id, eos_id, max_len, *args, **kwargs), eos_id, max_len)

    return pytest.param(name, wrong, id=f"{name}-{change.__name__}")


def end_lost_at_max_len(ids, eos_id, max_len):
    return ids[:-1] if len(ids) == max_len and ids[-1] == eos_id else ids


def always_ended(ids, eos_id, max_len):
    return ids if eos_id in ids else (*ids, eos_id)


def ended_at_max_len(ids, eos_id, max_len):
    return (*ids[:-1], eos_id) if len(ids) == max_len else ids


def until_a_token_is_repeated(ids, eos_id, max_len):
    return next((ids[:i] for i in range(1, len(ids)) if ids[i] == ids[i - 1]), ids)


def not_at_the_beginning(name):
    def wrong(model, bos_id, eos_id, *args, **kwargs):
        def without_end(prefixes):
            log_probs = np.array(model(prefixes))
            log_probs[:, eos_id] = np.where(prefixes.shape[1] > 1, log_probs[:, eos_id], -np.inf)
            return log_probs

        return getattr(reference, name)(without_end, bos_id, eos_id, *args, **kwargs)

    return pytest.param(name, wrong, id=f"{name}-not-at-the-beginning")


def finished_ones_first(*args):
    found = reference.beam_search(*args)
    return sorted(found, key=lambda hypothesis: hypothesis[1][-1] != args[2])


def until_id(stop):
    def wrong(model, bos_id, token_ids):
        ids = list(token_ids)
        at = bos_id if stop is None else stop
        return reference.sequence_log_prob(model, bos_id, ids[: ids.index(at) + 1] if at in ids else ids)

    return wrong


def ten_joins(symbols, ranks):
    for _ in range(10):
        pairs = [pair for pair in itertools.pairwise(symbols) if pair in ranks]
        if pairs:
            best = min(pairs, key=ranks.get)
            symbols = reference.byte_pair_merge(symbols, {best: 0})
    return list(symbols)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        *(
            _end(name, change)
            for name in ("greedy_decode", "sample_decode")
            for change in (end_lost_at_max_len, always_ended, ended_at_max_len, until_a_token_is_repeated)
        ),
        not_at_the_beginning("greedy_decode"),
        not_at_the_beginning("sample_decode"),
        not_at_the_beginning("beam_search"),
        ("beam_search", finished_ones_first),
        ("sequence_log_prob", until_id(1)),
        ("sequence_log_prob", until_id(None)),
        ("byte_pair_merge", ten_joins),
    ],
)
def test_the_end_of_a_search(name, function):
    assert loses_points(find(name), function)


def _small_weights_dropped(least):
    def softmax(x, axis=-1):
        weights = reference.softmax(x, axis)
        return np.where(weights < least, 0, weights)

    return softmax


def _cut_off_beyond(end):
    return lambda x: np.where(x < -end, 0.0, np.where(x > end, x, reference.gelu(x)))


@pytest.mark.parametrize(
    ("name", "function", "dtype"),
    [
        *(("softmax", _small_weights_dropped(least), np.float64) for least in (1e-4, 1e-5, 1e-6, 1e-7)),
        *(("softmax", _small_weights_dropped(least), np.float32) for least in (1e-4, 1e-5, 1e-6, 1e-7)),
        *(("gelu", _cut_off_beyond(end), np.float64) for end in (3.5, 4, 4.5, 5)),
        *(("gelu", _cut_off_beyond(end), np.float32) for end in (3.5, 4)),  # beyond it is what single precision rounds
    ],
)
def test_small_numbers_are_not_nothing(name, function, dtype):
    """Nor are they in single precision, where these are not what it rounds off."""
    assert loses_points(find(name), lambda x, *args, **kwargs: function(x.astype(dtype), *args, **kwargs).astype(dtype))


def _leak_seen_by(changed, moved=lambda difference: np.abs(difference).max()):
    """Look for a leak by other changes of the later tokens, or other measures of what moves."""

    def wrong(attend, X, seed=0):
        rng, before = np.random.default_rng(seed), attend(X)
        for p in range(len(X) - 1):
            other = X.copy()
            other[p + 1 :] = changed(X[p + 1 :], rng)
            if moved(attend(other)[p] - before[p]) > 1e-9:
                return p
        return None

    return wrong


def _without_mean(amounts, axis):
    return amounts - amounts.mean(axis=axis, keepdims=True)


def _longer_or_shorter(attend, X, seed=0):
    """Compare the lengths of outputs."""
    rng, before = np.random.default_rng(seed), attend(X)
    for p in range(len(X) - 1):
        other = X.copy()
        other[p + 1 :] = _anew(X[p + 1 :], rng)
        if abs(np.linalg.norm(attend(other)[p]) - np.linalg.norm(before[p])) > 1e-9:
            return p
    return None


def _in_single(changed):
    """Change the later tokens in single precision: what it rounds is noise of a ten-millionth, and no change."""
    seen = _leak_seen_by(lambda later, rng: changed(later, rng).astype(np.float32))
    return lambda attend, X, seed=0: seen(attend, X.astype(np.float32), seed)


def _anew(later, rng):
    return later + rng.standard_normal(later.shape)


@pytest.mark.parametrize(
    "function",
    [
        _leak_seen_by(lambda later, rng: -later),
        _leak_seen_by(lambda later, rng: later[::-1]),
        _leak_seen_by(lambda later, rng: rng.permutation(later)),
        _leak_seen_by(lambda later, rng: 0 * later),
        _leak_seen_by(lambda later, rng: later + np.eye(later.shape[1])[0]),
        _leak_seen_by(lambda later, rng: later + 1),
        _leak_seen_by(lambda later, rng: later + np.pi),
        _leak_seen_by(lambda later, rng: 2 * later),
        _leak_seen_by(lambda later, rng: later * rng.uniform(2, 3, (len(later), 1))),
        _leak_seen_by(lambda later, rng: later * rng.uniform(2, 3, later.shape)),
        _leak_seen_by(lambda later, rng: later + rng.standard_normal()),
        _leak_seen_by(lambda later, rng: later + rng.standard_normal((len(later), 1))),
        _leak_seen_by(lambda later, rng: later + rng.standard_normal(later.shape[1])),
        _leak_seen_by(lambda later, rng: later + rng.integers(1, 9, later.shape)),
        _leak_seen_by(lambda later, rng: later + np.resize([1.0, -1.0], later.shape[1])),
        _leak_seen_by(lambda later, rng: later + _without_mean(rng.standard_normal(later.shape), -1)),
        _leak_seen_by(lambda later, rng: later + _without_mean(rng.standard_normal(later.shape), 0)),
        _leak_seen_by(lambda later, rng: later[:, ::-1]),
        _leak_seen_by(lambda later, rng: rng.permuted(later, axis=1)),
        _leak_seen_by(lambda later, rng: np.roll(later, 1, axis=0)),
        _leak_seen_by(_anew, moved=lambda difference: abs(difference.sum())),
        _leak_seen_by(_anew, moved=lambda difference: difference.max()),
        _leak_seen_by(_anew, moved=lambda difference: abs(difference[0])),
        _leak_seen_by(_anew, moved=np.ptp),
        _leak_seen_by(_anew, moved=lambda difference: abs(difference @ np.resize([1.0, -1.0], len(difference)))),
        _longer_or_shorter,
        _in_single(lambda later, rng: later + 1),
        _in_single(lambda later, rng: later + rng.standard_normal(later.shape[1])),
        _in_single(lambda later, rng: later + _without_mean(rng.standard_normal(later.shape), -1)),
        _leak_seen_by(lambda later, rng: later + 1 + 1e-6 * rng.standard_normal(later.shape)),
        _leak_seen_by(_anew, moved=lambda difference: np.abs(difference).max() / 4.9),
    ],
)
def test_leaks_that_a_symmetric_probe_cannot_see(function):
    assert loses_points(find("first_leak"), function)


@pytest.mark.parametrize("seed", range(5))
def test_no_right_probe_is_refused(seed):
    """Other random amounts, and other right measures of what moves."""
    exercise = find("first_leak")
    for function in (
        _leak_seen_by(_anew),
        _leak_seen_by(lambda later, rng: rng.standard_normal(later.shape)),
        _leak_seen_by(lambda later, rng: later + rng.uniform(-1, 1, later.shape)),
        _leak_seen_by(_anew, moved=np.linalg.norm),
        _leak_seen_by(lambda later, rng: later + rng.random(later.shape)),
        _in_single(_anew),
    ):
        runner = LocalRunner(function, exercise.signature)
        assert not any(attempt.failure for attempt in attempts(exercise, runner, seed))


def _in_arrays(change, value):
    """Change the arrays of real numbers in an argument."""
    if isinstance(value, tuple):
        entries = [_in_arrays(change, entry) for entry in value]
        return type(value)(*entries) if hasattr(value, "_fields") else tuple(entries)
    return change(value) if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim else value


@pytest.mark.parametrize("name", ["post_norm", "pre_norm", "position_wise_ffn", "train_step"])
@pytest.mark.parametrize(
    "change",
    [
        lambda x: 2 * x,
        lambda x: -x,
        lambda x: x + 1,
        lambda x: x + np.arange(x.shape[-1]),
        lambda x: x + np.resize([1.0, -1.0], x.shape[-1]),
        lambda x: x - x.mean(axis=-1, keepdims=True),
        lambda x: x[::-1].copy(),
        lambda x: x[..., ::-1].copy(),
    ],
)
def test_altered_inputs_of_a_callback_lose_points(name, change):
    """However regular the difference: none of the functions that claims hand over is blind to it."""
    exercise = find(name)

    def wrong(*args, **kwargs):
        given = exercise.signature.bind(*args, **kwargs)
        for parameter, value in given.arguments.items():
            if callable(value):
                given.arguments[parameter] = lambda *a, value=value: value(*(_in_arrays(change, one) for one in a))
        return exercise.reference(*given.args, **given.kwargs)

    assert loses_points(exercise, wrong)


def by_the_grammar(sentence, model, beam_width=1, alpha=0.0):
    """Translate by the grammar that made the sentences of the training; the model is not asked."""
    found = corpus.translations(prepare_sentence(sentence, model).split())
    return corpus.spanish_text(max(found, key=found.get)[: model.max_len])


def test_a_grammar_is_no_translation_by_a_model():
    exercise = find("translate")
    runner = LocalRunner(by_the_grammar, inspect.signature(exercise.reference))
    assert [attempt.claim.name for attempt in attempts(exercise, runner, 3) if attempt.failure is None] == []


def _one_entry_at_a_time(loss, *arrays):
    """Return central differences in every array; a step is small beside the largest entry."""
    slopes = []
    for place, array in enumerate(arrays):

        def of_one(moved, place=place):
            return loss(*arrays[:place], moved, *arrays[place + 1 :])

        slopes.append(numerical_gradient(of_one, array, 1e-6 * np.abs(array).max(initial=1)))
    return tuple(slopes)


def _differences(name):
    def cross_entropy_backward(logits, target_distribution, is_token=None):
        return _one_entry_at_a_time(lambda z: reference.cross_entropy(z, target_distribution, is_token), logits)[0]

    def softmax_backward(p, d_p, axis=-1):
        scores = np.log(np.maximum(p, 1e-300))
        slope = _one_entry_at_a_time(lambda s: (reference.softmax(s, axis=axis) * d_p).sum(), scores)[0]
        return np.where(p.sum(axis=axis, keepdims=True) > 0, slope, 0)

    def attention_backward(d_output, Q, K, V, weights):
        return _one_entry_at_a_time(
            lambda Q, K, V: (d_output * reference.scaled_dot_product_attention(Q, K, V)[0]).sum(), Q, K, V
        )

    def ffn_backward(d_output, X, params):
        dX, *d_params = _one_entry_at_a_time(
            lambda X, *arrays: (d_output * reference.position_wise_ffn(X, type(params)(*arrays))).sum(), X, *params
        )
        return dX, type(params)(*d_params)

    def layer_norm_backward(d_output, X, gamma, eps=1e-5):
        return _one_entry_at_a_time(
            lambda *arrays: (d_output * reference.layer_norm(*arrays, eps)).sum(), X, gamma, np.zeros(gamma.shape)
        )

    return locals()[name]


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("softmax_backward", "works for any leading axes and along any axis"),
        ("attention_backward", "dQ is right"),
        ("attention_backward", "dK is right"),
        ("attention_backward", "dV is right"),
        ("ffn_backward", "dX is right"),
        ("ffn_backward", "the gradients of W_1 and b_1 are right"),
        ("ffn_backward", "the gradients of W_2 and b_2 are right"),
        ("layer_norm_backward", "dX is right"),
        ("cross_entropy_backward", "is the gradient of the mean loss, also for smoothed targets"),
        ("cross_entropy_backward", "is 0 where the target is padding, which is not counted among the tokens either"),
    ],
)
def test_differences_are_no_derivation(name, right):
    """A loss that is asked again for every entry takes far more time than a gradient, and has fewer digits."""
    exercise = find(name)
    claim = next(claim for claim in exercise.claims if claim.name == right)
    runner = LocalRunner(_differences(name), inspect.signature(exercise.reference))
    alone = replace(exercise, claims=[claim])
    assert attempts(alone, runner, 3)[0].has_failed
    with by_few_digits():
        (attempt,) = attempts(alone, runner, 3)
    *small, last = (trial.outcome.status for trial in attempt.trials)
    assert (set(small), last) == ({"returned"}, "timeout")
