"""Keep in step what the known mistakes of every exercise come to: see `autograder.evaluation.outcomes`."""

import hashlib
import inspect
import json
import multiprocessing
import types
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import autograder
from autograder.evaluation.outcomes import as_json, measure
from autograder.registry import find as find_exercise
from autograder.registry import names
from autograder.whole_file import write_atomically
from transformer_kit import reference

FOLDER = Path("autograder", "outcomes")
PACKAGE = Path(autograder.__file__).parent
SHARED = (PACKAGE / "evaluation", PACKAGE / "execution", PACKAGE / "exercises", Path(reference.__file__).parent)
# Whose reference takes so long that the mistakes of the functions that it calls are left out.
SLOW = ("translate",)


def differences(root, units, only=()):
    """Compare the files of exercises with what they were made from.

    Parameters
    ----------
    root : Path
        Folder of the course.
    units : iterable of Unit
    only : sequence of str
        Beginnings of the ids of the wanted units; all when empty.

    Returns
    -------
    dict
        "missing" or "stale" by path relative to the course's folder.
    """
    found = {}
    for exercise in _wanted(units, only):
        path = FOLDER / f"{exercise.name}.json"
        if not (root / path).is_file():
            found[path] = "missing"
        elif json.loads((root / path).read_text(encoding="utf-8"))["source"] != source_of(exercise):
            found[path] = "stale"
    return found


def build(root, units, only=()):
    """Write the files that are missing or stale, on all cores, and return ``{path: "written"}``."""
    found = differences(root, units, only)
    if found:
        with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
            for path, text in zip(found, pool.map(_text_of_file, found), strict=True):
                write_atomically(root / path, text)
    return dict.fromkeys(found, "written")


def _text_of_file(path):
    return text_of(find_exercise(path.stem))


def _wanted(units, only):
    return [e for unit in units if not only or unit.id.startswith(tuple(only)) for e in unit.exercises]


def source_of(exercise):
    """Return a digest of all the code that an exercise's file depends on.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    str
    """
    functions = [claim.test for claim in exercise.claims] + [mistake.function for mistake in exercise.mistakes]
    files = {Path(inspect.getsourcefile(function)) for function in functions}
    files = {path for path in files if path.is_file()}  # an edited function has none: its words stand beside the others
    files |= {path for folder in SHARED for path in folder.glob("*.py")}
    files |= {path for one in files if one.parent.parent.name == "exercises" for path in one.parent.glob("*.py")}
    digest = hashlib.sha256()
    for path in sorted(files, key=lambda path: (path.parent.name, path.name)):
        digest.update(path.name.encode() + b"\0" + path.read_text(encoding="utf-8").encode() + b"\0")
    return digest.hexdigest()[:16]


def text_of(exercise):
    """Return the text of an exercise's file."""
    entries = [measure(exercise, mistake) for mistake in exercise.mistakes]
    seen = [(entry.fails, entry.deviations) for entry in entries]
    for helper, mistake, function in mistaken_within(exercise):
        entry = measure(exercise, mistake, function, helper)
        if entry.fails and (entry.fails, entry.deviations) not in seen:
            entries.append(entry)
            seen.append((entry.fails, entry.deviations))
    return as_json(exercise, entries, source_of(exercise))


def mistaken_within(exercise):
    """Yield right functions in which one function that they call is replaced by a known mistake in its place.

    Parameters
    ----------
    exercise : Exercise

    Yields
    ------
    tuple of (str, Mistake, callable)
        The function that is called, and the reference with the mistake in its place.
    """
    right = exercise.reference
    called = [name for name in names() if name in right.__code__.co_names and name != exercise.name]
    for name in called if exercise.name not in SLOW else ():
        for mistake in find_exercise(name).mistakes:
            wrong = types.FunctionType(right.__code__, right.__globals__ | {name: mistake.function}, right.__name__)
            wrong.__defaults__, wrong.__kwdefaults__ = right.__defaults__, right.__kwdefaults__
            yield name, mistake, wrong
