"""Run in Pyodide by in_pyodide.mjs: the exercises of solution notebooks, and a proof of their grading.

The environment variable NTH says which: every third, say, or 1 for all. Prints what is wrong, and how many mistakes
were tried and named.
"""

import ast
import contextlib
import io
import json
import linecache
import os
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

from autograder.registry import units

sys.path.append("/course")  # behind the wheel: only tests and tools come from there
sys.modules["nbformat"] = ModuleType("nbformat")  # which tools.course would read notebooks with
proof, bank = map(import_module, ("tools.proof", "tools.bank"))
STEP = 40  # between the mistakes of an exercise that are tried; the first always is: a browser's Python is slow
LONG = "11_inside_the_model"  # between its exercises, it takes three minutes to look inside


def run_notebook(unit):
    """Run a solution notebook up to its last check; return what it defines, and what did not get its points."""
    notebook = json.loads(Path("/course/solutions", unit.id, f"{unit.id}.ipynb").read_text())
    namespace, faults = {"__name__": "__main__", "display": lambda *_: None}, []
    checks = [n for n, cell in enumerate(notebook["cells"]) if cell["metadata"].get("nbgrader", {}).get("grade")]
    first, *others = (cell for cell in notebook["cells"][: checks[-1] + 1] if cell["cell_type"] == "code")
    for cell in (first, *others):
        if cell is first or unit.id != LONG or "nbgrader" in cell["metadata"]:
            score = run_cell(f"<{unit.id} {cell['id']}>", "".join(cell["source"]), namespace)
            if hasattr(score, "points") and score.points != score.max_points:
                faults.append(score.report)
    return namespace, faults


def run_cell(name, source, namespace):
    """Run a cell as a notebook does, and return the value of its last line."""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return eval(compile(last, name, "eval"), namespace) if last else None


tried = named = 0
for unit in units()[:: int(os.environ["NTH"])]:
    with contextlib.redirect_stdout(io.StringIO()):
        written, faults = run_notebook(unit)
    for exercise in unit.exercises:
        exercise = replace(exercise, mistakes=exercise.mistakes[::STEP])
        row = proof.prove(exercise, unit.id, bank.right_styles(exercise.name)[:1], written[exercise.name], seeds=(0,))
        faults += row.faults
        tried, named = tried + row.mistakes, named + row.named
    for fault in faults:
        print(f"{unit.id}: {fault}")
print(f"{named} of {tried} mistakes named")
