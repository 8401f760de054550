"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

_LAYER = """\
from transformer_kit.parameters import init_attention

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
memory = np.array([[0.5, 1.0, 0.0, 2.0], [1.0, -1.0, 1.0, 0.0], [2.0, 0.5, 0.0, 1.0]])
params = init_attention(np.random.default_rng(5), d_model=4, n_heads=2)

"""
_MEMORY = """\
from transformer_kit.parameters import init_attention

memory = np.array([[0.5, 1.0, 0.0, 2.0], [1.0, -1.0, 1.0, 0.0], [2.0, 0.5, 0.0, 1.0]])
params = init_attention(np.random.default_rng(5), d_model=4, n_heads=2{})

"""
PROJECT_MEMORY = (
    _MEMORY.format("") + "project_memory(memory, params, 2)",
    _MEMORY.format("") + "project_memory(np.stack([memory[:2], memory[1:]]), params, 2)",
    _MEMORY.format("") + "project_memory(memory[None, None, :2], params, 2)",
    _MEMORY.format(", d_k=1, d_v=2") + "project_memory(memory[:2], params, 2)",
)
CROSS_ATTENTION = tuple(
    _LAYER + call
    for call in (
        "cross_attention(X, memory, params, 2)",
        "cross_attention(X, memory, params, 2, np.array([True, True, False]))",
        "cross_attention(X, memory, params, 2, np.array([False, False, False]))",
        "cross_attention(\n    np.stack([X, X]), np.stack([memory, 2 * memory]), params, 2,\n"
        "    np.array([[True, True, False], [True, False, False]]),\n)",
        "cross_attention(\n    np.stack([X, X]), np.stack([memory[:2], memory[1:]]), params, 2,\n"
        "    np.array([[True, True], [True, False]]),\n)",
    )
)
ALIGNMENT = (
    "alignment(np.array([[[0.5, 0.5]], [[0.0, 1.0]]]))",
    "alignment(np.array([[[0.6, 0.4, 0.0]], [[0.0, 0.5, 0.5]]]))",
)
