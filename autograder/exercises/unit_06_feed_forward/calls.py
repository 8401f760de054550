"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

RELU = (
    "relu(np.array([-1.0, 2.0, 7.5]))",
    "relu(np.array([1.0, 2.0]))",
)
_NETWORK = """\
from transformer_kit.parameters import FeedForwardParams

W_1, b_1 = np.array([[1.0, -1.0, 2.0], [0.5, 2.0, -1.0]]), np.array([1.0, -2.0, 0.5])
W_2, b_2 = np.array([[1.0, 0.0], [-2.0, 1.0], [0.5, 3.0]]), np.array([-1.0, 0.25])
params = FeedForwardParams(W_1, b_1, W_2, b_2)

"""
POSITION_WISE_FFN = tuple(
    _NETWORK + call
    for call in (
        "position_wise_ffn(np.array([[1.0, 2.0], [-1.0, 0.5]]), params)",
        "position_wise_ffn(np.array([[[1.0, 2.0], [-1.0, 0.5]], [[0.0, 3.0], [2.0, 1.0]]]), params)",
        "position_wise_ffn(np.array([[1.0, 2.0], [-1.0, 0.5]]), params, activation=np.tanh)",
        "position_wise_ffn(np.array([[1, 2], [-1, 3]]), params)",
    )
)
COLLAPSE_LINEAR = (_NETWORK + "collapse_linear(params)",)
FFN_BACKWARD = (
    _NETWORK + "ffn_backward(np.array([[1.0, -1.0], [0.5, 2.0]]), np.array([[1.0, 2.0], [-1.0, 0.5]]), params)",
    """\
from transformer_kit.parameters import FeedForwardParams

params = FeedForwardParams(np.array([[1, 2]]), np.array([0.5, -1]), np.array([[3], [1]]), np.array([1]))

ffn_backward(np.array([[1.0], [2.0]]), np.array([[1.0], [-1.0]]), params)""",
)
