"""How well an exercise separates those who do well in the rest of its unit from those who do badly."""

import numpy as np

MIN_STUDENTS = 10  # students, for a correlation that is more than chance


def discrimination(points: np.ndarray, number: int) -> tuple[float | None, str]:
    """Return how well an exercise separates those who do well in the rest of the unit from those who do badly.

    Parameters
    ----------
    points : ndarray of shape (n_students, n_exercises)
    number : int
        Of the exercise.

    Returns
    -------
    float or None
        From -1 to 1; an exercise that separates them has more than about 0.3.
    str
        Why it is not defined; empty if it is.
    """
    if len(points) < MIN_STUDENTS:
        return None, f"fewer than {MIN_STUDENTS} students"
    if points.shape[1] == 1:
        return None, "no other exercise in the unit"
    own, rest = points[:, number], np.delete(points, number, axis=1).sum(axis=1)
    for values, where in ((own, "here"), (rest, "in the rest of the unit")):
        if np.ptp(values) < 1e-9:
            return None, f"all have the same points {where}"
    return float(np.corrcoef(own, rest)[0, 1]), ""


def interval(discrimination: float, students: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a correlation, by Fisher's transformation.

    Parameters
    ----------
    discrimination : float
    students : int
        At least 4.

    Returns
    -------
    tuple of float
    """
    middle, half = np.arctanh(np.clip(discrimination, -0.999999, 0.999999)), 1.96 / np.sqrt(students - 3)
    return float(np.tanh(middle - half)), float(np.tanh(middle + half))
