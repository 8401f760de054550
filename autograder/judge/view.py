"""The folder that a worker sees of the course: the kit without what the unit asks for, and the worker itself.

The folder is complete: it, Python's standard library and the installed packages are all that a worker needs. So a
sandbox binds these and nothing of the course. No reference module of the unit or of a later one is in it.
"""

import ast
import pkgutil
import shutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import autograder
import transformer_kit
from autograder.execution.dependencies import needed
from autograder.exercises import names_before
from transformer_kit import reference

# The parts of autograder that a worker runs; everything else stays outside.
ROOMS = ("execution", "judge/wire", "judge/worker", "judge/sandbox/confine")
# Parts of the kit that run a whole Transformer, as units 09 and 12 do, or belong to a learner's own folder; no function
# that is graded needs them.
LEFT_OUT = ("whole_model", "public", "training", "library.py", "workbench.py")
PACKAGES = ("numpy", "scipy", "matplotlib", "IPython")
STUBS = '''\
"""Stands in for the learner's tools while a notebook is graded; functions of earlier units are the reference's."""

from transformer_kit import reference


def check(function):
    return None


def compare_layers(functions):
    return None


def load(*names, even_if_wrong=False):
    functions = tuple(getattr(reference, name) for name in names)
    return functions[0] if len(names) == 1 else functions


def predict(question, answer):
    return None


def progress(unit=""):
    return None


hint = solution = check
'''
WITHHELD = """

def _withheld(name):
    def withheld(*args, **kwargs):
        raise RuntimeError(f"the reference's {name} is not available while this unit is graded")

    withheld.__name__ = name
    return withheld


"""


def build(folder, unit=None):
    """Fill a folder for the workers of a unit.

    Parameters
    ----------
    folder : path
        Is created; must not exist yet.
    unit : Unit, optional
        Its own reference functions and those of later units are left out; without a unit none are.

    Returns
    -------
    Path
        The folder.
    """
    folder, kit = Path(folder), Path(transformer_kit.__file__).parent
    hidden = hidden_modules(unit)
    leave_out = shutil.ignore_patterns("__pycache__", *LEFT_OUT, *(f"{name}.*" for name in hidden))
    shutil.copytree(kit, folder / "transformer_kit", ignore=leave_out)
    exports = folder / "transformer_kit" / "reference" / "__init__.py"
    exports.write_text(_without(exports.read_text(encoding="utf-8"), hidden), encoding="utf-8")
    own, ours = Path(autograder.__file__).parent, folder / "autograder"
    for room in ROOMS:
        shutil.copytree(own / room, ours / room, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("judge", "judge/sandbox"):
        (ours / package / "__init__.py").touch()
    (ours / "__init__.py").write_text(STUBS, encoding="utf-8")
    return folder


def hidden_modules(unit):
    """Return the names of the reference modules that a unit's workers must not have."""
    names = (module.name for module in pkgutil.iter_modules(reference.__path__))
    return [name for name in names if name.startswith("unit_") and name >= f"unit_{unit.id}"] if unit else []


def substitutes(unit, exercise):
    """Return the functions that a worker gets, beside the view, for one exercise of a unit.

    They stand in for the learner's functions of earlier exercises.

    Parameters
    ----------
    unit : Unit
    exercise : Exercise

    Returns
    -------
    names : tuple of str
        The exercises that come before it in the course.
    source : str
        The reference's definitions of those in the same unit, with the imports and private helpers that they need;
        nothing of the exercise itself or of a later one.
    """
    own = tuple(other.name for other in unit.exercises)
    place = own.index(exercise.name)
    return tuple(names_before(exercise)), _source(unit.id, own[:place], own[place:])


@cache
def _source(unit_id, names, hidden):
    path = import_module(f"transformer_kit.reference.unit_{unit_id}").__file__
    statements = ast.parse(Path(path).read_text(encoding="utf-8")).body
    shown = [statement for statement in statements if getattr(statement, "name", "") not in hidden]
    return "\n".join(map(_without_docstring, needed(shown, names)))


def _without_docstring(statement):
    if isinstance(statement, ast.FunctionDef) and ast.get_docstring(statement) and statement.body[1:]:
        statement.body = statement.body[1:]
    return ast.unparse(statement)


def packages():
    """Return the folders that hold the installed packages; a sandbox has to show them as well."""
    specs = filter(None, map(find_spec, PACKAGES))
    return sorted({str(Path(spec.origin).parent.parent) for spec in specs})


def _without(source, hidden):
    """Rewrite the exports of the reference: a hidden function can be imported by name, but not called."""
    tree = ast.parse(source)
    shown, names = [], set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module.rpartition(".")[2] in hidden:
            names |= {alias.name for alias in node.names}
        else:
            shown.append(node)
    exported = next(node for node in shown if isinstance(node, ast.Assign))  # __all__
    exported.value.elts = [name for name in exported.value.elts if name.value not in names]
    lines = "".join(f'{name} = _withheld("{name}")\n' for name in sorted(names))
    return ast.unparse(ast.Module(shown, [])) + WITHHELD + lines
