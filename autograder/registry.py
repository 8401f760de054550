"""The course that is installed, and its units, exercises and questions by their names.

The engine knows no course. A course is a `Course` that a package names in its metadata, as an entry point of the group
`autograder.courses`; where several are installed, the environment variable `AUTOGRADER_COURSE` names the one to use.
"""

import os
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from autograder.own import with_own
from autograder.questions import Question
from autograder.specification import Exercise, Unit

GROUP = "autograder.courses"
VARIABLE = "AUTOGRADER_COURSE"  # environment variable: the name of the entry point
_judges = False


class CourseNotFound(LookupError):
    """No course can be used: none is installed, or it is not clear which; the message says what there is."""


@dataclass(frozen=True)
class Course:
    """What the engine has to know of a course.

    Attributes
    ----------
    package : str
        Name of the package that specifies the exercises.
    load_units : callable
        Returns the units in their order.
    reference : str
        Name of the package with the right functions.
    tools : mapping of str to str
        What notebooks import from `autograder` beside `check` and the like: "module:name" by that name.
    drawing : str, optional
        The "module:name" of a function that draws the course for `progress`, a unit marked and what is written
        filled in: ``draw(unit, written)`` is called with the number of a unit, or "", and with the names of functions,
        and returns something with its text as `html`.
    programs : mapping of str to str
        What runs in the one file that a learner takes home: by its name there, "module:name" of a function that loads
        something and returns a function from words to an answer. The module's `FILES` are put into that file.
    """

    package: str
    load_units: Callable[[], tuple[Unit, ...]]
    reference: str
    tools: Mapping[str, str] = field(default_factory=dict)
    drawing: str = ""
    programs: Mapping[str, str] = field(default_factory=dict)


@cache
def course() -> Course:
    """Return the course that is installed.

    Raises
    ------
    CourseNotFound
        If there is none, or if there are several and `AUTOGRADER_COURSE` names none of them.
    """
    installed = {entry.name: entry for entry in entry_points(group=GROUP)} or _declared()
    wanted = os.environ.get(VARIABLE) or (next(iter(installed)) if len(installed) == 1 else "")
    if wanted in installed:
        return installed[wanted].load()
    if not installed:
        raise CourseNotFound("No course is installed: no package has an entry point of the group autograder.courses.")
    names = ", ".join(sorted(installed))
    if wanted:
        raise CourseNotFound(f"{VARIABLE} is {wanted!r}, but there is no course of this name. Installed: {names}.")
    raise CourseNotFound(f"Several courses are installed. Set {VARIABLE} to one of {names}.")


def packages_of_courses() -> tuple[str, ...]:
    """Return the names of the top packages that hold the exercises and right functions of all installed courses."""
    installed = {entry.value for entry in entry_points(group=GROUP)} | {course().package, course().reference}
    return tuple(sorted({name.partition(":")[0].partition(".")[0] for name in installed}))


def _declared() -> dict[str, EntryPoint]:
    """Read the entry points from pyproject.toml, for a copy of the source tree that nobody has installed."""
    path = Path(__file__).parent.parent / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"] if path.is_file() else {}
    entries = project.get("entry-points", {}).get(GROUP, {})
    return {name: EntryPoint(name, value, GROUP) for name, value in entries.items()}


def tool(name: str) -> object:
    """Return what the course adds to `autograder` under a name.

    Raises
    ------
    AttributeError
        If it adds nothing of this name.
    """
    tools = course().tools
    if name not in tools:
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    return EntryPoint(name, tools[name], GROUP).load()


def drawing(unit: str, written: Collection[str]) -> str:
    """Return the drawing of the course as HTML, or "" where it has none; see `Course`."""
    place = course().drawing
    return EntryPoint("drawing", place, GROUP).load()(unit, written).html if place else ""


def reference() -> ModuleType:
    """Return the package with the right functions of the course."""
    return import_module(course().reference)


def course_units() -> tuple[Unit, ...]:
    """Return the units of the course alone, in its order, without what a class has added."""
    return tuple(course().load_units())


@cache
def units() -> tuple[Unit, ...]:
    """Return all units in the order of the course, each with what the class has added; see `autograder.own`."""
    return with_own(course_units(), reference, _judges)


def judge_here() -> None:
    """Let this process know what a class claims privately: it judges, and runs no code of a learner itself."""
    global _judges
    if not _judges:
        _judges = True
        units.cache_clear()
        names.cache_clear()


def find(name: str) -> Exercise:
    """Return the exercise that asks for the function `name`.

    Raises
    ------
    LookupError
        If there is none; the message lists the nearest names.
    """
    return _lookup(name, {e.name: e for unit in units() for e in unit.exercises}, "exercise")


def find_unit(id: str) -> Unit:
    """Return the unit with this id; raises LookupError as `find` does."""
    return _lookup(id, {unit.id: unit for unit in units()}, "unit")


def find_question(id: str) -> Question:
    """Return the question with this id; raises LookupError as `find` does."""
    return _lookup(id, {q.id: q for unit in units() for q in unit.questions}, "question")


@cache
def names() -> tuple[str, ...]:
    """Return the names of all exercises, in the order of the course."""
    return tuple(e.name for unit in units() for e in unit.exercises)


def names_before(exercise: Exercise) -> tuple[str, ...]:
    """Return the names of the exercises that come before one in the course, in their order."""
    return names()[: names().index(exercise.name)]


def unit_of(exercise: Exercise) -> Unit:
    """Return the unit that an exercise belongs to."""
    return next(unit for unit in units() if any(its.name == exercise.name for its in unit.exercises))


def _lookup(name, items, kind):
    if name in items:
        return items[name]
    near = get_close_matches(name, items, n=3, cutoff=0.4) or sorted(items)
    raise LookupError(f"There is no {kind} named {name!r}. Did you mean {', '.join(near)}?")
