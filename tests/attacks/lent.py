"""Reading the answer out of the functions of earlier exercises, which are lent."""

from tests.attacks.attack import Attack

LENT = {
    "a later function's reference through the worker's numbers": """
def scaled_dot_product_attention(Q, K, V):
    print(told)
    for number in range(40):
        found = attempt(lambda: peer()._proxy(number)(Q, K, V))
        if succeeded(found):
            return found
    return 1
""",
    "what was lent knows its module": """
def scaled_dot_product_attention(Q, K, V):
    for name in ("softmax", "attention_scores"):
        lent = globals().get(name)
        for scope in (getattr(lent, "__globals__", {}), vars(sys.modules.get(getattr(lent, "__module__", ""), types))):
            for key in ("scaled_dot_product_attention", "attention_backward"):
                found = scope.get(key)
                if found and found is not scaled_dot_product_attention and key.startswith("scaled"):
                    try:
                        return found(Q, K, V)
                    except Exception as error:
                        told.append(repr(error))
    print(told)
    return 1
""",
    "the lent functions are replaced": """
def softmax(x, axis=-1):
    return np.ones(np.shape(x))
for place in [builtins, *list(sys.modules.values())]:
    if getattr(place, "__name__", "").startswith(("transformer_kit", "autograder")):
        attempt(setattr, place, "softmax", softmax)
        attempt(setattr, place, "scaled_dot_product_attention", lambda Q, K, V: (V, Q))
told.clear()
""",
    "the lent functions are asked without end": """
def scaled_dot_product_attention(Q, K, V):
    while True:
        attention_scores(np.ones((2, 2)), np.ones((2, 2)))
""",
    "the lent functions get a giant": """
def scaled_dot_product_attention(Q, K, V):
    attempt(attention_scores, np.ones((200_000, 1)), np.ones((200_000, 1)))
    attempt(attention_scores, np.ones((0, 1 << 27)), np.ones((1, 1 << 20)))
    return 1
""",
    "the lent functions get traps": """
def scaled_dot_product_attention(Q, K, V):
    for trap in ({}, object(), "x" * 10**6, [[[[1]]]] * 10**5, np.array([{}], dtype=object), 10**50, softmax):
        attempt(softmax, trap)
    return 1
""",
    "the sources of what was lent": """
def scaled_dot_product_attention(Q, K, V):
    import inspect
    for name in ("softmax", "attention_scores"):
        lent = globals().get(name)
        try:
            module = inspect.getsource(inspect.getmodule(lent))
            if "def scaled_dot_product_attention(Q" in module and "<cell" not in str(inspect.getfile(lent)):
                space = {}
                exec(module, space)
                return space["scaled_dot_product_attention"](Q, K, V)
        except Exception as error:
            told.append(repr(error))
    print(told)
    return 1
""",
}
HELPERS = "def attention_scores(Q, K): return 1\ndef softmax(x, axis=-1): return 1\n"
SLOW = {"the lent functions are asked without end", "the lent functions get traps"}

ATTACKS = {
    name: Attack(
        HELPERS + code, "scaled_dot_product_attention", honest=HELPERS, slow=name in SLOW, pure=True, family="lent"
    )
    for name, code in LENT.items()
}
