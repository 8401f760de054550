"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

LAYER_NORM = ("layer_norm(1e8 + np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2))",)
LAYER_NORM_BACKWARD = (
    "layer_norm_backward(np.array([[1.0, 0.0, 2.0]]), np.array([[1.0, 2.0, 4.0]]), np.array([2.0, 1.0, 3.0]))",
    "layer_norm_backward(np.array([[1.0, 0.0, 2.0]]), 1e8 + np.array([[1.0, 2.0, 4.0]]), np.ones(3))",
)
RMS_NORM = ("rms_norm(np.array([[1.0, 2.0, -2.0]]), np.ones(3))",)
_NORM = "np.array([1, 2, -1]), np.array([0.5, 0, 1])"


def _with_sublayers(name):
    """Return calls with three sub-layers: for every token alone, for all tokens together, and one that does nothing."""
    reverse = "def sublayer(X):\n    return 3 * X[..., ::-1]\n\n"
    mix = "def sublayer(X):\n    return 3 * X - X.mean(axis=-2, keepdims=True)\n\n"
    nothing = "def sublayer(X):\n    return X\n\n"
    tokens = "np.array([[1.0, 2.0, 4.0], [0.0, 3.0, 1.0]])"
    return (
        f"{reverse}{name}(np.array([[1.0, 2.0, 4.0]]), sublayer, {_NORM})",
        f"{reverse}{name}(np.array([[1.0, 2.0, 4.0]]), sublayer, {_NORM}, eps=0.5)",
        f"{mix}{name}({tokens}, sublayer, {_NORM})",
        f"{nothing}{name}(np.array([[1.0, 2.0, 4.0]]), sublayer, {_NORM})",
    )


POST_NORM, PRE_NORM = _with_sublayers("post_norm"), _with_sublayers("pre_norm")
_LAYER = """\
from transformer_kit.parameters import init_encoder_layer

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
params = init_encoder_layer(np.random.default_rng(5), d_model=4, n_heads=2, d_ff=3, noise=0.5)

"""
ENCODER_LAYER = tuple(
    _LAYER + call
    for call in (
        "encoder_layer(X, params, 2)",
        "encoder_layer(X, params, 2, mask=np.array([[True, False]]))",
        "encoder_layer(X, params, 2, norm_first=True)",
        "encoder_layer(X, params, 2, mask=np.array([[True, False]]), norm_first=True)",
        "encoder_layer(X, params, 2, eps=0.5)",
        "encoder_layer(X, params, 1)",
        "encoder_layer(np.stack([X, X]), params, 2, mask=np.array([[[[True, False]]], [[[True, True]]]]))",
    )
)
