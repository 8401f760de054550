"""Wrong versions of a right function that differ from it in a few words of its code."""

import functools
import inspect
import linecache

from autograder.exercises.wrong import CODES, _compiled

_source = functools.cache(inspect.getsource)  # many mistakes are made of one function


def edited(right, changes, *parts):
    """Return a decorator that turns a docstring into a wrong function: the right one with some words replaced.

    Parameters
    ----------
    right : function
    changes : dict of str to str
        By the words to replace, each of which stands once in all that is compiled, those that take their place.
    *parts : function
        What `right` calls in its module and is to be compiled with it, because a change is in there.

    Raises
    ------
    ValueError
        If some words stand there never or more than once.
    """

    def decorate(described):
        file = f"<{right.__name__}, {described.__name__}>"
        code = CODES[file] = _compiled().get(file) or compile(_changed((*parts, right), changes, file), file, "exec")
        names = dict(right.__globals__)
        exec(code, names)
        wrong = names[right.__name__]
        wrong.__name__, wrong.__doc__, wrong.__module__ = described.__name__, described.__doc__, described.__module__
        return wrong

    return decorate


def _changed(functions, changes, file):
    """Return the source of functions with some words replaced, and keep it for quotes and tracebacks."""
    source = "\n\n".join(map(_source, functions))
    for old, new in changes.items():
        if source.count(old) != 1:
            raise ValueError(f"{file}: {old!r} stands {source.count(old)} times in {functions[-1].__name__}")
        source = source.replace(old, new)
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    return source
