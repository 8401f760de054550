"""The folder that a worker sees of the course: the kit without what the unit asks for, and the worker itself.

The folder is complete: with it, Python's standard library and the installed packages a worker runs. So a sandbox binds
these and nothing of the course. No reference module of the unit or of a later one is in it.
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
from autograder.exercises import names_before
from autograder.reach import needed
from transformer_kit import reference

# What of autograder a worker runs; everything else of it stays outside.
MODULES = (
    "compare.py",
    "lending.py",
    "outcome.py",
    "reach.py",
    "run.py",
    "judge/__init__.py",
    "judge/child.py",
    "judge/npy.py",
    "judge/protocol.py",
    "judge/values.py",
    "judge/worker.py",
)
# Parts of the kit that run a whole Transformer, as unit 09 asks for, or belong to a learner's own folder; no function
# that is graded needs them.
LEFT_OUT = (
    *("ablations.py", "activations.py", "evaluation.py", "greedy.py", "one_sentence.py", "training"),
    "workbench.py",
)
CONFINE = "judge/sandbox/confine"
PACKAGES = ("numpy", "scipy", "matplotlib", "IPython")
STUBS = '''\
"""Stands in for checks and bench while a notebook is graded; functions of earlier units are the reference's."""

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


def progress():
    return None


hint = solution = check
'''
WITHHELD = """

def _withheld(name):
    def withheld(*args, **kwargs):
        raise RuntimeError(f"the reference's {name} is not lent while this unit is graded")

    withheld.__name__ = name
    return withheld


"""


def build(folder, unit=None):
    """Fill a folder for the workers of a unit.

    Parameters
    ----------
    folder : path
        Is made; must not exist.
    unit : Unit, optional
        Its own reference functions and those of later units are left out; of none without it.

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
    for name in MODULES:
        target = folder / "autograder" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(autograder.__file__).parent / name, target)
    for name in ("__init__.py", "check.py"):
        (folder / "autograder" / name).write_text(STUBS, encoding="utf-8")
    inner = folder / "autograder" / CONFINE
    shutil.copytree(Path(autograder.__file__).parent / CONFINE, inner, ignore=shutil.ignore_patterns("__pycache__"))
    (inner.parent / "__init__.py").touch()
    return folder


def hidden_modules(unit):
    """Return the names of the reference modules that a unit's workers must not have."""
    names = (module.name for module in pkgutil.iter_modules(reference.__path__))
    return [name for name in names if name.startswith("unit_") and name >= f"unit_{unit.id}"] if unit else []


def lent(unit, exercise):
    """Return what a worker gets, beside the view, for one exercise of a unit.

    Parameters
    ----------
    unit : Unit
    exercise : Exercise

    Returns
    -------
    names : tuple of str
        The exercises that come before it in the course: their reference functions stand in for the learner's.
    source : str
        The definitions of those in the same unit, with the imports and the private helpers that they need; nothing of
        the exercise itself or of a later one.
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
    """Return the folders that the installed packages lie in; a sandbox has to show them, too."""
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
