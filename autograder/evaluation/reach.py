"""A digest of all the code and data that functions reach, so that what was measured of them can be kept."""

import functools
import hashlib
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from autograder.registry import course

ATOMS = (str, bytes, int, float, complex, type(None), type(Ellipsis))
SMALL_FILE = 1 << 16  # bytes; of a larger one the size counts


def digest(roots: Iterable[object]) -> str:
    """Return a digest of some functions and of whatever they reach in the engine, the course and its kit.

    It changes with the code of any of these functions, with their default values and with the data that they use, but
    not with comments, docstrings, line numbers or anything that they do not reach. Other packages do not count.

    Parameters
    ----------
    roots : iterable
        Functions, and data that may hold functions.

    Returns
    -------
    str
    """
    reached = {}
    described = set()
    waiting = list(roots)
    while waiting:
        root = waiting.pop()
        value = _behind(root)
        if id(value) in reached:
            continue
        reached[id(value)] = value  # kept, so that no other value gets its id
        description, parts = _described(value)
        described.add(description)
        waiting += parts
    return hashlib.sha256("\n".join(sorted(described)).encode(errors="replace")).hexdigest()[:16]


def _behind(value):
    """Return the function behind a property, a class method, a cached function or the like; else the value."""
    for name in ("__wrapped__", "fget", "func", "__func__"):
        function = getattr(value, name, None)
        if isinstance(function, types.FunctionType) and not isinstance(value, types.MethodType | functools.partial):
            return function
    return value


@functools.cache
def _packages():
    names = ("autograder", course().package, course().reference)
    return {name.partition(".")[0] for name in names}


def _is_ours(name):
    return isinstance(name, str) and name.partition(".")[0] in _packages()


def _described(value):
    """Return a line on a value alone, and what it holds or uses."""
    if isinstance(value, ATOMS):
        return f"{type(value).__name__} {value!r}", ()
    if isinstance(value, np.ndarray | np.generic):
        content = repr(value.tolist()) if value.dtype.hasobject else hashlib.sha256(value.tobytes()).hexdigest()
        return f"array {value.dtype} {value.shape} {content}", ()
    if isinstance(value, Path):
        return f"path {value.name} {_files(value)}", ()
    if isinstance(value, dict | types.MappingProxyType):
        pairs = sorted(f"{_atom(key)}: {_atom(entry)}" for key, entry in value.items())
        return f"dict {pairs}", (*value.keys(), *value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return _of_several(value)
    if isinstance(value, types.MethodType):
        return "method", (value.__func__, value.__self__)
    if isinstance(value, functools.partial):
        return "partial", (value.func, value.args, value.keywords)
    if isinstance(value, types.FunctionType):
        return _of_function(value)
    if isinstance(value, type):
        return _of_class(value)
    return _of_object(value)


def _of_several(value):
    entries = [_atom(entry) for entry in value]
    in_order = sorted(entries) if isinstance(value, set | frozenset) else entries
    return f"{type(value).__name__} {in_order}", tuple(value)


def _atom(value):
    return repr(value) if isinstance(value, ATOMS) else type(value).__name__


def _of_function(function):
    if not _is_ours(function.__module__):
        return f"{function.__module__}.{function.__qualname__}", ()
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    parts = [*cells, function.__defaults__, function.__kwdefaults__, *_used(function)]
    return f"{function.__qualname__} {_of_code(function.__code__, function.__doc__)}", parts


def _is_filled(cell):
    try:
        return cell.cell_contents is not cell
    except ValueError:  # a variable that has no value yet
        return False


def _of_code(code, docstring=None):
    """Return all that a code object does: not where it stands, and not what it says of itself."""
    constants = code.co_consts[docstring is not None and code.co_consts[:1] == (docstring,) :]
    inner = [_of_code(part) if isinstance(part, types.CodeType) else _of_constant(part) for part in constants]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_flags} {inner}"


def _of_constant(value):
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_of_constant, value)))}}}"
    return f"({', '.join(map(_of_constant, value))})" if isinstance(value, tuple) else repr(value)


def _used(function: types.FunctionType) -> Iterator[object]:
    """Yield what a function finds under its global names: of a module of ours, what it may take from there."""
    names = set(_names(function.__code__))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        if not isinstance(value, types.ModuleType):
            yield value
        elif _is_ours(value.__name__):
            yield from (
                vars(value)[other] for other in names & vars(value).keys() if not _is_module(vars(value)[other])
            )


def _is_module(value):
    return isinstance(value, types.ModuleType)


def _names(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _of_class(value):
    if not _is_ours(value.__module__):
        return f"{value.__module__}.{value.__qualname__}", ()
    members = {name: member for name, member in vars(value).items() if not name.startswith("__") or callable(member)}
    return f"class {value.__qualname__} {sorted(members)}", (*value.__bases__, *members.values())


def _of_object(value):
    kind = type(value)
    held = getattr(value, "__dict__", {}) if _is_ours(kind.__module__) else {}
    name = getattr(value, "__qualname__", "") or getattr(value, "pattern", "")
    return f"{kind.__module__}.{kind.__qualname__} {name}", (kind, *held.values()) if held else (kind,)


def _files(path):
    """Return the names of the files at a path, each with its content where it is small, or else with its size."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [(file.name, _content(file)) for file in files if file.is_file() and file.suffix != ".pyc"]


def _content(file):
    size = file.stat().st_size
    return hashlib.sha256(file.read_bytes()).hexdigest() if size <= SMALL_FILE else size
