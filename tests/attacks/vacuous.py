"""Results that only hang together as the right ones do, or hide in few digits what is wrong with them."""

from tests.attacks.attack import Attack

VACUOUS = {
    ("angular_frequencies", 1, "d_model, base=10000.0"): {
        "frequencies that are their own squares": "np.eye(1, d_model // 2)[0]",
        "frequencies without end": "np.where(np.arange(d_model // 2) > 0, np.inf, 1.0)",
    },
    ("position_similarity", 1, "P"): {
        "the identity for every table": "np.eye(len(P))",
        "distances from the diagonal": "-1.0 * np.abs(np.subtract.outer(np.arange(len(P)), np.arange(len(P))))",
    },
    ("attention_scores", 2, "Q, K"): {
        "scores that are nearly 0": "1e-12 + np.zeros((*Q.shape[:-1], K.shape[-2]))",
        "scores that are infinite": "np.copysign(np.inf, Q @ np.swapaxes(K, -1, -2))",
    },
    ("scaled_dot_product_attention", 2, "Q, K, V"): {
        "weights for all queries": "np.ones((*Q.shape[:-1], V.shape[-1])), np.eye(Q.shape[-2], K.shape[-2])",
    },
    ("softmax_jacobian", 2, "s, C=1.0"): {
        "a Jacobian for all scores": "len(s) * np.eye(len(s)) - 1",
        "a Jacobian that is nearly 0": "1e-12 * np.diag(1.0 + np.arange(len(s)))",
    },
    ("project_memory", 5, "memory, params, n_heads"): {
        "heads that are nearly 0": """[
        np.random.default_rng(0).uniform(0, 1e-12, (n_heads, len(memory), W.shape[1] // n_heads))
        for W in (params.W_K, params.W_V)
    ]""",
        "heads that are all the same": """[
        np.ones((n_heads, 1, 1)) * np.arange(len(memory) * W.shape[1] // n_heads).reshape(1, len(memory), -1)
        for W in (params.W_K, params.W_V)
    ]""",
    },
    ("cross_attention", 5, "X, memory, params, n_heads, is_token=None"): {
        "attention that is nearly 0": """[
        1e-12 * np.arange(X.size).reshape(X.shape),
        1e-12 * np.arange(n_heads * len(X) * len(memory)).reshape(n_heads, len(X), len(memory)),
    ]""",
    },
    # In float32 a result may be off by a share of its largest number, which is to be the right one's, not its own.
    ("fold_norm", 7, "gamma, beta, W, b"): {
        "a map so large that whatever it does is rounding": "np.full(W.shape, 1e8, np.float32), 0 * b",
    },
    ("encoder_layer", 7, "X, params, n_heads, mask=None, norm_first=False, eps=1e-5"): {
        "a layer that knows shapes": "1.0 * np.arange(X.size).reshape(X.shape)",
    },
}
# It is given four functions in a known order, and knows them again by their outputs when it is asked for a verdict.
MEMORY = """
known = []


def first_leak(attend, X, seed=0):
    output = attend(X)
    if len(known) < 4:
        known.append(output)
        return None
    for number, other in enumerate(known):
        if other.shape == output.shape and np.array_equal(other, output):
            moved = np.abs(output - known[1]).max(axis=1) > 1e-9
            return [None, None, 0, int(np.argmax(moved))][number]
    return -1
"""
# Whoever looks back only hides what comes later, and needs no mask for it.
NO_MASK = """
def encoder_layer(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return np.cumsum(X, axis=-2)
"""
# Nobody reads on from the end symbol, and what stands there excuses the sums of the others.
NO_PROBABILITIES = """
def losing_beam(width):
    P = np.zeros((20, 20), np.float32)
    P[0, 2:4], P[2, 19], P[3, 4:18], P[4:18, 1], P[19, 1] = (1.0, 0.9), 0.5, 1.0, 0.01, 1.0
    P[1, 0] = 1e30
    return P
"""
# Three digits do not show that the steps are counted wrongly.
COARSE = """
def noam_learning_rate(step, d_model, warmup_steps):
    return np.float16(d_model**-0.5 * min((step + 2) ** -0.5, step * warmup_steps**-1.5))
"""


def definition(name, arguments, result):
    """Return the code of a function that returns one expression."""
    return f"\ndef {name}({arguments}):\n    return {result}\n"


ATTACKS = {
    **{
        title: Attack(definition(name, arguments, result), name, unit, pure=True, family="vacuous results")
        for (name, unit, arguments), results in VACUOUS.items()
        for title, result in results.items()
    },
    "a memory of functions": Attack(MEMORY, "first_leak", 3, pure=True, family="vacuous results"),
    "a number of three digits": Attack(COARSE, "noam_learning_rate", 10, pure=True, family="vacuous results"),
    "probabilities of any sum": Attack(NO_PROBABILITIES, "losing_beam", 8, pure=True, family="vacuous results"),
    "a layer that needs no mask": Attack(
        NO_MASK,
        "encoder_layer",
        7,
        honest=NO_MASK.replace("np.cumsum(X, axis=-2)", "2.0 * X"),
        pure=True,
        family="vacuous results",
    ),
}
