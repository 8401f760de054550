"""The programs of the course that the one file holds: those that can run here."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from autograder.learner.take_home.gather import Sources
from autograder.learner.take_home.statements import CannotTakeHome, Module
from autograder.registry import course


@dataclass(frozen=True)
class Program:
    """One of them: what is typed to call it, its module (see `transformer_kit.take_home`), and its function there."""

    command: str
    module: ModuleType
    function: str

    def entry(self, sources: Sources) -> tuple[Module, str]:
        """Return the module, as one that is copied, and the function."""
        return sources.module(self.module.__name__), self.function


def programs() -> list[Program]:
    """Return all programs of the course."""
    places = {command: place.split(":") for command, place in course().programs.items()}
    return [Program(command, import_module(module), function) for command, (module, function) in places.items()]


def usable_programs(sources: Sources) -> tuple[list[Program], dict[str, str]]:
    """Return the programs that can be written into the file, and why the others cannot, by their commands.

    Only a program that needs a package may be missing; what keeps another one out stops the command.

    Raises
    ------
    CannotTakeHome
    """
    chosen, missing = [], {}
    for program in programs():
        package, install = getattr(program.module, "NEEDS", ("", ""))
        try:
            if package and not find_spec(package):
                raise CannotTakeHome(f"it needs a package that is not installed: {install}")
            sources.needed([program.entry(sources)])
            chosen.append(program)
        except CannotTakeHome as error:
            if not package:
                raise
            missing[program.command] = str(error)
    return chosen, missing


def files(chosen: Sequence[Program]) -> list[str]:
    """Return what these programs read, each file once."""
    return list(dict.fromkeys(file for program in chosen for file in program.module.FILES))
