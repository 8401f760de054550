"""`course export-library`: whose functions go into the one file, and whether it runs."""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import transformer_kit
from autograder.compiled import PACKED
from autograder.learner.load import substitute_failing
from autograder.learner.take_home.gather import KIT, OWN, Sources
from autograder.learner.take_home.one_file import joined
from autograder.learner.take_home.programs import Program, files, usable_programs
from autograder.learner.take_home.statements import CannotTakeHome, Module
from autograder.registry import course, reference, units
from autograder.whole_file import write_atomically
from transformer_kit.library import Library, import_library, module_of
from transformer_kit.take_home.embedded import as_comments

FIRST = '"""A Transformer in NumPy'
KIT_FOLDER = Path(transformer_kit.__file__).parent
INSTEAD = {f"{KIT}.content": f"{KIT}.take_home.embedded"}
MAIN = f"{KIT}.take_home.main"
HEAD = '''\
{first}: {number} functions, one below the other.

{lines}
    python {name} --help

{whose}
Python 3.11 or newer and NumPy are all that it needs. What the models have learned stands at the end, as comments.
"""
'''
ALONE = """\
import runpy, sys
sys.modules |= dict.fromkeys({own!r})
sys.argv = {argv!r}
runpy.run_path({path!r}, run_name="__main__")
"""
SECONDS = 120


class Composed(NamedTuple):
    """The file.

    Attributes
    ----------
    text : str
    own, lent : list of str
        Names of the learner's functions in it, and of the course's.
    left_out : dict from str to str
        What cannot be in it, functions of the learner and programs, and why.
    programs : list of Program
        Those in it.
    """

    text: str
    own: list[str]
    lent: list[str]
    left_out: dict[str, str]
    programs: list[Program]


def export(folder: Path, path: Path, say: Callable[[str], None] = print) -> None:
    """Write a library as one file, and run it once.

    Parameters
    ----------
    folder : Path
        The library.
    path : Path
        What was written by this function before is replaced, and nothing else.
    say : callable
        Is told what is done.

    Raises
    ------
    CannotTakeHome
        If there is nothing to write, or nothing may be written there, or what was written stops with an error.
    """
    if path.exists() and not path.read_bytes().startswith(FIRST.encode()):
        raise CannotTakeHome(f"{path} is something else: name another file, or move that one away")
    library = import_library(folder, reference(), again=True)
    if not library.namespaces:
        raise CannotTakeHome(f"there are no functions in {folder} yet: a check that passes puts the first one there")
    say("Checking your functions ...")
    substitute_failing(library, [exercise for unit in units() for exercise in unit.exercises])
    made = composed(library, path.name)
    faults = {f"your {name}": f"{each.place}: {each.problem.rstrip('.')}" for name, each in library.faults.items()}
    for what, why in (faults | made.left_out).items():
        say(f"Not in the file is {what} ({why}).")
    write_atomically(path, made.text)
    say(f"{path}: {whose(made.own, made.lent)}")
    for example in (program.module.EXAMPLE for program in made.programs):
        say(f"python {path.name} {example}\n  {tried(path, example)}")


def whose(own: Sequence[str], lent: Sequence[str]) -> str:
    """Say how many functions are the learner's, and name those that are lent."""
    borrowed = f" The course has lent {', '.join(lent)}." if lent else ""
    return f"{len(own)} of the functions were written by a learner, and passed their checks.{borrowed}"


def composed(library: Library, name: str) -> Composed:
    """Put the text of the file together.

    Parameters
    ----------
    library : Library
        That has been checked.
    name : str
        Of the file.

    Returns
    -------
    Composed
    """
    mine = [(unit, _module(library, unit)) for unit in units()]
    functions: dict[str, Module | str] = {}
    for unit, module in mine:
        for exercise in unit.exercises:
            found = library.find(exercise.name)
            usable = module and found and found.function and exercise.name in module.binders
            functions[exercise.name] = module if module and usable else exercise.reference.__module__
    sources = Sources(functions, (course().reference, library.folder.name), _kit_text)
    left_out = _lend_what_cannot_be_copied(sources, functions)
    chosen, missing = usable_programs(sources)
    left_out |= {f"the program {command}": why for command, why in missing.items()}
    own = [function for function, module in functions.items() if isinstance(module, Module)]
    entries = [program.entry(sources) for program in chosen]
    main = sources.module(MAIN), "main"
    wanted = [*((sources.function(function), function) for function in own), *entries, main]
    headings = {module: f"Unit {unit.id[:2]}: {unit.title}" for unit, module in mine if module}
    text, names = joined(wanted, sources, headings, "What the course adds")
    lent = [function for function in functions if function not in own and re.search(rf"^def {function}\(", text, re.M)]
    named = zip(chosen, entries, strict=True)
    programs = ", ".join(f'"{program.command}": {names[entry]}' for program, entry in named)
    lines = "\n".join(f"    python {name} {program.module.EXAMPLE}" for program in chosen)
    about = HEAD.format(first=FIRST, number=len(own) + len(lent), lines=lines, name=name, whose=whose(own, lent))
    end = f'if __name__ == "__main__":\n    raise SystemExit({names[main]}({{{programs}}}, __doc__))\n'
    numbers = [as_comments(file, (KIT_FOLDER / file).read_bytes()) for file in files(chosen)]
    return Composed("\n\n".join([f"{about}\n{text}", end, "".join(numbers)]), own, lent, left_out, chosen)


def _lend_what_cannot_be_copied(sources, functions):
    """Put the course's functions in the place of a learner's that one file cannot hold; return why."""
    left_out = {}
    for exercise in (exercise for unit in units() for exercise in unit.exercises):
        name = exercise.name
        try:
            sources.needed([(functions[name], name)] if isinstance(functions[name], Module) else [])
        except CannotTakeHome as error:
            left_out[f"your {name}"], functions[name] = str(error), exercise.reference.__module__
    return left_out


def _module(library, unit):
    """Return the learner's file of a unit; None where it cannot be used."""
    stem = module_of(unit.exercises[0].reference)
    path = library.folder / f"{stem}.py"
    if stem not in library.namespaces:
        return None
    return Module(f"{library.folder.name}.{stem}", path.read_text(encoding="utf-8-sig"))


def _kit_text(name):
    try:
        spec = find_spec(INSTEAD.get(name, name))
    except ModuleNotFoundError as error:  # what should hold it is no package
        raise LookupError(name) from error
    if spec is None or not (spec.origin or "").endswith(".py"):
        raise LookupError(name)
    text = Path(spec.origin).read_text(encoding="utf-8")
    if text.startswith(PACKED):  # in a learners' edition
        raise LookupError(name)
    return text


def tried(path: Path, example: str) -> str:
    """Run the file once, alone, and return what it says.

    Parameters
    ----------
    path : Path
    example : str
        What is typed.

    Raises
    ------
    CannotTakeHome
        If it stops with an error, or goes on for too long.
    """
    argv = [path.name, *example.split()]
    code = ALONE.format(own=OWN, argv=argv, path=str(path))
    try:
        done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as error:
        raise CannotTakeHome(f"{path} was written, but has no answer to {example!r} after {SECONDS} seconds") from error
    if done.returncode or "Error" in done.stderr:
        last = done.stderr.strip().splitlines()[-1]
        raise CannotTakeHome(f"{path} was written, but stops at {example!r}: {last}")
    return (done.stdout + done.stderr).strip()
