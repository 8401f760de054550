"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.specification import Lookalike

SOFTMAX = Lookalike(
    "maximum-of-everything",
    "softmax(np.array([[0.2, 1.5, -1.0], [2.0, 0.0, 0.5]]))",
    "How far can two rows of one array lie apart?",
)
ATTENTION_SCORES = Lookalike(
    "root-as-integer",
    "attention_scores(np.eye(2, 4), np.ones((3, 4)))",
    "How many columns did you try? Which numbers of columns have a root that is easy?",
)
SCALED_DOT_PRODUCT_ATTENTION = Lookalike(
    "softmax-over-axis-1",
    "scaled_dot_product_attention(np.eye(2), np.eye(3, 2), np.array([[1.0], [2.0], [4.0]]))",
    "How many axes may Q, K and V have?",
)
SOFTMAX_JACOBIAN = Lookalike(
    "divides-after-only",
    "softmax_jacobian(np.array([0.0, 1.0, 2.0]))",
    "Which argument did the first call leave out?",
)
SOFTMAX_BACKWARD = Lookalike(
    "axis-put-back-last",
    "softmax_backward(np.array([0.25, 0.75]), np.array([1.0, 3.0]))",
    "Along which axes can the weights sum to 1?",
)
ATTENTION_BACKWARD = Lookalike(
    "weights-recomputed",
    """\
attention_backward(
    d_output=np.array([[1.0]]),
    Q=np.array([[0.0, 0.0]]),
    K=np.array([[1.0, 2.0], [3.0, 4.0]]),
    V=np.array([[1.0], [3.0]]),
    weights=np.array([[0.5, 0.5]]),
)""",
    "Must the weights be the softmax of the scores? What may have happened to them on the way forward?",
)
