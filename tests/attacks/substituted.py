"""Reading the answer through the reference's functions that stand in for those of earlier exercises."""

from tests.attacks.attack import Attack

SUBSTITUTED = {
    "a later function's reference through the worker's numbers": """
def scaled_dot_product_attention(Q, K, V):
    print(log)
    for number in range(40):
        found = attempt(lambda: peer()._proxy(number)(Q, K, V))
        if succeeded(found):
            return found
    return 1
""",
    "a substituted function knows its module": """
def scaled_dot_product_attention(Q, K, V):
    for name in ("softmax", "attention_scores"):
        kin = globals().get(name)
        for scope in (getattr(kin, "__globals__", {}), vars(sys.modules.get(getattr(kin, "__module__", ""), types))):
            for key in ("scaled_dot_product_attention", "attention_backward"):
                found = scope.get(key)
                if found and found is not scaled_dot_product_attention and key.startswith("scaled"):
                    try:
                        return found(Q, K, V)
                    except Exception as error:
                        log.append(repr(error))
    print(log)
    return 1
""",
    "the substituted functions are replaced": """
def softmax(x, axis=-1):
    return np.ones(np.shape(x))
for place in [builtins, *list(sys.modules.values())]:
    if getattr(place, "__name__", "").startswith(("transformer_kit", "autograder")):
        attempt(setattr, place, "softmax", softmax)
        attempt(setattr, place, "scaled_dot_product_attention", lambda Q, K, V: (V, Q))
log.clear()
""",
    "the substituted functions are called without end": """
def scaled_dot_product_attention(Q, K, V):
    while True:
        attention_scores(np.ones((2, 2)), np.ones((2, 2)))
""",
    "the substituted functions get a giant": """
def scaled_dot_product_attention(Q, K, V):
    attempt(attention_scores, np.ones((200_000, 1)), np.ones((200_000, 1)))
    attempt(attention_scores, np.ones((0, 1 << 27)), np.ones((1, 1 << 20)))
    return 1
""",
    "the substituted functions get traps": """
def scaled_dot_product_attention(Q, K, V):
    for trap in ({}, object(), "x" * 10**6, [[[[1]]]] * 10**5, np.array([{}], dtype=object), 10**50, softmax):
        attempt(softmax, trap)
    return 1
""",
    "the sources of the substituted functions": """
def scaled_dot_product_attention(Q, K, V):
    import inspect
    for name in ("softmax", "attention_scores"):
        kin = globals().get(name)
        try:
            module = inspect.getsource(inspect.getmodule(kin))
            if "def scaled_dot_product_attention(Q" in module and "<cell" not in str(inspect.getfile(kin)):
                space = {}
                exec(module, space)
                return space["scaled_dot_product_attention"](Q, K, V)
        except Exception as error:
            log.append(repr(error))
    print(log)
    return 1
""",
}
HELPERS = "def attention_scores(Q, K): return 1\ndef softmax(x, axis=-1): return 1\n"
SLOW = {"the substituted functions are called without end", "the substituted functions get traps"}

ATTACKS = {
    name: Attack(
        HELPERS + code,
        "scaled_dot_product_attention",
        honest=HELPERS,
        slow=name in SLOW,
        pure=True,
        family="substituted functions",
    )
    for name, code in SUBSTITUTED.items()
}
