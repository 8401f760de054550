"""What a class adds to the course from a folder of its own: exercises, questions, and claims that it keeps private.

Beside the class's course.toml, `own/NN_unit/exercises.py` has the exercises and questions that the unit gets in
addition, `private.py` the private claims, and `notebook.py` the cells (`autograder.authoring.own_cells`). A learners'
edition holds the exercises in the folder `of_class` of this package, and nothing that is private.
"""

import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.course import PLAN, course_root
from autograder.questions import Choice, Numbers
from autograder.specification import Exercise, PrivateClaims, Unit

FOLDER, EXERCISES, PRIVATE, CELLS = "own", "exercises.py", "private.py", "notebook.py"
HINTS = "hints.json"  # in an edition, of the cells
SHIPPED = Path(__file__).with_name("of_class")


class OwnError(ValueError):
    """A file of the folder does not say what it should; the message begins with its path and line."""


def own_folder() -> Path | None:
    """Return the folder with what the class adds, that of an edition or that beside course.toml; None without one."""
    if SHIPPED.is_dir():
        return SHIPPED
    root = course_root()
    return root / FOLDER if (root / PLAN).is_file() and (root / FOLDER).is_dir() else None


def files() -> list[Path]:
    """Return the files of which exercises and claims are read, in a fixed order."""
    folder = own_folder()
    return sorted(path for name in (EXERCISES, PRIVATE) for path in folder.glob(f"*/{name}")) if folder else []


def with_own(units: Sequence[Unit], reference: Callable[[], ModuleType], judges: bool) -> tuple[Unit, ...]:
    """Return the units of a course with what the class adds to them.

    Parameters
    ----------
    units : sequence of Unit
        Of the course.
    reference : callable
        Returns the package with the course's right functions; those of the class get a place in it.
    judges : bool
        Whether private claims count as well.

    Raises
    ------
    OwnError
    """
    folder = own_folder()
    if not folder:
        return tuple(units)
    known = [unit.id for unit in units]
    for place in folder.iterdir():
        if place.is_dir() and place.name not in known and not place.name.startswith((".", "_")):
            raise OwnError(f"{place}: there is no such unit; expected a folder named like one of {', '.join(known)}")
    taken = {e.name for unit in units for e in unit.exercises} | {q.id for unit in units for q in unit.questions}
    extended = [_extended(unit, folder / unit.id / EXERCISES, taken, reference) for unit in units]
    return tuple(_judged(unit, folder / unit.id / PRIVATE) if judges else unit for unit in extended)


def is_own(exercise: Exercise) -> bool:
    """Return whether an exercise is one that the class has added."""
    return exercise.reference.__module__.startswith(f"{__name__}.")


def place_of(function: Callable[..., Any]) -> str:
    """Return the file and the line in which a function of the class stands."""
    return f"{sys.modules[function.__module__].__file__}, line {function.__code__.co_firstlineno}"


def _extended(unit, path, taken, reference):
    """Return a unit with the exercises and questions of a file, whose names must not be `taken`."""
    if not path.is_file():
        return unit
    module = _module(path, f"{__name__}.unit_{unit.id}")
    exercises = _found(module, Exercise)
    questions = _found(module, Choice | Numbers)
    if not (exercises or questions):
        raise OwnError(f"{path}, line 1: it defines no Exercise and no question")
    for exercise in exercises.values():
        _require_whole(path, exercise, module, taken)
        setattr(reference(), exercise.name, exercise.reference)
    for name, question in questions.items():
        _require(question.id not in taken, f"{path}, line {_line_of(path, name)}", f"{question.id!r} is taken")
        taken.add(question.id)
    more = {"exercises": (*unit.exercises, *exercises.values()), "questions": (*unit.questions, *questions.values())}
    return replace(unit, **more)


def _require_whole(path, exercise, module, taken):
    """Refuse an exercise that cannot be one of the course's."""
    right = exercise.reference
    is_here = right.__module__ == module.__name__
    where = place_of(right) if is_here else f"{path}, line 1"
    _require(is_here, where, f"the right function of {exercise.name} has to be defined in this file")
    _require(exercise.name not in taken, where, f"{exercise.name} is an exercise already: choose another name")
    _require(exercise.claims, where, f"{exercise.name} has no claim, so it has no points")
    taken.add(exercise.name)


def _judged(unit, path):
    """Return a unit in which the private claims of a file count."""
    if not path.is_file():
        return unit
    private = _found(_module(path, f"{__name__}.private_{unit.id}"), PrivateClaims)
    _require(private, f"{path}, line 1", "it defines no PrivateClaims")
    exercises = {exercise.name: exercise for exercise in unit.exercises}
    for name, its in private.items():
        where = f"{path}, line {_line_of(path, name)}"
        known = ", ".join(exercises)
        _require(its.exercise in exercises, where, f"{its.exercise!r} is no exercise of {unit.id}, only {known}")
        exercises[its.exercise] = _with_private(exercises[its.exercise], its.claims, where)
    return replace(unit, exercises=tuple(exercises.values()))


def _with_private(exercise, claims, where):
    """Return an exercise of as many points, of which some go to private claims."""
    names = {claim.name for claim in exercise.claims}
    for claim in claims:
        _require(claim.name not in names, place_of(claim.test), f"{exercise.name} claims already: {claim.name}")
    points = sum(claim.points for claim in claims)
    what = f"the private claims of {exercise.name} need points, fewer than the {exercise.points:g} of the exercise"
    _require(0 < points < exercise.points, where, f"{what}; found {points:g}")
    share = 1 - points / exercise.points
    public = [replace(claim, points=claim.points * share) for claim in exercise.claims]
    return replace(exercise, claims=[*public, *claims])


def _module(path: Path, name: str) -> ModuleType:
    """Return what a file defines; it is run once."""
    module = sys.modules.get(name)
    if module and module.__file__ == str(path):
        return module
    spec = spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    sys.modules[name] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        told = error.msg if isinstance(error, SyntaxError) else error
        raise OwnError(f"{path}, line {_line(error, path)}: {type(error).__name__}: {told}") from error
    return module


def _line(error, path):
    """Return the line of a file in which an error came up."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames: Iterator[traceback.FrameSummary] = reversed(traceback.extract_tb(error.__traceback__))
    return next((frame.lineno for frame in frames if frame.filename == str(path)), 1)


def _found(module: ModuleType, kind: Any) -> Mapping[str, Any]:
    """Return the values of a kind that a module defines, by their names there, in their order."""
    return {name: value for name, value in vars(module).items() if isinstance(value, kind)}


def _line_of(path, name):
    """Return the first line of a file that gives something a name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"{name} ")), 1)


def _require(holds, where, what):
    if not holds:
        raise OwnError(f"{where}: {what}")
