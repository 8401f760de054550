"""The reference functions of unit 08 against slow loops, exhaustive search and cases checked by hand."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tools.bank import right_styles
from transformer_kit import reference
from transformer_kit.examples.toy_models import LastTokenModel, PrefixModel, log_probs, random_model, table_model
from transformer_kit.reference import (
    apply_temperature,
    beam_search,
    greedy_decode,
    sample_decode,
    sample_token,
    sequence_log_prob,
    top_k_filter,
    top_p_filter,
)

BOS, EOS, V = 0, 1, 5
SHAPES = [(5,), (3, 6), (2, 4, 7)]
DYADIC = np.array([0.0, 2.0, 0.0, 1.0]) * np.log(2)  # probabilities 1/8, 1/2, 1/8, 1/4


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def toy(table, otherwise=None):
    return table_model(table, 8, otherwise or {EOS: 1.0})


def all_sequences(max_len, vocab_size=V, eos_id=EOS):
    """Every sequence that a search may return: finished, or cut off at max_len."""
    others = [token for token in range(vocab_size) if token != eos_id]
    finished = [(*ids, eos_id) for length in range(max_len) for ids in product(others, repeat=length)]
    return finished + list(product(others, repeat=max_len))


def probability(model, ids):
    """The product of the conditional probabilities, one look-up at a time."""
    result = 1.0
    for i, token in enumerate(ids):
        result *= np.exp(model(np.array([[BOS, *ids[:i]]]))[0, token])
    return result


# --- sequences ---


def test_sequence_probabilities_are_products_and_sum_to_one(rng):
    model = random_model(rng, V)
    total = 0.0
    for ids in all_sequences(3):
        log_prob = sequence_log_prob(model, BOS, ids)
        assert isinstance(log_prob, float)
        assert_allclose(np.exp(log_prob), probability(model, ids), rtol=1e-12)
        total += np.exp(log_prob)
    assert_allclose(total, 1.0)


def test_sequence_log_prob_by_hand():
    model = toy({(): {1: 0.5, 2: 0.5}, (2,): {1: 0.25, 3: 0.75}})
    assert sequence_log_prob(model, BOS, (2, 1)) == pytest.approx(-3 * np.log(2))
    assert sequence_log_prob(model, BOS, [2, 3]) == pytest.approx(np.log(0.375))
    assert sequence_log_prob(model, BOS, ()) == 0.0
    assert sequence_log_prob(model, BOS, (3,)) == -np.inf
    assert sequence_log_prob(model, BOS, np.array([2, 1])) == pytest.approx(-3 * np.log(2))


def test_long_sequences_do_not_underflow():
    uniform = PrefixModel(np.zeros((1, 16, 16)))
    assert sequence_log_prob(uniform, BOS, (3,) * 400) == pytest.approx(-400 * np.log(16))


@pytest.mark.parametrize("max_len", [1, 2, 6])
def test_greedy_takes_the_best_token_every_time(rng, max_len):
    for _ in range(10):
        model = random_model(rng, V)
        ids = greedy_decode(model, BOS, EOS, max_len)
        assert isinstance(ids, tuple)
        assert all(type(token) is int for token in ids)
        assert 1 <= len(ids) <= max_len
        assert EOS not in ids[:-1]
        assert ids[-1] == EOS or len(ids) == max_len
        for i, token in enumerate(ids):
            assert token == model(np.array([[BOS, *ids[:i]]]))[0].argmax()


def test_greedy_ties_go_to_the_lowest_id():
    assert greedy_decode(toy({(): {4: 0.5, 3: 0.5}, (3,): {1: 0.5, 7: 0.5}}), BOS, EOS, 4) == (3, 1)


# --- distributions ---


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("temperature", [0.05, 0.7, 1, 1.0, 3.0])
def test_temperature_is_a_power_of_the_odds(rng, shape, temperature):
    logits = rng.standard_normal(shape)
    probs = apply_temperature(logits, temperature)
    assert_allclose(probs.sum(axis=-1), 1.0)
    powers = np.exp(logits) ** (1 / temperature)
    assert_allclose(probs, powers / powers.sum(axis=-1, keepdims=True), rtol=1e-9)


def test_temperature_zero_is_the_limit(rng):
    logits = rng.standard_normal((3, 6))
    assert_allclose(apply_temperature(logits, 0), apply_temperature(logits, 1e-3), atol=1e-12)
    assert_array_equal(apply_temperature(np.array([1, 3, 3, 0]), 0.0), [0.0, 1.0, 0.0, 0.0])
    assert_array_equal(apply_temperature(np.array([[-np.inf, -2.0], [3.0, -np.inf]]), 0), [[0, 1], [1, 0]])


def test_entropy_rises_with_temperature(rng):
    logits = rng.standard_normal(9)
    probs = np.array([apply_temperature(logits, t) for t in (0.1, 0.3, 1.0, 3.0, 10.0)])
    entropy = -(probs * np.log(probs)).sum(axis=-1)
    assert (np.diff(entropy) > 0).all()
    assert entropy[-1] < np.log(9)


def test_low_temperatures_and_infinities_are_stable():
    probs = apply_temperature(np.array([900.0, -np.inf, 903.0]), 0.5)
    assert_allclose(probs, [1 / (1 + np.exp(6)), 0, 1 / (1 + np.exp(-6))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("k", [1, 3, 5, 50])
def test_top_k_against_a_loop(rng, shape, k):
    logits = rng.integers(-2, 3, shape).astype(float)  # many ties
    kept = top_k_filter(logits, k)
    for row, result in zip(logits.reshape(-1, shape[-1]), kept.reshape(-1, shape[-1]), strict=True):
        chosen = set()
        while len(chosen) < min(k, len(row)):
            free = [token for token in range(len(row)) if token not in chosen]
            chosen.add(next(token for token in free if row[token] == max(row[t] for t in free)))
        assert set(np.flatnonzero(np.isfinite(result))) == chosen
        assert all(result[token] == row[token] for token in chosen)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("p", [0.01, 0.33, 0.8, 0.999, 1, 1.0])
def test_top_p_against_a_loop(rng, shape, p):
    logits = rng.standard_normal(shape).round(1)
    kept = top_p_filter(logits, p)
    for row, result in zip(logits.reshape(-1, shape[-1]), kept.reshape(-1, shape[-1]), strict=True):
        probs = np.exp(row) / np.exp(row).sum()
        chosen, total = [], 0.0
        for token in sorted(range(len(row)), key=lambda token: (-row[token], token)):
            chosen.append(token)
            total += probs[token]
            if total >= p - 1e-12 and p < 1:
                break
        assert_array_equal(np.flatnonzero(np.isfinite(result)), sorted(chosen))
        assert_array_equal(result[chosen], row[chosen])


@pytest.mark.parametrize(
    ("p", "kept"),
    [
        (1e-15, [1]),
        (0.25, [1]),
        (0.5, [1]),
        (0.5 + 1e-9, [1, 3]),
        (0.75, [1, 3]),
        (0.8, [0, 1, 3]),
        (0.875, [0, 1, 3]),
        (0.876, [0, 1, 2, 3]),
        (1.0, [0, 1, 2, 3]),
    ],
)
def test_top_p_boundaries(p, kept):
    assert np.flatnonzero(np.isfinite(top_p_filter(DYADIC, p))).tolist() == kept


def test_top_p_forgives_rounding():
    """0.7 + 0.1 is a little less than 0.8 in floating point, yet two tokens are enough."""
    logits = np.log([0.1, 0.7, 0.1, 0.05, 0.05])
    assert 0.7 + 0.1 < 0.8
    assert np.flatnonzero(np.isfinite(top_p_filter(logits, 0.8))).tolist() == [0, 1]


def test_top_p_of_one_keeps_what_is_possible():
    logits = np.array([0.0, -np.inf, -60.0, 1.0, -50.0])
    assert_array_equal(top_p_filter(logits, 1.0), logits)
    assert_array_equal(top_p_filter(logits, 1), logits)


@pytest.mark.parametrize("name", ["apply_temperature", "top_k_filter", "top_p_filter"])
def test_precision_and_inputs(name, rng):
    function, value = {
        "apply_temperature": (apply_temperature, 0.7),
        "top_k_filter": (top_k_filter, 2),
        "top_p_filter": (top_p_filter, 0.6),
    }[name]
    logits = rng.standard_normal((3, 4)).astype(np.float32)
    before = logits.copy()
    result = function(logits, value)
    assert result.dtype == np.float32
    assert_array_equal(logits, before)
    assert not np.may_share_memory(result, logits)
    assert not np.may_share_memory(function(logits, 1), logits)
    assert function(np.arange(4), value).dtype == np.float64


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (apply_temperature, -0.5),
        (top_k_filter, 0),
        (top_k_filter, -3),
        (top_p_filter, 0.0),
        (top_p_filter, -0.25),
        (top_p_filter, 1.5),
        (top_p_filter, np.nan),
    ],
)
def test_what_is_refused(function, value):
    with pytest.raises(ValueError, match=str(value)):
        function(np.array([0.0, 1.0, 2.0]), value)


# --- sampling ---


def test_sampling_follows_the_probabilities(rng):
    probs = np.array([0.2, 0.0, 0.5, 0.3])
    draws = [sample_token(probs, u) for u in (np.arange(1000) + 0.5) / 1000]
    assert_array_equal(np.bincount(draws, minlength=4), [200, 0, 500, 300])
    assert all(type(token) is int for token in draws)


@pytest.mark.parametrize(("u", "token"), [(0.0, 1), (0.25, 2), (0.5, 4), (0.49, 2), (np.nextafter(1, 0), 4)])
def test_boundaries_belong_to_the_next_token(u, token):
    assert sample_token(np.array([0.0, 0.25, 0.25, 0.0, 0.5, 0.0]), u) == token


def test_rounding_at_the_end_never_draws_the_impossible():
    tenths = np.array([0.1] * 10 + [0.0] * 3)
    u = np.nextafter(1.0, 0.0)
    assert np.cumsum(tenths)[-1] <= u
    assert sample_token(tenths, u) == 9


# --- beam search ---


@pytest.mark.parametrize("seed", range(6))
def test_width_one_is_greedy(seed):
    model = random_model(np.random.default_rng(seed), V)
    ((score, ids),) = beam_search(model, BOS, EOS, 1, 5)
    assert ids == greedy_decode(model, BOS, EOS, 5)
    assert score == pytest.approx(sequence_log_prob(model, BOS, ids))


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_full_width_is_exhaustive(rng, alpha):
    model = random_model(rng, 4)
    everything = [
        (sequence_log_prob(model, BOS, ids) / ((5 + len(ids)) / 6) ** alpha, ids) for ids in all_sequences(3, 4)
    ]
    found = beam_search(model, BOS, EOS, len(everything) + 5, 3, alpha)
    assert [ids for _, ids in found] == [ids for _, ids in sorted(everything, reverse=True)]
    assert_allclose([score for score, _ in found], sorted((score for score, _ in everything), reverse=True))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("style", right_styles("beam_search"))
def test_against_independent_searches(seed, style):
    """Three other ways of writing the same rules, on random models of every width."""
    rng = np.random.default_rng(seed)
    bos_id, eos_id, *_ = rng.permutation(V).tolist()
    model = random_model(rng, V, bos_id)
    for width, max_len, alpha in product((1, 2, 3, 7), (1, 2, 5), (0.0, 0.6)):
        found = beam_search(model, bos_id, eos_id, width, max_len, alpha)
        other = style(model, bos_id, eos_id, width, max_len, alpha)
        assert [ids for _, ids in found] == [tuple(ids) for _, ids in other]
        assert_allclose([score for score, _ in found], [score for score, _ in other])


def found(table, beam_width, max_len, otherwise=None, alpha=0.0):
    """Return probability (or score) and ids of a search, short enough to be read."""
    result = beam_search(toy(table, otherwise), BOS, EOS, beam_width, max_len, alpha)
    assert all(isinstance(score, float) for score, _ in result)
    return [(round(float(np.exp(score)), 6), ids) for score, ids in result]


def test_candidates_compete_across_parents():
    table = {(): {2: 0.6, 3: 0.4}, (2,): {4: 0.5, 5: 0.45, 6: 0.05}, (3,): {4: 0.4, 5: 0.35, 6: 0.25}}
    assert found(table, 2, 2) == [(0.3, (2, 4)), (0.27, (2, 5))]


def test_a_finished_hypothesis_is_kept_and_not_extended():
    table = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {4: 1.0}, (3,): {5: 1.0}}
    assert found(table, 2, 4) == [(0.4, (1,)), (0.35, (2, 4, 1))]


def test_the_live_beam_is_refilled():
    """The end takes rank 1, and still two hypotheses go on."""
    table = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {4: 0.6, 5: 0.4}, (3,): {6: 1.0}}
    assert found(table, 2, 5) == [(0.4, (1,)), (0.25, (3, 6, 1))]


def test_an_end_of_low_rank_does_not_count():
    table = {(): {2: 0.4, 3: 0.35, 1: 0.25}, (2,): {4: 0.5, 5: 0.5}, (3,): {4: 0.6, 5: 0.4}}
    assert found(table, 2, 5) == [(0.21, (3, 4, 1)), (0.2, (2, 4, 1))]
    assert (0.25, (1,)) in found(table, 3, 5)


STOPPING = {(): {2: 0.55, 1: 0.3, 3: 0.15}, (2,): {4: 0.58, 1: 0.42}, (3,): {4: 1.0}}


def test_the_search_stops_when_enough_have_finished():
    """(2, 4, 1) would come to 0.319, but it is still live when the second hypothesis finishes."""
    assert found(STOPPING, 2, 6) == [(0.3, (1,)), (0.231, (2, 1))]


def test_after_max_len_the_live_ones_always_join():
    assert found(STOPPING, 2, 2) == [(0.319, (2, 4)), (0.3, (1,))]
    assert found({}, 2, 3, otherwise={2: 0.8, 3: 0.2}) == [(0.512, (2, 2, 2)), (0.128, (2, 2, 3))]


def test_ties_go_to_earlier_parent_then_lower_id():
    table = {(): {2: 0.25, 3: 0.5, 4: 0.25}, (3,): {5: 0.25, 6: 0.25, 7: 0.5}, (2,): {4: 0.5, 5: 0.5}}
    assert found(table, 2, 1) == [(0.5, (3,)), (0.25, (2,))]
    assert found(table, 2, 2) == [(0.25, (3, 7)), (0.125, (3, 5))]


def test_equal_scores_keep_the_order_of_finishing():
    table = {(): {1: 0.25, 2: 0.5, 3: 0.25}, (2,): {1: 0.5, 4: 0.5}, (3,): {4: 1.0}}
    assert found(table, 3, 2) == [(0.25, (1,)), (0.25, (2, 1)), (0.25, (2, 4))]


def test_impossible_candidates_are_dropped():
    assert found({(): {2: 0.6, 3: 0.4}}, 3, 4) == [(0.6, (2, 1)), (0.4, (3, 1))]
    assert found({(): {2: 1.0}}, 4, 1) == [(1.0, (2,))]


def test_the_length_penalty_counts_the_end():
    table = {(): {2: 0.6, 1: 0.4}, (2,): {3: 0.9, 4: 0.1}, (2, 3): {5: 0.7, 6: 0.3}}
    model = toy(table)
    found_plain = beam_search(model, BOS, EOS, 2, 6)
    assert [ids for _, ids in found_plain] == [(1,), (2, 3, 5, 1)]
    found_long = beam_search(model, BOS, EOS, 2, 6, alpha=0.6)
    assert [ids for _, ids in found_long] == [(2, 3, 5, 1), (1,)]
    assert found_long[0][0] == pytest.approx(np.log(0.6 * 0.9 * 0.7) / (9 / 6) ** 0.6)
    assert found_long[1][0] == pytest.approx(np.log(0.4))


def test_the_best_width_need_not_be_the_largest():
    """Probabilities are those of a model in which a beam of 2 does worse than greedy search."""
    table = {
        (): {2: 0.40, 3: 0.31, 4: 0.29},
        (2,): {5: 0.34, 6: 0.33, 7: 0.33},
        (3,): {5: 0.50, 6: 0.48, 7: 0.02},
        (4,): {5: 0.40, 6: 0.30, 7: 0.30},
        (2, 5): {5: 1.0},
    }
    best = [found(table, width, 3, otherwise={5: 0.4, 6: 0.3, 7: 0.3})[0] for width in (1, 2, 3, 100)]
    assert best == [(0.136, (2, 5, 5)), (0.062, (3, 5, 5)), (0.136, (2, 5, 5)), (0.136, (2, 5, 5))]


def test_searches_are_quiet_and_stable_on_long_sequences():
    model = table_model({}, 16, {token: 0.066 for token in range(16) if token != EOS} | {5: 0.076})
    ((score, ids),) = beam_search(model, BOS, EOS, 1, 300)
    assert ids == (5,) * 300
    assert score == pytest.approx(300 * np.log(0.076))


# --- the sampling loop ---


def test_the_sampling_loop_by_hand():
    """Halves and quarters: the first number falls on 2, the second on 4, the third on the end."""
    model = toy({(): {2: 0.5, 3: 0.5}, (2,): {3: 0.25, 4: 0.75}, (2, 4): {2: 0.5, EOS: 0.5}})
    assert sample_decode(model, BOS, EOS, 6, [0.4, 0.25, 0.1]) == (2, 4, EOS)  # on the line EOS comes before 2
    assert sample_decode(model, BOS, EOS, 2, [0.4, 0.25, 0.1]) == (2, 4)


def test_samples_are_as_frequent_as_they_are_likely(rng):
    model, draws = random_model(rng, 3), 4000
    found = [sample_decode(model, BOS, EOS, 2, rng.random(2)) for _ in range(draws)]
    for ids in set(all_sequences(2, vocab_size=3)):
        expected = probability(model, ids)
        assert abs(found.count(ids) / draws - expected) < 5 * np.sqrt(expected * (1 - expected) / draws)


def test_temperature_comes_before_the_filters():
    """At temperature 2 the shares are 2, 1.41, 1, 1 of 5.41: top-p 0.7 then keeps three tokens, before it only two."""
    model = toy({}, {2: 0.5, 3: 0.25, 4: 0.125, 5: 0.125})
    assert sample_decode(model, BOS, EOS, 1, [0.99], temperature=2.0, top_p=0.7) == (4,)
    assert sample_decode(model, BOS, EOS, 1, [0.99], top_p=0.7) == (3,)
    assert sample_decode(model, BOS, EOS, 1, [0.99], top_k=3, top_p=0.85) == (3,)  # 6/7 reach 0.85, 3/4 do not
    assert sample_decode(model, BOS, EOS, 1, [0.99], top_p=0.85) == (4,)


def test_sampling_at_temperature_0_is_greedy(rng):
    for _ in range(10):
        model = random_model(rng, V)
        assert sample_decode(model, BOS, EOS, 6, rng.random(6), 0, 3, 0.5) == greedy_decode(model, BOS, EOS, 6)


def test_losing_beam_by_hand():
    """Greedy: 0.55, a quarter, the end. The beam of 2: 0.45, one half, a tenth, the end."""
    model = LastTokenModel(log_probs(reference.losing_beam(2)))
    (score, ids), *_ = beam_search(model, 0, 1, beam_width=2, max_len=12)
    assert (np.exp(score), ids) == (pytest.approx(0.0225), (3, 8, 10, 1))
    assert greedy_decode(model, 0, 1, max_len=12) == (2, 4, 1)
    assert np.exp(sequence_log_prob(model, 0, (2, 4, 1))) == pytest.approx(0.1375)
