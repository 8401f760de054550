"""Note what the expressions of a function come to while it runs, and put other values in their place."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from autograder.learner.locating.noter import NOTE, Noter, Site

OPERATIONS = ("BinOp", "MatMult", "Compare", "Call", "Subscript", "aug")
MAX_ENTRIES = 20_000  # of a value that is kept
MAX_PASSES = 64  # of an expression in a loop


class Instrumented:
    """A copy of a function that notes what its expressions come to.

    Parameters
    ----------
    function : function
        Written in Python, with its source at hand.
    helpers : dict
        Functions that stand in for globals of these names.

    Attributes
    ----------
    original, function : function
        The function, and its copy.
    sites : list of Site
    homes : dict
        By name, the list of its `Home`s.
    inner : set of str
        The names of functions that are defined within.
    given : set of str
        The names that are there when a call begins: the parameters and the globals.
    values : dict
        By number of site, in the order in which they came: a list with a value for every pass of the last call.

    Raises
    ------
    OSError, SyntaxError, TypeError, ValueError
        If there is no source, or not that of one function.
    """

    def __init__(self, function: FunctionType, helpers: Mapping[str, Callable[..., Any]] | None = None) -> None:
        self.original = function
        code = function.__code__
        noter = Noter(textwrap.dedent(inspect.getsource(function)), code.co_firstlineno)
        definition = noter.function(definition_of(function))
        self.sites = noter.sites
        self.homes = noter.homes
        self.inner = noter.inner
        self.function = compiled(definition, function, self._note, helpers)
        self.given = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *function.__globals__}
        self._start()

    def run(
        self, call: Callable[[Callable[..., Any]], Any], target: int | None = None, others: Sequence[Any] = ()
    ) -> Any:
        """Make a call; what comes at the site `target` is replaced by the values in `others`, one for each pass.

        Parameters
        ----------
        call : callable
            Takes the function that notes.
        """
        self._start(target, others)
        return call(self.function)

    def _start(self, target: int | None = None, others: Sequence[Any] = ()) -> None:
        self.values: dict[int, list[Any]] = {}
        self._last = None
        self._target = target
        self._others = others

    def interrupted(self) -> Site | None:
        """Return the site of the operation that the last call did not come back from, or None."""
        number = None if self._last is None else self.sites[self._last].parent
        while number is not None and self.sites[number].kind not in OPERATIONS:
            number = self.sites[number].parent
        return None if number is None else self.sites[number]

    def _note(self, number, value):
        self._last = number
        passes = self.values.setdefault(number, [])
        if number == self._target and len(passes) < len(self._others):
            value = kept(self._others[len(passes)])
        if len(passes) < MAX_PASSES:
            passes.append(kept(value))
        return value


def kept(value: Any) -> Any:
    """Return a copy of an array, of a number, or of a tuple or list of such; None for everything else."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= MAX_ENTRIES else None
    if isinstance(value, tuple | list) and len(value) <= MAX_PASSES:
        entries = [kept(entry) for entry in value]
        return tuple(entries) if isinstance(value, tuple) else entries
    return value if isinstance(value, int | float | np.generic) else None


def definition_of(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function, with the line numbers of its cell.

    Raises
    ------
    OSError, SyntaxError, TypeError, ValueError
        If there is no source, or not that of one function.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        raise ValueError("not a function written with def")
    return ast.increment_lineno(tree.body[0], function.__code__.co_firstlineno - 1)


def compiled(
    definition: ast.FunctionDef,
    function: FunctionType,
    note: Callable[[int, Any], Any] | None = None,
    helpers: Mapping[str, Callable[..., Any]] | None = None,
) -> FunctionType:
    """Compile a definition into a function with the globals, the closure and the defaults of another one.

    Parameters
    ----------
    definition : ast.FunctionDef
    function : function
        The other one.
    note : callable, optional
        What the definition calls under the name `NOTE`.
    helpers : dict, optional
        Functions that stand in for globals of these names.
    """
    code = function.__code__
    names = [NOTE, *code.co_freevars]
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    result = ast.Return(ast.Name(definition.name, ast.Load()))
    factory: Any = ast.FunctionDef("factory", arguments, [definition, result], [], None, None)
    if "type_params" in ast.FunctionDef._fields:
        factory.type_params = []
    module = ast.fix_missing_locations(ast.Module([factory], []))
    globals_ = function.__globals__ if helpers is None else {**function.__globals__, **helpers}
    namespace: dict[str, Any] = {}
    exec(compile(module, code.co_filename, "exec"), globals_, namespace)
    made = namespace["factory"](note, *(cell.cell_contents for cell in function.__closure__ or ()))
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made
