"""The names of mistakes are true of other code, too, that comes to the same."""

import re

import pytest

from autograder.learner.local import evaluate_locally
from autograder.registry import find, units
from tests.support.reported import report


@pytest.mark.parametrize(
    ("name", "source", "true", "untrue"),
    [
        (
            "masked_softmax",
            """
def masked_softmax(scores, mask=None, axis=-1):
    return softmax(scores if mask is None else np.where(mask, scores, -1e-9), axis)
""",
            "count as 0, or nearly 0",
            "multiplied",
        ),
        (
            "attention_scores",
            """
def attention_scores(Q, K):
    scale = Q.shape[-1] ** -0.5
    return Q @ K.swapaxes(-1, -2) / scale
""",
            "come out multiplied by the square root of d_k",
            "multiplies",
        ),
        (
            "layer_norm",
            """
def layer_norm(X, gamma, beta, eps=1e-5):
    deviation = (X.var(axis=-1, keepdims=True) + eps) ** 2
    return (X - X.mean(axis=-1, keepdims=True)) / deviation * gamma + beta
""",
            "the square of the variance",
            "is the variance",
        ),
        (
            "sample_decode",
            """
def sample_decode(next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None):
    ids = []
    while len(ids) < max_len and eos_id not in ids:
        with np.errstate(divide="ignore"):
            logits = np.log(apply_temperature(next_log_probs(np.array([[bos_id, *ids]]))[0], temperature))
        kept = logits if top_k is None else top_k_filter(logits, top_k)
        kept = kept if top_p is None else top_p_filter(logits, top_p)
        ids.append(int(sample_token(softmax(kept), uniforms[len(ids)])))
    return tuple(ids)
""",
            "with top_p given, top_k is ignored",
            "before",
        ),
        (
            "attention_backward",
            """
def attention_backward(d_output, Q, K, V, weights):
    scale = np.sqrt(Q.shape[-1])
    d_scores = softmax_backward(weights, d_output @ V.swapaxes(-1, -2)) / scale
    return d_scores @ K, d_scores.swapaxes(-1, -2) @ Q, weights @ d_output
""",
            "dV",
            "dK",
        ),
    ],
)
def test_a_name_is_true_of_equivalent_code(name, source, true, untrue):
    title = report(name, source).finding.title
    assert true in title
    assert untrue not in title


def test_no_name_reads_as_a_requirement():
    """What the learner's function needs is said as a fault of it, not as a rule of the exercise."""
    found = [m.name for unit in units() for e in unit.exercises for m in e.mistakes if re.search(r"\bmust\b", m.name)]
    assert not found


def test_filter_order_is_distinguished_from_a_single_filter():
    """In one call of the claim, top-k still takes something away after top-p."""
    exercise = find("sample_decode")
    first, alone = (next(m for m in exercise.mistakes if m.id == one) for one in ("top-p-first", "top-p-alone"))
    for mistake in (first, alone):
        assert evaluate_locally(exercise, mistake.function)[0].mistake.id == mistake.id
