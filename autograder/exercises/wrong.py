"""Known mistakes as they are written: an edit of the right answer, an expression in its place, or a function."""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any

from autograder.compiled import code_of
from autograder.specification import Exercise
from transformer_kit import reference


class WrongAnswers:
    """Adds the known mistakes of an exercise, in the order in which they are tried.

    Parameters
    ----------
    exercise : Exercise
    names : dict
        The globals of the exercise's module, which its edits and expressions may use.
    """

    def __init__(self, exercise: Exercise, names: dict[str, Any]) -> None:
        self.exercise, self.names = exercise, names
        self.where = exercise.where

    def at(self, where: str = "") -> None:
        """Set the heading to read again, word for word, for the mistakes that follow; the exercise's if left out."""
        self.where = where

    def __call__(self, id: str, change: dict | str, text: str, unless_called: Iterable[str] = ()) -> None:
        """Add a mistake that is an edit of the reference, or an expression of its arguments.

        Parameters
        ----------
        id : str
        change : dict of str to str, or str
            The words of the reference to replace, each of which stands in its code once, with those that take their
            place; or the expression that is returned instead. Functions of the reference's module that it calls may
            be edited as well, if their names begin with an underscore.
        text : str
            What the function does wrong, in the first line, and in those that follow why that is wrong.
        unless_called : iterable of str
            Functions that the text says are not called: nothing of the kind is said of code that calls one of them.

        Raises
        ------
        ValueError
            If words to be replaced do not stand there once.
        """
        self._add(id, change, text, 1, unless_called)

    def everywhere(self, id: str, change: dict, text: str, times: int = 2) -> None:
        """Add a mistake that is an edit of several places, in which the same words stand."""
        self._add(id, change, text, times)

    def _add(self, id, change, text, times, unless_called=()):
        file = f"<{self.exercise.name}, {id}>"
        code = code_of(file, lambda: self._source(file, id, change, times))
        is_edit = isinstance(change, dict)
        right = self.exercise.reference.__globals__
        names = vars(reference) | (self.names | right if is_edit else right | self.names)
        exec(code, names)
        name = id.replace("-", "_")
        wrong = names[self.exercise.name if is_edit else name]
        wrong.__name__, wrong.__module__ = name, self.names["__name__"]
        wrong.__doc__ = text.strip()
        self.exercise.mistakes.add(self.where, id, unless_called)(wrong)

    def function(self, function: FunctionType) -> FunctionType:
        """Add a mistake that is no edit: decorates a function whose docstring is the text."""
        return self.exercise.mistakes.add(self.where)(function)

    def named(self, id: str) -> Callable[[FunctionType], FunctionType]:
        """Return `function`, for an id that is not the function's name with hyphens."""
        return self.exercise.mistakes.add(self.where, id)

    def small(self, ids: str, *tests: Callable) -> None:
        """Say of mistakes that they are small slips, which cost the claims with these tests; see `Mistake`.

        Parameters
        ----------
        ids : str
            Of mistakes that stand above, with spaces between them.
        *tests : callable

        Raises
        ------
        ValueError
            If there is no such mistake or no such claim.
        """
        mistakes = self.exercise.mistakes
        unknown = set(ids.split()) - {mistake.id for mistake in mistakes}
        unknown |= {test.__name__ for test in tests} - {claim.test.__name__ for claim in self.exercise.claims}
        if unknown:
            raise ValueError(f"{self.exercise.name} has no mistakes or claims {', '.join(sorted(unknown))}")
        for number, mistake in enumerate(mistakes):
            if mistake.id in ids.split():
                mistakes[number] = replace(mistake, costs=frozenset(tests))

    def _source(self, file, id, change, times):
        """Return the source of a wrong function."""
        right = self.exercise.reference
        if isinstance(change, str):
            head, _ = _head_and_body(right)
            head = head.replace(right.__name__, id.replace("-", "_"), 1)
            return f"{head}    return {change}\n"
        source = "\n\n".join("".join(_head_and_body(function)) for function in (*_private(right), right))
        return _edited(source, change, times, file)


def _edited(source, edits, times, file):
    """Return a source with all edits made at once, so that two texts can be exchanged."""
    for words in edits:
        if source.count(words) != times:
            raise ValueError(f"{file}: {words!r} stands {source.count(words)} times in the reference, not {times}")
    pattern = "|".join(re.escape(words) for words in sorted(edits, key=len, reverse=True))
    changed, count = re.subn(pattern, lambda match: edits[match[0]], source)
    if count != times * len(edits):
        raise ValueError(f"{file}: two edits overlap")
    if changed == source:
        raise ValueError(f"{file}: the edit changes nothing")
    return changed


@functools.cache
def _head_and_body(function):
    """Return the source of a function up to its docstring, and what comes after it."""
    source = inspect.getsource(function)
    statements = ast.parse(source).body[0].body
    lines = source.splitlines(keepends=True)
    has_docstring = isinstance(statements[0], ast.Expr) and isinstance(statements[0].value, ast.Constant)
    start = statements[0].lineno - 1
    return "".join(lines[:start]), "".join(lines[statements[0].end_lineno if has_docstring else start :])


@functools.cache
def _private(function):
    """Return the functions of a function's own module that it calls and whose names begin with an underscore."""
    called = []
    for name in _names(function.__code__):
        part = function.__globals__.get(name)
        if name.startswith("_") and isinstance(part, FunctionType) and part.__module__ == function.__module__:
            called += [other for other in (*_private(part), part) if other not in called]
    return tuple(called)


def _names(code):
    """Return the names that code uses, those in its nested functions included."""
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [*code.co_names, *(name for inner in nested for name in _names(inner))]
