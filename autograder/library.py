"""The functions of earlier units, for a notebook that builds on them."""

from autograder.exercises import find
from transformer_kit import reference


def load(*names):
    """Return functions of earlier units, and say whose they are.

    Parameters
    ----------
    *names : str
        Names of exercises, such as "softmax".

    Returns
    -------
    callable, or tuple of callable
        One function for one name, otherwise as many as there are names.

    Raises
    ------
    LookupError
        If no exercise asks for a function of such a name.
    """
    exercises = [find(name) for name in names]
    functions = tuple(getattr(reference, exercise.name) for exercise in exercises)
    print(f"Lent by the course: {', '.join(names)}.")
    return functions if len(names) > 1 else functions[0]
