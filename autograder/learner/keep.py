"""Keep a function that passed in the learner's library, and lose nothing that is there already."""

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.learner import edit, files
from autograder.learner.local import evaluate_locally, fault
from autograder.learner.progress_file import Entry
from autograder.learner.source import Source
from autograder.registry import find, names, reference
from autograder.whole_file import write_atomically
from transformer_kit.library import import_library, module_of

HEADER = '''\
"""Your functions of unit {unit}.

A check that passes puts its function here, and the notebooks of later units take it from here.
The file is yours: you may change it. What a check replaces is kept in the folder {earlier}.
"""
'''
IMPORT_FUNCTIONS = "from transformer_kit.workbench import functions"


def keep(folder: Path, name: str, function: Callable[..., Any], entry: Entry) -> str:
    """Write a function into the file of its unit, with what it needs.

    Parameters
    ----------
    folder : Path
        Of the library; call this while `files.writing` keeps others away.
    name : str
        Of the exercise.
    function : callable
        It has just passed its check.
    entry : Entry
        Keeps the hash of what is written.

    Returns
    -------
    str
        What was done, as a sentence.

    Raises
    ------
    CannotKeep
        If the function's source would not work by itself.
    """
    source = Source(function, name, names())
    unit = module_of(find(name).reference)
    path = folder / f"{unit}.py"
    shown = f"{folder.name}/{unit}.py"
    old, readable = _read(path)
    digest = _hash(source.functions[name])
    if digest == entry.kept and readable and _was_edited(old, name, source) and _passes(folder, name):
        return f"in {shown}, as you edited it there."
    new = _merged(old if readable else edit.parts_that_parse(old) or _header(unit), source)
    entry.kept = digest
    if new == old:
        return f"in {shown}."
    aside = files.keep_copy(path) if not readable or _loses(old, new) else None
    write_atomically(path, new)
    kept = f"in {shown}, where later notebooks find it."
    if aside:
        kept += f" The file as it was is now {files.EARLIER}/{aside.name}."
    if not readable:
        kept += " It could not be read as Python; what of it could be is in the new file, too."
    return kept + _doubt(folder, name)


def _read(path):
    """Return the text of a file, and whether it is Python; a file that is not there yet has a heading only."""
    if not path.exists():
        return _header(path.stem), True
    content = path.read_bytes()
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return text, "\ufffd" not in text and edit.is_python(text)


def _header(unit):
    _, number, *words = unit.split("_")
    return HEADER.format(unit=f"{number}, {' '.join(words)}", earlier=files.EARLIER)


def _merged(text, source):
    for line in source.imports:
        text = edit.with_import(text, line)
    for assignment in source.values.items():
        text = edit.with_value(text, *assignment)
    for name in source.borrowed:
        if not edit.definition(text, name):
            text = edit.with_import(text, IMPORT_FUNCTIONS)
            text = edit.with_value(text, name, f'{name} = functions("{name}")')
    for definition in source.functions.items():
        text = edit.with_function(text, *definition)
    return text


def _loses(old, new):
    """Return whether lines of a text are gone in another one."""
    return bool(Counter(old.splitlines()) - Counter(new.splitlines()))


def _was_edited(text, name, source):
    kept = edit.definition(text, name)
    return bool(kept) and kept.rstrip() != source.functions[name].rstrip()


def _passes(folder, name):
    entry = import_library(folder, reference()).find(name)
    return bool(entry and entry.function) and evaluate_locally(find(name), entry.function)[0].status == "passed"


def _doubt(folder, name):
    """Look at the function in the file as a later notebook will; say so if it cannot be used."""
    entry = import_library(folder, reference()).find(name)
    if not entry or not entry.function:
        return (
            f" But the file {entry.problem or 'does not define it'} ({entry.place}). Please repair it." if entry else ""
        )
    verdict, _ = evaluate_locally(find(name), entry.function)
    if verdict.status == "passed":
        return ""
    return f" But there its check fails: it depends on something of this notebook. {fault(verdict)}"


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]
