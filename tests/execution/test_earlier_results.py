"""Results that are handed out twice, or overwritten by a later call, cost the claim about inputs and new arrays."""

import functools
from inspect import signature

import numpy as np
import pytest

from autograder.execution.call import LocalRunner
from autograder.execution.earlier import CHANGED, MAX_BYTES, SHARES, Earlier
from autograder.learner.check import check
from autograder.registry import find, unit_of
from tests.support import needs
from tests.support.claimed import claim_of
from tests.support.judging import verdict
from transformer_kit import reference

X, Y, ROW = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(2, 3), np.zeros(3)
BUFFER = """
buffers = {}

def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    out = buffers.setdefault(x.shape, np.empty(x.shape))
    out[...] = e / e.sum(axis=axis, keepdims=True)
    return out
"""
ALONE = claim_of("softmax", "leaves_input_alone")
OVERWRITTEN = "two calls returned the same array: the second overwrites the first. Make a new one in every call."


def looked_at(*results):
    """Return what each of some results, one after the other, has done to those before it."""
    earlier = Earlier()
    return [earlier.look(result) for result in results]


def test_new_results_and_what_nobody_can_change():
    frozen = X.copy()
    frozen.flags.writeable = False
    results = [X, Y, (X + 1, Y + 1), [1, 2], [1, 2], {"a": [1]}, {"a": [1]}, None, 2.5, "cat", (1, 2), (1, 2), []]
    assert looked_at(*results, *[frozen] * 2, X[:0], X[:0]) == [()] * 17


@pytest.mark.parametrize(
    "again",
    [
        lambda x: x,
        lambda x: x.T,
        lambda x: (3, [x[1:]]),
        lambda x: {"weights": x[0]},
        lambda x: np.ma.masked_array(x),
    ],
)
def test_an_array_that_is_handed_out_again(again):
    table = X.copy()
    assert looked_at(table, Y, again(table)) == [(), (), (SHARES,)]


def test_a_returned_list_is_recognised_next_time():
    for kept in ([3, 5], {"a": 1}, []):
        assert looked_at(kept, (1, kept)) == [(), (SHARES,)]


@pytest.mark.parametrize(
    ("kept", "spoil"),
    [
        (X.copy(), lambda array: array.fill(7)),
        (np.broadcast_to(ROW, (2, 3)), lambda _: ROW.fill(1)),
        (X > 2, lambda mask: mask.fill(False)),
        ([[3, 5], [7]], lambda rows: rows[1].append(0)),
        ([3, 5], lambda ids: ids.reverse()),
        ({"cats": 3}, lambda ids: ids.update(cats=4)),
        (np.full(3, np.nan), lambda array: array.fill(0)),
    ],
)
def test_an_earlier_result_that_is_changed(kept, spoil):
    earlier = Earlier()
    assert earlier.look(kept) == earlier.look(Y) == ()
    spoil(kept)
    assert earlier.look(None) == (CHANGED,)


def test_few_results_are_kept_and_no_large_ones():
    large = np.zeros(MAX_BYTES)
    assert looked_at(large, large) == [(), ()]
    assert looked_at(X, *range(100), X) == [()] * 102
    endless = []
    endless.append(endless)
    assert looked_at(endless, [endless] * 10**6)[-1] == (SHARES,)


def test_an_object_that_refuses_to_be_looked_at():
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError("no")

    assert looked_at(Hostile(), [Hostile()], X) == [(), (), ()]


def test_a_buffer_at_home():
    """It costs one claim, and no more."""
    namespace = {"np": np}
    exec(BUFFER, namespace)
    score = check(namespace["softmax"])
    assert (score, score.mistake) == (score.max_points - ALONE.points, None)
    assert score.report.count(f"What came back: {OVERWRITTEN}") == 1
    assert [result.name for result in score.claims if not result.passed] == [ALONE.name]


@needs.linux
def test_a_buffer_in_the_sandbox(worker):
    softmax = find("softmax")
    judged = verdict(worker, unit_of(softmax), softmax, ["import numpy as np", BUFFER])
    assert judged.points == softmax.points - ALONE.points
    assert [result.message for result in judged.results if not result.passed] == [OVERWRITTEN]


def test_a_table_that_all_callers_share():
    table = functools.cache(reference.positional_encoding)
    score = check(functools.wraps(reference.positional_encoding)(lambda *args, **kwargs: table(*args, **kwargs)))
    assert score == score.max_points - claim_of("positional_encoding", "base").points
    assert "two calls returned the same array: changing one result changes the other." in score.report


def test_a_reused_result_gets_a_remark():
    ids = []

    def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
        ids[:] = reference.greedy_decode(next_log_probs, bos_id, eos_id, max_len)
        return ids

    report = check(greedy_decode).report
    assert "Remark: Your function returns an array or a list again" in report


def test_later_calls_cannot_change_earlier_results():
    """As it is when it has been sent."""
    kept = [np.zeros(2), (np.zeros(2), [np.zeros(2)])]

    def count(x):
        for array in (kept[0], kept[1][0], kept[1][1][0]):
            array += 1
        return kept

    runner = LocalRunner(count, signature(count))
    first, second = (runner((X,), {}).value for _ in range(2))
    assert [first[0][0], first[1][0][0], first[1][1][0][0]] == [1, 1, 1]
    assert [second[0][0], second[1][0][0], second[1][1][0][0]] == [2, 2, 2]
