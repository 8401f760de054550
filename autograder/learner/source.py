"""The source of a function and of all that it needs, found from the function itself, not from the order of cells."""

import ast
import inspect
import math
import symtable
import sys
import textwrap
import types
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

MAX_ARRAY_SIZE = 64  # entries
MAX_VALUE_LENGTH = 500  # characters
CONTAINERS = (tuple, list, set, dict)


class CannotKeep(Exception):
    """A function whose source would not work by itself; the message says why."""


class Source:
    """What a file has to contain so that a function works there.

    Parameters
    ----------
    function : callable
    name : str
        Under which it has to be found there.
    course : collection of str
        Names of the functions of the course. One that the function calls is not copied: it comes from its own file.

    Attributes
    ----------
    imports : list of str
    values : dict
        Assignment of each constant by its name.
    functions : dict
        Source of each helper, and of the function itself at the end, by name.
    borrowed : list of str
        Functions of the course that are called.

    Raises
    ------
    CannotKeep
        If the function was not written with ``def``, or needs something that cannot be written down.
    """

    def __init__(self, function: Callable[..., Any], name: str, course: Collection[str]) -> None:
        self.imports: list[str] = []
        self.values: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.borrowed: list[str] = []
        self._course = course
        self._seen = {name}
        self._add_function(function, name)

    def _add_function(self, function, own_name):
        source = _definition(function, own_name)
        inner = inspect.unwrap(function)
        for name in _globals_of(source):
            if name not in self._seen and name in inner.__globals__ and not name.startswith("__"):
                self._seen.add(name)
                self._add(name, inner.__globals__[name])
        self.functions[own_name] = source

    def _add(self, name, value):
        if isinstance(value, types.ModuleType):
            self.imports.append(_import_of_module(name, value))
        elif callable(value) and name in self._course:
            self.borrowed.append(name)
        elif (text := literal(value)) is not None:
            self.values[name] = f"{name} = {text}"
            self.imports += ["import numpy as np"] if "np." in text else []
        elif (home := _home(name, value)) is not None:
            self.imports.append(home)
        elif isinstance(value, types.FunctionType) and value.__name__ == name:
            self._add_function(value, name)
        else:
            kind = "class" if isinstance(value, type) else type(value).__name__
            raise CannotKeep(
                f"it uses `{name}`, a {kind} of your notebook. Functions written with def, imports and short constants "
                "can be kept with it. Hand anything else over as an argument, or make it inside the function."
            )


def _definition(function, name):
    """Return the source of a function's ``def``, decorators included."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        statements = ast.parse(source).body
    except (OSError, TypeError, SyntaxError) as error:
        raise CannotKeep(f"the source of `{name}` cannot be found. Write it with def in a cell of its own.") from error
    if len(statements) != 1 or not isinstance(statements[0], ast.FunctionDef) or statements[0].name != name:
        raise CannotKeep(f"`{name}` is not written with def, as in `def {name}(...):`.")
    if inspect.unwrap(function).__closure__:
        raise CannotKeep(f"`{name}` uses variables of the function that it is defined in. Define it outside of any.")
    return source.rstrip() + "\n"


def _globals_of(source):
    """Return the names that a definition looks up outside itself, also in its decorators and defaults."""
    waiting = [symtable.symtable(source, "function", "exec")]
    names = set()
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        names |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return sorted(names)


def _import_of_module(name, module):
    full = module.__name__
    if sys.modules.get(full) is not module or full == "__main__":
        raise CannotKeep(f"it uses `{name}`, a module that cannot be imported by its name.")
    package, _, last = full.rpartition(".")
    if full == name:
        return f"import {name}"
    return f"from {package} import {name}" if package and last == name else f"import {full} as {name}"


def _home(name, value):
    """Return the import of an object that a module has under a name; None when no module has it."""
    own_name = getattr(value, "__name__", name)
    modules = [m for n, m in sys.modules.copy().items() if not n.startswith("_") and "._" not in n]
    homes = [m.__name__ for m in modules if getattr(m, "__dict__", {}).get(own_name) is value]
    if not homes:
        return None
    home = min(homes, key=lambda n: (n != getattr(value, "__module__", ""), n.count("."), n))
    return f"from {home} import {own_name}" + (f" as {name}" if name != own_name else "")


def literal(value: Any) -> str | None:
    """Write a constant as Python; None for anything else, and for one that is too long."""
    if isinstance(value, np.ndarray):
        small = type(value) is np.ndarray and value.dtype.kind in "biuf" and value.size <= MAX_ARRAY_SIZE
        entries = literal(value.tolist()) if small else None
        text = entries and f"np.array({entries}, dtype=np.{value.dtype})"
    elif isinstance(value, np.generic) and value.dtype.kind in "biuf":
        text = f"np.{value.dtype}({literal(value.item())})"
    elif isinstance(value, float) and not math.isfinite(value):
        text = f'float("{value}")'
    elif type(value) in CONTAINERS:
        text = _container(value)
    elif value is None or type(value) in (bool, int, float, complex, str, bytes):
        text = repr(value)
    else:
        return None
    return text if text is not None and len(text) <= MAX_VALUE_LENGTH else None


def _container(value):
    """Write a tuple, list, set or dict of constants; a list that contains itself is too deep, like any other error."""
    try:
        if isinstance(value, dict):
            pairs = [(literal(key), literal(item)) for key, item in value.items()]
            return None if None in sum(pairs, ()) else f"{{{', '.join(f'{key}: {item}' for key, item in pairs)}}}"
        items = [literal(item) for item in value]
    except RecursionError:
        return None
    if None in items or (isinstance(value, set) and not items):
        return None
    inner = ", ".join(items)
    if isinstance(value, tuple):
        return f"({inner},)" if len(items) == 1 else f"({inner})"
    return f"[{inner}]" if isinstance(value, list) else f"{{{inner}}}"
