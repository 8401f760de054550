"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

SOFTMAX = (
    "softmax(np.array([0.0, 1.0, -np.inf]))",
    "softmax(np.array([[1.0, 2.0], [3.0, 5.0]]))",
)
SOFTMAX_BACKWARD = ("softmax_backward(np.array([0.25, 0.75]), np.array([1.0, 3.0]))",)
ATTENTION_BACKWARD = (
    """\
attention_backward(
    d_output=np.array([[1.0], [2.0]]),
    Q=np.array([[1.0, 0.0], [0.0, 1.0]]),
    K=np.array([[1.0, 2.0], [3.0, 4.0]]),
    V=np.array([[1.0], [3.0]]),
    weights=np.array([[0.25, 0.75], [0.0, 0.0]]),
)""",
)
