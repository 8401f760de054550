"""A notebook without a kernel, whose cells can be run, in a unit's folder beside a library."""

import linecache
from itertools import count

from autograder import check

NUMBERS = count(1)
RIGHT = {
    "softmax": """\
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    "attention_scores": """\
def attention_scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
""",
    "scaled_dot_product_attention": """\
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights
""",
    "masked_softmax": """\
def masked_softmax(scores, mask=None, axis=-1):
    if mask is None:
        return softmax(scores, axis)
    mask = np.broadcast_to(mask, np.broadcast_shapes(np.shape(mask), np.shape(scores)))
    hidden = np.where(mask, scores, -np.inf)
    empty = ~mask.any(axis=axis, keepdims=True)
    return np.where(empty, 0.0, softmax(np.where(empty, 0.0, hidden), axis))
""",
}
OVERFLOWS = "def softmax(x, axis=-1):\n    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)\n"
NO_MAXIMUM = "no-maximum-subtracted"


class Cells:
    """A notebook: cells run in one namespace, and their source can be looked up as in a kernel."""

    def __init__(self):
        self.names = {"__name__": "__main__"}
        self.run("import numpy as np")

    def run(self, source):
        """Run a cell."""
        file = f"<cell {next(NUMBERS)}>"
        linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
        exec(compile(source, file, "exec"), self.names)

    def check(self, name, source=""):
        """Run a cell and check one of its functions."""
        self.run(source)
        return check(self.names[name])


def notes(score, label):
    """Return what a report says under a label."""
    return [note.text for note in score.notes if note.label == label]
