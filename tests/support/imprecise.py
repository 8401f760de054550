"""Functions that lose digits: the reference with one step in float32, one bound moved, or a result that is rounded."""

import ast
import functools
import operator

import numpy as np

from autograder.execution.nested import leaves, mapped
from tests.support.slightly_wrong import edited_functions

MOVED = (1e-6, -1e-6)  # by which a bound is moved
DECIMALS = range(6, 11)  # to which a result is rounded
COMPARED = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


class Loss:
    """Takes digits from numbers, and notices whether it ever took one: ids, sizes and masks have none to lose."""

    def __init__(self):
        self.is_felt = False

    def single(self, value):
        """Return a value whose numbers went through float32."""
        return self._lost(lambda leaf: leaf.astype(np.float32).astype(np.float64), value)

    def rounded(self, value, decimals):
        """Return a value whose numbers are rounded."""
        return self._lost(functools.partial(np.round, decimals=decimals), value)

    def compared(self, left, name, right, by):
        """Compare with a bound that is moved, where real numbers are compared."""
        if not any(np.asarray(side).dtype.kind == "f" for side in (left, right)):
            by = 0
        self.is_felt |= by != 0
        return getattr(operator, name)(left, right + by)

    def _lost(self, change, value):
        changed = mapped(lambda leaf: _changed(change, leaf), value)
        self.is_felt |= any(map(_differ, leaves(value), leaves(changed)))
        return changed


def _changed(change, leaf):
    if type(leaf) is float:
        return float(change(np.float64(leaf)))
    return change(leaf) if isinstance(leaf, np.ndarray | np.float64) and leaf.dtype == np.float64 else leaf


def _differ(one, other):
    return one is not other and not np.array_equal(one, other, equal_nan=True)


def imprecise(function):
    """Yield functions that lose digits, each with its `Loss`.

    Parameters
    ----------
    function : function
        Of the reference.

    Yields
    ------
    what : str
    function : function
        With the same name and signature.
    loss : Loss
    """
    for what, edited in edited_functions(function, _edits, lambda: {"loss": Loss()}):
        yield what, edited, edited.__globals__["loss"]
    for decimals in DECIMALS:
        loss = Loss()
        yield f"rounded to {decimals} decimals", _rounding(function, loss, decimals), loss


def _rounding(function, loss, decimals):
    @functools.wraps(function)
    def rounding(*args, **kwargs):
        return loss.rounded(function(*args, **kwargs), decimals)

    return rounding


def _edits(node):
    """Yield what may stand in the place of an expression."""
    match node:
        case ast.Call(ast.Attribute(attr="empty" | "empty_like")):
            return  # what is in there is nobody's
        case ast.BinOp() | ast.Call():
            yield f"loss.single({ast.unparse(node)})"
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.maximum":
                number, bound = map(ast.unparse, node.args)
                for by in MOVED:
                    yield f"np.where(loss.compared({number}, 'gt', {bound}, {by}), {number}, {bound})"
        case ast.Compare(left, [ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op], [right]):
            one, other = ast.unparse(left), ast.unparse(right)
            yield from (f"loss.compared({one}, {COMPARED[type(op)]!r}, {other}, {by})" for by in MOVED)
