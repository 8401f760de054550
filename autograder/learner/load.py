"""The functions of earlier units, for a notebook that builds on them: the learner's own, or else the course's."""

from collections.abc import Iterable
from inspect import isfunction
from typing import Any

from autograder.execution.substitution import names_called
from autograder.learner.local import evaluate_locally, fault
from autograder.registry import find, reference, units
from autograder.specification import Exercise
from transformer_kit import workbench
from transformer_kit.library import Library, import_library, module_of


def load(*names: str, even_if_wrong: bool = False) -> Any:
    """Return functions of earlier units, and say in one line whose they are.

    Your own function comes from your library, the folder my_transformer, if it still passes its check. Otherwise the
    course lends its own.

    Parameters
    ----------
    *names : str
        Names of exercises, such as "softmax".
    even_if_wrong : bool
        Take your own functions as they stand, without checking them.

    Returns
    -------
    callable, or tuple of callable
        One function for one name, otherwise as many as there are names.

    Raises
    ------
    LookupError
        If no exercise asks for a function of such a name.
    """
    exercises = [find(name) for name in names]
    folder = workbench.place().folder
    library = import_library(folder, reference(), again=even_if_wrong) if folder else None
    if library and not even_if_wrong:
        substitute_failing(library, exercises)
    entries = {name: library.find(name) if library else None for name in names}
    print(_line(entries, library.faults) if library else f"Lent by the course: {', '.join(names)}.")
    functions = tuple(own.function if own and own.function else find(name).reference for name, own in entries.items())
    return functions[0] if len(names) == 1 else functions


def substitute_failing(library: Library, exercises: Iterable[Exercise]) -> None:
    """Check the functions that some exercises could call, and put the reference in place of those that fail.

    Parameters
    ----------
    library : Library
    exercises : sequence of Exercise
        The functions of their units and of all earlier ones are checked.
    """
    last = max((module_of(exercise.reference) for exercise in exercises), default="")
    for exercise in (e for unit in units() for e in unit.exercises if module_of(e.reference) <= last):
        entry = library.find(exercise.name)
        if entry and entry.function and entry.function not in library.checked:
            verdict, _ = evaluate_locally(exercise, entry.function)
            library.checked.add(entry.function)
            if verdict.status != "passed":
                library.substitute(exercise.name, f"its check fails. {fault(verdict)}")


def _line(entries, faults):
    """Say whose functions these are."""
    own = {name: own.function for name, own in entries.items() if own and own.function}
    missing = [name for name, own in entries.items() if own is None]
    wrong = {name: own for name, own in entries.items() if own and own.problem}
    called = set().union(*map(names_called, filter(isfunction, own.values())))
    inside = {name: fault for name, fault in faults.items() if name in called and name not in entries}
    parts = [
        ("Yours", own),
        ("On loan from the course until yours passes", missing),
        ("Lent by the course in place of yours", map(_place_and_fault, wrong.items())),
        ("Lent to your functions that call them", map(_place_and_fault, inside.items())),
    ]
    lists = ((label, ", ".join(names)) for label, names in parts)
    return " ".join(f"{label}: {names}." for label, names in lists if names)


def _place_and_fault(item):
    name, own = item
    return f"{name} ({own.place}: {own.problem.rstrip('.')})"
