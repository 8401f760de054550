"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

CAUSAL_MASK = ("causal_mask(4, 3)", "causal_mask(2, 0)")
PADDING_MASK = ("padding_mask(np.array([True, True, False]))",)
ADDITIVE_MASK = ("additive_mask(np.array([True, False]))",)
MASKED_SOFTMAX = (
    "masked_softmax(np.array([-1e20, 0.0]), np.array([True, False]))",
    "masked_softmax(np.array([0.0, 1.0, 2000.0]), np.array([True, True, False]))",
    "masked_softmax(np.array([1.0, 2.0, 3.0]), np.array([True, True, False]))",
    "masked_softmax(np.array([1.0, 2.0]), np.array([False, False]))",
)
MASKED_ATTENTION = (
    """\
masked_attention(
    Q=np.array([[30.0, 0.0]]),
    K=np.array([[60.0, 1.0], [59.0, 2.0]]),
    V=np.array([[1.0], [2.0]]),
)""",
    """\
masked_attention(
    Q=np.array([[30.0, 0.0]]),
    K=np.array([[1.0, 2.0], [60.0, 1.0]]),
    V=np.array([[1.0], [2.0]]),
    mask=np.array([[True, False]]),
)""",
    """\
masked_attention(
    Q=np.array([[1.0, 0.0]]),
    K=np.array([[1.0, 2.0], [3.0, 4.0]]),
    V=np.array([[1.0], [2.0]]),
    mask=np.array([[True, False]]),
)""",
)
_TOKENS = "first_leak(attend, np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 7.0]]))"
_SMALL = "first_leak(attend, np.array([[0.01, 0.02], [0.03, 0.05], [0.04, 0.07]]))"
_EMPTY = "first_leak(attend, np.array([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]]))"
FIRST_LEAK = tuple(
    f"def attend(X):\n    return {result}\n\n{call}"
    for result, call in (
        ("X + X[[1, 1, 2]]  # position 0 sees the next token", _TOKENS),
        ("X + X[[2, 1, 2]]  # position 0 sees the last token", _TOKENS),
        ("X + X[[0, 2, 2]]  # position 1 sees the last token", _TOKENS),
        ("np.cumsum(X, axis=0)  # causal", _TOKENS),
        ("X[::-1]  # position 0 sees the last token, position 1 itself", _TOKENS),
        ("X + X.mean(axis=0)  # every position sees all tokens", _TOKENS),
        ("np.where([[True, False]], X[[0, 1, 2]], X[[0, 2, 2]])  # position 1, in its last feature only", _TOKENS),
        ("X[[1, 1, 2]] @ np.array([[1.0, -1.0], [1.0, -1.0]])  # the features of an output sum to 0", _TOKENS),
        ("X[[1, 1, 2]] ** 2  # position 0 sees the next token's square", _TOKENS),
        ("X + 1e-8 * X[[1, 1, 2]]  # position 0 sees a trace of the next token", _TOKENS),
        ("X + 1e-6 * X[[1, 1, 2]]  # position 0 sees a trace of the next token", _SMALL),
        ("np.maximum(X, X[[1, 1, 2]] / 1e6)  # causal, but for tokens of a million", _TOKENS),
        ("X / (1 + np.abs(X[[1, 1, 2]]))  # position 0 sees the size of the next token", _TOKENS),
        ("X + X.sum(axis=0) - np.cumsum(X[::-1], axis=0)[::-1]  # causal, but for rounding", _TOKENS),
        ("X + X[[1, 1, 2]]  # position 0 sees the next token", _EMPTY),
        ("X + X[[1, 1, 2]][:, ::-1] - X[[1, 1, 2]]  # position 0 sees how the next token's features differ", _TOKENS),
        ("X - np.abs(X[[1, 1, 2]])  # position 0 sees the size of the next token, and falls", _EMPTY),
        ("X + [[1.0], [0.0], [0.0]] * (X[2] - X[1])  # position 0 sees how the later tokens differ", _TOKENS),
    )
)
