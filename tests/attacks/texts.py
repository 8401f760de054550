"""Texts that look like something else: in errors, names, warnings and printed output."""

from tests.attacks.attack import Attack

TEXTS = {
    "HTML in an error": """
def softmax(x, axis=-1):
    raise ValueError("<script>document.title='forged'</script><img src=x onerror=alert(1)></div><h1>4 of 4 points")
""",
    "HTML in the name of an exception": """
def softmax(x, axis=-1):
    raise type("<script>alert(1)</script>", (Exception,), {})("x")
""",
    "HTML in what is printed and warned": """
import warnings
def softmax(x, axis=-1):
    print("<script>alert(1)</script>")
    warnings.warn("<iframe src=javascript:alert(1)>")
    return "<script>alert(1)</script>"
""",
    "HTML in the name of a type": """
def softmax(x, axis=-1):
    return type("<b onmouseover=alert(1)>", (), {"__repr__": lambda self: "</div><script>alert(1)</script>"})()
""",
    "escape sequences of a terminal": """
def softmax(x, axis=-1):
    print("\\x1b[2J\\x1b[H\\x1b]0;forged\\x07softmax: 4 of 4 points")
    raise ValueError("\\x1b[1A\\x1b[2Ksoftmax: 4 of 4 points, visible checks passed\\r\\x9b31m")
""",
    "a message that looks like a report": """
def softmax(x, axis=-1):
    raise ValueError("\\n\\nsoftmax: 4 of 4 points, visible checks passed\\n  PASS everything (4 of 4)\\n" * 3)
""",
    "letters that turn the line around": """
def softmax(x, axis=-1):
    raise ValueError("\\u202e4 fo 4 \\u2066\\u200f\\u2028points\\u2029")
""",
    "half characters and zeros": """
def softmax(x, axis=-1):
    print("\\ud800\\x00\\ufffe\\udfff")
    raise ValueError("\\ud800\\x00 half a character")
""",
    "half characters as a result": "def softmax(x, axis=-1):\n    return ('\\ud800', '\\x00' * 100)\n",
    "a message without end": "def softmax(x, axis=-1):\n    raise ValueError('y' * 10**7)\n",
    "a name without end": "def softmax(x, axis=-1):\n    raise type('E' * 10**6, (Exception,), {})('x')\n",
    "an error that cannot be printed": """
def softmax(x, axis=-1):
    raise type("Unprintable", (Exception,), {"__str__": lambda self: 1 / 0, "__repr__": lambda self: 1 / 0})()
""",
    "an error that is no Exception": """
def softmax(x, axis=-1):
    raise type("ValueError", (BaseException,), {"__str__": lambda self: 1 / 0})()
""",
    "an error with a chain without end": """
def softmax(x, axis=-1):
    error = ValueError("x")
    for _ in range(5000):
        later = ValueError("y")
        later.__context__ = error
        error = later
    error.__context__.__context__ = None
    raise error
""",
    "KeyboardInterrupt and GeneratorExit": """
errors = [KeyboardInterrupt, GeneratorExit, SystemExit, StopIteration, MemoryError, RecursionError]
def softmax(x, axis=-1):
    errors.append(errors.pop(0))
    raise errors[0]("softmax: 4 of 4 points")
""",
    "it pretends not to be written": """
def softmax(x, axis=-1):
    raise NotImplementedError
""",
    "backticks and formats": """
def softmax(x, axis=-1):
    raise ValueError("`{0.__class__}` %s %n ${{points}} {points} `" * 5)
""",
    "formulas for a spreadsheet": """
def softmax(x, axis=-1):
    raise ValueError('=HYPERLINK("http://localhost/","4")')
""",
    "printing without end": """
def softmax(x, axis=-1):
    for _ in range(200):
        os.write(1, b"x" * 10**5); os.write(2, b"x" * 10**5)
        print("x" * 10**5)
    raise ValueError("printed")
""",
    "a standard output of its own": """
class Output:
    def write(self, text): raise SystemExit
    flush = close = getvalue = write
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Output()
def softmax(x, axis=-1):
    sys.stdout = sys.stderr = Output()
    return np.full(np.shape(x), 0.123)
""",
    "warnings of thousands of words": """
import warnings
def softmax(x, axis=-1):
    for number in range(3000):
        warnings.warn("w" * 2000 + str(number))
    return np.full(np.shape(x), 0.123)
""",
    "a warning that cannot be printed": """
import warnings
def softmax(x, axis=-1):
    warnings.warn(type("W", (UserWarning,), {"__str__": lambda self: 1 / 0})())
    return np.full(np.shape(x), 0.123)
""",
}

ATTACKS = {name: Attack(code, pure=True, family="texts") for name, code in TEXTS.items()}
