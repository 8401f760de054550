"""A synthetic class of any size: honest submissions, right, unfinished and broken ones, the same for the same seed."""

import ast
import random

import nbformat

from tools.course import fill, is_answer, notebook, solved, tags

RIGHT, BROKEN, OPEN, CRASHING = "right", "broken", "open", "crashing"
SHARES = {RIGHT: 62, BROKEN: 26, OPEN: 8, CRASHING: 4}  # of the functions, in percent
STOCK = """\
from autograder.nbgrader_config import configure
configure(get_config(), stock=True)
"""  # settings of nbgrader without the course's own steps
OTHER = {ast.Div: ast.Mult, ast.Mult: ast.Add, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.LtE: ast.Lt, ast.GtE: ast.Gt}


def students(count):
    """Return the ids of a class."""
    return [f"student-{number:03}" for number in range(count)]


def submission(unit, student, figures=True):
    """Return the notebook that a student handed in.

    Parameters
    ----------
    unit : Unit
    student : str
        Also the seed of its content.
    figures : bool
        See `fill`.

    Returns
    -------
    NotebookNode
    """
    random_ = random.Random(f"{student} {unit.id}")
    given = {tags(c)["grade_id"]: c.source for c in notebook(unit.id, "notebooks").cells if tags(c).get("solution")}
    right = solved(unit)
    fates = random_.choices(list(SHARES), SHARES.values(), k=len(right))
    sources = {name: written(right[name], given[name], fate, random_) for name, fate in zip(right, fates, strict=True)}
    answers = {tags(c)["grade_id"]: right[tags(c)["grade_id"]] for c in notebook(unit.id).cells if is_answer(c)}
    return fill(unit, sources | answers, figures)


def written(right, stub, fate, random_):
    """Return the source of a solution cell."""
    if fate == BROKEN:
        return broken(right, random_)
    if fate == CRASHING:
        return right.replace("### BEGIN SOLUTION", "undefined_name", 1)
    return right if fate == RIGHT else stub


def broken(source, random_):
    """Change one number or operator of the functions in a cell."""
    tree = ast.parse(source)
    places = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and type(node.op) in OTHER]
    places += [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER]
    places += [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    if places:
        place = random_.choice(places)
        if isinstance(place, ast.Constant):
            place.value += 1
        elif isinstance(place, ast.BinOp):
            place.op = OTHER[type(place.op)]()
        else:
            place.ops[0] = OTHER[type(place.ops[0])]()
    return ast.unparse(tree)


def hand_in(folder, units, count):
    """Write the class's submissions in nbgrader's layout, ``student/unit/unit.ipynb``; return how many."""
    for student in students(count):
        for unit in units:
            path = folder / student / unit.id / f"{unit.id}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(submission(unit, student), path)
    return count * len(units)
