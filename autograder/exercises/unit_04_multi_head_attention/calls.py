"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

SPLIT_HEADS = (
    "split_heads(np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]), 2)",
    "split_heads(np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 0.0]]), 2)",
)
_LAYER = """\
from transformer_kit.parameters import init_attention

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
params = init_attention(np.random.default_rng(5), d_model=4, n_heads=2)

"""
MULTI_HEAD_ATTENTION = tuple(
    _LAYER + call
    for call in (
        "multi_head_attention(X, X, params, 2)",
        "multi_head_attention(X, X, params, 2, mask=np.array([[True, False], [True, True]]))",
        "multi_head_attention(X, X, params, 2, mask=np.array([[True, False], [False, False]]))",
        "multi_head_attention(\n    np.stack([X, 2 * X]), np.stack([X, 3 * X]), params, 2,\n"
        "    mask=np.array([[[True, False]], [[True, True]]]),\n)",
        "multi_head_attention(\n    np.stack([X, X]), np.stack([X, 3 * X]), params, 2,\n"
        "    mask=np.array([[[True, False], [True, True]], [[True, True], [False, True]]]),\n)",
    )
)
_FUSED = """\
rng = np.random.default_rng(5)
W_QKV, W_O = rng.normal(size=(4, 12)), rng.normal(size=(4, 4))
X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])

"""
FUSED_SELF_ATTENTION = tuple(
    _FUSED + call
    for call in (
        "fused_self_attention(X, W_QKV, W_O, 2)",
        "fused_self_attention(X, W_QKV, W_O, 2, mask=np.array([[True, False], [True, True]]))",
        "fused_self_attention(np.stack([X, 2 * X]), W_QKV, W_O, 2)",
        "fused_self_attention(np.concatenate([X, 2 * X[:1]])[None], W_QKV, W_O, 2)",
        "fused_self_attention(\n    np.stack([X, 2 * X]), W_QKV, W_O, 2,\n"
        "    mask=np.array([[[True, False], [True, True]], [[True, True], [False, True]]]),\n)",
        "fused_self_attention(\n    np.stack([X, 2 * X]), W_QKV, W_O, 2,\n"
        "    mask=np.array([[[True, False]], [[True, True]]]),\n)",
    )
)
