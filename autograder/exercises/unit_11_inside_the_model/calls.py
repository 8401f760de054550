"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

_LAYER = """\
from transformer_kit.parameters import init_attention

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
params = init_attention(np.random.default_rng(5), d_model=4, n_heads=2)

"""
HEAD_OUTPUTS = tuple(
    _LAYER + call
    for call in (
        "head_outputs(X, X, params, 2)",
        "head_outputs(X, X, params, 2, mask=np.array([[True, False], [True, True]]))",
        "head_outputs(X, 2 * X[::-1], params, 2)",
        "head_outputs(\n    np.stack([X[:1], X[1:]]), np.stack([X, X]), params, 2,\n"
        "    mask=np.array([[[True, False]], [[True, True]]]),\n)",
        "head_outputs(\n    np.stack([X[:1], X[1:]])[:, None], X[None, None], params, 2,\n"
        "    mask=np.array([[[[True, False]]], [[[True, True]]]]),\n)",
    )
)
_MATRICES = """\
from transformer_kit.parameters import AttentionParams

W_V, W_O = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0], [5.0], [6.0]])
params = AttentionParams(np.ones((1, 3)), np.ones((1, 3)), W_V, W_O)

"""
# Heads may be silenced in other ways than the course's, so that only what is refused can be compared.
WITHOUT_HEADS = (
    f"{_MATRICES}without_heads(params, 3, (3,))",
    f"{_MATRICES}without_heads(params, 3, (-1,))",
)
_SCORE = """\
losses = np.array([[1.0, 0.5, 0.0], [0.5, -2.0, 1.0], [0.0, 1.0, 3.0]])

def score(heads):
    silent = np.asarray(heads, dtype=int)
    return 20.0 - losses[np.ix_(silent, silent)].sum()

"""
ABLATION_TABLE = (_SCORE + "ablation_table(score, 3)", _SCORE + "ablation_table(score, 2)")
ATTENTION_ROLLOUT = ("attention_rollout(np.array([[[[1.0, 0.0], [0.5, 0.5]]]]))",)
_STACK = """\
from transformer_kit.parameters import DecoderOnly, init_encoder_layer

rng = np.random.default_rng(5)
layers = tuple(init_encoder_layer(rng, d_model=6, n_heads=2, d_ff=3, noise=0.5) for _ in range(2))
model = DecoderOnly(rng.normal(size=(3, 6)), layers, 2)

"""
NEXT_TOKEN_LOGITS = (
    _STACK + "next_token_logits(np.array([[1, 2, 0]]), model)",
    _STACK + "next_token_logits(np.array([[1, 2]]), model)",
    _STACK.replace("range(2)", "range(3)") + "next_token_logits(np.array([[1, 2]]), model)",
)
