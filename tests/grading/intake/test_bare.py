"""What a worker runs of a cell: no comment, no docstring, no layout, and where each line stood."""

import ast

import pytest

from autograder.grading.intake.bare import MAX_CELL, MAX_CELLS, bare_of, digest_of

SOURCE = '''\
# a table of answers: 7, 8, 9
import numpy as np

@cached(
    size=3)
def softmax(x,
            axis=-1):
    """3.5, 4.5"""
    if x.ndim:  # 5.5
        return np.exp(x) / \\
            np.exp(x).sum(axis)
    else:

        raise ValueError("0-d: " f"{x!r}")
'''
BARE = """\
import numpy as np

@cached(size=3)
def softmax(x, axis=-1):
    if x.ndim:
        return np.exp(x) / np.exp(x).sum(axis)
    else:
        raise ValueError(f'0-d: {x!r}')"""


def test_a_line_is_known_by_where_it_stood():
    [found] = bare_of([SOURCE])
    assert found.text == BARE
    assert found.lines == (2, 2, 4, 6, 9, 10, 10, 14)


def test_a_function_finds_no_comment_in_itself():
    """Not in its docstring, its source, or the numbers of its lines."""
    told = 'def f(x):\n    """{}"""\n{}    return x  # {}'
    first, second = (bare_of([told.format(text, "\n" * lines, text)]) for text, lines in (("7", 3), ("8", 80)))
    assert first[0].text == second[0].text == "def f(x):\n    return x"
    assert digest_of([first[0].text]) == digest_of([second[0].text])


@pytest.mark.parametrize(
    "source", ["def f(:\n  # 1\n", "x = " + "-" * 5000 + "1", "f(\n", "x = 0x" + "f" * 9000, "# 1\n" + "a\n" * MAX_CELL]
)
def test_a_cell_that_cannot_be_written_anew_stays(source):
    [found] = bare_of([source])
    assert found.text == source
    assert found.lines == tuple(range(1, source.count("\n") + 2))


def test_only_the_first_cells_are_written_anew():
    cells = ["x = 1  # " + "-" * (MAX_CELL - 9)] * (MAX_CELLS // MAX_CELL + 1)
    assert [one.text == "x = 1" for one in bare_of(cells)] == [True] * (len(cells) - 1) + [False]


@pytest.mark.parametrize("source", ["class A:\n    'text'\n", "try:\n    x()\nexcept E:\n    '1'\nelse:\n    2\n"])
def test_what_held_only_a_text_still_parses(source):
    [found] = bare_of([source])
    assert "pass" in found.text
    assert ast.parse(found.text)
