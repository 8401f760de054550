"""The page on PyTorch beside NumPy: both sides of a row do the same, and it has what reports translate."""

import re

import numpy as np
import pytest

from autograder.evaluation.patterns.pytorch import KEYWORDS, NAMES
from tests.support import needs
from tools.course import ROOT

PAGE = (ROOT / "docs" / "pytorch.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \|", PAGE, re.M)
OF_PYTHON = {  # functions of NumPy under the same name, operators, and kinds of numbers
    *("abs", "exp", "log", "sqrt", "tanh", "triu"),
    *("bmm", "matmul", "mm", "mul", "pow", "t"),
    *("bool", "double", "int", "type"),
}
X = np.random.default_rng(5).standard_normal((2, 3, 4))
ARRAYS = {"x": X, "mask": X > 0.3}


def parts(value):
    return [np.asarray(part) for part in (value if isinstance(value, tuple | list) else [value])]


@pytest.mark.parametrize(("torchs", "numpys"), ROWS, ids=[row[0] for row in ROWS])
def test_what_numpy_is_said_to_have_is_there(torchs, numpys):
    results = parts(eval(numpys, {"np": np, **ARRAYS}))
    assert all(result.size for result in results)


@pytest.mark.parametrize(("torchs", "numpys"), ROWS, ids=[row[0] for row in ROWS])
def test_a_row_does_the_same_in_both(torchs, numpys):
    torch = pytest.importorskip("torch", reason=needs.TORCH)
    tensors = {name: torch.tensor(array) for name, array in ARRAYS.items()}
    theirs = parts(eval(torchs, {"torch": torch, **tensors}))
    ours = parts(eval(numpys, {"np": np, **ARRAYS}))
    assert len(theirs) == len(ours)
    for one, other in zip(theirs, ours, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_there_are_rows_of_both_kinds():
    assert len(ROWS) == 25


@pytest.mark.parametrize("word", ["dim", "keepdim", *sorted(NAMES.keys() - OF_PYTHON)])
def test_what_reports_translate_stands_on_the_page(word):
    assert word in NAMES or word in KEYWORDS
    assert re.search(rf"\b{word}\b", PAGE)
