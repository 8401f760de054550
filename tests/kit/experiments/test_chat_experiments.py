"""A modern decoder on single functions, lines that are changed, and what was recorded of the public model."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.experiments.chat import record
from transformer_kit.experiments.chat.lines import LINES, PROBES, line_called
from transformer_kit.experiments.chat.running import LEAVES, logits_of, loss_of, read, through, written
from transformer_kit.parameters import empty_cache, init_modern_decoder
from transformer_kit.public import smollm
from transformer_kit.trained.recorded import load_recording

FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in LEAVES})
MODEL = init_modern_decoder(np.random.default_rng(3), 13, 48, 6, 2, 10, 3, noise=0.3)._replace(base=500.0)
IDS = np.random.default_rng(4).integers(0, 13, 40)


def test_reading_with_single_functions_is_read_on():
    seen = read(IDS[:3], MODEL, FUNCTIONS)
    expected, cache = reference.read_on(IDS[:3], MODEL, empty_cache(MODEL))
    np.testing.assert_allclose(logits_of(seen.states[-1][-1], MODEL, FUNCTIONS), expected, rtol=1e-10)
    later, more = read(IDS[3:5], MODEL, FUNCTIONS, seen.cache), reference.read_on(IDS[3:5], MODEL, cache)
    np.testing.assert_allclose(logits_of(later.states[-1][-1], MODEL, FUNCTIONS), more[0], rtol=1e-10)
    assert (len(seen.states), len(seen.weights), later.weights[2].shape) == (4, 3, (6, 2, 5))
    assert written([3, 1], MODEL, FUNCTIONS, np.argmax, (), 4) == list(reference.write([3, 1], MODEL, np.argmax, (), 4))


def test_reading_can_begin_at_a_later_block():
    seen = read(IDS, MODEL, FUNCTIONS)
    rest = through(seen.states[1], MODEL, FUNCTIONS, empty_cache(MODEL), 1)
    np.testing.assert_array_equal(rest.states[-1], seen.states[-1])


def test_the_loss_is_the_cross_entropy():
    logits = logits_of(read(IDS, MODEL, FUNCTIONS).states[-1], MODEL, FUNCTIONS)
    target = reference.one_hot(IDS[1:], 13)
    assert loss_of(IDS, MODEL, FUNCTIONS) == pytest.approx(reference.cross_entropy(logits[:-1], target))
    later = reference.cross_entropy(logits[5:-1], target[5:])
    assert loss_of(IDS, MODEL, FUNCTIONS, start=5) == pytest.approx(later)


@pytest.mark.parametrize("line", LINES[1:] + PROBES[1:], ids=lambda line: line.name)
def test_a_changed_line_changes_what_is_read(line):
    """But where only distances count, and where a text is read at once."""
    right, wrong = (read(IDS, MODEL, functions).states[-1] for functions in (FUNCTIONS, line.applied(FUNCTIONS)))
    if line.of == "positions" or "5000" in line.name:
        np.testing.assert_allclose(wrong, right, atol=1e-9)
    else:
        assert np.abs(wrong - right).max() > 1e-3
    if line.of == "positions":
        cache = read(IDS[:3], MODEL, FUNCTIONS).cache
        one, other = (read(IDS[3:5], MODEL, f, cache).states[-1] for f in (FUNCTIONS, line.applied(FUNCTIONS)))
        assert np.abs(one - other).max() > 1e-3


def test_an_unknown_line_is_refused_with_a_list():
    with pytest.raises(ValueError, match=r"no line is called 'no masks'; there are\n(.|\n)*'no mask'"):
        line_called("no masks")


def test_a_silent_head_adds_nothing():
    silent = record.without_head(MODEL, 1, 4)
    assert not silent.blocks[1].attention.W_O[32:40].any()
    changed = (silent.blocks[1].attention.W_O != MODEL.blocks[1].attention.W_O).any(axis=1)
    assert np.flatnonzero(changed).tolist() == list(range(32, 40))


# ---- what was recorded ----


def test_the_recording_has_all_lines_and_heads():
    recorded = load_recording("chat")
    assert list(recorded.lines) == [line.name for line in LINES]
    assert list(recorded.probes) == [line.name for line in PROBES]
    assert recorded.loss.shape == (len(LINES), len(record.TEXTS))
    assert recorded.copying_cost.shape == recorded.english_cost.shape == (30, 9)
    assert recorded.ranks.shape == (len(record.CAPITALS), 30)
    assert list(recorded.asked) == [asked for _, asked in record.CHATS]


@pytest.mark.exhaustive
def test_the_recording_is_what_the_model_does():
    """Some lines, heads and answers; in single precision, and texts only where no two pieces are nearly as likely."""
    if smollm.smollm_file() is None:
        pytest.skip(needs.SMOLLM)
    decoder, pieces = smollm.load_smollm(reference.dequantised)
    recorded = load_recording("chat")
    ids = pieces.encode(record.TEXTS[0], reference.byte_pair_merge)[: record.LENGTH]
    for line, loss in zip(LINES, recorded.loss, strict=True):
        if line.name in ("as it should be", "no mask", "heads shared as 0, 1, 2, 0, 1, 2"):
            assert loss_of(ids, decoder, line.applied(FUNCTIONS)) == pytest.approx(loss[0], abs=2e-3)
    whole, silent = loss_of(ids, decoder, FUNCTIONS), loss_of(ids, record.without_head(decoder, 16, 0), FUNCTIONS)
    assert silent - whole == pytest.approx(recorded.english_cost[16, 0], abs=2e-3)
