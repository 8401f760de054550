"""What people write who come from PyTorch is answered in the words of NumPy."""

import numpy as np
import pytest

from autograder.evaluation.patterns import errors
from autograder.execution.call import run
from autograder.feedback.make_report import make_report
from autograder.learner.local import evaluate_locally
from autograder.registry import find
from tests.support.fake_notebook import Cells

X = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x.max(dim=-1)", "NumPy calls it `axis`"),
        ("np.sum(x, dim=1)", "NumPy calls it `axis`"),
        ("np.concatenate([x, x], dim=0)", "NumPy calls it `axis`"),
        ("x.sum(axis=1, keepdim=True)", "NumPy calls it `keepdims`"),
        ("np.triu(x, diagonal=1)", "`k`"),
        ("x.var(axis=-1, unbiased=False)", "unless `ddof=1`"),
        ("x.view(2, 12, 1)", "`x.reshape(2, -1)`"),
        ("x.view(6, 4)", "`x.reshape(2, -1)`"),
        ("x.view(-1)", "`x.reshape(2, -1)`"),
        ("x.permute(0, 2, 1)", "np.transpose(x, axes)"),
        ("x.unsqueeze(1)", "np.expand_dims(x, axis)"),
        ("x.masked_fill(x > 3, 0.0)", "np.where(mask, value, x)"),
        ("x.masked_fill_(x > 3, 0.0)", "np.where(mask, value, x)"),
        ("np.cat([x, x])", "np.concatenate(arrays, axis)"),
        ("x.float()", "x.astype(float)"),
        ("x.contiguous()", "needs nothing of the kind"),
        ("x.size(-1)", "`x.shape[axis]`"),
        ("x.size()", "`x.shape[axis]`"),
        ("x.transpose(-2, -1)", "`np.swapaxes(x, -1, -2)` exchanges two"),
        ("x[0] @ x[0].transpose(-2, -1)", "leaves a matrix as it is"),
        ("x.repeat(1, 2, 1)", "np.tile(x, times)"),
        ("x.no_such_thing()", ""),
        ("x(3)", ""),
        ("np.sum(x, no_such_word=1)", ""),
        ("x.astype('no such type')", ""),
    ],
)
def test_a_habit_from_pytorch_is_translated_to_numpy(line, words):
    """Nothing is said of other errors of the same types."""
    names = Cells()
    names.run(f"import numpy as np\ndef habit(x):\n    return {line}\n")
    found = errors.sentence(run(names.names["habit"], (X,), {}).error)
    assert words in found
    assert words or not found
    assert len(found.split()) <= 30


def test_an_exchange_without_effect_is_told_as_such():
    """PyTorch's way to exchange two axes stands in the line: it is told what it does, not that nothing stands there."""

    def attention_scores(Q, K):
        return Q @ K.transpose(-2, -1) / np.sqrt(Q.shape[-1])

    verdict, _ = evaluate_locally(find("attention_scores"), attention_scores)
    found = make_report(verdict).finding
    assert "as it stands" not in found.title
    assert "`np.swapaxes(K, -1, -2)`" in found.text
