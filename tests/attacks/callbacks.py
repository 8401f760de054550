"""Functions that the claims pass in: called in strange ways, too often, too late, with absurd arguments."""

from tests.attacks.attack import Attack

LEAK, NORM, DECODE = (3, "first_leak"), (7, "post_norm"), (8, "greedy_decode")
BEAM = (8, "beam_search")
NETWORK, PRE_NORM = (6, "position_wise_ffn"), (7, "pre_norm")
BODIES = {
    LEAK: "def first_leak(attend, X, seed=0):\n    given, good = attend, X\n{body}\n    print(log)\n    return -1\n",
    NORM: """\
def post_norm(X, sublayer, gamma, beta, eps=1e-5):
    given, good = sublayer, X
{body}
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    PRE_NORM: """\
def pre_norm(X, sublayer, gamma, beta, eps=1e-5):
    given, good = sublayer, X
{body}
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    NETWORK: """\
def position_wise_ffn(X, params, activation=None):
    given, good = activation, X
{body}
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    DECODE: """\
def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
    given, good = next_log_probs, np.array([[bos_id]])
{body}
    print(log)
    return (-1,)
""",
    BEAM: """\
def beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    given, good = next_log_probs, np.array([[bos_id]])
{body}
    print(log)
    return [(-1.0, (-1,))]
""",
}
STRANGE = {
    "giant arguments": "attempt(given, np.ones((1_000_000, good.shape[1])))",
    "empty giants": "attempt(given, np.zeros((0, 1 << 26), dtype=good.dtype))",
    "empty giants of another order": "attempt(given, np.zeros((1 << 26, 0), dtype=good.dtype))",
    "a giant view": "attempt(given, np.broadcast_to(good[:1, :1], (1 << 16, 1 << 16)))",
    "odd arguments": """
    for trap in (None, "x", {}, [[1]], good[0, 0], good[:0], given, 10**30, 1e400):
        attempt(given, trap)""",
    "no arguments, and names of all kinds": """
    attempt(given)
    for name in ("self", "args", "kwargs", "value", "__class__", "function", "out", "x" * 1000, "\\ud800", "a b"):
        attempt(given, good, **{name: good})""",
    "nested containers": """
    nested = good
    for _ in range(14):
        nested = [nested]
    attempt(given, nested)
    attempt(given, [[[good] * 20] * 20] * 20)""",
    "a long text": "attempt(given, 'x' * 900_000)",
    "functions as arguments": "attempt(given, lambda *args: given(lambda *args: given(good)))",
    "functions that call back without end": """
    again = lambda *args: given(again)
    attempt(given, again)""",
    "not a number": "attempt(given, np.full(good.shape, np.nan)); attempt(given, np.full(good.shape, -2**31))",
    "the function of an earlier call": """
    kept.append(given)
    attempt(kept[0], good)""",
    "every number that a function could have": """
    for number in range(30):
        attempt(peer()._proxy(number), good)""",
    "a call from a thread that goes on": """
    def later():
        while True:
            attempt(given, good)
    threading.Thread(target=later, daemon=True).start()""",
    "the attributes of the function": """
    for name in dir(given):
        value = getattr(given, name, None)
        if "reference" in repr(value) or "exercises" in repr(value):
            breach(name)""",
}
# A function that does nothing to its result gives back memory of the judge, in which anything may lie.
MEMORY = {
    "keywords of NumPy that leave a result unwritten": """
    room = np.zeros(np.shape(good), bool)
    for names in ({"where": False}, {"where": room}, {"dtype": "d", "where": False, "casting": "unsafe"}):
        if succeeded(found := attempt(given, good, **names)):
            breach("numbers that nobody wrote " + repr(found)[:80])""",
    "keywords of NumPy that change the result": """
    shapes = ((0,), (300, 300), (1 << 20,))
    for names in (*({"shape": shape} for shape in shapes), {"dtype": object}, {"order": "F"}, {"subok": False}):
        if succeeded(attempt(given, good, **names)):
            breach("it takes " + repr(names))""",
    "more arguments than one": """
    for more in ((np.zeros(np.shape(good)),), (None,), (None, "F", False), (np.float32,), (object, "F", False, (9,))):
        if succeeded(attempt(given, good, *more)):
            breach("it takes " + repr(more)[:80])""",
    "the unused bytes of extended numbers": """
    for size in (2, 20, 60, 200, 1000):
        found = attempt(given, np.zeros((size, np.shape(good)[-1]), np.longdouble))
        if succeeded(found) and found.dtype.itemsize == 16:
            unused = found.reshape(-1).view(np.uint8).reshape(-1, 16)[:, 10:]
            if unused.any():
                breach("bytes that nobody wrote " + repr(unused[unused.any(axis=1)][:9])[:80])""",
    "arrays of objects and of text": """
    for dtype in (object, "U", "S", "V8", "M8[s]", "i4,f8"):
        if succeeded(attempt(given, np.zeros(np.shape(good), dtype))):
            breach("it takes an array of dtype " + str(dtype))""",
}
WITHOUT_END = {
    "callbacks without end": "while True: attempt(given, good)",
    "callbacks without end and without waiting for answers": """
    from autograder.judge.wire.values import encode
    large = np.repeat(good, 4096 // good.size, axis=0)
    numbers = [cell.cell_contents for cell in given.__closure__ if type(cell.cell_contents) is int]
    while True:
        blobs = []
        tree = encode((numbers[0], (large,), ()), blobs)
        peer().channel.send("callback", 10**6, tree, blobs)""",
}


def body(text):
    """Indent one line, or leave lines that are indented already."""
    return text if text.startswith("\n") else f"    {text}"


def attacks(place, bodies, slow=False):
    """Return the attacks on the functions that one exercise passes in."""
    unit, exercise = place
    for name, text in bodies.items():
        code = "kept = []\n" + BODIES[place].format(body=body(text))
        yield f"{name} ({exercise})", Attack(code, exercise, unit, slow=slow, pure=True, family="callbacks")


ATTACKS = {
    **dict(attacks(LEAK, STRANGE)),
    **dict(attacks(NORM, {name: STRANGE[name] for name in list(STRANGE)[:6]})),
    **dict(attacks(DECODE, {name: STRANGE[name] for name in list(STRANGE)[:11]})),
    **dict(attacks(BEAM, {name: STRANGE[name] for name in list(STRANGE)[:4]})),
    **{name: a for place in (NETWORK, PRE_NORM) for name, a in attacks(place, MEMORY)},
    **{name: a for place in (LEAK, DECODE) for name, a in attacks(place, WITHOUT_END, slow=True)},
}
