"""What the notebooks say of changes since 2017: attention in blocks, experts, AdamW, blocks of bits, shared keys."""

import re

import numpy as np
import pytest

from tests.support.printed import printed_by
from tools.course import notebook
from transformer_kit import reference
from transformer_kit.experiments.memory import memory_of
from transformer_kit.experiments.whole_model.ablations import Trial, rounded, shared_keys
from transformer_kit.parameters.tree import named_arrays
from transformer_kit.trained.model import load_model


@pytest.fixture(scope="module")
def trial():
    return Trial(load_model(), 60)


def numbers(lines):
    return [[float(number) for number in re.findall(r"\d[\d.]*(?:e-\d+)?", line.replace(",", ""))] for line in lines]


def right(trial, model):
    return round(60 * trial.effect(reference, model).acceptable)


def test_attention_in_blocks_is_attention_in_little_memory():
    found = np.array(numbers(printed_by("02_scaled_dot_product_attention", "def attention_in_blocks(")))
    n_keys, table, blocks, difference = found.T
    assert n_keys.tolist() == [1024, 4096, 16384]
    assert (difference < 1e-12).all()
    assert (table[1:] > 3 * table[:-1]).all()
    assert blocks.max() == blocks.min() < 0.5


@pytest.mark.exhaustive
def test_half_of_the_experts_do_as_well():
    found = numbers(printed_by("06_feed_forward", "def some_experts("))
    assert [(k, n) for k, _, n, _ in found] == [(8, 39), (4, 39), (2, 33), (1, 25)]


def test_adamw_shrinks_all_parameters_alike():
    (_, large, small), (_, one, other) = numbers(printed_by("10_training", "rate, decay, noise"))
    assert large > 0.9
    assert small < 0.25
    assert one == other == pytest.approx((1 - 0.003) ** 300, abs=0.01)


@pytest.mark.exhaustive
def test_a_scale_for_every_block_saves_bits(trial):
    assert [right(trial, rounded(trial.model, bits)) for bits in (4, 3)] == [15, 0]
    assert [right(trial, rounded(trial.model, bits, block=32)) for bits in (4, 3)] == [59, 48]


def test_each_block_keeps_its_largest_number():
    model = load_model()
    before, after = (named_arrays(m)["encoder.0.ffn.W_1"].reshape(-1, 32) for m in (model, rounded(model, 3, block=32)))
    np.testing.assert_allclose(np.abs(before).max(axis=1), np.abs(after).max(axis=1), rtol=1e-6)
    steps = after / (np.abs(after).max(axis=1, keepdims=True) / 3)
    np.testing.assert_allclose(steps, steps.round(), atol=1e-5)


@pytest.mark.exhaustive
def test_keys_cannot_be_shared_afterwards(trial):
    assert [right(trial, shared_keys(trial.model, n)) for n in (4, 2, 1)] == [59, 5, 0]


def test_groups_share_the_mean_of_their_heads():
    model = load_model()
    before, after = (named_arrays(m) for m in (model, shared_keys(model, 2)))
    heads, shared = (arrays["decoder.1.self_attention.W_V"].reshape(64, 4, 16) for arrays in (before, after))
    np.testing.assert_allclose(shared[:, 1], heads[:, :2].mean(axis=1), rtol=1e-6)
    np.testing.assert_array_equal(shared[:, 2], shared[:, 3])
    np.testing.assert_array_equal(before["encoder.0.attention.W_Q"], after["encoder.0.attention.W_Q"])


def test_the_cache_of_three_heads_is_smaller():
    cells = [cell.source for cell in notebook("12_models_you_know").cells if cell.cell_type == "code"]
    (source,) = (cell for cell in cells if cell.startswith("for n_kept in (9"))
    printed = []
    exec(source.partition("for n_kept in (4")[0], {"print": printed.append})
    assert numbers(printed) == [[9, 566], [3, 189], [1, 63]]


def test_memory_counts_what_a_function_holds():
    result, megabytes = memory_of(np.zeros, 500_000)
    assert result.nbytes / 1e6 == 4 <= megabytes < 4.1


def test_units_of_the_table_have_its_functions():
    """A table of unit 12 says which unit has what became of the paper's parts."""
    text = "\n".join(cell.source for cell in notebook("12_models_you_know").cells)
    table = text.partition("## From the paper")[2].partition("##")[0]
    rows = re.findall(r"(\d\d), `(\w+)`", table)
    assert len(rows) == 8
    for unit, function in rows:
        assert getattr(reference, function).__module__.split("unit_")[1].startswith(unit)
