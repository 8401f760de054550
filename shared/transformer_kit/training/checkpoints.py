"""How far a training run has come, and files that keep it."""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters.tree import flatten
from transformer_kit.trained.array_files import read_arrays, write_arrays


class Progress(NamedTuple):
    """How far a training run has come.

    Attributes
    ----------
    step : int
    parameters, m, v : ndarray of shape (n_parameters,)
        The parameters end to end, and Adam's running means.
    total : ndarray of shape (n_parameters,)
        Sum of the parameters that are to be averaged.
    history : ndarray of shape (n_records, 3)
        Step, mean loss of the batches since the last record, and loss on the development pairs, in nats per token.
    """

    step: int
    parameters: np.ndarray
    m: np.ndarray
    v: np.ndarray
    total: np.ndarray
    history: np.ndarray


def beginning(model):
    """Return the progress of a run that has not begun.

    Parameters
    ----------
    model : Model
        With its initial parameters.

    Returns
    -------
    Progress
    """
    parameters = flatten(model)
    return Progress(0, parameters, *(np.zeros_like(parameters) for _ in range(3)), np.empty((0, 3)))


def save_checkpoint(path, progress, settings):
    """Write a checkpoint; if the program is killed while it does so, the previous one stays.

    Parameters
    ----------
    path : Path
    progress : Progress
    settings : Settings
    """
    write_arrays(path, {"settings": repr(settings), **progress._asdict()}, compress=False)


def load_checkpoint(path, model, settings):
    """Read a checkpoint.

    Parameters
    ----------
    path : Path
    model : Model
        Of the sizes that are trained.
    settings : Settings

    Returns
    -------
    Progress or None
        None if there is no checkpoint.

    Raises
    ------
    ValueError
        If it is damaged or belongs to another training run.
    """
    if not path.exists():
        return None
    try:
        arrays = read_arrays(path)
    except ValueError as error:
        raise ValueError(f"{error}: remove it to start over") from error
    if str(arrays.pop("settings", "")) != repr(settings) or arrays["parameters"].shape != flatten(model).shape:
        raise ValueError(f"{path} belongs to a training run with other settings or sizes: remove it to start over")
    return Progress(int(arrays.pop("step")), **arrays)
