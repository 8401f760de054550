"""A learner's library for units 00 to 09, which calls nothing of the reference."""

from types import FunctionType, SimpleNamespace

from autograder.registry import units
from tools.bank import right_styles
from tools.course import solution_functions

UPTO_09 = [unit for unit in units() if unit.id < "10"]


def written():
    """Return what a learner may have written for every exercise of units 00 to 09: the first right style of each.

    `masked_attention` is that of the notebook, which calls the learner's functions of unit 02.
    """
    found = {}
    for unit in UPTO_09:
        found |= {exercise.name: right_styles(exercise.name)[0] for exercise in unit.exercises}
    return found | {"masked_attention": solution_functions("03_masking")["masked_attention"]}


def library(**planted):
    """Return a learner's functions that call each other, and nothing of the reference.

    Parameters
    ----------
    **planted : callable
        Functions that stand in the place of right ones, as they are.
    """
    own = SimpleNamespace()
    for name, function in written().items():
        space = dict(function.__globals__)  # a copy: here the other functions of the learner stand, too
        mine = FunctionType(function.__code__, space, name, function.__defaults__, function.__closure__)
        setattr(own, name, planted.get(name, mine))
    functions = dict(vars(own))
    for name in set(functions) - set(planted):
        functions[name].__globals__.update(functions, reference=own)
    return own
