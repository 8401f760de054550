"""The first line of a report is the best that any claim knows, and the words of names are true of other code, too."""

import pytest

from autograder.feedback.report import Line, make_report
from autograder.learner.local import evaluate_locally, whereabouts
from autograder.registry import find
from tests.support.fake_notebook import Cells
from transformer_kit import reference


def report(name, source):
    """Return the report on a function that is written in a cell."""
    cells = Cells()
    cells.names |= {one: getattr(reference, one) for one in dir(reference) if not one.startswith("_")}
    cells.run(source)
    verdict, _ = evaluate_locally(find(name), cells.names[name])
    where = whereabouts(cells.names[name], verdict)
    return make_report(verdict, notes=[Line("Where", where)] if where else [])


READS_NO_MEMORY = """
def decoder_layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    def attend(Z, p, mask):
        return multi_head_attention(Z, Z, p, n_heads, mask if mask is None or mask.shape[-1] == len(Z) else None)[0]
    norm = pre_norm if norm_first else post_norm
    X = norm(X, lambda Z: attend(Z, params.self_attention, self_mask), *params.norm_1, eps)
    X = norm(X, lambda Z: attend(Z + 1, params.cross_attention, None), *params.norm_2, eps)
    return norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)
"""
COPIES = """
def softmax_backward(p, d_p, axis=-1):
    return d_p.copy()
"""
NOT_SHIFTED = """
def shift_right(target_ids, bos_id):
    return target_ids.copy()
"""


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("decoder_layer", READS_NO_MEMORY, "the source is not read"),
        ("softmax_backward", COPIES, "Your result is `d_p` as it was given"),
        ("shift_right", NOT_SHIFTED, "Your result is `target_ids` as it was given"),
    ],
)
def test_what_a_later_claim_has_found_out_stands_on_top(name, source, words):
    finding = report(name, source).finding
    assert words in finding.text, finding


def test_an_einsum_without_an_ellipsis_is_no_matter_of_shapes_that_meet():
    """Its shapes fit; what NumPy says, and the course's reading of that, stand on top."""
    source = """
def attention_scores(Q, K):
    return np.einsum("...qd,...kd->qk", Q, K) / np.sqrt(Q.shape[-1])
"""
    finding = report("attention_scores", source).finding
    assert "meet" not in finding.text
    assert "ellipsis" in finding.text
    assert "more axes than your einsum has letters" in finding.text


def test_the_heads_are_no_leading_axis():
    """Where only head 0 is right, nobody is sent to look at a batch."""
    source = """
def project_memory(memory, params, n_heads):
    d = params.W_K.shape[1] // n_heads
    H = split_heads(memory, n_heads)
    return H @ params.W_K[:d, :d], H @ params.W_V[:d, :d]
"""
    assert "leading axes" not in report("project_memory", source).finding.text


# Names


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
def test_a_name_is_true_of_code_that_comes_to_the_same_in_another_way(name, source, true, untrue):
    title = report(name, source).finding.title
    assert true in title
    assert untrue not in title


def test_the_order_of_the_filters_is_told_from_one_filter_alone():
    """In one call of the claim, top-k still takes something away after top-p."""
    exercise = find("sample_decode")
    first, alone = (next(m for m in exercise.mistakes if m.id == one) for one in ("top-p-first", "top-p-alone"))
    for mistake in (first, alone):
        assert evaluate_locally(exercise, mistake.function)[0].mistake.id == mistake.id
