"""Habits from PyTorch: what is called otherwise in NumPy, or does something else there."""

import re

from autograder.execution.outcome import LearnerError

KEYWORDS = {"dim": "axis", "dims": "axis", "keepdim": "keepdims"}
DIAGONAL = "`diagonal` is PyTorch's word: NumPy calls the diagonal of `np.tril` and `np.triu` `k`."
UNBIASED = "`unbiased` is PyTorch's word: NumPy divides by n unless `ddof=1` asks for n - 1."
NAMES = {
    "abs": "np.abs(x)",
    "bmm": "x @ y",
    "bool": "x.astype(bool)",
    "cat": "np.concatenate(arrays, axis)",
    "chunk": "np.split(x, pieces, axis)",
    "clamp": "np.clip(x, low, high)",
    "dim": "x.ndim",
    "double": "x.astype(float)",
    "exp": "np.exp(x)",
    "expand": "np.broadcast_to(x, shape)",
    "flip": "np.flip(x, axis)",
    "float": "x.astype(float)",
    "gather": "np.take_along_axis(x, indices, axis)",
    "int": "x.astype(int)",
    "log": "np.log(x)",
    "long": "x.astype(int)",
    "masked_fill": "np.where(mask, value, x)",
    "matmul": "x @ y",
    "mm": "x @ y",
    "mul": "x * y",
    "norm": "np.linalg.norm(x, axis=axis)",
    "numel": "x.size",
    "permute": "np.transpose(x, axes)",
    "pow": "x ** y",
    "relu": "np.maximum(x, 0)",
    "repeat_interleave": "np.repeat(x, times, axis)",
    "sqrt": "np.sqrt(x)",
    "t": "x.T",
    "tanh": "np.tanh(x)",
    "tril": "np.tril(x)",
    "triu": "np.triu(x)",
    "type": "x.astype(dtype)",
    "unsqueeze": "np.expand_dims(x, axis)",
    "view": "x.reshape(shape)",
}
NEEDLESS = ("clone", "contiguous", "cpu", "detach", "numpy", "to")
CALLS = (  # an error's words, what the line has to have in it, and what to say
    (
        r"^view\(\) takes|sub-type of ndarray type|interpret '.*' as a data type",
        r"\.view\(",
        "NumPy's `view` takes a dtype: PyTorch's `view` is `reshape` here, as in `x.reshape(2, -1)`.",
    ),
    (
        r"axes don't match array|repeated axis in transpose",
        r"\.transpose\(\s*-?\d+\s*,\s*-?\d+\s*\)",
        "NumPy's `transpose` wants the order of all axes; `np.swapaxes(x, -1, -2)` exchanges two.",
    ),
    (
        r"core dimension|not aligned",
        r"\.transpose\(\s*-2\s*,\s*-1\s*\)|\.transpose\(\s*0\s*,\s*1\s*\)",
        "NumPy's `transpose` wants the new order of all axes, so this leaves a matrix as it is; "
        "`np.swapaxes(x, -1, -2)` exchanges two.",
    ),
    (
        r"'int' object is not callable",
        r"\.size\(",
        "In NumPy `x.size` is a number, that of all entries; the length of an axis is `x.shape[axis]`.",
    ),
    (
        r"^repeat\(\) takes",
        r"\.repeat\(",
        "PyTorch's `repeat` is `np.tile(x, times)`; NumPy's `repeat` repeats the entries along one axis.",
    ),
)


def sentence(error: LearnerError) -> str:
    """Return what a habit from PyTorch should be in NumPy, where an error comes of one; otherwise nothing.

    Parameters
    ----------
    error : LearnerError

    Returns
    -------
    str
        One or two sentences.
    """
    message = " ".join(error.message.split())
    if keyword := re.search(r"unexpected keyword argument '(\w+)'", message):
        return _keyword(keyword[1])
    if missing := re.search(r"^(?:'numpy\.ndarray' object|module 'numpy') has no attribute '(\w+)'", message):
        return _name(missing[1])
    said = (text for words, code, text in CALLS if re.search(words, message) and re.search(code, error.line))
    return next(said, "")


def _keyword(word):
    if word in KEYWORDS:
        return f"`{word}` is PyTorch's word: NumPy calls it `{KEYWORDS[word]}`."
    return {"diagonal": DIAGONAL, "unbiased": UNBIASED}.get(word, "")


def _name(word):
    plain = word.rstrip("_")
    if plain in NEEDLESS:
        return f"`{word}` is PyTorch's: a NumPy array needs nothing of the kind."
    return f"`{word}` is PyTorch's: in NumPy it is `{NAMES[plain]}`." if plain in NAMES else ""
