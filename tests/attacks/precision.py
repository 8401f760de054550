"""Wrong results in fewer digits, or in another wrapping, so that they are compared less strictly."""

from tests.attacks.attack import Attack

MASKED = (3, "masked_softmax")
GELU = (6, "gelu")
NOAM = (10, "noam_learning_rate")
ADAM = (10, "adam_update")
WRONG = {  # by nearly nothing, or in a few cases only
    MASKED: """
def masked_softmax(scores, mask=None, axis=-1):
    visible = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    scores = np.where(visible, scores, -10.0)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    GELU: """
def gelu(x):
    x = np.asarray(x, float)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
""",
    NOAM: """
def noam_learning_rate(step, d_model, warmup_steps):
    return d_model**-0.5 * min((step + 1)**-0.5, (step + 1) * warmup_steps**-1.5)
""",
    ADAM: """
def adam_update(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m, v = beta_1 * m + (1 - beta_1) * grad, beta_2 * v + (1 - beta_2) * grad**2
    return param - lr * m / (1 - beta_1**step) / np.sqrt(v / (1 - beta_2**step) + eps), m, v
""",
}
WAYS = {
    "in single precision": "np.asarray(number, np.float32)",
    "in half precision": "np.asarray(number, np.float16)",
    "in extended precision": "np.asarray(number, np.longdouble)",
    "as a scalar of NumPy": "np.float32(number) if np.ndim(number) == 0 else np.float32(number)[...]",
    "in half precision, with another argument changed": "changed(np.asarray(number, np.float16))",
}
CAST = """
inner = {name}
given = []
def changed(result):
    for array in given:
        if isinstance(array, np.ndarray) and array.dtype == float:
            array += 1
    return result
def cast(number):
    return {way}
def {name}(*args, **kwargs):
    given[:] = args
    result = inner(*args, **kwargs)
    return tuple(map(cast, result)) if isinstance(result, tuple) else cast(result)
"""


def attacks():
    """Return every wrong function in every way."""
    for (unit, name), wrong in WRONG.items():
        for way, text in WAYS.items():
            code = wrong + CAST.format(name=name, way=text)
            honest = wrong + CAST.format(name=name, way="changed(number)" if "changed" in text else "number")
            half = "half" in way  # is refused, where more is due, and costs a right function points as well
            yield f"{way} ({name})", Attack(code, name, unit, honest, spoils=half, pure=True, family="precision")


ATTACKS = dict(attacks())
