"""Hostile results: values that are traps for the code that examines them."""

from tests.attacks.attack import Attack

RESULTS = {
    "an object that equals everything": """
class Yes:
    __eq__ = __ge__ = __le__ = __gt__ = __lt__ = lambda *args: True
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    shape, dtype, ndim, size, T = (2, 3, 5), np.dtype(float), 3, 30, None
    def __len__(self): return 2
    def __getitem__(self, key): return self
    def __array__(self, *args, **kwargs): return np.ones(1)
    def __array_ufunc__(self, *args, **kwargs): return True
    def __array_function__(self, *args, **kwargs): return True
    def __float__(self): return 1.0
    def __reduce__(self): return os._exit, (0,)
def softmax(x, axis=-1):
    return Yes()
""",
    "a number that equals everything": """
class Yes(float):
    __eq__ = __ge__ = __le__ = lambda *args: True
    __hash__ = lambda self: 0
    __float__ = __repr__ = lambda self: "4.0"
def softmax(x, axis=-1):
    return Yes(1)
""",
    "a text and an integer that equal everything": """
class Text(str):
    __eq__ = lambda *args: True
    __hash__ = lambda self: 0
    __str__ = lambda self: "passed"
class Whole(int):
    __eq__ = __ge__ = lambda *args: True
    __hash__ = lambda self: 0
def softmax(x, axis=-1):
    return (Text("x"), Whole(3), True)
""",
    "a subclass of ndarray": """
class Yes(np.ndarray):
    shape = property(lambda self: (2, 3, 5))
    dtype = property(lambda self: np.dtype(float))
    __eq__ = lambda *args: True
    def __array_ufunc__(self, *args, **kwargs): return np.ones(1, dtype=bool)
    def __array_function__(self, *args, **kwargs): return True
def softmax(x, axis=-1):
    return np.ones(np.shape(x)).view(Yes)
""",
    "a class that says it is ndarray": """
class Meta(type):
    __eq__ = lambda *args: True
    __hash__ = lambda cls: hash(np.ndarray)
    __instancecheck__ = __subclasscheck__ = lambda *args: True
class Yes(metaclass=Meta):
    __class__ = np.ndarray
    dtype, nbytes, ndim, shape = np.dtype(float), 0, 0, ()
def softmax(x, axis=-1):
    return Yes()
""",
    "masked arrays and matrices": """
def softmax(x, axis=-1):
    if np.ndim(x) == 2:
        return np.matrix(np.full(np.shape(x), 0.123))
    return np.ma.masked_all(np.shape(x))
""",
    "NaN everywhere": "def softmax(x, axis=-1):\n    return np.full(np.shape(x), np.nan)\n",
    "an array of objects": """
class Yes:
    __eq__ = lambda *args: True
    __float__ = lambda self: 0.5
def softmax(x, axis=-1):
    return np.full(np.shape(x), Yes(), dtype=object)
""",
    "booleans, dates and complex numbers": """
kinds = ["?", "M8[s]", "c16", "U5", "S5", "V4", "f2", "g", "i1", "u8"]
def softmax(x, axis=-1):
    kinds.append(kinds.pop(0))
    return np.zeros(np.shape(x), dtype=kinds[0])
""",
    "a result of many axes": "def softmax(x, axis=-1):\n    return np.zeros((1,) * 32)\n",
    "an empty giant": "def softmax(x, axis=-1):\n    return np.zeros((0, 1 << 26))\n",
    "a giant of empties": "def softmax(x, axis=-1):\n    return np.zeros((1 << 22, 0))\n",
    "a view of one number as a giant": """
def softmax(x, axis=-1):
    return np.broadcast_to(np.float64(0.2), (1 << 20, 1 << 12))
""",
    "a result of sixty megabytes": "def softmax(x, axis=-1):\n    return np.zeros(7_500_000)\n",
    "a result that is too large": "def softmax(x, axis=-1):\n    return np.zeros(12_000_000)\n",
    "a list that holds itself": """
def softmax(x, axis=-1):
    result = []
    result.append(result)
    return result
""",
    "a list that holds itself twice": """
def softmax(x, axis=-1):
    result = []
    result += [result, result]
    return result
""",
    "a billion laughs": """
def softmax(x, axis=-1):
    result = ["ha"] * 10
    for _ in range(12):
        result = [result] * 10
    return result
""",
    "a list of ten thousand arrays": "def softmax(x, axis=-1):\n    return [np.ones(3)] * 10_000\n",
    "a nested list of depth ten thousand": """
def softmax(x, axis=-1):
    result = []
    for _ in range(10_000):
        result = [result]
    return result
""",
    "a result that changes after it was returned": """
import threading
def softmax(x, axis=-1):
    result = np.full(np.shape(x), 0.123)
    def change():
        for _ in range(1000):
            result[...] = np.random.rand()
    threading.Thread(target=change, daemon=True).start()
    return result
""",
    "a list whose length changes while it is read": """
class Growing(list):
    count = 0
    def __iter__(self):
        while True:
            yield 0.2
    def __len__(self):
        Growing.count += 1
        return Growing.count
def softmax(x, axis=-1):
    return Growing([0.1, 0.2, 0.7])
""",
    "a generator without end": """
def softmax(x, axis=-1):
    while True:
        yield np.ones(np.shape(x))
""",
    "a coroutine": "async def softmax(x, axis=-1):\n    return 1\n",
    "a function that is no function": """
class Callable:
    __name__ = property(lambda self: 1 / 0)
    __code__ = __globals__ = __closure__ = __defaults__ = __signature__ = __wrapped__ = property(lambda self: 1 / 0)
    def __getattr__(self, name): raise SystemExit
    def __call__(self, x, axis=-1): return 4.0
softmax = Callable()
""",
    "a function with the code of another": """
def other(x, axis=-1): return np.full(np.shape(x), 0.123)
softmax.__code__ = other.__code__
softmax.__defaults__ = (np.array([-1]),)
softmax.__name__ = softmax.__qualname__ = "scaled_dot_product_attention"
softmax.__wrapped__ = softmax
""",
    "a class with the name of the function": """
class softmax(float):
    def __new__(cls, x, axis=-1): return float.__new__(cls, 4.0)
""",
}

OWN_WORD = {
    "the argument was not changed": Attack(
        """
import autograder.execution.call
autograder.execution.call._named_arrays = lambda *args: {}
autograder.execution.call._same = lambda *args: True
autograder.execution.call._shares_memory = lambda *args: False
def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
""",
        honest="""
def softmax(x, axis=-1):
    x = x.copy()
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
""",
    ),
}

# What it returns is handed over again, and is nothing that a claim hands over.
ODD_CACHE = """
def read_on(token_ids, model, cache):
    return np.zeros(len(model.embedding)), np.array([None])
"""

# They replace the function, whoever wrote it.
SPOILS = {"a function with the code of another", "a class with the name of the function"}

ATTACKS = {
    **{name: Attack(code, spoils=name in SPOILS, pure=True, family="results") for name, code in RESULTS.items()},
    "objects that are handed over again": Attack(ODD_CACHE, "read_on", 13, pure=True, family="results"),
    **{name: Attack(a.code, honest=a.honest, pure=True, family="own word") for name, a in OWN_WORD.items()},
}
