"""The first line of a report is the best that any claim knows."""

import pytest

from tests.support.reported import report

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
def test_the_finding_of_a_later_claim_leads(name, source, words):
    finding = report(name, source).finding
    assert words in finding.text, finding


def test_einsum_without_ellipsis_is_no_matter_of_shapes():
    """Its shapes fit; what NumPy says, and the course's reading of that, stand on top."""
    source = """
def attention_scores(Q, K):
    return np.einsum("...qd,...kd->qk", Q, K) / np.sqrt(Q.shape[-1])
"""
    finding = report("attention_scores", source).finding
    assert "meet" not in finding.text
    assert "ellipsis" in finding.text
    assert "The axes of your `...` before `->` have no place after it." in finding.text


def test_the_heads_are_no_leading_axis():
    """Where only head 0 is right, nobody is sent to look at a batch."""
    source = """
def project_memory(memory, params, n_heads):
    d = params.W_K.shape[1] // n_heads
    H = split_heads(memory, n_heads)
    return H @ params.W_K[:d, :d], H @ params.W_V[:d, :d]
"""
    assert "leading axes" not in report("project_memory", source).finding.text
